"""Which check notices a mutant: `repose verify` first, then unit tests, then the rest of CTest."""

import concurrent.futures
import re
import threading

import units as of_units

# Of CTest's others those that can show a mistake of a room: pictures and messages show none of a solver.
PROGRAM_TESTS = {"reference": "cli_figures|cli_resume", "optimized": "cli_figures|cli_resume|cli_threads|parallel_steps",
                 "shared": ".", "harness": "cli_figures|cli_usage|cli_plots"}


class Checks:
    """All units, as they were traced without a mistake."""

    def __init__(self, builder, units, traced):
        self.builder = builder
        self.units = units
        self.traced = traced

    def of(self, mutant, *kinds):
        """Units that may notice a mutant, those first that cost least and have noticed most. What never had a switch
        may be noticed by any."""
        places = PROGRAM_TESTS[mutant.room]
        chosen = [unit for unit in self.units if unit.kind in kinds and (mutant.number not in self.traced or mutant.number in unit.reached) and
                  (unit.kind != "program" or re.search(places, unit.name))]
        # Of what a mistake's own words name, and then of what has noticed others, most is to be hoped for.
        nearest = words_of(mutant.file)
        return sorted(chosen, key=lambda unit: unit.seconds / (1 + unit.kills + len(words_of(unit.name) & nearest)))

    def first_to_notice(self, mutant, scratch, *kinds):
        """@returns what the first unit that notices a mutant says, or None. One built by itself has all processors."""
        workers = self.builder.jobs if mutant.form == "build" else 1
        waiting = enumerate(self.of(mutant, *kinds))
        lock = threading.Lock()
        found = []

        def work(own):
            own.mkdir(exist_ok=True)
            while not found:
                with lock:
                    order, unit = next(waiting, (0, None))
                if unit is None:
                    return
                # Whole programs wait for clocks: one that fails on a busy machine has noticed nothing.
                for _ in range(2 if unit.kind == "program" else 1):
                    said = of_units.run(unit, self.builder.build, mutant.switch, own)
                    if not said:
                        break
                else:
                    unit.kills += 1
                    found.append((order, said))

        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            list(pool.map(work, [scratch / f"asked-{number}" for number in range(workers)]))
        # The same answer whichever of them is the quicker.
        return min(found)[1] if found else None


def words_of(name):
    return set(re.split(r"[_/.-]", name.lower())) - {"h", "cpp", "inl", "test"}


def shares_loops(builder, file):
    """Whether threads share a loop of a file: elsewhere no race can begin, and the sanitizer's build takes long."""
    return re.search(r"\bomp\b|omp_|Attendance|std::thread|std::atomic", (builder.tree / file).read_text())


def thread_sanitizer(builder, mutant, scratch):
    if mutant.room != "optimized" or not shares_loops(builder, mutant.file) or builder.make_for_threads():
        return None
    done = of_units.call([builder.thread_build / "tests" / "parallel_steps"], mutant.switch, 600, scratch)
    return None if done.returncode == 0 else {"by": "tests", "stage": "", "field": "", "case": "tsan: parallel_steps"}


def judge(checks, mutant, scratch, before_tests=lambda: None):
    """Cases of verify and suites of unit tests.
    @param before_tests called when the tests are needed and not before"""
    def verify():
        # Lock-step is what names a boundary.
        return checks.first_to_notice(mutant, scratch, "lockstep") or checks.first_to_notice(mutant, scratch, "verify")

    def tests():
        before_tests()
        return checks.first_to_notice(mutant, scratch, "tests")

    # What blinds the harness is seen by its tests, and verify would run to its end for nothing.
    if mutant.room == "harness":
        return tests() or verify() or checks.first_to_notice(mutant, scratch, "faults")
    return verify() or tests()


def judge_by_programs(checks, mutant, scratch):
    """What is left for whole programs: the parallel run under the sanitizer of threads, figures and the command line."""
    return thread_sanitizer(checks.builder, mutant, scratch) or checks.first_to_notice(mutant, scratch, "program")
