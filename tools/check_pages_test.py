#!/usr/bin/env python3
"""What tools/check_pages.py must notice, on small made-up repositories."""

import pathlib
import tempfile
import unittest

import check_pages


def offences(page, files=(), where="docs/page.md"):
    """Offences of a page in a repository that has the given files beside it."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in {**{file: "# A heading: `one`, two\n" for file in files}, where: page}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return [offence for offence in check_pages.offences(root) if offence.startswith(where)]


class CheckPages(unittest.TestCase):
    def test_accepts_files_by_path_by_end_by_pattern_and_without_suffix(self):
        page = "`src/polhode/tree/sweep.h`, `tree/sweep.h`, `sweep.h`, `tree/sweep`, `tree/`, `sw*.h`"
        self.assertEqual(offences(page, ["src/polhode/tree/sweep.h"]), [])

    def test_names_page_and_line_of_a_file_that_is_not_there(self):
        found = offences("first\n\nsee `tree/gone.h`\n", ["src/polhode/tree/sweep.h"])
        self.assertEqual(found, ["docs/page.md:3: `tree/gone.h`: there is no such file"])

    def test_notices_a_stale_name_without_suffix_or_folder(self):
        self.assertEqual(len(offences("`tree/gone`", ["src/polhode/tree/sweep.h"])), 1)
        self.assertEqual(len(offences("`gone.cpp`")), 1)
        self.assertEqual(len(offences("`polhode run models/gone.pol --time 1`", ["models/here.pol"])), 1)

    def test_notices_a_folder_a_suffix_or_a_line_number_that_is_not_there(self):
        files = ["src/polhode/tree/sweep.h", "docs/pictures/here.svg"]
        self.assertEqual(offences("`tree/sweep.h:12`, `docs/pictures/here.svg`", files), [])
        for name in ["gone/sweep.h", "tree/gone.h:12", "docs/pictures/gone.svg"]:
            self.assertEqual(len(offences(f"`{name}`", files)), 1, name)

    def test_notices_headers_and_paths_in_code_blocks(self):
        files = ["src/polhode/tree/sweep.h", "models/here.pol"]
        block = '```cpp\n#include "polhode/tree/{}.h"\nload("models/{}.pol");\n```\n\n    polhode run models/{}.pol --out models/run.csv\n'
        self.assertEqual(offences(block.format("sweep", "here", "here"), files), [])
        self.assertEqual(len(offences(block.format("gone", "gone", "gone"), files)), 3)
        self.assertEqual(offences("```\nother/models/gone.pol ~/models/gone.pol arm.pol\n```\n", files), [])

    def test_notices_a_stale_name_in_the_first_column_of_a_table_of_files_only(self):
        table = "| {} | what |\n|---|---|\n| `sweep`, `gone` | `other` |\n"
        self.assertEqual(offences(table.format("file"), ["src/polhode/tree/sweep.h"]), ["docs/page.md:3: `gone`: there is no such file"])
        self.assertEqual(offences(table.format("option"), ["src/polhode/tree/sweep.h"]), [])

    def test_follows_links_and_pictures_from_the_page(self):
        page = '[a](../tree.md) ![b](p.svg) <img src="p.svg">'
        self.assertEqual(offences(page, ["tree.md", "docs/p.svg"]), [])
        self.assertEqual(len(offences(page, [])), 3)
        self.assertEqual(offences("[a](https://example.org/no.md)"), [])

    def test_follows_anchors_to_headings(self):
        self.assertEqual(offences("[a](other.md#a-heading-one-two) [b](#mine)\n\n## Mine", ["docs/other.md"]), [])
        self.assertEqual(len(offences("[a](other.md#gone) [b](#gone)", ["docs/other.md"])), 2)

    def test_leaves_out_what_runs_make_what_readers_write_and_what_is_to_be_filled_in(self):
        page = "`build/bin/polhode` `run.csv` `models/NAME.pol` `arm.pol` `m/s`\n\n```pol file=arm.pol\n(system)\n```\n"
        self.assertEqual(offences(page, ["models/here.pol"]), [])

    def test_notices_prose_that_is_too_long_but_not_tables_code_or_addresses(self):
        self.assertEqual(offences("x" * 128), [])
        self.assertIn("129 columns", offences("x" * 129)[0])
        self.assertEqual(offences("|" + "x" * 200 + "|"), [])
        self.assertEqual(offences("```\n" + "x" * 200 + "\n```"), [])
        self.assertEqual(offences("[a](https://" + "x" * 200 + ")"), [])

    def test_notices_a_readme_that_is_too_long(self):
        self.assertEqual(offences("line\n" * 120, where="README.md"), [])
        self.assertIn("121 lines", offences("line\n" * 121, where="README.md")[0])
        self.assertEqual(offences("line\n" * 121, where="docs/page.md"), [])

    def test_notices_a_repeated_row_that_differs_from_its_original(self):
        original = "| | a |\n|---|---|\n| ODE | 83 |\n"
        for number, wrong in [(83, 0), (88, 1)]:
            page = f"<!-- rows of docs/other.md -->\n| | a |\n|---|---|\n| ODE | {number} |\n\n| free | {number} |\n"
            with tempfile.TemporaryDirectory() as folder:
                docs = pathlib.Path(folder) / "docs"
                docs.mkdir()
                (docs / "page.md").write_text(page, encoding="utf-8")
                (docs / "other.md").write_text(original, encoding="utf-8")
                self.assertEqual(len(list(check_pages.offences(pathlib.Path(folder)))), wrong)


if __name__ == "__main__":
    unittest.main()
