"""Plots of Liu 2021, Figure 2 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import column, groups, particles, plt, read, save  # noqa: E402

folder = Path(sys.argv[1])
grains = read(folder / "particles.csv")
history = read(folder / "history.csv")
NAMES = {0.0: "λ 2.04·10⁵, as corrected", 1.0: "λ 2.04·10⁶, as printed"}
COLOURS = {0.0: "tab:blue", 1.0: "tab:red"}

figure, axes = plt.subplots(2, 1, figsize=(9.5, 5.2), sharex=True, layout="constrained")
most = max(row["q"] for row in grains)
for axis, (printed, rows) in zip(axes, groups(grains, "printed_lambda").items()):
    disks = particles(axis, column(rows, "x_m"), column(rows, "y_m"), rows[0]["diameter_m"], values=column(rows, "q"), cmap="viridis")
    disks.set_clim(0.0, most)
    for wall in (4.0, 196.0):
        axis.axvline(wall, color="tab:orange")
    axis.axhline(4.0, color="tab:orange")
    axis.set(xlim=(0, 200), ylim=(0, 40), aspect="equal", ylabel="y [m]", title=NAMES[printed])
axes[-1].set_xlabel("x [m]")
figure.colorbar(disks, ax=axes, label="hardening q [1]", shrink=0.8)
figure.savefig(folder / "piles.png")
plt.close(figure)

figure, axes = plt.subplots(1, 2, figsize=(10.0, 4.0))
for (printed, sample), rows in groups([dict(row, of=(row["printed_lambda"], row["sample"])) for row in history], "of").items():
    for axis, key in zip(axes, ("height_m", "runout_m")):
        axis.plot(column(rows, "time_s"), column(rows, key), color=COLOURS[printed], lw=1.4 if sample == 0 else 0.7,
                  alpha=1.0 if sample == 0 else 0.5, label=NAMES[printed] if sample == 0 else None)
axes[0].set(xlabel="time [s]", ylabel="height in the middle [m]", ylim=(0, None))
axes[1].set(xlabel="time [s]", ylabel="radius that holds 98 % [m]", ylim=(0, None))
axes[0].legend(fontsize=8)
save(figure, folder / "history.png")
