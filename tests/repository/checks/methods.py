"""What differs between methods stands in folders and files named after them: nothing else names their parts."""

import re
from pathlib import Path

from . import tree

TABLES = "reference/interface/methods"
# What solvers are made of, papers' figures and tests are of one method by their nature.
OF_A_METHOD = ("reference/physics/", "optimized/", "experiments/klar2016/", "experiments/tampubolon2017/", "experiments/liu2021/", "experiments/measured/",
               "tests/")
# Prefix of a path → why what stands there names parts of a method.
EXCEPTIONS = {
    "validation/invariants/": "second ways of what scenes, samples and states of sand hold, by the names that they have there",
    "validation/mechanics/": "the judging side's own stencils and strains, of material points",
    "validation/metrics/": "measures of sand, which fields of material points carry",
    "experiments/benchmarks/": "kernels and steps of material points",
}
# A method → those whose steps are made of its own, and which name its parts.
MAKES_UP = {"mpm": ("mixture",)}
BLOCK = re.compile(r"^namespace (\w+) \{\n((?:(?!namespace ).*\n)*?)\}  // namespace \1", re.MULTILINE)


def parts(root: Path) -> dict[str, set[str]]:
    """Names that a method's headers declare, as other files write them, by method."""
    found = {}
    headers = [path for path in tree.sources(root) if path.parent.as_posix() == TABLES and path.suffix == ".h"]
    methods = {path.stem for path in headers if path.with_suffix(".cpp") in set(tree.sources(root))} - {"all"}
    methods = {name for name in methods if not any(name.startswith(f"{other}_") for other in methods)}
    for path in headers:
        owner = next((name for name in methods if path.stem == name or path.stem.startswith(f"{name}_")), None)
        if owner is None:
            continue
        text = tree.read(root, path)
        names = found.setdefault(owner, set())
        for space, body in BLOCK.findall(text):
            names |= {f"{space}::{name}" for name in re.findall(r"constexpr (?:Boundary|std::string_view) (\w+)", body)}
            for rows in re.findall(r"^enum \w+ : std::size_t \{(.*?)^\};", body, re.MULTILINE | re.DOTALL):
                names |= {f"{space}::{name}" for name in re.findall(r"^ +(\w+),? *(?://.*)?$", rows, re.MULTILINE)}
        names |= {f"{name}::" for name in re.findall(r"^enum class (\w+)", text, re.MULTILINE)}
        names |= set(re.findall(r"^struct (\w+Options) ", text, re.MULTILINE))
        names |= {f"{name}(" for name in re.findall(rf"^(?:inline )?(?:const )?[\w:]+&? ({owner}_\w+)\(", text, re.MULTILINE)}
    return found


def check(root: Path) -> list[str]:
    findings = []
    owned = parts(root)
    for path in tree.sources(root):
        place = path.as_posix()
        if place.startswith((*OF_A_METHOD, *EXCEPTIONS)):
            continue
        text = tree.read(root, path)
        for method, names in sorted(owned.items()):
            if re.search(rf"(?:^|/)(?:{'|'.join((method, *MAKES_UP.get(method, ())))})(?:[/_.]|$)", place):
                continue
            for name in sorted(names):
                match = re.search(rf"\b{re.escape(name)}(?![\w])" if name[-1] not in ":(" else rf"\b{re.escape(name)}", text)
                if match:
                    line = text.count("\n", 0, match.start()) + 1
                    findings.append(f"{place}:{line}: {name} is of the method {method}: ask its table, or stand in a folder of its name")
    return findings
