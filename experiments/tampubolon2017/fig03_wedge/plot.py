"""Plots of Tampubolon 2017, Figure 3 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import column, groups, particles, plt, read, save  # noqa: E402

folder = Path(sys.argv[1])
history = read(folder / "history.csv")
grains = [dict(row, of=(row["series"], row["e_c"])) for row in read(folder / "particles.csv")]
NAMES = {"dry": "dry, explicit, E 19", "semi_implicit": "semi-implicit, E 24", "explicit": "explicit, E 24"}
tips = sorted({row["e_c"] for row in history})
colours = {tip: plt.cm.viridis(k / len(tips)) for k, tip in enumerate(tips)}

order = sorted(groups(grains, "of"), key=lambda of: (list(NAMES).index(of[0]), of[1]))
times = sorted({row["time_s"] for row in grains})
half = 1.02 * max(abs(row["x_m"]) for row in grains)
figure, axes = plt.subplots(len(order), len(times), figsize=(4.6 * len(times), 1.25 * len(order)), sharex=True, sharey=True,
                            layout="constrained")
cases = groups(grains, "of")
for line, of in zip(axes, order):
    for axis, time in zip(line, times):
        rows = [row for row in cases[of] if row["time_s"] == time]
        axis.fill([0.0, -0.1155, 0.1155], [0.2, 0.0, 0.0], color="0.8")
        axis.axhline(0.0, color="0.4", lw=1.0)
        particles(axis, column(rows, "x_m"), column(rows, "y_m"), rows[0]["diameter_m"], linewidths=0)
        axis.set(xlim=(-half, half), ylim=(-0.02, 0.36), aspect="equal")
        axis.set_title(f"{NAMES[of[0]]}, $e_c$ {of[1]:g}, {time:g} s", fontsize=7)
        axis.grid(False)
figure.savefig(folder / "wedges.png")
plt.close(figure)

PANELS = {"size_cells": "by cells", "size_half_full_cells": "by half full cells", "size_neighbours": "by neighbours",
          "kept": "neighbours kept [1]", "spread_m": "mean distance from the middle [m]"}
figure, axes = plt.subplots(2, len(PANELS), figsize=(3.6 * len(PANELS), 6.4), sharex=True, sharey="col")
for line, series in zip(axes, ("semi_implicit", "explicit")):
    for (tip, _), rows in groups([dict(row, of=(row["e_c"], row["seed"])) for row in history if row["series"] == series], "of").items():
        for axis, key in zip(line, PANELS):
            axis.plot(column(rows, "time_s"), column(rows, key), color=colours[tip], lw=1.1, label=f"$e_c$ {tip:g}" if rows[0]["seed"] == 1 else None)
    for axis, name in zip(line, PANELS.values()):
        axis.set(xlabel="time [s]", title=f"{NAMES[series]}:\n{name}")
axes[0][0].legend(fontsize=7)
save(figure, folder / "clumps.png")
