"""Plots of Tampubolon 2017, Figure 2 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "dam"))
from dams import dams_in_time, histories  # noqa: E402
from plotting import plt, read, save  # noqa: E402

folder = Path(sys.argv[1])
NAMES = {f"kappa_{kappa}_c_{cohesion}kpa": f"κ {kappa} Mg/(m³ s), c_C {cohesion} kPa" for kappa in (157, 39) for cohesion in (3, 1)}
figure = dams_in_time(read(folder / "particles.csv"), NAMES)
figure.savefig(folder / "levees.png")
plt.close(figure)

figure = histories(read(folder / "history.csv"), NAMES, dict(zip(NAMES, ("black", "tab:blue", "tab:orange", "tab:red"))), past=True)
save(figure, folder / "history.png")
