#!/usr/bin/env python3
"""Compares the numbers of docs pages with what is kept; with --write first puts the kept tables in.

Usage: check_pages.py [--write] PAGE..."""
import pathlib
import sys

import kept
import pages

names = [a for a in sys.argv[1:] if a != '--write']
verdicts = {name: kept.verdicts(name) for name in kept.names()}
files = {file.stem: file.read_text() for file in (kept.root / 'yaml' / 'reproductions').glob('*.yaml')}
found = []
for name in names:
    file = kept.root / 'docs' / name
    if '--write' in sys.argv:
        file.write_text(pages.with_tables(file.read_text(), verdicts, kept.missing()))
    text = file.read_text()
    others = [line for other in kept.missing() if f'`{other}`' in text or f'`spillway reproduce {other}`' in text
              for line in kept.claims(other)]
    settings = ' '.join(files[one] for one in pages.named(text, files))
    found += pages.problems(name, text, verdicts, kept.missing(), others, settings)
sys.exit('\n'.join(found) if found else 0)
