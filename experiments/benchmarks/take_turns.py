#!/usr/bin/env python3
"""Compares the step_timing programs of two or more builds, a few steps of each in turn.

    take_turns.py old/step_timing new/step_timing -- --kernel quadratic --particles 216000 --state flow

All programs run at once but only one of them computes at a time, so what slows the machine for longer than a few steps
slows all of them. Prints ns per particle and step, medians, and the median of the ratios to the first program in the same
turn, with quartiles.
"""
import argparse
import os
import statistics
import subprocess
import sys


def start(program, arguments):
    environment = dict(os.environ, OMP_WAIT_POLICY="passive")
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", help="step_timing of each build; the first is what others are compared with")
    parser.add_argument("--turns", type=int, default=60)
    own = sys.argv[1:]
    theirs = []
    if "--" in own:
        theirs = own[own.index("--") + 1:]
        own = own[:own.index("--")]
    options = parser.parse_args(own)

    if "--steps" not in theirs:
        theirs = ["--steps", "2", *theirs]
    processes = [start(program, theirs) for program in options.programs]
    times = [[] for _ in processes]
    order = list(range(len(processes)))
    for _ in range(options.turns):
        for p in order:
            times[p].append(take_turn(processes[p]))
        order.reverse()
    for process in processes:
        process.stdin.close()
        process.wait()

    for program, mine in zip(options.programs, times):
        print(program)
        for stage in mine[0]:
            line = f"  {stage:6} {statistics.median(turn[stage] for turn in mine):7.1f} ns"
            ratios = [turn[stage] / first[stage] for turn, first in zip(mine, times[0]) if first[stage] > 0]
            if mine is not times[0] and len(ratios) > 1:
                low, middle, high = statistics.quantiles(ratios, n=4)
                line += f"   x{middle:.3f}  ({low:.3f} to {high:.3f})"
            print(line)


if __name__ == "__main__":
    main()
