"""Plots of Klár 2016, Figure 16 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import cone_slope, column, groups, np, particles, plt, read, save, scene_of, show_all  # noqa: E402

folder = Path(sys.argv[1])
history = groups(read(folder / "history.csv"), "marked")
slips = read(folder / "slips.csv")
grains = read(folder / "particles.csv")
scene = scene_of(folder)
H0, H1, H2, H3 = (scene["material"][0][key] for key in ("h0_deg", "h1_deg", "h2", "h3_deg"))
COLOURS = {1: "tab:red", 2: "tab:blue", 3: "tab:green"}

figure = plt.figure(figsize=(10.5, 7.0), layout="constrained")
grid = figure.add_gridspec(2, 2, height_ratios=[1.0, 1.3])
axis = figure.add_subplot(grid[0, :])
disks = particles(axis, column(grains, "x_m"), column(grains, "y_m"), 1.2 * grains[0]["diameter_m"],
                  values=column(grains, "q"), cmap="YlOrBr", linewidths=0)
disks.set_clim(0, np.quantile(column(grains, "q"), 0.98))
for mark, rows in history.items():
    axis.plot(column(rows, "x_m"), column(rows, "y_m"), "-", color=COLOURS[mark], lw=1)
    axis.plot(rows[-1]["x_m"], rows[-1]["y_m"], "o", ms=8, mec="black", color=COLOURS[mark], label=f"marked particle {mark:g}")
show_all(axis, grains + [{**row, "diameter_m": grains[0]["diameter_m"]} for rows in history.values() for row in rows],
         scene["collider"][0]["point"][1])
axis.set(xlabel="x [m]", ylabel="y [m]", title="at the end, with the marked particles' paths")
axis.grid(False)
axis.legend(fontsize=8)
figure.colorbar(disks, ax=axis, label="hardening state q [1]", shrink=0.7, extend="max")

axis = figure.add_subplot(grid[1, 0])
for mark, rows in history.items():
    axis.plot(column(rows, "time_s"), column(rows, "q"), color=COLOURS[mark], label=f"particle {mark:g}")
axis.set(xlabel="time [s]", ylabel="hardening state q [1]", ylim=(0, None))
axis.legend(fontsize=9)

axis = figure.add_subplot(grid[1, 1])
length = 1.1 * max(np.hypot(column(rows, "tau_1_Pa"), column(rows, "tau_2_Pa")).max() for rows in history.values()) / 1e3
for mark, rows in history.items():
    for row, style in ((rows[0], ":"), (rows[-1], "-")):
        tilt = np.arctan(np.sqrt(2.0) * cone_slope(row["friction_angle_deg"]))  # |τ1 − τ2| = √2 α |tr τ|
        for sign in (-1, 1):
            turned = 0.25 * np.pi + sign * tilt
            axis.plot([0, -length * np.cos(turned)], [0, -length * np.sin(turned)], style, color="black" if style == ":" else COLOURS[mark], lw=1.2)
    axis.plot(column(rows, "tau_1_Pa") / 1e3, column(rows, "tau_2_Pa") / 1e3, ".", ms=3, color=COLOURS[mark])
axis.plot([], [], ":", color="black", label="cone at the start")
axis.plot([], [], "-", color="black", label="cone at the end")
axis.plot([], [], ".", color="black", label="stress at frames")
axis.set(xlabel="$τ_1$ [kPa], the larger principal stress", ylabel="$τ_2$ [kPa]", aspect="equal")
axis.legend(fontsize=8, loc="upper left")
figure.savefig(folder / "marked.png")
plt.close(figure)

figure, axis = plt.subplots(figsize=(7.0, 4.0))
q = np.linspace(0, max(6.0, min(12.0, 1.05 * column(slips, "q").max()), 1.05 * max(rows[-1]["q"] for rows in history.values())), 400)
axis.plot(q, H0 + (H1 * q - H3) * np.exp(-H2 * q), "-", color="black", lw=1.2,
          label=f"Klár 2016, Eq. 30: {H0:g}/{H1:g}/{H2:g}/{H3:g}")
axis.plot(column(slips, "q"), column(slips, "angle_deg"), ".", ms=3, color="tab:blue", alpha=0.5, label="from the stress of slipping particles")
for mark, rows in history.items():
    axis.plot(rows[-1]["q"], rows[-1]["friction_angle_deg"], "o", ms=8, mec="black", color=COLOURS[mark], label=f"marked particle {mark:g} at the end")
axis.set(xlabel="hardening state q [1]", ylabel="friction angle φ [°]", xlim=(0, q[-1]))
axis.legend(fontsize=9, loc="lower right")
save(figure, folder / "curve.png")
