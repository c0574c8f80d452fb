"""Who may include whom: the layers, and includes spelled from the root."""

import re
from pathlib import Path

from . import tree

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
LAYERS = ("reference", "optimized", "validation", "experiments", "tests")

# Longest matching prefix of the including file → prefixes it may include. A file may always include its own folder's
# layer where that is listed here.
ALLOWED = {
    "reference/interface/": ("reference/interface/",),
    "reference/": ("reference/",),
    "optimized/": ("reference/interface/", "optimized/"),
    "validation/": ("reference/interface/", "validation/"),
    # Names every solver.
    "validation/solvers.cpp": ("reference/", "optimized/", "validation/"),
    # May call the laws it judges.
    "validation/exact/": ("reference/", "optimized/", "validation/"),
    # Builds wrong variants of both solvers.
    "validation/faults/": ("reference/", "optimized/", "validation/"),
    "experiments/": ("reference/interface/", "validation/", "experiments/"),
    "experiments/benchmarks/": LAYERS,
    "tests/": LAYERS,
}


def allowed_for(path: str) -> tuple[str, ...] | None:
    matching = [prefix for prefix in ALLOWED if path.startswith(prefix)]
    return ALLOWED[max(matching, key=len)] if matching else None


def check(root: Path) -> list[str]:
    findings = []
    # Headers that CMake writes from a template NAME.in beside the source.
    written_by_cmake = {path.as_posix().removesuffix(".in") for path in tree.files(root) if path.suffix == ".in"}
    for path in tree.sources(root):
        allowed = allowed_for(path.as_posix())
        if allowed is None:
            findings.append(f"{path}: a source outside the layers")
            continue
        text = tree.read(root, path)
        for match in INCLUDE.finditer(text):
            quote, target = match.groups()
            place = f"{path}:{text.count(chr(10), 0, match.start()) + 1}"
            ours = target.startswith(tuple(f"{layer}/" for layer in LAYERS))
            if quote == '"' and (path.parent / target).as_posix() in written_by_cmake:
                continue
            if quote == '"' and not ours:
                findings.append(f'{place}: "{target}" is not spelled from the root')
            elif ours and quote == "<":
                findings.append(f"{place}: <{target}> is ours: use quotes")
            elif ours and not (root / target).is_file():
                findings.append(f'{place}: "{target}" does not exist')
            elif ours and not target.startswith(allowed):
                findings.append(f'{place}: "{target}" is not open to this layer (open: {", ".join(allowed)})')
    return findings

