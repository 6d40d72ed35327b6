#!/usr/bin/env python3
"""unity_names.py finds a name that a source would take from one that is read before it."""
import pathlib
import tempfile
import unittest

import unity_names

FIRST = 'namespace {\n\ndouble power(int x) {\n  return x;\n}\n\n}  // namespace\n'


class UnityNames(unittest.TestCase):
    def said(self, *texts):
        with tempfile.TemporaryDirectory() as folder:
            sources = []
            for number, text in enumerate(texts):
                sources.append(pathlib.Path(folder) / f'{number}.cpp')
                sources[-1].write_text(text)
            return list(unity_names.clashes([str(source) for source in sources]))

    def test_another_call(self):
        found = self.said(FIRST, 'bool f(int n) { return power(n); }\n')
        self.assertEqual(len(found), 1)
        self.assertRegex(found[0], r'1\.cpp: calls or defines power\(\), which .*0\.cpp has for itself')

    def test_behind_a_class(self):
        behind = FIRST.replace('double', 'struct pair {\n  int a;\n};\n\ndouble')
        self.assertEqual(len(self.said(behind, 'bool f(int n) { return power(n); }\n')), 1)

    def test_another_of_its_own(self):
        self.assertEqual(len(self.said(FIRST, FIRST.replace('int', 'const char*'))), 1)

    def test_what_is_no_clash(self):
        self.assertEqual(self.said(FIRST, 'int f(block b) { return b.power(1) + other::power(2); }  // power(3)\n'), [])
        self.assertEqual(self.said('int f(int n) { return power(n); }\n', FIRST), [])


if __name__ == '__main__':
    unittest.main()
