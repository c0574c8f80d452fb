#!/usr/bin/env python3
"""Numbers of a figure that are not those kept are named: turned verdicts, values beyond their width, numbers gone or new."""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "experiments" / "figures"
sys.path.insert(0, str(FOLDER))
import kept_numbers  # noqa: E402

KEPT = {"height": {"verdict": "pass", "value": 1.5, "width": 0.25}, "open": {"verdict": "undecided"},
        "count": {"verdict": "fail", "value": 3.0, "width": 0.0, "of": 500, "of_width": 5.0}, "seconds": {"verdict": "undecided", "clock": True}}  # fmt: skip
RESULT = {"figure": "a/b", "preset": "smoke", "numbers": [
    {"name": "height", "verdict": "pass", "value": 1.7}, {"name": "open", "verdict": "undecided", "value": None},
    {"name": "count", "verdict": "fail", "value": 3.0, "note": "the largest of 503 states"}, {"name": "seconds", "verdict": "undecided", "value": 12.0}]}  # fmt: skip


class KeptNumbers(unittest.TestCase):
    def said(self, change, values=True):
        result = copy.deepcopy(RESULT)
        numbers = {number["name"]: number for number in result["numbers"]}
        change(numbers)
        result["numbers"] = list(numbers.values())
        return kept_numbers.differences(result, KEPT, values)

    @staticmethod
    def as_run(kept):
        """A number as a run would give it."""
        return {"value": None, **kept, "note": f"of {kept['of']} states" if "of" in kept else ""}

    def test_what_is_as_kept_passes(self):
        self.assertEqual(self.said(lambda numbers: None), [])
        self.assertEqual(self.said(lambda numbers: numbers["height"].update(value=1.25)), [])
        self.assertEqual(self.said(lambda numbers: numbers["seconds"].update(value=1e9)), [])

    def test_what_is_otherwise_is_named(self):
        for name, change in (
            ("height", lambda numbers: numbers["height"].update(value=1.76)),
            ("height", lambda numbers: numbers["height"].update(value=-1.5)),
            ("height", lambda numbers: numbers["height"].update(value=float("nan"))),
            ("height", lambda numbers: numbers["height"].update(value=None)),
            ("height", lambda numbers: numbers["height"].update(verdict="fail")),
            ("count", lambda numbers: numbers["count"].update(verdict="pass")),
            ("count", lambda numbers: numbers["count"].update(value=3.001)),
            ("count", lambda numbers: numbers["count"].update(note="the largest of 250 states")),
            ("count", lambda numbers: numbers["count"].update(note="")),
            ("height", lambda numbers: numbers["height"].update(note="of 7 piles")),
            ("open", lambda numbers: numbers["open"].update(value=0.0)),
            ("seconds", lambda numbers: numbers["seconds"].update(verdict="pass")),
            ("count", lambda numbers: numbers.pop("count")),
            ("more", lambda numbers: numbers.update(more={"name": "more", "verdict": "pass", "value": 0.0})),
        ):
            said = self.said(change)
            self.assertEqual(len(said), 1, said)
            self.assertIn(name, said[0])

    def test_verdicts_alone_pass_over_values(self):
        self.assertEqual(self.said(lambda numbers: numbers["height"].update(value=9.0), values=False), [])
        self.assertEqual(len(self.said(lambda numbers: numbers["height"].update(verdict="fail"), values=False)), 1)

    def test_every_number_that_is_kept_is_noticed_when_it_turns(self):
        for figure, numbers in kept_numbers.load().items():
            result = {"figure": figure, "numbers": [self.as_run(number) for number in numbers.values()]}
            self.assertEqual(kept_numbers.differences(result, numbers), [])
            for number in result["numbers"]:
                before = number["verdict"]
                number["verdict"] = "fail" if before == "pass" else "pass"
                self.assertEqual(len(kept_numbers.differences(result, numbers)), 1)
                number["verdict"] = before

    def test_the_command_says_one_line_and_fails(self):
        figure, numbers = next(iter(kept_numbers.load().items()))
        result = {"figure": figure, "preset": "smoke", "numbers": [self.as_run(number) for number in numbers.values()]}
        with tempfile.TemporaryDirectory() as name:
            file = pathlib.Path(name) / figure / "result.json"
            file.parent.mkdir(parents=True)
            for turned, preset, code in ((False, "smoke", 0), (True, "smoke", 1), (True, "desk", 0)):
                changed = {**copy.deepcopy(result), "preset": preset}
                if turned:
                    changed["numbers"][0]["verdict"] = "fail"
                file.write_text(json.dumps(changed))
                done = subprocess.run([sys.executable, "-B", FOLDER / "kept_numbers.py", name], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stdout.count("\n")), (code, code), done.stdout + done.stderr)
                if code:
                    self.assertIn(f"{figure}: {result['numbers'][0]['name']} is fail, kept is pass", done.stdout)


if __name__ == "__main__":
    unittest.main()
