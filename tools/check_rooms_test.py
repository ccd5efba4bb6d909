#!/usr/bin/env python3
"""What tools/check_rooms.py must notice, on small made-up repositories."""

import pathlib
import tempfile
import unittest

import check_rooms


def offences(files):
    """Offences in a repository with the given files, {path below src/polhode: text}."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            path = root / "src" / "polhode" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return list(check_rooms.offences(root))


class CheckRooms(unittest.TestCase):
    def test_accepts_a_room_that_uses_an_earlier_one(self):
        self.assertEqual(offences({"spatial/a.h": "", "tree/deep/b.cpp": '#include <vector>\n#include "polhode/spatial/a.h"\n'}), [])

    def test_names_file_and_line_of_an_include_of_a_later_room(self):
        found = offences({"tree/a.h": "", "spatial/b.h": '#pragma once\n#include "polhode/tree/a.h"\n'})
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("src/polhode/spatial/b.h:2:"), found)

    def test_keeps_strangers_apart_in_both_directions(self):
        for one, other in [("tree", "maximal"), ("variational", "projected")]:
            self.assertEqual(len(offences({f"{one}/a.h": "", f"{other}/b.h": f'#include "polhode/{one}/a.h"\n'})), 1)
            self.assertEqual(len(offences({f"{other}/a.h": "", f"{one}/b.h": f'#include "polhode/{other}/a.h"\n'})), 1)

    def test_keeps_the_two_kinds_of_coordinates_apart_inside_a_room(self):
        found = offences({"projected/tree/a.h": "", "projected/maximal/b.h": '#include "polhode/projected/tree/a.h"\n'})
        self.assertEqual(len(found), 1)
        self.assertEqual(offences({"projected/a.h": "", "projected/maximal/b.h": '#include "polhode/projected/a.h"\n'}), [])
        self.assertEqual(offences({"tree/a.h": "", "projected/tree/b.h": '#include "polhode/tree/a.h"\n'}), [])

    def test_notices_an_include_of_a_file_that_is_not_there(self):
        self.assertIn("does not exist", offences({"tree/b.h": '#include "polhode/tree/gone.h"\n'})[0])

    def test_notices_relative_includes(self):
        self.assertIn("not spelled", offences({"tree/a.h": "", "tree/b.h": '#include "a.h"\n'})[0])
        self.assertIn("not spelled", offences({"tree/a.h": "", "spatial/b.h": '#include "polhode/spatial/../tree/a.h"\n'})[0])

    def test_lets_the_door_for_programs_include_every_room(self):
        door = '#include "polhode/spatial/a.h"\n#include "polhode/study/b.h"\n'
        self.assertEqual(offences({"spatial/a.h": "", "study/b.h": "", "polhode.h": door}), [])
        self.assertIn("does not exist", offences({"spatial/a.h": "", "polhode.h": door})[0])

    def test_keeps_rooms_from_including_the_door(self):
        self.assertIn("outside of the library", offences({"polhode.h": "", "study/b.h": '#include "polhode/polhode.h"\n'})[0])

    def test_notices_a_file_outside_every_room(self):
        self.assertIn("not in a room", offences({"a.h": ""})[0])
        self.assertIn("not in a room", offences({"attic/a.h": ""})[0])


if __name__ == "__main__":
    unittest.main()
