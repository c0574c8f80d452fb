"""Input that nobody meant to run: one short line, the right exit code, at once, and nothing left behind."""

import os
import resource
import signal
import unittest

import program
from program import ProgramTest

LIMIT = 240  # characters of a message, in front of which stands "repose: "


def changed(old, new, text=program.SCENE_2D):
    assert old in text, old
    return text.replace(old, new, 1)


def little_memory():
    """What asks for more than this is stopped, so that a fault does not take the machine with it."""
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


class Hostile(ProgramTest):
    def refused(self, scene, *options, parts=(), expect=2, **more):
        """Of the program with a scene: its one line. Seconds pass on a busy machine, a hang is a minute."""
        more.setdefault("preexec_fn", little_memory)
        process = self.run_program("run", scene, "--out", "out", *options, expect=expect, timeout=60, **more)
        self.assert_one_line(process.err, *parts)
        line = process.err.rstrip("\n")
        self.assertLessEqual(len(line), LIMIT + len("repose: "))
        self.assertTrue(line.isprintable(), repr(line))
        self.assertEqual(process.out, "")
        self.assertFalse((self.folder / "out").exists())
        return line

    def refused_text(self, text, *options, parts=(), **more):
        return self.refused(self.scene(text), *options, parts=parts, **more)

    # What cannot be as many as that

    def test_particle_counts_that_cannot_be(self):
        for count in ("1e308", "1e18", "1e12", "1e6"):
            for sampling in ("poisson_disk", "regular", "jittered"):
                with self.subTest(count=count, sampling=sampling):
                    text = changed("particles_per_cell = 8", f'particles_per_cell = {count}\nsampling = "{sampling}"')
                    text = changed("max = [1.2, 0.7]", "max = [1.9, 0.9]", text)
                    line = text.split("\n").index("[[seed]]") + 1
                    options = ["--memory-limit-gib", 2]
                    self.refused_text(text, *options, parts=[f"scene.toml:{line}: ", "particles_per_cell = ", "GiB"])

    def test_the_memory_limit_is_an_option_with_two_sides(self):
        scene = self.scene(changed("particles_per_cell = 8", "particles_per_cell = 100"))
        line = self.refused(scene, "--frames", 0, "--memory-limit-gib", 0.001)
        self.assertIn("--memory-limit-gib", line)
        self.run_program("run", scene, "--frames", 0, "--memory-limit-gib", 0.1, "--out", "out")

    def test_a_domain_too_large_for_the_readable_solver_alone(self):
        text = changed("domain.max = [2, 1]", "domain.max = [20000, 20000]")
        limit = ["--frames", 0, "--memory-limit-gib", 2]
        self.refused_text(text, "--solver", "reference", *limit, parts=["scene.toml: domain", "GiB"])
        self.run_program("run", self.scene(text), "--solver", "optimized", *limit, "--out", "fast")

    def test_a_benchmark_too_large_for_the_memory_is_refused_before_it_measures(self):
        process = self.run_program("bench", "--particles", 200000000, "--memory-limit-gib", 4, expect=2, timeout=60)
        self.assert_one_line(process.err, "--particles 200000000", "GiB")

    def test_a_figure_too_large_for_the_memory_is_refused(self):
        process = self.run_program("reproduce", "klar2016/fig14_column_cases", "--preset", "smoke", "--out", "figures",
                                   "--memory-limit-gib", 0.0001, "--quiet", expect=2, timeout=60)
        self.assert_one_line(process.err, "particles_per_cell", "GiB", "--memory-limit-gib")

    def test_runs_that_would_never_end(self):
        for old, new, key in (
            ("duration = 0.0390625", "duration = 1e300", "duration"),
            ("frame_rate = 256", "frame_rate = 1e300", "duration"),
            ("frame_rate = 256", "frame_rate = 1e-300", "frame_rate"),
            ("max_dt = 0.0009765625", "max_dt = 1e-300", "frame_rate"),
            ("youngs_modulus = 1e5", "youngs_modulus = 1e300", "frame_rate"),
            ("particles_per_cell = 8", "velocity = [1e300, 0]", "frame_rate"),
        ):
            with self.subTest(new=new):
                text = changed(old, new)
                line = [key in row for row in text.split("\n")].index(True) + 1
                self.refused_text(text, parts=[f"scene.toml:{line}: {key} = "])

    # What is no scene file

    def test_files_that_are_none(self):
        os.mkfifo(self.folder / "pipe.toml")
        os.symlink("circle.toml", self.folder / "circle.toml")
        (self.folder / "large.toml").write_bytes(b"#" * (2 << 20))
        self.refused("pipe.toml", parts=["pipe.toml: is a pipe"])
        self.refused("/dev/zero", parts=["/dev/zero: is a device"])
        self.refused("circle.toml", parts=["circle.toml: cannot be read"])
        self.refused("n" * 5000, parts=["cannot be read: File name too long"])
        self.refused("large.toml", parts=["large.toml: is larger than 1 MiB"])
        self.refused(".", parts=["is a folder"])

    def test_a_name_that_is_not_utf8(self):
        name = os.fsencode(self.folder) + b"/s\xff.toml"
        with open(name, "wb") as file:
            file.write(program.SCENE_2D.encode())
        self.refused(os.fsdecode(name), parts=["s\\xff.toml: its name is not UTF-8"])

    # What a text may hold

    def test_integers_beyond_the_doubles_are_the_nearest(self):
        text = changed("density = 1600", "density = 9007199254740993")
        self.run_program("run", self.scene(text), "--frames", 0, "--out", "out")
        self.assertIn("density = 9007199254740992.0", (self.folder / "out/run.toml").read_text())

    def test_deep_keys_and_brackets(self):
        for piece in (".".join(["a"] * 40000) + " = 1", "x = " + "[" * 100000, "x = " + "{a=" * 100000):
            with self.subTest(piece=piece[:20]):
                self.refused_text(program.SCENE_2D + "\n[repose]\n" + piece + "\n", parts=["scene.toml:"])

    def test_long_names(self):
        text = program.SCENE_2D.replace('"sand"', '"' + "s" * 70000 + '"')
        self.refused_text(text, parts=["name = ", "1 to 200 bytes"])

    def test_lines_and_escape_codes_in_values_keys_and_names(self):
        for old, new in (
            ("frame_rate = 256", 'frame_rate = """a\nb\nc"""'),
            ("frame_rate = 256", 'frame_rate = 256\nfoo = """a\nb\nc"""'),
            ('kernel = "cubic"', 'kernel = "cu\\nbic\\u001b[31m"'),
            ('kernel = "cubic"', '"ker\\nnel\\u001b[31m" = 1'),
            ('material = "sand"', 'material = "\\u001b]0;title\\u0007\\u202e"'),
            ('shape = "half_space"', 'name = "a\\nb\\u001b[2J"\nshape = "half_space"\nhollow = true'),
        ):
            with self.subTest(new=new):
                self.refused_text(changed(old, new), parts=["scene.toml:"])
        # Names that are all right reach messages about what they name.
        inside = changed("point = [0, 0.1]", "point = [0, 0.5]")
        self.refused_text(changed('shape = "half_space"', 'name = "a\\nb\\u001b[2J"\nshape = "half_space"', inside),
                          parts=["a\\nb\\u001b[2J"])

    def test_escape_codes_on_the_command_line(self):
        for arguments in (["a\nb\x1b[31m"], ["run", "a\nb\x1b[31m.toml"], ["run", "x", "--solver", "a\nb"],
                          ["run", "x", "--no\n\x1b"], ["reproduce", "a\nb\x1b[31m"], ["verify", "--case", "a\nb"]):
            with self.subTest(arguments=arguments):
                process = self.run_program(*arguments, expect=2)
                self.assert_one_line(process.err)
                self.assertTrue(process.err.rstrip("\n").isprintable(), repr(process.err))

    # Signals

    def interrupt_sampling(self, number, *command):
        """A body whose Poisson-disk sample takes tens of seconds is given up at once."""
        process = self.start(*command)
        self.addCleanup(process.kill)  # where it does not obey
        # It is at work once it has used processor time beyond that of starting.
        def works():
            with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
                return int(file.read().rpartition(")")[2].split()[11]) > 0.5 * os.sysconf("SC_CLK_TCK")
        self.wait_for(works, process)
        process.send_signal(number)
        _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, error)
        self.assert_one_line(error, "interrupted")

    @unittest.skipUnless(os.path.exists("/proc/self/stat"), "no /proc here")
    def test_a_signal_during_sampling_ends_the_program(self):
        text = changed("particles_per_cell = 8", "particles_per_cell = 100000")  # ten million particles
        for number in (signal.SIGINT, signal.SIGTERM):
            self.interrupt_sampling(number, "run", self.scene(text), "--out", "out", "--memory-limit-gib", 1000)
            self.assertFalse((self.folder / "out").exists())

    @unittest.skipUnless(os.path.exists("/proc/self/stat"), "no /proc here")
    def test_a_signal_while_a_state_is_written_ends_the_run_with_that_state(self):
        # Half a million particles: the first state takes a while, and so would the first step.
        text = changed("particles_per_cell = 8", 'particles_per_cell = 5000\nsampling = "regular"')
        process = self.start("run", self.scene(text), "--out", "out", "--threads", 1)
        states = self.folder / "out/states"
        self.wait_for(lambda: states.exists() and any(states.iterdir()), process)
        process.send_signal(signal.SIGTERM)
        _, error = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, error)
        self.assertIn("interrupted at 0 s; the state is in out/states/state_0000.hdf", error)
        self.assertEqual([file.name for file in states.iterdir()], ["state_0000.hdf"])
        self.assertEqual((self.folder / "out/steps.csv").read_text().count("\n"), 1)


if __name__ == "__main__":
    program.main()
