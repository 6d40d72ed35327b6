#!/usr/bin/env python3
"""Which mechanisms to leave out together, a line a round, so that each is left out once while any other that
does not need it stays. Usage: rounds.py MECHANISMS_CMAKE"""
import itertools
import pathlib
import re
import sys

lines = re.findall(r'^spillway_mechanism\((\w+)(?: NEEDS ([\w ]+))?\)$', pathlib.Path(sys.argv[1]).read_text(), re.M)
needs = {name: set(needed.split()) for name, needed in lines}


def with_those_that_need_them(names):
    out = set(names)
    while more := {name for name in needs if name not in out and needs[name] & out}:
        out |= more
    return frozenset(out)


def shown_by(out):
    """Who does without whom."""
    return {(stays, gone) for stays in needs if stays not in out for gone in out}


left = set().union(*(shown_by(with_those_that_need_them([name])) for name in needs))
# Each with what it shows; sorted, so that a tree has the same rounds everywhere.
choices = {with_those_that_need_them(names) for n in range(1, 5) for names in itertools.combinations(needs, n)}
shows = {out: shown_by(out) for out in sorted(choices, key=sorted)}
while left:
    best = max(shows, key=lambda out: len(shows[out] & left))
    left -= shows[best]
    print(*sorted(best))
