"""Mistakes drawn by a seed from the lines of the numerics: nobody chose them."""

import pathlib
import random
import re
import subprocess

from plant import Mutant, locate
from source import blanked

FOLDERS = {"reference": ["reference/physics", "reference/solver", "reference/mpm"], "optimized": ["optimized/mpm", "optimized/law", "optimized/nodes", "optimized/simd", "optimized/implicit", "optimized/layout"],
           "shared": ["reference/interface"]}
# Text, reading and names are no numerics.
LEFT_OUT = re.compile(r"(scene_file|toml_|_keys|scene/key|scene/part|_names|error|state_snapshot|probe|choose_target|README|\.txt)")
# So are times for reports and estimates of how much work is worth a second thread or how much memory it takes: they change
# no state, and what they are held to is held by tests with margins of their own.
NO_STATE = re.compile(r"/footprint\.|/scene_size\.")
NO_STATE_LINE = re.compile(r"seconds_|steady_clock|_ns\b|\bseconds\b.*\bstage")
# How many roundings an allowance grants is an upper estimate: a hundredth of it means nothing.
ALLOWANCE = re.compile(r"epsilon|0x1p-5[0-9]|\b(eps|unit)\b")
# Where a file's work first shows. Of what several stages stand on (kernels, sums, vectors, layout) no place is asked for.
STAGES = [(r"/implicit_|stress_derivative|optimized/implicit/", "collisions"), (r"mpm/transfer_to_grid", "p2g"),
          (r"mpm/forces", "forces|collisions"), (r"mpm/collisions", "collisions"), (r"mpm/friction", "friction"),
          (r"(mpm|nodes)/contacts?\.", "collisions|friction"), (r"mpm/grid_stages", "forces|collisions|friction"),
          (r"mpm/transfer_to_particles", "g2p"), (r"mpm/update_particles", "update"), (r"mpm/plasticity\.", "plasticity"),
          (r"mpm/p2g-inl", "p2g|forces"), (r"mpm/(g2p|gather|gather_quadratic|gather_cubic|row_gather|update|plasticity)-inl", "g2p|update|plasticity"),
          (r"physics/(hencky|svd)", "forces|collisions|plasticity"), (r"physics/hardening", "collisions|plasticity"),
          # The cone's tip is where the unilateral energy opens, too.
          (r"physics/drucker_prager", "forces|collisions|plasticity")]
OPERATORS = [(r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "), (r" / ", " * "), (r" < ", " <= "), (r" <= ", " < "),
             (r" > ", " >= "), (r" >= ", " > "), (r" && ", " || "), (r" == ", " != "), (r" \+= ", " -= "), (r" -= ", " += ")]


def operator(line, code, rng):
    found = [(match, swap) for pattern, swap in OPERATORS for match in re.finditer(pattern, code)]
    if not found:
        return None
    match, swap = rng.choice(found)
    return line[:match.start()] + swap + line[match.end():], f"{match.group(0).strip()} becomes {swap.strip()}"


def term(line, code, rng):
    found = list(re.finditer(r" [+\-*] [\w.]+(\[[^\[\]]*\])?(?=[ ;)])", code))
    if not found:
        return None
    match = rng.choice(found)
    return line[:match.start()] + line[match.end():], f"'{match.group(0).strip()}' is dropped"


def index(line, code, rng):
    found = list(re.finditer(r"\[(\w+)\]", code))
    if not found:
        return None
    match = rng.choice(found)
    inside = match.group(1)
    shifted = str(int(inside) + 1) if inside.isdigit() else f"{inside} > 0 ? {inside} - 1 : {inside}"
    return line[:match.start(1)] + shifted + line[match.end(1):], f"index {inside} is shifted"


def constant(line, code, rng):
    found = list(re.finditer(r"(?<![\w.])\d+\.\d+(?![\w.])", code))
    if not found or ALLOWANCE.search(code):
        return None
    match = rng.choice(found)
    if float(match.group(0)) == 0.0:
        return None
    return line[:match.start()] + f"({match.group(0)} * 1.01)" + line[match.end():], f"{match.group(0)} grows by 1 %"


WAYS = {"operator": operator, "term": term, "index": index, "constant": constant}


def lines_of(root, room):
    listed = subprocess.run(["git", "ls-files", *FOLDERS[room]], cwd=root, check=True, capture_output=True, text=True).stdout
    for name in listed.split():
        if LEFT_OUT.search(name) or NO_STATE.search(name) or not name.endswith((".h", ".cpp")):
            continue
        text = (pathlib.Path(root) / name).read_text()
        code = blanked(text)
        for line, bare in zip(text.split("\n"), code.split("\n")):
            if ";" in bare and not NO_STATE_LINE.search(bare) and text.count("\n" + line + "\n") == 1 and not re.match(r"\s*(using|template|return;|#|throw|static_assert|extern)", bare):
                yield name, line, bare


def stage_of(name):
    return next((stage for pattern, stage in STAGES if re.search(pattern, name)), "")


def draw(root, count, seed):
    rng = random.Random(seed)
    lines = {room: list(lines_of(root, room)) for room in FOLDERS}
    drawn = []
    used = set()
    while len(drawn) < count:
        # Rooms in turn, ways in turn: else whichever has the most lines and operators would have them all.
        room = list(FOLDERS)[len(drawn) % len(FOLDERS)]
        way = list(WAYS)[len(drawn) // len(FOLDERS) % len(WAYS)]
        name, line, bare = rng.choice(lines[room])
        made = WAYS[way](line, bare, rng)
        if made is None or (name, line) in used:
            continue
        used.add((name, line))
        mutant = Mutant(name=f"drawn_{seed}_{len(drawn) + 1:03}", room=room, file=name, old=f"\n{line}\n", new=f"\n{made[0]}\n",
                        what=f"{made[1]}: {line.strip()}", kind=way, stage=stage_of(name), drawn=True)
        locate(mutant, root)
        drawn.append(mutant)
    return drawn
