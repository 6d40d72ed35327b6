#!/usr/bin/env python3
"""Each way in which a page can differ from what is kept is found.

Usage: pages_test.py"""
import pages

kept = {'loads': {'claims': [{'claim': 'More than 3.7 times', 'value': 'a > 3.7',
                              'comparisons': [{'comparison': 'a > 2 * b', 'left': {'mean': 5.248}, 'right': {'mean': 8}}]}],
                  'tables': [{'name': 'rates', 'markdown': ['| | rate |', '|---|---|', '| low | 0.25 |']}]}}
fine = '''`loads` at 0.25, claimed 3.7, on 256 nodes; `depth: 1.5`. Measured 5.2 and 4.0, 1.31 times, 31 % more.
<!-- table loads rates -->

| | rate |
|---|---|
| low | 0.25 |

<!-- end -->
<!-- not kept: other -->
0.77
<!-- end -->
```
0.99
```
'''
assert pages.problems('p', fine, kept, {'other'}) == [], pages.problems('p', fine, kept, {'other'})
assert pages.with_tables(fine, kept, {'other'}) == fine
for wrong, words in ((fine.replace('low | 0.25', 'low | 0.26'), 'differs'), (fine.replace('loads rates', 'loads rites'), 'found none'),
                     (fine.replace('at 0.25', 'at 0.24'), '0.24: no kept'), (fine.replace('at 0.25', 'at 26 %'), '26: no kept'),
                     (fine.replace('1.31 times', '1.32 times'), '1.32: no kept'), (fine.replace('5.2 and', '5.25 and'), None),
                     (fine.replace('5.2 and', '5.3 and'), '5.3: no kept'),
                     (fine.replace('256 nodes', '2,560 nodes'), '2560: no kept'), (fine.replace('256 nodes', '256 nodes, ![4,000](p)'), None),
                     (fine.replace('256 nodes', '4,096 nodes'), None),
                     (fine.replace('kept: other', 'kept: loads'), 'not listed as missing')):
    found = pages.problems('p', wrong, kept, {'other'}, settings='terminals: 4096')
    assert any(words in f for f in found) if words else not found, (words, found)
assert pages.with_tables(fine.replace('low | 0.25', 'low | 0.26'), kept, {'other'}) == fine

# Tables of what is listed as missing say so, and nothing else.
absent = pages.with_tables('`other`\n<!-- table other rates -->\n| 0.26 |\n<!-- end -->\n', kept, {'other'})
assert '0.26' not in absent and 'no run at full size is kept' in absent
assert pages.problems('p', absent, kept, {'other'}) == []
assert pages.problems('p', absent.replace('*`spill', '| 0.26 |\n*`spill'), kept, {'other'}) != []

# Several may be missing.
several = fine.replace('kept: other', 'kept: other another')
assert pages.problems('p', several, kept, {'other', 'another'}) == []
assert any('another: said not to be kept' in f for f in pages.problems('p', several, kept, {'other'}))
