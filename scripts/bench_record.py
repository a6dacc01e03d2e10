#!/usr/bin/env python3
"""Keeps the raw numbers of a benchmark run with what they depend on.

Usage: COMMAND | bench_record.py BUILD FOLDER

Reads JSON values, one a line or indented over several lines, and prints each on one line. Appends them to
FOLDER/DATE-COMMIT.jsonl, behind a line about the run: day, commit and whether the checkout had changes, processor, cores
and memory, how busy the machine was before and after, compiler and flags of the folder BUILD, and the versions of the
peers that are installed. Names of hosts, users and folders are left out, so that the file can be published. Lines that
are not JSON are printed and not kept.
"""
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
UNNAMED = {'host_name', 'executable', 'library_build_type'}  # of Google Benchmark's context
PEERS = {'lbzip2': ['lbzip2', '--version'], 'trec_eval': ['trec_eval', '--version'],
         'mwparserfromhell': ['/usr/bin/python3', '-c', 'import mwparserfromhell as m; print(m.__version__)'],
         'numpy': ['/usr/bin/python3', '-c', 'import numpy as m; print(m.__version__)']}


def output(*command):
    """First line that a command prints; None if it is not installed or fails."""
    if not shutil.which(command[0]):
        return None
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
    return done.stdout.strip().split('\n')[0] if done.returncode == 0 else None


def without_places(value):
    """The value without host names, and with names of files in place of absolute paths."""
    if isinstance(value, dict):
        return {name: without_places(part) for name, part in value.items() if name not in UNNAMED}
    if isinstance(value, list):
        return [without_places(part) for part in value]
    if isinstance(value, str):
        return re.sub(r'(?<![\w.-])/(?:[^\s/"]+/)+', '', value)
    return value


def cached(build, name):
    """A variable of the cache of CMake, or None."""
    cache = build / 'CMakeCache.txt'
    found = re.search(rf'(?m)^{name}:\w+=(.*)$', cache.read_text()) if cache.exists() else None
    return found[1] if found else None


def load():
    return [round(average, 2) for average in os.getloadavg()]


def about_the_run(build):
    processor = re.search(r'(?m)^model name\s*: (.*)$', pathlib.Path('/proc/cpuinfo').read_text())
    kind = cached(build, 'CMAKE_BUILD_TYPE') or ''
    compiler = cached(build, 'CMAKE_CXX_COMPILER')
    return {'run': {
        'day': datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        'commit': output('git', 'rev-parse', 'HEAD'), 'changed': bool(output('git', 'status', '--porcelain')),
        'processor': processor[1] if processor else None, 'cores': os.cpu_count(),
        'memory_bytes': os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE'), 'load_before': load(),
        'compiler': output(compiler, '--version') if compiler else None, 'build_type': kind,
        'flags': ' '.join(filter(None, (cached(build, f'CMAKE_CXX_FLAGS{end}') for end in ('', f'_{kind.upper()}')))),
        'peers': {name: version for name, command in PEERS.items() if (version := output(*command)) is not None}}}


def values(lines):
    """Yields (value, None) for each JSON object, and (None, line) for other lines."""
    kept = ''
    for line in lines:
        if not kept and not line.startswith('{'):
            yield None, line
            continue
        kept += line
        try:
            value = json.loads(kept)
        except json.JSONDecodeError:
            continue
        kept = ''
        yield value, None
    if kept:
        yield None, kept


def main():
    build, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    run = without_places(about_the_run(build))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f'{run["run"]["day"]}-{(run["run"]["commit"] or "unknown")[:10]}.jsonl'
    with open(path, 'a') as record:
        record.write(json.dumps(run) + '\n')
        for value, line in values(sys.stdin):
            if value is None:
                print(line, end='', flush=True)
                continue
            text = json.dumps(without_places(value))
            print(text, flush=True)
            record.write(text + '\n')
            record.flush()
        record.write(json.dumps({'load_after': load()}) + '\n')
    print(f'kept in {path}', file=sys.stderr)


if __name__ == '__main__':
    main()
