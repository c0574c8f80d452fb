"""Plots of Klár 2016, Figure 14 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import cone_slope, column, groups, np, particles, plt, read, save, scene_of, show_all  # noqa: E402

folder = Path(sys.argv[1])
history = read(folder / "history.csv")
grains = groups(read(folder / "particles.csv"), "time_s")
CASES = {1: ("#2e8b3d", "I: inside, sticks"), 3: ("#2a5db0", "III: surface, slips"), 2: ("#c8322b", "II: tip, separates")}
scene = scene_of(folder)
ALPHA = cone_slope(scene["material"][0]["friction_angle_deg"])
GROUND = scene["collider"][0]["point"][1]

figure, axes = plt.subplots(len(grains), 2, figsize=(11.0, 2.75 * len(grains)), layout="constrained", squeeze=False,
                            width_ratios=[2.3, 1.0], sharex="col", sharey="col")
lowest = min(min(row["tau_2_Pa"] for row in rows) for rows in grains.values()) / 1e3
for (left, right), (time, rows) in zip(axes, grains.items()):
    colour = [CASES[int(row["case"])][0] for row in rows]
    particles(left, column(rows, "x_m"), column(rows, "y_m"), 1.15 * rows[0]["diameter_m"], colours=colour, linewidths=0)
    left.set_ylabel("y [m]")
    left.axhline(GROUND, color="black", lw=0.8)
    left.text(0.02, 0.95, f"t = {time:.2f} s", transform=left.transAxes, va="top")
    left.grid(False)
    # In two dimensions: ‖dev τ‖ = |τ1 − τ2|/√2 and tr τ = τ1 + τ2; the cone is a wedge.
    for case in (1, 3, 2):
        some = [row for row in rows if int(row["case"]) == case]
        right.plot(column(some, "tau_1_Pa") / 1e3, column(some, "tau_2_Pa") / 1e3, ".", ms=2, color=CASES[case][0], alpha=0.6)
    slope = (1.0 - np.sqrt(2.0) * ALPHA) / (1.0 + np.sqrt(2.0) * ALPHA)
    t = np.array([0.0, 1.3 * lowest])
    right.plot(slope * t, t, "-", color="black", lw=1)
    right.plot(t, slope * t, "-", color="black", lw=1)
    right.plot([0, lowest], [0, lowest], ":", color="tab:gray", lw=1)
    right.set(xlim=(1.05 * lowest, -0.05 * lowest), ylim=(1.05 * lowest, -0.05 * lowest), aspect="equal", ylabel="$τ_2$ [kPa]")
show_all(axes[:, 0], [row for rows in grains.values() for row in rows], GROUND)
axes[-1, 0].set_xlabel("x [m]")
axes[-1, 1].set_xlabel("$τ_1$ [kPa], the larger principal stress")
for colour, label in CASES.values():
    axes[0, 0].plot([], [], "o", color=colour, label=label)
axes[0, 0].legend(loc="upper right", fontsize=9)
axes[0, 1].plot([], [], "-", color="black", label="yield surface")
axes[0, 1].plot([], [], ":", color="tab:gray", label="no shear")
axes[0, 1].legend(fontsize=8, loc="upper left")
figure.savefig(folder / "column.png")
plt.close(figure)

figure, axis = plt.subplots(figsize=(7.0, 3.6))
time = column(history, "time_s")
axis.stackplot(time, column(history, "inside"), column(history, "surface"), column(history, "tip"),
               colors=[CASES[1][0], CASES[3][0], CASES[2][0]], labels=[CASES[1][1], CASES[3][1], CASES[2][1]], alpha=0.85)
axis.set(xlabel="time [s]", ylabel="share of particles [1]", xlim=(0, time[-1]), ylim=(0, 1))
axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
save(figure, folder / "shares.png")
