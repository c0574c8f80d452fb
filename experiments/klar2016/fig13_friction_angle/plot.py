"""Plots of Klár 2016, Figure 13 from the tables of a run: plot.py FOLDER"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures"))
from plotting import cone_slope, column, np, plt, positive, read, save, scene_of  # noqa: E402

folder = Path(sys.argv[1])
metrics = read(folder / "metrics.csv")
profiles = read(folder / "profiles.csv")
history = read(folder / "history.csv")
angles = [row for row in metrics if row["run"] == "angle"]
# Beside shapes at rest stand shapes at rest alone: where a preset stops a run before, it is not shown.
repeats = [row for row in metrics if row["run"] == "seed" and row["rest_time_s"] >= 0]
reference = [row for row in metrics if row["run"] == "reference" and row["rest_time_s"] >= 0]
phi = column(angles, "friction_angle_deg")
scene = scene_of(folder)
start = scene["seed"][0]
radius0, height0 = 1e3 * start["radius"], 1e3 * start["length"]  # of the column [mm]
colours = plt.cm.viridis(np.linspace(0.0, 0.85, len(phi)))


def extra_runs(axis, key, scale):
    if repeats:
        axis.plot(column(repeats, "friction_angle_deg"), scale * column(repeats, key), "o", mfc="none", ms=5,
                  color="tab:gray", label="other seeds")
    if reference:
        axis.plot(column(reference, "friction_angle_deg"), scale * column(reference, key), "x", ms=7, color="tab:red",
                  label="readable solver")


# Height and run-out: the claim is that the one rises and, with it, the other falls.
figure, (top, bottom) = plt.subplots(1, 2, figsize=(9.0, 3.6))
top.plot(phi, 1e3 * column(angles, "height_m"), "o-", color="tab:blue", label="98th percentile near the axis")
top.plot(phi, 1e3 * column(angles, "highest_m"), ":", color="tab:blue", label="highest particle")
extra_runs(top, "height_m", 1e3)
top.set(xlabel="friction angle φ [°]", ylabel="height at rest [mm]", title="claim: taller with larger φ")
top.legend()
top.set_xticks(phi)
bottom.plot(phi, 1e3 * column(angles, "runout98_m"), "o-", color="tab:orange", label="98th percentile of radius")
bottom.plot(phi, 1e3 * column(angles, "foot_m"), ":", color="tab:orange", label="foot of the surface")
extra_runs(bottom, "runout98_m", 1e3)
a = height0 / radius0
bottom.axhspan(radius0 * np.sqrt(3 * a / 0.74), radius0 * (1 + 1.6 * np.sqrt(a)), color="tab:gray", alpha=0.18, lw=0,
               label="foot of real grains\n(Lajeunesse 2004, Lube 2004)")
bottom.set(xlabel="friction angle φ [°]", ylabel="run-out at rest [mm]", title="implied: shorter with larger φ")
bottom.legend()
bottom.set_xticks(phi)
save(figure, folder / "height_runout.png")

# Profiles at rest, heights and radii on one scale.
figure, axis = plt.subplots(figsize=(7.0, 5.0))
for angle, colour in zip(phi, colours):
    rows = [row for row in profiles if row["run"] == "angle" and row["friction_angle_deg"] == angle]
    radius, surface = 1e3 * column(rows, "radius_m"), 1e3 * column(rows, "surface_m")
    if surface[-1] > 0:  # beyond the last ring with sand there is none
        radius, surface = [*radius, 2 * radius[-1] - radius[-2]], [*surface, 0]
    axis.plot(radius, surface, "-", color=colour, label=f"φ = {angle:g}°")
axis.plot([0, radius0, radius0], [height0, height0, 0], "--", color="tab:gray", label="column at the start")
axis.set(xlabel="radius [mm]", ylabel="height of the surface [mm]", aspect="equal")
axis.set_xlim(left=0)
axis.set_ylim(bottom=0)
axis.legend(loc="upper right")
save(figure, folder / "profiles.png")

# Flank angle beside the angles that one nominal φ can mean.
figure, axis = plt.subplots(figsize=(6.6, 5.6))
fine = np.linspace(phi.min() - 5.0, phi.max() + 5.0, 601)
alpha = cone_slope(fine)
sine = 3.0 * alpha / np.sqrt(2.0)
with np.errstate(invalid="ignore", divide="ignore"):
    slope = np.degrees(np.arctan(np.where(sine <= 1.0, sine, np.nan)))
    limit = np.degrees(np.arctan(sine / np.sqrt(np.where(6.0 * alpha**2 < 1.0, 1.0 - 6.0 * alpha**2, np.nan))))
axis.plot(fine, fine, "-", color="tab:gray", lw=1, label="nominal φ (triaxial compression)")
axis.plot(fine, slope, "--", color="tab:green",
          label="slope at φ_eff in plane strain, 3D (undefined above 42.2°)")
axis.plot(fine, limit, ":", color="tab:red", label="steepest slope the cone can hold (none above 36.9°)")
measured = column(angles, "flank_angle_deg")
low, high = column(angles, "sector_angle_least_deg"), column(angles, "sector_angle_most_deg")
axis.errorbar(phi, measured, yerr=[np.maximum(0, measured - low), np.maximum(0, high - measured)], fmt="o-", capsize=3,
              color="tab:blue", label="measured flank, range of its quarters")
extra_runs(axis, "flank_angle_deg", 1.0)
axis.set(xlabel="nominal friction angle φ [°]", ylabel="angle to the horizontal [°]", xlim=(phi.min() - 3, phi.max() + 3), ylim=(0, 62))
axis.set_xticks(phi)
axis.legend(fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.13))
save(figure, folder / "angles.png")

# How the piles came to rest.
figure, (left, right) = plt.subplots(1, 2, figsize=(9.0, 3.6))
energy = {row["friction_angle_deg"]: row["fall_energy_J"] for row in angles}
for angle, colour in zip(phi, colours):
    rows = [row for row in history if row["run"] == "angle" and row["friction_angle_deg"] == angle]
    time = column(rows, "time_s")
    left.plot(time, 1e3 * column(rows, "runout98_m"), color=colour, label=f"φ = {angle:g}°")
    right.semilogy(time[1:], positive(column(rows, "kinetic_energy_J")[1:] / energy[angle]), color=colour)
REST = metrics[0]["rest_share"]
right.axhline(REST, color="tab:gray", ls="--", lw=1)
right.annotate("at rest below", (right.get_xlim()[1], REST), ha="right", va="bottom", color="tab:gray")
left.set(xlabel="time [s]", ylabel="run-out, 98 % of particles [mm]")
left.legend()
right.set(xlabel="time [s]", ylabel="kinetic energy / energy to fall [1]")
save(figure, folder / "history.png")
