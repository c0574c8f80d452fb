"""Walls too thin for the grid are warned of and what is in them is counted; spouts let in what they should."""

import csv
import json

import program
from program import ProgramTest

SAND = """
method = "mpm"
mpm.kernel = "quadratic"
spacing = 0.02
duration = 0.2
frame_rate = 20
max_dt = 0.001
[[material]]
name = "sand"
density = 1000
youngs_modulus = {youngs_modulus}
poisson_ratio = 0.3
friction_angle_deg = 35
"""

# A block of sand two spacings above a plate in mid-air whose faces lie half-way between nodes.
PLATE = """
dimension = {dim}
domain.min = {low}
domain.max = {high}
""" + SAND.format(youngs_modulus=1e6) + """
[[seed]]
shape = "box"
material = "sand"
seed = 1
min = {seed_min}
max = {seed_max}
sampling = "regular"
[[collider]]
name = "plate"
shape = "box"
min = {plate_min}
max = {plate_max}
friction = 0.3
"""


def vector(dim, *numbers):
    return f"[{', '.join(str(number) for number in numbers[:dim])}]"


def plate_scene(dim, thickness):
    """@param thickness of the plate [m]"""
    return PLATE.format(
        dim=dim, low=vector(dim, 0, 0, 0), high=vector(dim, 0.4, 0.6, 0.2),
        seed_min=vector(dim, 0.14, 0.43, 0.06), seed_max=vector(dim, 0.26, 0.47, 0.14),
        plate_min=vector(dim, 0.04, round(0.41 - thickness, 6), 0), plate_max=vector(dim, 0.36, 0.41, 0.2))


def spout_scene(dim, rate, implicit=False):
    """Weightless sand of 1000 kg/m3 from an opening of one spacing at 1 m/s, from 0.05 s to the end at 0.2 s."""
    return "\n".join([
        f"dimension = {dim}", f"domain.min = {vector(dim, 0, 0, 0)}", f"domain.max = {vector(dim, 0.2, 0.6, 0.2)}",
        f"gravity = {vector(dim, 0, 0, 0)}", 'mpm.integrator = "implicit"' if implicit else "",
        SAND.format(youngs_modulus=100), "[[emitter]]", 'name = "spout"', 'shape = "box"', 'material = "sand"',
        f"min = {vector(dim, 0.09, 0.4, 0.09)}", f"max = {vector(dim, 0.11, 0.5, 0.11)}",
        f"velocity = {vector(dim, 0, -1, 0)}", f"rate = {rate}", "start = 0.05", "particles_per_cell = 8", "seed = 1"])


class WallsAndSpouts(ProgramTest):
    def results(self, text, *options):
        """Runs a scene. Returns the process, what --json says, and the rows of steps.csv."""
        folder = f"out{len(list(self.folder.glob('out*')))}"
        process = self.run_program("run", self.scene(text), "--out", folder, "--json", "f.json", *options)
        with open(self.folder / folder / "steps.csv", newline="", encoding="utf-8") as table:
            rows = list(csv.DictReader(table))
        return process, json.loads((self.folder / "f.json").read_text()), rows

    def thin_plate(self, dim, solver):
        process, result, rows = self.results(plate_scene(dim, 0.02), "--solver", solver)
        self.assert_one_line(process.err, "repose: warning: ", '"plate"', "0.02 m thick", "h = 0.02 m")
        warning = process.err.strip().removeprefix("repose: ")
        self.assertEqual(result["notes"], [warning])
        self.assertIn(warning + "\n", process.out)
        # The last row of each frame tells what is inside; the summary is made of these.
        looked = [row for row in rows if row["inside_solids"]]
        summary = result["summary"]
        self.assertEqual(len(looked), summary["frames"])
        for row, frame in zip(looked, range(1, 5)):
            self.assertAlmostEqual(float(row["time_s"]) + float(row["dt_s"]), frame / 20, places=12)
        self.assertTrue(all(row["deepest_inside_solids_m"] == "" for row in rows if row["inside_solids"] == ""))
        counts = [int(row["inside_solids"]) for row in looked]
        deepest = max(float(row["deepest_inside_solids_m"]) for row in looked)
        self.assertEqual(summary["inside_solids"], counts[-1])
        self.assertEqual(summary["most_inside_solids"], max(counts))
        self.assertEqual(summary["deepest_inside_solids_m"], deepest)
        self.assertGreater(max(counts), 0)
        self.assertTrue(0 < deepest <= 0.01 + 1e-12)  # half of the plate
        self.assertIn(f"particles inside solids: {counts[-1]} at the end, at most {max(counts)}; "
                      f'deepest {deepest:.3g} m in "plate"', process.out)

    def test_sand_in_a_thin_plate_is_warned_of_and_counted_in_2d(self):
        self.thin_plate(2, "reference")
        self.thin_plate(2, "optimized")

    def test_sand_in_a_thin_plate_is_warned_of_and_counted_in_3d(self):
        self.thin_plate(3, "optimized")

    def test_a_plate_of_two_spacings_is_not_warned_of(self):
        process, result, _ = self.results(plate_scene(2, 0.04))
        self.assertEqual(process.err, "")
        self.assertEqual(result["notes"], [])

    def spout(self, dim, solver):
        h = 0.02
        most = h ** (dim - 1)
        for share in (1, 0.1, 0.01):
            rate = share * most
            process, result, _ = self.results(spout_scene(dim, rate), "--solver", solver)
            self.assertEqual(process.err, "")
            wanted = rate * 0.15 / (h ** dim / 8)
            self.assertLessEqual(abs(result["summary"]["entered"] - wanted), 0.5 + 1e-9)
            self.assertEqual(result["summary"]["entered"], result["summary"]["particles"])

    def test_spouts_let_in_their_rate_in_2d(self):
        self.spout(2, "reference")
        self.spout(2, "optimized")

    def test_spouts_let_in_their_rate_in_3d(self):
        self.spout(3, "optimized")

    def test_the_slowest_drip_starts_at_once_and_says_that_nothing_comes(self):
        for dim, implicit in ((2, False), (3, False), (2, True)):
            for rate in (1e-9, 1e-40, 1e-300):
                process, result, _ = self.results(spout_scene(dim, rate, implicit), "--solver", "reference")
                self.assert_one_line(process.err, "repose: warning: ", '"spout" lets in nothing')
                self.assertEqual(result["summary"]["frames"], 4)
                self.assertEqual(result["summary"]["particles"], 0)


if __name__ == "__main__":
    program.main()
