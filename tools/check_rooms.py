#!/usr/bin/env python3
"""Which room includes which: the rule of docs/architecture.md, checked.

A room may include the rooms before it in the list below, never those after it; `variational` and `projected` do not know
each other, nor do `tree` and `maximal`, nor the folders `tree/` and `maximal/` inside one room. Every quoted include names a
file that exists, spelled from src/ on. polhode.h, the door for programs outside, is in no room: it may include all of them.

    tools/check_rooms.py [REPOSITORY]

Prints one line per offence and exits with 1 if there is any.
"""

import pathlib
import re
import sys

ROOMS = ["spatial", "linear", "mechanism", "state", "contact", "tree", "maximal", "stepping", "variational", "projected", "study", "format"]
STRANGERS = [{"variational", "projected"}, {"tree", "maximal"}]
STRANGE_FOLDERS = {"tree", "maximal"}  # of one room

DOORS = {"polhode/polhode.h"}  # for programs outside: may include every room, and no room may include them
GENERATED = {"polhode/version.h"}  # by CMake, from the same name with .in; belongs to no room

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def why_not(room, included_room):
    """The reason why one room must not include another; None if it may."""
    if included_room not in ROOMS:
        return f"{included_room} is not a room"
    if {room, included_room} in STRANGERS:
        return f"{room} and {included_room} do not know each other"
    if ROOMS.index(included_room) > ROOMS.index(room):
        return f"{room} comes before {included_room} and may not use it"
    return None


def folder_of(parts):
    """The folder inside a room that a file, given as (room, ..., name), is in; None if it is in no folder."""
    return parts[1] if len(parts) > 2 else None


def offences_of_line(src, place, line):
    """Offences of one line of the file `place`, given as (room, ..., name), or None for a door."""
    match = INCLUDE.match(line)
    if not match:
        return
    included = match.group(1)
    if included in GENERATED and (src / (included + ".in")).is_file():
        return
    if included in DOORS:
        yield f'"{included}" is for programs outside of the library'
        return
    parts = included.split("/")
    if parts[0] != "polhode" or len(parts) < 3 or ".." in parts:
        yield f'"{included}" is not spelled "polhode/<room>/<file>"'
        return
    if not (src / included).is_file():
        yield f'"{included}" does not exist'
    if place is None:
        return
    reason = why_not(place[0], parts[1])
    if reason:
        yield f'"{included}": {reason}'
    if parts[1] == place[0] and {folder_of(place), folder_of(parts[1:])} == STRANGE_FOLDERS:
        yield f'"{included}": tree/ and maximal/ of {place[0]} do not know each other'


def offences(repository):
    src = repository / "src"
    for file in sorted(path for path in (src / "polhode").rglob("*") if path.suffix in (".h", ".cpp")):
        place = file.relative_to(repository)
        parts = file.relative_to(src / "polhode").parts
        room = parts[0] if len(parts) > 1 else None
        if f"polhode/{parts[0]}" in DOORS:
            parts = None
        elif room not in ROOMS:
            yield f"{place}: not in a room; the rooms are {', '.join(ROOMS)}"
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            for offence in offences_of_line(src, parts, line):
                yield f"{place}:{number}: {offence}"


def main():
    repository = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    if not (repository / "src" / "polhode").is_dir():
        sys.exit(f"{repository}: no src/polhode here")
    found = list(offences(repository))
    print("\n".join(found) if found else "every include keeps to the rooms")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
