"""What the plots of the dams share: sand and water seen from the side, and lines in time."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import column, groups, np, particles, plt  # noqa: E402

ROOM = (4.0, 1.6)
DRY, WET, WATER = np.array([225, 169, 95]) / 255.0, np.array([107, 84, 30]) / 255.0, np.array([90, 150, 210]) / 255.0


def sand_and_water(axis, rows):
    """Particles of one time from the side: water behind, sand in front of it, the drier the lighter."""
    for species in ("water", "sand"):
        mine = sorted((row for row in rows if row["species"] == species), key=lambda row: row["z_m"])
        if not mine:
            continue
        dry = column(mine, "dry")[:, None]
        colours = np.repeat(WATER[None], len(mine), 0) if species == "water" else WET + dry * (DRY - WET)
        particles(axis, column(mine, "x_m"), column(mine, "y_m"), mine[0]["diameter_m"], colours, linewidths=0)
    axis.plot([0, 0, ROOM[0], ROOM[0]], [ROOM[1], 0, 0, ROOM[1]], color="0.4", lw=1.0)
    axis.set(xlim=(-0.05, ROOM[0] + 0.05), ylim=(-0.05, 1.25), aspect="equal")
    axis.grid(False)


def dams_in_time(grains, names):
    """A panel for each run (columns, titled) at each of its times (rows)."""
    by_run = groups(grains, "run")
    times = sorted({row["time_s"] for row in grains})
    figure, axes = plt.subplots(len(times), len(names), figsize=(4.2 * len(names), 1.5 * len(times)), sharex=True, sharey=True,
                                layout="constrained", squeeze=False)
    for number, (line, time) in enumerate(zip(axes, times)):
        for axis, name in zip(line, names):
            sand_and_water(axis, [row for row in by_run[name] if row["time_s"] == time])
            if number == 0:
                axis.set_title(names[name], fontsize=10)
        line[0].set_ylabel(f"{time:g} s\ny [m]")
    for axis in axes[-1]:
        axis.set_xlabel("x [m]")
    return figure


def histories(history, names, colours, past=False):
    """Fronts, mixing and cohesion in time; with `past` the share of water behind the dam in the place of mixing."""
    figure, axes = plt.subplots(1, 3, figsize=(15.0, 4.0))
    first_seed = history[0]["seed"]
    for (name, seed), rows in groups([dict(row, of=(row["run"], row["seed"])) for row in history], "of").items():
        style = {"color": colours[name], "lw": 1.4 if seed == first_seed else 0.6}
        label = names[name] if seed == first_seed else None
        time = column(rows, "time_s")
        axes[0].plot(time, column(rows, "water_front_m"), label=label, **style)
        axes[0].plot(time, column(rows, "sand_front_m"), ls=":", **style)
        axes[1].plot(time, column(rows, "water_past" if past else "mixed"), **style)
        axes[2].plot(time, column(rows, "cohesion"), **style)
    for axis, label in zip(axes, ("front of the water, dotted: of the sand [m]",
                                  "share of the water past x 2.6 m [1]" if past else "mixing [1]",
                                  "cohesion over that of dry sand [1]")):
        axis.set(xlabel="time [s]", ylabel=label)
    axes[0].legend(fontsize=8)
    return figure
