"""Run-out and height of Klár 2016, Figure 13 against the step, from the tables of a run: plot_steps.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import column, plt, read, save  # noqa: E402

folder = Path(sys.argv[1])
metrics = read(folder / "metrics.csv")
steps = [row for row in metrics if row["run"] == "step"]
angle = steps[0]["friction_angle_deg"]
base = [row for row in metrics if row["run"] == "angle" and row["friction_angle_deg"] == angle]
seeds = [row for row in metrics if row["run"] == "seed"]
series = sorted(base + steps, key=lambda row: row["courant"])
ends = [row for row in metrics if row["run"] == "outermost"]
outermost = sorted({row["friction_angle_deg"] for row in ends})
ends += [row for row in metrics if row["run"] == "angle" and row["friction_angle_deg"] in outermost]

figure, axes = plt.subplots(1, 2, figsize=(9.0, 3.8))
for axis, key, label in zip(axes, ("runout98_m", "height_m"), ("run-out at rest, 98 % of particles [mm]", "height at rest [mm]")):
    for other, colour in zip(outermost, ("tab:orange", "tab:green")):
        rows = sorted((row for row in ends if row["friction_angle_deg"] == other), key=lambda row: row["courant"])
        axis.plot(column(rows, "courant"), 1e3 * column(rows, key), "s--", color=colour, label=f"φ = {other:g}°")
    axis.plot(column(series, "courant"), 1e3 * column(series, key), "o-", color="tab:blue", label=f"φ = {angle:g}°")
    axis.plot(column(seeds, "courant"), 1e3 * column(seeds, key), "o", mfc="none", color="tab:gray", label="other seeds")
    for row in series:
        axis.annotate(f"{row['steps']:.0f} steps", (row["courant"], 1e3 * row[key]), textcoords="offset points", xytext=(0, -14),
                      ha="center", fontsize=8, color="tab:blue")
    axis.set_xscale("log", base=2)
    axis.set_xticks(column(series, "courant"), [f"{value:.3g}" for value in column(series, "courant")])
    axis.margins(x=0.18, y=0.2)
    axis.set(xlabel="c Δt/h [1]", ylabel=label)
axes[0].legend(fontsize=8, loc="upper left")
save(figure, folder / "steps.png")
