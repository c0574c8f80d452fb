"""Plots of Klár 2016, Figure 17 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from matplotlib.colors import LogNorm  # noqa: E402
from plotting import column, groups, np, particles, plt, positive, read, save, scene_of, show_all  # noqa: E402

folder = Path(sys.argv[1])
metrics = read(folder / "metrics.csv")
history = read(folder / "history.csv")
grains = read(folder / "particles.csv")
ENDS, FALL = metrics[0]["poured_until_s"], metrics[0]["fall_speed_m_per_s"]
UNSTABLE = metrics[0]["unstable_over_free_fall"]
NAMES = {"apic": "APIC", "flip": "FLIP", "flip_pic": "0.95 FLIP + 0.05 PIC", "pic": "PIC"}
COLOURS = {"apic": "tab:blue", "flip": "tab:red", "flip_pic": "tab:orange", "pic": "tab:green"}

# The piles at the end, by unseen speed.
figure, axes = plt.subplots(2, 2, figsize=(11.0, 4.2), sharex=True, sharey=True, layout="constrained")
norm = LogNorm(1e-5, 1e0)
for axis, (name, rows) in zip(axes.flat, groups(grains, "transfer").items()):
    disks = particles(axis, column(rows, "x_m"), column(rows, "y_m"), 1.2 * rows[0]["diameter_m"], norm=norm, cmap="inferno", linewidths=0,
                      values=column(rows, "unseen_speed_m_per_s"))
    axis.set_title(NAMES[name])
    axis.grid(False)
show_all(axes, grains, scene_of(folder)["collider"][0]["point"][1])
for axis in axes[1]:
    axis.set_xlabel("x [m]")
for axis in axes[:, 0]:
    axis.set_ylabel("y [m]")
figure.colorbar(disks, ax=axes, label="unseen speed [m/s]", shrink=0.9, extend="both")
figure.savefig(folder / "piles.png")
plt.close(figure)


def band(axis, name, value):
    """Mean and range over seeds against time; a run that ended early ends the band."""
    runs = list(groups([row for row in history if row["transfer"] == name], "seed").values())
    length = min(len(rows) for rows in runs)
    time = column(runs[0][:length], "time_s")
    values = np.array([value(rows[:length]) for rows in runs])
    axis.fill_between(time, values.min(axis=0), values.max(axis=0), color=COLOURS[name], alpha=0.2, lw=0)
    axis.plot(time, values.mean(axis=0), color=COLOURS[name], label=NAMES[name], lw=1.2)


figure, (left, right) = plt.subplots(1, 2, figsize=(10.0, 3.9))
for name in groups(history, "transfer"):
    band(left, name, lambda rows: positive(column(rows, "unseen_speed_m_per_s")))
    band(right, name, lambda rows: column(rows, "unseen_energy_J") / positive(column(rows, "kinetic_energy_J")))
left.set(yscale="log", ylim=(1e-6, 10), xlabel="time [s]", ylabel="unseen velocity, root mean square [m/s]")
right.set(ylim=(0, 1.02), xlabel="time [s]", ylabel="unseen share of the kinetic energy [1]")
for axis in (left, right):
    axis.axvline(ENDS, color="tab:gray", ls=":", lw=1)
    axis.text(1.01 * ENDS, 0.97, "pouring ends", color="tab:gray", fontsize=8, va="top", transform=axis.get_xaxis_transform())
left.legend(fontsize=8, loc="lower left")
save(figure, folder / "unseen.png")

# Speeds: over time, and in all cases tried.
figure, (left, right) = plt.subplots(1, 2, figsize=(10.0, 3.9))
for name in groups(history, "transfer"):
    band(left, name, lambda rows: column(rows, "max_speed_m_per_s"))
left.axhline(FALL, color="black", ls="--", lw=1, label="free fall to the ground")
left.set(xlabel="time [s]", ylabel="largest speed [m/s]", ylim=(0, None))
left.legend(fontsize=8)
for name, marker, shift in (("apic", "o", -0.012), ("flip", "s", 0.012)):
    rows = [row for row in metrics if row["transfer"] == name]
    for per_cell, some in sorted(groups(rows, "particles_per_cell").items()):
        right.plot(column(some, "elastic_bound") + shift, column(some, "max_speed_over_free_fall"), marker, ms=7,
                   mfc="none" if per_cell < 10 else COLOURS[name], color=COLOURS[name], alpha=0.8,
                   label=f"{NAMES[name]}, {per_cell:g} per cell")
    ended = [row for row in rows if row["failed"]]
    right.plot(column(ended, "elastic_bound") + shift, column(ended, "max_speed_over_free_fall"), "x", ms=14, mew=2,
               color="black", label="ended by an error" if ended else None)
right.axhline(1.0, color="black", ls="--", lw=1)
right.axhline(UNSTABLE, color="tab:gray", ls=":", lw=1)
right.text(0.02, UNSTABLE, "unstable above", color="tab:gray", fontsize=8, va="bottom", transform=right.get_yaxis_transform())
right.set(xlabel="c Δt/h [1], marks set apart by 0.024", ylabel="largest speed / free fall [1]", xlim=(0, 1.1 * column(metrics, "elastic_bound").max()),
          ylim=(0.5, max(1.4 * UNSTABLE, 1.1 * np.nanmax(column(metrics, "max_speed_over_free_fall")))))
right.legend(fontsize=8, loc="upper left", ncols=2)
save(figure, folder / "speeds.png")
