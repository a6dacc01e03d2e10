#!/usr/bin/env python3
"""Writes what the program says of its commands into their man pages: the section OPTIONS, and the line of NAME.

Usage: man_pages.py PROGRAM [--write]

All other sections of docs/man/*.1 are written by hand. Without --write, the pages are only compared. Exit status: 0 if
all agree (or were written), 1 otherwise.
"""
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / 'docs/man'
HEADER = ('.\\" The line of NAME and the section OPTIONS come from --help (scripts/man_pages.py); the rest is written by '
          'hand.\n')
DESCRIPTION_COLUMN = 26  # of --help


def escaped(text):
    text = text.replace('\\', '\\\\').replace('-', '\\-')
    return '\\&' + text if text[:1] in ".'" else text


def sections(text):
    """The options of --help as (names, description), descriptions on one line."""
    found, inside = [], False
    for line in text.splitlines():
        if not line.startswith(' '):
            inside = line == 'Options:'
        elif inside and re.match(r'  -', line):
            names, _, description = line[2:].partition('  ') if len(line) > DESCRIPTION_COLUMN else (line[2:], '', '')
            found.append([names.strip(), description.strip()])
        elif inside and line.startswith(' ' * DESCRIPTION_COLUMN):
            found[-1][1] = (found[-1][1] + ' ' + line.strip()).strip()
    return found


def options(help_text):
    lines = []
    for names, description in sections(help_text):
        name, equals, value = names.partition('=')
        tag = f'.BI "{escaped(name)}=" {escaped(value)}' if equals else f'.B "{escaped(name)}"'
        lines += ['.TP', tag, escaped(description.rstrip('.') + '.')]
    return '\n'.join(lines) + '\n'


def page(old, command, help_text):
    """The page with the sections that the program knows."""
    summary = help_text.splitlines()[1].rstrip('.')
    name = escaped('touchstone' + (f'-{command}' if command else ''))
    text = re.sub(r'\A(\.\\".*\n)*', lambda _: HEADER, old)
    text = re.sub(r'(?m)^(\.SH NAME\n).*\n', lambda match: f'{match[1]}{name} \\- {escaped(summary[0].lower() + summary[1:])}\n', text)
    return re.sub(r'(?ms)^(\.SH OPTIONS\n).*?(?=^\.SH )', lambda match: match[1] + options(help_text), text)


def main():
    program, write = sys.argv[1], '--write' in sys.argv[2:]
    stale = 0
    for file in sorted(FOLDER.glob('*.1')):
        command = file.stem.partition('-')[2]
        help_text = subprocess.run([program, *([command] if command else []), '--help'], check=True, stdout=subprocess.PIPE, text=True).stdout
        old = file.read_text()
        new = page(old, command, help_text)
        if new == old:
            continue
        if write:
            file.write_text(new)
        else:
            print(f'stale: docs/man/{file.name} (run scripts/check_generated.sh --write)', file=sys.stderr)
            stale = 1
    return stale


if __name__ == '__main__':
    sys.exit(main())
