#!/usr/bin/env python3
"""Holds the numbers of figures at the preset smoke against those kept in experiments/smoke.toml.

    python3 experiments/figures/kept_numbers.py OUT             verdicts alone
    python3 experiments/figures/kept_numbers.py OUT --values    values too, each within its width
    python3 experiments/figures/kept_numbers.py OUT --write --double DOUBLE --seeds SEEDS_1 SEEDS_2 ...

Exit code 1 and one line that names what differs; results of other presets are passed over. --write keeps the values of
OUT; the widths follow from the same figures in double and with other seeds, by the rules in the head of the file.
"""

import argparse
import json
import pathlib
import re
import sys
import tomllib

KEPT = pathlib.Path(__file__).resolve().parents[1] / "smoke.toml"
HEAD = """\
# Verdict and value of every number of the figures at the preset smoke, as `repose reproduce FIGURE --preset smoke` gives
# them. The tests hold every run against it, `experiments/run.sh` the verdicts: a verdict that turns, a value further than
# `width` from the one kept, a number that vanishes or appears is a change of the figure, meant or not. Who means it
# writes the file anew (experiments/figures/kept_numbers.py --write) and says why.
#
# Another instruction set or compiler rounds otherwise in float, and a pile magnifies that. The same run in double takes all
# of float's roundings away: a change as large as that from one set of them to another. `width` is
#   - ten times the difference to the run in double, and no less than 10⁻³ of the value, a tenth of the largest difference to
#     runs with five other seeds and, of a share of N things, three of them; but no more than twice that largest difference
#     where this is less, for no rounding outdoes other seeds;
#   - for a number that vanishes in double, and so is rounding itself: twenty times the number;
#   - for a largest error over its bound of rounding ("≤ 1"): the number, and no less than 0.05. It is the largest of
#     thousands of roundings, of which another instruction set draws others; a wrong formula is beyond by powers of ten;
#   - 0 for whole numbers that neither changes.
# `of` is how many states, steps or systems a number was formed of, where its note says "of N": a figure that looks less often
# is noticed though its largest error stays. `of_width` is 1 % of it, or ten times its change in double.
# `clock` marks times: they are those of one machine, and only their verdict is held.
"""


def load(file: pathlib.Path = KEPT) -> dict[str, dict[str, dict]]:
    """figure → name → {verdict, value, width, clock}"""
    figures = tomllib.loads(file.read_text(encoding="utf-8")).get("figure", [])
    return {figure["id"]: {number["name"]: number for number in figure["number"]} for figure in figures}


def samples(number: dict) -> float | None:
    """How many things a number was formed of, from its note: the first "of N"."""
    found = re.search(r"\bof (\d+)\b", number.get("note", ""))
    return float(found[1]) if found else None


def is_near(value: float | None, kept: float | None, allowed: float | None) -> bool:
    if value is None or kept is None:
        return value is None and kept is None
    return abs(value - kept) <= allowed


def differences(result: dict, kept: dict[str, dict], values: bool = True) -> list[str]:
    """What a result.json says otherwise than the kept numbers of its figure."""
    found = []
    seen = set()
    for number in result["numbers"]:
        name = number["name"]
        seen.add(name)
        if name not in kept:
            found.append(f"{name} is new")
            continue
        one = kept[name]
        if number["verdict"] != one["verdict"]:
            found.append(f"{name} is {number['verdict']}, kept is {one['verdict']}")
        elif values and not one.get("clock", False):
            of = samples(number) if number["value"] is not None else None
            if not is_near(number["value"], one.get("value"), one.get("width")):
                found.append(f"{name} is {number['value']}, kept is {one.get('value')} ± {one.get('width')}")
            elif not is_near(of, one.get("of"), one.get("of_width")):
                found.append(f"{name} is of {of}, kept is of {one.get('of')} ± {one.get('of_width')}")
    return found + [f"{name} is gone" for name in kept if name not in seen]


def results(folder: pathlib.Path) -> list[dict]:
    """Of the preset smoke, by figure."""
    read = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*/*/result.json"))]
    return [result for result in read if result["preset"] == "smoke"]


def is_share_of_rounding(number: dict) -> bool:
    return number["kind"] == "closed form" and number["unit"] == "1" and number["expected"] == "≤ 1"


def width(number: dict, in_double: float | None, others: list) -> float:
    """@param others the same number of runs with other seeds"""
    value = number["value"]
    if is_share_of_rounding(number):
        return max(0.05, value)
    change = 0.0 if in_double is None else abs(in_double - value)
    if value != 0 and in_double is not None and abs(in_double) < 1e-3 * abs(value):
        return 20 * abs(value)
    by_seeds = max((abs(other - value) for other in others if other is not None), default=0.0)
    if value == round(value) and change == 0:
        return 0.0
    of = samples(number)
    by_rounding = max(10 * change, 1e-3 * abs(value), 0.1 * by_seeds)
    by_rounding = min(by_rounding, 2 * by_seeds) if by_seeds > 0 else by_rounding
    return max(by_rounding, 3 / of) if of and number["unit"] == "1" and value <= 1 else by_rounding


def values_of(run: list[dict], figure: str) -> list[dict]:
    """Of a figure in the results of a run: name → value, (name, "of") → samples; none or one."""
    return [{number["name"]: number["value"] for number in result["numbers"]}
            | {(number["name"], "of"): samples(number) for number in result["numbers"]}
            for result in run if result["figure"] == figure]  # fmt: skip


def written(first: list[dict], double: list[dict], seeds: list[list[dict]]) -> str:
    text = HEAD
    for result in first:
        figure = result["figure"]
        text += f'\n[[figure]]\nid = "{figure}"\nnumber = [\n'
        in_double = (values_of(double, figure) + [{}])[0]
        others = [one for run in seeds for one in values_of(run, figure)]
        for number in result["numbers"]:
            name = number["name"]
            text += f'  {{ name = "{name}", verdict = "{number["verdict"]}"'
            if "_time_" in name:
                text += ", clock = true"
            elif number["value"] is not None:
                allowed = width(number, in_double.get(name), [other.get(name) for other in others])
                text += f", value = {number['value']!r}, width = {allowed:.2g}"
                if (of := samples(number)) is not None:
                    allowed = max(0.01 * of, 10 * abs((in_double.get((name, "of")) or of) - of))
                    text += f", of = {of:.0f}, of_width = {allowed:.2g}"
            text += " },\n"
        text += "]\n"
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("out", type=pathlib.Path, help="folder of `repose reproduce --out`")
    parser.add_argument("--values", action="store_true", help="hold values too")
    parser.add_argument("--write", action="store_true", help="keep the numbers of OUT")
    parser.add_argument("--double", type=pathlib.Path, help="such a folder of runs in double")
    parser.add_argument("--seeds", nargs="+", type=pathlib.Path, default=[], help="such folders of runs with other seeds")
    arguments = parser.parse_args()
    found = results(arguments.out)
    if arguments.write:
        double = results(arguments.double) if arguments.double else []
        KEPT.write_text(written(found, double, [results(folder) for folder in arguments.seeds]), encoding="utf-8")
        return 0
    kept = load()
    changed = []
    for result in found:
        said = differences(result, kept.get(result["figure"], {}), arguments.values)
        if said:
            more = f" and {len(said) - 1} more" if len(said) > 1 else ""
            changed.append(f"{result['figure']}: {said[0]}{more}")
    if changed:
        print(f"numbers of figures are not those kept in experiments/smoke.toml: {'; '.join(changed)}")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
