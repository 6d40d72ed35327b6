#!/usr/bin/env python3
"""keep_deliveries.py COMMAND [EXPERIMENT...]: writes sums of deliveries.txt anew (of all experiments, or of these), after a change
that means to change results. The message of its commit says why they change."""
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile
import zlib

here = pathlib.Path(__file__).resolve().parent
listed = here / 'deliveries.txt'
numbers = ('result.json', 'series.csv', 'histogram.csv', 'links.csv', 'switches.csv', 'network.json')  # as kept_sums.hpp has them


def sums(line):
    words = line.split()
    if line.startswith('#') or not words or sys.argv[2:] and words[0] not in sys.argv[2:]:
        return line
    with tempfile.TemporaryDirectory() as out:
        yaml = here.parents[1] / 'yaml' / 'experiments' / f'{words[0]}.yaml'
        subprocess.run([sys.argv[1], 'run', yaml, '--quiet', '--no-report', '--deliveries', '--out', out], check=True)
        delivered = subprocess.run([here / 'deliveries.sh', f'{out}/deliveries.csv'], check=True, capture_output=True, text=True).stdout
        found = b''.join((pathlib.Path(out) / name).read_bytes() for name in numbers if (pathlib.Path(out) / name).exists())
    return ' '.join([words[0], delivered.strip(), f'{zlib.crc32(found):x}', *words[3:]])


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    listed.write_text('\n'.join(pool.map(sums, listed.read_text().splitlines())) + '\n')
