"""Numbers on pages of docs, beside what the reproductions that are kept have printed.

A table of a page is one that a reproduction printed, between `<!-- table NAME TABLE -->` and `<!-- end -->`. Every other
number with a decimal point, a comma at the thousands or a percent sign, but for what describes a picture, must be in one of the page's tables, in what a kept reproduction named on
the page claims, with a comma also in its settings, or one side of a comparison that it measured (without a factor before it), their ratio, or by how many per cent they differ, rounded as
the page has it. What was measured by reproductions that are listed as missing stands between `<!-- not kept: NAME... -->` and
`<!-- end -->`, and what is no measurement, or is held by a test that is named there, between `<!-- given -->` and `<!-- end -->`."""
import re

mark = re.compile(r'<!-- (table|not kept|given|end)\b:? ?(.*?) ?-->')
number = re.compile(r'(?<![\w.,-])(\d+(?:,\d{3})*\.\d+|\d+(?:\.\d+)?(?= ?%)|\d{1,3}(?:,\d{3})+)(?![\w]|,\d)')


def blocks(text):
    """(kind, argument, lines) of the page, what is outside any mark as kind ''."""
    kind, argument, lines, found = '', '', [], []
    for line in text.splitlines():
        at = mark.fullmatch(line.strip())
        if not at:
            lines.append(line)
            continue
        found.append((kind, argument, lines))
        kind, argument, lines = ('', '', []) if at[1] == 'end' else (at[1], at[2], [])
    found.append((kind, argument, lines))
    return found


def numbers(text):
    text = re.sub(r'`[^`]*`|!\[[^\]]*\]|\]\([^)]*\)|[Ss]ections? \d\.\d|95 % interval', ' ', text)
    return {n.replace(',', '') for n in number.findall(text)}


def prose(lines):
    """Without fenced code."""
    inside, kept = False, []
    for line in lines:
        if line.lstrip().startswith('```'):
            inside = not inside
        elif not inside:
            kept.append(line)
    return '\n'.join(kept)


def tables_of(kept, name, missing):
    """Markdown by name of the table; None where none is kept, and that is listed."""
    if name not in kept and name in missing:
        return None
    return {t['name']: t['markdown'] for t in kept.get(name, {}).get('tables', [])}


def open_table(name):
    return f'*`spillway reproduce {name}` prints this table; no run at full size is kept.*'


def measured(verdicts):
    """Sides of the comparisons of kept verdicts, their ratios, and by how many per cent they differ."""
    found = []
    for claim in verdicts['claims']:
        for c in claim.get('comparisons', []):
            texts = re.split(r' (?:<=|>=|==|<|>) ', c.get('comparison', ''))
            both = [side / factor for side, text in zip((c['left']['mean'], c['right']['mean']), texts + ['', ''])
                    for factor in [float((re.match(r'(\d+(?:\.\d+)?) \* ', text) or [0, '1'])[1])]]
            found += [c['left']['mean'], c['right']['mean'], *both]
            if all(both):
                ratio = both[0] / both[1]
                found += [ratio, 1 / ratio, 100 * abs(ratio - 1), 100 * abs(1 / ratio - 1)]
    return found


def is_rounded(n, values):
    """Whether the text of a number is one of the values, to its decimals."""
    decimals = len(n.partition('.')[2])
    return any(f'{value:.{decimals}f}' == n for value in values)


def named(page, names):
    """Those of the reproductions that the text of a page names."""
    return [name for name in names if re.search(rf'(?<![\w-]){name}(?![\w-])', page)]


def problems(page, text, kept, missing, claimed=(), settings=''):
    """`kept`: verdicts.json by name of the reproduction. `claimed`: what others that the page names claim. `settings`: the files of all that it
    names. Returns messages."""
    found, values, allowed = [], [], set(re.findall(r'\d+(?:\.\d+)?', ' '.join(claimed)))
    allowed |= set(re.findall(r'\b\d{4,}\b', settings.replace(',', '')))
    for name in named(text, kept):
        values += measured(kept[name])
        for claim in kept[name]['claims']:
            allowed |= set(re.findall(r'\d+(?:\.\d+)?', claim['claim'] + ' ' + claim['value']))
    parts = blocks(text)
    for kind, argument, lines in parts:
        if kind == 'table':
            name, _, table = argument.partition(' ')
            printed = tables_of(kept, name, missing)
            if printed is not None and table not in printed:
                found.append(f'{page}: table {argument}: found none that is kept')
            elif [line for line in lines if line] != (printed[table] if printed is not None else [open_table(name)]):
                found.append(f'{page}: table {argument}: differs from the one that is kept')
            for line in lines:
                allowed |= set(re.findall(r'\d+(?:\.\d+)?', line.replace(',', '')))
        elif kind == 'not kept':
            found += [f'{page}: {name}: said not to be kept, but not listed as missing'
                      for name in argument.split() if name not in missing]
    for kind, argument, lines in parts:
        if kind == '':
            for n in sorted(numbers(prose(lines)) - allowed):
                if is_rounded(n, values):
                    continue
                found.append(f'{page}: {n}: no kept reproduction that the page names has printed that')
    return found


def with_tables(text, kept, missing):
    """The page with its tables as they are kept."""
    out = []
    for kind, argument, lines in blocks(text):
        if kind == 'table':
            name, _, table = argument.partition(' ')
            printed = tables_of(kept, name, missing)
            lines = ['', *([open_table(name)] if printed is None else printed.get(table, lines)), '']
        if kind:
            out.append(f'<!-- {kind}{":" if kind == "not kept" else ""}{" " + argument if argument else ""} -->')
        out += lines
        if kind:
            out.append('<!-- end -->')
    return '\n'.join(out) + '\n'
