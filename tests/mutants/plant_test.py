"""Where edits of C++ are switched, which are refused, and which checks are asked about them."""

import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import types
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from checks import Checks
from plant import HEADER, BadList, Mutant, argue_equivalents, load_lists, locate, plan, plant, switched
from units import Unit

SOURCE = """int twice(int a) {
  const int b = a + a;  // a sum
  for (int i = 0; i < b; ++i) a += i;
  if (a > b) return b;
  a = a * 2;
  return f(a, b - 1);
}
int more(const int* p, int c) {
  const int* q = p + c;
  std::vector<int> all(c * 2);
  for (const int one : list(c + 1)) {
    c += one;
  }
  if (c < 7)
    c = p[c];
  else
    c = p[c - 1];
  drop(c);
  return f(g(c), h("two", c));  // of one
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

    def test_what_points_or_refers_is_switched_without_a_cast(self):
        self.assertIn("const int* q = (::repose_mutant == 1 ? (p - c) : (p + c));", self.planted(mutant("p + c", "p - c")))

    def test_where_no_statement_can_be_switched_an_argument_or_what_is_assigned_is(self):
        self.assertIn("all((::repose_mutant == 1 ? (c / 2) : (c * 2)));", self.planted(mutant("all(c * 2)", "all(c / 2)")))
        self.assertIn("list((::repose_mutant == 1 ? (c - 1) : (c + 1)))", self.planted(mutant("c + 1", "c - 1")))
        self.assertIn("p[(::repose_mutant == 1 ? (0) : (c - 1))];", self.planted(mutant("p[c - 1]", "p[0]")))
        self.assertIn("c = (::repose_mutant == 1 ? (*p) : (p[c]));", self.planted(mutant("p[c];", "*p;")))

    def test_an_argument_more_needs_a_build_of_its_own(self):
        one = mutant("all(c * 2)", "all(c, 2)")
        self.assertEqual(self.planted(one), SOURCE)
        self.assertEqual(one.form, "build")

    def test_an_edit_across_brackets_takes_in_what_closes_them(self):
        text = self.planted(mutant("f(g(c), ", "f(g(c + 1), "))
        self.assertIn('{ if (::repose_mutant == 1) { return f(g(c + 1), h("two", c)); } else { return f(g(c), h("two", c)); } }', text)
        text = self.planted(mutant("f(g(c), ", "f(h(g(c), c), "))
        self.assertIn('return f(h(g(c), c), h("two", c));', text)

    def test_text_in_quotes_is_switched_and_a_comment_is_not(self):
        self.assertIn('h("three", c)', self.planted(mutant("two", "three")))
        one = mutant("of one", "of two")
        self.planted(one)
        self.assertEqual(one.form, "build")

    def test_a_dropped_line_leaves_what_stands_around_it(self):
        text = self.planted(mutant("  drop(c);\n", ""))
        self.assertIn("  { if (::repose_mutant == 1) {  } else { drop(c); } }\n  return f", text)

    def test_a_run_tells_which_switches_it_came_by(self):
        folder = pathlib.Path(self.folder.name)
        (folder / "mutant_switch.h").write_text(HEADER)
        (folder / "m.cpp").write_text('#include "mutant_switch.h"\nint main(int a, char**) {\n'
                                      "  if (a > 1 && ::repose_mutant == 5) return 2;\n  return ::repose_mutant == 7 ? 1 : 0;\n}\n")
        subprocess.run(["c++", "-std=c++20", folder / "m.cpp", "-o", folder / "m"], check=True)
        environment = dict(os.environ, REPOSE_MUTANT="7", REPOSE_MUTANT_TRACE=str(folder / "trace"))
        self.assertEqual(subprocess.run([folder / "m"], env=environment).returncode, 1)
        self.assertEqual((folder / "trace").read_text(), "7\n")
        environment["REPOSE_MUTANT"] = "5"
        self.assertEqual(subprocess.run([folder / "m", "more"], env=environment).returncode, 2)

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


class Choosing(unittest.TestCase):
    def setUp(self):
        self.units = [Unit("verify", "slow", seconds=9.0, reached=frozenset({1})), Unit("verify", "quick", seconds=1.0, reached=frozenset({1, 2})),
                      Unit("tests", "suite", "p", seconds=0.1, reached=frozenset({1})), Unit("program", "cli_plots", seconds=0.1, reached=frozenset({1}))]
        self.checks = Checks(None, self.units, {1, 2})

    def names(self, one, *kinds):
        return [unit.name for unit in self.checks.of(one, *kinds)]

    def test_only_what_comes_by_a_mistake_is_run_and_what_costs_least_is_first(self):
        self.assertEqual(self.names(mutant("", "", 1), "verify"), ["quick", "slow"])
        self.assertEqual(self.names(mutant("", "", 2), "verify", "tests"), ["quick"])

    def test_what_has_noticed_most_moves_up(self):
        self.units[0].kills = 20
        self.assertEqual(self.names(mutant("", "", 1), "verify"), ["slow", "quick"])

    def test_without_a_switch_everything_is_run(self):
        self.assertEqual(self.names(mutant("", "", 3), "verify", "tests"), ["suite", "quick", "slow"])

    def test_what_a_switch_came_by_is_all_that_a_build_of_its_own_is_put_to(self):
        one = mutant("", "", 2)
        one.form = "build"
        self.assertEqual(self.names(one, "verify", "tests"), ["quick"])

    def test_plots_are_asked_for_what_they_can_show(self):
        one = mutant("", "", 1)
        self.assertEqual(self.names(one, "program"), ["cli_plots"])
        one.room = "reference"
        self.assertEqual(self.names(one, "program"), [])


class Lists(unittest.TestCase):
    def test_every_edit_and_every_argument_still_has_its_text(self):
        here = pathlib.Path(__file__).resolve().parent
        self.assertGreater(len(load_lists(here, here.parents[1])), 150)
        argue_equivalents([], here, here.parents[1])


class InABuildOfItsOwn(unittest.TestCase):
    def asked(self, answers, kind="verify"):
        """What is said of a mutant whose units answer so, in their order, and how often each was asked."""
        count = {}
        both = threading.Barrier(2)

        def run(unit, build, number, scratch):
            self.assertEqual(number, 0)
            count[unit.name] = count.get(unit.name, 0) + 1
            if unit.name in ("first", "second") and count[unit.name] == 1:
                both.wait(timeout=10)  # neither waits for the other's answer
            said = answers[unit.name].pop(0)
            return {"case": unit.name} if said else None

        units = [Unit(kind, name, seconds=k + 1.0) for k, name in enumerate(answers)]
        one = mutant("", "", 1)
        one.form, one.room = "build", "shared"
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch("checks.of_units.run", run):
            builder = types.SimpleNamespace(jobs=2, build=folder)
            return Checks(builder, units, set()).first_to_notice(one, pathlib.Path(folder), kind), count

    def test_units_are_asked_side_by_side_and_the_first_in_order_counts(self):
        self.assertEqual(self.asked({"first": [True], "second": [True], "third": [True]})[0], {"case": "first"})
        self.assertEqual(self.asked({"first": [False], "second": [False], "third": [True]})[0], {"case": "third"})
        self.assertIsNone(self.asked({"first": [False], "second": [False], "third": [False]})[0])

    def test_a_whole_program_notices_what_it_notices_twice(self):
        said, count = self.asked({"first": [True, False], "second": [False], "third": [True, True]}, "program")
        self.assertEqual((said, count["first"], count["third"]), ({"case": "third"}, 2, 2))


if __name__ == "__main__":
    unittest.main()
