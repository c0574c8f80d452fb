"""Exit codes, messages, what is written and what is not."""

import json
import os
import pty
import resource
import signal
import socket
import unittest

import program
from program import ProgramTest


class Usage(ProgramTest):
    def test_help_everywhere_shows_an_example(self):
        for command in ([], ["run"], ["picture"], ["list"]):
            process = self.run_program(*command, "--help")
            self.assertIn("Example", process.out)
            self.assertIn("repose " + " ".join(command), process.out)

    def test_version_names_what_the_program_was_made_from(self):
        out = self.run_program("--version").out
        for word in ("repose 0.", "revision ", "compiler ", "instruction sets"):
            self.assertIn(word, out)

    def test_a_misspelt_command_is_answered_with_the_nearest(self):
        process = self.run_program("rnu", "scene.toml", expect=2)
        self.assert_one_line(process.err, "'rnu'", "'run'")
        self.assert_one_line(self.run_program("xyzzy", expect=2).err, "'xyzzy'")

    def test_usage_errors_exit_with_2(self):
        scene = self.scene()
        for arguments in (
            [],
            ["--no-such-option"],
            ["run"],
            ["run", scene, "--no-such-option"],
            ["run", scene, "--threads", "0"],
            ["run", scene, "--threads", "many"],
            ["run", scene, "--frames", "-1"],
            ["run", scene, "--frames", "1.5"],
            ["run", scene, "--solver", "magic"],
            ["run", scene, "--method", "magic"],
            ["run", scene, "--precision", "half"],
            ["run", scene, "--states", "some"],
            ["run", scene, "--solver", "reference", "--precision", "float"],
            ["run", scene, "--simd", "MMX"],
            ["run", scene, "--json", "no/such/folder/f.json"],
            ["run", scene, "scene_too_much.toml"],
            ["list", "everything"],
        ):
            with self.subTest(arguments=arguments):
                process = self.run_program(*arguments, expect=2)
                self.assertNotEqual(process.err, "")
                self.assertEqual(os.listdir(self.folder), ["scene.toml"])

    def test_a_bad_scene_is_one_line_and_nothing_is_written(self):
        bad = program.SCENE_2D.replace("poisson_ratio = 0.3", "poisson_ratio = 0.5")
        line = bad.split("\n").index("poisson_ratio = 0.5") + 1
        process = self.run_program("run", self.scene(bad), "--out", "out", "--json", "f.json", expect=2)
        self.assert_one_line(process.err, f"scene.toml:{line}:", "poisson_ratio = 0.5")
        self.assertEqual(process.out, "")
        self.assertEqual(os.listdir(self.folder), ["scene.toml"])
        process = self.run_program("run", "none.toml", "--out", "out", expect=2)
        self.assert_one_line(process.err, "none.toml", "No such file")
        self.assertEqual(os.listdir(self.folder), ["scene.toml"])

    def test_a_scene_says_its_method_and_the_resolved_one_holds_its_options(self):
        old = program.SCENE_2D.replace('method = "mpm"\n', "").replace("mpm.kernel", "kernel")
        process = self.run_program("run", self.scene(old), "--method", "mpm", expect=2)
        self.assert_one_line(process.err, "scene.toml:1: method is missing", '"mpm"', "put kernel into [mpm]")
        self.assertEqual(os.listdir(self.folder), ["scene.toml"])
        self.run_program("run", self.scene(), "--method", "mpm", "--frames", 0, "--out", "out")
        resolved = (self.folder / "out/run.toml").read_text()
        for part in ('method = "mpm"\n', '\n[mpm]\nkernel = "cubic"\n', "\nelastic_bound = 0.6\n", '\nkind = "sand"\n'):
            self.assertIn(part, resolved)
        self.run_program("run", "out/run.toml", "--frames", 0, "--out", "again")

    def test_a_folder_in_use_is_not_overwritten(self):
        scene = self.scene()
        (self.folder / "mine").mkdir()
        (self.folder / "mine/notes.txt").write_text("mine")
        process = self.run_program("run", scene, "--out", "mine", expect=2)
        self.assert_one_line(process.err, "mine", "choose another folder")
        self.run_program("run", scene, "--solver", "reference", "--out", "out", "--frames", 0)
        process = self.run_program("run", scene, "--solver", "reference", "--out", "out", expect=2)
        self.assert_one_line(process.err, "--resume")
        process = self.run_program("run", scene, "--out", "scene.toml/out", expect=2)
        self.assert_one_line(process.err, "Not a directory")

    def test_a_failing_simulation_exits_with_1_and_keeps_the_last_state(self):
        # Thrown out of the domain.
        scene = self.scene(program.SCENE_2D.replace('shape = "box"', 'shape = "box"\nvelocity = [60, 0]'))
        process = self.run_program("run", scene, "--solver", "reference", "--out", "out", expect=1)
        self.assert_one_line(process.err, "particle", "step")
        states = sorted(os.listdir(self.folder / "out/states"))
        self.assertGreaterEqual(len(states), 2)
        self.assertTrue(all(name.endswith(".hdf") for name in states))

    @unittest.skipIf(not hasattr(signal, "SIGXFSZ"), "no file size limits here")
    def test_a_full_disk_is_one_line_and_leaves_no_half_state(self):
        def full_disk():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

        process = self.run_program("run", self.scene(), "--solver", "reference", "--out", "out", "--quiet", expect=1,
                                   preexec_fn=full_disk, restore_signals=False)
        self.assert_one_line(process.err, "cannot write", "state_0000.hdf", "File too large")
        self.assertEqual(os.listdir(self.folder / "out/states"), [])

    def test_the_summary_says_what_happened(self):
        process = self.run_program(
            "run", self.scene(), "--solver", "reference", "--out", "out", "--frames", 4, "--json", "f.json")
        for word in ("frames", "steps", "limited by", "inside the cone", "particle-steps/s", "peak memory"):
            self.assertIn(word, process.out)
        result = json.loads((self.folder / "f.json").read_text())
        summary, provenance = result["summary"], result["provenance"]
        self.assertEqual(summary["frames"], 4)
        self.assertEqual(summary["steps"], (self.folder / "out/steps.csv").read_text().count("\n") - 1)
        self.assertEqual(sum(summary["limited_by"].values()), summary["steps"])
        cases = summary["inside"] + summary["tip"] + summary["surface"]
        self.assertEqual(cases, summary["particle_steps"])
        for key in ("revision", "compiler", "flags", "cpu", "cores", "scene_hash", "seeds"):
            self.assertTrue(provenance[key], key)
        for key in ("wall_seconds", "particle_steps_per_s", "peak_memory_bytes"):
            self.assertGreater(provenance[key], 0)

    def test_results_name_neither_folders_nor_the_machine(self):
        self.run_program("run", self.scene(), "--solver", "reference", "--out", self.folder / "out", "--frames", 1,
                         "--json", self.folder / "f.json")
        files = [self.folder / "f.json", *(self.folder / "out").rglob("*.*")]
        self.assertGreaterEqual(len(files), 5)
        for file in files:
            content = file.read_bytes()
            for secret in (str(self.folder), os.path.dirname(program.PROGRAM), os.path.expanduser("~") + "/"):
                self.assertNotIn(secret.encode(), content, file)
            if len(socket.gethostname()) > 5:  # shorter ones may be part of a word
                self.assertNotIn(socket.gethostname().encode(), content, file)

    def test_progress_is_shown_on_a_terminal_only(self):
        run = ["run", self.scene(), "--solver", "reference", "--frames", 2]
        self.assertEqual(self.run_program(*run, "--out", "piped").err, "")
        self.assertIn("particle-steps/s", self.on_terminal(*run, "--out", "terminal"))
        self.assertEqual(self.on_terminal(*run, "--out", "quiet", "--quiet"), "")
        process = self.run_program(*run, "--out", "still", "--quiet")
        self.assertEqual(process.out + process.err, "")

    def on_terminal(self, *arguments):
        """What appears on a terminal's stderr."""
        ours, theirs = pty.openpty()
        process = self.start(*arguments, stderr=theirs)
        os.close(theirs)
        shown = b""
        while True:
            try:
                chunk = os.read(ours, 4096)
            except OSError:  # Linux's way to say that the other end is closed
                break
            if not chunk:
                break
            shown += chunk
        os.close(ours)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        return shown.decode()

    def test_list_names_everything(self):
        listed = json.loads(self.run_program("list", "--json").out)
        self.assertIn("reference", listed["solvers"])
        self.assertIn("optimized", listed["solvers"])
        for key in ("figures", "scenes", "suites", "cases"):
            self.assertGreaterEqual(len(listed[key]), 1, key)
        for figure in listed["figures"]:
            self.assertLessEqual({"id", "starred", "presets", "status"}, set(figure))
        text = self.run_program("list").out
        for figure in listed["figures"]:
            self.assertIn(figure["id"], text)


if __name__ == "__main__":
    program.main()
