"""Where edits of C++ are switched, and which are refused."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from plant import BadList, Mutant, locate, plan, plant, switched

SOURCE = """int twice(int a) {
  const int b = a + a;  // a sum
  for (int i = 0; i < b; ++i) a += i;
  if (a > b) return b;
  a = a * 2;
  return f(a, b - 1);
}
constexpr double half = 0.5;
struct Limits {
  bool on() const;
  double most = 8.0;
};
"""


def mutant(old, new, number=1):
    return Mutant(name=f"m{number}", room="shared", file="f.cpp", old=old, new=new, what="", kind="", number=number)


class Planting(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        (pathlib.Path(self.folder.name) / "f.cpp").write_text(SOURCE)

    def tearDown(self):
        self.folder.cleanup()

    def planted(self, *mutants):
        for one in mutants:
            locate(one, self.folder.name)
        places = plan(list(mutants), self.folder.name)
        return switched(SOURCE, places.get("f.cpp", {}))

    def test_a_declaration_keeps_its_name_and_switches_its_value(self):
        text = self.planted(mutant("a + a", "a - a"))
        self.assertIn("const int b = (::repose_mutant == 1 ? int(a - a) : int(a + a));", text)

    def test_a_statement_is_switched_as_a_whole(self):
        self.assertIn("{ if (::repose_mutant == 1) { a = a / 2; } else { a = a * 2; } }", self.planted(mutant("a * 2", "a / 2")))
        self.assertIn("{ if (::repose_mutant == 1) { return f(a, b); } else { return f(a, b - 1); } }",
                      self.planted(mutant("b - 1", "b")))

    def test_conditions_and_clauses_of_loops_are_switched_in_place(self):
        self.assertIn("if ((::repose_mutant == 1 ? (a >= b) : (a > b))) return b;", self.planted(mutant("a > b", "a >= b")))
        self.assertIn("i = 0;(::repose_mutant == 1 ? ( i <= b) : ( i < b)); ++i)", self.planted(mutant("i < b", "i <= b")))

    def test_two_edits_of_one_place_share_a_switch(self):
        text = self.planted(mutant("a * 2", "a / 2", 1), mutant("a * 2;", "a * 3;", 2))
        self.assertEqual(text.count("repose_mutant"), 2)
        self.assertIn("a = a / 2;", text)
        self.assertIn("a = a * 3;", text)

    def test_what_no_switch_can_hold_gets_a_build_of_its_own(self):
        one = mutant("half = 0.5", "half = 0.6")
        self.assertEqual(self.planted(one), SOURCE)
        self.assertEqual(one.form, "build")

    def test_a_members_value_is_switched_and_its_declaration_is_not(self):
        self.assertIn("double most = (::repose_mutant == 1 ? double(8.5) : double(8.0));", self.planted(mutant("8.0", "8.5")))
        one = mutant("on() const;", "off() const;")
        self.planted(one)
        self.assertEqual(one.form, "build")

    def test_only_files_with_a_switch_read_it_and_others_keep_their_times(self):
        root, tree = (pathlib.Path(self.folder.name) / name for name in ("root", "tree"))
        root.mkdir()
        tree.mkdir()
        subprocess.run(["git", "init", "-q", root], check=True)
        for name in ("f.cpp", "g.cpp"):
            (root / name).write_text(SOURCE)
        one = mutant("a * 2", "a / 2")
        locate(one, root)
        plant([one], root, tree)
        times = [(tree / name).stat().st_mtime_ns for name in ("f.cpp", "g.cpp", "mutant_switch.h")]
        plant([one], root, tree)
        self.assertEqual(times, [(tree / name).stat().st_mtime_ns for name in ("f.cpp", "g.cpp", "mutant_switch.h")])
        self.assertTrue((tree / "f.cpp").read_text().startswith('#include "mutant_switch.h"\n'))
        self.assertEqual((tree / "g.cpp").read_text(), SOURCE)

    def test_an_edit_whose_text_is_gone_stands_twice_or_changes_nothing_is_refused(self):
        for old, new in [("a * 7", "a"), ("a", "b"), ("a * 2", "a * 2")]:
            with self.assertRaises(BadList):
                locate(mutant(old, new), self.folder.name)

    def test_lines_keep_their_numbers(self):
        text = self.planted(mutant("a * 2", "a / 2"))
        self.assertEqual(text.count("\n"), SOURCE.count("\n"))


if __name__ == "__main__":
    unittest.main()
