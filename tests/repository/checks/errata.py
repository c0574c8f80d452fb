"""data/errata.toml is complete in form, and every reading that needs a test names tests that exist."""

import re
import tomllib
from pathlib import Path

from . import tree

ERRATA = Path("data/errata.toml")
PAPERS = {"klar2016": "K", "tampubolon2017": "T", "narain2010": "N", "zhu_bridson2005": "Z", "liu2021": "L"}
REQUIRED = {"paper": str, "id": str, "place": str, "printed": str, "adopted": str, "evidence": list,
            "reason": str, "confidence": str, "needs_test": bool, "part": str}  # fmt: skip
OPTIONAL = {"options": list, "tests": list}
EVIDENCE = {"derived", "ran", "cross", "checked", "choice", "text", "dimensions", "code read"}
# Where a part of the program may come to stand: rooms that exist or are announced.
ROOMS = ("reference/physics/", "reference/mpm/", "reference/mixture/", "reference/staggered/", "reference/narain/",
         "reference/zhu_bridson/", "experiments/klar2016/", "experiments/tampubolon2017/", "experiments/narain2010/",
         "experiments/zhu_bridson2005/", "experiments/liu2021/", r"experiments/[a-z_]+20\d\d/")  # fmt: skip
CONFIDENCE = {"high", "medium", "low"}


def check(root: Path) -> list[str]:
    if not (root / ERRATA).is_file():
        return [f"{ERRATA} is missing"]
    try:
        document = tomllib.loads(tree.read(root, ERRATA))
    except tomllib.TOMLDecodeError as error:
        return [f"{ERRATA}: {error}"]
    rows = document.get("erratum", [])
    parts = document.get("parts", {})
    findings = [f"{ERRATA}: {problem}" for problem in schema_problems(rows, parts)]
    for row in document.get("not_given", []):
        if set(row) != {"paper", "figure", "what"} or row["paper"] not in PAPERS or not all(row.values()):
            findings.append(f"{ERRATA}: [[not_given]] needs a known paper, a figure and what: {row}")
    if not findings:
        findings = untested(root, rows, parts)
    return findings


def schema_problems(rows: list[dict], parts: dict) -> list[str]:
    problems = [] if rows else ["no rows"]
    seen = set()
    for row in rows:
        name = row.get("id", "a row without id")
        problems += [f"{name}: {key} must be a {kind.__name__}" for key, kind in REQUIRED.items() if not isinstance(row.get(key), kind)]
        problems += [f"{name}: unknown key {key}" for key in row if key not in REQUIRED and key not in OPTIONAL]
        problems += [f"{name}: {key} is empty" for key in ("place", "adopted", "reason") if row.get(key) == ""]
        if name in seen:
            problems.append(f"{name}: twice")
        seen.add(name)
        letter = PAPERS.get(row.get("paper"), "?")
        if not re.fullmatch(rf"{letter}[1-9]\d*", name):
            problems.append(f"{name}: an id of {row.get('paper')} is {letter} and a number")
        problems += [f"{name}: evidence {kind!r} is not one of {sorted(EVIDENCE)}" for kind in row.get("evidence", []) if kind not in EVIDENCE]
        if row.get("confidence") not in CONFIDENCE:
            problems.append(f"{name}: confidence {row.get('confidence')!r} is not one of {sorted(CONFIDENCE)}")
        if row.get("part") not in parts:
            problems.append(f"{name}: its part of the program, {row.get('part')!r}, is not in [parts]")
    problems += [f"[parts]: {part}: '{pattern}' begins with none of the rooms ({', '.join(ROOMS)})"
                 for part, pattern in parts.items() if not pattern.startswith(ROOMS)]
    for paper, letter in PAPERS.items():
        numbers = sorted(int(name[1:]) for name in seen if re.fullmatch(rf"{letter}\d+", name))
        if numbers != list(range(1, len(numbers) + 1)):
            problems.append(f"{paper}: the ids do not run from {letter}1 without a gap")
    return problems


def untested(root: Path, rows: list[dict], parts: dict) -> list[str]:
    """Rows whose part of the program exists but that name no test, and tests that do not exist."""
    names = [path.as_posix() for path in tree.files(root)]
    built = {part for part, pattern in parts.items() if any(re.match(pattern, name) for name in names)}
    # All tests of a part are named once it exists: then its pattern must find it, or no further row's test would ever fall due.
    awaited = {row["part"] for row in rows if row["needs_test"] and not row.get("tests")}
    tested = {row["part"] for row in rows if row.get("tests")}
    findings = [f"{ERRATA}: [parts]: {part}: '{pattern}' matches no file, though all its tests are named"
                for part, pattern in parts.items() if part in tested - awaited - built]
    for row in rows:
        if row["needs_test"] and row["part"] in built and not row.get("tests"):
            findings.append(f"{row['id']} ({row['place']}): names no test")
        for test in row.get("tests", []):
            file, _, case = test.partition(": ")
            path = Path("tests/unit") / file
            cases = set()
            if (root / path).is_file():
                cases = set(re.findall(r"_TEST_CASE\w*\(\s*(\w+)", tree.read(root, path)))
            if case not in cases:
                findings.append(f"{row['id']}: {path} has no test case {case or test}")
    return findings
