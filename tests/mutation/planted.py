#!/usr/bin/env python3
"""Plants the bugs of planted.txt, one after the other, and has the test fail that is named there.

Usage: planted.py [--jobs N] [--start TEXT] [--only TEXT] WORK   plants them in a copy of the tree in the folder WORK
       planted.py --strange FILE [--near] [--jobs N] WORK        plants those of the file, written the same without a test: which one fails?
       planted.py --check                                        every bug can still be planted, and docs/planted.md has them all
       planted.py --write                                        writes docs/planted.md

Prints which test fails. Exit status 1 if none of those named does.
"""
import argparse
import collections
import pathlib
import re
import sys

import copies

here = pathlib.Path(__file__).resolve().parent
page = copies.root / 'docs' / 'planted.md'

bug = collections.namedtuple('bug', 'section name file edits test')


def bugs(listed=here / 'planted.txt'):
    """Of each bug its edits: lines that are there, and lines that take their place."""
    section, found = '', []
    for block in re.split(r'\n\n+', listed.read_text().strip()):
        lines = block.split('\n')
        if lines[0].startswith('#'):
            section = lines[0].lstrip('# ')
            continue
        file = test = ''
        edits = []
        for line in lines[1:]:
            if line.startswith('in '):
                file = line[3:]
            elif line.startswith('by '):
                test = line[3:]
            elif line.startswith('-'):
                if not edits or edits[-1][1]:
                    edits.append(([], []))
                edits[-1][0].append(line[1:])
            elif line.startswith('+'):
                edits[-1][1].append(line[1:])
            else:
                sys.exit(f'{listed.name}: {lines[0]}: expected in, by, - or +, found {line}')
        found.append(bug(section, lines[0], file, edits, test))
    return found


def planted(b):
    """The text of the file with the bug."""
    text = (copies.root / b.file).read_text()
    for old, new in b.edits:
        before = '\n'.join(old) + '\n'
        if text.count(before) != 1:
            sys.exit(f'{b.name}: these lines are in {b.file} {text.count(before)} times:\n{before}')
        text = text.replace(before, '\n'.join(new) + '\n')
    return text


def table(every):
    text = ('# Bugs that tests notice\n\nEach of these single bugs is planted at night, and the test beside it must fail. '
            '`ctest -C night -L night -R planted` does it again;\n'
            '[tests/mutation/planted.txt](../tests/mutation/planted.txt) has the changes.\n')
    section = ''
    for b in every:
        if b.section != section:
            section = b.section
            text += f'\n## {section}\n\n| bug | in | test that fails, or how its name begins or goes on |\n|---|---|---|\n'
        text += f'| {b.name} | `{b.file}` | `{b.test}` |\n'
    return text + drawn()


def drawn():
    """What became of the changes that mutate.py drew: kept in drawn.txt."""
    lines = (here / 'drawn.txt').read_text().splitlines()
    rows = [line.rsplit(' | ', 2) for line in lines if not line.startswith('#')]
    counts = collections.Counter(outcome for _, outcome, _ in rows)
    judged = counts['noticed'] + counts['survived']
    text = (f'\n## Drawn changes\n\n`mutate.py --mutants 150 --seed 1` draws changes of one line of `hw` and `tb/measure`. '
            f'Of the {len(rows)} that have been tried so far\n{counts["does not compile"]} do not compile, '
            f'{counts["equivalent"]} are equivalent and {counts["undecided"]} undecided.\n'
            f'{counts["noticed"]} of the other {judged} were noticed ({100 * counts["noticed"] // judged} %); those that survived have a test '
            f'now, which fails with the change.\n\n'
            f'| change | outcome | test that failed, or what was done |\n|---|---|---|\n')
    for change, outcome, by in rows:
        code = change.replace('|', '\\|')
        text += f'| `{code}` | {outcome} | {by} |\n'
    return text


def try_strange(copy, every, near):
    """Prints which test notices each, and how many are noticed; returns whether all are."""
    counts = collections.Counter()
    for b, outcome, by in copy.judge([copies.bug(b.name, b.file, planted(b), copy.stages(b.file, near)) for b in every]):
        counts[outcome] += 1
        print(f'{outcome}: {b.name} ({b.file}){" by " + by if by else ""}', flush=True)
    judged = counts['noticed'] + counts['survived']
    print(f"{counts['noticed']} of {judged} noticed")
    return counts['noticed'] == judged


def try_listed(copy, every):
    """Prints which test notices each; returns whether all are noticed by the tests that are named."""
    bugs = [copies.bug(b.name, b.file, planted(b), [copy.named(b.test)]) for b in every]
    nowhere = [f'{b.name}: there is no test {b.test}' for b, tried in zip(every, bugs) if not tried.stages[0]]
    if nowhere:
        sys.exit('\n'.join(nowhere))
    noticed = 0
    for b, outcome, by in copy.judge(bugs):
        noticed += outcome == 'noticed'
        print(f'{b.name}: {"noticed by " + by if by else "NOT NOTICED: " + outcome}', flush=True)
    print(f'{noticed} of {len(bugs)} noticed')
    return noticed == len(bugs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('work', nargs='?', type=pathlib.Path)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--only', default='')
    parser.add_argument('--start', default='', help='leaves out those before the first with this in its name')
    parser.add_argument('--strange', type=pathlib.Path)
    parser.add_argument('--near', action='store_true')
    parser.add_argument('--check', action='store_true')
    parser.add_argument('--write', action='store_true')
    given = parser.parse_args()
    every = bugs()
    if given.write:
        page.write_text(table(every))
    if given.check:
        for b in every:
            planted(b)
        if page.read_text() != table(every):
            sys.exit('docs/planted.md is not what tests/mutation/planted.py --write makes of planted.txt')
    if given.write or given.check:
        return
    if not given.work:
        parser.error('WORK is missing: a folder for the copy and its build')
    copy = copies.tree(given.work.resolve(), given.jobs)
    if given.strange:
        sys.exit(not try_strange(copy, [b for b in bugs(given.strange) if given.only in b.name], given.near))
    first = next((i for i, b in enumerate(every) if given.start in b.name), len(every))
    sys.exit(not try_listed(copy, [b for b in every[first:] if given.only in b.name]))


if __name__ == '__main__':
    main()
