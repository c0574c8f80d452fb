#!/usr/bin/env python3
"""Plants mistakes into a copy of the sources, one at a time, and says which check notices each.

Mistakes are drawn from the lines of the numerics by a seed; lists of written ones (*.toml beside this file) join them. What
one build with switches cannot hold is built by itself. Results are kept in the build folder: the next call goes on where this one stopped.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from draw import draw
from plant import BadList, edited, load_lists, plant, write_if_changed
import table

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("reference", "optimized", "shared", "harness")
TESTS = {"reference": ["mpm", "physics", "optimized"], "optimized": ["optimized"], "shared": ["interface", "experiments"],
         "harness": ["validation"]}
ALL_TESTS = ["interface", "physics", "mpm", "optimized", "validation", "experiments"]


class Builder:
    def __init__(self, folder, jobs):
        self.tree = folder / "tree"
        self.build = folder / "build"
        self.jobs = str(jobs)
        self.targets = ["repose", *(f"tests/{name}_test" for name in ALL_TESTS)]

    def configure(self):
        flags = f"-O1 -DNDEBUG -include {self.tree / 'mutant_switch.h'}"
        subprocess.run(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", "--log-level=WARNING",
                        "-D", "CMAKE_BUILD_TYPE=Release", "-D", "CMAKE_C_COMPILER=clang", "-D", "CMAKE_CXX_COMPILER=clang++",
                        "-D", f"CMAKE_CXX_FLAGS_RELEASE={flags}", "-D", "REPOSE_UNITY=OFF", "-D", "REPOSE_PRECOMPILE=OFF"],
                       check=True, stdout=subprocess.DEVNULL)

    def make(self):
        """@returns "" or what the compiler said"""
        done = subprocess.run(["ninja", "-C", self.build, "-k", "0", "-j", self.jobs, *self.targets], capture_output=True,
                              text=True)
        return "" if done.returncode == 0 else done.stdout + done.stderr


def make_switches(builder, mutants):
    """Builds the switched tree; those that a switch breaks get builds of their own."""
    while True:
        plant(mutants, ROOT, builder.tree)
        said = builder.make()
        if not said:
            return
        broken = set()
        for path, line in re.findall(r"^(\S+?):(\d+):\d+: (?:fatal )?error:", said, re.M):
            name = os.path.relpath(path, builder.tree) if os.path.isabs(path) else os.path.normpath(path).removeprefix("../tree/")
            text = (builder.tree / name).read_text().split("\n") if (builder.tree / name).is_file() else []
            near = "\n".join(text[max(0, int(line) - 2):int(line) + 1])
            broken |= {int(number) for number in re.findall(r"repose_mutant == (\d+)", near)}
        # Where a template of a library fails, its line says nothing: then every switch of the file that did not compile.
        failed = {name.split(".dir/")[-1] for name in re.findall(r"^FAILED: (\S+)\.o ", said, re.M)}
        fresh = [mutant for mutant in mutants if mutant.form != "build" and
                 (mutant.number in broken or not broken and any(mutant.file.endswith(name) for name in failed))]
        if not fresh:
            raise SystemExit("the planted tree does not compile:\n" + said[-4000:])
        for mutant in fresh:
            print(f"  {mutant.name}: a switch cannot hold it, it is built by itself", flush=True)
            mutant.form = "build"


def call(command, mutant, seconds, cwd):
    environment = dict(os.environ, REPOSE_MUTANT=str(mutant.number if mutant and mutant.form != "build" else 0))
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, env=environment, cwd=cwd)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "no end")


def verify(builder, mutant, arguments, scratch, seconds=300):
    """@returns (noticed, stage, field, case)"""
    out = scratch / "verify.json"
    out.unlink(missing_ok=True)
    done = call([builder.build / "repose", "verify", "--json", out, "--out", scratch / "verify", *arguments], mutant, seconds,
                scratch)
    if done.returncode == 0:
        return None
    if not out.is_file():
        return {"by": "verify", "stage": "", "field": "", "case": f"exit code {done.returncode}"}
    cases = json.loads(out.read_text())["cases"]
    for verdict in ("differs", "refused", "mistrusted"):
        for case in cases:
            if case["verdict"] == verdict:
                return {"by": "verify", "stage": case["stage"], "field": case["field"], "case": case["name"],
                        "verdict": verdict}
    return {"by": "verify", "stage": "", "field": "", "case": f"exit code {done.returncode}"}


def unit_tests(builder, mutant, names, scratch):
    for name in names:
        done = call([builder.build / "tests" / f"{name}_test", "--color_output=no"], mutant, 300, scratch)
        if done.returncode != 0:
            first = re.search(r'in "([^"]+)"', done.stdout + done.stderr)
            return {"by": "tests", "stage": "", "field": "", "case": f"{name}: {first.group(1) if first else done.returncode}"}
    return None


def judge(builder, mutant, scratch):
    quick = ["--suite", "lockstep", "--fail-fast"] if mutant.room != "harness" else ["--suite", "bits"]
    found = verify(builder, mutant, quick, scratch)
    if found is None and mutant.room != "harness":
        found = verify(builder, mutant, ["--suite", "bits"], scratch)
    first = TESTS[mutant.room]
    return found or unit_tests(builder, mutant, [*first, *(name for name in ALL_TESTS if name not in first)], scratch)


def alone(builder, mutant, scratch):
    """A mutant in a build of its own: its file is changed, and put back."""
    path = builder.tree / mutant.file
    switched = path.read_bytes()
    try:
        write_if_changed(path, edited((ROOT / mutant.file).read_text(), mutant).encode())
        said = builder.make()
        if said:
            error = re.search(r"error: (.*)", said)
            return {"by": "compiler", "stage": "", "field": "", "case": error.group(1)[:120] if error else "error"}
        return judge(builder, mutant, scratch)
    finally:
        write_if_changed(path, switched)


def key_of(mutant):
    words = [mutant.name, mutant.file, mutant.old, mutant.new]
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:16]


def sources_hash():
    """Of everything that decides a result: a changed tree starts anew."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z", "reference", "optimized", "validation",
                             "experiments", "tests/unit"], cwd=ROOT, check=True, capture_output=True).stdout
    digest = hashlib.sha256()
    for name in sorted(listed.decode().split("\0")):
        if name.endswith((".h", ".cpp", ".txt")) and (ROOT / name).is_file():
            digest.update(name.encode() + b"\0" + (ROOT / name).read_bytes())
    return digest.hexdigest()[:16]


def main():
    parser = argparse.ArgumentParser(prog="tests/mutants.sh", description=__doc__.split("\n\n")[0])
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    parser.add_argument("--only", metavar="NAME", action="append", help="only these (may be given several times)")
    parser.add_argument("--room", choices=ROOMS, help="only those of one room")
    parser.add_argument("--drawn", type=int, default=100, metavar="N", help="how many to draw beside the written ones [100]")
    parser.add_argument("--seed", type=int, default=1, help="of the drawn ones [1]")
    parser.add_argument("--json", metavar="F", help="write the results to a file")
    parser.add_argument("--build", default="build-mutants", metavar="DIR", help="folder of the builds [build-mutants]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="of the compiler [all processors]")
    parser.add_argument("--again", action="store_true", help="forget earlier results")
    arguments = parser.parse_args()
    try:
        mutants = load_lists(pathlib.Path(__file__).parent, ROOT)
        mutants += draw(ROOT, arguments.drawn, arguments.seed, first_number=len(mutants) + 1)
    except BadList as error:
        sys.exit(f"mutants: {error}")
    if arguments.only:
        unknown = set(arguments.only) - {mutant.name for mutant in mutants}
        if unknown:
            sys.exit(f"mutants: there is no {sorted(unknown)[0]} (see --list)")
        mutants = [mutant for mutant in mutants if mutant.name in arguments.only]
    if arguments.room:
        mutants = [mutant for mutant in mutants if mutant.room == arguments.room]
    if arguments.list:
        for mutant in mutants:
            print(f"{mutant.name:<44} {mutant.room:<10} {mutant.stage or '-':<11} {mutant.what}")
        return 0

    folder = (ROOT / arguments.build).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / "results.json"
    sources = sources_hash()
    results = {} if arguments.again or not kept.is_file() else json.loads(kept.read_text())
    if results.get("sources") != sources:
        results = {"sources": sources, "mutants": {}}
    todo = [mutant for mutant in mutants if key_of(mutant) not in results["mutants"] and not mutant.equivalent]
    if todo:
        run_all(Builder(folder, arguments.jobs), mutants, todo, results, kept)
    rows = table.rows(mutants, results["mutants"], key_of)
    print(table.text(rows))
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(table.summary(rows), indent=1) + "\n")
    return 0


def run_all(builder, mutants, todo, results, kept):
    scratch = kept.parent / "scratch"
    scratch.mkdir(exist_ok=True)
    builder.tree.mkdir(exist_ok=True)
    (builder.tree / "mutant_switch.h").touch()
    plant(mutants, ROOT, builder.tree)
    builder.configure()
    print(f"building {len(mutants)} mutants", flush=True)
    make_switches(builder, mutants)
    if "correct" not in results:
        wrong = verify(builder, None, [], scratch) or unit_tests(builder, None, ALL_TESTS, scratch)
        if wrong:
            sys.exit(f"mutants: without a mutant {wrong['by']} fails at {wrong['case']}")
        results["correct"] = True
    # Those with a switch first: their build stands.
    for n, mutant in enumerate(sorted(todo, key=lambda one: one.form == "build"), 1):
        start = time.monotonic()
        found = alone(builder, mutant, scratch) if mutant.form == "build" else judge(builder, mutant, scratch)
        results["mutants"][key_of(mutant)] = {**(found or {"by": ""}), "seconds": round(time.monotonic() - start, 1)}
        kept.write_text(json.dumps(results, indent=1))
        by = f"{found['by']} {found['stage']} {found['case']}" if found else "survives"
        print(f"[{n}/{len(todo)}] {mutant.name:<44} {by}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
