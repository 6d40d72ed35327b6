#!/usr/bin/env python3
"""Whether pictures of docs show the numbers that are kept: each point of a picture that `spillway reproduce` drew is that of a row of a
kept table, to a pixel.

Usage: pictures.py [--shifted]       --shifted: of other numbers, which must be noticed
"""
import json
import re
import sys
import xml.etree.ElementTree

import kept

# Picture, reproduction, table, its columns across and up; the rows of the table and the curves in their order.
pictures = [('jobs-experts.svg', 'jobs-experts', 'programs', 'experts, hot', 'times, by the hot expert')]
tick = re.compile(r"L([\d.]+),([\d.]+)\s+'/>\s*<g transform=[^>]*text-anchor=\"(end|middle)\">\s*<text>([\d.]+)</text>")
curve = re.compile(r'<g id="gnuplot_plot_\d+a?" >(.*?)(?=<g id="gnuplot_plot_|\Z)', re.DOTALL)
marker = re.compile(r"<use xlink:href='#gpPt\d+' transform='translate\(([\d.]+),([\d.]+)\)")


def axis(ticks):
    """From a number to pixels."""
    (n0, p0), (n1, p1) = ticks[0], ticks[-1]
    return lambda number: p0 + (number - n0) * (p1 - p0) / (n1 - n0)


def points(svg):
    """A point a curve, in pixels: its first marker; the other is in the key."""
    found = []
    for one in curve.findall(svg):
        label, at = re.search('<text>(.*?)</text>', one), marker.search(one)
        if label and at:
            found.append((label[1], float(at[1]), float(at[2])))
    return found


def rows(name, table):
    lines = next(t for t in kept.verdicts(name)['tables'] if t['name'] == table)['markdown']
    cells = [[cell.strip() for cell in line.strip('|').split('|')] for line in lines]
    return [dict(zip(cells[0], row)) for row in cells[2:]]


def problems(picture, name, table, across, up, shift):
    svg = (kept.root / 'docs' / 'pictures' / picture).read_text()
    xml.etree.ElementTree.fromstring(svg)
    ticks = tick.findall(svg)
    x = axis([(float(n), float(px)) for px, _, anchor, n in ticks if anchor == 'middle'])
    y = axis([(float(n), float(py)) for _, py, anchor, n in ticks if anchor == 'end'])
    drawn, wanted = points(svg), rows(name, table)
    if len(drawn) != len(wanted):
        return [f'{picture}: found {len(drawn)} points, expected {len(wanted)}']
    found = []
    for (label, px, py), row in zip(drawn, wanted):
        number = float(row[up]) + shift
        # A hundredth is the last digit that the table has.
        room = 1 + abs(y(number) - y(number + 0.005))
        if abs(px - x(float(row[across]))) > 1 or abs(py - y(number)) > room:
            found.append(f'{picture}: {label} is not at {row[across]}, {number:.2f}')
    return found


shifted = sys.argv[1:] == ['--shifted']
faults = [fault for one in pictures for fault in problems(*one, 0.05 if shifted else 0)]
if shifted:
    sys.exit(0 if faults else 'numbers that are not drawn were not noticed')
sys.exit('\n'.join(faults) if faults else 0)
