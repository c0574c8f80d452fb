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
import queue
import re
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from checks import Checks, judge, judge_by_programs
from draw import draw
from plant import BadList, argue_equivalents, edited, give_numbers, load_lists, plant, write_if_changed
import table
from units import as_json, from_json, trace_units

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("reference", "optimized", "shared", "harness")


class Builder:
    """The planted tree and its builds."""

    def __init__(self, folder, jobs):
        self.tree = folder / "tree"
        # As deep below their sources as any build folder: a compiler cache then knows files without a mutant again.
        self.build = self.tree / "build"
        self.thread_build = self.tree / "build-tsan"
        self.jobs = jobs
        self.lock = threading.Lock()

    def configure(self, folder, flags, *options):
        subprocess.run(["cmake", "-S", self.tree, "-B", folder, "-G", "Ninja", "--log-level=WARNING",
                        "-D", "CMAKE_BUILD_TYPE=Release", "-D", "CMAKE_C_COMPILER=clang", "-D", "CMAKE_CXX_COMPILER=clang++",
                        "-D", f"CMAKE_CXX_FLAGS_RELEASE={flags}", "-D", "REPOSE_UNITY=OFF", *options],
                       check=True, stdout=subprocess.DEVNULL)

    def make_program(self):
        """@returns "" or what the compiler said"""
        self.configure(self.build, "-O1 -DNDEBUG")
        return self.ninja(self.build, "repose")

    def make(self):
        return self.make_program() or self.ninja(self.build, "parallel_steps", "unit_tests")

    def make_for_threads(self):
        """The parallel run under the thread sanitizer, built when the first mutant asks for it."""
        with self.lock:
            self.configure(self.thread_build, "-O1 -g1", "-D", "REPOSE_SANITIZE=thread")
            return self.ninja(self.thread_build, "parallel_steps")

    def ninja(self, folder, *targets):
        done = subprocess.run(["ninja", "-C", folder, "-k", "0", "-j", str(self.jobs), *targets], capture_output=True, text=True)
        return "" if done.returncode == 0 else done.stdout + done.stderr


def switches_at(tree, said, what):
    """Numbers of the switches in and beside the lines that the compiler names."""
    found = set()
    for path, line in re.findall(rf"^(\S+?):(\d+):\d+: {what}", said, re.M):
        name = os.path.relpath(path, tree) if os.path.isabs(path) else os.path.normpath(path).removeprefix("../")
        text = (tree / name).read_text().split("\n") if (tree / name).is_file() else []
        near = "\n".join(text[max(0, int(line) - 2):int(line) + 1])
        found |= {int(number) for number in re.findall(r"repose_mutant == (\d+)", near)}
    return found


def make_switches(builder, mutants, kept):
    """Builds the switched tree; those that a switch breaks get builds of their own, which a file keeps for the next run."""
    alone = set(json.loads(kept.read_text())) if kept.is_file() else set()
    for mutant in mutants:
        if key_of(mutant) in alone:
            mutant.form = "build"
    while True:
        plant(mutants, ROOT, builder.tree)
        # Also those within a place that holds another: what is planted is then the same in each run, and is built once.
        alone |= {key_of(mutant) for mutant in mutants if mutant.form == "build"}
        kept.write_text(json.dumps(sorted(alone)))
        said = builder.make()
        if not said:
            return
        # Notes say where a constant expression, whose use is the error, meets the switch.
        broken = switches_at(builder.tree, said, "(?:fatal )?error:") | switches_at(builder.tree, said, "note: .*'operator=='")
        # Where a template of a library fails, its line says nothing: then every switch of the file that did not compile.
        failed = {name.split(".dir/")[-1] for name in re.findall(r"^FAILED: (\S+)\.o ", said, re.M)}
        fresh = [mutant for mutant in mutants if mutant.form != "build" and
                 (mutant.number in broken or not broken and any(mutant.file.endswith(name) for name in failed))]
        if not fresh:
            wrong = [line for line in said.split("\n") if line.startswith("FAILED: ") or re.search(r"error:", line)]
            raise SystemExit("the planted tree does not compile:\n" + "\n".join(wrong[:20]))
        for mutant in fresh:
            print(f"  {mutant.name}: a switch cannot hold it, it is built by itself", flush=True)
            mutant.form = "build"


def alone(checks, mutant, scratch, whole_programs):
    """A mutant in a build of its own: its file is changed, and put back."""
    builder = checks.builder
    path = builder.tree / mutant.file
    switched = path.read_bytes()
    try:
        write_if_changed(path, edited((ROOT / mutant.file).read_text(), mutant).encode())
        said = builder.make_program()
        if said:
            error = re.search(r"error: (.*)", said)
            return {"by": "compiler", "stage": "", "field": "", "case": error.group(1)[:120] if error else "error"}
        found = judge(checks, mutant, scratch, before_tests=builder.make)
        return found or (judge_by_programs(checks, mutant, scratch) if whole_programs else None)
    finally:
        write_if_changed(path, switched)


def sample(mutants, count):
    """As many written ones of each room, whatever they are: equivalents take no place, drawn ones are kept."""
    chosen = set()
    for room in ROOMS:
        written = [mutant for mutant in mutants if mutant.room == room and not mutant.drawn and not mutant.equivalent]
        written.sort(key=lambda mutant: hashlib.sha256(mutant.name.encode()).hexdigest())
        chosen |= {mutant.name for mutant in written[:count]}
    return [mutant for mutant in mutants if mutant.drawn or mutant.equivalent or mutant.name in chosen]


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


def revision():
    said = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return said.stdout.strip() if said.returncode == 0 else "unknown"


def main():
    parser = argparse.ArgumentParser(prog="tests/mutants.sh", description=__doc__.split("\n\n")[0])
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    parser.add_argument("--only", metavar="NAME", action="append", help="only these (may be given several times)")
    parser.add_argument("--room", choices=ROOMS, help="only those of one room")
    parser.add_argument("--written", type=int, default=40, metavar="N",
                        help="how many written ones of each room, chosen by their names; 0: all [40]")
    parser.add_argument("--drawn", type=int, default=100, metavar="N", help="how many to draw beside the written ones [100]")
    parser.add_argument("--seed", type=int, default=1, help="of the drawn ones [1]")
    parser.add_argument("--json", metavar="F", help="write the results to a file; `repose report` shows it")
    parser.add_argument("--build", default="build-mutants", metavar="DIR", help="folder of the builds [build-mutants]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="of the compiler, and mutants at a time [all processors]")
    parser.add_argument("--build-only", action="store_true", help="plant and build, and judge nothing")
    parser.add_argument("--minutes", type=float, default=1e9, metavar="N",
                        help="begin no mutant later than this; 0 shows what is kept [no limit]")
    parser.add_argument("--again", action="store_true", help="forget earlier results")
    arguments = parser.parse_args()
    try:
        mutants = load_lists(pathlib.Path(__file__).parent, ROOT)
        drawn = draw(ROOT, arguments.drawn, arguments.seed)
        argue_equivalents(drawn, pathlib.Path(__file__).parent, ROOT)
        mutants += drawn
        give_numbers(mutants)
    except BadList as error:
        sys.exit(f"mutants: {error}")
    if arguments.only:
        unknown = set(arguments.only) - {mutant.name for mutant in mutants}
        if unknown:
            sys.exit(f"mutants: there is no {sorted(unknown)[0]} (see --list)")
        mutants = [mutant for mutant in mutants if mutant.name in arguments.only]
    elif arguments.written > 0:
        mutants = sample(mutants, arguments.written)
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
    todo = [mutant for mutant in mutants if not mutant.equivalent and
            results["mutants"].get(key_of(mutant), {"asks": "all"}).get("asks")]
    if todo and arguments.minutes > 0:
        run_all(Builder(folder, arguments.jobs), mutants, todo, results, kept, arguments.jobs, arguments.build_only,
                time.monotonic() + 60 * arguments.minutes)
    rows = table.rows(mutants, results["mutants"], key_of)
    print(table.text(rows))
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(table.summary(rows, revision()), indent=1) + "\n")
    return 0


def run_all(builder, mutants, todo, results, kept, workers, build_only, end):
    scratch = kept.parent / "scratch"
    scratch.mkdir(exist_ok=True)
    builder.tree.mkdir(exist_ok=True)
    print(f"building {len(mutants)} mutants", flush=True)
    make_switches(builder, mutants, kept.parent / "alone.json")
    if build_only:
        return
    switches = sorted(mutant.number for mutant in mutants if mutant.form != "build")
    if not set(switches) <= set(results.get("traced", [])):
        print("running all checks without a mistake", flush=True)
        units, wrong = trace_units(builder.build, scratch, workers)
        if wrong:
            sys.exit(f"mutants: without a mutant {wrong['by']} fail at {wrong['case']}")
        results |= {"traced": switches, "units": as_json(units)}
        kept.write_text(json.dumps(results))
    checks = Checks(builder, from_json(results["units"]), set(results["traced"]))
    lock = threading.Lock()
    done = []

    def keep(mutant, found, start, asks=""):
        with lock:
            done.append(mutant)
            results["mutants"][key_of(mutant)] = {**(found or {"by": ""}), "seconds": round(time.monotonic() - start, 1)}
            if not found and asks:
                results["mutants"][key_of(mutant)]["asks"] = asks
            kept.write_text(json.dumps({**results, "units": as_json(checks.units)}))
            by = f"{found['by']} {found['stage']} {found['case']}" if found else "survives"
            print(f"[{len(done)}/{len(todo)}] {mutant.name:<44} {by}", flush=True)

    # In an order of chance, the same each time: what a run that is stopped has judged is a fair sample of all.
    todo = sorted(todo, key=key_of)
    # Those with a switch share one build, and the processors.
    def share(chosen, ask, asks):
        waiting = queue.SimpleQueue()
        for mutant in chosen:
            waiting.put(mutant)

        def work(number):
            own = scratch / str(number)
            own.mkdir(exist_ok=True)
            while time.monotonic() < end:
                try:
                    mutant = waiting.get_nowait()
                except queue.Empty:
                    return
                start = time.monotonic()
                keep(mutant, ask(checks, mutant, own), start, asks)

        threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def left(asks):
        return [mutant for mutant in todo if results["mutants"].get(key_of(mutant), {"asks": "all"}).get("asks") == asks]

    def judge_alone(chosen, whole_programs):
        for mutant in chosen:
            if time.monotonic() < end:
                start = time.monotonic()
                mutant.form = "build"
                keep(mutant, alone(checks, mutant, scratch, whole_programs), start)

    share([mutant for mutant in left("all") if mutant.form != "build"], judge, "programs")
    judge_alone([mutant for mutant in left("all") if mutant.form == "build"], whole_programs=True)
    # Whole programs take as long as all the rest: last, and only of what is left.
    share(left("programs"), judge_by_programs, "build")
    # A compiler drops a switch to what is not defined: nothing survives by that. Whole programs add nothing, since they take
    # the steps that cases and suites take.
    judge_alone(left("build"), whole_programs=False)


if __name__ == "__main__":
    sys.exit(main())
