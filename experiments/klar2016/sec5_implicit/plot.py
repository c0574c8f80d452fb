"""Plots of what Klár 2016 says of its implicit steps, from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import column, groups, np, plt, read, save  # noqa: E402

folder = Path(sys.argv[1])
metrics = read(folder / "metrics.csv")
histogram = groups(read(folder / "histogram.csv"), "youngs_modulus_Pa")
colours = dict(zip(histogram, plt.cm.viridis(np.linspace(0.0, 0.85, len(histogram)))))

figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4.0))
for shift, (modulus, rows) in enumerate(histogram.items()):
    for axis, kind in ((left, "gmres"), (right, "newton")):
        some = [row for row in rows if row["kind"] == kind]
        count = column(some, "count")
        place = column(some, "iterations") + 0.16 * (shift - 0.5 * (len(histogram) - 1))
        axis.bar(place, 100 * count / count.sum(), width=0.16, color=colours[modulus], label=f"E = {modulus:.4g} Pa")
most = max(row["iterations"] for rows in histogram.values() for row in rows if row["kind"] == "gmres")
most = max(most, 5)  # so that the paper's bounds have room
left.axvline(3.5, color="black", ls="--", lw=1)
left.text(3.4, 0.98, "paper: usually\n3 or fewer", fontsize=8, va="top", ha="right", transform=left.get_xaxis_transform())
left.axvline(4.5, color="tab:red", ls="--", lw=1)
left.text(4.6, 0.98, "paper: < 1 %\nabove 4", fontsize=8, va="top", color="tab:red", transform=left.get_xaxis_transform())
left.set(ylim=(0, 105), xlabel="GMRES iterations per linear system (mean of a step)", ylabel="share of linear systems [%]", xlim=(0.4, most + 0.6))
right.set(xlabel="Newton iterations per step", ylabel="share of steps [%]")
right.set_xticks(range(0, int(max(row["iterations"] for rows in histogram.values() for row in rows if row["kind"] == "newton")) + 1))
right.legend(fontsize=9)
save(figure, folder / "iterations.png")

figure, axis = plt.subplots(figsize=(6.5, 4.0))
axis.loglog(column(metrics, "youngs_modulus_Pa"), column(metrics, "ratio"), "o-", color="tab:blue")
axis.axhline(1.0, color="black", ls="--", lw=1)
axis.text(0.02, 1.0, "explicit faster above", fontsize=8, va="bottom", transform=axis.get_yaxis_transform())
for row in metrics:
    axis.annotate(f"{row['implicit_steps']:.0f} : {row['explicit_steps']:.0f} steps", (row["youngs_modulus_Pa"], row["ratio"]),
                  textcoords="offset points", xytext=(0, 9), ha="center", fontsize=8,
                  bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0})
axis.set(xlabel="Young's modulus [Pa]", ylabel="implicit / explicit processor time [1]", 
         xlim=(0.2 * column(metrics, "youngs_modulus_Pa").min(), 8.0 * column(metrics, "youngs_modulus_Pa").max()))
axis.set_yticks([0.125, 0.25, 0.5, 1, 2, 4, 8, 16], ["1/8", "1/4", "1/2", "1", "2", "4", "8", "16"], minor=False)
axis.minorticks_off()
axis.set_ylim(min(0.5, 0.6 * column(metrics, "ratio").min()), 2.0 * column(metrics, "ratio").max())
save(figure, folder / "times.png")
