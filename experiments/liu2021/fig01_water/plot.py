"""Plots of Liu 2021, Figure 1 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import column, groups, particles, plt, read, save  # noqa: E402

folder = Path(sys.argv[1])
history = read(folder / "history.csv")
rows = read(folder / "metrics.csv")
drops = read(folder / "particles.csv")
NAMES = {1.0: "with tension, as printed", 0.0: "without tension"}
COLOURS = {1.0: "tab:blue", 0.0: "tab:red"}
LOW, HIGH = 4.0, 196.0

times = sorted({row["time_s"] for row in drops})
figure, axes = plt.subplots(2, len(times), figsize=(2.6 * len(times), 5.8), sharex=True, sharey=True, layout="constrained")
for line, tension in zip(axes, (1.0, 0.0)):
    for axis, time in zip(line, times):
        here = [row for row in drops if row["tension"] == tension and row["time_s"] == time]
        disks = particles(axis, column(here, "x_m"), column(here, "y_m"), 1.2, linewidths=0, cmap="viridis", values=column(here, "pressure_pa"))
        disks.set_clim(-0.2, 0.2)
        axis.set(xlim=(LOW, HIGH), ylim=(LOW, HIGH), aspect="equal", title=f"{time:g} s")
        axis.grid(False)
    line[0].set_ylabel(NAMES[tension])
figure.colorbar(disks, ax=axes, label="pressure [Pa]", shrink=0.7, extend="both")
figure.savefig(folder / "splash.png")
plt.close(figure)

figure, (left, right, far) = plt.subplots(1, 3, figsize=(15.0, 4.0))
for (tension, seed), of in groups([dict(row, of=(row["tension"], row["seed"])) for row in rows if row["particles"] > 0], "of").items():
    first = seed == rows[0]["seed"]
    left.plot(column(of, "pressure_pa"), column(of, "height_m"), "o", color=COLOURS[tension], ms=4, alpha=1.0 if first else 0.4,
              label=NAMES[tension] if first else None)
shown = sorted((row["height_m"], row["expected_pa"]) for row in rows if row["expected_pa"] >= 0)
left.plot([p for _, p in shown], [y for y, _ in shown], color="black", lw=1, label="ρ g (H − y)")
left.set(xlabel="pressure, mean of a row of cells [Pa]", ylabel="above the floor [m]", ylim=(0, 20))
left.legend(fontsize=8)
for (tension, seed), of in groups([dict(row, of=(row["tension"], row["seed"])) for row in history if row["particles"] > 0], "of").items():
    first = seed == history[0]["seed"]
    right.plot(column(of, "time_s"), column(of, "centre_m"), color=COLOURS[tension], lw=1, alpha=1.0 if first else 0.4)
    looked = [row for row in of if row["room"] > 0]
    far.plot(column(looked, "time_s"), column(looked, "room"), color=COLOURS[tension], lw=1, alpha=1.0 if first else 0.4,
             label=f"room, {NAMES[tension]}" if first else None)
    far.plot(column(looked, "time_s"), column(looked, "volume"), color=COLOURS[tension], lw=1, ls=":", alpha=1.0 if first else 0.4,
             label="told by J" if first else None)
right.axhline(7.81, color="black", lw=0.8, ls="--")
right.set(xlabel="time [s]", ylabel="centre of mass above the floor [m]", yscale="log")
far.axhline(1.0, color="black", lw=0.8, ls="--")
far.set(xlabel="time [s]", ylabel="volume / volume at rest [1]", ylim=(0.8, 2.5))
far.legend(fontsize=8)
save(figure, folder / "rest.png")
