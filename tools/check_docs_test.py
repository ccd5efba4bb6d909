#!/usr/bin/env python3
"""That check_docs.py would notice: a page with a wrong output, a wrong exit status, a number that is off."""
import contextlib
import io
import pathlib
import tempfile
import unittest

import check_docs


class Pages(unittest.TestCase):
    def wrong(self, text):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            page = pathlib.Path(folder, "page.md")
            page.write_text(text, encoding="utf-8")
            return check_docs.check(page, pathlib.Path(folder), update=False)

    def test_right_page_passes(self):
        self.assertEqual(self.wrong("```console\n$ echo one; echo two\none\ntwo\n$ cd models; basename $PWD\nmodels\n```\n"), 0)

    def test_wrong_output_is_noticed(self):
        self.assertEqual(self.wrong("```console\n$ echo one\ntwo\n$ echo three\nthree\n```\n"), 1)

    def test_output_that_is_not_shown_is_noticed(self):
        self.assertEqual(self.wrong("```console\n$ echo one; echo two\none\n```\n"), 1)

    def test_exit_status_is_noticed(self):
        self.assertEqual(self.wrong("```console\n$ false\n```\n"), 1)
        self.assertEqual(self.wrong("```console status=3\n$ (exit 3)\n```\n"), 0)
        self.assertEqual(self.wrong("```console status=3\n$ true\n```\n"), 1)

    def test_files_are_there_for_the_commands(self):
        self.assertEqual(self.wrong("```pol file=a.pol\n(system)\n```\n\n```console\n$ cat a.pol\n(system)\n```\n"), 0)

    def test_a_shell_that_ends_early_is_noticed(self):
        self.assertEqual(self.wrong("```console\n$ exit 0\n$ echo one\none\n```\n"), 1)


class Lines(unittest.TestCase):
    def test_numbers_may_round_differently(self):
        self.assertTrue(check_docs.same_line("drift -1.91e-05 J", "drift -1.92e-05 J"))
        self.assertTrue(check_docs.same_line("error 1.39e-17", "error 0"))
        self.assertTrue(check_docs.same_line("0.49999999999999994,1", "0.5,1"))

    def test_numbers_may_not_be_others(self):
        self.assertFalse(check_docs.same_line("drift -1.91e-05 J", "drift -1.94e-05 J"))
        self.assertFalse(check_docs.same_line("514 steps", "515 steps"))
        self.assertFalse(check_docs.same_line("514 steps", "514 rows"))

    def test_wall_time_is_not_compared(self):
        self.assertTrue(check_docs.same_line("  wall time  1 s", "  wall time  2e-3 s, fast"))

    def test_dots_stand_for_any_lines(self):
        self.assertTrue(check_docs.same_text(["a", "...", "d"], ["a", "b", "c", "d"]))
        self.assertFalse(check_docs.same_text(["a", "...", "d"], ["a", "b", "c"]))


if __name__ == "__main__":
    unittest.main()
