#!/usr/bin/env python3
"""Draws a run as an SVG picture: the path of a tracked frame, coloured by time, beside the energy over time.

    tools/picture.py RUN.csv FRAME OUT.svg [TITLE]

Reads the table that `polhode run --out RUN.csv --track FRAME` writes; needs Python's standard library only.
"""
import csv
import sys

WIDTH, HEIGHT, MARGIN = 960, 460, 36
COLOURS = [(38, 70, 130), (42, 157, 143), (233, 196, 106), (231, 111, 81)]  # from the start to the end
INK, FAINT = "#30363d", "#8b949e"


def colour(fraction):
    place = min(max(fraction, 0), 0.999999) * (len(COLOURS) - 1)
    i, f = int(place), place % 1
    return "#%02x%02x%02x" % tuple(round(a + f * (b - a)) for a, b in zip(COLOURS[i], COLOURS[i + 1]))


def read(path, frame):
    with open(path, newline="") as file:
        rows = csv.reader(file)
        header = next(rows)
        wanted = ["t", "energy", "kinetic", frame + ".x", frame + ".y", frame + ".z"]
        missing = [name for name in wanted if name not in header]
        if missing:
            sys.exit(f"{path}: no column {', '.join(missing)}; run with --track {frame}")
        columns = [header.index(name) for name in wanted]
        return [[float(row[c]) for c in columns] for row in rows]


def scale(low, high, start, length):
    span = high - low or 1
    return lambda value: start + (value - low) / span * length


def path_panel(rows, left, size):
    """The path seen from the side in which it is widest."""
    t_end = rows[-1][0]
    spread = [max(r[c] for r in rows) - min(r[c] for r in rows) for c in (3, 4)]
    across = 3 if spread[0] >= spread[1] else 4
    xs, zs = [r[across] for r in rows] + [0], [r[5] for r in rows] + [0]
    reach = max(max(xs) - min(xs), max(zs) - min(zs)) or 1
    x = scale((max(xs) + min(xs) - reach) / 2, (max(xs) + min(xs) + reach) / 2, left, size)
    z = scale((max(zs) + min(zs) + reach) / 2, (max(zs) + min(zs) - reach) / 2, (HEIGHT - size) / 2, size)
    out = []
    step = max(1, len(rows) // 1500)
    kept = rows[::step]
    for a, b in zip(kept, kept[1:]):
        out.append(f'<path d="M{x(a[across]):.1f} {z(a[5]):.1f}L{x(b[across]):.1f} {z(b[5]):.1f}" '
                   f'stroke="{colour(a[0] / t_end)}"/>')
    out.append(f'<circle cx="{x(0):.1f}" cy="{z(0):.1f}" r="4" fill="{INK}"/>')
    return "\n".join(out)


def energy_panel(rows, left, width):
    t_end, start = rows[-1][0], rows[0][1]
    reference = max(r[2] for r in rows) or 1
    errors = [(r[0], (r[1] - start) / reference) for r in rows]
    top = max(abs(e) for _, e in errors) or 1e-16
    x, y = scale(0, t_end, left, width), scale(top, -top, 90, HEIGHT - 180)
    points = " ".join(f"{x(t):.1f},{y(e):.1f}" for t, e in errors[::max(1, len(errors) // 1200)])
    text = [f'<polyline points="{points}" fill="none" stroke="{colour(0.9)}" stroke-width="1"/>',
            f'<path d="M{left} {y(0):.1f}h{width}" stroke="{FAINT}" stroke-width="0.7"/>']
    for value in (top, -top):
        text.append(f'<text x="{left - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:+.1e}</text>')
    for t in (0, t_end):
        text.append(f'<text x="{x(t):.1f}" y="{HEIGHT - 68}" text-anchor="middle">{t:g} s</text>')
    text.append(f'<text x="{left}" y="66">energy error over the largest kinetic energy</text>')
    return "\n".join(text)


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    rows = read(sys.argv[1], sys.argv[2])
    if len(rows) < 2:
        sys.exit(f"{sys.argv[1]}: fewer than two states; nothing to draw")
    title = sys.argv[4] if len(sys.argv) == 5 else f'path of "{sys.argv[2]}", {rows[-1][0]:g} s'
    size = HEIGHT - 2 * MARGIN - 20
    left = MARGIN + size + 110
    with open(sys.argv[3], "w") as file:
        file.write(f'''<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13" fill="{INK}">
<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>
<text x="{MARGIN}" y="26" font-size="16">{title}</text>
<g fill="none" stroke-width="1.1" stroke-linecap="round">
{path_panel(rows, MARGIN, size)}
</g>
{energy_panel(rows, left, WIDTH - left - MARGIN)}
</svg>
''')


if __name__ == "__main__":
    main()
