"""Plots of Tampubolon 2017, Figure 10 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import column, groups, plt, read, runs_in_time, save, scene_of  # noqa: E402

folder = Path(sys.argv[1])
grains = read(folder / "particles.csv")
looks = read(folder / "cohesion.csv")
NAMES = {"explicit": "explicit, $10^{-4}$ s", "regular_1e_2": "regular, $10^{-2}$ s", "regular_1e_3": "regular, $10^{-3}$ s",
         "unilateral_1e_2": "unilateral, $10^{-2}$ s",
         "unilateral_1e_3": "unilateral, $10^{-3}$ s", "explicit_unilateral": "explicit, unilateral"}
COLOURS = {"explicit": "black", "regular_1e_2": "tab:red", "regular_1e_3": "tab:orange", "unilateral_1e_2": "tab:blue", "unilateral_1e_3": "tab:cyan",
           "explicit_unilateral": "tab:green"}

DENSE = {f"{name}_printed_density": NAMES[name] for name in ("explicit", "regular_1e_2", "regular_1e_3", "unilateral_1e_2")}
for picture, names in {"piles.png": NAMES, "dense_piles.png": DENSE}.items():
    figure = runs_in_time(grains, names, 0.5, 0.3)
    figure.savefig(folder / picture)
    plt.close(figure)

scene = scene_of(folder)
low, high = (scene["seed"][0][end][1] for end in ("min", "max"))
pressure = scene["material"][0]["density"] * -scene["gravity"][1] * (high - low)
figure, (left, right) = plt.subplots(1, 2, figsize=(11.0, 4.0))
for name, rows in groups(looks, "run").items():
    if name not in NAMES:
        continue
    style = {"ms": 3, "lw": 1.2, "color": COLOURS[name], "label": NAMES[name]}
    left.plot(column(rows, "time_s"), column(rows, "tension_pa") / pressure, "o-", **style)
    right.plot(column(rows, "time_s"), column(rows, "friction"), "o-", **style)
right.axhline(1.0, color="black", lw=0.8, ls="--")
left.set(xlabel="time [s]", ylabel="mean tension / ρ g L [1]")
right.set(xlabel="time [s]", ylabel="shear / what the cone allows [1]")
left.legend(fontsize=8)
save(figure, folder / "cohesion.png")
