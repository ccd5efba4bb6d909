#!/usr/bin/env python3
"""What Doxygen reads of a header: the same text, with this repository's convention for comments spelled out.

A comment above declarations documents all of them, up to the next empty line or the next comment of its own; one behind a
declaration documents every name in it. Doxygen would give it to one name alone; between `@{` and `@}` it gives it to all
(DISTRIBUTE_GROUP_DOC).

    tools/reference_filter.py HEADER
"""

import re
import sys

COMMENT = re.compile(r"\s*///(?!<)")
BEHIND = re.compile(r"^(\s*)([^\s/].*;)\s*///<\s*(.*)$")
MORE = re.compile(r"^\s*///<\s*(.*)$")
# One thing with a body of its own, which a comment is for alone; or the end of where declarations may stand.
ALONE = re.compile(r"\s*(template\b.*>\s*)?(struct|class|enum|union|namespace|concept|inline namespace)\b(?!.*;\s*(//.*)?$)")
END = re.compile(r"\s*($|//|#|public:|private:|protected:|\}|template\b[^;{]*$)")


def code_of(line):
    return re.sub(r'//.*$|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'', "", line)


def has_several_names(declaration):
    """Whether it is one of variables with commas between them."""
    code, depth = code_of(declaration), 0
    if re.search(r"\b(using|typedef|friend|operator)\b", code):
        return False
    for i, c in enumerate(code):
        depth += (c in "({[<") - (c in ")}]" or (c == ">" and code[i - 1] != "-"))
        if c == "," and depth == 0:
            return True
    return False


def declarations(lines, start):
    """Where the declarations that begin at `start` end, and how many there are."""
    at, count = start, 0
    while at < len(lines) and not END.match(lines[at]) and not ALONE.match(lines[at]):
        depth = 0
        count += 2 if has_several_names(lines[at]) and "///<" not in lines[at] else 1
        while at < len(lines):
            code = code_of(lines[at])
            depth += sum(code.count(c) for c in "({") - sum(code.count(c) for c in ")}")
            at += 1
            if depth == 0 and code.rstrip().endswith((";", "}", ",")):
                break
    return at, count


def spread_behind(lines):
    """Comments behind declarations of several names, put above them."""
    out, at = [], 0
    while at < len(lines):
        match = BEHIND.match(lines[at])
        at += 1
        if not match or not has_several_names(match[2]):
            out.append(lines[at - 1])
            continue
        indent, declaration, text = match.groups()
        texts = [text]
        while at < len(lines) and MORE.match(lines[at]):
            texts.append(MORE.match(lines[at])[1])
            at += 1
        out += [f"{indent}///@{{"] + [f"{indent}/// {t}" for t in texts] + [indent + declaration, f"{indent}///@}}"]
    return out


def spread_above(lines):
    """Comments above several declarations, as groups."""
    out, at = [], 0
    while at < len(lines):
        first = at
        while at < len(lines) and COMMENT.match(lines[at]):
            at += 1
        if at == first or "@{" in lines[first]:
            at = max(at, first + 1)
            out += lines[first:at]
            continue
        end, count = declarations(lines, at)
        indent = re.match(r"\s*", lines[first]).group()
        group = count > 1
        out += [f"{indent}///@{{"] * group + lines[first:end] + [f"{indent}///@}}"] * group
        at = end
    return out


def spelled_out(text):
    return "\n".join(spread_above(spread_behind(text.splitlines()))) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        sys.stdout.write(spelled_out(header.read()))
