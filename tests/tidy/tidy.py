#!/usr/bin/env python3
"""Runs clang-tidy on the sources of a build, several at a time.

Usage: tidy.py [--jobs N] BUILD FOLDER...

BUILD: a build directory, which need only be configured, where every source is compiled by itself (`cmake --preset debug`);
FOLDER: whose sources are looked at, from the project's.

Nine tenths of clang-tidy's time go into the headers that all sources include: sources of the same flags are
read as one. Those that cannot be (each has a name of its own that is the same) are read in halves. Ends with
status 1 if there is a complaint.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

together = 16  # sources
root = pathlib.Path(__file__).resolve().parents[2]

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument('--jobs', type=int, default=os.cpu_count())
arguments.add_argument('build', type=pathlib.Path)
arguments.add_argument('folders', nargs='+')
given = arguments.parse_args()


def flags(command):
    """What matters of a compiler's command, without its input and outputs."""
    words = iter(shlex.split(command))
    kept = []
    for word in words:
        if word in ('-o', '-c', '-MF', '-MT'):
            next(words)
        elif word.startswith('-') and not word.startswith('-M'):
            kept.append(word)
            if word in ('-I', '-D', '-isystem', '-include'):
                kept.append(next(words))
    return tuple(kept)


def batches():
    ours = re.compile(f"{re.escape(str(root))}/({'|'.join(given.folders)})/")
    groups = collections.defaultdict(dict)
    for entry in json.loads((given.build / 'compile_commands.json').read_text()):
        if ours.match(entry['file']):
            groups[flags(entry['command']), entry['directory']][entry['file']] = True
    for (words, directory), found in groups.items():
        files = sorted(found)
        count = -(-len(files) // together)
        # Neighbours are alike, and so are their names: they are kept apart.
        yield from ((words, directory, files[first::count]) for first in range(count))


def complaints(batch):
    words, directory, files = batch
    with tempfile.NamedTemporaryFile('w', suffix='.cpp') as unit:
        unit.writelines(f'#include "{file}"  // NOLINT(bugprone-suspicious-include)\n' for file in files)
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
