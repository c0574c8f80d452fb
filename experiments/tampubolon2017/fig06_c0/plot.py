"""Plots of Tampubolon 2017, Figure 6 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import column, groups, particles, plt, positive, read, save  # noqa: E402

folder = Path(sys.argv[1])
history = read(folder / "history.csv")
grains = read(folder / "particles.csv")
READINGS = {"per_cent": "per cent", "plain": "plain", "plain_dense": "plain, ρ 20"}
openings = sorted({row["c0"] for row in history if row["c0"]})
colours = {c0: plt.cm.viridis(k / len(openings)) for k, c0 in enumerate(openings)}

# Blocks, in explicit steps: a row per c₀, Hencky's energy last.
figure, axes = plt.subplots(len(openings) + 1, 6, figsize=(19.0, 6.2), sharex=True, sharey=True, layout="constrained")
for rows in groups(grains, "case").values():
    first = rows[0]
    line = openings.index(first["c0"]) if first["c0"] else len(openings)
    for k, when in enumerate(("early", "late")):
        axis = axes[line][2 * list(READINGS).index(first["reading"]) + k]
        some = [row for row in rows if row["when"] == when]
        if not some:
            continue
        particles(axis, column(some, "x_m"), column(some, "y_m"), some[0]["diameter_m"], linewidths=0)
        name = f"$c_0$ {first['c0']:g}" if first["c0"] else "Hencky"
        axis.set_title(f"{READINGS[first['reading']]}: {name}, {some[0]['time_s']:.2f} s", fontsize=8)
for axis in axes.flat:
    axis.set(xlim=(-0.5, 0.5), ylim=(-0.02, 0.2), aspect="equal")
    axis.grid(False)
    if axis.collections:
        axis.axhline(0.0, color="0.4", lw=1.0)
    else:
        axis.axis("off")
figure.savefig(folder / "blocks.png")
plt.close(figure)

figure, axes = plt.subplots(4, len(READINGS), figsize=(13.0, 12.0), sharex=True, sharey="row")
for rows in groups(history, "case").values():
    first = rows[0]
    style = {"color": colours[first["c0"]] if first["c0"] else "black", "ls": "--" if first["steps"] == "explicit" else "-", "lw": 1.3}
    name = f"$c_0$ {first['c0']:g}, {first['steps'].replace('_', '-')}" if first["c0"] else "Hencky, semi-implicit"
    at = list(READINGS).index(first["reading"])
    time = column(rows, "time_s")
    for line, key in enumerate(("by_cells", "height_m", "none", "least_J")):
        values = column(rows, key)
        axes[line][at].plot(time, positive(values) if line == 3 else values, label=name, **style)
    if first["c0"] == openings[0] and first["steps"] != "explicit":
        axes[1][at].plot(time, column(rows, "unborne_m"), ":", color="tab:red", lw=1.3, label="borne by nothing")
for line, name in enumerate(("volume by cells / that of the grains", "mean height [m]", "share of the sand with h = 0", "smallest J")):
    axes[line][0].set_ylabel(name)
for axis in axes[3]:
    axis.set_yscale("log")
    axis.set_xlabel("time [s]")
for axis, name in zip(axes[0], READINGS.values()):
    axis.set_title(name)
axes[1][1].legend(fontsize=6)
save(figure, folder / "volume.png")
