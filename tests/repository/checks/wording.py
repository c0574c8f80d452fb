"""Words that do not belong in a finished tree: notes to self, paths of one machine, foreign hosts."""

import re
from pathlib import Path

from . import tree

# Written in pieces, so that this file does not find itself.
NOTES = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"]) + r")\b")
MACHINE_PATH = re.compile(r"(?<![\w.}$/:-])/(?:" + "|".join(["ro" + "ot", "ho" + "me", "wo" + "rk", "tm" + "p", "mn" + "t"]) + r")/")
TRACKER = re.compile(r"\bissues?\s+#?\d+\b", re.IGNORECASE)
URL = re.compile(r"https?://([\w.-]+)")
HOSTS = {"www.apache.org", "doi.org", "dx.doi.org", "www.w3.org", "arxiv.org", "toml.io"}


def check(root: Path) -> list[str]:
    findings = []
    for path in tree.files(root):
        if not tree.is_text(path):
            continue
        for number, line in enumerate(tree.read(root, path).split("\n"), 1):
            place = f"{path}:{number}"
            if match := NOTES.search(line):
                findings.append(f"{place}: {match.group()}: finish it or leave it out")
            if MACHINE_PATH.search(line):
                findings.append(f"{place}: a path of one machine")
            if match := TRACKER.search(line):
                findings.append(f"{place}: {match.group()}: say what is meant instead")
            findings += [f"{place}: host {host} is not a lasting address" for host in URL.findall(line) if host not in HOSTS]
    return findings
