#!/usr/bin/env python3
"""Checks docs/seeds.md: every row of the specification stands there once, and what it names as shown exists.

    tools/check_seeds.py [REPOSITORY]

Prints one line per offence and exits with 1 if there is any.

The last column of a row names what shows it, in backticks:
- `Suite.Case` is a test in tests/ or experiments/; `Suite.*` any of a suite;
- `polhode COMMAND ...` is a command that docs/commands.md has a section for, and its models exist;
- `experiments/NAME` is an experiment's folder.
Other words in backticks are for the eye; files among them are checked by check_pages.py. At least one of the three must be there.
"""
import pathlib
import re
import sys

ROWS = {"T": 13, "M": 8, "S": 20, "J": 7}  # of trep's two papers, of maximal coordinates, of the theory manual, of jet spaces
TEST = re.compile(r"\b(?:TYPED_)?TEST(?:_P|_F)?\(\s*(\w+),\s*(\w+)\s*\)")
ROW = re.compile(r"^\| ([A-Z]\d+) \|(.*)\|([^|]*)\|$")
CODE = re.compile(r"`([^`]+)`")


def tests_of(root):
    """{suite: {case, ...}} of all tests in the sources."""
    found = {}
    for folder in ("tests", "experiments"):
        for path in sorted((root / folder).rglob("*.cpp")):
            for suite, case in TEST.findall(path.read_text(encoding="utf-8")):
                found.setdefault(suite, set()).add(case)
    return found


def commands_of(root):
    return set(re.findall(r"^## (\w+)$", (root / "docs/commands.md").read_text(encoding="utf-8"), re.M))


def wrong_with(word, root, tests, commands):
    """Why a word in backticks shows nothing: a reason, "" where it shows something, None where it is for the eye only."""
    test = re.fullmatch(r"([A-Z]\w+)\.(\w+|\*)", word)
    if test:
        known = test[1] in tests and (test[2] == "*" or test[2] in tests[test[1]])
        return "" if known else "there is no such test"
    if word.startswith("polhode "):
        command = word.split()[1]
        if command not in commands:
            return f"docs/commands.md has no command {command}"
        gone = [w for w in word.split() if w.endswith(".pol") and not (root / w).exists()]
        return f"there is no {gone[0]}" if gone else ""
    if re.fullmatch(r"experiments/\w+", word):
        return "" if (root / word).is_dir() else "there is no such experiment"
    return None


def offences(root):
    page = root / "docs/seeds.md"
    tests, commands = tests_of(root), commands_of(root)
    seen = []
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), start=1):
        row = ROW.match(line)
        if not row:
            continue
        seen.append(row[1])
        reasons = {word: wrong_with(word, root, tests, commands) for word in CODE.findall(row[3])}
        for word, reason in reasons.items():
            if reason:
                yield f"docs/seeds.md:{number}: `{word}`: {reason}"
        if "" not in reasons.values() and "not yet" not in row[3]:
            yield f"docs/seeds.md:{number}: {row[1]}: name a test, a command or an experiment that shows it, or say \"not yet\""
    wanted = [f"{letter}{k}" for letter, count in ROWS.items() for k in range(1, count + 1)]
    for name in wanted:
        if seen.count(name) != 1:
            yield f"docs/seeds.md: {name} has {seen.count(name)} rows; each row of the specification has one"
    for name in sorted(set(seen) - set(wanted)):
        yield f"docs/seeds.md: {name} is no row of the specification"


def main():
    found = list(offences(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
    print("\n".join(found) if found else "every row of the specification is shown by something that exists, or said to be missing")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
