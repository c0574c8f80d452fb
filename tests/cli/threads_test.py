"""How the program's threads wait, as its OpenMP runtime itself reports it: by default they sleep at once."""

import os
import re

from program import ProgramTest, main

VARIABLES = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY")


class Threads(ProgramTest):
    def spinning(self, **variables):
        """How long a waiting thread spins before it sleeps: turns (libgomp) or milliseconds (libomp); and the variable."""
        environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
        out = "_".join(["out", *variables])
        process = self.run_program("run", self.scene(), "--frames", 1, "--threads", 2, "--out", out,
                                   env={**environment, "OMP_DISPLAY_ENV": "VERBOSE", **variables})
        found = re.search(r"(GOMP_SPINCOUNT|KMP_BLOCKTIME) ?= ?'(\w+)'", process.err + process.out)
        self.assertTrue(found, process.err)
        return found[2], found[1]

    def test_waiting_threads_sleep_by_default(self):
        self.assertEqual(self.spinning()[0], "0")

    def test_the_environment_wins(self):
        for name, value in (("OMP_WAIT_POLICY", "active"), ("GOMP_SPINCOUNT", "500"), ("KMP_BLOCKTIME", "7")):
            with self.subTest(name):
                turns, variable = self.spinning(**{name: value})
                self.assertNotEqual(turns, "0")
                if name == variable:
                    self.assertEqual(turns, value)


if __name__ == "__main__":
    main()
