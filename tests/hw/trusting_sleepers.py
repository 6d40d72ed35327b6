#!/usr/bin/env python3
"""Runs tests of blocks once more on a fast kernel that believes blocks which sleep, as a run does.

Usage: trusting_sleepers.py [--jobs N] BINARY...

Elsewhere these tests call sleepers at every edge, to see that they show nothing new. A checker that has forgotten to wake
up is woken by that. Each test runs in a process of its own; exit status 1 and the output of those that fail.
"""
import argparse
import concurrent.futures
import os
import subprocess
import sys

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument('--jobs', type=int, default=2)
arguments.add_argument('binaries', nargs='+')
given = arguments.parse_args()
environment = {**os.environ, 'SPILLWAY_TRUST_SLEEPERS': '1'}


def tests_of(binary):
    suite, found = '', []
    for line in subprocess.run([binary, '--gtest_list_tests'], check=True, capture_output=True, text=True).stdout.splitlines():
        word = line.split('#')[0].strip()
        if line.startswith('Running main'):
            continue
        if not line.startswith(' '):
            suite = word
        elif 'fast' in word or 'signals' not in word.split('/')[-1]:  # on signals nothing sleeps
            found.append((binary, suite + word))
    return found


def run(test):
    binary, name = test
    done = subprocess.run([binary, f'--gtest_filter={name}'], env=environment, capture_output=True, text=True)
    return f'{name}\n{done.stdout}{done.stderr}' if done.returncode else ''


every = [test for binary in given.binaries for test in tests_of(binary)]
if not every:
    sys.exit('no tests found')
with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
    failed = [text for text in pool.map(run, every) if text]
print('\n'.join(failed))
print(f'{len(every)} tests, {len(failed)} failed')
sys.exit(1 if failed else 0)
