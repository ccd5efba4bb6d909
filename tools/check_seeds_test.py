#!/usr/bin/env python3
"""What tools/check_seeds.py must notice, on a small made-up repository."""

import pathlib
import tempfile
import unittest

import check_seeds

ALL = [f"{letter}{k}" for letter, count in check_seeds.ROWS.items() for k in range(1, count + 1)]


def offences(rows):
    """Offences of a page that shows every row by a test that exists, but for the given rows ({id: shown})."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in ("docs", "tests", "experiments/lift", "models"):
            (root / name).mkdir(parents=True)
        (root / "tests/a_test.cpp").write_text("TEST(Pendulum, Swings) {}\nTYPED_TEST(Laws, Hold) {}\n", encoding="utf-8")
        (root / "models/here.pol").write_text("", encoding="utf-8")
        (root / "docs/commands.md").write_text("## run\n", encoding="utf-8")
        shown = {**{name: "`Pendulum.Swings`" for name in ALL}, **rows}
        lines = [f"| {name} | what | {text} |" for name, text in shown.items() if text is not None]
        (root / "docs/seeds.md").write_text("\n".join(lines), encoding="utf-8")
        return list(check_seeds.offences(root))


class CheckSeeds(unittest.TestCase):
    def test_accepts_tests_suites_commands_and_experiments(self):
        self.assertEqual(offences({"T1": "`Laws.*` and `Laws.Hold`", "M2": "`polhode run models/here.pol --time 1`",
                                   "S3": "`experiments/lift`", "J4": "not yet"}), [])

    def test_names_what_does_not_exist(self):
        for gone in ("`Pendulum.Rests`", "`Gone.*`", "`polhode fly`", "`polhode run models/gone.pol`", "`experiments/gone`"):
            found = offences({"S7": "`Pendulum.Swings` " + gone})
            self.assertEqual(len(found), 1, gone)
            self.assertIn(gone, found[0])

    def test_notices_a_row_that_is_missing_twice_there_or_of_no_specification(self):
        self.assertEqual(len(offences({"T5": None})), 1)
        self.assertEqual(len(offences({"T14": "`Laws.Hold`"})), 1)
        self.assertEqual(len(offences({"T5": "`Laws.Hold` |\n| T5 | again | `Laws.Hold`"})), 1)

    def test_notices_a_row_that_nothing_shows(self):
        self.assertEqual(len(offences({"M1": "it works, see `pendulum.cpp`"})), 1)


if __name__ == "__main__":
    unittest.main()
