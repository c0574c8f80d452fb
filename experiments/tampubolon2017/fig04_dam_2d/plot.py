"""Plots of Tampubolon 2017, Figure 4 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "dam"))
from dams import dams_in_time, histories  # noqa: E402
from plotting import plt, read, save  # noqa: E402

folder = Path(sys.argv[1])
NAMES = {"without": "without the term", "mass": "with, by mass", "volume": "with, by volume"}
COLOURS = {"without": "black", "mass": "tab:orange", "volume": "tab:blue", "printed_drag": "0.6"}
grains = read(folder / "particles.csv")
finest = min(row["h_m"] for row in grains)
figure = dams_in_time([row for row in grains if row["h_m"] == finest], NAMES)
figure.savefig(folder / "dams.png")
plt.close(figure)

history = [row for row in read(folder / "history.csv") if row["h_m"] == finest]
figure = histories(history, {**NAMES, "printed_drag": "without, drag as printed"}, COLOURS)
save(figure, folder / "history.png")
