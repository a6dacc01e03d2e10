#!/usr/bin/env python3
"""Speed of `touchstone link` on the tables pagelinks and linktarget.

Usage: sql_tables.py TOUCHSTONE DUMP [--rows 17000000] [--runs 3]

Links pages of the dump with each other at random and writes the links as MediaWiki's maintenance scripts dump them
since 1.43: numbers of pages and of targets, in the order of the primary key. Then runs `link` on the dump with and without these tables, in turn, and
prints a JSON line for each run: processor seconds of both, and MB of tables a second of what the tables add.
"""
import argparse
import bz2
import itertools
import json
import pathlib
import random
import re
import subprocess
import tempfile

PAGE = re.compile(rb'<page>\s*<title>([^<]*)</title>\s*<ns>0</ns>\s*<id>(\d+)</id>')
ROWS_A_STATEMENT = 20000  # about a megabyte


def write_table(path, name, columns, rows):
    """Writes a table as mysqldump does. Returns its bytes."""
    with open(path, 'w', encoding='utf-8') as out:
        out.write(f'CREATE TABLE `{name}` (\n' + ''.join(f'  `{column}` {kind} NOT NULL,\n' for column, kind in columns) +
                  '  PRIMARY KEY (`' + columns[0][0] + '`)\n) ENGINE=InnoDB;\n')
        while part := list(itertools.islice(rows, ROWS_A_STATEMENT)):
            out.write(f'INSERT INTO `{name}` VALUES ' + ','.join(part) + ';\n')
        return out.tell()


def write_tables(folder, pages, count):
    """Writes both tables. Returns their paths and bytes together."""
    draw = random.Random(1)
    titles = [title.replace('&amp;', '&').replace('&quot;', '"').replace('\\', '\\\\').replace("'", "\\'").replace(' ', '_')
              for title, _ in pages]
    numbers = [page for _, page in pages]
    targets, links = folder / 'linktarget.sql', folder / 'pagelinks.sql'
    size = write_table(targets, 'linktarget', [('lt_id', 'bigint(20)'), ('lt_namespace', 'int(11)'), ('lt_title', 'varbinary(255)')],
                       (f"({number},0,'{title}')" for number, title in enumerate(titles, 1)))
    size += write_table(links, 'pagelinks', [('pl_from', 'int(8)'), ('pl_from_namespace', 'int(11)'), ('pl_target_id', 'bigint(20)')],
                        (f'({page},0,{target})' for page in sorted(numbers)
                         for target in sorted(draw.choices(range(1, len(titles) + 1), k=count // len(numbers)))))
    return [targets, links], size


def link_seconds(program, dump, work, tables):
    """Processor seconds of the stage `link`."""
    common = [program, '--progress', 'never']
    arguments = ['--dump', dump, '--work', work] + [part for table in tables for part in ('--sql-dump', table)]
    subprocess.run([*common, 'build', '--to', 'link', *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    told = subprocess.run([program, 'status', '--work', work, '--format', 'json'], check=True, capture_output=True)
    return next(stage['cpu_seconds'] for stage in json.loads(told.stdout)['stages'] if stage['stage'] == 'link')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('program')
    parser.add_argument('dump')
    parser.add_argument('--rows', type=int, default=17_000_000)
    parser.add_argument('--runs', type=int, default=3)
    arguments = parser.parse_args()
    opened = bz2.open(arguments.dump) if arguments.dump.endswith('.bz2') else open(arguments.dump, 'rb')
    with opened as dump:
        pages = [(title.decode(), int(page)) for title, page in PAGE.findall(dump.read())]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        tables, size = write_tables(folder, pages, arguments.rows)
        for run in range(1, arguments.runs + 1):
            without = link_seconds(arguments.program, arguments.dump, folder / 'without', [])
            with_tables = link_seconds(arguments.program, arguments.dump, folder / 'with', tables)
            print(json.dumps({'bench': 'sql', 'run': run, 'rows': arguments.rows, 'bytes': size, 'link_cpu_seconds': with_tables,
                              'without_tables': without, 'mb_per_cpu_second': round(size / 1e6 / (with_tables - without), 1)}), flush=True)
            for work in ('with', 'without'):
                subprocess.run(['rm', '-rf', folder / work], check=True)


if __name__ == '__main__':
    main()
