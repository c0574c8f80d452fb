"""Plots of Tampubolon 2017, Figure 8 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import column, groups, legend_below, np, particles, plt, read, save  # noqa: E402

folder = Path(sys.argv[1])
history = read(folder / "history.csv")
rests = read(folder / "metrics.csv")
grains = read(folder / "particles.csv")
BETWEEN = rests[0]["between_turns_s"]
NAMES = {0.0: "without correction", 1.0: "with correction"}
COLOURS = {0.0: "tab:red", 1.0: "tab:blue"}

# The glass at each rest, at the finer spacing.
finest = min(row["h_m"] for row in grains)
shown = [row for row in grains if row["h_m"] == finest]
turns = sorted({int(row["turns"]) for row in shown})
figure, axes = plt.subplots(2, len(turns), figsize=(3.1 * len(turns) + 1.0, 8.4), sharex=True, sharey=True, layout="constrained")
for line, corrected in zip(axes, (0.0, 1.0)):
    for axis, turn in zip(line, turns):
        rows = [row for row in shown if row["corrected"] == corrected and row["turns"] == turn]
        disks = particles(axis, column(rows, "x_m"), column(rows, "y_m"), 1.2 * rows[0]["diameter_m"], linewidths=0, cmap="viridis",
                          values=column(rows, "v_c") if corrected else np.zeros(len(rows)))
        disks.set_clim(0.0, 1.0)
        for side in (-0.22, 0.22):
            axis.add_patch(plt.Circle((side, 0.0), 0.2, color="0.8"))
        axis.set(xlim=(-0.2, 0.2), ylim=(-0.45, 0.45), aspect="equal",
                 title=f"{NAMES[corrected]}\n" + (f"after turn {turn}" if turn else "before a turn"))
        axis.grid(False)
figure.colorbar(disks, ax=axes, label="v_c [1], kept with correction alone", shrink=0.7, extend="max")
figure.savefig(folder / "glasses.png")
plt.close(figure)

# Volume against time.
spacings = sorted({row["h_m"] for row in history}, reverse=True)
figure, axes = plt.subplots(1, len(spacings), figsize=(5.0 * len(spacings), 4.0), sharey=True)
for axis, spacing in zip(np.atleast_1d(axes), spacings):
    for (corrected, seed), rows in groups([dict(row, of=(row["corrected"], row["seed"])) for row in history if row["h_m"] == spacing], "of").items():
        first = seed == history[0]["seed"]
        for measure, style in (("volume_by_cells", "-"), ("volume_by_density", ":")):
            axis.plot(column(rows, "time_s"), column(rows, measure), style, color=COLOURS[corrected], lw=1.2, alpha=1.0 if first else 0.4,
                      label=f"{NAMES[corrected]}, by {measure.split('_')[-1]}" if first else None)
    for turn in turns[1:]:
        axis.axvline(turn * BETWEEN, color="0.6", lw=1)
    axis.axhline(1.0, color="black", lw=0.8, ls="--")
    axis.set(xlabel="time [s]", title=f"h = {1e3 * spacing:.3g} mm")
np.atleast_1d(axes)[0].set_ylabel("volume / volume of the grains [1]")
legend_below(np.atleast_1d(axes)[0])
save(figure, folder / "volume.png")
