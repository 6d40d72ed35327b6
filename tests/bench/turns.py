#!/usr/bin/env python3
"""Times commands in turns, so that what else the machine does meets all of them alike.

Usage: turns.py ROUNDS COMMAND... -- COMMAND... [-- COMMAND...]

Prints of each round the seconds on the clock and of the processor, then how many times as long the first command takes
as each other: the median of the rounds, the least and the greatest. Exit status 1 if a command cannot be run or ends
with another status than 0; for a program that says otherwise: sh -c 'PROGRAM; true'.
"""
import resource
import statistics
import subprocess
import sys
import time


def used():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


def timed(command):
    """Seconds on the clock, and of the processor."""
    processor, clock = used(), time.monotonic()
    try:
        status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    except OSError as e:
        sys.exit(f'turns.py: {command[0]}: {e.strerror}')
    if status:
        sys.exit(f'turns.py: {" ".join(command)}: exit status {status}')
    return time.monotonic() - clock, used() - processor


def commands(words):
    found = [[]]
    for word in words:
        if word == '--':
            found.append([])
        else:
            found[-1].append(word)
    return found


def main():
    if len(sys.argv) < 3 or not sys.argv[1].isdigit() or not int(sys.argv[1]) or not all(commands(sys.argv[2:])):
        sys.exit(__doc__)
    every = commands(sys.argv[2:])
    rounds = []
    for _ in range(int(sys.argv[1])):
        rounds.append([timed(command) for command in every])
        print('   '.join(f'{clock:.2f} s, {processor:.2f} of the processor' for clock, processor in rounds[-1]), flush=True)
    for other in range(1, len(every)):
        for kind, what in enumerate(('clock', 'processor')):
            ratios = [r[0][kind] / max(r[other][kind], 1e-6) for r in rounds]
            print(f'first to number {other + 1}, {what}: {statistics.median(ratios):.2f} times '
                  f'({min(ratios):.2f} to {max(ratios):.2f})')


if __name__ == '__main__':
    main()
