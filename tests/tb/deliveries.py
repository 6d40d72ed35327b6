#!/usr/bin/env python3
"""The deliveries of an experiment are those of tests/tb/deliveries.txt.

Usage: deliveries.py SPILLWAY EXPERIMENT.yaml KERNEL SUM
"""
import hashlib
import pathlib
import subprocess
import sys
import tempfile

spillway, experiment, kernel, expected = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    run = subprocess.run([spillway, 'run', experiment, '--kernel', kernel, '--deliveries', '--no-report', '--out', folder],
                         capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f'status {run.returncode}\n{run.stdout}{run.stderr}')
    lines = pathlib.Path(folder, 'deliveries.csv').read_bytes().splitlines()
    if lines[0] != b'cycle,source,destination,packet,created,injected,length,class':
        sys.exit(f'deliveries.csv has other columns: {lines[0].decode()}')
    when = b''.join(b','.join(line.split(b',')[:6]) + b'\n' for line in lines)  # the columns up to injected
    found = hashlib.sha256(when).hexdigest()[:16]
if found != expected:
    sys.exit(f'deliveries have changed: found {found}, expected {expected}')
