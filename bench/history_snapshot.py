#!/usr/bin/env python3
"""Makes the dump that a wiki would have had on a day from a dump of its full history.

    history_snapshot.py HISTORY --at YYYY-MM-DD > DUMP.xml

HISTORY is XML with all revisions (pages-meta-history), plain, .bz2 or .7z (with the program 7z). Each page keeps its last revision until the end of the day; pages that were made later are left
out. Deleted pages are not in such a history, and a moved page has its present title on all days. Memory holds one page.
"""
import argparse
import bz2
import re
import subprocess
import sys

REVISION = re.compile(rb'    <revision>.*?</revision>\n', re.DOTALL)
TIME = re.compile(rb'<timestamp>(.*?)</timestamp>')


def opened(path):
    if path.endswith('.7z'):
        return subprocess.Popen(['7z', 'e', '-so', path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return bz2.open(path) if path.endswith('.bz2') else open(path, 'rb')


def snapshot(lines, day, out):
    """Copies the dump to `out`. Each page keeps only its last revision until the end of `day`; pages without one are left out."""
    page = None
    for line in lines:
        if line == b'  <page>\n':
            page = []
        if page is None:
            out.write(line)
            continue
        page.append(line)
        if line != b'  </page>\n':
            continue
        text, page = b''.join(page), None
        kept = [revision[0] for revision in REVISION.finditer(text) if TIME.search(revision[0])[1][:10] <= day]
        if kept:
            last = max(kept, key=lambda revision: TIME.search(revision)[1])
            start = REVISION.search(text).start()
            out.write(text[:start] + last + b'  </page>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('history')
    parser.add_argument('--at', required=True)
    arguments = parser.parse_args()
    snapshot(opened(arguments.history), arguments.at.encode(), sys.stdout.buffer)


if __name__ == '__main__':
    main()
