#!/usr/bin/env python3
"""Immediate retry against rounds by the size of the tree (docs/circuit.md), from what is kept of circuit-strategies.

retry_curve.py draw      the page's picture, by gnuplot
retry_curve.py check     whether the picture and the page's sentence are of the numbers that are kept
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / 'docs' / 'results' / 'circuit-strategies' / 'verdicts.json'
PAGE = ROOT / 'docs' / 'circuit.md'
PICTURE = ROOT / 'docs' / 'pictures' / 'circuit-retry.svg'
RATIO, REJECTED = 'rounds over immediate', 'a rejected attempt, of the time across the diameter'


def tables():
    """Rows of every table, by the titles of their columns; titles that come twice are told apart by a number."""
    found = {}
    for table in json.loads(KEPT.read_text(encoding='utf-8'))['tables']:
        rows = [[cell.strip() for cell in line.strip('|').split('|')] for line in table['markdown']]
        titles = [t if rows[0].index(t) == i else f'{t} {i}' for i, t in enumerate(rows[0])]
        found[table['name']] = [dict(zip(titles, row)) for row in rows[2:]]
    return found


def lg(nodes):
    """Of `2^14`, or of a power of two."""
    return int(nodes[2:]) if nodes.startswith('2^') else int(nodes).bit_length() - 1


def series():
    """By name: pairs of lg n and a factor."""
    t = tables()
    whole, eighth = t['largest']
    everyone = ([(lg(r['nodes']), r[RATIO], r[REJECTED]) for r in t['all']]
                + [(lg(r['nodes, m = n']), r[RATIO], r[REJECTED]) for r in t['large']]
                + [(20, whole[RATIO], whole[REJECTED])])
    few = ([(lg(r['nodes']), r[RATIO]) for r in t['an eighth']]
           + [(lg(r['nodes, m = n']), r[f'{RATIO} 8']) for r in t['large']] + [(20, eighth[RATIO])])
    return {'m = n': [(x, float(y)) for x, y, _ in everyone],
            'm = n/8': [(x, float(y)) for x, y in few],
            'm = n, the most with such rejections (1 / f)': [(x, round(1 / float(f), 2)) for x, _, f in everyone]}


def line(points):
    """Of least squares: where it is at 0, and its slope."""
    n, sx, sy = len(points), sum(x for x, _ in points), sum(y for _, y in points)
    slope = (n * sum(x * y for x, y in points) - sx * sy) / (n * sum(x * x for x, _ in points) - sx * sx)
    return (sy - slope * sx) / n, slope


def two():
    """lg n at which the line through the factors of m = n is 2."""
    at_0, slope = line(series()['m = n'])
    return (2 - at_0) / slope


def data():
    """What the picture shows, as it carries it."""
    return '\n'.join(f"{name}: {' '.join(f'{x} {y}' for x, y in points)}" for name, points in series().items())


def draw():
    at_0, slope = line(series()['m = n'])
    colours = ['#c0392b', '#2471a3', '#7f8c8d']
    script = ['set terminal svg size 820,420 font "sans,12" background "white"', 'set grid', 'set key outside below',
              'set xrange [3:42]', 'set yrange [1:2.2]', "set xlabel 'lg n'",
              "set ylabel 'time of rounds over immediate retry'",
              "set arrow from 20,1 to 20,2.2 nohead dt 3 lc rgb '#7f8c8d'", "set label 'as far as the paper' at 20.4,1.06",
              f"set arrow from {two():.2f},1 to {two():.2f},2 nohead dt 3 lc rgb '#c0392b'",
              "set arrow from 3,2 to 42,2 nohead lc rgb '#1e8449' lw 2", "set label 'about twice' at 4,2.05"]
    plots = []
    for number, ((name, points), colour) in enumerate(zip(series().items(), colours)):
        script.append(f'$s{number} << EOD\n' + '\n'.join(f'{x} {y}' for x, y in points) + '\nEOD')
        plots.append(f"$s{number} with linespoints pt 7 ps 0.6 lw 2 lc rgb '{colour}' title '{name}'")
    plots.append(f"[4:42] {at_0} + {slope} * x with lines dt 2 lc rgb '{colours[0]}' title 'm = n, continued at that pace'")
    script.append('plot ' + ', '.join(plots))
    drawn = subprocess.run(['gnuplot'], input='\n'.join(script), text=True, capture_output=True, check=True).stdout
    PICTURE.write_text(drawn.replace('<svg', f'<!--\n{data()}\n-->\n<svg', 1), encoding='utf-8')


def check():
    faults = []
    if f'<!--\n{data()}\n-->' not in PICTURE.read_text(encoding='utf-8'):
        faults.append(f'{PICTURE.name}: expected a picture of\n{data()}')
    said = re.search(r'it would be 2 at about 2\^(\d+) nodes', PAGE.read_text(encoding='utf-8'))
    if not said or int(said[1]) != round(two()):
        faults.append(f'{PAGE.name}: expected that it would be 2 at about 2^{round(two())} nodes')
    return faults


if sys.argv[1:] == ['draw']:
    draw()
elif sys.argv[1:] == ['check']:
    problems = check()
    sys.exit('\n'.join(problems) if problems else 0)
else:
    sys.exit(__doc__)
