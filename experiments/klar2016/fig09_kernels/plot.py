"""Plot of Klár 2016, Figure 9 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import column, groups, np, plt, read, save  # noqa: E402

folder = Path(sys.argv[1])
samples = groups(read(folder / "samples.csv"), "kernel")
COLOURS = {"cubic": "tab:blue", "quadratic": "tab:red"}
MARKS = ["o", "x", "+", "s"]


def kernel(name, u):
    a = np.abs(u)
    if name == "cubic":
        return np.where(a < 1, a**3 / 2 - a**2 + 2 / 3, np.where(a < 2, (2 - a) ** 3 / 6, 0))
    return np.where(a < 0.5, 0.75 - a**2, np.where(a < 1.5, (1.5 - a) ** 2 / 2, 0))


figure, (top, bottom) = plt.subplots(2, 1, figsize=(7.5, 6.0), sharex=True, height_ratios=[2, 1])
fine = np.linspace(-2, 2, 401)
for name, rows in samples.items():
    top.plot(fine, kernel(name, fine), "-", color=COLOURS[name], lw=1.2, label=f"{name} spline")
    for (solver, some), mark in zip(groups(rows, "solver").items(), MARKS):
        u, w = column(some, "u"), column(some, "weight")
        thin = slice(None, None, max(1, len(u) // 60))
        top.plot(u[thin], w[thin], mark, ms=4, mfc="none", color=COLOURS[name], alpha=0.7)
        bottom.plot(u, np.abs(w - kernel(name, u)), mark, ms=3, mfc="none", color=COLOURS[name], alpha=0.5, clip_on=False)
for mark, solver in zip(MARKS, groups(next(iter(samples.values())), "solver")):
    top.plot([], [], mark, ms=5, mfc="none", color="black", label=solver.replace("_", ", "))
top.set(ylabel="weight along one axis [1]", ylim=(0, 0.8))
top.legend(fontsize=9)
bottom.set_yscale("symlog", linthresh=1e-18, linscale=0.5)  # linear at its foot, so that 0 is shown as 0
bottom.set(xlabel="(x_p − x_i)/h [1]", ylabel="distance from\nthe spline [1]", ylim=(0, 1e-5), xlim=(-2, 2))
bottom.set_yticks([0, 1e-17, 1e-14, 1e-11, 1e-8, 1e-5])
save(figure, folder / "kernels.png")
