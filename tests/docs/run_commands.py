#!/usr/bin/env python3
"""Runs the commands that pages show, as they stand, in a folder like the reader's.

run_commands.py SPILLWAY ROOT [--quick] PAGE...

Blocks ```sh of a page are run line by line in one folder. A line is expected to exit with 0, or with what its comment
says: `# exit status 1`. --quick runs what takes no time: `check` in place of `run`, `graph`, `list`. What is left out has
a reason below.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

LEFT_OUT = {
    r"^(\./bootstrap|cmake|ctest|g\+\+|export PKG_CONFIG_PATH|SPILLWAY_TRANSACTIONS=)": "builds or installs; other tests do",
    r"^build/release/docs/examples/": "is an example with a test of its own",
    r"^gtkwave": "is a window",
    r"^(source|export PATH)": "is for a shell that people type into",
    r"\| *less": "is a page to turn",
    r"/shared/s|^(bsub|echo|parallel) ": "is for a cluster, and a sweep of the reader's own",
    r"^tests/results/renew\.py": "changes verdicts that are kept",
    r"^spillway reproduce( |$)(?!--list)": "is what the tests of reproductions run",
}
SLOW = r"^(cd [^ ]+ && )?spillway (run|sweep|curve|compare|plot|theory|bench)\b|^[a-z]+="


def lines_of(page):
    for block in re.findall(r"^```sh\n(.*?)^```", page.read_text(), re.S | re.M):
        yield from (line for line in block.replace("\\\n", " ").splitlines() if line.strip())


def expected(line):
    found = re.search(r"#.*exit status (\d)", line)
    return int(found[1]) if found else 0


def as_check(line):
    """`check` of what a line runs; None if it runs nothing that can be checked."""
    words = shlex.split(line, comments=True)
    if words[:2] != ["spillway", "run"]:
        return None
    kept = iter(words[2:])
    checked = ["spillway", "check"]
    for word in kept:
        if word in ("--out", "-o", "--vcd", "--trace"):
            next(kept)
        elif word not in ("--deliveries", "--no-report"):
            checked.append(word)
    return shlex.join(checked) + (" # exit status 1" if expected(line) else "")


def try_page(page, root, folder, environment, quick):
    """Returns the number of lines that were run, and of those that did not end as they should."""
    done = wrong = 0
    shell = []  # what earlier lines have set
    for line in lines_of(page):
        line = line.strip()
        why = next((reason for what, reason in LEFT_OUT.items() if re.search(what, line)), None)
        if not why and re.match(r"^[a-z]+=\S+$", line):
            shell.append(line)
            continue
        if not why and quick and re.search(SLOW, line):
            line = as_check(line)
            why = None if line and "$" not in line else "takes time"
        if why:
            continue
        begin = time.monotonic()
        command = "set -o pipefail\n" + "\n".join([*shell, line])
        ran = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)
        done += 1
        print(f"{page.name}: {time.monotonic() - begin:6.1f} s  {line}", flush=True)
        if ran.returncode != expected(line):
            wrong += 1
            print(f"  exit status {ran.returncode}, expected {expected(line)}\n{ran.stdout}{ran.stderr}")
    return done, wrong


def main():
    command, root, *pages = sys.argv[1:]
    quick = "--quick" in pages
    root = pathlib.Path(root)
    environment = {**os.environ, "PATH": str(pathlib.Path(command).parent) + ":" + os.environ["PATH"]}
    done = wrong = 0
    for page in (pathlib.Path(one) for one in pages if one != "--quick"):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(root / "yaml", pathlib.Path(folder) / "yaml")
            ran, failed = try_page(page, root, folder, environment, quick)
            done += ran
            wrong += failed
    print(f"{done} commands, {wrong} not as their pages say")
    if done == 0:
        sys.exit("no page shows a command")
    sys.exit(1 if wrong else 0)


main()
