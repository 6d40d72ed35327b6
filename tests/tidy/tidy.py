#!/usr/bin/env python3
"""Runs clang-tidy on the sources of a build, several at a time.

Usage: tidy.py [--jobs N] BUILD FOLDER...

BUILD: a build directory, which need only be configured, where every source is compiled by itself (`cmake --preset debug`);
FOLDER: whose sources are looked at, from the project's.

Nine tenths of clang-tidy's time go into the headers that all sources include: sources are read as one, unless two have
the same name for something of their own or a macro of two values. Where that is not seen beforehand they are read in
halves. Ends with status 1 if there is a complaint.
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

together = 100  # sources
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
    kept = {'-w': True}
    for word in words:
        if word in ('-o', '-c', '-MF', '-MT'):
            next(words)
        elif word in ('-I', '-D', '-isystem', '-include'):
            kept[word, next(words)] = True
        elif word.startswith('-') and not word.startswith(('-M', '-W')):
            kept[word] = True
    return kept


def macros(words):
    """What a command defines, with the values."""
    found = (word[2:] if isinstance(word, str) else word[1] for word in words if word[:2] == '-D' or word[0] == '-D')
    return dict((definition.split('=', 1) + ['1'])[:2] for definition in found)


# What a line at the left margin declares: a type, or the word before `(`, `=`, `{`, `[`, `;` or the end.
types = re.compile(r'^(?:(?:class|struct|enum(?: class)?) (\w+)|using (\w+) =)', re.M)
others = re.compile(r'^(?!template|return|using|namespace|class|struct|enum|//|[}#/\s]).*?(\w+)(?= ?[({=\[;]|$)', re.M)
short = re.compile(r'^using (?:(\w+) = (.*?)|((?:\w+::)+(\w+)));$', re.M)
included = re.compile(r'^#include [<"](?:spillway/)?([^>"]+\.[ch]pp)[>"]', re.M)


def declared(text):
    """Types, and other names, that it declares at the margin."""
    return {one or other for one, other in types.findall(text)}, set(others.findall(text))


@functools.cache
def declared_in(file):
    return declared(file.read_text(encoding='utf-8'))


@functools.cache
def headers(file):
    """Those of the project that it includes, and those that these include."""
    found = {header for name in included.findall(file.read_text(encoding='utf-8'))
             for header in (root / name, file.parent / name) if header.is_file()}
    return found.union(*map(headers, found))


class names:
    """What a source keeps for itself, what its short names stand for, and what it sees of others."""

    def __init__(self, source):
        text = pathlib.Path(source).read_text(encoding='utf-8')
        own = [declared(part) for part in unity_names.own_part.findall(text)]
        self.types, self.others = (set().union(*kind) for kind in zip(*own, (set(), set())))
        self.short = {one or last: stands or whole for one, stands, whole, last in short.findall(text)}
        self.calls = set(unity_names.called.findall(text))
        self.headers = headers(pathlib.Path(source))

    def hides(self, other):
        """Functions of a name may stand beside each other; what has a type's name may not."""
        if (self.types | self.others) & (other.types | other.others):
            return True
        for header in other.headers - self.headers:
            seen_types, seen_others = declared_in(header)
            if self.types & seen_others or (self.types | self.others | self.short.keys() | self.calls) & seen_types:
                return True
        return False


names_of = functools.cache(names)


@functools.cache
def go_together(one, other):
    one, other = names_of(one), names_of(other)
    same = one.short.keys() & other.short.keys()
    return not one.hides(other) and not other.hides(one) and all(one.short[name] == other.short[name] for name in same)


class unit:
    """Sources that are read as one, with the flags of all."""

    def __init__(self, directory):
        self.directory, self.words, self.files = directory, {}, []

    def takes(self, file, directory, words):
        mine, others = macros(self.words), macros(words)
        return (self.directory == directory and len(self.files) < together and file not in self.files
                and all(mine[name] == others[name] for name in mine.keys() & others.keys())
                and all(go_together(file, other) for other in self.files))

    def add(self, file, words):
        self.files.append(file)
        self.words.update(words)

    def command(self):
        return [part for word in self.words for part in (word if isinstance(word, tuple) else (word,))]


def batches():
    ours = re.compile(f"{re.escape(str(root))}/({'|'.join(given.folders)})/")
    entries = json.loads((given.build / 'compile_commands.json').read_text())
    found = {(entry['file'], *sorted(map(str, flags(entry['command'])))): entry for entry in entries if ours.match(entry['file'])}
    units = []
    for _, entry in sorted(found.items()):
        file, directory, words = entry['file'], entry['directory'], flags(entry['command'])
        fits = [one for one in units if one.takes(file, directory, words)]
        if not fits:
            fits = [unit(directory)]
            units += fits
        fits[0].add(file, words)
    return [(one.command(), one.directory, one.files) for one in units]


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


work = batches()
if not work:
    sys.exit(f'{given.build}: compiles no source of {" ".join(given.folders)} by itself; expected a build such as build/debug')
with concurrent.futures.ThreadPoolExecutor(given.jobs) as workers:
    found = ''.join(workers.map(complaints, work))
print(found, end='')
sys.exit(found != '')
