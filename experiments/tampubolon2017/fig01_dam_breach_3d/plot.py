"""Plots of Tampubolon 2017, Figure 1 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "dam"))
from dams import dams_in_time, histories  # noqa: E402
from plotting import plt, read, save  # noqa: E402

folder = Path(sys.argv[1])
grains = [dict(row, run=row["h_m"]) for row in read(folder / "particles.csv")]
NAMES = {h: f"h {1e3 * h:g} mm" for h in sorted({row["h_m"] for row in grains}, reverse=True)}
figure = dams_in_time(grains, NAMES)
figure.savefig(folder / "dam.png")
plt.close(figure)

history = [dict(row, run=row["h_m"]) for row in read(folder / "history.csv")]
figure = histories(history, NAMES, dict(zip(NAMES, ("black", "tab:blue"))), past=True)
save(figure, folder / "history.png")
