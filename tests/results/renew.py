#!/usr/bin/env python3
"""Runs reproductions at full size and keeps their verdicts and tables in docs/results.

Usage: renew.py --reason TEXT [--out DIR] [--jobs N] SPILLWAY NAME...

The reason says why the verdicts that were kept are no longer right, or why there are some now; it is kept with them. A
claim that fails, or that the noise leaves undecided, is not kept: mend it, or explain it in the reproduction. Then says how the numbers moved.
"""
import argparse
import datetime
import json
import pathlib
import resource
import subprocess
import sys

import kept
import problems

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument('--reason', required=True)
arguments.add_argument('--out', default='out/reproduce')
arguments.add_argument('--jobs', default='2')
arguments.add_argument('spillway')
arguments.add_argument('names', nargs='+')
given = arguments.parse_args()
if len(given.reason.split()) < 3:
    sys.exit('--reason: found too few words, expected a sentence that says why')


def seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def renew(name):
    before = seconds()
    fresh = not (kept.root / given.out / name / 'runs').exists()  # else what is there is not run again
    run = subprocess.run([given.spillway, 'reproduce', name, '--out', given.out, '-j', given.jobs], cwd=kept.root)
    if run.returncode > 1:
        return f'{name}: ended with status {run.returncode}'
    now = json.loads((kept.root / given.out / name / 'verdicts.json').read_text())
    failed = [f"{c['outcome']}: {c['claim']}" for c in now['claims'] if c['outcome'] in problems.not_met]
    if failed:
        return f'{name}: not kept:\n  ' + '\n  '.join(failed)
    file = kept.results / name / 'verdicts.json'
    old = json.loads(file.read_text()) if file.exists() else {'claims': []}
    outcomes = {c['value']: c['outcome'] for c in old['claims']}
    for c in now['claims']:
        if outcomes.get(c['value'], c['outcome']) != c['outcome']:
            print(f"{name}: {c['claim']}: {outcomes[c['value']]} -> {c['outcome']}")
    spent = round(seconds() - before)
    now = {'date': datetime.date.today().isoformat(), 'reason': given.reason,
           'processor_seconds': spent if fresh else old.get('processor_seconds'), 'deliveries': kept.deliveries(now['depends']), **now}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(now, indent=1, ensure_ascii=False) + '\n')
    print(f'{name}: kept, {spent} s of processor time')
    return ''


failures = [f for f in map(renew, given.names) if f]
sys.exit('\n'.join(failures) if failures else 0)
