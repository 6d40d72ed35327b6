#!/usr/bin/env python3
"""Names that sources which are read as one might take from each other.

Usage: unity_names.py BUILD

In a unity build a function that one source keeps for itself is seen by those behind it: a call there of another function of
that name may go to it, without a word of the compiler. So no source calls or defines what one before it has of that name.
Ends with status 1 if one does, with 77 if nothing is read as one in BUILD.
"""
import functools
import os
import pathlib
import re
import sys

# What later sources call are members, which hide functions, and names from headers for arguments that these do not take.
harmless = {('hw/dampening/assignment.cpp', 'checked'), ('hw/dampening/dampening_switch.cpp', 'fail'),
            ('hw/ecn/ecn_rider.cpp', 'show'), ('platforms/config/yaml_scalar.cpp', 'all'), ('tb/report/chart.cpp', 'add'),
            ('tb/command/completion.cpp', 'shipped'), ('tb/sweep/join.cpp', 'collect')}
root = pathlib.Path(__file__).resolve().parents[2]
own_part = re.compile(r'^namespace \{\n(.*?)^\}  // namespace$', re.S | re.M)
defined = re.compile(r'^(?![/}#\s]).*?(?<!::)\b(\w+)\(', re.M)
called = re.compile(r'(?<![\w.>:])(\w+)\(')
macros = re.compile(r'[A-Z_]+$|PrintTo$')  # the latter: one for each type


@functools.cache
def names(source):
    """Functions that it keeps for itself, and all that it calls or declares."""
    text = pathlib.Path(source).read_text(encoding='utf-8')
    own = {name for part in own_part.findall(text) for name in defined.findall(part) if not macros.match(name)}
    return own, set(called.findall(re.sub(r'//.*', '', text)))


def clashes(sources):
    """Lines that say which source has what a later one calls."""
    for i, first in enumerate(sources):
        for later in sources[i + 1:]:
            for name in sorted(names(first)[0] & names(later)[1]):
                if (os.path.relpath(first, root), name) in harmless:
                    continue
                yield f'{later}: calls or defines {name}(), which {first} has for itself; expected another name\n'


def units(build):
    """The sources of each unit; links are not followed, as one leads back to the project."""
    for folder, _, files in os.walk(build):
        for file in files:
            if re.fullmatch(r'unity_\d+_cxx\.cxx', file):
                yield re.findall(r'#include "(.*?)"', (pathlib.Path(folder) / file).read_text(encoding='utf-8'))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = list(units(sys.argv[1]))
    if not found:
        print(f'{sys.argv[1]}: no sources are read as one')
        sys.exit(77)
    wrong = sorted({line for unit in found for line in clashes(unit)})
    sys.stdout.writelines(wrong)
    sys.exit(bool(wrong))


if __name__ == '__main__':
    main()
