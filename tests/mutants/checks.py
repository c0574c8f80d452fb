"""Which check notices a mutant: `repose verify` first, then unit tests, then the rest of CTest."""

import concurrent.futures
import functools
import json
import os
import re
import subprocess

# Programs of unit tests that a room's code is part of, those nearest to it first; of what is shared the others follow.
TESTS = {"reference": ["mpm", "physics", "solver", "validation", "experiments"], "optimized": ["optimized", "validation", "experiments"],
         "shared": ["interface", "experiments", "validation"], "harness": ["validation", "experiments"]}
# Likewise of CTest's others: pictures and messages show no mistake of a solver.
PROGRAM_TESTS = {"reference": "cli_figures|cli_resume", "optimized": "cli_figures|cli_resume|cli_threads|parallel_steps",
                 "shared": ".", "harness": "cli_figures|cli_usage|cli_plots"}


def call(command, mutant, seconds, cwd):
    # One thread per processor is busy with mutants of its own: waiting threads would spin against them.
    environment = dict(os.environ, OMP_WAIT_POLICY="passive", TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1",
                       REPOSE_MUTANT=str(mutant.number if mutant and mutant.form != "build" else 0))
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, env=environment, cwd=cwd)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "no end")


def found_by(by, case, stage="", field=""):
    return {"by": by, "stage": stage, "field": field, "case": case}


def verify(builder, mutant, arguments, scratch, seconds=300, jobs=1):
    """@returns what the first bad case says, or None"""
    out = scratch / "verify.json"
    out.unlink(missing_ok=True)
    done = call([builder.build / "repose", "verify", "--jobs", str(jobs), "--json", out, "--out", scratch / "verify", *arguments], mutant,
                seconds, scratch)
    if done.returncode == 0:
        return None
    if not out.is_file():
        return found_by("verify", f"exit code {done.returncode}")
    content = json.loads(out.read_text())
    for verdict in ("differs", "refused", "mistrusted"):
        for case in content["cases"]:
            if case["verdict"] == verdict:
                return found_by("verify", case["name"], case["stage"], case["field"])
    return found_by("verify", f"exit code {done.returncode}")


def planted_faults(builder, mutant, scratch):
    """The harness against the faults it is known to find: one that passes says that the harness is blind to it."""
    done = call([builder.build / "repose", "verify", "--fault", "all"], mutant, 600, scratch)
    return None if done.returncode == 0 else found_by("verify", "verify --fault all")


@functools.cache
def test_programs(build):
    """Programs of unit tests that CTest of a build folder knows, by name."""
    shown = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    tests = json.loads(shown.stdout)["tests"]
    labels = {test["name"]: next((entry["value"] for entry in test["properties"] if entry["name"] == "LABELS"), []) for test in tests}
    return {test["name"]: test["command"][0] for test in tests
            if "unit" in labels[test["name"]] and test["command"][0].endswith("_test")}


@functools.cache
def suites_of(program):
    """Names of the suites of a test program, without its mutants."""
    listed = subprocess.run([program, "--list_content"], capture_output=True, text=True, check=True)
    return [line.rstrip("*") for line in (listed.stdout + listed.stderr).split("\n") if line and not line[0].isspace()]


def words_of(name):
    return set(re.split(r"[_/.-]", name.lower())) - {"h", "cpp", "inl", "test"}


def unit_tests(builder, mutant, names, scratch):
    """Suite by suite, those first whose names have most in common with the mutant's file."""
    for name in names:
        program = test_programs(builder.build)[name]
        suites = suites_of(program)
        if mutant:
            suites = sorted(suites, key=lambda suite: -len(words_of(suite) & words_of(mutant.file)))
        for suite in suites:
            done = call([program, "--color_output=no", f"--run_test={suite}"], mutant, 300, scratch)
            if done.returncode != 0:
                first = re.search(r'in "([^"]+)"', done.stdout + done.stderr)
                return found_by("tests", f"{name}: {first.group(1) if first else f'{suite}, exit code {done.returncode}'}")
    return None


def program_tests(builder, mutant, scratch):
    """What CTest has beside unit tests and checks of the tree: the program as a user meets it, its figures among it."""
    record = scratch / "ctest.xml"
    record.unlink(missing_ok=True)
    done = call(["ctest", "--test-dir", builder.build, "-LE", "repository|build", "-E", f"^({'|'.join(test_programs(builder.build))})$",
                 "-R", PROGRAM_TESTS[mutant.room] if mutant else ".", "--stop-on-failure", "--output-junit", record], mutant, 1200, scratch)
    if done.returncode == 0:
        return None
    failed = re.search(r'<testcase name="([^"]+)"[^>]*status="fail"', record.read_text() if record.is_file() else "")
    return found_by("tests", failed.group(1) if failed else f"ctest: exit code {done.returncode}")


def shares_loops(builder, mutant):
    """Whether threads share a loop of the mutant's file: elsewhere no race can begin, and the sanitizer's build takes long."""
    return mutant is None or re.search(r"\bomp\b|omp_|Attendance|std::thread|std::atomic", (builder.tree / mutant.file).read_text())


def thread_sanitizer(builder, mutant, scratch):
    if not shares_loops(builder, mutant) or builder.make_for_threads():
        return None
    done = call([builder.thread_build / "tests" / "parallel_steps"], mutant, 600, scratch)
    return None if done.returncode == 0 else found_by("tests", "tsan: parallel_steps")


def by_verify(builder, mutant, scratch):
    """Cases of two dimensions first: they take a tenth of the time and see most of it. Of one case at a time, since each
    processor has a mutant of its own."""
    suites = [["--suite", "lockstep", "--case", "*-2d-*"], ["--suite", "invariants"], ["--suite", "bits"],
              ["--suite", "lockstep", "--case", "*-3d-*"]]
    for arguments in suites:
        if found := verify(builder, mutant, [*arguments, "--fail-fast"], scratch):
            return found
    return planted_faults(builder, mutant, scratch) if mutant.room == "harness" else None


def by_tests(builder, mutant, scratch):
    names = ["experiments"] if mutant.file.startswith("experiments/") else TESTS[mutant.room]
    if mutant.room == "shared":
        names = names + [name for name in test_programs(builder.build) if name not in names]
    return (unit_tests(builder, mutant, names, scratch) or
            (thread_sanitizer(builder, mutant, scratch) if mutant.room == "optimized" else None) or
            program_tests(builder, mutant, scratch))


def judge(builder, mutant, scratch, before_tests=lambda: None):
    """@param before_tests called when the tests are needed and not before"""
    def tests():
        before_tests()
        return by_tests(builder, mutant, scratch)

    # What blinds the harness is seen by its tests, and verify would run to its end for nothing. What both solvers share,
    # lock-step cannot see, but for what it needs itself: the quick checks first.
    if mutant.room == "harness":
        return tests() or by_verify(builder, mutant, scratch)
    if mutant.room == "shared":
        return (verify(builder, mutant, ["--suite", "invariants", "--fail-fast"], scratch) or tests() or
                by_verify(builder, mutant, scratch))
    return by_verify(builder, mutant, scratch) or tests()


def without_mutant(builder, scratch):
    """@returns what fails without any mutant, which makes every answer worthless"""
    processors = os.cpu_count()
    if wrong := verify(builder, None, [], scratch, jobs=processors):
        return wrong
    with concurrent.futures.ThreadPoolExecutor(processors) as pool:
        found = list(pool.map(lambda name: unit_tests(builder, None, [name], scratch), test_programs(builder.build)))
    return (next(filter(None, found), None) or
            thread_sanitizer(builder, None, scratch) or program_tests(builder, None, scratch))
