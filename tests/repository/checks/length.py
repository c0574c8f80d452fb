"""Files that one can read in one go: past 300 lines a file is listed, past 400 it fails."""

from pathlib import Path

from . import tree

LISTED = 300
LIMIT = 400
MEASURED = tree.SOURCE | {".py", ".sh", ".cmake"}


def check(root: Path) -> list[str]:
    findings = []
    for path in tree.files(root):
        if path.suffix not in MEASURED or path.parts[0] == "data":
            continue
        lines = tree.read(root, path).count("\n")
        if lines > LIMIT:
            findings.append(f"{path}: {lines} lines; split it (limit {LIMIT})")
        elif lines > LISTED:
            print(f"note: {path} has {lines} lines")
    return findings
