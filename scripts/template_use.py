#!/usr/bin/env python3
"""Count the outcomes of the template calls in articles: rendered by a rule, dropped, or known to have no running text.

template_use.py --program build/release/touchstone [--top N] [--tsv FILE] DUMP.xml[.bz2] ...

The counts are separate for lead sections, list tables (tables of articles whose title starts with "List of" or with a
prefix in --list-prefix), and whole articles. A call counts where it is shown; calls inside a dropped call do not count.
--top prints the most frequent templates over all dumps. Calls in leads and list tables count --weight-leads and
--weight-tables times.
"""
import argparse
import collections
import json
import os
import re
import subprocess

from wikitext_residue import read_articles

PLACES = ("lead", "table", "article")
HEADING = re.compile(r"^=+[^=].*=+[ \t]*$", re.MULTILINE)
TABLE = re.compile(r"^[ \t:]*\{\|.*?^[ \t]*\|\}", re.MULTILINE | re.DOTALL)


def snippets(name, prefixes):
    language = None
    for language, page, text in read_articles(name):
        heading = HEADING.search(text)
        yield language, page, "lead", text[:heading.start()] if heading else text
        if page.startswith(prefixes):
            yield language, page, "table", "\n".join(TABLE.findall(text))
        yield language, page, "article", text


def count(program, name, prefixes):
    inputs = list(snippets(name, prefixes))
    lines = "".join(json.dumps({"name": place, "title": page, "wikitext": text}) + "\n" for _, page, place, text in inputs)
    command = [program, "parse", "--batch", "--count-templates", "--lang", inputs[0][0] if inputs else "en"]
    done = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True)
    uses = {place: collections.defaultdict(collections.Counter) for place in PLACES}
    for document in map(json.loads, done.stdout.decode().splitlines()):
        for title, use in document.get("templates", {}).items():
            uses[document["name"]][title].update(use)
    return uses


def total(uses):
    return sum(uses.values(), collections.Counter())


def share(use):
    shown = use["rendered"] + use["dropped"]
    return f"{100 * use['rendered'] / shown:.1f} %" if shown else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--top", type=int, default=0)
    parser.add_argument("--dropped-only", action="store_true", help="of the most frequent, those that are dropped")
    parser.add_argument("--list-prefix", nargs="+", default=["List of", "Lists of", "Liste "])
    parser.add_argument("--weight-leads", type=int, default=3)
    parser.add_argument("--weight-tables", type=int, default=3)
    parser.add_argument("--tsv", help="write dump, place, rendered, dropped, aside to this file")
    parser.add_argument("dumps", nargs="+")
    arguments = parser.parse_args()
    everything, rows = collections.defaultdict(collections.Counter), []
    for name in arguments.dumps:
        uses = count(arguments.program, name, tuple(arguments.list_prefix))
        for place in PLACES:
            use = total(uses[place])
            rows.append((os.path.basename(name), place, use["rendered"], use["dropped"], use["aside"], share(use)))
            weight = {"lead": arguments.weight_leads, "table": arguments.weight_tables, "article": 1}[place]
            for title, counts in uses[place].items():
                for key, n in counts.items():
                    everything[title][key] += weight * n
    lines = ["\t".join(map(str, row)) for row in [("dump", "place", "rendered", "dropped", "aside", "share rendered"), *rows]]
    print("\n".join(lines))
    if arguments.tsv:
        with open(arguments.tsv, "w") as file:
            file.write("\n".join(lines) + "\n")
    chosen = [item for item in everything.items() if not arguments.dropped_only or item[1]["dropped"]]
    key = (lambda item: (-item[1]["dropped"], item[0])) if arguments.dropped_only else (lambda item: (-sum(item[1].values()), item[0]))
    for title, use in sorted(chosen, key=key)[:arguments.top]:
        print(f"{sum(use.values()):8} {use['rendered']:8} {use['dropped']:8} {use['aside']:8}  {title}")


if __name__ == "__main__":
    main()
