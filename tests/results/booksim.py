#!/usr/bin/env python3
"""BookSim2 and Spillway on one network (docs/booksim.md).

booksim.py theirs SEED STATISTICS      rows of what BookSim2's `stats_out` wrote, to standard output
booksim.py ours NAME SEED DIR          rows of DIR/deliveries.csv of one of our runs
booksim.py table                       the page's table, of the rows kept in docs/booksim
booksim.py draw                        its picture, by gnuplot
booksim.py check SPILLWAY [NAME...]    judges the rows that are kept, the page's table, and ours by runs: of NAMEs the whole
"""
import collections
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / 'docs' / 'booksim'
PAGE = ROOT / 'docs' / 'booksim.md'
TERMINALS, LENGTH, BIN, FIRST, LAST = 256, 32, 500, 5000, 45000
HOT = {18, 209}
SENDERS = {2, 6, 29, 42, 50, 53, 60, 89, 105, 119, 142, 159, 161, 167, 184, 188, 190, 201, 218, 220}
COLUMNS = ['seed', 'cycle', 'packets', 'latency', 'accepted', 'hot']
PARTS = {'before': (5000, 15000), 'storm, first half': (15000, 25000), 'second half': (25000, 35000),
         'after': (35000, 45000)}
CLAIMED = [('plain', 'before', 'latency'), ('plain', 'storm, first half', 'accepted'),
           ('plain', 'second half', 'accepted')] + [('ecn', p, w) for p in PARTS for w in ('latency', 'accepted')]
CLAIMED += [('srp', p, 'accepted') for p in PARTS]
NAMES = {'plain': 'plain', 'ecn': 'marks (ECN)', 'srp': 'reservation (SRP)'}
CLOSE = 0.15  # mean latency where neither is saturated, and what is accepted in the storm
FASTER = {'srp': 2}  # cycles of ours a cycle of the links, which are BookSim2's
INTERFACE = LENGTH + 1  # cycles of ours: a packet goes when all of it has come into its source's pool


def theirs(path):
    """By bin: packets that entered the network, their latency since they were made, and flits that came."""
    last = {}  # it writes them twice, alike
    for line in open(path, encoding='ascii'):
        if found := re.match(r'transient_stat\((\d+),:\)= \[(.*)\];', line):
            last[int(found[1])] = [float(x) for x in found[2].split()]
    bins = collections.defaultdict(lambda: [0, 0.0, 0, 0])
    for number, values in last.items():
        cycle = FIRST + 100 * (number - 1)
        for i, column in enumerate((1, 0, 3, 7)):
            bins[cycle - cycle % BIN][i] += values[column]
    return bins


def ours(path, name):
    """The same of our run; latency is that of sources that do not send to the hot spot."""
    faster = FASTER.get(name, 1)
    bins = collections.defaultdict(lambda: [0, 0.0, 0, 0])
    for row in csv.DictReader(open(path / 'deliveries.csv', encoding='ascii')):
        come, left, made = (int(row[when]) / faster for when in ('cycle', 'injected', 'created'))
        hot = int(row['destination']) in HOT
        bins[BIN * int(come // BIN)][3 if hot else 2] += LENGTH
        if not hot and int(row['source']) not in SENDERS:
            b = bins[BIN * int(left // BIN)]
            b[0] += 1
            b[1] += come - made
    return bins


def rows(seed, bins, until=LAST):
    for cycle in range(FIRST, until, BIN):
        packets, latency, accepted, hot = bins[cycle]
        yield [seed, cycle, round(packets), f'{latency / max(packets, 1):.1f}', f'{accepted / BIN / TERMINALS:.4f}',
               f'{hot / BIN:.3f}']


def write(lines):
    out = csv.writer(sys.stdout, lineterminator='\n')
    out.writerows(lines)


def kept(program, name):
    with open(KEPT / f'{program}-{name}.csv', encoding='ascii') as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def mean(lines, part, what):
    begin, end = PARTS[part]
    chosen = [r for r in lines if begin <= r['cycle'] < end]
    weights = [r['packets'] if what == 'latency' else 1 for r in chosen]
    return sum(w * r[what] for w, r in zip(weights, chosen)) / sum(weights)


def table():
    lines = ['| background | ' + ' | '.join(f'{p}: BookSim2 | Spillway' for p in PARTS) + ' |',
             '|---' * (1 + 2 * len(PARTS)) + '|']
    for name, words in NAMES.items():
        both = kept('booksim', name), kept('spillway', name)
        for what, unit, form in (('latency', 'cycles', '{:.0f}'), ('accepted', 'flits a cycle and terminal', '{:.3f}')):
            cells = [form.format(mean(rows_, p, what)) for p in PARTS for rows_ in both]
            lines.append(f'| {words}: {what}, {unit} | ' + ' | '.join(cells) + ' |')
        cells = [f"{mean(rows_, p, 'hot'):.2f}" for p in PARTS for rows_ in both]
        lines.append(f'| {words}: hot flits a cycle, of 2 | ' + ' | '.join(cells) + ' |')
    return '\n'.join(lines)


def by_cycle(lines, what):
    sums = collections.defaultdict(list)
    for r in lines:
        sums[r['cycle']].append(r[what])
    return [(c + BIN / 2, sum(v) / len(v)) for c, v in sorted(sums.items())]


def draw():
    script = ['set terminal svg size 900,640 font "sans,12" background "white"', "set output 'booksim.svg'",
              'set multiplot layout 2,1', 'set grid', 'set key outside right', 'set xrange [5000:45000]',
              "set ylabel 'mean latency, cycles'", 'set logscale y']
    colours = {'plain': '#c0392b', 'ecn': '#2471a3', 'srp': '#1e8449'}
    for name in NAMES:
        for program in ('booksim', 'spillway'):
            for what in ('latency', 'accepted'):
                points = '\n'.join(f'{c} {v}' for c, v in by_cycle(kept(program, name), what))
                script.append(f'${program}_{name}_{what} << EOD\n{points}\nEOD')
    def plot(what):
        return 'plot ' + ', '.join(
            f"${program}_{name}_{what} with lines lw {1 if program == 'booksim' else 2} "
            f"dt {2 if program == 'booksim' else 1} lc rgb '{colours[name]}' "
            f"title '{name}, {'BookSim2' if program == 'booksim' else 'Spillway'}'"
            for name in NAMES for program in ('booksim', 'spillway'))
    script += [plot('latency'), 'unset logscale y', "set ylabel 'accepted, flits a cycle and terminal'",
               "set xlabel 'cycle'", 'set yrange [0:0.45]', plot('accepted'), 'unset multiplot']
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(['gnuplot'], input='\n'.join(script), text=True, cwd=folder, check=True)
        text = (pathlib.Path(folder) / 'booksim.svg').read_text(encoding='utf-8')
    (ROOT / 'docs' / 'pictures' / 'booksim.svg').write_text(text, encoding='utf-8')


def run(spillway, name, seed, until):
    """Rows of our run up to a cycle; latencies are whole up to 2,000 cycles before."""
    experiment = ROOT / 'yaml' / 'experiments' / 'large' / f'reference-{name}.yaml'
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([spillway, 'run', experiment, '--seed', str(seed), '--deliveries', '--no-report', '--out', folder,
                        '--set', f'measure.cycles={FASTER.get(name, 1) * until}'], check=True, stdout=subprocess.DEVNULL)
        return list(rows(seed, ours(pathlib.Path(folder), name), until))


def check(spillway, whole):
    faults = []
    if table() not in PAGE.read_text(encoding='utf-8'):
        faults.append(f'{PAGE.name}: its table is not that of the rows that are kept:\n{table()}')
    for name, part, what in CLAIMED:
        a, b = (mean(kept(program, name), part, what) for program in ('booksim', 'spillway'))
        less = b - INTERFACE if what == 'latency' else b
        if abs(less / a - 1) > CLOSE:
            faults.append(f'{name}, {part}: {what} {b:.4g} here, {a:.4g} in BookSim2')
    for name in whole or ['plain']:
        # Without a name: what is quick, which ends early in the storm.
        until = LAST if whole else 17000
        for row in run(spillway, name, 1, until):
            want = next([r['seed'], r['cycle'], r['packets'], r['latency'], r['accepted'], r['hot']]
                        for r in kept('spillway', name) if r['seed'] == 1 and r['cycle'] == row[1])
            got = [float(x) for x in row]
            if until < LAST and row[1] >= until - 2000:  # some of these packets are still under way
                want[2:4] = got[2:4]
            if got != want:
                faults.append(f'{name}, seed 1: {dict(zip(COLUMNS, got))}, kept {dict(zip(COLUMNS, want))}')
    return faults


def main():
    command, rest = sys.argv[1], sys.argv[2:]
    if command == 'theirs':
        write(rows(int(rest[0]), theirs(rest[1])))
    elif command == 'ours':
        write(rows(int(rest[1]), ours(pathlib.Path(rest[2]), rest[0])))
    elif command == 'table':
        print(table())
    elif command == 'draw':
        draw()
    elif command == 'check':
        faults = check(rest[0], rest[1:])
        print('\n'.join(faults[:20]))
        sys.exit(1 if faults else 0)
    else:
        sys.exit(__doc__)


if __name__ == '__main__':
    main()
