"""Plots of a collapsing column of water beside what was measured: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import column, groups, np, particles, plt, read, save  # noqa: E402

folder = Path(sys.argv[1])
history = read(folder / "history.csv")
measured = read(folder / "measured.csv")
fit = read(folder / "fit.csv")[0]
water = read(folder / "particles.csv")

figure, axes = plt.subplots(1, 2, figsize=(10.0, 4.2))
for axis, time, value, share in zip(axes, ("T", "tau"), ("Z", "height"), (1.0, np.sqrt(0.5))):
    points = [row for row in measured if row[value] != ""]
    x, y = column(points, time), column(points, value)
    band = fit["band"] * (y if value == "Z" else 1.0)
    axis.errorbar(x, y, yerr=band, fmt="o", color="black", ms=3.5, lw=0.8, capsize=2, label="Martin and Moyce, as read", zorder=3)
    for (cells, rows), colour in zip(groups(history, "cells").items(), ("tab:green", "tab:orange", "tab:blue")):
        axis.plot(column(rows, time), column(rows, value), color=colour, lw=1.2, label=f"{cells:g} cells")
    axis.plot(column(rows, time) + share * fit["release"], column(rows, value), color=colour, lw=1.2, ls="--",
              label=f"the same, let go at T = {fit['release']:.2f}")
    axis.set(xlim=(0.0, 1.1 * x.max()))
axes[0].set(xlabel="T = t √(2g/a) [1]", ylabel="front Z = x/a [1]", ylim=(0.9, 5.2))
axes[1].set(xlabel="τ = t √(g/a) [1]", ylabel="height / 2a [1]", ylim=(0.0, 1.05))
axes[0].legend(fontsize=8)
save(figure, folder / "front_and_height.png")

moments = groups(water, "T")
figure, axes = plt.subplots(len(moments), 1, figsize=(6.5, 2.1 * len(moments)), sharex=True, layout="constrained")
fastest = column(water, "speed_m_s").max()
for axis, (T, rows) in zip(np.atleast_1d(axes), moments.items()):
    disks = particles(axis, column(rows, "x_m"), column(rows, "y_m"), column(rows, "diameter_m"),
                      values=column(rows, "speed_m_s"), linewidths=0.0, cmap="viridis")
    disks.set_clim(0.0, fastest)
    axis.set(xlim=(-0.005, 1.02 * column(water, "x_m").max()), ylim=(-0.003, 0.12), ylabel="y [m]", title=f"T = {T:.2f}")
np.atleast_1d(axes)[-1].set_xlabel("x [m]")
figure.colorbar(disks, ax=axes, label="speed [m/s]", shrink=0.8)
figure.savefig(folder / "water.png")
plt.close(figure)
