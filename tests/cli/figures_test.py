"""Every figure runs at its smallest preset, its files say what they must, and the report shows all of them."""

import json
import pathlib
import re
import struct
import subprocess
import sys

import program
from program import ProgramTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "experiments" / "figures"))
import kept_numbers  # noqa: E402

# A figure's failed claim is a result (1), so is one that cannot be judged (3): which it is, its kept numbers say.
RESULTS = (0, 1, 3)
KINDS = {"paper claim", "closed form", "measured", "regression", "sanity"}
VERDICTS = {"pass", "fail", "undecided"}


def png_size(data):
    """Width and height from a PNG's header, or None."""
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        return None
    return struct.unpack(">II", data[16:24])


class Figures(ProgramTest):
    def listed(self):
        return json.loads(self.run_program("list", "--json").out)["figures"]

    def check_result(self, figure, folder, code):
        result = json.loads((folder / "result.json").read_text())
        self.assertEqual(result["figure"], figure)
        self.assertEqual(result["preset"], "smoke")
        numbers = result["numbers"]
        self.assertGreater(len(numbers), 0)
        self.assertEqual(len({n["name"] for n in numbers}), len(numbers), "a name occurs twice")
        for number in numbers:
            self.assertIn(number["kind"], KINDS, number)
            self.assertIn(number["verdict"], VERDICTS, number)
            for key in ("name", "unit", "expected", "source"):
                self.assertTrue(number[key], f"{figure}: {number['name']} has no {key}")
            if number["undecided_because"]:
                self.assertEqual(number["verdict"], "undecided", number)
            if number["verdict"] == "pass":
                self.assertIsInstance(number["value"], (int, float), f"{number['name']} passes without a value")
        fails = any(n["verdict"] == "fail" for n in numbers)
        passes = any(n["verdict"] == "pass" and n["kind"] != "sanity" for n in numbers)
        self.assertEqual(code, 1 if fails else 0 if passes else 3)
        self.assertTrue((folder / "metrics.csv").read_text().count("\n") > 1)
        self.assertFalse([n for n in result["notes"] if n.startswith("no plots")], result["notes"])
        for picture in result["pictures"]:
            width, height = png_size((folder / picture["file"]).read_bytes())
            self.assertGreater(min(width, height), 100, picture["file"])
            self.assertTrue(picture["caption"] and picture["alt"])
        return result

    def claim(self, result):
        """What became of a figure's claim, as the README of the figures says it is decided."""
        numbers = result["numbers"]
        if any(n["verdict"] == "fail" for n in numbers if n["kind"] == "sanity"):
            return "undecided"
        asked = [n for n in numbers if n["decides_claim"] and n["kind"] != "sanity"]
        if any(n["verdict"] == "fail" for n in asked):
            return "not held"
        if any(n["undecided_because"] for n in asked) or not any(n["verdict"] == "pass" for n in asked):
            return "undecided"
        return "held"

    def test_figures_and_their_report(self):
        figures = self.listed()
        self.assertGreaterEqual({f["id"] for f in figures if f["starred"]},
                                {"klar2016/fig10_youngs_modulus", "klar2016/fig13_friction_angle",
                                 "klar2016/fig17_apic_vs_flip"})
        out = self.folder / "out"
        kept = kept_numbers.load()
        shown = []
        for figure in figures:
            if figure["id"] == "klar2016/table2_performance":  # times steps: not for a machine under test
                continue
            folder = out / figure["id"]
            process = self.run_program("reproduce", figure["id"], "--preset", "smoke", "--out", out, expect=RESULTS,
                                       timeout=240)
            result = self.check_result(figure["id"], folder, process.returncode)
            with self.subTest("as kept in experiments/smoke.toml", figure=figure["id"]):
                self.assertEqual(kept_numbers.differences(result, kept.pop(figure["id"], {})), [])
            if figure["id"] == "klar2016/fig13_friction_angle":
                self.assertGreaterEqual(len(result["numbers"]), 8)
            self.run_program("run", folder / "run.toml", "--frames", 1, "--out", self.folder / "again" / figure["id"],
                             "--states", "none", "--quiet")
            shown.append(result)

        self.assertEqual(kept, {}, "figures that are kept but gone")
        # What run.sh asks.
        kept_numbers_py = [sys.executable, "-B", kept_numbers.__file__, str(out)]
        self.assertEqual(subprocess.run(kept_numbers_py, capture_output=True, text=True).stdout, "")

        lines = self.run_program("report", out).out.splitlines()
        claims = [self.claim(result) for result in shown]
        self.assertEqual(lines[-1], "claims: " + ", ".join(f"{claims.count(c)} {c}" for c in ("held", "not held", "undecided")))
        for result, line in zip(sorted(shown, key=lambda result: result["figure"]), lines):
            self.assertTrue(line.startswith(f"{result['figure']} at smoke (this run): "), line)
            self.assertIn(" At desk (kept from ", line)
        page = (out / "report.html").read_text()
        for result in shown:
            self.assertIn(result["title"], page)
            for number in result["numbers"]:
                self.assertIn(number["name"], page)
        pictures = sum(len(result["pictures"]) for result in shown)
        self.assertEqual(len(re.findall(r'<img [^>]*src="data:image/png;base64,', page)), pictures)
        # One file: nothing is fetched.
        self.assertEqual(re.findall(r'(?:src|href)="(?!data:|#)[^"]*"', page), [])


if __name__ == "__main__":
    program.main()
