"""Plot of Klár 2016, Figure 15 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import cone_slope, column, np, plt, read, scene_of  # noqa: E402

folder = Path(sys.argv[1])
rows = [row for row in read(folder / "samples.csv") if row["dim"] == 3 and row["solver"].startswith("reference")]
COLOURS = {1: "#2e8b3d", 2: "#c8322b", 3: "#2a5db0"}
NAMES = {1: "I: inside, unchanged", 2: "II: to the tip", 3: "III: to the surface, volume kept"}
sand = scene_of(folder)["material"][0]
NU = sand["poisson_ratio"]
SLOPE = cone_slope(sand["friction_angle_deg"]) * (1.0 + NU) / (1.0 - 2.0 * NU)  # (3 λ + 2 μ)/2μ α

trial = 100 * np.column_stack([column(rows, key) for key in ("e1", "e2", "e3")])
result = 100 * np.column_stack([column(rows, key) for key in ("r1", "r2", "r3")])
case = column(rows, "case").astype(int)
# Strains come in falling order; here each state takes one of the six orders, so that the cone is seen whole.
random = np.random.default_rng(1)
for k in range(len(case)):
    order = random.permutation(3)
    trial[k], result[k] = trial[k][order], result[k][order]

figure = plt.figure(figsize=(12.0, 5.2))
axis = figure.add_axes((0.0, 0.04, 0.46, 0.94), projection="3d")
# The cone: axis along (1, 1, 1), ‖ε̂‖ = −SLOPE tr ε.
trace, turn = np.meshgrid(np.linspace(-8.0, 0.0, 9), np.linspace(0, 2 * np.pi, 61))
first, second = np.array([1, -1, 0]) / np.sqrt(2), np.array([1, 1, -2]) / np.sqrt(6)
cone = [trace / 3 - SLOPE * trace * (np.cos(turn) * first[k] + np.sin(turn) * second[k]) for k in range(3)]
axis.plot_surface(*cone, color="0.7", alpha=0.35, linewidth=0.2, edgecolor="0.5", rcount=80, ccount=80)
some = [k for k in range(len(case)) if trial[k].sum() > -8.0][:130]
for k in some:
    if case[k] != 1:
        axis.plot(*np.column_stack([trial[k], result[k]]), "-", color=COLOURS[case[k]], lw=0.7, alpha=0.7)
    axis.plot(*trial[k][:, None], "o", ms=3, color=COLOURS[case[k]])
axis.set(xlabel="$ε_1$ [%]", ylabel="$ε_2$ [%]", zlabel="$ε_3$ [%]")
axis.view_init(elev=18, azim=-62)

axis = figure.add_axes((0.57, 0.12, 0.41, 0.84))


def plane(strain):
    volume = strain.sum(axis=1)
    return volume, np.linalg.norm(strain - volume[:, None] / 3, axis=1)


before, after = plane(trial), plane(result)
for k in range(min(len(case), 450)):
    if not -15.5 < before[0][k] < 6.5:
        continue
    if case[k] != 1:
        axis.annotate("", (after[0][k], after[1][k]), (before[0][k], before[1][k]),
                      arrowprops={"arrowstyle": "->", "color": COLOURS[case[k]], "lw": 0.6, "alpha": 0.6})
    axis.plot(before[0][k], before[1][k], "o", ms=3, color=COLOURS[case[k]])
t = np.array([-16.0, 0.0])
axis.plot(t, -SLOPE * t, "-", color="black", lw=1.2, label="yield surface")
for which in (1, 3, 2):
    axis.plot([], [], "o", color=COLOURS[which], label=NAMES[which])
axis.set(xlabel="volume strain tr ε [%]", ylabel="shear ‖ε̂‖ [%]", xlim=(-16, 7), ylim=(-0.3, 11))
axis.legend(loc="upper right", fontsize=9)
figure.savefig(folder / "cone.png")
plt.close(figure)
