#!/usr/bin/env python3
"""What each stage costs on a cluster: processor time and memory of its map and of its merge, and the bytes between them.

    scaling.py PROGRAM DUMP --text-bytes N [--to all] [--shards 1] [--folder DIR] [--whole 100e9]

Runs every stage as jobs do (a process with one thread for each shard, then the merge), and prints a table for each GB of text, and how long
a whole of so many bytes would take at most: map work shared by all cores, merges as work of one core, one stage after the
other. DUMP has N bytes of text. DIR is for the work directory.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

MACHINES = [(1, 16), (4, 16), (16, 16)]


def run(*command):
    """(processor seconds, peak memory in bytes, wall seconds)"""
    start = time.monotonic()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    errors = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 4):
        sys.exit(f'{command} failed:\n{errors}')
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, time.monotonic() - start


def size_of(folder):
    return sum(path.stat().st_size for path in pathlib.Path(folder).rglob('*') if path.is_file())


def measure(program, dump, to, shards, work):
    known = subprocess.run([program, 'shard', 'none', '--index', '0', '--of', '1', '--work', work], stderr=subprocess.PIPE).stderr.decode()
    cut = set(known[known.index('{') + 1:known.index('}')].split(',')) - {'judge'} if '{' in known else set()  # the lexical judge is one job
    plan = subprocess.run([program, 'build', '--to', to, '--dump', dump, '--work', work, '--dry-run'], stdout=subprocess.PIPE, check=True).stdout.decode()
    rows = []
    for stage in [line.split()[0] for line in plan.splitlines() if ' run ' in line]:
        sources = ['--dump', dump] if stage == 'ingest' else []
        build = [program, '--progress', 'never', 'build', '--from', stage, '--to', stage, '--work', work, *sources]
        mapped = (0, 0, 0)
        parts = 0
        if stage in cut:
            if stage == 'ingest':
                run(*build, '--executor', 'prepare')
            tasks = [run(program, '--progress', 'never', 'shard', stage, '--index', index, '--of', shards, '--work', work, '--threads', 1) for index in range(shards)]
            mapped = (sum(task[0] for task in tasks), max(task[1] for task in tasks), sum(task[2] for task in tasks))
            parts = size_of(pathlib.Path(work) / 'stages' / 'shards' / stage)
            merged = run(*build, '--executor', 'merge', '--shards', shards)
        else:
            merged = run(*build)
        rows.append((stage, mapped, merged, parts))
        print(f'{stage}: map {mapped[0]:.1f} s, merge {merged[0]:.1f} s', file=sys.stderr)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('dump')
    parser.add_argument('--text-bytes', type=float, required=True)
    parser.add_argument('--to', default='all')
    parser.add_argument('--shards', type=int, default=1)
    parser.add_argument('--folder')
    parser.add_argument('--whole', type=float, default=100e9)
    parser.add_argument('--json', help='keep the numbers here')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as work:
        rows = measure(arguments.program, arguments.dump, arguments.to, arguments.shards, work)
        disk = size_of(work)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(rows))
    giga = arguments.text_bytes / 1e9
    print('| stage | map, CPU s/GB | merge, CPU s/GB | map, MB | merge, MB | between them, MB/GB |\n|---|---|---|---|---|---|')
    for stage, mapped, merged, parts in rows:
        print(f'| {stage} | {mapped[0] / giga:.1f} | {merged[0] / giga:.1f} | {mapped[1] / 1e6:.0f} | {merged[1] / 1e6:.0f} | {parts / 1e6 / giga:.0f} |')
    print(f'| all | {sum(row[1][0] for row in rows) / giga:.1f} | {sum(row[2][0] for row in rows) / giga:.1f} | {max(row[1][1] for row in rows) / 1e6:.0f} '
          f'| {max(row[2][1] for row in rows) / 1e6:.0f} | {sum(row[3] for row in rows) / 1e6 / giga:.0f} |')
    print(f'\nDisk: {disk / 1e9 / giga:.1f} GB for a GB of text.')
    factor = arguments.whole / arguments.text_bytes
    for nodes, cores in MACHINES:
        seconds = 0.0
        for _, mapped, merged, _ in rows:
            seconds += factor * (mapped[0] / (nodes * cores) + merged[0])
        print(f'{nodes} x {cores} cores: at most {seconds / 3600:.2f} h for {arguments.whole / 1e9:.0f} GB of text')


if __name__ == '__main__':
    main()
