#!/usr/bin/env python3
"""Checks the pages for readers: every file that they name exists, every link leads somewhere, and no line is too long to review.

    tools/check_pages.py [REPOSITORY]

Prints one line per offence and exits with 1 if there is any.

A page names a file
- by a link or a picture; its #anchor must be a heading of the page that it leads to;
- in backticks, as a path from the repository's root, from the page or from inside a folder (`mechanism/elements.h`, `elements.h`,
  `mechanism/applied_forces`), with * where several are meant;
- in the first column of a table headed "file" or "place", there without folder or suffix too (`constraints_planner`);
- in a code block, by #include "polhode/..." or as a path from one of the repository's own folders (models/pendulum.pol).

A table below <!-- rows of PAGE --> repeats rows of that page: each must stand there, letter for letter.

Not checked: what a build or a run makes (build/..., *.csv), files that the page itself has its reader write (```pol file=NAME), places
with a part to fill in (NAME), and whatever else is inside of code blocks, which check_docs.py runs.

README.md has at most 120 lines. Prose is wrapped at 128 columns. Tables and code blocks are not prose; addresses of links do not count.
"""
import fnmatch
import os
import pathlib
import re
import sys

COLUMNS = 128
MOST_LINES = {"README.md": 120}  # whoever looks at the repository for the first time reads that page to its end
SUFFIXES = {".h", ".cpp", ".in", ".py", ".sh", ".md", ".ts", ".cmake", ".txt", ".pol"}
NOT_OURS = {".git", "node_modules", "__pycache__"}
LINK = re.compile(r'\]\(([^)\s]+)\)|\bsrc="([^"]+)"')
CODE = re.compile(r"(`+)(.+?)\1")
TO_FILL_IN = re.compile(r"NAME|MODEL|RUN|TABLE|PAGE|FILE|\.\.\.|[<>{}$]")
REPEATED = re.compile(r"^<!-- rows of (\S+) -->$")
FENCE = re.compile(r"^\s*```(.*)$")


def files_of(repository):
    """Every file and folder of the repository, as paths from its root with / between folders."""
    found = set()
    for folder, folders, files in os.walk(repository):
        folders[:] = [f for f in folders if f not in NOT_OURS and not (f == "build" or f.startswith("build-"))]
        here = pathlib.PurePath(folder).relative_to(repository)
        found |= {(here / name).as_posix() for name in folders + files}
    return found


class Repository:
    def __init__(self, root):
        self.root = root
        self.paths = files_of(root)
        self.ends = set()  # every end of every path, with and without the suffix
        for path in self.paths:
            parts = path.split("/")
            for k in range(len(parts)):
                end = "/".join(parts[k:])
                self.ends |= {end, os.path.splitext(end)[0]}
        self.at_root = {path for path in self.paths if (root / path).is_dir() and "/" not in path}
        self.folders = {part for path in self.paths for part in path.split("/")[:-1]}

    def has(self, name):
        """Whether some path ends with this name."""
        name = name.removeprefix("./").rstrip("/")
        if "*" in name:
            return any(fnmatch.fnmatchcase(end, name) for end in self.ends)
        return name in self.ends

    def looks_like_a_file(self, word):
        if TO_FILL_IN.search(word) or word.startswith(("-", "/", "build/", "build-", "http:", "https:", "#")):
            return False
        if not re.fullmatch(r"[\w.*/+-]+", word) or NOT_OURS & set(word.split("/")):
            return False
        stem, suffix = os.path.splitext(word)
        if suffix in SUFFIXES:
            return stem not in ("", "*")
        return "/" in word and word.removeprefix("../").removeprefix("./").split("/")[0] in self.folders

    def names_in_code(self, line):
        """What a line of code names: headers of the library, and paths from a folder at the repository's root."""
        yield from re.findall(r'#include "(polhode/[^"]+)"', line)
        for word in re.findall(r"(?<![\w./~-])[\w.-]+/[\w./-]+", line):
            if word.split("/")[0] in self.at_root and os.path.splitext(word)[1] in SUFFIXES and not TO_FILL_IN.search(word):
                yield word


def anchors_of(text):
    """The anchors that GitHub gives to the headings of a page."""
    found, fenced = set(), False
    for line in text.split("\n"):
        fenced ^= bool(FENCE.match(line))
        heading = None if fenced else re.match(r"#+ (.*)", line)
        if heading:
            words = re.sub(r"[^\w\- ]", "", heading[1].replace("`", "").lower())
            found.add(words.strip().replace(" ", "-"))
    return found


def why_link_is_wrong(page, target):
    if re.match(r"\w+:", target):
        return None
    path, _, anchor = target.partition("#")
    file = (page.parent / path) if path else page
    if not file.exists():
        return f"the link to {target} leads nowhere: there is no {path}"
    if anchor and file.suffix == ".md" and anchor not in anchors_of(file.read_text(encoding="utf-8")):
        return f"the link to {target} leads nowhere: {path or 'this page'} has no heading of that name"
    return None


def wrong_names(repository, page, line, in_file_table, made_here):
    """Files that a line names and that do not exist."""
    cells = line.split("|")
    first_column = [match[2] for match in CODE.finditer(cells[1])] if in_file_table and len(cells) > 2 else []
    for match in CODE.finditer(line):
        for word in match[2].split():
            word = re.sub(r":\d+(:\d+)?$", "", word.strip(",;:()"))
            named = repository.looks_like_a_file(word) or (
                match[2] in first_column and re.fullmatch(r"[\w/.]+", word) and not TO_FILL_IN.search(word))
            if named and word not in made_here and not repository.has(word) and not (page.parent / word).exists():
                yield word


def too_long(line):
    return not line.lstrip().startswith("|") and len(LINK.sub("]", line)) > COLUMNS


def offences_of_page(repository, page, lines):
    made_here = set(re.findall(r"^```\w+ file=(\S+)", "\n".join(lines), re.M))
    fenced, in_file_table = False, False
    for number, line in enumerate(lines, start=1):
        if FENCE.match(line):
            fenced = not fenced
            continue
        if fenced or line.startswith("    "):
            for word in repository.names_in_code(line):
                if not repository.has(word):
                    yield number, f"{word}: there is no such file"
            continue
        if not line.startswith("|"):
            in_file_table = False
        elif line.split("|")[1].strip() in ("file", "place"):
            in_file_table = True
        for link in LINK.finditer(CODE.sub("``", line)):
            reason = why_link_is_wrong(page, link[1] or link[2])
            if reason:
                yield number, reason
        for word in wrong_names(repository, page, line, in_file_table, made_here):
            yield number, f"`{word}`: there is no such file"
        if too_long(line):
            yield number, f"{len(line)} columns; wrap it at {COLUMNS}"


def differing_rows(root, lines):
    """Rows of tables that repeat another page's and do not stand there."""
    for begin, line in enumerate(lines):
        repeated = REPEATED.match(line)
        if not repeated:
            continue
        original = set((root / repeated[1]).read_text(encoding="utf-8").split("\n"))
        for number, row in enumerate(lines[begin + 1:], start=begin + 2):
            if not row.startswith("|"):
                break
            if row not in original:
                yield number, f"{repeated[1]} has no such row: {row}"


def pages_of(root):
    return [root / path for path in sorted(files_of(root)) if path.endswith(".md")]


def offences(root):
    repository = Repository(root)
    for page in pages_of(root):
        lines = page.read_text(encoding="utf-8").split("\n")
        most = MOST_LINES.get(page.relative_to(root).as_posix(), len(lines))
        if len(lines) - 1 > most:
            yield f"{page.relative_to(root)}: {len(lines) - 1} lines; at most {most}, move some to docs/"
        for number, reason in [*offences_of_page(repository, page, lines), *differing_rows(root, lines)]:
            yield f"{page.relative_to(root)}:{number}: {reason}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    if not pages_of(root):
        sys.exit(f"{root}: no page (*.md) here")
    found = list(offences(root))
    print("\n".join(found) if found else "every file named exists, every line fits")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
