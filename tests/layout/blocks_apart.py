#!/usr/bin/env python3
"""Blocks speak by pins: blocks_apart.py ROOT. Fails with file:line for each constructor of a block in a header of hw
that takes another block, by reference or by pointer; who only observes (endpoint_observer) is no block."""
import pathlib
import re
import sys

CLASS = re.compile(r'\b(?:class|struct)\s+(\w+)(?:\s+final)?\s*:\s*([^{;]*)\{')
BASE = re.compile(r'(?:public|private|protected|virtual)?\s*([\w:]+)')


def without_comments(text):
    return re.sub(r'//[^\n]*', '', text)


def blocks_of(texts):
    """Names of all classes that derive from clocked."""
    bases = {}
    for text in texts.values():
        for name, parents in CLASS.findall(without_comments(text)):
            bases[name] = {match.split('::')[-1] for p in parents.split(',') for match in BASE.findall(p.strip())}
    found = {'clocked'}
    while True:
        more = {name for name, parents in bases.items() if parents & found} - found
        if not more:
            return found
        found |= more


def constructors(text, name):
    """(offset, parameters) of what is declared as a constructor of the class."""
    for match in re.finditer(r'(?<![~\w:.<])' + name + r'\s*\(', text):
        depth, end = 1, match.end()
        while depth and end < len(text):
            depth += {'(': 1, ')': -1}.get(text[end], 0)
            end += 1
        yield match.start(), text[match.end():end - 1]


def faults_of(texts):
    blocks = blocks_of(texts)
    partner = re.compile(r'\b(' + '|'.join(sorted(blocks)) + r')\s*[&*]|_ptr<\s*(?:const\s+)?(' +
                         '|'.join(sorted(blocks)) + r')\s*>')
    faults = []
    for path, text in texts.items():
        plain = without_comments(text)
        for name in sorted(blocks):
            if not re.search(r'\b(?:class|struct)\s+' + name + r'\b[^;]*\{', plain):
                continue
            for offset, parameters in constructors(plain, name):
                taken = partner.search(parameters)
                if taken:
                    line = plain.count('\n', 0, offset) + 1
                    faults.append(f'{path}:{line}: the constructor of {name} takes a {taken.group(1) or taken.group(2)}')
    return faults


def main():
    root = pathlib.Path(sys.argv[1])
    texts = {path.relative_to(root): path.read_text() for path in sorted((root / 'hw').rglob('*.hpp'))}
    faults = faults_of(texts)
    print('\n'.join(faults) or f'{len(blocks_of(texts))} blocks, none is told of another but by its pins')
    sys.exit(bool(faults))


if __name__ == '__main__':
    main()
