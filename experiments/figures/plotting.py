"""What the figures' plot scripts share: tables, the scene, style, particles in two dimensions."""
import csv
import tomllib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import EllipseCollection

plt.rcParams.update({"font.size": 10, "axes.grid": True, "grid.alpha": 0.3, "axes.spines.top": False,
                     "axes.spines.right": False, "legend.frameon": False, "savefig.dpi": 150})

# Share and colour of grains in Klár 2016, section 9.
SAND = np.array([(225, 169, 95), (107, 84, 30), (255, 255, 255)]) / 255.0


def read(file):
    """Rows of a table; what looks like a number is one."""

    def value(text):
        try:
            return float(text)
        except ValueError:
            return text

    with open(file, newline="", encoding="utf-8") as table:
        return [{key: value(text) for key, text in row.items()} for row in csv.DictReader(table)]


def scene_of(folder):
    """The resolved scene of a figure's first run."""
    with open(folder / "run.toml", "rb") as file:
        return tomllib.load(file)


def cone_slope(degrees):
    """Klár 2016, Eq. 31."""
    sine = np.sin(np.radians(degrees))
    return np.sqrt(2.0 / 3.0) * 2.0 * sine / (3.0 - sine)


def column(rows, key):
    return np.array([row[key] for row in rows])


def groups(rows, key):
    """Rows by the value of a column, in the order in which the values first appear."""
    found = {}
    for row in rows:
        found.setdefault(row[key], []).append(row)
    return found


def positive(values):
    """For logarithmic axes: what is not above zero has no place on them and is left out."""
    return np.where(np.asarray(values) > 0, values, np.nan)


def show_all(axes, rows, ground=0.0):
    """Gives panels of particles the same limits, around all of them and the ground."""
    x, y = column(rows, "x_m"), column(rows, "y_m")
    edge = 2.0 * max(column(rows, "diameter_m")) + 0.02 * max(np.ptp(x), np.ptp(y))
    for axis in np.ravel(axes):
        axis.set(xlim=(x.min() - edge, x.max() + edge), ylim=(min(y.min(), ground) - edge, max(y.max(), ground) + edge))


def legend_below(axis):
    """Where it hides no line."""
    axis.legend(fontsize=8, ncol=2, loc="upper center", bbox_to_anchor=(0.5, -0.15))


def save(figure, file):
    figure.tight_layout()
    figure.savefig(file)
    plt.close(figure)


def sand_colours(count):
    """85 % yellow, 10 % brown, 5 % white, the same for equal counts."""
    kind = np.searchsorted([0.85, 0.95], np.random.default_rng(1).random(count))
    return SAND[kind]


def particles(axis, x, y, diameter, colours=None, values=None, **style):
    """Disks of a given size [m]; coloured one by one or by values. Returns the collection, for a colour bar."""
    disks = EllipseCollection(diameter, diameter, 0.0, units="x", offsets=np.column_stack([x, y]),
                              transOffset=axis.transData, **{"linewidths": 0.15, "edgecolors": "0.25", **style})
    if values is None:
        disks.set_facecolor(sand_colours(len(x)) if colours is None else colours)
    else:
        disks.set_array(np.asarray(values))
    axis.add_collection(disks)
    axis.set_aspect("equal")
    return disks


def runs_in_time(grains, names, wall, top):
    """A panel of particles for each run (columns, titled) at each of its times (rows), above a floor and between walls at ±wall."""
    by_run = groups(grains, "run")
    times = sorted({row["time_s"] for row in grains})
    figure, axes = plt.subplots(len(times), len(names), figsize=(3.2 * len(names), 1.3 * len(times)), sharex=True, sharey=True,
                                layout="constrained")
    for number, (line, time) in enumerate(zip(axes, times)):
        for axis, name in zip(line, names):
            # Of a run that ended early there is nothing at later times.
            rows = [row for row in by_run[name] if row["time_s"] == time]
            if rows:
                particles(axis, column(rows, "x_m"), column(rows, "y_m"), rows[0]["diameter_m"], linewidths=0)
            for side in (-wall, wall):
                axis.axvline(side, color="0.4", lw=1.0)
            axis.axhline(0.0, color="0.4", lw=1.0)
            axis.set(xlim=(-wall - 0.02, wall + 0.02), ylim=(-0.02, top), aspect="equal")
            axis.grid(False)
            if number == 0:
                axis.set_title(names[name], fontsize=9)
        line[0].set_ylabel(f"{time:g} s\ny [m]")
    for axis in axes[-1]:
        axis.set_xlabel("x [m]")
    return figure
