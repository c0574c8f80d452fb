#!/usr/bin/env python3
"""Compares the step_timing programs of two or more builds, a few steps of each in turn.

    take_turns.py old/step_timing new/step_timing -- --kernel quadratic --particles 216000 --state flow

All programs run at once but only one of them computes at a time, so what slows the machine for longer than a few steps
slows all of them. On one thread all share one processor, since others may be slower; and where a process lies in memory
lasts as long as it does, so all are started anew several times, in rotating order. Prints ns per particle and step
(median of all turns) and, per start, the median ratio to the first program in the same turn: its median over the starts,
the least and the largest.
"""
import argparse
import os
import statistics
import subprocess
import sys


def start(program, arguments):
    # Builds that do not choose so themselves would spin while others take their turns.
    environment = {"OMP_WAIT_POLICY": "passive", **os.environ}
    process = subprocess.Popen([program, "--paced", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               bufsize=0, env=environment)
    if not process.stdout.readline():
        sys.exit(f"{program}: ended before its first step")
    return process


def take_turn(process):
    process.stdin.write(b"x")
    words = process.stdout.readline().split()
    if not words:
        sys.exit(f"{process.args[0]}: ended early")
    stages = {name.decode(): float(ns) for name, ns in zip(words[::2], words[1::2])}
    return {"all": sum(stages.values()), **stages}


def run(programs, arguments, turns, rotation):
    """Turns of freshly started programs: [program][turn]{stage: ns}."""
    order = list(range(len(programs)))
    order = order[rotation % len(order):] + order[:rotation % len(order)]
    processes = {p: start(programs[p], arguments) for p in order}
    times = [[] for _ in programs]
    for _ in range(turns):
        for p in order:
            times[p].append(take_turn(processes[p]))
        order.reverse()
    for process in processes.values():
        process.stdin.close()
        process.wait()
    return times


def ratio_to_first(times, p, stage):
    """Median over the turns; None for a stage that takes no time."""
    ratios = [mine[stage] / first[stage] for mine, first in zip(times[p], times[0]) if first[stage] > 0]
    return statistics.median(ratios) if ratios else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", help="step_timing of each build; the first is what others are compared with")
    parser.add_argument("--starts", type=int, default=5, help="how often all programs are started (default 5)")
    parser.add_argument("--turns", type=int, default=20, help="turns of each program per start (default 20)")
    own = sys.argv[1:]
    theirs = []
    if "--" in own:
        theirs = own[own.index("--") + 1:]
        own = own[:own.index("--")]
    options = parser.parse_args(own)

    if "--steps" not in theirs:
        theirs = ["--steps", "2", *theirs]
    if "--threads" not in theirs:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # children inherit it
    runs = [run(options.programs, theirs, options.turns, first) for first in range(options.starts)]
    for p, program in enumerate(options.programs):
        print(program)
        for stage in runs[0][p][0]:
            line = f"  {stage:6} {statistics.median(turn[stage] for times in runs for turn in times[p]):7.1f} ns"
            ratios = [ratio for times in runs if (ratio := ratio_to_first(times, p, stage)) is not None]
            if p > 0 and ratios:
                line += f"   x{statistics.median(ratios):.3f}  ({min(ratios):.3f} to {max(ratios):.3f})"
            print(line)


if __name__ == "__main__":
    main()
