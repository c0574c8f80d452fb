"""Plots of Klár 2016, Figure 10 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import column, groups, np, particles, plt, positive, read, save, scene_of, show_all  # noqa: E402

folder = Path(sys.argv[1])
metrics = read(folder / "metrics.csv")
history = groups(read(folder / "history.csv"), "youngs_modulus_Pa")
grains = groups(read(folder / "particles.csv"), "youngs_modulus_Pa")
colours = dict(zip(history, plt.cm.viridis(np.linspace(0.0, 0.85, len(history)))))
LANDED = metrics[0]["landed_s"]
VISIBLE = 1e3 * metrics[0]["visible_m"]
GROUND = scene_of(folder)["collider"][0]["point"][1]


def name(modulus):
    return f"E = $10^{{{np.log10(modulus):.0f}}}$ Pa"


# Sand at three times.
count = max(len(groups(rows, "time_s")) for rows in grains.values())
figure, axes = plt.subplots(len(grains), count, figsize=(11.0, 6.6), sharex=True, sharey=True, layout="constrained",
                            squeeze=False)
for line, (modulus, rows) in zip(axes, grains.items()):
    for axis, (time, some) in zip(line, groups(rows, "time_s").items()):
        particles(axis, column(some, "x_m"), column(some, "y_m"), 1.4 * some[0]["diameter_m"], linewidths=0.1)
        axis.axhline(GROUND, color="black", lw=0.8)
        axis.grid(False)
        axis.text(0.02, 0.95, f"t = {time:.2f} s", transform=axis.transAxes, va="top")
    line[0].set_ylabel("y [m]")
    line[0].text(0.98, 0.95, name(modulus), transform=line[0].transAxes, va="top", ha="right")
show_all(axes, [row for rows in grains.values() for row in rows], GROUND)
for axis in axes[-1]:
    axis.set_xlabel("x [m]")
figure.savefig(folder / "piles.png")
plt.close(figure)

# Centre of mass and stored energy.
figure, (left, right) = plt.subplots(1, 2, figsize=(10.0, 3.9))
for modulus, rows in history.items():
    time = column(rows, "time_s")
    left.plot(time, 1e3 * column(rows, "centre_height_m"), color=colours[modulus], label=name(modulus), lw=1.2)
    right.semilogy(time, positive(column(rows, "stored_energy")), color=colours[modulus], lw=1.0)
for axis in (left, right):
    axis.axvline(LANDED, color="tab:gray", ls=":", lw=1)
    axis.text(LANDED + 0.02, 0.98, "last sand lands", color="tab:gray", fontsize=8, va="top",
              transform=axis.get_xaxis_transform())
left.set(xlabel="time [s]", ylabel="height of the centre of mass [mm]", ylim=(0, None))
right.set(xlabel="time [s]", ylabel="stored energy / energy of the fall [1]", ylim=(1e-6, 2))
left.legend(fontsize=9, loc="center right")
save(figure, folder / "bounce.png")

# Against the modulus.
figure, (left, right) = plt.subplots(1, 2, figsize=(10.0, 3.9))
first = [row for row in metrics if row["seed"] == 1]
others = [row for row in metrics if row["seed"] != 1]
modulus = column(first, "youngs_modulus_Pa")
left.semilogx(modulus, 1e3 * column(first, "bounce_amplitude_m"), "o-", color="tab:blue", clip_on=False)
if others:
    left.semilogx(column(others, "youngs_modulus_Pa"), 1e3 * column(others, "bounce_amplitude_m"), "o", mfc="none",
                  color="tab:gray", ms=5, label="other seeds", clip_on=False)
    left.legend(fontsize=8)
left.set_yscale("symlog", linthresh=0.1 * VISIBLE, linscale=0.5)  # linear at its foot, so that 0 is shown as 0
left.set_ylim(bottom=0)
left.axhline(VISIBLE, color="tab:gray", ls="--", lw=1)
left.text(modulus[0], VISIBLE, "smallest rise that counts", color="tab:gray", fontsize=8, va="bottom")
for row in first:
    left.annotate(f"{row['bounce_count']:.0f} ×", (row["youngs_modulus_Pa"], 1e3 * row["bounce_amplitude_m"]),
                  textcoords="offset points", xytext=(6, 6), fontsize=9)
left.set(xlabel="Young's modulus [Pa]", ylabel="largest rise of the centre of mass [mm]", title="claim: soft sand bounces")
for key, label, colour in (("height_m", "height", "tab:blue"), ("runout98_m", "run-out (half width of 98 %)", "tab:orange")):
    right.semilogx(modulus, 1e3 * column(first, key), "o-", color=colour, label=label)
    if others:
        right.semilogx(column(others, "youngs_modulus_Pa"), 1e3 * column(others, key), "o", mfc="none", color="tab:gray", ms=5)
right.set(xlabel="Young's modulus [Pa]", ylabel="at the end [mm]", title="claim: the shape converges", ylim=(0, None))
right.legend(fontsize=9)
save(figure, folder / "convergence.png")
