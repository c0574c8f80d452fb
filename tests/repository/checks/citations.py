"""Every [KeyNN …] tag names a known source, and a place in it, in one spelling."""

import re
from pathlib import Path

from . import tree

BIBLIOGRAPHY = Path("reference/references.bib")
TAG = re.compile(r"\[([A-Z][A-Za-z]+\d{2}[a-z]?)\b([^\][]*)\]")
NUMBER = r"\d+(?:\.\d+)*[a-z]?(?:[-–]\d+(?:\.\d+)*)?"
PLACE = rf"(?:Eq\.{NUMBER}|§{NUMBER}|Fig\.{NUMBER}|Table {NUMBER}|Algorithm {NUMBER}|{NUMBER}|supplement|p\.{NUMBER})"
PLACES = re.compile(rf"(?:[ ,]*;? ?{PLACE}(?: case (?:I{{1,3}}|s I{{1,3}}.*))?)*")


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
            for key, place in TAG.findall(line):
                if key not in keys:
                    findings.append(f"{path}:{number}: [{key}] is not in {BIBLIOGRAPHY}")
                if not PLACES.fullmatch(place):
                    findings.append(f"{path}:{number}: [{key}{place}]: write places as Eq.27, §7.1, Fig.7, Table 2")
    return findings
