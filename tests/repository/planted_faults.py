#!/usr/bin/env python3
"""Each check passes a small clean tree and names the fault planted in it."""

import importlib
import tempfile
import unittest
from pathlib import Path

ERRATUM = """
[parts]
explicit = 'reference/mpm/.*\\.h'

[[erratum]]
paper = "klar2016"
id = "K1"
place = "§7.1"
printed = "x"
adopted = "y"
evidence = ["derived"]
reason = "z"
confidence = "high"
needs_test = true
part = "explicit"
tests = ["mpm/step_test.cpp: slides"]
"""
PAPER = """
key = "Klar16"
title = "t"
authors = ["a"]
year = 2016
venue = "v"

[[table]]
id = "2"
place = "Table 2"
columns = { name = "scene", h = "spacing [m]" }
rows = [{ name = "castle", h = 0.01 }]
"""
MEASURED = """
title = "t"

[[entry]]
id = "lube"
source = "s"
status = "secondary"
quantity = "run-out"
series = { a = [1.0, 2.0], runout = [1.2, 2.4] }
"""
OUTCOME = """
[[outcome]]
figure = "klar2016/fig13_pile"
preset = "desk"
claim = "held"
words = "holds; not the run-out"
numbers = { pass = 3, fail = 1, undecided = 0, sanity = 2 }
revision = "0123abc"
date = "2026-01-31"
note = ""
"""
NUMBERS = """
[[figure]]
id = "klar2016/fig13_pile"
number = [
  { name = "height", verdict = "pass", value = 1.5, width = 0.25 },
  { name = "seconds", verdict = "undecided", clock = true },
  { name = "angle", verdict = "undecided" },
]
"""
FIGURES = "| figure | claim | status |\n|---|---|---|\n| klar2016/fig13_pile | piles | holds; not the run-out |\n"
CLEAN = {
    "CMakeLists.txt": "project(x)\n",
    "CMakePresets.json": '{"name": "release"}\n',
    ".clang-format": "BasedOnStyle: Google\n",
    ".clang-tidy": "Checks: '-*'\n",
    ".gitignore": "/build*/\n",
    "LICENSE": "licence\n",
    ".ci/run": "#!/usr/bin/env bash\nset -euo pipefail\nbash tests/run.sh\n",
    "README.md": "[licence](LICENSE)\n```sh\nbash tests/run.sh\nbuild-release/repose verify  # checks\n```\n" + FIGURES,
    "experiments/INDEX.md": FIGURES,
    "experiments/outcomes.toml": OUTCOME,
    "experiments/smoke.toml": NUMBERS,
    "reference/references.bib": "@article{Klar16,\n  title = {t}\n}\n",
    "reference/NOTATION.md": "| symbol | name | unit | meaning | paper | where |\n|---|---|---|---|---|---|\n"
    "| μ | `mu` | Pa | shear modulus | K | reference/interface/scene/materials.h |\n",
    "reference/interface/scene/materials.h": "#pragma once\n#include <string>\ndouble mu;  ///< [Klar16 Eq.25, §6.3]\n",
    "reference/mpm/step.h": '#include "reference/interface/scene/materials.h"\n',
    "optimized/step.cpp": '#include "reference/interface/scene/materials.h"\n',
    "validation/solvers.cpp": '#include "optimized/step.h"\n',
    "optimized/step.h": "// header\n",
    "experiments/cli/commands.h": "void add_verify(int&);\n",
    "tests/unit/mpm/step_test.cpp": '#include "reference/mpm/step.h"\nBOOST_DATA_TEST_CASE(slides, data) {}\n',
    "tests/run.sh": "#!/usr/bin/env bash\nset -euo pipefail\ntrue\n",
    "data/errata.toml": ERRATUM,
    "data/papers/klar2016.toml": PAPER,
    "data/measured/collapse.toml": MEASURED,
}


class PlantedFaults(unittest.TestCase):
    def findings(self, name: str, changes: dict[str, str | None]) -> list[str]:
        """What a check says of the clean tree with some files replaced, added, or (None) removed."""
        with tempfile.TemporaryDirectory() as folder:
            for path, text in {**CLEAN, **changes}.items():
                if text is not None:
                    file = Path(folder) / path
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_text(text, encoding="utf-8")
            return importlib.import_module(f"checks.{name}").check(Path(folder))

    def assert_found(self, name: str, changes: dict[str, str | None], *parts: str) -> None:
        findings = self.findings(name, changes)
        self.assertEqual(len(findings), 1, findings)
        for part in parts:
            self.assertIn(part, findings[0])

    def test_the_clean_tree_passes_every_check(self) -> None:
        for path in (Path(__file__).parent / "checks").glob("*.py"):
            if path.stem not in ("__init__", "tree"):
                self.assertEqual(self.findings(path.stem, {}), [], path.stem)

    def test_includes(self) -> None:
        physics = {"reference/physics/law.h": "// law\n"}
        law = '#include "reference/physics/law.h"\n'
        for path in ("reference/interface/a.h", "optimized/a.cpp", "validation/crosscheck/a.cpp", "experiments/run/a.cpp"):
            self.assert_found("includes", {**physics, path: law}, path, "not open")
        for path in ("reference/mpm/a.h", "validation/exact/a.cpp", "validation/faults/a.cpp", "validation/solvers.cpp",
                     "experiments/benchmarks/a.cpp", "tests/unit/mpm/a_test.cpp"):  # fmt: skip
            self.assertEqual(self.findings("includes", {**physics, path: law}), [], path)
        self.assert_found("includes", {"optimized/a.cpp": "#include <map>\n" + law, **physics}, "optimized/a.cpp:2")
        self.assert_found("includes", {"reference/mpm/a.h": '#include "step.h"\n'}, "spelled from the root")
        self.assert_found("includes", {"reference/mpm/a.h": '#include "reference/mpm/gone.h"\n'}, "does not exist")
        self.assert_found("includes", {"reference/mpm/a.h": "#include <reference/mpm/step.h>\n"}, "quotes")
        self.assert_found("includes", {"reference/mpm/a.h": '#include "optimized/step.h"\n'}, "not open")

        self.assert_found("includes", {"experiments/run/a.h": '#include "experiments/klar2016/b.h"\n', "experiments/klar2016/b.h": ""}, "not open")
        machine = {"reference/mpm/a.h": '#include "reference/solver/machine.h"\n', "reference/solver/machine.h": ""}
        self.assertEqual(self.findings("includes", machine), [])
        self.assert_found("includes", {"reference/mpm/a.h": "", "reference/solver/machine.h": '#include "reference/mpm/a.h"\n'}, "not open")
        other = {"reference/mixture/a.h": '#include "reference/mpm/b.h"\n', "reference/mpm/b.h": ""}
        self.assertEqual(self.findings("includes", other), [])
        self.assert_found("includes", {"reference/mixture/a.h": "", "reference/mpm/b.h": '#include "reference/mixture/a.h"\n'}, "not open")

        there = {"experiments/run/a.h": '#include "experiments/bench/b.h"\n', "experiments/bench/b.h": '#include "experiments/figures/c.h"\n'}
        self.assertEqual(self.findings("includes", {**there, "experiments/figures/c.h": "\n"}), [])
        self.assertEqual(len(self.findings("includes", {**there, "experiments/figures/c.h": '#include "experiments/run/a.h"\n'})), 3)

        template = {"optimized/info.h.in": "@A@\n", "optimized/a.cpp": '#include "info.h"\n'}
        self.assertEqual(self.findings("includes", template), [])

        own = {"validation/crosscheck/mpm/judge.h": '#include "validation/crosscheck/judge.h"\n', "validation/crosscheck/judge.h": "\n"}
        asked = '#include "validation/crosscheck/mpm/judge.h"\n'
        self.assertEqual(self.findings("includes", {**own, "validation/methods.cpp": asked}), [])
        for path in ("validation/crosscheck/a.cpp", "validation/faults/a.cpp"):
            self.assert_found("includes", {**own, path: asked}, path, "ask validation/methods.h")
        own = {"experiments/bench/mpm/block.h": '#include "experiments/bench/block.h"\n', "experiments/bench/block.h": "\n"}
        asked = '#include "experiments/bench/mpm/block.h"\n'
        self.assertEqual(self.findings("includes", {**own, "experiments/bench/blocks.cpp": asked}), [])
        for path in ("experiments/bench/a.cpp", "experiments/report/a.cpp", "experiments/cli/a.cpp"):
            self.assert_found("includes", {**own, path: asked}, path, "ask experiments/bench/block.h")

    def test_methods(self) -> None:
        table = """namespace repose {

namespace field {
inline constexpr std::string_view spin = "spin";  ///< of a grain
}  // namespace field

namespace counter {
enum Grain : std::size_t {
  turns,
  hits  ///< of two grains
};
}  // namespace counter

enum class Rolling : unsigned char { on, off };
struct GrainOptions {
  int most = 1;
};
inline const GrainOptions& grain_options(const Scene& scene) { return scene.scheme.as<GrainOptions>(); }

}  // namespace repose
"""
        grain = {"reference/interface/methods/grain.h": table, "reference/interface/methods/grain.cpp": "\n"}
        for name in ("field::spin", "counter::turns", "counter::hits", "Rolling::on", "GrainOptions", "grain_options(scene).most"):
            used = f"int a = f({name});\n"
            self.assert_found("methods", {**grain, "experiments/run/a.cpp": used}, "experiments/run/a.cpp:1", "of the method grain")
            for path in ("validation/crosscheck/grain/a.cpp", "reference/grain/a.cpp", "validation/metrics/a.cpp", "optimized/a.cpp"):
                self.assertEqual(self.findings("methods", {**grain, path: used}), [], path)
        self.assertEqual(self.findings("methods", {**grain, "experiments/run/a.cpp": "int a = f(field::mass, field::spinning);\n"}), [])
        # Whose steps are made of another's names its parts, and nobody the other way round.
        both = {"reference/interface/methods/mpm.h": table, "reference/interface/methods/mpm.cpp": "\n",
                "reference/interface/methods/mixture.h": table.replace("spin", "drag").replace("Grain", "Mixture"),
                "reference/interface/methods/mixture.cpp": "\n"}
        self.assertEqual(self.findings("methods", {**both, "reference/mixture/a.cpp": "int a = f(field::spin);\n"}), [])
        self.assert_found("methods", {**both, "reference/mpm/a.cpp": "int a = f(field::drag);\n"}, "reference/mpm/a.cpp:1", "of the method mixture")

    def test_citations(self) -> None:
        header = "optimized/step.h"
        self.assert_found("citations", {header: "// [Klar17 Eq.2]\n"}, "Klar17", "not in")
        self.assert_found("citations", {header: "\n/// see [Klar16 equation 2]\n"}, f"{header}:2", "write places")
        self.assert_found("citations", {"README.md": "[Mast14 §2]\n"}, "Mast14")
        self.assertEqual(self.findings("citations", {header: "int a = array[Klar17];\n"}), [])
        self.assertEqual(self.findings("citations", {header: "// [Klar16 §7.1 case II] [Klar16 Fig.7, Table 2]\n"}), [])
        self.assertEqual(self.findings("citations", {header: "// [Klar16 §7.1, 7.3; Klar16; ERRATA K10, K11]\n"}), [])
        self.assert_found("citations", {header: "// [Klar16 §7.1; Tam18 §2]\n"}, "Tam18")
        self.assert_found("citations", {header: "// [Klar16 §7.1; ERRATA X1]\n"}, "write places")

    def test_format(self) -> None:
        self.assert_found("format", {"optimized/step.h": "int  a;\nint b ;\n"}, "optimized/step.h:1", "2 places")

    def test_notation(self) -> None:
        table = CLEAN["reference/NOTATION.md"]
        self.assert_found("notation", {"reference/NOTATION.md": table.replace("`mu`", "`shear`")}, "shear")
        self.assert_found("notation", {"reference/NOTATION.md": table.replace("`mu`", "`m`")}, "name m")
        self.assert_found("notation", {"reference/NOTATION.md": table.replace("materials.h", "moduli.h")}, "does not exist")
        self.assert_found("notation", {"reference/NOTATION.md": table.replace("| Pa ", "")}, "5 cells")

    def test_layout(self) -> None:
        self.assert_found("layout", {"notes.txt": "x\n"}, "notes.txt")
        self.assert_found("layout", {"LICENSE": None}, "LICENSE", "missing")
        self.assert_found("layout", {"tests/unit/fluids/a_test.cpp": "\n"}, "mirror")
        self.assert_found("layout", {"tests/unit/mpm/step_tests.cpp": "\n"}, "*_test.cpp")

    def test_wording(self) -> None:
        for text, said in {"// TO" "DO: later": "finish", "// FIX" "ME": "finish", 'open("/ro' 'ot/a")': "one machine",
                           "see /wo" "rk/main": "one machine", "fixes iss" "ue #12": "say what is meant",
                           "https:" "//registry.example.com/x": "registry.example.com"}.items():  # fmt: skip
            self.assert_found("wording", {"optimized/step.h": f"\n{text}\n"}, "optimized/step.h:2", said)

    def test_length(self) -> None:
        self.assertEqual(self.findings("length", {"optimized/step.h": "//\n" * 400}), [])
        self.assert_found("length", {"optimized/step.h": "//\n" * 401}, "401 lines")
        self.assertEqual(self.findings("length", {"data/a.py": "#\n" * 401}), [])

    def test_readme(self) -> None:
        readme = CLEAN["README.md"]
        self.assert_found("readme", {"README.md": readme.replace("tests/run.sh", "tests/all.sh")}, "tests/all.sh")
        self.assert_found("readme", {"README.md": readme.replace("verify", "prove")}, "no command prove")
        self.assert_found("readme", {"README.md": readme.replace("(LICENSE)", "(LICENCE)")}, "LICENCE")
        self.assert_found("readme", {"README.md": "```sh\ncmake --preset fast\n```\n"}, "no preset fast")
        self.assert_found("readme", {"README.md": None}, "missing")

    def test_scripts(self) -> None:
        script = CLEAN["tests/run.sh"]
        self.assert_found("scripts", {"tests/run.sh": script + "if true; then\n"}, "tests/run.sh", "syntax error")
        self.assert_found("scripts", {".ci/run": script.replace("set -euo pipefail\n", "")}, "set -euo pipefail")
        self.assert_found("scripts", {"tests/run.sh": script.replace("env bash", "env sh")}, "does not begin")

    def test_outcomes(self) -> None:
        path = "experiments/outcomes.toml"
        for table in ("README.md", "experiments/INDEX.md"):
            self.assert_found("outcomes", {table: CLEAN[table].replace("holds;", "holds,")}, table, "fig13_pile")
            self.assert_found("outcomes", {table: CLEAN[table].replace("| klar2016/fig13_pile", "| klar2016/fig14_pile")}, table, "None")
        for old, new in (('"held"', '"perhaps"'), ('"0123abc"', '"now"'), ("2026-01-31", "today"), ('"desk"', '"large"'),
                         ('note = ""\n', ""), (", sanity = 2", ""), ("pass = 3", "pass = 0")):  # fmt: skip
            self.assert_found("outcomes", {path: OUTCOME.replace(old, new)}, path, "fig13_pile")
        self.assert_found("outcomes", {path: OUTCOME + OUTCOME}, "twice")
        self.assert_found("outcomes", {path: "[[outcome]\n"}, path)
        self.assert_found("outcomes", {path: None}, "missing")
        numbers = "experiments/smoke.toml"
        for old, new in (("fig13_pile", "fig14_pile"), ('"pass"', '"passed"'), (", width = 0.25", ""), ("0.25", "-1"), ("0.25", "inf"),
                         ("1.5", '"1.5"'), ('"seconds"', '"height"'), ("clock = true", "clock = true, value = 1.0, width = 0.0")):  # fmt: skip
            self.assert_found("outcomes", {numbers: NUMBERS.replace(old, new)}, numbers, "klar2016/fig1")
        self.assert_found("outcomes", {numbers: NUMBERS + NUMBERS}, numbers, "twice")
        self.assert_found("outcomes", {numbers: "[[figure]\n"}, numbers)
        self.assert_found("outcomes", {numbers: "# nothing\n"}, numbers, "no figure")
        self.assert_found("outcomes", {numbers: None}, numbers, "missing")

    def test_errata(self) -> None:
        path = "data/errata.toml"
        untested = {path: ERRATUM.replace('tests = ["mpm/step_test.cpp: slides"]\n', "")}
        self.assert_found("errata", untested, "K1", "names no test")
        self.assertEqual(self.findings("errata", {**untested, "reference/mpm/step.h": None}), [])
        self.assert_found("errata", {"reference/mpm/step.h": None}, "matches no file")
        self.assert_found("errata", {path: ERRATUM.replace("slides", "slide")}, "K1", "no test case slide")
        self.assert_found("errata", {path: ERRATUM.replace("step_test.cpp", "steps_test.cpp")}, "steps_test.cpp")
        self.assert_found("errata", {path: ERRATUM.replace('"high"', '"sure"')}, "confidence")
        self.assert_found("errata", {path: ERRATUM.replace("needs_test = true", "needs_test = 1")}, "needs_test")
        self.assert_found("errata", {path: ERRATUM.replace('id = "K1"', 'id = "K2"')}, "without a gap")
        self.assert_found("errata", {path: ERRATUM.replace("'reference/mpm/.*", "'reference/sand/.*")}, "none of the rooms")
        self.assert_found("errata", {path: ERRATUM.replace('["derived"]', '["felt"]')}, "felt")
        self.assert_found("errata", {path: ERRATUM.replace('"explicit"', '"exact"')}, "part of the program")
        self.assert_found("errata", {path: ERRATUM + '[[not_given]]\npaper = "klar2016"\n'}, "not_given")
        self.assert_found("errata", {path: ERRATUM + "colour = 1\n"}, "unknown key colour")
        self.assert_found("errata", {path: ERRATUM + ERRATUM.split("\n\n", 1)[1]}, "twice")

    def test_data(self) -> None:
        paper, measured = "data/papers/klar2016.toml", "data/measured/collapse.toml"
        self.assert_found("data", {paper: PAPER.replace("venue =", "where =")}, "no venue")
        self.assert_found("data", {paper: PAPER.replace("h = 0.01", "dx = 0.01")}, "castle", "no column dx")
        self.assert_found("data", {paper: PAPER.replace("0.01", "inf")}, "not finite")
        self.assert_found("data", {paper: PAPER.replace("[{", "{[")}, paper)
        self.assert_found("data", {measured: MEASURED.replace("secondary", "heard")}, "heard")
        self.assert_found("data", {measured: MEASURED.replace(", 2.4", "")}, "different lengths")
        self.assert_found("data", {measured: MEASURED.replace('source = "s"\n', "")}, "no source")


if __name__ == "__main__":
    unittest.main()
