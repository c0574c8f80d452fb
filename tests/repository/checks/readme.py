"""Commands and relative links of the Markdown files exist."""

import re
from pathlib import Path

from . import tree

LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(?:sh|bash|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def check(root: Path) -> list[str]:
    findings = []
    commands_h = root / "experiments/cli/commands.h"
    commands = set(re.findall(r"\badd_(\w+)\(", commands_h.read_text(encoding="utf-8"))) if commands_h.is_file() else set()
    for path in tree.files(root):
        if path.suffix != ".md":
            continue
        text = tree.read(root, path)
        for target in LINK.findall(text):
            file = target.split("#")[0]
            if file and "://" not in file and not (root / path.parent / file).exists():
                findings.append(f"{path}: link to {file}, which does not exist")
        for block in FENCE.findall(text):
            for line in block.split("\n"):
                findings += [f"{path}: {problem}" for problem in problems(root, line, commands)]
    if not (root / "README.md").is_file():
        findings.append("README.md is missing")
    return findings


def problems(root: Path, line: str, commands: set[str]) -> list[str]:
    """What is wrong with one line of a shell example."""
    words = line.split("#")[0].split()
    found = []
    for program, word in zip(words, words[1:]):
        if program == "bash" and not word.startswith("-") and not (root / word).is_file():
            found.append(f"command `{line.strip()}`: {word} does not exist")
        if re.search(r"(^|/)repose$", program) and not word.startswith("-") and word not in commands:
            found.append(f"command `{line.strip()}`: the program has no command {word}")
    for option, preset in zip(words, words[1:]):
        if option == "--preset" and words[0] in ("cmake", "ctest"):
            presets = (root / "CMakePresets.json").read_text(encoding="utf-8")
            if f'"name": "{preset}"' not in presets:
                found.append(f"command `{line.strip()}`: no preset {preset}")
    return found
