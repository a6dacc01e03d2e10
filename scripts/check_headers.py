#!/usr/bin/env python3
"""Fails when a header of a room does not compile alone.

Usage: check_headers.py BUILD      a build folder with compile_commands.json, such as build/release

A header that a source of the same name includes first is compiled alone by every build. The script compiles the others,
each with the flags of a source near it. Exit status: 0 if all compile, 1 otherwise.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import check_layers

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIRST_INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)', re.MULTILINE)


def is_included_first(header):
    """Whether a source of the same name includes the header (a path from the root) before anything else."""
    source = ROOT / header.with_suffix('.cpp')
    found = source.exists() and FIRST_INCLUDE.search(source.read_text())
    return bool(found) and found[1] == header.as_posix()


def flags_near(header, commands):
    """(folder, compiler and flags) of the source with the longest path in common with the header."""
    def common(entry):
        source = pathlib.Path(entry['file']).relative_to(ROOT).parts if pathlib.Path(entry['file']).is_relative_to(ROOT) else ()
        return len(os.path.commonprefix([source, header.parts]))
    entry = max(commands, key=common)
    words = shlex.split(entry['command'])
    if pathlib.Path(words[0]).name == 'ccache':
        words = words[1:]
    for option in ('-o', '-c'):  # each with the file that follows it
        at = words.index(option)
        del words[at:at + 2]
    return entry['directory'], words


def compile_alone(header, commands):
    """What the compiler says if it refuses the header, else nothing."""
    folder, words = flags_near(header, commands)
    done = subprocess.run([*words, '-fsyntax-only', '-x', 'c++', '-'], cwd=folder, input=f'#include "{header.as_posix()}"\n'.encode(),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return f'{header} does not compile alone:\n{done.stdout.decode()}' if done.returncode else ''


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    commands = json.loads((pathlib.Path(sys.argv[1]) / 'compile_commands.json').read_text())
    headers = [path for path in check_layers.sources(ROOT) if path.suffix == '.hpp' and path.parts[0] not in check_layers.UNCHECKED]
    alone = [header for header in headers if not is_included_first(header)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        refused = [said for said in pool.map(lambda header: compile_alone(header, commands), alone) if said]
    print(*refused, sep='\n', end='')
    print(f'{len(headers)} headers, {len(headers) - len(alone)} of them included first by their sources, {len(alone)} compiled alone: {len(refused)} refused')
    sys.exit(1 if refused else 0)


if __name__ == '__main__':
    main()
