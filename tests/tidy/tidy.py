#!/usr/bin/env python3
"""Runs clang-tidy on the sources of a build, several at a time.

Usage: tidy.py [--jobs N] BUILD FOLDER...

BUILD: a build directory, which need only be configured, where every source is compiled by itself (`cmake --preset debug`);
FOLDER: whose sources are looked at, from the project's.

Nine tenths of clang-tidy's time go into the headers that all sources include: sources of the same flags are
read as one, unless two have the same name for something of their own. Where that is not seen beforehand they are
read in halves. Ends with status 1 if there is a complaint.
"""
import argparse
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

together = 40  # sources
root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / 'tests/layout'))
import unity_names  # noqa: E402, which is there

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument('--jobs', type=int, default=os.cpu_count())
arguments.add_argument('build', type=pathlib.Path)
arguments.add_argument('folders', nargs='+')
given = arguments.parse_args()


def flags(command):
    """What matters of a compiler's command, without its input and outputs; of its warnings a build tells."""
    words = iter(shlex.split(command))
    kept = ['-w']
    for word in words:
        if word in ('-o', '-c', '-MF', '-MT'):
            next(words)
        elif word.startswith('-') and not word.startswith(('-M', '-W')):
            kept.append(word)
            if word in ('-I', '-D', '-isystem', '-include'):
                kept.append(next(words))
    return tuple(kept)


# What a line at the left margin declares: a class, or the word before `(`, `=`, `{`, `[`, `;` or the end.
declared = re.compile(r'^(?:class|struct|enum(?: class)?) (\w+)|'
                      r'^(?!template|return|using|namespace|class|struct|enum|//|[}#/\s]).*?(\w+)(?= ?[({=\[;]|$)', re.M)
alias = re.compile(r'^using (\w+) = (.*?);$', re.M)


@functools.cache
def names(source):
    """What it keeps for itself, and what its short names stand for."""
    text = pathlib.Path(source).read_text(encoding='utf-8')
    own = {one or other for part in unity_names.own_part.findall(text) for one, other in declared.findall(part)}
    return own, dict(alias.findall(text))


def go_together(one, other):
    (own, short), (others_own, others_short) = names(one), names(other)
    return not own & others_own and all(short[name] == others_short[name] for name in short.keys() & others_short)


def batches():
    ours = re.compile(f"{re.escape(str(root))}/({'|'.join(given.folders)})/")
    groups = collections.defaultdict(dict)
    for entry in json.loads((given.build / 'compile_commands.json').read_text()):
        if ours.match(entry['file']):
            groups[flags(entry['command']), entry['directory']][entry['file']] = True
    for (words, directory), found in groups.items():
        units = []
        for file in sorted(found):
            fits = [unit for unit in units if len(unit) < together and all(go_together(file, other) for other in unit)]
            if not fits:
                fits = [[]]
                units += fits
            fits[0].append(file)
        yield from ((words, directory, unit) for unit in units)


def complaints(batch):
    words, directory, files = batch
    with tempfile.NamedTemporaryFile('w', suffix='.cpp') as unit:
        for number, file in enumerate(files):  # several programs may be read as one
            unit.writelines(f'#undef {main}\n#define {main} {main}_{number}\n' for main in ('main', 'sc_main'))
            unit.write(f'#include "{file}"  // NOLINT(bugprone-suspicious-include)\n')
        unit.flush()
        run = subprocess.run(['clang-tidy', '-quiet', f'--config-file={root}/.clang-tidy', '--use-color=0',
                              r'--header-filter=/(hw|tlm|platforms|tb|docs|tests)/[^ ]*\.[ch]pp$', unit.name, '--',
                              *words], cwd=directory, capture_output=True, text=True)
    if len(files) > 1 and ('clang-diagnostic-' in run.stdout or run.returncode not in (0, 1)):
        half = len(files) // 2
        return complaints((words, directory, files[:half])) + complaints((words, directory, files[half:]))
    return run.stdout or (run.stderr if run.returncode else '')


work = list(batches())
if not work:
    sys.exit(f'{given.build}: compiles no source of {" ".join(given.folders)} by itself; expected a build such as build/debug')
with concurrent.futures.ThreadPoolExecutor(given.jobs) as workers:
    found = ''.join(workers.map(complaints, work))
print(found, end='')
sys.exit(found != '')
