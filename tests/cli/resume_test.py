"""A run that was killed or interrupted goes on bit for bit."""

import csv
import pathlib
import re
import shlex
import signal

import program
from program import ProgramTest, results


class Resume(ProgramTest):
    def killed_run_equals_whole_run(self, solver, scene, *options):
        """40 steps against 20 + kill -9 + 20."""
        run = ["run", scene, "--solver", solver, *options, "--quiet"]
        whole = self.folder / "whole"
        self.run_program(*run, "--out", whole)
        steps = (whole / "steps.csv").read_text().count("\n") - 1
        self.assertEqual(steps, 40)
        self.assertEqual(len(list((whole / "states").iterdir())), 11)

        for attempt in range(5):  # a fast run may end before it can be killed
            parts = self.folder / f"parts{attempt}"
            process = self.start(*run, "--out", parts)
            self.wait_for((parts / "states/state_0005.hdf").exists, process)
            process.kill()
            process.communicate()
            if process.returncode == -signal.SIGKILL and not (parts / "states/state_0010.hdf").exists():
                break
        else:
            self.fail("the run was never caught between its frames 5 and 10")
        self.assertNotEqual(results(whole), results(parts))
        self.run_program(*run, "--out", parts, "--resume")
        self.assertEqual(results(whole), results(parts))

    def test_killed_reference_run_2d(self):
        self.killed_run_equals_whole_run("reference", self.scene(program.SCENE_2D))

    def test_killed_reference_run_3d(self):
        self.killed_run_equals_whole_run("reference", self.scene(program.SCENE_3D))

    def test_killed_optimized_run_2d_float(self):
        fine = program.SCENE_2D.replace("particles_per_cell = 8", "particles_per_cell = 64")
        self.killed_run_equals_whole_run("optimized", self.scene(fine), "--precision", "float", "--threads", 2)

    def test_killed_optimized_run_3d_double(self):
        fine = program.SCENE_3D.replace("seed = 1", "seed = 1\nparticles_per_cell = 64")
        self.killed_run_equals_whole_run("optimized", self.scene(fine), "--precision", "double", "--threads", 1)

    def killed_inflow_equals_whole_inflow(self, solver, *options, implicit=False):
        text = program.SCENE_2D.replace("particles_per_cell = 8", "particles_per_cell = 64") + program.SPOUT
        if implicit:
            text = text.replace("frame_rate", 'mpm.integrator = "implicit"\nframe_rate', 1)
        self.killed_run_equals_whole_run(solver, self.scene(text), *options)
        with open(self.folder / "whole/steps.csv", encoding="utf-8") as file:
            particles = [int(row["particles"]) for row in csv.DictReader(file)]
        # Grains enter before the run is killed, and still do in its last step.
        self.assertLess(particles[0], particles[20])
        self.assertLess(particles[-2], particles[-1])

    def test_killed_reference_run_with_a_spout(self):
        self.killed_inflow_equals_whole_inflow("reference")

    def test_killed_optimized_run_with_a_spout(self):
        self.killed_inflow_equals_whole_inflow("optimized", "--precision", "float", "--threads", 2)

    def test_killed_optimized_run_with_a_spout_in_implicit_steps(self):
        self.killed_inflow_equals_whole_inflow("optimized", "--precision", "double", "--threads", 2, implicit=True)

    def test_killed_run_of_sand_and_water(self):
        """Water pours on cohesive sand: what is wet, and how much, goes on as well."""
        text = program.SCENE_2D.replace('method = "mpm"', 'method = "mixture"').replace('mpm.kernel = "cubic"\n', "")
        text = text.replace("particles_per_cell = 8", "particles_per_cell = 64").replace("h0_deg = 35", "cohesion = 200\nh0_deg = 35")
        options = '[mixture]\ndrag = "mesh_consistent"\nkappa = 1e4\nreversible_term = "volume"\n'
        water = '[[material]]\nname = "water"\nkind = "water"\ndensity = 1000\nwater_stiffness = 1e4\nwater_gamma = 3\n'
        spout = program.SPOUT.replace('material = "sand"', 'material = "water"')
        self.killed_run_equals_whole_run("reference", self.scene(text + spout + options + water))
        with open(self.folder / "whole/steps.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertLess(int(rows[0]["particles"]), int(rows[-1]["particles"]))
        self.assertGreater(int(rows[-1]["wet_nodes"]), 0)
        self.assertGreater(int(rows[-1]["dragged_nodes"]), 0)

    def interrupted_run_equals_whole_run(self, solver, number):
        # Frames of 100 steps: the signal comes inside the first.
        scene = self.scene(program.SCENE_2D.replace("frame_rate = 256", "frame_rate = 10"))
        run = ["run", scene, "--solver", solver, "--frames", 2]
        self.run_program(*run, "--out", "whole")
        process = self.start(*run, "--out", "parts")
        parts = self.folder / "parts"
        self.wait_for((parts / "states/state_0000.hdf").exists, process)
        process.send_signal(number)
        _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, error)
        self.assertIn("continue with:", error)
        # A signal between the first state's appearance and the first step leaves that state as the one to go on from.
        last = re.search(r"the state is in (\S+)", error).group(1)
        self.assertIn(pathlib.Path(last).name, ("checkpoint.hdf", "state_0000.hdf"))
        self.assertTrue((self.folder / last).exists())
        self.assertNotEqual(results(self.folder / "whole"), results(parts))
        command = shlex.split(re.search(r"continue with:\n  repose (.*)\n", error).group(1))
        self.run_program(*command)
        self.assertEqual(results(self.folder / "whole"), results(parts))

    def test_ctrl_c_writes_a_checkpoint_and_says_how_to_go_on(self):
        self.interrupted_run_equals_whole_run("reference", signal.SIGINT)

    def test_termination_of_the_fast_solver_does_too(self):
        self.interrupted_run_equals_whole_run("optimized", signal.SIGTERM)

    def test_ctrl_c_without_states_leaves_one_to_go_on_from(self):
        scene = self.scene()
        run = ["run", scene, "--solver", "reference", "--frames", 100, "--states", "none"]
        process = self.start(*run, "--out", "parts")
        self.wait_for((self.folder / "parts/steps.csv").exists, process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        states = [file.name for file in (self.folder / "parts/states").iterdir()]
        self.assertEqual(states, ["checkpoint.hdf"])
        # Brought to its end it is as if it had never stopped.
        self.run_program(*run, "--out", "whole")
        self.run_program(*run, "--out", "parts", "--resume")
        self.assertEqual(results(self.folder / "whole"), results(self.folder / "parts"))

    def test_equal_runs_are_equal_files_with_any_number_of_threads(self):
        scene = self.scene(program.SCENE_3D)
        for out, threads in (("one", 1), ("again", 1), ("two", 2)):
            self.run_program("run", scene, "--out", out, "--threads", threads, "--frames", 3)
        self.assertEqual(results(self.folder / "one"), results(self.folder / "again"))
        self.assertEqual(results(self.folder / "one"), results(self.folder / "two"))

    def test_a_record_replays_to_the_same_bits(self):
        self.run_program("run", self.scene(), "--solver", "reference", "--out", "first", "--frames", 2)
        self.run_program("run", "first/run.toml", "--solver", "reference", "--out", "second", "--frames", 2)
        self.assertEqual(results(self.folder / "first"), results(self.folder / "second"))

    def test_another_scene_is_not_resumed(self):
        self.run_program("run", self.scene(), "--solver", "reference", "--out", "run", "--frames", 1)
        other = self.scene(program.SCENE_2D.replace("density = 1600", "density = 1700"))
        before = results(self.folder / "run")
        process = self.run_program("run", other, "--solver", "reference", "--out", "run", "--resume", expect=2)
        self.assert_one_line(process.err, "1600", "1700")
        self.assertEqual(before, results(self.folder / "run"))

    def test_two_programs_do_not_share_a_folder(self):
        scene = self.scene()
        process = self.start("run", scene, "--solver", "reference", "--out", "run", "--frames", 10000)
        self.wait_for((self.folder / "run/states/state_0001.hdf").exists, process)
        second = self.run_program(
            "run", scene, "--solver", "reference", "--out", "run", "--frames", 10000, "--resume", expect=2)
        self.assert_one_line(second.err, "another process")
        self.assertIsNone(process.poll())
        process.kill()
        process.communicate()


if __name__ == "__main__":
    program.main()
