"""Every symbol of reference/NOTATION.md is found, under its name, in the header it points to."""

import re
from pathlib import Path

from . import tree

NOTATION = Path("reference/NOTATION.md")
COLUMNS = ["symbol", "name", "unit", "meaning", "paper", "where"]


def rows(text: str) -> list[tuple[int, list[str]]]:
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("|"):
            found.append((number, [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("| "))]))
    return found


def check(root: Path) -> list[str]:
    if not (root / NOTATION).is_file():
        return [f"{NOTATION} is missing"]
    findings = []
    table = [row for row in rows(tree.read(root, NOTATION)) if not set("".join(row[1])) <= set("-: ")]
    bodies = [(number, cells) for number, cells in table if cells != COLUMNS]
    if len(bodies) == len(table):
        findings.append(f"{NOTATION}: no table with the columns {' | '.join(COLUMNS)}")
    for number, cells in bodies:
        place = f"{NOTATION}:{number}"
        if len(cells) != len(COLUMNS):
            findings.append(f"{place}: {len(cells)} cells instead of {len(COLUMNS)}")
            continue
        row = dict(zip(COLUMNS, cells))
        for header in re.findall(r"[\w./]+\.(?:h|cpp)\b", row["where"]):
            if not (root / header).is_file():
                findings.append(f"{place}: {header} does not exist")
                continue
            text = tree.read(root, Path(header))
            for name in re.findall(r"[A-Za-z_]\w*", row["name"]):
                if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
                    findings.append(f"{place}: {header} does not know the name {name}")
    return findings
