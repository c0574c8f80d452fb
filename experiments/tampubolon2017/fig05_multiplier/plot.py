"""Plots of Tampubolon 2017, Figure 5 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import column, cone_slope, groups, np, plt, read, save, scene_of  # noqa: E402

folder = Path(sys.argv[1])
field = groups(read(folder / "field.csv"), "set")
shares = read(folder / "metrics.csv")
sand = scene_of(folder)["material"][0]
EDGE = (1.0 - 2.0 * sand["poisson_ratio"]) / (cone_slope(sand["friction_angle_deg"]) * np.sqrt(2.0))  # u = −EDGE v, plane strain
TITLES = {"table2": "Table 2: a −0.003, b 0, c₀ 0.01", "fig6_c0_1p1_per_cent": "Figure 6 in per cent: a −0.5, b 0, c₀ 1.1",
          "fig6_c0_1p1_plain": "Figure 6 as plain strains"}

figure, axes = plt.subplots(1, len(field), figsize=(5.2 * len(field), 4.8), layout="constrained")
for axis, (name, rows) in zip(axes, field.items()):
    first, second = np.unique(column(rows, "e1")), np.unique(column(rows, "e2"))
    h = column(rows, "h").reshape(len(first), len(second)).T
    filled = axis.contourf(100 * first, 100 * second, h, levels=np.linspace(0.0, 1.0, 11), cmap="viridis")
    for level, style in ((0.999, "-"), (0.001, "--")):
        if h.min() < level < h.max():
            axis.contour(100 * first, 100 * second, h, levels=[level], colors="white", linewidths=1.2, linestyles=style)
    u = np.array([0.0, -3.0 * abs(first[0])])
    for side in (1.0, -1.0):
        v = -u / EDGE * side
        axis.plot(100 * (u + v) / np.sqrt(2), 100 * (u - v) / np.sqrt(2), color="tab:red", lw=1.6,
                  label="yield cone" if side > 0 else None)
    axis.set(xlabel="$ε_1$ [%]", ylabel="$ε_2$ [%]", title=TITLES[name], aspect="equal", xlim=(100 * first[0], 100 * first[-1]),
             ylim=(100 * second[0], 100 * second[-1]))
    axis.grid(False)
    axis.legend(loc="upper left", fontsize=8, frameon=True)
figure.colorbar(filled, ax=axes, label="h [1]; white: 0.999 (solid), 0.001 (dashed)", shrink=0.8)
figure.savefig(folder / "regions.png")
plt.close(figure)

figure, axis = plt.subplots(figsize=(6.4, 4.2))
for reading, style in (("per_cent", "-o"), ("plain", ":s")):
    for key, colour in (("share_of_a", "tab:blue"), ("share_of_c", "tab:red")):
        for dim, filled in ((2, True), (3, False)):
            rows = [row for row in shares if row["set"].startswith("fig6") and row["set"].endswith(reading) and row["dim"] == dim
                    and row["depth"] == 0.01]
            axis.plot(column(rows, "c0"), column(rows, key), style, color=colour, lw=1.2, ms=5, mfc=colour if filled else "white",
                      label=f"{key[-1].upper()}, {reading.replace('_', ' ')}, {dim:g}D")
axis.axhline(0.5, color="0.6", lw=0.8)
axis.set(xlabel="$c_0$ [1]", ylabel="share of the cone, 0 ≥ u ≥ −0.01", ylim=(-0.03, 1.0))
axis.legend(fontsize=8, ncol=2, loc=(0.42, 0.54))
save(figure, folder / "shares.png")
