#!/usr/bin/env python3
"""Plants single bugs and counts those that a test notices.

Usage: mutate.py [--mutants N] [--seed S] [--jobs N] [--only TEXT] [--near] [--again FILE] [--aim PERCENT]
                 [--untried] [--trust] WORK
       mutate.py --list [--only TEXT]

Works on a copy of the tree in the folder WORK, which is built there once. Draws N places of hw and tb/measure, changes
each alone, and runs tests until one fails: those of its name, those that include its header, those in the same folder of
tests, those in folders of that name at other levels, those in the folders around, what is kept of results (random
platforms, settings), then, unless --near, all others that every change must pass. Which they are, the build says. Changes
of headers, which compile most, come last.
A test that takes over a minute of processor time has noticed. A change that does not compile is not counted; one
that survives is shown, unless equivalent.txt lists it with the reason why nobody could notice it.
--only: changes whose line `FILE:LINE: before -> after` has the text. --again: those that survived by what an earlier
call has printed. --untried: not those that drawn.txt has judged. --trust: this tree has passed; nothing runs before the first change.
Exit status 1 below the aim (95).
"""
import argparse
import collections
import pathlib
import random
import re
import sys

import copies

folders = ('hw', 'tb/measure')

# A change is a pattern and what takes its place; each match is one.
changes = [(re.compile(pattern), replacement) for pattern, replacement in (
    (r' == ', ' != '), (r' != ', ' == '), (r' <= ', ' < '), (r' >= ', ' > '), (r' < ', ' <= '), (r' > ', ' >= '),
    (r' && ', ' || '), (r' \|\| ', ' && '), (r' \+ 1\b', ''), (r' - 1\b', ''), (r' \+ ', ' - '), (r' - ', ' + '),
    (r'(?<![+\w\])])\+\+', '--'), (r'(?<![-\w\])])--', '++'), (r'\btrue\b', 'false'), (r'\bfalse\b', 'true'),
    (r' \|= ', ' = '), (r' & ', ' | '), (r'\bstd::min\b', 'std::max'), (r'\bstd::max\b', 'std::min'),
    (r'\bif \((?!const |auto )(.*)\)(?= [a-z+-].*;$| \{$|$)', r'if (!(\1))'),
    # A statement on a line of its own: a call, or an assignment to what is not declared there.
    (r'^( +)(?!return|throw|delete|using|case|break|continue)[\w.\->\[\]():]+(\(.*\)| [|&^+-]?= .*);$', r'\1;'),
)]
# What only says something, or is a matter of the compiler.
left_alone = re.compile(r'^\s*(#|//|/\*|\*|using |static_assert|template|throw |case |default:)|operator|noexcept\(|'
                        r'\bprint\b|SC_REPORT|message|describe|problem|__builtin|reserve\(|prefetch|shrink|constexpr.*=.*;$')

place = collections.namedtuple('place', 'file line before after')


def key(p):
    return f'{p.file}: {p.before.strip()} -> {p.after.strip()}'


def said(p):
    return f'{p.file}:{p.line}: {p.before.strip()} -> {p.after.strip()}'


def places():
    """Every change, in order."""
    for folder in folders:
        for path in sorted((copies.root / folder).rglob('*.[ch]pp')):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                # Strings, letters and comments are blotted out, the line as long as before.
                code = re.sub(r'//.*$|"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'', lambda m: '\0' * len(m[0]), line)
                if left_alone.search(code):
                    continue
                for pattern, replacement in changes:
                    for match in pattern.finditer(code):
                        if match[0] in (' + ', ' - ') and '\0' in code:
                            continue  # words put together
                        after = line[:match.start()] + pattern.sub(replacement, line[match.start():], count=1)
                        if after != line:
                            yield place(str(path.relative_to(copies.root)), number, line, after)


def equivalent():
    """Lines `FILE: before -> after # why`; the number of the line does not count."""
    lines = pathlib.Path(__file__).with_name('equivalent.txt').read_text().splitlines()
    return {line.rpartition(' # ')[0] for line in lines if line and not line.startswith('#')}


def tried():
    """Keys of the changes that drawn.txt has judged."""
    lines = pathlib.Path(__file__).with_name('drawn.txt').read_text().splitlines()
    rows = [line.rsplit(' | ', 2) for line in lines if not line.startswith('#')]
    return {re.sub(r':\d+: ', ': ', change, count=1) for change, outcome, _ in rows if outcome != 'undecided'}


def changed(p):
    """The text of the file with the change."""
    lines = (copies.root / p.file).read_text().split('\n')
    lines[p.line - 1] = p.after
    return '\n'.join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('work', nargs='?', type=pathlib.Path)
    parser.add_argument('--mutants', type=int, default=50)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--only', default='')
    parser.add_argument('--again', type=pathlib.Path)
    parser.add_argument('--aim', type=float, default=95)
    parser.add_argument('--near', action='store_true')
    parser.add_argument('--untried', action='store_true')
    parser.add_argument('--trust', action='store_true')
    parser.add_argument('--list', action='store_true')
    given = parser.parse_args()

    every = [p for p in places() if given.only in said(p)]
    if given.list:
        print('\n'.join(map(said, every)))
        return
    if not given.work:
        parser.error('WORK is missing: a folder for the copy and its build')
    harmless = equivalent()
    every = [p for p in every if key(p) not in harmless]
    if given.again:
        before = {re.sub(r'^survived +(.*?):\d+: (.*)$', r'\1: \2', line)
                  for line in given.again.read_text().splitlines() if line.startswith('survived')}
        drawn = [p for p in every if key(p) in before]
    else:
        drawn = random.Random(given.seed).sample(every, min(given.mutants, len(every)))
    if given.untried:
        known = tried()
        drawn = [p for p in drawn if key(p) not in known]

    copy = copies.tree(given.work.resolve(), given.jobs)
    bugs = [copies.bug(said(p), p.file, changed(p), copy.stages(p.file, given.near)) for p in drawn]
    chosen = {test for b in bugs for tests in b.stages for test in tests}
    failing = '' if given.trust else copy.failing_as_it_is(chosen)
    if failing:
        sys.exit(f'mutate.py: the tree does not pass as it is: {failing}')
    print(f'{len(drawn)} of {len(every)} places, seed {given.seed}, {len(chosen)} tests', flush=True)
    counts = collections.Counter()
    for b, outcome, by in copy.judge(bugs):
        counts[outcome] += 1
        print(f'{outcome:16} {b.name}{"   by " + by if by else ""}', flush=True)
    judged = counts['noticed'] + counts['survived']
    rate = 100 * counts['noticed'] / judged if judged else 100
    print(f"{counts['noticed']} of {judged} noticed ({rate:.0f} %), {counts['does not compile']} do not compile")
    sys.exit(rate < given.aim)


if __name__ == '__main__':
    main()
