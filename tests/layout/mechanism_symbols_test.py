#!/usr/bin/env python3
"""mechanism_symbols.py tells of what could not be left out. Usage: mechanism_symbols_test.py BUILD MECHANISMS_CMAKE"""
import pathlib
import re
import subprocess
import sys
import tempfile

script = pathlib.Path(__file__).with_name('mechanism_symbols.py')
sys.path.insert(0, str(script.parent))
import mechanism_symbols  # noqa: E402


def check(got, expected, what):
    if got != expected:
        sys.exit(f'{what}: found {got!r}, expected {expected!r}')


needs = {'packet': {'packet'}, 'dampening': {'dampening', 'packet'}}
of_packet, of_dampening, of_all = 'hw/packet/pool.o', 'hw/dampening/bank.o', 'hw/kernel/clock.o'
has = {of_packet: {'pool'}, of_dampening: {'bank', 'shared'}, of_all: {'clock', 'shared'}}


def told(asks):
    return [line.split(';')[0] for line in mechanism_symbols.wrong(has, asks, needs)]


check(told({of_dampening: {'pool', 'clock', 'bank', 'malloc'}, of_packet: {'clock', 'shared'}}), [], 'what may be asked for')
check(told({of_packet: {'bank'}}), [f'{of_packet}: asks for bank, which only dampening has'], 'a mechanism that another does not need')
check(told({of_all: {'pool'}}), [f'{of_all}: asks for pool, which only packet has'], 'what is always there')

# The real build, of which hypercube is said to need nothing.
build, cmake = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    fewer = pathlib.Path(folder) / 'mechanisms.cmake'
    fewer.write_text(re.sub(r'(hypercube) NEEDS combining', r'\1', pathlib.Path(cmake).read_text(encoding='utf-8')), encoding='utf-8')
    run = subprocess.run([sys.executable, script, build, fewer], capture_output=True, text=True, check=False)
check(run.returncode, 1, 'a need that is not said')
if not re.search(r'hypercube.*: asks for \S+, which only combining has; expected what hypercube needs', run.stderr):
    sys.exit(f'a need that is not said: found {run.stderr!r}')
