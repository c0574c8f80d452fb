"""The kept outcomes and numbers of the figures are complete in form, and README and index say the same."""

import re
import tomllib
from pathlib import Path

from . import tree

OUTCOMES = Path("experiments/outcomes.toml")
NUMBERS = Path("experiments/smoke.toml")
TABLES = (Path("README.md"), Path("experiments/INDEX.md"))
REQUIRED = {"figure": r"[a-z0-9]+/\w+", "preset": "smoke|desk|paper", "claim": "held|not held|undecided", "words": r"\S.*",
            "revision": "[0-9a-f]{7,40}", "date": r"\d{4}-\d\d-\d\d", "note": r".*"}  # fmt: skip
VERDICTS = {"pass", "fail", "undecided", "sanity"}


def check(root: Path) -> list[str]:
    if not (root / OUTCOMES).is_file():
        return [f"{OUTCOMES} is missing"]
    try:
        rows = tomllib.loads(tree.read(root, OUTCOMES)).get("outcome", [])
    except tomllib.TOMLDecodeError as error:
        return [f"{OUTCOMES}: {error}"]
    findings = []
    seen = {}
    for row in rows:
        name = row.get("figure", "a row without figure")
        findings += [f"{OUTCOMES}: {name}: {key} {row.get(key)!r} is not {form}" for key, form in REQUIRED.items()
                     if not isinstance(row.get(key), str) or not re.fullmatch(form, row[key])]  # fmt: skip
        numbers = row.get("numbers", {})
        if set(numbers) != VERDICTS or not all(isinstance(count, int) for count in numbers.values()):
            findings.append(f"{OUTCOMES}: {name}: numbers counts {sorted(VERDICTS)}")
        elif row.get("claim") == "held" and numbers["pass"] == 0:
            findings.append(f"{OUTCOMES}: {name}: held, and no number passes")
        if name in seen:
            findings.append(f"{OUTCOMES}: {name}: twice")
        seen[name] = row.get("words")
    for table in TABLES:
        stated = statuses(root, table)
        findings += [f"{table}: {name}: status {stated.get(name)!r} is not what is kept, {words!r}"
                     for name, words in seen.items() if stated.get(name) != words]  # fmt: skip
    return findings + numbers_at_smoke(root, set(seen))


def numbers_at_smoke(root: Path, figures: set[str]) -> list[str]:
    """What is wrong with the numbers kept at smoke. @param figures whose outcomes are kept"""
    if not (root / NUMBERS).is_file():
        return [f"{NUMBERS} is missing"]
    try:
        rows = tomllib.loads(tree.read(root, NUMBERS)).get("figure", [])
    except tomllib.TOMLDecodeError as error:
        return [f"{NUMBERS}: {error}"]
    findings = [f"{NUMBERS}: no figure"] if not rows else []
    ids = [row.get("id") for row in rows]
    findings += [f"{NUMBERS}: {name}: twice" for name in sorted(set(ids)) if ids.count(name) > 1]
    for row in rows:
        name = row.get("id")
        if name not in figures:
            findings.append(f"{NUMBERS}: {name}: no outcome of it is kept in {OUTCOMES}")
        names = [number.get("name") for number in row.get("number", [])]
        if not names or len(set(names)) < len(names):
            findings.append(f"{NUMBERS}: {name}: no number, or one twice")
        for number in row.get("number", []):
            has_value = "value" in number
            width = number.get("width", 0.0)
            if (number.get("verdict") not in VERDICTS - {"sanity"} or has_value != ("width" in number)
                    or ("of" in number) != ("of_width" in number)
                    or not isinstance(width, (int, float)) or not 0 <= width < float("inf")
                    or not isinstance(number.get("value", 0.0), (int, float)) or has_value and number.get("clock")):  # fmt: skip
                findings.append(f"{NUMBERS}: {name}: {number.get('name')}: a verdict, and a value with its width or a clock")
    return findings


def statuses(root: Path, file: Path) -> dict[str, str]:
    """Last cell of every row of a Markdown table whose first cell is the id of a figure."""
    if not (root / file).is_file():
        return {}
    rows = re.findall(r"^\| (\w+/\w+) \|.*\| ([^|]*) \|$", tree.read(root, file), re.MULTILINE)
    return {name: status.strip() for name, status in rows}
