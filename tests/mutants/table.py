"""What became of each mutant, as lines and as JSON."""

import fnmatch

ROOMS = ("reference", "optimized", "shared", "harness")


def at_place(stage, wanted):
    """Whether a boundary is one of those wanted ("collisions|friction"; "load *" is any load)."""
    return any(fnmatch.fnmatchcase(stage, pattern) for pattern in wanted.split("|"))


def rows(mutants, results, key_of):
    found = []
    for mutant in mutants:
        result = results.get(key_of(mutant))
        by = ("equivalent" if mutant.equivalent else "not run" if result is None or result.get("asks") else
              result["by"] or "survived")
        stage = (result or {}).get("stage", "")
        place = "" if by != "verify" or not mutant.stage else "right" if at_place(stage, mutant.stage) else "wrong"
        found.append({"name": mutant.name, "room": mutant.room, "list": "drawn" if mutant.drawn else "written",
                      "kind": mutant.kind, "what": mutant.what, "file": mutant.file, "by": by, "case": (result or {}).get("case", ""),
                      "stage": stage, "wanted_stage": mutant.stage, "place": place, "argument": mutant.equivalent})
    return found


def share(part, whole):
    return "-" if whole == 0 else f"{part} of {whole} ({100 * part / whole:.0f} %)"


def rates(rows_of):
    """By verify, by anything, and rightly placed, of those that were run, are no equivalents and compile."""
    run = [row for row in rows_of if row["by"] in ("verify", "tests", "survived")]
    placed = [row for row in run if row["place"]]
    return {"run": len(run), "verify": sum(row["by"] == "verify" for row in run),
            "noticed": sum(row["by"] != "survived" for row in run),
            "placed": len(placed), "right": sum(row["place"] == "right" for row in placed)}


def text(all_rows):
    lines = [f"{'mutant':<44} {'room':<10} {'noticed by':<11} {'at':<12} {'wanted':<11} case"]
    for row in all_rows:
        lines.append(f"{row['name']:<44} {row['room']:<10} {row['by']:<11} {row['stage'] or '-':<12} "
                     f"{row['wanted_stage'] or '-':<11} {row['case']}")
    lines.append("")
    for kind in ("written", "drawn"):
        for room in ROOMS:
            some = [row for row in all_rows if row["room"] == room and row["list"] == kind]
            if not some:
                continue
            rate = rates(some)
            lines.append(f"{kind}, {room}: verify {share(rate['verify'], rate['run'])}, all tests "
                         f"{share(rate['noticed'], rate['run'])}, at the right boundary {share(rate['right'], rate['placed'])}")
    return "\n".join(lines)


def summary(all_rows, revision):
    lists = {}
    for kind in ("written", "drawn"):
        lists[kind] = {room: rates([row for row in all_rows if row["room"] == room and row["list"] == kind]) for room in ROOMS}
    return {"revision": revision, "summary": lists, "mutants": all_rows,
            "survivors": [row["name"] for row in all_rows if row["by"] == "survived"]}
