"""Runs the program for end-to-end tests. Every test file is called as: python3 FILE PROGRAM [unittest options]."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = None

# Ten frames of four steps of 1/1024 s: exact in binary, so that the number of steps is known.
SCENE_2D = """
title = "Small column"
method = "mpm"
dimension = 2
spacing = 0.05
mpm.kernel = "cubic"
frame_rate = 256
duration = 0.0390625
max_dt = 0.0009765625
domain.min = [0, 0]
domain.max = [2, 1]
[[material]]
name = "sand"
density = 1600
youngs_modulus = 1e5
poisson_ratio = 0.3
h0_deg = 35
h1_deg = 9
h2 = 0.2
h3_deg = 10
volume_correction = true
[[seed]]
shape = "box"
min = [0.8, 0.1]
max = [1.2, 0.7]
material = "sand"
particles_per_cell = 8
seed = 1
[[collider]]
shape = "half_space"
point = [0, 0.1]
normal = [0, 1]
friction = 0.6
"""

# Behind SCENE_2D: sand through an opening of 0.2 m at 2 m/s, until the end.
SPOUT = """
[[emitter]]
name = "spout"
shape = "box"
min = [0.9, 0.8]
max = [1.1, 0.84]
velocity = [0, -2]
rate = 0.4
stop = 1
material = "sand"
particles_per_cell = 64
seed = 1
"""

SCENE_3D = """
title = "Small block"
method = "mpm"
dimension = 3
spacing = 0.05
mpm.kernel = "quadratic"
frame_rate = 256
duration = 0.0390625
max_dt = 0.0009765625
domain.min = [0, 0, 0]
domain.max = [1, 0.6, 1]
[[material]]
name = "sand"
density = 1600
youngs_modulus = 1e5
poisson_ratio = 0.3
friction_angle_deg = 35
[[seed]]
shape = "box"
min = [0.35, 0.1, 0.35]
max = [0.6, 0.35, 0.6]
material = "sand"
seed = 1
velocity = [1, 0, 0.5]
[[collider]]
shape = "half_space"
point = [0, 0.1, 0]
normal = [0, 1, 0]
friction = 0.4
"""


class ProgramTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="repose_cli_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def scene(self, text=SCENE_2D, name="scene.toml"):
        file = self.folder / name
        file.write_text(text)
        return file

    def start(self, *arguments, **options):
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen([PROGRAM, *map(str, arguments)], text=True, cwd=self.folder, **options)

    def run_program(self, *arguments, expect=0, timeout=120, **options):
        """@param expect the exit code, or a tuple of those allowed"""
        process = self.start(*arguments, **options)
        process.out, process.err = process.communicate(timeout=timeout)
        allowed = expect if isinstance(expect, tuple) else (expect,)
        self.assertIn(process.returncode, allowed, f"{arguments}:\n{process.out}\n{process.err}")
        return process

    def assert_one_line(self, text, *parts):
        self.assertEqual(text.count("\n"), 1, text)
        for part in parts:
            self.assertIn(str(part), text)

    def wait_for(self, condition, process):
        """Until the condition holds, or the process has ended."""
        deadline = time.monotonic() + 60
        while not condition() and process.poll() is None:
            self.assertLess(time.monotonic(), deadline, "nothing happened for a minute")
            time.sleep(0.001)


def results(run):
    """Digests of the files that equal runs have in common."""
    files = [run / "steps.csv", run / "sums.csv", *sorted((run / "states").iterdir())]
    return {str(file.relative_to(run)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def main():
    global PROGRAM
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    module = sys.modules["__main__"]
    sys.modules["program"].PROGRAM = PROGRAM
    unittest.main(module=module)
