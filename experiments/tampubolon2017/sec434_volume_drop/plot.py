"""Plots of Tampubolon 2017, §4.3.4 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import column, groups, np, particles, plt, read, save  # noqa: E402

folder = Path(sys.argv[1])
history = read(folder / "history.csv")
grains = read(folder / "particles.csv")

spacing = min(row["h_m"] for row in grains)
shown = groups([dict(row, of=(row["kernel"], row["corrected"])) for row in grains if row["h_m"] == spacing], "of")
figure, axes = plt.subplots(1, len(shown), figsize=(3.0 * len(shown) + 1.0, 5.0), sharey=True, layout="constrained")
for axis, ((kernel, corrected), rows) in zip(axes, sorted(shown.items(), reverse=True)):
    disks = particles(axis, column(rows, "x_m"), column(rows, "y_m") - 0.1, rows[0]["diameter_m"], linewidths=0, cmap="viridis",
                      values=column(rows, "v_c"))
    disks.set_clim(0.0, 1.0)
    for wall in (0.12, 0.52):
        axis.axvline(wall, color="0.4", lw=1.2)
    axis.axhline(0.0, color="0.4", lw=1.2)
    axis.axhline(0.4, color="tab:red", lw=1.0, ls="--")
    axis.set(xlim=(0.08, 0.56), ylim=(-0.03, 1.0), aspect="equal", xlabel="x [m]",
             title=f"{kernel}, h {1e3 * spacing:g} mm\n{'with' if corrected else 'without'} correction")
    axis.grid(False)
axes[0].set_ylabel("height above the floor [m]")
figure.colorbar(disks, ax=axes, label="v_c [1]", shrink=0.7, extend="max")
figure.savefig(folder / "fills.png")
plt.close(figure)

figure, axes = plt.subplots(1, 2, figsize=(10.5, 4.2))
usual = [row for row in history if row["step_share"] == 1 and row["solver"] == history[0]["solver"]
         and (row["hardens"] or row["hardening_apart"] == "opening")]
COLOURS = {"quadratic": "tab:blue", "cubic": "tab:red"}
for (kernel, h, corrected, hardens, rule), rows in groups(
        [dict(row, of=(row["kernel"], row["h_m"], row["corrected"], row["hardens"], row["hardening_apart"])) for row in usual], "of").items():
    style = "-" if not hardens else "--" if rule == "opening" else ":"
    width = 1.6 if h == spacing else 0.9
    name = f"{kernel}, h {1e3 * h:g} mm" + ("" if corrected else ", uncorrected") + (f", hardening while {rule.replace('_', ' ')}" if hardens else "")
    for axis, key in zip(axes, ("fill", "mean_v_c")):
        axis.plot(column(rows, "time_s"), column(rows, key), style, color=COLOURS[kernel], lw=width, alpha=1.0 if corrected else 0.4,
                  label=name)
axes[0].axhline(1.0, color="black", lw=0.8, ls="--")
axes[0].set(xlabel="time [s]", ylabel="fill over that of the block [1]", ylim=(0.8, 3.2))
axes[1].set(xlabel="time [s]", ylabel="mean $v_c$ [1]")
axes[0].legend(fontsize=6)
save(figure, folder / "history.png")
