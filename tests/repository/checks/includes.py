"""Who may include whom: the layers, and includes spelled from the root."""

import re
from pathlib import Path

from . import tree

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
LAYERS = ("reference", "optimized", "validation", "experiments", "tests")

THREADS = ("reference/interface/", "optimized/threads.h", "optimized/attendance.h")
STEPS = ("reference/interface/", "reference/physics/", "reference/solver/")
COMMON_ROOMS = ("reference/interface/", "validation/", "experiments/run/", "experiments/bench/", "experiments/figures/",
                "experiments/picture/", "experiments/report/")
# Lists of what stands above them: whoever asks one knows a name and nothing of what it stands for.
LISTS = ("validation/solvers.cpp", "validation/methods.cpp", "experiments/bench/blocks.cpp", "experiments/picture/looks.cpp")
# Where each method has a folder of its name, and whom files ask that may not know it: those beside it and rooms of all.
SHARED_BY_METHODS = {"validation/crosscheck": "validation/methods.h", "validation/faults": "validation/methods.h",
                     "experiments/bench": "experiments/bench/block.h", "experiments/picture": "experiments/picture/look.h"}
OF_ALL_METHODS = (*SHARED_BY_METHODS, "experiments/run", "experiments/report", "experiments/cli")

# Longest matching prefix of the including file → prefixes it may include. A file may always include its own folder's
# layer where that is listed here.
ALLOWED = {
    "reference/interface/": ("reference/interface/",),
    # Laws know no step, the machine that runs the stages of a step knows neither, and a method no other one. Where two
    # papers share a room, its row says so.
    "reference/physics/": ("reference/interface/", "reference/physics/"),
    "reference/solver/": ("reference/interface/", "reference/solver/"),
    "reference/mpm/": (*STEPS, "reference/mpm/"),
    "reference/mixture/": (*STEPS, "reference/mpm/", "reference/mixture/"),
    "reference/staggered/": (*STEPS, "reference/staggered/"),
    "reference/zhu_bridson/": (*STEPS, "reference/staggered/", "reference/zhu_bridson/"),
    "reference/narain/": (*STEPS, "reference/staggered/", "reference/narain/"),
    "optimized/": ("reference/interface/", "optimized/"),
    # What the steps stand on knows none of them, and the implicit solve not the step that it is part of.
    "optimized/layout/": (*THREADS, "optimized/layout/"),
    "optimized/simd/": (*THREADS, "optimized/layout/", "optimized/simd/"),
    "optimized/law/": (*THREADS, "optimized/simd/", "optimized/law/"),
    "optimized/nodes/": (*THREADS, "optimized/simd/", "optimized/layout/", "optimized/nodes/"),
    "optimized/implicit/": (*THREADS, "optimized/simd/", "optimized/layout/", "optimized/law/", "optimized/nodes/", "optimized/implicit/"),
    "validation/": ("reference/interface/", "validation/"),
    # The judging side's own mechanics, measures and files stand below the lock-step.
    "validation/mechanics/": ("reference/interface/", "validation/mechanics/"),
    "validation/metrics/": ("reference/interface/", "validation/mechanics/", "validation/metrics/"),
    "validation/states/": ("reference/interface/", "validation/mechanics/", "validation/states/", "validation/file_output.h", "validation/json_file.h"),
    # Names every solver.
    "validation/solvers.cpp": ("reference/", "optimized/", "validation/"),
    # May call the laws it judges.
    "validation/exact/": ("reference/", "optimized/", "validation/"),
    # Builds wrong variants of both solvers.
    "validation/faults/": ("reference/", "optimized/", "validation/"),
    "experiments/": ("reference/interface/", "validation/", "experiments/"),
    "experiments/benchmarks/": LAYERS,
    # What several programs need knows no paper's folder: figures are listed in cli.
    "experiments/run/": COMMON_ROOMS,
    "experiments/bench/": COMMON_ROOMS,
    "experiments/figures/": COMMON_ROOMS,
    "experiments/picture/": COMMON_ROOMS,
    "experiments/report/": COMMON_ROOMS,
    "tests/": LAYERS,
}


def allowed_for(path: str) -> tuple[str, ...] | None:
    matching = [prefix for prefix in ALLOWED if path.startswith(prefix)]
    return ALLOWED[max(matching, key=len)] if matching else None


def circles(edges: dict[tuple[str, str], str]) -> list[str]:
    """Folders that reach each other by includes, each with the place of one."""
    beyond = {}
    for folder, other in edges:
        beyond.setdefault(folder, set()).add(other)
    def reached(start):
        seen, todo = set(), [start]
        while todo:
            fresh = beyond.get(todo.pop(), set()) - seen
            seen |= fresh
            todo += fresh
        return seen
    return [f"{place}: {folder} includes {other}, which needs {folder} itself"
            for (folder, other), place in sorted(edges.items()) if folder in reached(other)]


def check(root: Path) -> list[str]:
    findings = []
    edges = {}
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
            folders = path.parent.as_posix(), Path(target).parent.as_posix()
            asked = SHARED_BY_METHODS.get(Path(target).parent.parent.as_posix())
            if ours and asked and folders[0] in OF_ALL_METHODS and path.as_posix() not in LISTS:
                findings.append(f'{place}: "{target}" is of one method: ask {asked}')
                continue
            if ours and path.parts[0] != "tests" and folders[0] != folders[1] and path.as_posix() not in LISTS:
                edges.setdefault(folders, place)
    return findings + circles(edges)

