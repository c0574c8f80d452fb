"""Sources are laid out as .clang-format says, by the one version that the tree is formatted with: others do it otherwise."""

import re
import shutil
import subprocess
from pathlib import Path

from . import tree

FORMATTER = "clang-format-14"
BATCH = 50


def check(root: Path) -> list[str]:
    if shutil.which(FORMATTER) is None:
        return [f"{FORMATTER} is not installed (tests/packages.txt)"]
    findings = []
    sources = [str(path) for path in tree.sources(root)]
    for first in range(0, len(sources), BATCH):
        said = subprocess.run([FORMATTER, "--dry-run", *sources[first:first + BATCH]], cwd=root, capture_output=True, text=True)
        places = {}
        for path, line in re.findall(r"^(.+?):(\d+):\d+: warning: code should be clang-formatted", said.stderr, re.MULTILINE):
            places.setdefault(path, []).append(line)
        findings += [f"{path}:{lines[0]}: {len(lines)} places are laid out otherwise than {FORMATTER} -i does"
                     for path, lines in places.items()]
        if said.returncode != 0:
            findings.append(f"{FORMATTER}: {said.stderr.strip().splitlines()[-1]}")
    return findings
