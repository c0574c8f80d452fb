"""Plot scripts of the figures: what they show is in the frame, and what they know of the scene comes from the run."""

import csv
import pathlib
import runpy
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "experiments" / "figures"))
import plotting  # noqa: E402
from plotting import np, plt  # noqa: E402

plt.rcParams["savefig.dpi"] = 20  # nobody looks at these
FIGURES = pathlib.Path(__file__).resolve().parents[2] / "experiments" / "klar2016"
SCENE = """
[[material]]
friction_angle_deg = {phi}
poisson_ratio = 0.3
h0_deg = {phi}
h1_deg = 9.0
h2 = 0.3
h3_deg = 10.0
[[seed]]
radius = {radius}
length = 0.05
[[collider]]
point = [0.0, {ground}]
"""


class Plots(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="repose_plots_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.addCleanup(plt.close, "all")
        self.scene()

    def scene(self, phi=30.0, radius=0.018, ground=0.0):
        (self.folder / "run.toml").write_text(SCENE.format(phi=phi, radius=radius, ground=ground))

    def table(self, name, rows):
        with open(self.folder / name, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)

    def drawn(self, figure):
        """The figures that a script draws, in its order, and the files that it writes."""
        script = FIGURES / figure / "plot.py"
        plt.close("all")
        close, argv = plt.close, sys.argv
        plt.close, sys.argv = lambda *_: None, [str(script), str(self.folder)]
        try:
            runpy.run_path(str(script))
        finally:
            plt.close, sys.argv = close, argv
        self.assertGreaterEqual(len(list(self.folder.glob("*.png"))), 1)
        return [plt.figure(number) for number in plt.get_fignums()]

    def assert_framed(self, axis, x, y):
        low, high = axis.get_xlim()
        self.assertTrue(low < x < high, (low, x, high))
        low, high = axis.get_ylim()
        self.assertTrue(low < y < high, (low, y, high))

    def stiffness_tables(self, top=0.3):
        run = {"seed": 1, "height_m": 0.1, "runout98_m": 0.5, "landed_s": 0.4321, "visible_m": 0.0032}
        self.table("metrics.csv", [{"youngs_modulus_Pa": e, "bounce_amplitude_m": rise, "bounce_count": 1, **run}
                                   for e, rise in ((1e3, 0.07), (1e6, 0.0))])
        self.table("history.csv", [{"youngs_modulus_Pa": e, "time_s": t, "centre_height_m": 0.2, "stored_energy": t}
                                   for e in (1e3, 1e6) for t in (0.0, 0.5, 1.0)])
        self.table("particles.csv", [{"youngs_modulus_Pa": e, "time_s": 0.5, "x_m": x, "y_m": y, "diameter_m": 0.016}
                                     for e in (1e3, 1e6) for x, y in ((0.0, 0.01), (-0.4, top))])

    def test_the_bounce_is_in_the_frame_however_high(self):
        for top in (0.3, 5.0):
            self.stiffness_tables(top)
            piles = self.drawn("fig10_youngs_modulus")[0]
            for axis in piles.axes:
                self.assert_framed(axis, -0.4, top)
                self.assert_framed(axis, 0.0, 0.01)

    def test_no_rise_is_drawn_at_zero(self):
        self.stiffness_tables()
        left = self.drawn("fig10_youngs_modulus")[2].axes[0]
        rises = [line.get_ydata() for line in left.lines if len(line.get_ydata()) == 2][0]
        self.assertAlmostEqual(rises[0], 70.0)
        self.assertEqual(rises[1], 0.0)
        self.assertEqual(left.get_ylim()[0], 0.0)
        foot, rim = left.transAxes.transform((0, 0))[1], left.transData.transform((1e6, 0.0))[1]
        self.assertAlmostEqual(foot, rim)

    def test_times_and_bounds_come_from_the_run(self):
        self.stiffness_tables()
        _, bounce, convergence = self.drawn("fig10_youngs_modulus")
        for axis in bounce.axes:
            self.assertIn(0.4321, [line.get_xdata()[0] for line in axis.lines])
        self.assertIn(3.2, [round(float(line.get_ydata()[0]), 12) for line in convergence.axes[0].lines])

    def case_tables(self):
        self.table("history.csv", [{"time_s": t, "inside": 0.5, "surface": 0.3, "tip": 0.2} for t in (0.1, 0.2)])
        self.table("particles.csv", [{"time_s": t, "x_m": x, "y_m": 0.5 * x, "diameter_m": 0.01, "case": 1 + k,
                                      "tau_1_Pa": -1e3 * s, "tau_2_Pa": -9e3 * s}
                                     for t, s in ((0.1, 1.0), (0.2, 0.1)) for k, x in enumerate((0.0, 1.5, 3.0))])

    def test_panels_of_one_kind_have_the_same_axes(self):
        self.case_tables()
        axes = self.drawn("fig14_column_cases")[0].axes
        for kind in (axes[0::2], axes[1::2]):
            self.assertEqual(len({(axis.get_xlim(), axis.get_ylim()) for axis in kind}), 1)
        for stress in axes[1::2]:
            self.assertEqual(stress.get_xlim(), stress.get_ylim())
            self.assertEqual(stress.get_aspect(), 1.0)
            self.assert_framed(stress, -1.0, -9.0)
        for place in axes[0::2]:
            self.assert_framed(place, 3.0, 1.5)

    def test_the_cone_is_that_of_the_run(self):
        slopes = []
        for phi in (20.0, 40.0):
            self.scene(phi=phi)
            self.case_tables()
            stress = self.drawn("fig14_column_cases")[0].axes[1]
            line = next(line for line in stress.lines if line.get_color() == "black" and len(line.get_xdata()) == 2)
            slopes.append(line.get_xdata()[1] / line.get_ydata()[1])
            # In plane strain the cone is ‖dev τ‖ = −α tr τ with ‖dev τ‖ = |τ1 − τ2|/√2.
            sine = np.sin(np.radians(phi))
            alpha = np.sqrt(2 / 3) * 2 * sine / (3 - sine)
            self.assertAlmostEqual((1 - slopes[-1]) / np.sqrt(2), alpha * (1 + slopes[-1]))
        self.assertGreater(slopes[0], slopes[1])

    def test_the_hardening_curve_is_that_of_the_run(self):
        self.table("history.csv", [{"marked": k, "time_s": t, "q": t, "friction_angle_deg": 30.0, "x_m": 0.9, "y_m": 0.8,
                                    "tau_1_Pa": -1.0, "tau_2_Pa": -2.0} for k in (1, 2, 3) for t in (0.0, 1.0)])
        self.table("slips.csv", [{"q": 1.0, "angle_deg": 30.0}])
        self.table("particles.csv", [{"x_m": x, "y_m": 0.1, "diameter_m": 0.01, "q": 1.0} for x in (0.0, 2.0)])
        for phi in (35.0, 50.0):
            self.scene(phi=phi)
            marked, curve = self.drawn("fig16_hardening")
            self.assertAlmostEqual(curve.axes[0].lines[0].get_ydata()[0], phi - 10.0)
            self.assert_framed(marked.axes[0], 2.0, 0.1)
            self.assert_framed(marked.axes[0], 0.9, 0.8)

    def column_tables(self, rest):
        run = {"height_m": 0.02, "highest_m": 0.03, "runout98_m": 0.04, "foot_m": 0.05, "flank_angle_deg": 20.0,
               "sector_angle_least_deg": 19.0, "sector_angle_most_deg": 21.0, "fall_energy_J": 4.0, "rest_share": 2e-4}
        rows = [{"run": "angle", "friction_angle_deg": phi, "rest_time_s": 0.3, **run} for phi in (20.0, 30.0)]
        rows.append({"run": "reference", "friction_angle_deg": 30.0, "rest_time_s": rest, **run, "height_m": 0.9})
        self.table("metrics.csv", rows)
        self.table("profiles.csv", [{"run": "angle", "friction_angle_deg": phi, "radius_m": r, "surface_m": 0.02 - 0.1 * r}
                                    for phi in (20.0, 30.0) for r in (0.0, 0.1)])
        self.table("history.csv", [{"run": "angle", "friction_angle_deg": phi, "time_s": t, "runout98_m": 0.04,
                                    "kinetic_energy_J": 2.0} for phi in (20.0, 30.0) for t in (0.0, 0.1, 0.2)])

    def test_beside_shapes_at_rest_stand_shapes_at_rest_alone(self):
        for rest, shown in ((0.4, True), (-1.0, False)):
            self.column_tables(rest)
            height = self.drawn("fig13_friction_angle")[0].axes[0]
            values = [float(y) for line in height.lines for y in line.get_ydata()]
            self.assertEqual(any(abs(y - 900.0) < 1e-9 for y in values), shown)

    def test_the_column_and_its_energy_are_those_of_the_run(self):
        self.scene(radius=0.033)
        self.column_tables(0.4)
        figures = self.drawn("fig13_friction_angle")
        profiles, history = figures[1].axes[0], figures[3].axes[1]
        self.assertIn([0.0, 33.0, 33.0], [[round(float(x), 9) for x in line.get_xdata()] for line in profiles.lines])
        self.assertAlmostEqual(history.lines[0].get_ydata()[0], 0.5)
        self.assertIn(2e-4, [float(line.get_ydata()[0]) for line in history.lines])

    def test_what_is_not_above_zero_has_no_place_on_a_logarithmic_axis(self):
        values = plotting.positive([0.0, 2.0, -1.0])
        self.assertTrue(np.isnan(values[0]) and values[1] == 2.0 and np.isnan(values[2]))


if __name__ == "__main__":
    unittest.main()
