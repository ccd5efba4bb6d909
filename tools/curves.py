#!/usr/bin/env python3
"""Draws columns of tables over one another as an SVG picture: panels side by side, curves of several runs in each.

    tools/curves.py OUT.svg TITLE --panel TEXT [--log] CURVE ... [--mark X TEXT] ... --panel ...

A CURVE is "LABEL|TABLE.csv|X|Y": the column Y over the column X of a table that `polhode run` or `polhode sweep` wrote. --log draws
the sizes of a panel's values on a logarithmic scale; --mark is a line at X. Needs Python's standard library only.
"""
import csv
import math
import sys
from xml.sax.saxutils import escape

sys.dont_write_bytecode = True  # of picture.py, in the repository
from picture import FAINT, HEIGHT, INK, WIDTH, colour, scale

TOP, BOTTOM, LEFT, GAP, RIGHT = 96, 56, 62, 76, 24


class Curve:
    def __init__(self, text):
        parts = text.split("|")
        if len(parts) != 4:
            sys.exit(f'"{text}" is no curve; write "LABEL|TABLE.csv|X|Y"')
        self.label, path, *names = parts
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
        missing = [name for name in names if not rows or name not in rows[0]]
        if missing:
            sys.exit(f"{path}: no column {', '.join(missing)}")
        # Runs of a sweep that failed have empty cells.
        self.points = [(float(row[names[0]]), float(row[names[1]])) for row in rows if row[names[0]] and row[names[1]]]
        if len(self.points) < 2:
            sys.exit(f"{path}: fewer than two values of {names[1]}; nothing to draw")


class Panel:
    def __init__(self, text):
        self.text, self.log, self.curves, self.marks = text, False, [], []


def parse(words):
    panels, words = [], list(words)
    while words:
        word = words.pop(0)
        if word == "--panel" and words:
            panels.append(Panel(words.pop(0)))
        elif not panels:
            sys.exit(__doc__)
        elif word == "--log":
            panels[-1].log = True
        elif word == "--mark" and len(words) > 1:
            panels[-1].marks.append((float(words.pop(0)), words.pop(0)))
        else:
            panels[-1].curves.append(Curve(word))
    if not panels or not all(panel.curves for panel in panels):
        sys.exit(__doc__)
    return panels


def round_steps(low, high, most=5):
    """Multiples of 1, 2 or 5 times a power of ten between two numbers."""
    step = next(s for k in range(-20, 20) for s in (10.0**k, 2 * 10.0**k, 5 * 10.0**k) if (high - low) / s <= most)
    first = math.ceil(low / step - 1e-9)
    return [i * step for i in range(first, math.floor(high / step + 1e-9) + 1)]


def draw(panel, left, width):
    for curve in panel.curves:
        if panel.log:
            curve.points = [(a, math.log10(abs(b))) for a, b in curve.points if b != 0]
    xs = [a for curve in panel.curves for a, _ in curve.points]
    ys = [b for curve in panel.curves for _, b in curve.points]
    room = 0.06 * (max(ys) - min(ys) or 1)
    low, high = min(ys) - room, max(ys) + room
    x, y = scale(min(xs), max(xs), left, width), scale(high, low, TOP, HEIGHT - TOP - BOTTOM)
    floor = HEIGHT - BOTTOM
    out = [f'<text x="{left}" y="58">{escape(panel.text)}</text>']
    ticks = range(math.ceil(low), math.floor(high) + 1) if panel.log else round_steps(low, high)
    for value in ticks:
        text = f"{10.0**value:g}" if panel.log else f"{value:g}"
        out.append(f'<path d="M{left} {y(value):.1f}h{width}" stroke="{FAINT}" stroke-width="0.4"/>')
        out.append(f'<text x="{left - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{text}</text>')
    for value in round_steps(min(xs), max(xs)):
        out.append(f'<path d="M{x(value):.1f} {floor}v5" stroke="{FAINT}" stroke-width="0.8"/>')
        out.append(f'<text x="{x(value):.1f}" y="{floor + 20}" text-anchor="middle">{value:g}</text>')
    for value, text in panel.marks:
        out.append(f'<path d="M{x(value):.1f} {TOP}V{floor}" stroke="{INK}" stroke-width="0.8" stroke-dasharray="4 3"/>')
        out.append(f'<text x="{x(value) + 5:.1f}" y="{TOP + 12}">{escape(text)}</text>')
    place, several = left, len(panel.curves) > 1
    for i, curve in enumerate(panel.curves):
        shade = colour((i + 0.5) / len(panel.curves)) if several else colour(0)
        points = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in curve.points)
        out.append(f'<polyline points="{points}" fill="none" stroke="{shade}" stroke-width="1.6" stroke-linejoin="round"/>')
        if several:
            out.append(f'<path d="M{place} 76h18" stroke="{shade}" stroke-width="3"/>')
            out.append(f'<text x="{place + 24}" y="80">{escape(curve.label)}</text>')
            place += 40 + 7.5 * len(curve.label)
    return "\n".join(out)


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    panels = parse(sys.argv[3:])
    width = (WIDTH - LEFT - RIGHT - GAP * (len(panels) - 1)) / len(panels)
    drawn = "\n".join(draw(panel, LEFT + i * (width + GAP), width) for i, panel in enumerate(panels))
    with open(sys.argv[1], "w") as file:
        file.write(f'''<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13" fill="{INK}">
<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>
<text x="{LEFT}" y="30" font-size="16">{escape(sys.argv[2])}</text>
{drawn}
</svg>
''')


if __name__ == "__main__":
    main()
