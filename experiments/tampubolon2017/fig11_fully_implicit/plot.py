"""Plots of Tampubolon 2017, Figure 11 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import column, groups, np, plt, read, runs_in_time, save, scene_of  # noqa: E402

folder = Path(sys.argv[1])
grains = read(folder / "particles.csv")
h = scene_of(folder)["spacing"]
NAMES = {"semi_implicit_regular": "semi-implicit, regular", "semi_implicit_unilateral": "semi-implicit, unilateral",
         "implicit_unilateral": "implicit, unilateral", "explicit_unilateral": "explicit, unilateral", "explicit_regular": "explicit, regular"}
COLOURS = {"semi_implicit_regular": "tab:orange", "semi_implicit_unilateral": "tab:blue", "implicit_unilateral": "black",
           "explicit_unilateral": "tab:green", "explicit_regular": "0.6"}

figure = runs_in_time(grains, NAMES, 0.44, 0.22)
figure.savefig(folder / "piles.png")
plt.close(figure)

figure, axis = plt.subplots(figsize=(8.0, 3.6))
edges = np.arange(-0.48, 0.48 + h, 2.0 * h)
end = max(row["time_s"] for row in grains)
by_run = groups(grains, "run")
for name in NAMES:
    rows = [row for row in by_run[name] if row["time_s"] == end]
    # Every grain stands for the same share of the block.
    counts, _ = np.histogram(column(rows, "x_m"), edges)
    heights = counts * 0.194**2 / len(rows) / (2.0 * h)
    axis.step(edges[:-1], heights, where="post", color=COLOURS[name], lw=1.3, label=NAMES[name])
axis.set(xlabel="x [m]", ylabel="height of the sand [m]")
axis.legend(fontsize=8)
save(figure, folder / "profiles.png")
