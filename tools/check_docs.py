#!/usr/bin/env python3
"""Runs the commands that the documentation shows, and compares what they print with what it says they print.

    check_docs.py --build BUILD PAGE.md ...            exit status 1 and the differences when a page is wrong
    check_docs.py --build BUILD --update PAGE.md ...   writes what is printed into the pages instead

On a page, a block that begins with

    ```console              is a dialogue: lines "$ command", each followed by what it prints
    ```console status=2     the same, and its last command must exit with 2; all others must succeed
    ```pol file=NAME        (or any other language) is written to the file NAME, where the commands can find it

All commands of a page run in one shell, which starts in an empty folder with links to the repository's models/ and to
the build folder (as build/), the build's bin/ on the PATH and HOME set to the folder itself.
Lines about wall time are not compared. A line "..." stands for any lines. Other lines must be equal, except that numbers
may differ by one unit of the last digit shown or by one part in a million, and are zero below 1e-12: compilers and
processors round differently.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```(\w+)((?: \w+=\S+)*)$")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")
NOT_COMPARED = ("wall time", "wall_time", "real_time_factor")
NOISE = 1e-12  # what rounding leaves of zero is not the same everywhere
MARK = "@@@check_docs"


class Command:
    def __init__(self, text, line, status):
        self.text, self.line, self.status = text, line, status
        self.expected = []


def parse(lines):
    """The page as a list of things to do: Command, or (file, content)."""
    steps, i = [], 0
    while i < len(lines):
        fence = FENCE.match(lines[i])
        i += 1
        if not fence:
            if lines[i - 1].startswith("```"):  # a block without attributes or language: skip it whole
                while i < len(lines) and not lines[i].startswith("```"):
                    i += 1
                i += 1
            continue
        begin = i
        while i < len(lines) and lines[i] != "```":
            i += 1
        attributes = dict(a.split("=", 1) for a in fence[2].split())
        if fence[1] == "console":
            commands = []
            for k in range(begin, i):
                if lines[k].startswith("$ "):
                    commands.append(Command(lines[k][2:], k, 0))
                elif commands:
                    commands[-1].expected.append(lines[k])
                else:
                    sys.exit(f"line {k + 1}: a console block must begin with a command")
            commands[-1].status = int(attributes.get("status", 0))
            steps += commands
        elif "file" in attributes:
            steps.append((attributes["file"], "\n".join(lines[begin:i]) + "\n"))
        i += 1
    return steps


def execute(steps, build):
    """What each command printed, and its exit status."""
    script = []
    for step in steps:
        if isinstance(step, Command):
            script.append(f"{{ {step.text}\n}} 2>&1 < /dev/null; printf '\\n{MARK} %d\\n' $?")
        else:
            script.append(f"cat > {step[0]} <<'{MARK}'\n{step[1]}{MARK}")
    with tempfile.TemporaryDirectory(prefix="polhode_docs_") as folder:
        os.symlink(REPOSITORY / "models", f"{folder}/models")
        os.symlink(build, f"{folder}/build")
        environment = dict(os.environ, HOME=folder, PATH=f"{build}/bin:{os.environ['PATH']}", LC_ALL="C.UTF-8")
        run = subprocess.run(["bash", "-c", "\n".join(script)], cwd=folder, env=environment, timeout=250,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    parts = re.split(rf"\n{MARK} (\d+)\n", run.stdout)
    return [(parts[k].rstrip("\n").split("\n") if parts[k] else [], int(parts[k + 1])) for k in range(0, len(parts) - 1, 2)]


def unit_of_last_digit(text):
    mantissa, _, exponent = text.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return 0.0 if not decimals and not exponent else 10.0 ** (int(exponent or 0) - decimals)


def same_number(said, printed):
    a, b = float(said), float(printed)
    if max(abs(a), abs(b)) < NOISE:
        return True
    return abs(a - b) <= max(1.001 * unit_of_last_digit(said), 1e-6 * max(abs(a), abs(b)))


def same_line(said, printed):
    if any(text in said and text in printed for text in NOT_COMPARED):
        return True
    a, b = NUMBER.findall(said), NUMBER.findall(printed)
    return NUMBER.split(said) == NUMBER.split(printed) and len(a) == len(b) and all(map(same_number, a, b))


def same_text(said, printed):
    if not said:
        return not printed
    if said[0] == "...":
        return any(same_text(said[1:], printed[k:]) for k in range(len(printed) + 1))
    return bool(printed) and same_line(said[0], printed[0]) and same_text(said[1:], printed[1:])


def without_blank_end(lines):
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


def check(page, build, update):
    lines = page.read_text(encoding="utf-8").split("\n")
    steps = parse(lines)
    commands = [step for step in steps if isinstance(step, Command)]
    if not commands:
        sys.exit(f"{page}: has no console block to check")
    outcomes = execute(steps, build)
    wrong = 0
    for command, (printed, status) in reversed(list(zip(commands, outcomes))):  # last first: --update moves lines
        said, printed = without_blank_end(command.expected), without_blank_end(printed)
        if status != command.status:
            print(f"{page}:{command.line + 1}: $ {command.text}\n  exits with {status}, not {command.status}")
            print("\n".join("    " + line for line in printed))
            wrong += 1
        elif not same_text(said, printed):
            if update:
                lines[command.line + 1:command.line + 1 + len(said)] = printed
                continue
            print(f"{page}:{command.line + 1}: $ {command.text}\n  the page says")
            print("\n".join("    " + line for line in said) + "\n  it prints")
            print("\n".join("    " + line for line in printed))
            wrong += 1
    if len(outcomes) < len(commands):
        print(f"{page}: the shell ended after {len(outcomes)} of {len(commands)} commands")
        wrong += 1
    if update:
        page.write_text("\n".join(lines), encoding="utf-8")
    print(f"{page}: {len(commands)} commands, {wrong} wrong")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="build folder, with bin/polhode")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("pages", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    return 1 if sum(check(page, arguments.build.resolve(), arguments.update) for page in arguments.pages) else 0


if __name__ == "__main__":
    sys.exit(main())
