#!/usr/bin/env python3
"""blocks_apart.py finds what it is for."""
import blocks_apart

HEADER = '''
class queue : public clocked {
public:
  queue(const char* name, unsigned depth);
};
class deep_queue final : public queue {
public:
  // deep_queue(queue& other)
  deep_queue(const char* name, {});
}};
'''
for parameter, wrong in (('unsigned depth', False), ('queue& other', True), ('const queue* other = nullptr', True),
                         ('std::unique_ptr<queue> other', True), ('endpoint_observer& observer', False),
                         ('std::function<void(int)> f, clocked& b', True)):
    faults = blocks_apart.faults_of({'a.hpp': HEADER.replace('{}', parameter).replace('}}', '}')})
    assert bool(faults) == wrong, (parameter, faults)
    if wrong:
        assert faults[0].startswith('a.hpp:9: the constructor of deep_queue takes a '), faults
