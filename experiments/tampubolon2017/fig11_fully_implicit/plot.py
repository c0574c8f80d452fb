"""Plots of Tampubolon 2017, Figure 11 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import column, groups, np, particles, plt, read, save, scene_of  # noqa: E402

folder = Path(sys.argv[1])
grains = read(folder / "particles.csv")
h = scene_of(folder)["spacing"]
NAMES = {"semi_implicit_regular": "semi-implicit, regular", "semi_implicit_unilateral": "semi-implicit, unilateral",
         "implicit_unilateral": "implicit, unilateral", "explicit_unilateral": "explicit, unilateral", "explicit_regular": "explicit, regular"}
COLOURS = {"semi_implicit_regular": "tab:orange", "semi_implicit_unilateral": "tab:blue", "implicit_unilateral": "black",
           "explicit_unilateral": "tab:green", "explicit_regular": "0.6"}

by_run = groups(grains, "run")
times = sorted({row["time_s"] for row in grains})
figure, axes = plt.subplots(len(times), len(NAMES), figsize=(3.2 * len(NAMES), 1.3 * len(times)), sharex=True, sharey=True,
                            layout="constrained")
for number, (line, time) in enumerate(zip(axes, times)):
    for axis, name in zip(line, NAMES):
        rows = [row for row in by_run[name] if row["time_s"] == time]
        particles(axis, column(rows, "x_m"), column(rows, "y_m"), rows[0]["diameter_m"], linewidths=0)
        for wall in (-0.44, 0.44):
            axis.axvline(wall, color="0.4", lw=1.0)
        axis.axhline(0.0, color="0.4", lw=1.0)
        axis.set(xlim=(-0.46, 0.46), ylim=(-0.02, 0.22), aspect="equal")
        axis.grid(False)
        if number == 0:
            axis.set_title(NAMES[name], fontsize=9)
    line[0].set_ylabel(f"{time:g} s")
figure.savefig(folder / "piles.png")
plt.close(figure)

figure, axis = plt.subplots(figsize=(8.0, 3.6))
edges = np.arange(-0.48, 0.48 + h, 2.0 * h)
for name in NAMES:
    rows = [row for row in by_run[name] if row["time_s"] == times[-1]]
    # Every grain stands for the same share of the block.
    counts, _ = np.histogram(column(rows, "x_m"), edges)
    heights = counts * 0.194**2 / len(rows) / (2.0 * h)
    axis.step(edges[:-1], heights, where="post", color=COLOURS[name], lw=1.3, label=NAMES[name])
axis.set(xlabel="x [m]", ylabel="height of the sand [m]")
axis.legend(fontsize=8)
save(figure, folder / "profiles.png")
