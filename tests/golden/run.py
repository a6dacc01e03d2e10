#!/usr/bin/env python3
"""Runs golden cases: folders with `cmd` and what it must write.

Usage: run.py PROGRAM SOURCE [--update] [CASE...]      CASE is <command>/<case>; none: all

`cmd` is a shell script, run in an empty folder with `touchstone` on the PATH and SOURCE set to the checkout. Beside it
stand the expected `stdout` and `stderr` (no file: nothing), the `status` (no file: 0) of its last command, and in `files/`
files that it must leave, under their paths in its folder. Three forms are easier to read than what the program writes:
`stdout.json` instead of `stdout` has each JSON value of the output indented; in `files/`, `NAME.gz.unpacked` has the
content of NAME.gz, and `NAME.records.shown` what `touchstone show` prints of NAME.records. Times, memory, sizes on disk, versions, digests and folders are replaced before comparing.

--update rewrites what differs. To have one more file compared, create it empty and update; so too for `stdout.json`.
"""
import difflib
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MAX_LINES = 200  # of a difference that is printed
RULES = [
    (r'\b[0-9a-f]{64}\b', '<digest>'),
    (r'\bconfig [0-9a-f]{12}\b', 'config <digest>'),
    (r'touchstone \d+\.\d+\.\d+[\w.+-]*', 'touchstone <version>'),
    (r'"program": "\d+\.[\w.+-]*"', '"program": "<version>"'),
    (r'("name": "touchstone",\s+"version": ")[^"]*', r'\1<version>'),
    (r'\d\d:\d\d:\d\d ', '<time> '),
    (r'\b\d+\.\d s\b', '<seconds> s'),
    (r'"(cpu_)?seconds": [\d.e+-]+', r'"\1seconds": <seconds>'),
    (r'"part_bytes": \d+', '"part_bytes": <bytes>'),
    (r'peak memory \d+ MB', 'peak memory <memory> MB'),
    (r'"peak_memory": \d+', '"peak_memory": <memory>'),
    (r'"bytes": \d+', '"bytes": <bytes>'),
    (r'\d+\.\d MB\b(?!,)', '<size> MB'),
    (r'("(?:meta|page|title|outline|paragraph|table|link|backlink|alias|judgment|template|link_target|attribute|entity)": )\d+', r'\1<bytes>'),
    (r'\d+ bytes\b(?=$)', '<bytes> bytes'),
]


def normalised(text, folder, source):
    for path, name in ((folder, '<folder>'), (source, '<source>')):
        text = text.replace(str(path), name)
    for pattern, replacement in RULES:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text


def indented(text):
    """Each JSON value of the text, indented; a text that is no JSON as it is."""
    decoder = json.JSONDecoder()
    values, position = [], 0
    try:
        while text[position:].strip():
            position += len(text[position:]) - len(text[position:].lstrip())
            value, position = decoder.raw_decode(text, position)
            values.append(json.dumps(value, indent=2, ensure_ascii=False) + '\n')
    except json.JSONDecodeError:
        return text
    return ''.join(values)


def left_file(path, program):
    """Content of a file that a command left, None if it did not. `path` may end with .unpacked or .shown (see above)."""
    packed = path.with_suffix('')
    try:
        if path.suffix == '.shown':
            return subprocess.run([program, 'show', packed], stdout=subprocess.PIPE).stdout.decode() if packed.exists() else None
        return gzip.decompress(packed.read_bytes()).decode() if path.suffix == '.unpacked' else path.read_text()
    except FileNotFoundError:
        return None


def run(case, program, source):
    """Name of each expected file of the case -> the text found, None for a file that was not written."""
    with tempfile.TemporaryDirectory(prefix='touchstone-golden-') as folder:
        bin_folder = pathlib.Path(folder) / 'bin'
        work = pathlib.Path(folder) / 'here'
        bin_folder.mkdir()
        work.mkdir()
        (bin_folder / 'touchstone').symlink_to(program)
        environment = {**os.environ, 'PATH': f'{bin_folder}:{os.environ["PATH"]}', 'SOURCE': str(source), 'LC_ALL': 'C.UTF-8'}
        done = subprocess.run(['bash', '-u', str(case / 'cmd')], cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=300)
        found = {'stderr': done.stderr.decode(), 'status': '' if done.returncode == 0 else f'{done.returncode}\n'}
        if (case / 'stdout.json').exists():
            found['stdout.json'] = indented(done.stdout.decode())
        else:
            found['stdout'] = done.stdout.decode()
        for path in sorted((case / 'files').rglob('*')):
            if path.is_file():
                found[str(path.relative_to(case))] = left_file(work / path.relative_to(case / 'files'), program)
        return {name: None if text is None else normalised(text, work, source) for name, text in found.items()}


def differences(name, expected, found):
    """What to print about one file that is not as expected."""
    if found is None:
        return f'{name} was not written\n'
    lines = list(difflib.unified_diff(expected.splitlines(True), found.splitlines(True), f'{name} expected', f'{name} found'))
    more = len(lines) - MAX_LINES
    return ''.join(lines[:MAX_LINES]) + (f'... {more} more lines\n' if more > 0 else '')


def main():
    arguments = sys.argv[1:]
    update = '--update' in arguments
    arguments = [word for word in arguments if word != '--update']
    program, source = (pathlib.Path(word).resolve() for word in arguments[:2])
    names = arguments[2:] or sorted(str(path.parent.relative_to(HERE)) for path in HERE.glob('*/*/cmd'))
    failed = 0
    for name in names:
        case = HERE / name
        for file, found in run(case, program, source).items():
            path = case / file
            expected = path.read_text() if path.exists() else ''
            if found == expected:
                continue
            if update and found is not None:
                print(f'{name}/{file} rewritten')
                path.write_text(found) if found or file.startswith('files/') else path.unlink()
            else:
                failed += 1
                print(differences(f'{name}/{file}', expected, found), end='')
                print('if this is as it should be: scripts/update_golden.sh', name)
    sys.exit(1 if failed else 0)


main()
