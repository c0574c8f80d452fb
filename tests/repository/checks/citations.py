"""Every [KeyNN …] tag names known sources, and places in them, in one spelling.

    [Klar16 Eq.27]   [Klar16 §7.1 case II, Fig.7]   [Klar16 §7.1; Tam17 §4.3.4]   [Klar16 §8; ERRATA K10, K11]
"""

import re
from pathlib import Path

from . import tree

BIBLIOGRAPHY = Path("reference/references.bib")
TAG = re.compile(r"\[([A-Z][A-Za-z]+\d{2}[a-z]?\b[^\][]*)\]")
NUMBER = r"\d+(?:\.\d+)*[a-z]?(?:[-–]\d+(?:\.\d+)*)?"
PLACE = rf"(?:Eq\.{NUMBER}|§{NUMBER}|Fig\.{NUMBER}|Table {NUMBER}|Algorithm {NUMBER}|{NUMBER}|supplement|p\.{NUMBER})"
ONE = rf"{PLACE}(?: cases? [IV]+(?:(?:, | and )[IV]+)*)?"
PIECE = re.compile(rf"(?:(?P<key>[A-Z][A-Za-z]+\d{{2}}[a-z]?)(?: |$))?(?:{ONE}(?:, {ONE})*)?")
READING = re.compile(r"ERRATA [KTNZL]\d+(?:, [KTNZL]\d+)*")


def check(root: Path) -> list[str]:
    if not (root / BIBLIOGRAPHY).is_file():
        return [f"{BIBLIOGRAPHY} is missing"]
    keys = set(re.findall(r"^\s*@\w+\{\s*([^,\s]+)\s*,", tree.read(root, BIBLIOGRAPHY), re.MULTILINE))
    findings = []
    for path in tree.files(root):
        if path.suffix not in tree.SOURCE | {".md", ".toml"}:
            continue
        text = tree.read(root, path)
        lines = tree.comments(text) if path.suffix in tree.SOURCE else enumerate(text.split("\n"), 1)
        for number, line in lines:
            for tag in TAG.findall(line):
                findings += [f"{path}:{number}: [{tag}]: {problem}" for problem in problems(tag, keys)]
    return findings


def problems(tag: str, keys: set[str]) -> list[str]:
    found = []
    for piece in tag.split("; "):
        if READING.fullmatch(piece):
            continue
        match = PIECE.fullmatch(piece)
        if match is None:
            found.append("write places as Eq.27, §7.1, Fig.7, Table 2, readings as ERRATA K10")
        elif match["key"] and match["key"] not in keys:
            found.append(f"{match['key']} is not in {BIBLIOGRAPHY}")
    return found
