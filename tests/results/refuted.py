#!/usr/bin/env python3
"""Shows of claims that they are not met by construction: each holds as its reproduction has it, and fails after one change.

Usage: refuted.py [--out DIR] [--jobs N] [--only NAME...] [--missing] [--page FILE] [--mutants WORK] SPILLWAY
       refuted.py --check [SPILLWAY]

refuted.json lists (reproduction, claim by its first words or a list of such, change, what the change is). A change is a list of KEY=VALUE of
the reproduction's file, as its `runs.GROUP.set` has them: `GROUP: KEY=VALUE`, or `GROUP, CASE: KEY=VALUE` for one case, or
`theory.NAME: KEY=VALUE`. A `*` in these names stands for any letters. `size` are such lines too, for both runs; `seeds`: 5 when left out;
`full` runs at full size, where what is kept in docs/results says what holds as it is. Only what the claims need is run. --page keeps the results in
a table there, those of entries that are not run now as they are; --missing runs those alone that it has not.

Where no key harms what the claim is about, the change is a `mutant`: a single bug of mutants.txt, planted in a copy of the tree in the folder WORK, whose
command then makes the changed run. Runs that end as a fault are told beside the verdict.

--check runs nothing: every reproduction of the papers named in the list has an entry, each finds its claims, every mutant can be planted. Of the
`families of which each claim is listed` each has an entry and a line of the page, or is listed in `open`; --open prints those that are in neither.
"""
import argparse
import copy
import fnmatch
import functools
import json
import pathlib
import re
import subprocess
import sys

import kept as kept_results

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / 'mutation'))
import copies
import planted

try:
    import yaml
except ImportError:
    sys.exit(77)  # as a test, skipped

root = pathlib.Path(__file__).resolve().parents[2]
reproductions = root / 'yaml' / 'reproductions'
listed = json.loads(pathlib.Path(__file__).with_name('refuted.json').read_text())
mutants = {b.name: b for b in planted.bugs(pathlib.Path(__file__).with_name('mutants.txt'))}


@functools.lru_cache(maxsize=None)
def read(name):
    return yaml.load((reproductions / f'{name}.yaml').read_text(), Loader=getattr(yaml, 'CSafeLoader', yaml.SafeLoader))


def load(name):
    """A copy, to be changed."""
    return copy.deepcopy(read(name))


def claim_of(file, begins):
    found = [c for c in file['claims'] if c['claim'] == begins] or [c for c in file['claims'] if c['claim'].startswith(begins)]
    if len(found) != 1:
        raise SystemExit(f"{file['name']}: expected one claim that begins with '{begins}', found {len(found)}")
    return found[0]


def claims_of(file, entry):
    begins = entry['claim']
    return [claim_of(file, b) for b in ([begins] if isinstance(begins, str) else begins)]


def references(value):
    """The words in brackets of a value, a list for each."""
    return [[word.strip() for word in inside.split(',')] for inside in re.findall(r'\[([^\]]*)\]', value)]


def made_small(group, quick):
    """As --quick has it: what the file changes, then what the group does."""
    for smaller in (quick, group.pop('quick', {})):
        group.setdefault('set', {}).update(smaller.get('set', {}))
        group.setdefault('grid', {}).update({k: v for k, v in smaller.get('grid', {}).items() if k in group['grid']})
        group['seeds'] = smaller.get('seeds', group.get('seeds', 1))


def only_what_is_named(group, words):
    """Without the cases and values of the grid that none of the references to the group wants."""
    cases = [c for c in group.get('cases', []) if any(c['name'] in reference for reference in words)]
    if cases and all(any(c['name'] in reference for c in cases) for reference in words):
        group['cases'] = cases
    for key in group.get('grid', {}):
        wanted = [[w.partition('=')[2] for w in reference if w.startswith(key.split('.')[-1] + '=')] for reference in words]
        if all(wanted):
            group['grid'][key] = [yaml.safe_load(v) for v in sorted({v for values in wanted for v in values})]


def only_what_is_needed(file, claims, quick):
    """The file with these claims alone, judged at any size."""
    words = [r for claim in claims for r in references(claim['value'])]
    runs = {}
    for name, group in file.get('runs', {}).items():
        named = [r for r in words if r[0] == name]
        if not named:
            continue
        runs[name] = group = copy.deepcopy(group)
        if quick:
            made_small(group, file.get('quick', {}))
        only_what_is_named(group, named)
        for has_path in [group, *group.get('cases', [])]:
            if 'experiment' in has_path:
                has_path['experiment'] = str(reproductions / has_path['experiment'])
    kept = {k: v for k, v in file.items() if k not in ('tables', 'pictures', 'claims', 'runs', 'quick')}
    return {**kept, **({'runs': runs} if runs else {}), 'claims': [{'claim': c['claim'], 'value': c['value']} for c in claims]}


def put(section, line):
    key, _, value = line.partition('=')
    if value == 'null' and key in section:
        del section[key]  # what the reproduction sets is left out
    else:
        section[key] = yaml.safe_load(value)


def named(section, pattern, line):
    found = [section[name] for name in section if fnmatch.fnmatchcase(name, pattern)]
    if not found:
        raise SystemExit(f"'{line}': expected a name of {', '.join(section)}")
    return found


def apply(file, lines):
    for line in lines:
        where, _, setting = line.partition(': ')
        if where.startswith('theory.'):
            for formula in named(file['theory'], where[7:], line):
                put(formula['arguments'], setting)
            continue
        group, _, case = where.partition(', ')
        for target in named(file['runs'], group, line):
            for part in named({c['name']: c for c in target['cases']}, case, line) if case else [target]:
                put(part.setdefault('set', {}), setting)


class mutant_builder:
    """The command with a bug; a copy of the tree has one at a time."""

    def __init__(self, work, jobs):
        self.work, self.jobs, self.copy, self.name = work, jobs, None, None

    def command(self, name):
        if name not in mutants:
            raise SystemExit(f'there is no mutant {name} in mutants.txt')
        if not self.copy:
            self.copy = copies.copied_tree(self.work.resolve(), self.jobs, 'spillway')
        if self.name != name:
            self.restore()
            self.name = name
            self.copy.put(mutants[name].file, planted.planted(mutants[name]))
            if not self.copy.compiles('spillway'):
                raise SystemExit(f'{name}: does not compile')
        return self.copy.build / 'spillway'

    def restore(self):
        if self.name:
            file = mutants[self.name].file
            self.copy.put(file, (root / file).read_text())
            self.name = None


def faults(folder):
    """How runs ended that did not end well, and how many so."""
    ends = [json.loads(p.read_text())['status'] for p in folder.glob('runs/*/result.json')]
    return ', '.join(f'{ends.count(e)} of {len(ends)} runs: {e}' for e in sorted(set(ends) - {'ok', 'saturated'}))


def judge(entry, changes, out, given, command):
    """The judged claims, and how runs failed, if any did."""
    file = load(entry['reproduction'])
    quick = not entry.get('full')
    file = only_what_is_needed(file, claims_of(file, entry), quick)
    apply(file, entry.get('size', []) + changes)
    for group in file.get('runs', {}).values():
        group['seeds'] = entry.get('seeds', 5 if quick else group.get('seeds', 1))
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{entry['reproduction']}.yaml"
    path.write_text(yaml.safe_dump(file, sort_keys=False, width=1000))
    run = subprocess.run([command, 'reproduce', str(path), '--out', str(out), '-j', given.jobs],
                         capture_output=True, text=True)
    result = out / entry['reproduction'] / 'verdicts.json'
    if run.returncode > 1 or not result.exists():
        raise SystemExit(f"{entry['reproduction']}: {why(entry)}: {(run.stdout + run.stderr).strip().splitlines()[-1:]}")
    return json.loads(result.read_text())['claims'], faults(result.parent)


def why(entry):
    """What the change is."""
    return entry['why'] if 'why' in entry else f"bug: {entry['mutant']}"


def sides(comparisons, at):
    """What stands on both sides of one comparison."""
    if not comparisons or at >= len(comparisons) or isinstance(comparisons[at], str):
        return ' '.join(map(str, comparisons))
    c = comparisons[at]
    relation = re.search(r' (<=|>=|==|<|>) ', c['comparison'])
    left, right = ('nothing' if c[side]['mean'] is None else f"{c[side]['mean']:.4g}" for side in ('left', 'right'))
    return f"{left} {relation[1] if relation else 'and'} {right}"


def kept_claims(name):
    file = kept_results.results / name / 'verdicts.json'
    return {c['value']: c for c in json.loads(file.read_text())['claims']} if file.exists() else {}


def judge_as_it_is(entry, out, given):
    """Its claims, from what is kept where that is of the same size."""
    kept = kept_claims(entry['reproduction'])
    values = [' '.join(c['value'].split()) for c in claims_of(load(entry['reproduction']), entry)]
    if entry.get('full') and 'size' not in entry and all(v in kept for v in values):
        return [kept[v] for v in values]
    return judge(entry, [], out, given, given.spillway)[0]


def refute(entry, given, builder):
    """How many of its claims are not refuted, and a row of the table for each of the others."""
    first = entry['claim'] if isinstance(entry['claim'], str) else entry['claim'][0]
    folder = pathlib.Path(given.out) / re.sub(r'\W+', '-', f"{entry['reproduction']}-{first[:40]}-{why(entry)[:20]}")
    command = builder.command(entry['mutant']) if 'mutant' in entry else given.spillway
    as_it_is = judge_as_it_is(entry, folder / 'as-it-is', given)
    changed, ended = judge(entry, entry.get('change', []), folder / 'changed', given, command)
    bad, rows = 0, []
    for before, after in zip(as_it_is, changed):
        at = next((i for i, c in enumerate(after['comparisons']) if isinstance(c, dict) and c['verdict'] == 'does not hold'), 0)
        was, now = sides(before['comparisons'], at), sides(after['comparisons'], at)
        held = before['outcome']
        if held == 'undecided':  # by a smaller run, which says nothing against what is kept
            held = kept_claims(entry['reproduction']).get(after['value'], before)['outcome']
        now += f'; {ended}' if ended else ''
        print(f"{entry['reproduction']}: {after['claim']}: {held} ({was}); {why(entry)}: {after['outcome']} ({now})", flush=True)
        fails = any(isinstance(c, dict) and c['verdict'] == 'does not hold' for c in after['comparisons'])  # what was measured
        if held == 'holds' and after['outcome'] == 'does not hold' and fails:
            rows.append(f"| `{entry['reproduction']}` | {after['claim']} | {was} | {why(entry)} | {now} |")
        else:
            bad += 1
    return bad, rows


mark = '<!-- refuted -->'


def on_the_page(page):
    """Its lines by reproduction and claim."""
    table = page.read_text().partition(mark)[2].partition('<!-- end -->')[0]
    return {tuple(line[2:].split(' | ')[:2]): line for line in table.splitlines() if line.startswith('| `')}


def keep(page, rows):
    """`rows`: by reproduction and claim; those of the page that are not among them stay as they are."""
    head, _, rest = page.read_text().partition(mark)
    tail = rest.partition('<!-- end -->')[2]
    lines = on_the_page(page)
    lines.update({tuple(row[2:].split(' | ')[:2]): row for row in rows})
    table = ['', '| Reproduction | Claim | as it is | changed | after that |', '|---|---|---|---|---|', *sorted(lines.values()), '']
    page.write_text(head + mark + '\n'.join(table) + '<!-- end -->' + tail)


def claims_listed(name):
    """The claims that its entries are about."""
    file = load(name)
    return {c['claim'] for e in listed['refuted'] if e['reproduction'] == name for c in claims_of(file, e)}


def not_run(name):
    """Those of which no change has been run yet that refutes them, which `open` has by their first words under the reason."""
    return {claim_of(load(name), begins)['claim'] for claims in listed['open'].get(name, {}).values() for begins in claims}


def not_listed(name):
    """Claims of it that neither an entry nor `open` has; those that are known not to hold have failed."""
    have = claims_listed(name) | not_run(name)
    return [c['claim'] for c in load(name)['claims'] if c['claim'] not in have and 'known' not in c]


def shown_of(name):
    """The claims of it that are on the page."""
    return {claim for shown, claim in on_the_page(root / 'docs' / 'refuted.md') if shown == f'`{name}`'}


def check():
    found = []
    for name in sorted(p.stem for p in reproductions.glob('*.yaml')):
        entries = [e for e in listed['refuted'] if e['reproduction'] == name]
        family = name.split('-')[0]
        if family in listed['families'] and not entries and name not in listed['none']:
            found.append(f'{name}: no claim of it is listed in refuted.json, nor why there is none')
        for entry in entries:
            file = load(name)
            apply(only_what_is_needed(file, claims_of(file, entry), True), entry.get('size', []) + entry.get('change', []))
            if 'mutant' in entry and entry['mutant'] not in mutants:
                found.append(f"{name}: there is no mutant {entry['mutant']} in mutants.txt")
        if family in listed['families of which each claim is listed']:
            found += [f'{name}: {claim}: no run refutes it' for claim in not_listed(name)]
            found += [f'{name}: {claim}: docs/refuted.md does not show it' for claim in sorted(claims_listed(name) - not_run(name) - shown_of(name))]
        found += [f'{name}: {claim}: docs/refuted.md shows it, and refuted.json does not list it, or as open'
                  for claim in sorted(shown_of(name) - claims_listed(name) | shown_of(name) & not_run(name))]
    used = {e.get('mutant') for e in listed['refuted']}
    for mutant in mutants.values():
        planted.planted(mutant)
        if mutant.name not in used:
            found.append(f'mutants.txt: {mutant.name}: refutes nothing')
    return found


arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument('--check', action='store_true')
arguments.add_argument('--open', action='store_true')
arguments.add_argument('--out', default='out/refuted')
arguments.add_argument('--jobs', default='2')
arguments.add_argument('--only', nargs='+', default=[])
arguments.add_argument('--missing', action='store_true')
arguments.add_argument('--page', type=pathlib.Path)
arguments.add_argument('--mutants', type=pathlib.Path, default='out/mutants', metavar='WORK')
arguments.add_argument('spillway', nargs='?')
given = arguments.parse_args()
if given.check:
    problems = check()
    sys.exit('\n'.join(problems) if problems else 0)
if given.open:
    for path in sorted(reproductions.glob('*.yaml')):
        print('\n'.join(f'{path.stem}: {claim}' for claim in not_listed(path.stem)))
    sys.exit(0)
bad = 0
builder = mutant_builder(given.mutants, given.jobs)
for one in listed['refuted']:
    if given.only and one['reproduction'] not in given.only:
        continue
    claims = {c['claim'] for c in claims_of(load(one['reproduction']), one)}
    if given.missing and claims <= shown_of(one['reproduction']):
        continue
    some, lines = refute(one, given, builder)
    bad += some
    if given.page:
        keep(given.page, lines)
builder.restore()
sys.exit(f'{bad} not refuted' if bad else 0)
