#!/usr/bin/env python3
"""Holds what the program computes before a change against what it computes after it, to the bit.

    python3 tests/equal_results.py make REPOSE OUT      runs a program: verify, scenes with states, figures at smoke
    python3 tests/equal_results.py compare BEFORE AFTER

For changes that are to move or rename things and no number. Compared are verdict, stage, field and ratio of every case of
`verify`, steps.csv and every field of every state, and every number of the figures but those of a clock. Prints what
differs, a line each; exit code 1 if anything does.
"""

import argparse
import csv
import json
import math
import pathlib
import subprocess
import sys

import h5py
import numpy

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
sys.path.insert(0, str(ROOT / "experiments" / "figures"))
import kept_numbers  # noqa: E402
import program  # noqa: E402

IMPLICIT = 'mpm.integrator = "implicit"\n'


def scenes():
    flip = program.SCENE_3D.replace("max_dt", 'mpm.transfer = "flip"\nmax_dt', 1)
    return {"sand_2d": program.SCENE_2D, "sand_3d": program.SCENE_3D, "flip_3d": flip, "spout_2d": program.SCENE_2D + program.SPOUT,
            "implicit_2d": IMPLICIT + program.SCENE_2D}


def make(repose, out):
    out.mkdir(parents=True)
    subprocess.run([repose, "verify", "--json", out / "verify.json", "--out", out / "verify"], check=False,
                   stdout=subprocess.DEVNULL)
    for name, text in scenes().items():
        file = out / f"{name}.toml"
        file.write_text(text, encoding="utf-8")
        for solver, precision in (("reference", "double"), ("optimized", "double"), ("optimized", "float")):
            subprocess.run([repose, "run", file, "--out", out / "runs" / f"{name}_{solver}_{precision}", "--solver", solver,
                            "--precision", precision, "--threads", "1", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    listed = json.loads(subprocess.run([repose, "list", "--json"], check=True, capture_output=True, text=True).stdout)
    for figure in listed["figures"]:
        done = subprocess.run([repose, "reproduce", figure["id"], "--preset", "smoke", "--out", out / "figures"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if done.returncode not in (0, 1, 3):
            sys.exit(f"{figure['id']}: exit code {done.returncode}")


def same(a, b):
    return a == b or (isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b))


def cases_of(folder):
    cases = json.loads((folder / "verify.json").read_text())["cases"]
    return {case["name"]: {key: case[key] for key in ("verdict", "stage", "field", "worst_ratio_to_bound", "counters")} for case in cases}


def fields_of(file):
    """Every dataset of a state, by its path; provenance is of the program, not of the state."""
    found = {}
    with h5py.File(file) as state:
        state.visititems(lambda path, item: found.update({path: item[()]}) if isinstance(item, h5py.Dataset) else None)
    return {path: value for path, value in found.items() if "provenance" not in path and "seal" not in path}


def numbers_of(folder):
    kept = kept_numbers.load()
    found = {}
    for file in sorted((folder / "figures").glob("*/*/result.json")):
        result = json.loads(file.read_text())
        for number in result["numbers"]:
            # Figures whose numbers are not kept are all times of one machine.
            figure = kept.get(result["figure"])
            clock = figure is None or figure.get(number["name"], {}).get("clock", False)
            found[f"{result['figure']} {number['name']}"] = (number["verdict"], None if clock else number["value"])
    return found


def table_of(file):
    """Columns by name: a new column is no change of the others."""
    with open(file, newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else [])}


def differences(what, before, after):
    for key in before.keys() | after.keys():
        if key not in before or key not in after:
            yield f"{what}: only {'before' if key in before else 'after'}: {key}"
        elif isinstance(before[key], numpy.ndarray):
            if before[key].dtype != after[key].dtype or before[key].tobytes() != after[key].tobytes():
                yield f"{what}: {key} differs"
        elif not same(before[key], after[key]):
            yield f"{what}: {key}: {str(before[key])[:100]} → {str(after[key])[:100]}"


def compare(before, after):
    found = list(differences("verify", cases_of(before), cases_of(after)))
    compared = {"cases": len(cases_of(after)), "fields": 0, "numbers": len(numbers_of(after))}
    runs = [sorted(path.name for path in (folder / "runs").iterdir()) for folder in (before, after)]
    if runs[0] != runs[1]:
        found.append(f"runs: {runs[0]} → {runs[1]}")
    for run in runs[1]:
        a, b = before / "runs" / run, after / "runs" / run
        found += differences(f"{run} steps.csv", table_of(a / "steps.csv"), table_of(b / "steps.csv"))
        states = {path.name for path in a.glob("states/*.hdf")} | {path.name for path in b.glob("states/*.hdf")}
        for state in sorted(states):
            if not (a / "states" / state).exists() or not (b / "states" / state).exists():
                found.append(f"{run}: {state} is there once")
                continue
            fields = fields_of(b / "states" / state)
            compared["fields"] += len(fields)
            found += differences(f"{run} {state}", fields_of(a / "states" / state), fields)
    found += differences("figures", numbers_of(before), numbers_of(after))
    if min(compared.values()) == 0:
        found.append(f"nothing was compared: {compared}")
    return sorted(found), compared


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="run a program")
    making.add_argument("repose", type=pathlib.Path)
    making.add_argument("out", type=pathlib.Path)
    comparing = commands.add_parser("compare", help="compare two folders that make wrote")
    comparing.add_argument("before", type=pathlib.Path)
    comparing.add_argument("after", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.command == "make":
        make(arguments.repose.resolve(), arguments.out.resolve())
        return 0
    found, compared = compare(arguments.before, arguments.after)
    for line in found:
        print(line)
    print(f"{len(found)} differences in " + ", ".join(f"{count} {what}" for what, count in compared.items()))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
