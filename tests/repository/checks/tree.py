"""What all checks share: the files of the tree, and the comments in a source."""

import re
import subprocess
from pathlib import Path

SOURCE = {".h", ".cpp"}
TEXT = SOURCE | {".py", ".sh", ".md", ".toml", ".txt", ".json", ".bib", ".cmake", ""}


def files(root: Path) -> list[Path]:
    """All files of the tree, ignored ones left out; relative to the root, sorted."""
    if (root / ".git").exists():
        command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
        found = {Path(name) for name in names if name and (root / name).is_file()}
    else:
        found = {path.relative_to(root) for path in root.rglob("*") if path.is_file()}
    return sorted(found)


def sources(root: Path) -> list[Path]:
    return [path for path in files(root) if path.suffix in SOURCE]


def read(root: Path, path: Path) -> str:
    return (root / path).read_text(encoding="utf-8")


def is_text(path: Path) -> bool:
    return path.suffix in TEXT or path.name == "CMakeLists.txt"


def comments(text: str) -> list[tuple[int, str]]:
    """(line number, comment) of a C++ source. A // or /* inside a string literal is not a comment."""
    pattern = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
    found = []
    for match in pattern.finditer(text):
        if match.group().startswith('"'):
            continue
        first = text.count("\n", 0, match.start()) + 1
        found += [(first + n, line) for n, line in enumerate(match.group().split("\n"))]
    return found
