#!/usr/bin/env python3
"""Measure how long mwparserfromhell, the most common parser in scripts on wikitext, takes for the articles of a dump.

bench_wikitext_peer.py DUMP.xml.bz2
bench_wikitext_peer.py --compare OURS.json PEER.json

The first form prints one JSON object {bytes, pages, parse_seconds, text_seconds}: the time to parse each article, and the
time to parse it and extract text, links and headings. This is less than the reader in bench_wikitext extracts: no tables,
no lists, templates dropped. The second form compares it with the output of bench_wikitext (--benchmark_format=json).
"""
import bz2
import json
import sys
import time

try:
    import mwparserfromhell
except ImportError:
    sys.exit("bench_wikitext_peer.py: install the Debian package python3-mwparserfromhell")

from differential_wikitext import articles


def seconds(work, texts):
    start = time.process_time()
    for text in texts:
        work(text)
    return time.process_time() - start


def extract(text):
    code = mwparserfromhell.parse(text)
    return code.strip_code(), [link.title for link in code.ifilter_wikilinks()], code.filter_headings()


def compare(ours, peer):
    for run in ours["benchmarks"]:
        if run["name"] not in ("wikitext/rules", "wikitext/drop"):
            continue
        seconds = run["cpu_time"] / 1000
        print(json.dumps({"bench": run["name"], "seconds": round(seconds, 4),
                          "megabytes_per_second": round(peer["bytes"] / seconds / 1e6, 1), "peer": "mwparserfromhell",
                          "peer_seconds": peer["text_seconds"], "peer_over_ours": round(peer["text_seconds"] / seconds, 1),
                          "peer_parse_over_ours": round(peer["parse_seconds"] / seconds, 1)}))


def main():
    if sys.argv[1] == "--compare":
        with open(sys.argv[2]) as ours, open(sys.argv[3]) as peer:
            compare(json.load(ours), json.load(peer))
        return
    with bz2.open(sys.argv[1]) as dump:
        texts = list(articles(dump))
    print(json.dumps({"bytes": sum(len(text.encode()) for text in texts), "pages": len(texts),
                      "parse_seconds": round(seconds(mwparserfromhell.parse, texts), 3),
                      "text_seconds": round(seconds(extract, texts), 3)}))


if __name__ == "__main__":
    main()
