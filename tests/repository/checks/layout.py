"""The top level holds what the layout names and nothing else; no folder is empty of meaning."""

from pathlib import Path

from . import tree

TOP = {
    "CMakeLists.txt", "reference", "optimized", "validation", "experiments", "data", "tests", "README.md",
    # What tools demand.
    "CMakePresets.json", ".clang-format", ".clang-tidy", ".ci", ".gitignore", "LICENSE",
}  # fmt: skip
UNIT_FOLDERS = {"interface", "physics", "solver", "mpm", "mixture", "narain", "zhu_bridson", "optimized", "validation", "experiments"}


def check(root: Path) -> list[str]:
    findings = []
    present = {path.parts[0] for path in tree.files(root)}
    findings += [f"{name}: not a part of the top level" for name in sorted(present - TOP)]
    findings += [f"{name}: missing from the top level" for name in sorted(TOP - present)]
    for path in tree.files(root):
        if path.parts[:2] == ("tests", "unit") and len(path.parts) > 3 and path.parts[2] not in UNIT_FOLDERS:
            findings.append(f"{path}: unit tests mirror the source tree ({', '.join(sorted(UNIT_FOLDERS))})")
        if path.parts[:2] == ("tests", "unit") and len(path.parts) > 3 and path.suffix == ".cpp":
            if not path.stem.endswith("_test") and not (root / path).with_suffix(".h").is_file():
                findings.append(f"{path}: a unit test is called *_test.cpp; other sources here are not built")
    return findings
