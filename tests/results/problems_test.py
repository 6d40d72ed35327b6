#!/usr/bin/env python3
"""Each of the problems is found, and nothing where there is none."""
import problems

fine = {'date': '2026-01-31', 'reason': 'why', 'quick': False, 'deliveries': {'e': '1'}, 'claims': [{'claim': 'c', 'outcome': 'holds'}]}
assert problems.of_verdicts('a', fine, {'e': '1'}) == []
for change, deliveries, words in (({'date': ''}, {'e': '1'}, 'no date'), ({'reason': ''}, {'e': '1'}, 'no reason'),
                                  ({'quick': True}, {'e': '1'}, 'quick run'), ({}, {'e': '2'}, 'stale'),
                                  ({'claims': [{'claim': 'c', 'outcome': 'does not hold'}]}, {'e': '1'}, 'does not hold: c'),
                                  ({'claims': [{'claim': 'c', 'outcome': 'undecided'}]}, {'e': '1'}, 'undecided: c')):
    found = problems.of_verdicts('a', {**fine, **change}, deliveries)
    assert len(found) == 1 and words in found[0], found

states = {'a': '2026-01-31', 'b': 'missing', 'c': 'not needed'}
assert problems.of_states(states, ['a'], {'b': 'takes an hour'}) == []
for states_now, kept, missing, words in (
        ({'a': 'stale'}, ['a'], {}, 'stale'), ({'a': 'missing'}, [], {}, 'no verdicts are kept'),
        ({'a': 'missing'}, [], {'a': ''}, 'without a reason'), ({'a': '2026-01-31'}, ['a'], {'a': 'x'}, 'listed as missing, but'),
        ({}, ['a'], {}, 'no such reproduction'), ({}, [], {'a': 'x'}, 'no such reproduction')):
    found = problems.of_states(states_now, kept, missing)
    assert len(found) == 1 and words in found[0], found
