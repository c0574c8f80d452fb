"""Plants edits into a copy of the tree behind a switch at run time, REPOSE_MUTANT=NUMBER in the environment."""

import dataclasses
import hashlib
import pathlib
import re
import shutil
import subprocess
import tomllib

from source import changed_span, place_of

SWITCHES = 1 << 20
HEADER = f"""#pragma once
#include <atomic>
#include <cstdio>
#include <cstdlib>
/// Which planted mistake is on (REPOSE_MUTANT in the environment; 0: none), and which places of mistakes a run came by: their
/// numbers are added to the file REPOSE_MUTANT_TRACE at its end.
inline std::atomic<char> repose_mutants_reached[{SWITCHES}];
inline const struct ReposeMutant {{
  const char* trace = std::getenv("REPOSE_MUTANT_TRACE");
  int number = [] {{
    const char* const given = std::getenv("REPOSE_MUTANT");
    const int asked = given != nullptr ? std::atoi(given) : 0;
    return std::getenv("REPOSE_MUTANT_TRACE") != nullptr ? -1 - asked : asked;
  }}();
  /// Steps pass millions of places: what is not traced costs them a comparison or two and no memory.
  bool operator==(int other) const {{
    if (number >= 0) [[likely]] return number == other;
    std::atomic<char>& reached = repose_mutants_reached[other];
    if (reached.load(std::memory_order_relaxed) == 0) reached.store(1, std::memory_order_relaxed);
    return -1 - number == other;
  }}
  ~ReposeMutant() {{
    std::FILE* const file = trace != nullptr ? std::fopen(trace, "a") : nullptr;
    if (file == nullptr) return;
    for (int other = 0; other < {SWITCHES}; ++other)
      if (repose_mutants_reached[other] != 0) std::fprintf(file, "%d\\n", other);
    std::fclose(file);
  }}
}} repose_mutant;
"""


class BadList(Exception):
    """An edit that cannot be planted as it is written."""


@dataclasses.dataclass
class Mutant:
    name: str
    room: str          # reference, optimized, shared, harness
    file: str
    old: str
    new: str
    what: str
    kind: str
    stage: str = ""    # boundary where it must be named; empty where no boundary can show it
    equivalent: str = ""
    drawn: bool = False
    number: int = 0
    form: str = ""
    first: int = 0     # the changed text within the file
    last: int = 0
    part: str = ""     # what stands there instead

    @property
    def switch(self):
        """What REPOSE_MUTANT is where it is asked for: built by itself it is there without."""
        return 0 if self.form == "build" else self.number


def load_lists(folder, root):
    mutants = []
    for path in sorted(pathlib.Path(folder).glob("*.toml")):
        with open(path, "rb") as file:
            for entry in tomllib.load(file).get("mutant", []):
                unknown = set(entry) - {field.name for field in dataclasses.fields(Mutant)}
                if unknown:
                    raise BadList(f"{path.name}: {entry.get('name')}: unknown key {sorted(unknown)[0]}")
                mutants.append(Mutant(**{"room": path.stem.split("_")[0], **entry}))
    names = [mutant.name for mutant in mutants]
    for name in names:
        if names.count(name) > 1:
            raise BadList(f"two mutants are named {name}")
    for mutant in mutants:
        locate(mutant, root)
    return mutants


def give_numbers(mutants):
    """By their names alone, so that a longer list leaves the files that it does not touch as they are built."""
    taken = {0}
    for mutant in mutants:
        mutant.number = int(hashlib.sha256(mutant.name.encode()).hexdigest()[:7], 16) % SWITCHES
        while mutant.number in taken:
            mutant.number = (mutant.number + 1) % SWITCHES
        taken.add(mutant.number)


def argue_equivalents(drawn, folder, root):
    """Gives drawn mutants that change nothing their argument, from the [[equivalent]] entries of the lists."""
    for path in sorted(pathlib.Path(folder).glob("*.toml")):
        with open(path, "rb") as file:
            entries = tomllib.load(file).get("equivalent", [])
        for entry in entries:
            line, changed = entry["old"].strip(), entry["new"].strip()
            source = pathlib.Path(root) / entry["file"]
            if not source.is_file() or line not in {one.strip() for one in source.read_text().split("\n")}:
                raise BadList(f"{path.name}: {entry['file']} has no line '{line}'")
            if not entry.get("argument", "").strip():
                raise BadList(f"{path.name}: {entry['file']}: '{changed}' has no argument")
            for mutant in drawn:
                if (mutant.file, mutant.old.strip(), mutant.new.strip()) == (entry["file"], line, changed):
                    mutant.equivalent = entry["argument"]


def locate(mutant, root):
    """Finds the edit in its file: an edit whose old text is gone, or stands twice, is an error."""
    path = pathlib.Path(root) / mutant.file
    if not path.is_file():
        raise BadList(f"{mutant.name}: there is no {mutant.file}")
    text = path.read_text()
    found = text.count(mutant.old)
    if found != 1:
        raise BadList(f"{mutant.name}: its old text stands {found} times in {mutant.file}, not once")
    if mutant.old == mutant.new:
        raise BadList(f"{mutant.name}: it changes nothing")
    begin = text.index(mutant.old)
    first, last, mutant.part = changed_span(mutant.old, mutant.new)
    mutant.first, mutant.last = begin + first, begin + last


def edited(text, mutant):
    begin = text.index(mutant.old)
    return text[:begin] + mutant.new + text[begin + len(mutant.old):]


def plan(mutants, root):
    """Sets each mutant's form. @returns by file the places, each with the mutants that it holds"""
    by_file = {}
    for mutant in mutants:
        if mutant.form == "build":
            continue
        text = (pathlib.Path(root) / mutant.file).read_text()
        place = place_of(text, mutant.first, mutant.last, mutant.part)
        mutant.form = place.form
        if place.form != "build":
            by_file.setdefault(mutant.file, {}).setdefault((place.first, place.last, place.form, place.cast), []).append(mutant)
    for file, places in by_file.items():
        ends = 0
        for key in sorted(places):
            # A place within another cannot hold a switch of its own.
            if key[0] < ends:
                for mutant in places[key]:
                    mutant.form = "build"
                places[key] = []
            else:
                ends = key[1]
    return {file: {key: held for key, held in places.items() if held} for file, places in by_file.items()}


def switched(text, places):
    """The file with every place replaced by a switch over its mutants."""
    for (first, last, form, cast), held in sorted(places.items(), reverse=True):
        correct = text[first:last]
        forms = []
        for mutant in held:
            forms.append((mutant.number, text[first:mutant.first] + mutant.part + text[mutant.last:last]))
        if form == "value":
            wrap = (lambda value: f"{cast}({value})") if cast else (lambda value: f"({value})")
            new = wrap(correct)
            for number, value in forms:
                new = f"(::repose_mutant == {number} ? {wrap(value)} : {new})"
        else:
            new = "".join(f"if (::repose_mutant == {number}) {{ {statement} }} else " for number, statement in forms)
            new = f"{{ {new}{{ {correct} }} }}"
        # Each place is replaced from the end of the file, so that those before it keep their offsets.
        new = re.sub(r"//[^\n]*", "", new).replace("\n", " ")
        text = text[:first] + new + "\n" * correct.count("\n") + text[last:]
    return text


def copy_tree(root, tree, planted):
    """The files that git knows, as they are in the work tree, but those to be planted; unchanged ones keep their times, and
    build folders stay."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=root, check=True,
                            capture_output=True).stdout.decode().split("\0")
    wanted = {name for name in listed if name and (pathlib.Path(root) / name).is_file()}
    tops = [path for path in pathlib.Path(tree).iterdir() if not path.name.startswith("build")]
    for old in [path for top in tops for path in (top.rglob("*") if top.is_dir() else [top]) if path.is_file()]:
        if str(old.relative_to(tree)) not in wanted | {"mutant_switch.h"}:
            old.unlink()
    for name in wanted - set(planted):
        target = pathlib.Path(tree) / name
        target.parent.mkdir(parents=True, exist_ok=True)
        write_if_changed(target, (pathlib.Path(root) / name).read_bytes())
        shutil.copymode(pathlib.Path(root) / name, target)


def write_if_changed(target, content):
    if not target.is_file() or target.read_bytes() != content:
        target.write_bytes(content)


def plant(mutants, root, tree):
    """A copy of the tree with a switch in it for every mutant that one can hold. Only files that hold one read the switch: all
    others are compiled as ever, or come from a compiler cache."""
    planted = plan(mutants, root)
    copy_tree(root, tree, planted)
    write_if_changed(pathlib.Path(tree) / "mutant_switch.h", HEADER.encode())
    for file, places in planted.items():
        text = (pathlib.Path(root) / file).read_text()
        write_if_changed(pathlib.Path(tree) / file, ('#include "mutant_switch.h"\n' + switched(text, places)).encode())
