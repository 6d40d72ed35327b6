#!/usr/bin/env python3
"""public_names.py finds names that collide: public_names_test.py CXX. One small header at a time."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

WRITER = pathlib.Path(__file__).with_name('public_names.py')
HARMLESS = '''class my_block {
  int link;
};
enum class my_kind { on, off };
using my_alias = my_block;
template <class T,
          int N>
class my_template {};
template <int N>
using my_array = my_template<int, N>;
template <class T>
constexpr bool my_answer = true;
inline constexpr unsigned my_number = 1;
[[nodiscard]] inline const my_block& my_function(const my_block& link) { return link; }
struct std_like;
'''


class PublicNames(unittest.TestCase):
    def errors(self, text):
        """What the compiler says of the names of a header."""
        with tempfile.TemporaryDirectory() as folder:
            header = pathlib.Path(folder, 'spillway/hw/planted.hpp')
            header.parent.mkdir(parents=True)
            header.write_text(f'#pragma once\n\nnamespace spillway {{\n\n{text}\n}}  // namespace spillway\n')
            program = subprocess.run([sys.executable, WRITER, header.parent.parent], capture_output=True, text=True,
                                     check=True).stdout
            for line in text.splitlines():
                if 'my_' in line and not line.startswith(' '):
                    self.assertIn('use_my_', program)
            return subprocess.run([CXX, '-std=c++17', '-fsyntax-only', '-I', folder, '-xc++', '-'], input=program,
                                  capture_output=True, text=True, check=False).stderr

    def test_harmless_names(self):
        self.assertEqual(self.errors(HARMLESS), '')

    def test_names_that_posix_has(self):
        for text in ('class link {};', 'struct pause {};', 'enum class raise { low, high };', 'using read = int;',
                     'template <class T>\nclass select {};', 'inline constexpr int write = 1;',
                     'class semop final {};', 'using timeval = int;'):
            with self.subTest(text):
                self.assertIn('ambiguous', self.errors(text))

    def test_no_name_is_overlooked(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, 'hw').mkdir()
            pathlib.Path(folder, 'hw/h.hpp').write_text(f'namespace spillway {{\n{HARMLESS}}}  // namespace spillway\n')
            program = subprocess.run([sys.executable, WRITER, folder], capture_output=True, text=True, check=True).stdout
        for name in ('my_block', 'my_kind', 'my_alias', 'my_template', 'my_array', 'my_answer', 'my_number',
                     'my_function', 'std_like'):
            self.assertIn(f'use_{name}', program)


if __name__ == '__main__':
    CXX = sys.argv.pop(1)
    unittest.main()
