#!/usr/bin/env python3
"""Writes a program that includes all headers of C and POSIX, then all of ours, and uses every public name of
namespace spillway unqualified: public_names.py ROOT > names.cpp. It compiles if no name is ambiguous for a
user who writes `using namespace spillway`. The headers are formatted: what begins in column 0 is public."""
import pathlib
import re
import sys

C_AND_POSIX = '''assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign
stdarg stdbool stddef stdint stdio stdlib string tgmath time uchar wchar wctype
aio arpa/inet cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen monetary mqueue
net/if netdb netinet/in netinet/tcp nl_types poll pthread pwd regex sched search semaphore spawn strings
sys/ipc sys/mman sys/msg sys/resource sys/select sys/sem sys/shm sys/socket sys/stat sys/statvfs sys/time
sys/times sys/types sys/uio sys/un sys/utsname sys/wait syslog tar termios ulimit unistd utime utmpx
wordexp'''.split()

NAMESPACE = re.compile(r'(?:inline )?namespace ([\w:]*) ?\{')
TYPE = re.compile(r'(?:class|struct|enum class|enum|union)(?: alignas\([^)]*\))? (\w+)\b(?!<)')
ALIAS = re.compile(r'using (\w+) =')
USED = re.compile(r'using [\w:]+::(\w+);')
FUNCTION = re.compile(r'(?!using|return|friend|static_assert|template|namespace|typedef)[\w:<>,&*\[\] ]*?[ &*](\w+)\(')
VARIABLE = re.compile(r'(?:inline |static )*(?:constexpr|const) [\w:<>,*& ]*?(\w+)(?:\{|\[| =)')
KINDS = (('alias', ALIAS), ('function', USED), ('type', TYPE), ('variable', VARIABLE), ('function', FUNCTION))


def declarations(text):
    """(name, kind) of what namespace spillway declares itself."""
    spaces, template = [], ''
    for line in text.splitlines():
        opened = NAMESPACE.match(line)
        if opened:
            spaces.append(opened.group(1))
        elif line.startswith('}  // namespace'):
            spaces.pop()
        elif line.startswith('template'):
            of = 'types' if line.startswith('template <class') else 'values'
            template = f'template of {line.count(",") + 1} {of} '
        elif spaces == ['spillway'] and re.match(r'[\w\[]', line):
            line = re.sub(r'^\[\[.*?\]\] ', '', line)
            for kind, pattern in KINDS:
                found = pattern.match(line)
                if found and 'operator' not in line.split('(')[0]:
                    yield found.group(1), template + kind
                if found:
                    break
            template = ''


def use(name, kind):
    """A line in which the compiler must look the name up; templates that are never instantiated let it be
    looked up without knowing what it takes."""
    if kind == 'variable':
        return f'using use_{name} = decltype({name});'
    if kind.startswith('template') and kind.endswith(('variable', 'alias')):
        number = int(kind.split()[2])
        arguments = ', '.join(['T' if 'types' in kind else '1'] * number)
        value = '' if kind.endswith('variable') else '()'
        return f'template <class T> auto use_{name}(T) -> decltype({name}<{arguments}>{value});'
    return f'template <class T> auto use_{name}(T x) -> decltype({name}(x));'


def main():
    root = pathlib.Path(sys.argv[1])
    headers = sorted(path.relative_to(root).as_posix()
                     for level in ('hw', 'tlm', 'platforms', 'tb') for path in (root / level).rglob('*.hpp'))
    names = {}
    for header in headers:
        for name, kind in declarations((root / header).read_text()):
            names.setdefault(name, kind)
    print('// Made by tests/layout/public_names.py.')
    print(*(f'#if __has_include(<{name}.h>)\n#include <{name}.h>\n#endif' for name in C_AND_POSIX), sep='\n')
    print(*(f'#include <spillway/{header}>' for header in headers), sep='\n')
    print('using namespace spillway;')
    for name, kind in sorted(names.items()):
        print(use(name, kind))


if __name__ == '__main__':
    main()
