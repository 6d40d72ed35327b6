"""A copy of the tree in which bugs are planted, and the tests that may notice one."""
import collections
import concurrent.futures
import json
import os
import pathlib
import queue
import re
import resource
import shlex
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[2]
kept = {'kept_platforms_test', 'kept_commands_test'}
not_run = {'long', 'slurm', 'install', 'layout', 'night'}  # labels of tests that no change of a block concerns

# `stages`: collections of tests, run one after the other until one fails; a test: its executable, its number.
bug = collections.namedtuple('bug', 'name file text stages')


def limits():
    """Of each process of a test: processor time and memory; a browser, which reserves far more, may take its limit away."""
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, resource.getrlimit(resource.RLIMIT_AS)[1]))


class copied_tree:
    """A copy of the project, built as far as these targets: all without them."""

    def __init__(self, work, jobs, *targets, options=()):
        self.source, self.build, self.jobs = work, work / 'build' / 'release', int(jobs)
        files = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], cwd=root,
                               capture_output=True, text=True, check=True).stdout.split('\0')
        for name in filter(None, files):
            here, there = root / name, self.source / name
            if here.is_file() and not (there.is_file() and there.read_bytes() == here.read_bytes()):
                there.parent.mkdir(parents=True, exist_ok=True)
                there.write_bytes(here.read_bytes())
                there.chmod(here.stat().st_mode)
        options = ['-DSPILLWAY_EXAMPLES=OFF', *options]
        if shutil.which('ccache'):
            options.append('-DCMAKE_CXX_COMPILER_LAUNCHER=ccache')
        subprocess.run(['cmake', '--preset', 'release', *options], cwd=self.source, check=True, stdout=subprocess.DEVNULL)
        if not self.compiles(*targets):
            sys.exit('the tree does not build as it is')

    def compiles(self, *targets):
        return subprocess.run(['ninja', '-C', self.build, '-j', str(self.jobs), *targets], capture_output=True).returncode == 0

    def put(self, file, text):
        (self.source / file).write_text(text)

    def ninja(self, *tool):
        return subprocess.run(['ninja', '-C', self.build, '-t', *tool], capture_output=True, text=True).stdout


class tree(copied_tree):
    """With its tests, and which of them are near a file: by the sources that they are written in.

    Its libraries are shared ones. A source of one of them is compiled alone, with the bug, into a library that tests
    load before all others and whose functions so take the place of ours: nothing else is compiled or linked, and
    several bugs are tried at a time. That all functions of a source are replaced needs sources that are compiled by
    themselves. A header, or a source of a program, is built in, one at a time.
    """

    def __init__(self, work, jobs):
        # Optimised less than what users run, as each bug is compiled and its tests are short.
        super().__init__(work, jobs, options=['-DBUILD_SHARED_LIBS=ON', '-DCMAKE_LINK_DEPENDS_NO_SHARED=ON',
                                              '-DCMAKE_UNITY_BUILD=OFF', '-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG'])
        self.read_commands()
        self.read_tests()
        self.slots = queue.SimpleQueue()
        for n in range(self.jobs):
            slot = work / 'slots' / str(n)
            (slot / 'tmp').mkdir(parents=True, exist_ok=True)
            # Each has a log of its own.
            (slot / 'CTestTestfile.cmake').write_text(f'subdirs("{self.build}")\n')
            self.slots.put(slot)

    def read_commands(self):
        """Of each source of a library: what compiles it, but for the source and the object."""
        self.libraries = sorted(map(str, self.build.rglob('libspillway_*.so')))
        programs = set(re.findall(r'^(?:.*/)?([\w-]+): CXX_EXECUTABLE', self.ninja('targets', 'all'), re.M))
        self.commands = {}
        for entry in json.loads((self.build / 'compile_commands.json').read_text()):
            words = shlex.split(entry['command'])
            target = re.search(r'/CMakeFiles/([\w-]+)\.dir/', words[words.index('-o') + 1])[1]
            file = pathlib.Path(entry['file'])
            if target not in programs and self.build not in file.parents:
                self.commands[str(file.relative_to(self.source))] = words[:words.index('-o')]

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
        self.tests = collections.defaultdict(list)  # of a source, or what else is executed
        self.names = {}
        for number, test in enumerate(listed['tests'], 1):
            labels = {l for p in test.get('properties', []) if p['name'] == 'LABELS' for l in p['value']}
            if not labels & not_run and test.get('command'):
                executable = pathlib.PurePath(test['command'][0]).name
                chosen = [a.partition('=')[2] for a in test['command'] if a.startswith('--gtest_filter=')]
                source = sources[executable][chosen[0]] if chosen else pathlib.PurePath(executable)
                self.tests[source].append((executable, number))
                self.names[test['name'].partition('  #')[0]] = (executable, number)
        self.included = {s: set(re.findall(r'#include <spillway/(.*)>', (self.source / 'tests' / s).read_text()))
                         for s in self.tests if s.suffix == '.cpp'}

    def stages(self, file, near):
        """Which tests are to be run for a change of the file, those of a few sources after the other."""
        path = pathlib.PurePath(file)
        header = str(path.with_suffix('.hpp'))
        own = {s for s in self.included if s.stem.replace('_test', '') == path.stem}
        including = {s for s, headers in self.included.items() if header in headers} - own
        same = {s for s in self.included if s.parent == path.parent} - own - including
        alike = {s for s in self.included if s.parent.name == path.parent.name} - own - including - same
        around = {s for s in self.included if s.parent in path.parents} - own - including - same
        last = {s for s, tests in self.tests.items() if tests[0][0] in kept}
        stages = [own, including, same, alike, around - alike, last - around]
        if not near:
            stages.append(set(self.tests).difference(*stages))
        return [[t for s in some for t in self.tests[s]] for stage in stages for some in in_lots(sorted(stage))]

    def named(self, text):
        """Tests that have the text in their names."""
        return [test for name, test in self.names.items() if text in name]

    def failing(self, tests, slot, jobs=1, **environment):
        """The first test that fails of these, or nothing."""
        if not tests:
            return ''
        numbers = sorted(number for _, number in tests)
        listed = slot / 'chosen.txt'
        listed.write_text(f'{numbers[0]},{numbers[0]},1,' + ','.join(map(str, numbers)) + '\n')
        run = subprocess.run(['ctest', '--test-dir', slot, '-j', str(jobs), '--stop-on-failure', '--timeout', '900',
                              '-I', listed],
                             env={**os.environ, 'TMPDIR': str(slot / 'tmp'), **environment},
                             capture_output=True, text=True, preexec_fn=limits)
        if run.returncode == 0:
            return ''
        if run.returncode != 8:  # a test failed
            sys.exit(f'ctest ended with {run.returncode}: {run.stderr}')
        failed = run.stdout.partition('The following tests FAILED:')[2]
        name = re.search(r'^\s*\d+ - (\S+)', failed, re.MULTILINE)
        return name[1] if name else f'ctest ended with {run.returncode}'

    def failing_as_it_is(self, tests):
        return self.failing(tests, self.build.parents[1] / 'slots' / '0', self.jobs)

    def in_turn(self, stages, slot, ready=lambda tests: True, **environment):
        """Outcome, and the test that noticed. `ready`: whether what the tests execute could be built."""
        for tests in stages:
            if not ready(tests):
                return 'does not compile', ''
            if test := self.failing(tests, slot, **environment):
                # Without the library that has the bug it must pass, or it notices whatever is tried.
                if environment and test in self.names and self.failing([self.names[test]], slot):
                    sys.exit(f'the tree does not pass as it is: {test}')
                return 'noticed', test
        return 'survived', ''

    def judge_loaded(self, b):
        slot = self.slots.get()
        try:
            source, library = slot / 'planted.cpp', slot / 'planted.so'
            # Shells and ctest itself load it, too, and with it SystemC, which looks for this function.
            source.write_text(b.text + '\nextern "C" [[gnu::weak]] int sc_main(int, char**) { return 1; }\n')
            # Not -Werror: nearly all that a compiler warns of compiles.
            if subprocess.run([*self.commands[b.file], '-w', '-shared', '-o', library, source,
                               '-Wl,--no-as-needed', *self.libraries,
                               *(f'-Wl,-rpath,{pathlib.Path(l).parent}' for l in self.libraries)],
                              cwd=self.build, capture_output=True).returncode:
                return 'does not compile', ''
            return self.in_turn(b.stages, slot, LD_PRELOAD=str(library))
        finally:
            shutil.rmtree(slot / 'tmp')
            (slot / 'tmp').mkdir()
            self.slots.put(slot)

    def judge_built_in(self, b):
        slot = self.slots.get()
        self.put(b.file, b.text)
        try:
            def ready(tests):
                executables = {executable for executable, _ in tests}
                # For a script, which may need all, all.
                return self.compiles(*(sorted(executables) if executables <= self.executables else []))
            return self.in_turn(b.stages, slot, ready)
        finally:
            self.put(b.file, (root / b.file).read_text())
            self.slots.put(slot)

    def judge(self, bugs):
        """Yields each bug, its outcome (noticed, survived, does not compile) and the test that noticed."""
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            under_way = {pool.submit(self.judge_loaded, b): b for b in bugs if b.file in self.commands}
            for done in concurrent.futures.as_completed(under_way):
                yield (under_way[done], *done.result())
        for b in sorted((b for b in bugs if b.file not in self.commands), key=lambda b: self.compiled[b.file]):
            yield (b, *self.judge_built_in(b))


def in_lots(sources, first=2):
    """Twice as many each time: what the first notice needs no more to be linked."""
    while sources:
        yield sources[:first]
        sources, first = sources[first:], 2 * first
