#!/usr/bin/env python3
"""Mechanisms that could not be left out, by the symbols of what is compiled.

Usage: mechanism_symbols.py BUILD MECHANISMS_CMAKE [NM]

What is in the folder of a mechanism may be left out, with those that need it, and all else still links. So no object of the
libraries and the command asks for a symbol that only objects of mechanisms define which its own does not need. The lists of
what is built in are made for each choice: they alone name all. Ends with status 1 if an object does, or if a mechanism
has none in BUILD.
"""
import collections
import pathlib
import re
import subprocess
import sys

components = ('hw', 'tlm', 'platforms', 'tb')


def read_needs(cmake):
    """Each mechanism with all that it needs, itself among them."""
    lines = re.findall(r'^spillway_mechanism\((\w+)(?: NEEDS ([\w ]+))?\)$', pathlib.Path(cmake).read_text(encoding='utf-8'), re.M)
    needs = {name: {name, *needed.split()} for name, needed in lines}
    for name in needs:
        while more := set().union(*(needs[needed] for needed in needs[name])) - needs[name]:
            needs[name] |= more
    return needs


def owner(path, needs):
    """The mechanism whose folder an object lies in; empty for what is always there."""
    return next((part for part in pathlib.Path(path).parts if part in needs), '')


def symbols(nm, objects):
    """Of each object, the symbols that it has, and those that it asks for; a weak one may stay undefined."""
    said = subprocess.run([nm, '-A', '-P', *objects], capture_output=True, text=True, check=True).stdout
    has, asks = collections.defaultdict(set), collections.defaultdict(set)
    for line in said.splitlines():
        path, name, kind = line.split(' ')[:3]
        if kind not in 'wv':
            (asks if kind == 'U' else has)[path.removesuffix(':')].add(name)
    return has, asks


def wrong(has, asks, needs):
    """Lines that say which object asks for what is left out while it stays."""
    owners = collections.defaultdict(set)
    for path, names in has.items():
        for name in names:
            owners[name].add(owner(path, needs))
    for path, names in asks.items():
        mine = owner(path, needs)
        there = {'', *needs.get(mine, ())}
        for name in sorted(names):
            if name in owners and not owners[name] & there:
                yield (f'{path}: asks for {name}, which only {" and ".join(sorted(owners[name]))} has; expected what '
                       f'{mine + " needs" if mine else "is always there"}\n')


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1])
    objects = [str(path.relative_to(build)) for component in components for path in sorted((build / component).rglob('*.o'))
               if 'built_in' not in path.parts]
    if not objects:
        sys.exit(f'{build}: no objects in it; expected a build')
    needs = read_needs(sys.argv[2])
    lines = list(wrong(*symbols(sys.argv[3] if len(sys.argv) > 3 else 'nm', [str(build / name) for name in objects]), needs))
    sys.stderr.writelines(lines)
    owned = collections.Counter(owner(name, needs) for name in objects)
    if lonely := sorted(set(needs) - set(owned)):
        sys.exit(f'{build}: no objects of {", ".join(lonely)}; expected some of every mechanism')
    print(f'{len(objects)} objects, {len(objects) - owned[""]} of them of {len(needs)} mechanisms')
    sys.exit(1 if lines else 0)


if __name__ == '__main__':
    main()
