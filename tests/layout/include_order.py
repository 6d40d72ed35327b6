#!/usr/bin/env python3
"""Includes go one way: include_order.py ROOT. Fails with file:line for each that goes against
tests/layout/order.txt, that reaches into a mechanism nobody declared to need, or that names no file."""
import pathlib
import re
import sys

INCLUDE = re.compile(r'\s*#\s*include\s*<spillway/(.+?)>')
OWN_HEADER_IN_QUOTES = re.compile(r'\s*#\s*include\s*"')


def read_order(path):
    """Line number of each folder, and the set of excepted (folder, folder)."""
    rank, exceptions = {}, set()
    for number, line in enumerate(path.read_text().splitlines()):
        words = line.split('#')[0].split()
        if words[:1] == ['except']:
            exceptions.add((words[1], words[2]))
        else:
            for folder in words:
                rank[folder] = number
    return rank, exceptions


def read_needs(path):
    """Mechanism to all that it needs, itself and what those need included."""
    direct = {}
    for name, needs in re.findall(r'^spillway_mechanism\((\w+)(?: NEEDS ([\w ]+))?\)', path.read_text(), re.M):
        direct[name] = needs.split()

    def closure(name):
        return {name}.union(*(closure(n) for n in direct[name]))
    return {name: closure(name) for name in direct}


def wrong(source, target, rank, needs):
    """What is wrong with an include of a file of folder `target` in one of `source`, or None."""
    if source == target:
        return None
    for folder in (source, target):
        if folder not in rank:
            return f'{folder} is not in tests/layout/order.txt'
    if rank[target] >= rank[source]:
        return f'{source} comes before {target} or stands beside it in tests/layout/order.txt'
    used, user = target.split('/')[-1], source.split('/')[-1]
    if used in needs and user != 'built_in' and used not in needs.get(user, set()):
        if user in needs:
            return f'mechanism {user} does not say in cmake/mechanisms.cmake that it needs {used}'
        return f'{source} is shared and must not know mechanism {used}'
    return None


def check(root):
    rank, exceptions = read_order(root / 'tests/layout/order.txt')
    needs = read_needs(root / 'cmake/mechanisms.cmake')
    faults, includes, used_exceptions = [], 0, set()
    for level in ('hw', 'tlm', 'platforms', 'tb'):
        for path in sorted((root / level).rglob('*.[hc]pp')):
            folder = path.parent.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text().splitlines(), 1):
                place = f'{path.relative_to(root)}:{number}'
                if OWN_HEADER_IN_QUOTES.match(line):
                    faults.append(f'{place}: our headers are included as <spillway/...>')
                match = INCLUDE.match(line)
                if not match:
                    continue
                includes += 1
                if not (root / match.group(1)).exists():
                    faults.append(f'{place}: there is no {match.group(1)}')
                    continue
                target = pathlib.PurePosixPath(match.group(1)).parent.as_posix()
                fault = wrong(folder, target, rank, needs)
                if fault and (folder, target) in exceptions:
                    used_exceptions.add((folder, target))
                elif fault:
                    faults.append(f'{place}: includes {match.group(1)}: {fault}')
    for source, target in sorted(exceptions - used_exceptions):
        faults.append(f'tests/layout/order.txt: drop the exception {source} {target}: nothing needs it any more')
    if not includes:
        faults.append(f'{root}: no includes found')
    return faults, includes


def main():
    faults, includes = check(pathlib.Path(sys.argv[1]))
    print(*faults, f'{includes} includes, {len(faults)} wrong', sep='\n')
    return bool(faults)


if __name__ == '__main__':
    sys.exit(main())
