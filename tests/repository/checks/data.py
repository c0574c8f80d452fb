"""The data files parse, say where they come from, and keep to their form."""

import math
import tomllib
from pathlib import Path

from . import tree

STATUS = {
    "read",       # in the source named
    "secondary",  # quoted by another document; the source itself was not reachable
    "derived",    # for this project, and checked numerically
    "memory",     # a pointer only: never decides a verdict
}


def check(root: Path) -> list[str]:
    findings = []
    for path in tree.files(root):
        if path.parts[0] != "data" or path.suffix != ".toml":
            continue
        try:
            document = tomllib.loads(tree.read(root, path))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            findings.append(f"{path}: {error}")
            continue
        if path.parts[1] == "papers":
            findings += [f"{path}: {problem}" for problem in paper_problems(document)]
        if path.parts[1] == "measured":
            findings += [f"{path}: {problem}" for problem in measured_problems(document)]
        findings += [f"{path}: {name} is not finite" for name in not_finite(document, "")]
    return findings


def paper_problems(document: dict) -> list[str]:
    problems = [f"no {key}" for key in ("key", "title", "authors", "year", "venue", "table") if key not in document]
    for table in document.get("table", []):
        name = table.get("id", "a table without id")
        problems += [f"{name}: no {key}" for key in ("id", "place", "columns", "rows") if key not in table]
        columns = table.get("columns", {})
        problems += [f"{name}: column {key} has no unit or meaning" for key, text in columns.items() if not text]
        for row in table.get("rows", []):
            problems += [f"{name}: {row.get('name', '?')}: no column {key} is declared" for key in row if key not in columns]
    return problems


def measured_problems(document: dict) -> list[str]:
    problems = [f"no {key}" for key in ("title", "entry") if key not in document]
    for entry in document.get("entry", []):
        name = entry.get("id", "an entry without id")
        problems += [f"{name}: no {key}" for key in ("id", "source", "status", "quantity") if not entry.get(key)]
        if entry.get("status") not in STATUS:
            problems.append(f"{name}: status {entry.get('status')!r} is not one of {sorted(STATUS)}")
        lengths = {key: len(value) for key, value in entry.get("series", {}).items()}
        if len(set(lengths.values())) > 1:
            problems.append(f"{name}: series of different lengths {lengths}")
    return problems


def not_finite(value: object, name: str) -> list[str]:
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in not_finite(item, f"{name}.{key}")]
    if isinstance(value, list):
        return [found for n, item in enumerate(value) for found in not_finite(item, f"{name}[{n}]")]
    return [name] if isinstance(value, float) and not math.isfinite(value) else []
