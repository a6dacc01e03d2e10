#!/usr/bin/env python3
"""Compares what `build --forecast` tells with what the build takes.

    forecast.py PROGRAM DUMP... [--to all] [--folder DIR]

Prints, for each dump, forecast and build of processor seconds, of the highest memory and of the disk in the end, with
their ratio. DIR is for the work directories (default: that for temporary files).
"""
import argparse
import json
import pathlib
import re
import subprocess
import tempfile

SECONDS = {'s': 1, 'min': 60, 'h': 3600}
BYTES = {'MB': 1e6, 'GB': 1e9}


def run(*command):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if done.returncode not in (0, 4):  # 4: there are no topics
        raise SystemExit(f'{command} ended with status {done.returncode}')
    return done.stdout.decode()


def forecast_of(program, dump, to):
    text = run(program, 'build', '--forecast', '--to', to, '--dump', dump, '--work', '/nowhere')
    cpu, cpu_unit, memory, memory_unit = re.search(r'(?m)^in all +([\d.]+) (s|min|h) +[\d.]+ \w+ +([\d.]+) (MB|GB)$', text).groups()
    disk, disk_unit = re.search(r'disk ([\d.]+) (MB|GB)', text).groups()
    return float(cpu) * SECONDS[cpu_unit], float(memory) * BYTES[memory_unit], float(disk) * BYTES[disk_unit]


def build(program, dump, to, folder):
    with tempfile.TemporaryDirectory(dir=folder) as work:
        run(program, '--progress', 'never', 'build', '--to', to, '--dump', dump, '--work', work)
        stages = [stage for stage in json.loads(run(program, 'status', '--work', work, '--format', 'json'))['stages'] if stage['state'] == 'done']
        disk = sum(path.stat().st_size for path in pathlib.Path(work).rglob('*') if path.is_file())
    return sum(stage['cpu_seconds'] for stage in stages), max(stage['peak_memory'] for stage in stages), disk


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('dumps', nargs='+')
    parser.add_argument('--to', default='all')
    parser.add_argument('--folder')
    arguments = parser.parse_args()
    print('dump                                     CPU s: told  took  ratio   MB: told  took  ratio   disk MB: told  took  ratio')
    for dump in arguments.dumps:
        told = forecast_of(arguments.program, dump, arguments.to)
        took = build(arguments.program, dump, arguments.to, arguments.folder)
        pairs = [(told[0], took[0]), (told[1] / 1e6, took[1] / 1e6), (told[2] / 1e6, took[2] / 1e6)]
        print(f'{pathlib.Path(dump).name[:40]:40}', *(f'{a:12.0f} {b:6.0f} {a / b if b else 0:6.2f}' for a, b in pairs), flush=True)


if __name__ == '__main__':
    main()
