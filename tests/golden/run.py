#!/usr/bin/env python3
"""Runs golden cases: folders with `cmd` and what it must write.

Usage: run.py PROGRAM SOURCE [--update] [CASE...]      CASE is <command>/<case>; none: all

`cmd` is a shell script, run in an empty folder with `touchstone` on the PATH and SOURCE set to the checkout. Beside it
stand the expected `stdout` and `stderr` (no file: nothing) and `status` (no file: 0) of its last command. Times, memory,
sizes on disk, versions and folders are replaced before comparing.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RULES = [(r'\b[0-9a-f]{64}\b', '<digest>'), (r'\d\d:\d\d:\d\d ', '<time> '), (r'\b\d+\.\d s\b', '<seconds> s'), (r'"seconds": [\d.e+-]+', '"seconds": <seconds>'),
         (r'peak memory \d+ MB', 'peak memory <memory> MB'), (r'"peak_memory": \d+', '"peak_memory": <memory>'),
         (r'touchstone \d+\.\d+\.\d+[\w.+-]*', 'touchstone <version>'), (r'"bytes": \d+', '"bytes": <bytes>'), (r'\bconfig [0-9a-f]{12}\b', 'config <digest>'), (r'"program": "\d+\.[\w.+-]*"', '"program": "<version>"'), (r'\d+\.\d MB\b(?!,)', '<size> MB'),
         (r'("(?:meta|page|title|outline|paragraph|table|link|backlink|alias|judgment|entity)": )\d+', r'\1<bytes>'),
         (r'\d+ bytes\b(?=$)', '<bytes> bytes')]


def normalised(text, folder, source):
    for path, name in ((folder, '<folder>'), (source, '<source>')):
        text = text.replace(str(path), name)
    for pattern, replacement in RULES:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text


def run(case, program, source):
    with tempfile.TemporaryDirectory(prefix='touchstone-golden-') as folder:
        bin_folder = pathlib.Path(folder) / 'bin'
        work = pathlib.Path(folder) / 'here'
        bin_folder.mkdir()
        work.mkdir()
        (bin_folder / 'touchstone').symlink_to(program)
        environment = {**os.environ, 'PATH': f'{bin_folder}:{os.environ["PATH"]}', 'SOURCE': str(source), 'LC_ALL': 'C.UTF-8'}
        done = subprocess.run(['bash', '-u', str(case / 'cmd')], cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=300)
        return {'stdout': normalised(done.stdout.decode(), work, source), 'stderr': normalised(done.stderr.decode(), work, source),
                'status': '' if done.returncode == 0 else f'{done.returncode}\n'}


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
            if update:
                print(f'{name}/{file} rewritten')
                path.write_text(found) if found else path.unlink()
            else:
                failed += 1
                sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), found.splitlines(True), f'{name}/{file} expected', f'{name}/{file} found'))
                print('if this is as it should be: scripts/update_golden.sh', name)
    sys.exit(1 if failed else 0)


main()
