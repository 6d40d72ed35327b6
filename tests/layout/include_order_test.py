#!/usr/bin/env python3
"""include_order.py finds what it is there to find: small trees with one fault each."""
import pathlib
import tempfile
import unittest

import include_order

ORDER = 'hw/kernel\nhw/links hw/adapters\nhw/packet hw/nifdy hw/feedback\nplatforms/packet\nplatforms/built_in\ntb/command\n'
NEEDS = 'spillway_mechanism(packet)\nspillway_mechanism(nifdy)\nspillway_mechanism(feedback NEEDS packet)\n'


class IncludeOrder(unittest.TestCase):
    def faults(self, includes, order=ORDER):
        """What is said of a tree in which file X includes Y for each X: Y; '#' stands for text, not an include."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            files = {'tests/layout/order.txt': order, 'cmake/mechanisms.cmake': NEEDS, 'hw/kernel/a.hpp': '',
                     'hw/kernel/b.hpp': '#include <spillway/hw/kernel/a.hpp>\n', 'hw/adapters/a.hpp': '',
                     'hw/packet/p.hpp': '', 'hw/nifdy/n.hpp': '', 'platforms/packet/p.hpp': '', 'tb/command/c.hpp': ''}
            for source, target in includes.items():
                files[source] = f'#include <spillway/{target}>\n'
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            return include_order.check(root)[0]

    def test_the_right_way(self):
        self.assertEqual(self.faults({'hw/links/l.hpp': 'hw/kernel/a.hpp', 'hw/feedback/f.cpp': 'hw/packet/p.hpp'},
                                     ORDER.replace(' hw/feedback', '\nhw/feedback')), [])
        self.assertEqual(self.faults({'platforms/packet/q.cpp': 'hw/packet/p.hpp',
                                      'platforms/built_in/b.cpp': 'platforms/packet/p.hpp'}), [])

    def one_fault(self, includes, text, order=ORDER):
        found = self.faults(includes, order)
        self.assertEqual(len(found), 1, found)
        self.assertIn(text, found[0])

    def test_a_level_that_looks_up(self):
        self.one_fault({'hw/packet/q.cpp': 'platforms/packet/p.hpp'}, 'hw/packet/q.cpp:1: includes platforms/packet/p.hpp')

    def test_a_folder_that_looks_up(self):
        self.one_fault({'hw/kernel/q.hpp': 'hw/adapters/a.hpp'}, 'hw/kernel comes before hw/adapters')

    def test_folders_side_by_side(self):
        self.one_fault({'hw/links/l.hpp': 'hw/adapters/a.hpp'}, 'stands beside it')

    def test_shared_code_that_knows_a_mechanism(self):
        self.one_fault({'tb/command/c.cpp': 'hw/nifdy/n.hpp'}, 'tb/command is shared and must not know mechanism nifdy')

    def test_a_mechanism_that_does_not_say_what_it_needs(self):
        self.one_fault({'platforms/packet/q.cpp': 'hw/nifdy/n.hpp'}, 'packet does not say')

    def test_a_folder_that_nobody_placed(self):
        self.one_fault({'hw/novel/n.hpp': 'hw/kernel/a.hpp'}, 'hw/novel is not in')

    def test_a_file_that_is_not_there(self):
        self.one_fault({'hw/links/l.hpp': 'hw/kernel/gone.hpp'}, 'there is no hw/kernel/gone.hpp')

    def test_an_exception_that_nothing_needs(self):
        order = ORDER + 'except tb/command hw/nifdy\n'
        self.assertEqual(self.faults({'tb/command/c.cpp': 'hw/nifdy/n.hpp'}, order), [])
        self.one_fault({}, 'drop the exception tb/command hw/nifdy', order)


if __name__ == '__main__':
    unittest.main()
