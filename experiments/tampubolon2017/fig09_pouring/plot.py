"""Plots of Tampubolon 2017, Figure 9 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import column, groups, legend_below, np, particles, plt, read, save  # noqa: E402

folder = Path(sys.argv[1])
history = read(folder / "history.csv")
grains = read(folder / "particles.csv")
NAMES = {0.0: "without correction", 1.0: "with correction"}
COLOURS = {0.0: "tab:red", 1.0: "tab:blue"}

spacings = sorted({row["h_m"] for row in grains}, reverse=True)
figure, axes = plt.subplots(len(spacings), 2, figsize=(11.0, 1.9 * len(spacings)), sharex=True, sharey=True, layout="constrained")
top = max(row["y_m"] for row in grains)
for line, spacing in zip(np.atleast_2d(axes), spacings):
    for axis, corrected in zip(line, (0.0, 1.0)):
        rows = [row for row in grains if row["h_m"] == spacing and row["corrected"] == corrected]
        disks = particles(axis, column(rows, "x_m"), column(rows, "y_m"), 1.2 * rows[0]["diameter_m"], linewidths=0, cmap="viridis",
                          values=column(rows, "v_c"))
        disks.set_clim(0.0, 1.0)
        for wall in (-0.5, 0.5):
            axis.axvline(wall, color="0.4", lw=1.2)
        axis.axhline(0.0, color="0.4", lw=1.2)
        axis.set(xlim=(-0.52, 0.52), ylim=(-0.01, 1.1 * top), title=f"{NAMES[corrected]}, h {1e3 * spacing:g} mm", aspect="equal")
        axis.grid(False)
figure.colorbar(disks, ax=axes, label="v_c [1], kept with correction alone", shrink=0.8, extend="max")
figure.savefig(folder / "piles.png")
plt.close(figure)

figure, axes = plt.subplots(1, len(spacings), figsize=(5.0 * len(spacings), 4.0), sharey=True)
for axis, spacing in zip(np.atleast_1d(axes), spacings):
    mine = [dict(row, of=(row["corrected"], row["seed"])) for row in history if row["h_m"] == spacing and row["time_s"] > 0.5 and not row["loose"]]
    for (corrected, seed), rows in groups(mine, "of").items():
        first = seed == history[0]["seed"]
        for measure, style in (("cells", "-"), ("density", ":")):
            axis.plot(column(rows, "time_s"), column(rows, f"volume_by_{measure}_m2") / column(rows, "poured_m2"), style,
                      color=COLOURS[corrected], lw=1.2, alpha=1.0 if first else 0.4,
                      label=f"{NAMES[corrected]}, by {measure}" if first else None)
    axis.axvline(1.5, color="0.6", lw=1)
    axis.axhline(1.0, color="black", lw=0.8, ls="--")
    axis.set(xlabel="time [s]", title=f"h = {1e3 * spacing:g} mm", ylim=(0.8, 2.7))
np.atleast_1d(axes)[0].set_ylabel("volume / volume of the grains [1]")
legend_below(np.atleast_1d(axes)[0])
save(figure, folder / "volume.png")
