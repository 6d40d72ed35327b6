#!/usr/bin/env python3
"""Every claim that only full size can judge has a kept verdict that is not stale, or its reproduction is listed as missing.

Usage: kept_test.py SPILLWAY
"""
import sys

import kept
import problems

missing = kept.missing()
found = problems.of_states(kept.states(sys.argv[1]), kept.names(), missing)
for name in kept.names():
    verdicts = kept.verdicts(name)
    found += problems.of_verdicts(name, verdicts, kept.deliveries(verdicts['depends']))
print(f'{len(kept.names())} kept, {len(missing)} missing:')
for name, reason in missing.items():
    print(f'  {name}: {reason}')
sys.exit('\n'.join(found) if found else 0)
