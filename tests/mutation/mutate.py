#!/usr/bin/env python3
"""Plants single bugs and counts those that a test notices.

Usage: mutate.py [--mutants N] [--seed S] [--jobs N] [--only TEXT] [--near] [--again FILE] [--aim PERCENT]
                 [--untried] [--trust] WORK
       mutate.py --list [--only TEXT]

Works on a copy of the tree in the folder WORK, which is built there once. With ccache, what another build of this tree
has compiled is not compiled again, nor is a file that is as it was once more; without it the libraries are shared ones.
Draws N places of hw and tb/measure, changes each alone, builds, and runs tests until one fails: those of its name,
those that include its header, those in the same folder of tests, those in folders of that name at other levels, those in
the folders around, what is kept of results (random platforms, settings), then, unless --near, all others that every
change must pass. Which they are, the build says. Changes that compile least come first.
A test that takes over a minute of processor time has noticed. A change that does not compile is not counted; one
that survives is shown, unless equivalent.txt lists it with the reason why nobody could notice it.
--only: changes whose line `FILE:LINE: before -> after` has the text. --again: those that survived by what an earlier
call has printed. --untried: not those that drawn.txt has judged. --trust: this tree has passed; nothing runs before the first change.
Exit status 1 below the aim (95).
"""
import argparse
import collections
import json
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import time

root = pathlib.Path(__file__).resolve().parents[2]
folders = ('hw', 'tb/measure')
kept = {'kept_platforms_test', 'kept_commands_test'}
not_run = {'long', 'slurm', 'install', 'layout', 'night'}  # labels of tests that no change of a block concerns

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
        for path in sorted((root / folder).rglob('*.[ch]pp')):
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
                            yield place(str(path.relative_to(root)), number, line, after)


def equivalent():
    """Lines `FILE: before -> after # why`; the number of the line does not count."""
    lines = pathlib.Path(__file__).with_name('equivalent.txt').read_text().splitlines()
    return {line.rpartition(' # ')[0] for line in lines if line and not line.startswith('#')}


def tried():
    """Keys of the changes that drawn.txt has judged."""
    lines = pathlib.Path(__file__).with_name('drawn.txt').read_text().splitlines()
    rows = [line.rsplit(' | ', 2) for line in lines if not line.startswith('#')]
    return {re.sub(r':\d+: ', ': ', change, count=1) for change, outcome, _ in rows if outcome != 'undecided'}


def limits():
    """Of each process of a test: processor time and memory."""
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


class copied_tree:
    """A copy of the project, built as far as these targets: all without them."""

    def __init__(self, work, jobs, *targets):
        self.source, self.build, self.jobs = work, work / 'build' / 'release', str(jobs)
        files = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], cwd=root,
                               capture_output=True, text=True, check=True).stdout.split('\0')
        for name in filter(None, files):
            here, there = root / name, self.source / name
            if here.is_file() and not (there.is_file() and there.read_bytes() == here.read_bytes()):
                there.parent.mkdir(parents=True, exist_ok=True)
                there.write_bytes(here.read_bytes())
                there.chmod(here.stat().st_mode)
        options = ['-DSPILLWAY_EXAMPLES=OFF']
        if shutil.which('ccache'):  # which holds objects of static libraries, those of every other build
            options += ['-DCMAKE_CXX_COMPILER_LAUNCHER=ccache']
        else:
            options += ['-DBUILD_SHARED_LIBS=ON', '-DCMAKE_LINK_DEPENDS_NO_SHARED=ON']
        subprocess.run(['cmake', '--preset', 'release', *options], cwd=self.source, check=True, stdout=subprocess.DEVNULL)
        if not self.compiles(*targets):
            sys.exit('the tree does not build as it is')

    def compiles(self, *targets):
        return subprocess.run(['ninja', '-C', self.build, '-j', self.jobs, *targets], capture_output=True).returncode == 0

    def put(self, file, text):
        (self.source / file).write_text(text)


class tree(copied_tree):
    """With its tests, and which of them are near a file: by the sources that they are written in."""

    def __init__(self, work, jobs):
        super().__init__(work, jobs)
        self.read_tests()

    def ninja(self, *tool):
        return subprocess.run(['ninja', '-C', self.build, '-t', *tool], capture_output=True, text=True).stdout

    def written_in(self, executable):
        """Of each GoogleTest of the executable its source, below tests."""
        listed = self.build / 'listed.json'
        subprocess.run([self.build / 'tests' / executable, '--gtest_list_tests', f'--gtest_output=json:{listed}'],
                       stdout=subprocess.DEVNULL, check=True)
        folder = self.source / 'tests'  # ccache may have made names relative to the build
        return {f'{suite["name"]}.{test["name"]}': (self.build / test['file']).resolve().relative_to(folder)
                for suite in json.loads(listed.read_text())['testsuites'] for test in suite['testsuite']}

    def read_tests(self):
        self.compiled = collections.Counter()  # of a header: how many objects it is part of
        for line in self.ninja('deps').splitlines():
            if line.startswith(' ') and '/spillway/' in line:
                self.compiled[line.strip().partition('/spillway/')[2]] += 1
        self.executables = set(re.findall(r'^tests/(\w+_test): CXX_EXECUTABLE', self.ninja('targets', 'all'), re.M))
        sources = {e: self.written_in(e) for e in self.executables}
        listed = json.loads(subprocess.run(['ctest', '--test-dir', self.build, '--show-only=json-v1'],
                                           capture_output=True, text=True, check=True).stdout)
        self.tests = collections.defaultdict(list)  # of a source, or what else is executed: their numbers
        self.executable = {}                        # of the same: what is executed
        self.names = {}                             # of a test: its executable and its number
        for number, test in enumerate(listed['tests'], 1):
            labels = {l for p in test.get('properties', []) if p['name'] == 'LABELS' for l in p['value']}
            if not labels & not_run and test.get('command'):
                executable = pathlib.PurePath(test['command'][0]).name
                chosen = [a.partition('=')[2] for a in test['command'] if a.startswith('--gtest_filter=')]
                source = sources[executable][chosen[0]] if chosen else pathlib.PurePath(executable)
                self.tests[source].append(number)
                self.executable[source] = executable
                self.names[test['name'].partition('  #')[0]] = (executable, number)
        self.included = {s: set(re.findall(r'#include <spillway/(.*)>', (self.source / 'tests' / s).read_text()))
                         for s in self.tests if s.suffix == '.cpp'}

    def stages(self, file, near):
        """Which sources have the tests to be run, one set after the other."""
        path = pathlib.PurePath(file)
        header = str(path.with_suffix('.hpp'))
        own = {s for s in self.included if s.stem.replace('_test', '') == path.stem}
        including = {s for s, headers in self.included.items() if header in headers} - own
        same = {s for s in self.included if s.parent == path.parent} - own - including
        alike = {s for s in self.included if s.parent.name == path.parent.name} - own - including - same
        around = {s for s in self.included if s.parent in path.parents} - own - including - same
        last = {s for s in self.tests if self.executable[s] in kept}
        stages = [own, including, same, alike, around - alike, last - around]
        return stages if near else stages + [set(self.tests).difference(*stages)]

    def targets(self, executables):
        """What is to be built for them: all for a script, which may need all."""
        return sorted(executables) if set(executables) <= self.executables else []

    def named(self, text):
        """(executable, number) of the tests that have the text in their names."""
        return [test for name, test in self.names.items() if text in name]

    def all_of(self, sources):
        return [n for s in sources for n in self.tests[s]]

    def failing(self, numbers):
        """The first test that fails of these, or nothing."""
        numbers = sorted(numbers)
        if not numbers:
            return ''
        listed = self.build / 'chosen.txt'
        listed.write_text(f'{numbers[0]},{numbers[0]},1,' + ','.join(map(str, numbers)) + '\n')
        run = subprocess.run(['ctest', '--test-dir', self.build, '-j', self.jobs, '--stop-on-failure', '--timeout', '900',
                              '-I', listed], capture_output=True, text=True, preexec_fn=limits)
        if run.returncode == 0:
            return ''
        failed = run.stdout.partition('The following tests FAILED:')[2]
        name = re.search(r'^\s*\d+ - (\S+)', failed, re.MULTILINE)
        return name[1] if name else f'ctest ended with {run.returncode}'


def in_lots(sources, first=2):
    """Twice as many each time: what the first notice needs no more to be linked."""
    while sources:
        yield sources[:first]
        sources, first = sources[first:], 2 * first


def changed(p):
    """The text of the file with the change."""
    lines = (root / p.file).read_text().split('\n')
    lines[p.line - 1] = p.after
    return '\n'.join(lines)


def try_one(copy, file, text, near):
    """Outcome, and the test that noticed, of the file with this text instead of its own."""
    copy.put(file, text)
    try:
        for sources in copy.stages(file, near):
            for some in in_lots(sorted(sources)):
                if not copy.compiles(*copy.targets({copy.executable[s] for s in some})):
                    return 'does not compile', ''
                test = copy.failing(copy.all_of(some))
                if test:
                    return 'noticed', test
        return 'survived', ''
    finally:
        copy.put(file, (root / file).read_text())


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
        before = {re.sub(r'^survived +(.*?):\d+: (.*)   \(\d+ s\)$', r'\1: \2', line)
                  for line in given.again.read_text().splitlines() if line.startswith('survived')}
        drawn = [p for p in every if key(p) in before]
    else:
        drawn = random.Random(given.seed).sample(every, min(given.mutants, len(every)))
    if given.untried:
        known = tried()
        drawn = [p for p in drawn if key(p) not in known]

    copy = tree(given.work.resolve(), given.jobs)
    drawn.sort(key=lambda p: copy.compiled[p.file])  # else as drawn: what has been tried is an even sample
    chosen = {s for p in drawn for stage in copy.stages(p.file, given.near) for s in stage}
    failing = '' if given.trust else copy.failing(copy.all_of(chosen))
    if failing:
        sys.exit(f'mutate.py: the tree does not pass as it is: {failing}')
    print(f'{len(drawn)} of {len(every)} places, seed {given.seed}, {len(copy.all_of(chosen))} tests', flush=True)
    counts = collections.Counter()
    for p in drawn:
        start = time.monotonic()
        outcome, by = try_one(copy, p.file, changed(p), given.near)
        counts[outcome] += 1
        print(f'{outcome:16} {said(p)}{"   by " + by if by else ""}   ({time.monotonic() - start:.0f} s)', flush=True)
    judged = counts['noticed'] + counts['survived']
    rate = 100 * counts['noticed'] / judged if judged else 100
    print(f"{counts['noticed']} of {judged} noticed ({rate:.0f} %), {counts['does not compile']} do not compile")
    sys.exit(rate < given.aim)


if __name__ == '__main__':
    main()
