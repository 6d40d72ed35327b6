"""What the kept verdicts share: where they are, and what the experiments that they were measured with deliver."""
import json
import pathlib
import subprocess

root = pathlib.Path(__file__).resolve().parents[2]
results = root / 'docs' / 'results'


def verdicts(name):
    return json.loads((results / name / 'verdicts.json').read_text())


def names():
    return sorted(p.parent.name for p in results.glob('*/verdicts.json'))


def missing():
    """Reproductions of which no verdicts are kept, with the reason."""
    found = {}
    for line in pathlib.Path(__file__).with_name('missing.txt').read_text().splitlines():
        if line and not line.startswith('#'):
            name, _, reason = line.partition(': ')
            found[name] = reason
    return found


def claims(name):
    """Lines of a reproduction that say what is claimed."""
    lines = (root / 'yaml' / 'reproductions' / f'{name}.yaml').read_text().splitlines()
    return [line for line in lines if line.lstrip().startswith(('- claim:', 'value:'))]


def deliveries(depends):
    """Checksums of deliveries of the experiments among the files: a change of the hardware that changes what is delivered
    changes these."""
    experiments = {pathlib.Path(name).stem for name in depends if '/experiments/' in name}
    found = {}
    for line in (root / 'tests' / 'tb' / 'deliveries.txt').read_text().splitlines():
        words = line.split()
        if words and words[0].split('/')[-1] in experiments and not line.startswith('#'):
            found[words[0]] = words[1]
    return found


def states(spillway):
    """What `reproduce --list` says of the kept verdicts, by name."""
    text = subprocess.run([spillway, 'reproduce', '--list'], cwd=root, capture_output=True, text=True, check=True).stdout
    found, name = {}, ''
    for line in text.splitlines():
        if not line.startswith(' '):
            name = line
        elif line.split()[0] == 'kept':
            found[name] = ' '.join(line.split()[1:])
    return found
