"""What is wrong with the verdicts that are kept."""

not_met = ('does not hold', 'undecided')  # with these a run at full size ends with status 1


def of_states(states, kept, missing):
    """Of what `reproduce --list` says of each reproduction, which are kept, and which are listed as missing with a reason."""
    found = [f'{name}: kept in docs/results, but there is no such reproduction' for name in kept if name not in states]
    found += [f'{name}: listed as missing, but there is no such reproduction' for name in missing if name not in states]
    found += [f'{name}: listed as missing without a reason' for name, reason in missing.items() if not reason]
    for name, state in states.items():
        if state == 'stale':
            found.append(f'{name}: the kept verdicts are stale, what they depend on has changed: tests/results/renew.py')
        elif state == 'missing' and name not in missing:
            found.append(f'{name}: no verdicts are kept: tests/results/renew.py, or a line with the reason in missing.txt')
        elif state not in ('missing', 'not needed') and name in missing:
            found.append(f'{name}: listed as missing, but {state}')
    return found


def of_verdicts(name, verdicts, deliveries):
    """Of one file, beside what its experiments deliver now."""
    found = [f'{name}: no {key} is kept' for key in ('date', 'reason') if not verdicts.get(key)]
    if verdicts['quick']:
        found.append(f'{name}: the kept verdicts are of a quick run')
    if verdicts['deliveries'] != deliveries:
        found.append(f'{name}: stale, its experiments deliver something else than when the verdicts were kept')
    return found + [f"{name}: kept, but {c['outcome']}: {c['claim']}"
                    for c in verdicts['claims'] if c['outcome'] in not_met]
