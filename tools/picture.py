#!/usr/bin/env python3
"""Draws a run as an SVG picture: paths of tracked frames, coloured by time, beside the energy over time.

    tools/picture.py RUN.csv FRAMES OUT.svg [TITLE]

FRAMES are names separated by commas; the path of each is drawn. Names joined by ">" are a chain, such as shoulder>elbow>hand: it is
drawn as it stands at the start, and the path is that of its last frame. Reads the table that `polhode run --out RUN.csv --track
FRAME,...` writes; needs Python's standard library only.
"""
import csv
import sys
from xml.sax.saxutils import escape

WIDTH, HEIGHT, MARGIN = 960, 460, 36
COLOURS = [(38, 70, 130), (42, 157, 143), (233, 196, 106), (231, 111, 81)]  # from the start to the end
INK, FAINT = "#30363d", "#8b949e"


def colour(fraction):
    place = min(max(fraction, 0), 0.999999) * (len(COLOURS) - 1)
    i, f = int(place), place % 1
    return "#%02x%02x%02x" % tuple(round(a + f * (b - a)) for a, b in zip(COLOURS[i], COLOURS[i + 1]))


class Run:
    """The columns of a table that a picture needs."""

    def __init__(self, path, frames):
        with open(path, newline="") as file:
            rows = csv.reader(file)
            self.header = next(rows)
            wanted = ["t", "energy", "kinetic"] + [f"{frame}.{axis}" for frame in frames for axis in "xyz"]
            missing = [name for name in wanted if name not in self.header]
            if missing:
                sys.exit(f"{path}: no column {', '.join(missing)}; run with --track {','.join(frames)}")
            table = [[float(row[self.header.index(name)]) for name in wanted] for row in rows]
        if len(table) < 2:
            sys.exit(f"{path}: fewer than two states; nothing to draw")
        columns = dict(zip(wanted, zip(*table)))
        self.t, self.energy, self.kinetic = columns["t"], columns["energy"], columns["kinetic"]
        # Seen from the side in which they are widest.
        spread = {axis: max(max(columns[f"{f}.{axis}"]) - min(columns[f"{f}.{axis}"]) for f in frames) for axis in "xy"}
        across = "x" if spread["x"] >= spread["y"] else "y"
        self.path = {f: list(zip(columns[f"{f}.{across}"], columns[f"{f}.z"])) for f in frames}


def scale(low, high, start, length):
    span = high - low or 1
    return lambda value: start + (value - low) / span * length


def path_panel(run, chains, left, size):
    alone = all(len(chain) == 1 for chain in chains)
    seen = [p for path in run.path.values() for p in path] + ([(0, 0)] if alone else [])
    xs, zs = [p[0] for p in seen], [p[1] for p in seen]
    reach = max(max(xs) - min(xs), max(zs) - min(zs)) or 1
    x = scale((max(xs) + min(xs) - reach) / 2, (max(xs) + min(xs) + reach) / 2, left, size)
    z = scale((max(zs) + min(zs) + reach) / 2, (max(zs) + min(zs) - reach) / 2, (HEIGHT - size) / 2, size)
    place = lambda p: f"{x(p[0]):.1f} {z(p[1]):.1f}"
    out = []
    pieces = 1500 // len(chains)
    for chain in chains:
        path = run.path[chain[-1]]
        step = max(1, len(path) // pieces // 4)  # four points to a piece of one colour
        kept = path[::step]
        for i in range(0, len(kept) - 1, 4):
            out.append(f'<path d="M{" ".join(place(p) for p in kept[i:i + 5])}" '
                       f'stroke="{colour(run.t[i * step] / run.t[-1])}"/>')
    for chain in chains:
        start = [run.path[frame][0] for frame in chain]
        if len(chain) > 1:
            out.append(f'<path d="M{" ".join(place(p) for p in start)}" stroke="{INK}" stroke-width="2.5"/>')
            out += [f'<circle cx="{x(p[0]):.1f}" cy="{z(p[1]):.1f}" r="4" fill="{INK}"/>' for p in start]
    if alone:
        out.append(f'<circle cx="{x(0):.1f}" cy="{z(0):.1f}" r="4" fill="{INK}"/>')
    return "\n".join(out)


def energy_panel(run, left, width):
    start, reference = run.energy[0], max(run.kinetic) or 1
    errors = [(e - start) / reference for e in run.energy]
    top = max(abs(e) for e in errors) or 1e-16
    x, y = scale(0, run.t[-1], left, width), scale(top, -top, 90, HEIGHT - 180)
    # The least and the largest of each stretch, so that no peak is lost.
    stretch = max(1, len(errors) // 600)
    points = []
    for i in range(0, len(errors), stretch):
        part = errors[i:i + stretch]
        points += [f"{x(run.t[i]):.1f},{y(e):.1f}" for e in (min(part), max(part))]
    text = [f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour(0.9)}" stroke-width="1"/>',
            f'<path d="M{left} {y(0):.1f}h{width}" stroke="{FAINT}" stroke-width="0.7"/>']
    for value in (top, -top):
        text.append(f'<text x="{left - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:+.1e}</text>')
    for t in (0, run.t[-1]):
        text.append(f'<text x="{x(t):.1f}" y="{HEIGHT - 68}" text-anchor="middle">{t:g} s</text>')
    text.append(f'<text x="{left}" y="66">energy error over the largest kinetic energy</text>')
    return "\n".join(text)


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    chains = [chain.split(">") for chain in sys.argv[2].split(",")]
    run = Run(sys.argv[1], list(dict.fromkeys(frame for chain in chains for frame in chain)))
    title = sys.argv[4] if len(sys.argv) == 5 else f'path of "{sys.argv[2]}", {run.t[-1]:g} s'
    size = HEIGHT - 2 * MARGIN - 20
    left = MARGIN + size + 110
    with open(sys.argv[3], "w") as file:
        file.write(f'''<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13" fill="{INK}">
<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>
<text x="{MARGIN}" y="26" font-size="16">{escape(title)}</text>
<g fill="none" stroke-width="1.1" stroke-linecap="round" stroke-linejoin="round">
{path_panel(run, chains, MARGIN, size)}
</g>
{energy_panel(run, left, WIDTH - left - MARGIN)}
</svg>
''')


if __name__ == "__main__":
    main()
