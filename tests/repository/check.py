#!/usr/bin/env python3
"""Runs one check of the tree: check.py NAME ROOT. Prints what it finds; exit 0 clean, 1 not, 2 bad usage."""

import importlib
import sys
from pathlib import Path


def main() -> int:
    names = sorted(path.stem for path in (Path(__file__).parent / "checks").glob("*.py") if path.stem not in ("__init__", "tree"))
    if len(sys.argv) != 3 or sys.argv[1] not in names or not Path(sys.argv[2]).is_dir():
        print(f"usage: check.py {{{','.join(names)}}} ROOT", file=sys.stderr)
        return 2
    findings = importlib.import_module(f"checks.{sys.argv[1]}").check(Path(sys.argv[2]).resolve())
    for finding in findings:
        print(finding)
    print(f"{sys.argv[1]}: {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
