"""What a run looks like: `repose picture`."""

import hashlib
import os
import pty
import re
import shlex
import signal
import struct
import unittest
import zlib

import program
from program import ProgramTest


def pixels(file):
    """Width, height and rows of bytes of a PNG of 8-bit RGB."""
    data = file.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    place, packed = 8, b""
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place : place + 8])
        body = data[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 2)
        elif kind == b"IDAT":
            packed += body
        place += 12 + length
    raw = zlib.decompress(packed)
    rows, before = [], bytes(3 * width)
    for k in range(height):
        filtered = raw[k * (3 * width + 1) : (k + 1) * (3 * width + 1)]
        row = bytearray(filtered[1:])
        for i, byte in enumerate(row):
            left = row[i - 3] if i >= 3 else 0
            up, corner = before[i], before[i - 3] if i >= 3 else 0
            guess = left + up - corner
            nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            row[i] = (byte + (0, left, up, (left + up) // 2, nearest)[filtered[0]]) % 256
        rows.append(bytes(row))
        before = row
    return width, height, rows


def size(png):
    return struct.unpack(">II", png[16:24])


def count_of(file, near):
    """Pixels of about a colour."""
    _, _, rows = pixels(file)
    return sum(all(abs(row[3 * k + c] - near[c]) < 12 for c in range(3)) for row in rows for k in range(len(row) // 3))


SAND = (225, 169, 95)
SMALL = ["--width", 300]


class Pictures(ProgramTest):
    def ran(self, text=program.SCENE_2D, *options, frames=2):
        self.run_program("run", self.scene(text), "--out", "out", "--frames", frames, "--quiet", *options)
        return self.folder / "out"

    def setUp(self):
        super().setUp()
        process = self.run_program("picture", "nothing", expect=2)
        if "cannot write PNG" in process.err:
            self.skipTest("this build cannot write PNG")

    def test_the_summary_of_a_run_names_the_command_that_shows_it(self):
        for out in ("out", "a folder with 'quotes'"):
            process = self.run_program("run", self.scene(), "--out", out, "--frames", 2)
            command = re.search(r"see it: repose (.*)\n", process.out).group(1)
            shown = self.run_program(*shlex.split(command)).out.strip()
            self.assertEqual(shown, f"{out}/pictures/frame_0002.png")
            width, height = size((self.folder / shown).read_bytes())
            self.assertEqual(width, 1200)
            self.assertGreater(height, 600)  # a domain half as high as wide, and the legend
        process = self.run_program("run", self.scene(), "--out", "bare", "--frames", 1, "--states", "none")
        self.assertNotIn("see it", process.out)

    def test_frames_by_number_and_all(self):
        run = self.ran(frames=3)
        self.run_program("picture", run, "--frame", 1, *SMALL)
        self.assertEqual(os.listdir(run / "pictures"), ["frame_0001.png"])
        one = (run / "pictures/frame_0001.png").read_bytes()
        # Sand on 0.4 m of 2 m by 0.6 m of 1 m, 85 % of it in this colour, and half of that rims of grains and gaps.
        whole = 0.2 * 0.6 * 300 * 150
        self.assertGreater(count_of(run / "pictures/frame_0001.png", SAND), 0.4 * whole)
        self.assertLess(count_of(run / "pictures/frame_0001.png", SAND), 0.85 * whole)
        process = self.run_program("picture", run, "--every", *SMALL)
        self.assertEqual(process.err, "")
        self.assertEqual(sorted(os.listdir(run / "pictures")), [f"frame_{k:04}.png" for k in range(4)])
        self.assertEqual((run / "pictures/frame_0001.png").read_bytes(), one)
        self.assertNotEqual((run / "pictures/frame_0003.png").read_bytes(), one)
        # A run with pictures is still a run.
        self.run_program("run", self.scene(), "--out", run, "--frames", 4, "--resume", "--quiet")

    def test_every_colour_in_2d_and_3d_in_float_and_double(self):
        for text, precision in ((program.SCENE_2D, "float"), (program.SCENE_3D, "double")):
            self.run_program("run", self.scene(text), "--out", precision, "--precision", precision, "--quiet")
            digests = set()
            for colour in ("material", "speed", "height", "case", "hardening", "pressure"):
                picture = self.folder / f"{precision}_{colour}.png"
                for _ in range(2):  # the second time the same bits
                    self.run_program("picture", precision, "--colour", colour, "--out", picture, *SMALL)
                    digests.add(hashlib.sha256(picture.read_bytes()).hexdigest())
            self.assertEqual(len(digests), 6)

    def test_one_scale_for_all_pictures_of_a_series(self):
        run = self.ran(frames=3)
        self.run_program("picture", run, "--every", "--colour", "speed", *SMALL)
        series = (run / "pictures/frame_0001.png").read_bytes()
        self.run_program("picture", run, "--frame", 1, "--colour", "speed", *SMALL)
        self.assertNotEqual((run / "pictures/frame_0001.png").read_bytes(), series)

    def test_an_interrupted_run(self):
        long = program.SCENE_2D.replace("frame_rate = 256", "frame_rate = 0.25").replace("0.0390625", "100")
        process = self.start("run", self.scene(long), "--out", "out", "--solver", "reference", "--quiet")
        table = self.folder / "out/steps.csv"
        # Not before the first step: the state that is there already would serve.
        self.wait_for(lambda: table.exists() and table.read_text().count("\n") > 1, process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertTrue((self.folder / "out/states/checkpoint.hdf").exists())
        self.assertEqual(self.run_program("picture", "out", *SMALL).out.strip(),
                         "out/pictures/frame_0000_checkpoint.png")
        self.run_program("picture", "out", "--every", *SMALL)
        self.assertEqual(sorted(os.listdir(self.folder / "out/pictures")),
                         ["frame_0000.png", "frame_0000_checkpoint.png"])

    def test_before_the_first_particle_enters(self):
        seedless = re.sub(r"\[\[seed\]\].*?(?=\[\[collider)", "", program.SCENE_2D, flags=re.S)
        spout_3d = program.SPOUT.replace("[0.9, 0.8]", "[0.4, 0.5, 0.4]").replace("[1.1, 0.84]", "[0.6, 0.54, 0.6]")
        spout_3d = spout_3d.replace("[0, -2]", "[0, -2, 0]").replace("rate = 0.4", "rate = 0.05")
        seedless_3d = re.sub(r"\[\[seed\]\].*?(?=\[\[collider)", "", program.SCENE_3D, flags=re.S)
        for name, text in (("plane", seedless + program.SPOUT), ("space", seedless_3d + spout_3d)):
            self.run_program("run", self.scene(text), "--out", name, "--frames", 0, "--quiet")
            for colour in ("material", "speed", "pressure"):
                self.run_program("picture", name, "--colour", colour, *SMALL)
            self.assertEqual(os.listdir(self.folder / name / "pictures"), ["frame_0000.png"])

    def test_what_is_no_run_is_one_line(self):
        (self.folder / "empty").mkdir()
        scene = self.scene()
        bare = self.folder / "bare"
        self.run_program("run", scene, "--out", bare, "--frames", 1, "--states", "none", "--quiet")
        run = self.ran(frames=2)
        for arguments, words in (
            (["nothing"], ("nothing", "no such folder")),
            ([scene], ("scene.toml", "not a folder")),
            (["empty"], ("empty", "run.toml is missing")),
            ([bare], ("bare", "no state", "--states")),
            ([run, "--frame", 7], ("--frame 7", "state_0000.hdf", "state_0002.hdf")),
            ([run, "--frame", 1, "--every"], ("not both",)),
            ([run, "--every", "--out", "one.png"], ("one.png", "folder")),
            ([run, "--eye", 1, 2, 3], ("--eye", "3D", "--window")),
            ([run, "--window", 1, 1, 0, 2], ("--window", "1 is not below 0")),
            ([run, "--window", 0, 0, 1, "nan"], ("--window", "finite")),
            ([run, "--range", 2, 2, "--colour", "speed"], ("--range", "2 is not below 2")),
            ([run, "--height", 120, "--width", 4000], ("4000 x 120", "no room")),
        ):
            with self.subTest(arguments=arguments):
                process = self.run_program("picture", *arguments, expect=2)
                self.assert_one_line(process.err, *words)
                self.assertEqual(process.out, "")
        for arguments in (["--colour", "mauve"], ["--width", "10"], ["--width", "1e9"], ["--frame", "-1"],
                          ["--eye", "1", "2"], ["--no-such-option"]):
            with self.subTest(arguments=arguments):
                self.assertNotEqual(self.run_program("picture", run, *arguments, expect=2).err, "")
        self.assertFalse((run / "pictures").exists())

    def test_a_damaged_state_is_passed_over_where_there_are_others(self):
        run = self.ran(frames=2)
        damaged = run / "states/state_0001.hdf"
        damaged.write_bytes(damaged.read_bytes()[:-100])
        process = self.run_program("picture", run, "--every", *SMALL)
        self.assert_one_line(process.err, "passed over", "state_0001.hdf")
        self.assertEqual(sorted(os.listdir(run / "pictures")), ["frame_0000.png", "frame_0002.png"])
        self.assert_one_line(self.run_program("picture", run, "--frame", 1, expect=2).err, "state_0001.hdf")

    def test_progress_on_a_terminal_only(self):
        run = self.ran(frames=2)

        def shown(*arguments):
            ours, theirs = pty.openpty()
            process = self.start("picture", run, *SMALL, *arguments, stderr=theirs)
            os.close(theirs)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0)
            try:
                return os.read(ours, 65536).decode()
            except OSError:  # nothing was written
                return ""
            finally:
                os.close(ours)

        self.assertIn("3 of 3", shown("--every"))
        self.assertEqual(shown("--every", "--quiet"), "")
        self.assertEqual(shown(), "")

    def test_a_picture_that_cannot_be_written_is_one_line(self):
        run = self.ran(frames=1)
        (self.folder / "file").write_text("")
        process = self.run_program("picture", run, "--out", "file/picture.png", expect=1)
        self.assert_one_line(process.err, "file")


if __name__ == "__main__":
    program.main()
