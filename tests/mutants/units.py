"""The checks as units that run by themselves, and which of them come by the place of a mistake: others cannot notice it."""

import concurrent.futures
import dataclasses
import functools
import json
import os
import re
import subprocess
import time

# An odd run may take several times as long as a quiet one; longer than this means that it has no end.
PATIENCE = 20


@dataclasses.dataclass
class Unit:
    kind: str       # lockstep, verify (its other cases), faults, tests (a suite of unit tests), program (a test of CTest)
    name: str
    program: str = ""
    seconds: float = 1.0
    kills: int = 0
    reached: frozenset = frozenset()

    @property
    def key(self):
        return f"{self.kind} {self.program} {self.name}"


def call(command, number, seconds, cwd, trace=None):
    # One thread per processor is busy with mutants of its own: waiting threads would spin against them.
    environment = dict(os.environ, OMP_WAIT_POLICY="passive", TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1",
                       REPOSE_MUTANT=str(number))
    if trace:
        environment["REPOSE_MUTANT_TRACE"] = str(trace)
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, env=environment, cwd=cwd)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "no end")


@functools.cache
def ctest_list(build):
    """Name, command and label of what CTest of a build folder knows."""
    shown = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    tests = json.loads(shown.stdout)["tests"]
    labels = {test["name"]: next((entry["value"] for entry in test["properties"] if entry["name"] == "LABELS"), []) for test in tests}
    return [(test["name"], test["command"][0], labels[test["name"]]) for test in tests]


def suites_of(program):
    listed = subprocess.run([program, "--list_content"], capture_output=True, text=True, check=True)
    return [line.rstrip("*") for line in (listed.stdout + listed.stderr).split("\n") if line and not line[0].isspace()]


def all_units(build):
    def cases(*arguments):
        listed = subprocess.run([build / "repose", "verify", "--list", *arguments], capture_output=True, text=True, check=True)
        return [line.split()[0] for line in listed.stdout.split("\n") if line]

    lockstep = set(cases("--suite", "lockstep"))
    found = [Unit("lockstep" if name in lockstep else "verify", name) for name in cases()]
    found.append(Unit("faults", "verify --fault all", seconds=60))
    for name, command, labels in ctest_list(build):
        if "unit" in labels and command.endswith("_test"):
            found += [Unit("tests", suite, name) for suite in suites_of(command)]
        elif not {"repository", "build"} & set(labels):
            found.append(Unit("program", name))
    return found


def command_of(unit, build, scratch):
    if unit.kind in ("lockstep", "verify"):
        return [build / "repose", "verify", "--jobs", "1", "--json", scratch / "verify.json", "--out", scratch / "verify",
                "--case", unit.name]
    if unit.kind == "faults":
        return [build / "repose", "verify", "--fault", "all"]
    if unit.kind == "tests":
        program = next(command for name, command, _ in ctest_list(build) if name == unit.program)
        return [program, "--color_output=no", f"--run_test={unit.name}"]
    return ["ctest", "--test-dir", build, "-R", f"^{re.escape(unit.name)}$"]


def run(unit, build, number, scratch, trace=None):
    """@returns None if the unit passes, else who noticed what"""
    (scratch / "verify.json").unlink(missing_ok=True)
    longest = max(60, PATIENCE * unit.seconds) if not trace else 1800
    done = call(command_of(unit, build, scratch), number, longest, scratch, trace)
    if done.returncode == 0:
        return None
    by = "tests" if unit.kind in ("tests", "program") else "verify"
    found = {"by": by, "stage": "", "field": "", "case": unit.name if by == "verify" else f"{unit.program}: {unit.name}".removeprefix(": "),
             "unit": unit.key}
    if unit.kind == "tests":
        first = re.search(r'in "([^"]+)"', done.stdout + done.stderr)
        found["case"] = f"{unit.program}: {first.group(1) if first else f'{unit.name}, exit code {done.returncode}'}"
    elif unit.kind in ("lockstep", "verify") and (scratch / "verify.json").is_file():
        cases = json.loads((scratch / "verify.json").read_text())["cases"]
        for verdict in ("differs", "refused", "mistrusted"):
            for case in cases:
                if case["verdict"] == verdict:
                    return {**found, "case": case["name"], "stage": case["stage"], "field": case["field"]}
    if by == "verify" and not found["stage"]:
        # One case runs at a time: what it was about when it died.
        died = re.search(r"^repose: signal \d+ in \S+ by (?:.+) at (.+)$", done.stderr, re.M)
        found["stage"] = died.group(1) if died else ""
        found["case"] += f", exit code {done.returncode}"
    return found


def trace_units(build, folder, workers):
    """Runs each unit without a mistake: what fails then makes every answer worthless. Notes its time and the numbers of the
    places that it came by."""
    def one(unit):
        own = folder / f"trace-{abs(hash(unit.key))}"
        own.mkdir(exist_ok=True)
        trace = own / "reached"
        # Once more, since what waits for a clock may fail on a busy machine.
        for _ in range(2):
            trace.unlink(missing_ok=True)
            begin = time.monotonic()
            wrong = run(unit, build, 0, own, trace)
            unit.seconds = round(time.monotonic() - begin, 3)
            if not wrong:
                break
        unit.reached = frozenset(int(line) for line in trace.read_text().split()) if trace.is_file() else frozenset()
        return wrong

    units = all_units(build)
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        # Long ones first, so that none is left alone at the end.
        wrong = list(pool.map(one, sorted(units, key=lambda unit: unit.kind in ("lockstep", "verify"))))
    return units, next(filter(None, wrong), None)


def as_json(units):
    return [{**dataclasses.asdict(unit), "reached": sorted(unit.reached)} for unit in units]


def from_json(entries):
    return [Unit(**{**entry, "reached": frozenset(entry["reached"])}) for entry in entries]
