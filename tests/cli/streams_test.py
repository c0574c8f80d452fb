"""Lost streams, full disks, damaged files: one line, the right exit code, and nothing lost without a word."""

import json
import os
import resource
import shutil
import signal
import unittest

import program
from program import ProgramTest, results

# The smallest case of `repose verify`.
CASE = "room_corner/apic"

BENCH = {
    "machine": {"cpu": "some", "cores": 2, "triad_gb_s": 20.0, "fma_float_gflop_s": 80.0},
    "rows": [{"name": "a", "method": "mpm", "variant": "apic-cubic", "solver": "optimized", "scene": "flow", "dim": 3, "kernel": "cubic", "precision": "float", "threads": 1,
              "simd": "AVX2", "particles": 1000, "ns_per_particle_step_core": 100.0, "ns_quartile_1": 99.0, "ns_quartile_3": 101.0,
              "particle_steps_per_s": 1e7, "verdict": "pass", "stages": {"p2g": 50.0}}],
}


def limit_files(size, signal_too=False):
    """Files end at `size` bytes, as on a full disk: writing fails, or kills the process that tries."""

    def apply():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL if signal_too else signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return {"preexec_fn": apply, "restore_signals": False}


def closed(*descriptors):
    def apply():
        for descriptor in descriptors:
            os.close(descriptor)

    return {"preexec_fn": apply}


@unittest.skipIf(not os.path.exists("/dev/full"), "no /dev/full here")
class Streams(ProgramTest):
    def full(self):
        file = open("/dev/full", "wb", buffering=0)
        self.addCleanup(file.close)
        return file

    def printing(self):
        """Commands that print something and end well."""
        scene = self.scene()
        (self.folder / "bench.json").write_text(json.dumps(BENCH))
        (self.folder / "page").mkdir()
        (self.folder / "page/bench.json").write_text(json.dumps(BENCH))
        return [
            ["list"], ["list", "--json"], ["--help"], ["--version"], ["run", "--help"], ["verify", "--list"],
            ["verify", "--fault", "all", "--list"], ["verify", "--case", CASE], ["bench", "--read", "bench.json"],
            ["report", "page"], ["run", scene, "--solver", "reference", "--out", "out", "--frames", 0],
            ["reproduce", "klar2016/fig09_kernels", "--preset", "smoke"],
            ["reproduce", "klar2016/fig09_kernels", "--preset", "smoke", "--json"],
        ]

    def test_what_is_lost_on_standard_output_is_an_error(self):
        for arguments in self.printing():
            for name, options in (("full", {"stdout": self.full()}), ("closed", {"stdout": None, **closed(1)})):
                with self.subTest(arguments=arguments, stdout=name):
                    shutil.rmtree(self.folder / "out", ignore_errors=True)
                    self.assertNotEqual(self.run_program(*arguments).out, "", "prints nothing to lose")
                    shutil.rmtree(self.folder / "out", ignore_errors=True)
                    process = self.run_program(*arguments, expect=1, **options)
                    self.assert_one_line(process.err, "repose: cannot write standard output: ")

    def test_messages_that_cannot_be_shown_change_no_exit_code(self):
        scene = self.scene()
        bad = self.scene(program.SCENE_2D.replace("poisson_ratio = 0.3", "poisson_ratio = 0.5"), "bad.toml")
        fast = self.scene(program.SCENE_2D.replace('shape = "box"', 'shape = "box"\nvelocity = [60, 0]'), "fast.toml")
        run = ["run", "--solver", "reference", "--quiet", "--out"]
        for expect, *arguments in (
            (2, "xyzzy"), (2,), (2, "run"), (2, "run", bad), (2, "run", "none.toml"), (2, "report", "nowhere"),
            (2, "bench", "--read", "none.json"), (1, *run, "failed", fast), (0, *run, "well", scene, "--frames", 1),
        ):
            for name, options in (("full", {"stderr": self.full()}), ("closed", {"stderr": None, **closed(2)}),
                                  ("all closed", {"stdout": None, "stderr": None, **closed(0, 1, 2)})):
                with self.subTest(arguments=arguments, stderr=name):
                    for out in ("failed", "well"):
                        shutil.rmtree(self.folder / out, ignore_errors=True)
                    self.run_program(*arguments, expect=expect, **options)

    @unittest.skipIf(not os.path.exists("/proc/self/fd"), "no /proc here")
    def test_no_file_takes_the_place_of_a_closed_stream(self):
        """Else the next message would be written into a result."""
        run = ["run", self.scene(), "--solver", "reference", "--frames", 10000, "--out", "out"]
        process = self.start(*run, stdin=None, stdout=None, stderr=None, **closed(0, 1, 2))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.wait_for((self.folder / "out/states/state_0001.hdf").exists, process)
        self.assertIsNone(process.poll())
        for descriptor in range(3):
            self.assertEqual(os.readlink(f"/proc/{process.pid}/fd/{descriptor}"), os.devnull)


class Damaged(ProgramTest):
    def damaged(self):
        row = {"rows": [{"name": 7}], "machine": {}}
        without = json.loads(json.dumps(BENCH))
        del without["rows"][0]["ns_quartile_1"]
        word = json.loads(json.dumps(BENCH))
        word["rows"][0]["ns_per_particle_step_core"] = "fast"
        for name, text in (
            ("empty", b""), ("null", b"null"), ("list", b"[]"), ("object", b"{}"), ("cut", json.dumps(BENCH)[:-9].encode()),
            ("deep", b"[" * 100000), ("words", b"not\nJSON\x1b[31m"), ("binary", bytes(range(256))), ("huge", b'{"rows": 1e999}'),
            ("row", json.dumps(row).encode()), ("without", json.dumps(without).encode()), ("word", json.dumps(word).encode()),
        ):
            file = self.folder / f"{name}.json"
            file.write_bytes(text)
            yield file
        (self.folder / "folder.json").mkdir()
        yield self.folder / "folder.json"
        os.mkfifo(self.folder / "pipe.json")
        yield self.folder / "pipe.json"
        yield self.folder / "none.json"

    def assert_refused(self, file, process):
        self.assert_one_line(process.err, file)
        self.assertNotIn("json.exception", process.err)
        self.assertNotIn("\x1b", process.err)
        self.assertEqual(process.out, "")

    def test_damaged_files_are_refused_in_one_line(self):
        good = self.folder / "good.json"
        good.write_text(json.dumps(BENCH))
        self.run_program("bench", "--read", good, "--compare", good, "--csv", "rows.csv")
        for file in self.damaged():
            with self.subTest(file=file.name):
                # What is wrong with an older result is found before anything is measured.
                for arguments in (["bench", "--read", file], ["bench", "--compare", file], ["bench", "--read", good, "--compare", file],
                                  ["verify", "--case", CASE, "--state", file]):
                    if file.name == "without.json" and "--compare" in arguments:
                        continue  # without quartiles its medians are compared
                    self.assert_refused(file, self.run_program(*arguments, expect=2, timeout=20))

    def test_a_report_leaves_out_what_is_damaged_and_says_so(self):
        folder = self.folder / "all"
        folder.mkdir()
        (folder / "good.json").write_text(json.dumps(BENCH))
        self.assertEqual(self.run_program("report", folder).err, "")
        (folder / "empty.json").write_text("")
        (folder / "cut.json").write_text(json.dumps(BENCH)[:-9])
        process = self.run_program("report", folder)
        self.assertEqual(process.err.count("\n"), 2)
        for name in ("empty.json", "cut.json"):
            self.assertIn(f"left out {folder / name}: not JSON", process.err)
            self.assertIn(name, (folder / "report.html").read_text())
        (folder / "good.json").unlink()
        self.assert_one_line(self.run_program("report", folder, expect=2).err, "no whole result", "cut.json")


class Early(ProgramTest):
    def test_results_that_cannot_be_written_are_refused_before_the_work(self):
        scene = self.scene()
        (self.folder / "page").mkdir()
        (self.folder / "page/bench.json").write_text(json.dumps(BENCH))
        fig = ["reproduce", "klar2016/fig09_kernels", "--preset", "smoke"]
        before = sorted(os.listdir(self.folder))
        for arguments in (
            ["run", scene, "--json", "nowhere/f.json"], ["run", scene, "--json", "page"], ["run", scene, "--out", "scene.toml/out"],
            ["verify", "--json", "nowhere/f.json"], ["verify", "--json", "page"], ["verify", "--out", "scene.toml/out"],
            ["verify", "--fault", "all", "--json", "scene.toml/f.json"], ["bench", "--json", "scene.toml/f.json"],
            ["bench", "--csv", "page"], ["bench", "--out", "scene.toml"], [*fig, "--out", "scene.toml"],
            ["report", "page", "--out", "nowhere/f.html"], ["report", "page", "--out", "page"],
        ):
            with self.subTest(arguments=arguments):
                process = self.run_program(*arguments, expect=(1, 2), timeout=20)
                self.assert_one_line(process.err, str(arguments[-1]).split("/")[0])
                self.assertEqual(process.out, "")
                self.assertEqual(sorted(os.listdir(self.folder)), before)

    @unittest.skipIf(not hasattr(signal, "SIGXFSZ"), "no file size limits here")
    def test_a_full_disk_keeps_the_old_result(self):
        verify = ["verify", "--case", "friction", "--json", "verify.json"]
        self.run_program(*verify)
        size = (self.folder / "verify.json").stat().st_size
        self.assertGreater(size, 5000, "larger than the block that is written to try the disk")
        for limit in (0, 100, 4500):
            with self.subTest(limit=limit):
                (self.folder / "verify.json").write_text("old")
                process = self.run_program(*verify, expect=1, **limit_files(limit))
                self.assert_one_line(process.err, "cannot write verify.json", "File too large")
                self.assertEqual(process.out == "", limit < 4096, "found before the work")
                self.assertEqual((self.folder / "verify.json").read_text(), "old")
                self.assertEqual(os.listdir(self.folder), ["verify.json"])


@unittest.skipIf(not hasattr(signal, "SIGXFSZ"), "no file size limits here")
class Beginnings(ProgramTest):
    def test_a_run_that_ended_at_its_start_is_taken_again(self):
        """Killed, or out of disk, at each of the first files it writes."""
        run = ["run", self.scene(), "--solver", "reference", "--frames", 1, "--quiet", "--out"]
        self.run_program(*run, "whole")
        record = (self.folder / "whole/run.toml").stat().st_size
        seen = set()
        for kill in (False, True):
            for limit in (0, 1, record // 2, record - 1, record, 4096, 5000):
                with self.subTest(kill=kill, limit=limit):
                    shutil.rmtree(self.folder / "out", ignore_errors=True)
                    process = self.run_program(*run, "out", expect=-signal.SIGXFSZ if kill else 1, **limit_files(limit, kill))
                    if not kill:
                        self.assert_one_line(process.err, "cannot write")
                    rest = sorted(str(file.relative_to(self.folder / "out")) for file in (self.folder / "out").rglob("*"))
                    seen.add((kill, "run.toml" in rest))
                    if "run.toml" in rest:
                        self.assert_one_line(self.run_program(*run, "out", expect=2).err, "--resume")
                        self.run_program(*run, "out", "--resume")
                    else:
                        self.assert_one_line(self.run_program(*run, "out", "--resume", expect=2).err, "without --resume")
                        self.run_program(*run, "out")
                    self.assertEqual(results(self.folder / "whole"), results(self.folder / "out"))
                    self.assertEqual(sorted(os.listdir(self.folder / "out")), sorted(os.listdir(self.folder / "whole")))
        self.assertEqual(len(seen), 4, "both before and behind run.toml")


if __name__ == "__main__":
    program.main()
