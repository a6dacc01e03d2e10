#!/usr/bin/env python3
"""Count markup that remains in the output of the wikitext reader: [[ ]] {{ }} '' == <ref in the text of articles.

wikitext_residue.py --program build/release/touchstone [--templates rules|drop] [--show N] [--tsv FILE] DUMP.xml[.bz2] ...

Only articles are read. Code, formulas and nowiki text are removed first, because such markup is text there. With --oracle a
running MediaWiki also reads the pages with markup, and the markup that it does not show is counted. --show prints the first
N pieces of text with markup and their pages, for comparison with MediaWiki. --tsv writes the counts into that file, from
which scripts/wikitext_conformance.py makes its page.
"""
import argparse
import bz2
import html
import json
import os
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree

SIGNS = ("[[", "]]", "{{", "}}", "''", "==", "<ref")
LITERAL = re.compile(r"<(nowiki|pre|code|math|chem|ce|syntaxhighlight|source|score|tt)\b(?:[^<>]*/>|[^<>]*>.*?</\1\s*>)", re.DOTALL | re.IGNORECASE)


def read_articles(name):
    named = re.match(r"([a-z]{2,3})wiki-", os.path.basename(name))   # some dumps do not say their language
    language, space, page, text, model = named.group(1) if named else "en", None, "", "", "wikitext"
    with (bz2.open if name.endswith(".bz2") else open)(name) as file:
        for event, element in xml.etree.ElementTree.iterparse(file, events=("start", "end")):
            tag = element.tag.rsplit("}", 1)[-1]
            if event == "start":
                if tag == "mediawiki" and not named:
                    language = element.get("{http://www.w3.org/XML/1998/namespace}lang") or language
            elif tag == "title":
                page = element.text or ""
            elif tag == "ns":
                space = element.text
            elif tag == "model":
                model = element.text
            elif tag == "text":
                text = element.text or ""
            elif tag == "page":
                if space in ("0", None) and model == "wikitext" and text:
                    yield language, page, LITERAL.sub(" ", text)
                element.clear()


def count(program, templates, name, show):
    pages = list(read_articles(name))
    command = [program, "parse", "--batch", "--templates", templates, "--lang", pages[0][0] if pages else "en"]
    lines = "".join(json.dumps({"name": page, "title": page, "wikitext": text}) + "\n" for _, page, text in pages)
    done = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True)
    counts, seen, suspects = dict.fromkeys(SIGNS, 0), 0, {}
    for document in map(json.loads, filter(None, done.stdout.decode().split("\n"))):
        hits = {sign: document["text"].count(sign) for sign in SIGNS}
        if not any(hits.values()):
            continue
        suspects[document["name"]] = hits
        for sign, n in hits.items():
            counts[sign] += n
        if seen < show:
            seen += 1
            at = next(document["text"].index(sign) for sign in SIGNS if hits[sign])
            print(json.dumps({"page": document["name"], "text": document["text"][max(0, at - 60):at + 80]}, ensure_ascii=False))
    return len(pages), counts, [(page, text, suspects[page]) for _, page, text in pages if page in suspects]


def unexplained(oracles, suspects):
    """How many of the signs MediaWiki does not show on the same pages, in no reading of it, and on which pages."""
    lines = "".join(json.dumps({"name": page, "title": page, "wikitext": text}) + "\n" for page, text, _ in suspects)
    readings = []
    for oracle in oracles:
        done = subprocess.run(shlex.split(oracle), input=lines.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        readings.append({row["name"]: row.get("html") for row in map(json.loads, filter(None, done.stdout.decode().split("\n")))})
    total, names = 0, []
    for page, _, counts in suspects:
        theirs = [html.unescape(re.sub(r"<[^<>]*>", "", pages.get(page) or "")) for pages in readings]
        more = sum(max(0, n - max(text.count(sign) for text in theirs)) for sign, n in counts.items())
        total += more
        if more:
            names.append(page)
    return total, names


def write_counts(name, dump, templates, pages, counts, rest):
    try:
        with open(name, encoding="utf-8") as file:
            kept = [line for line in file.read().splitlines() if not line.startswith(f"residue\t{dump}\t{templates}\t")]
    except FileNotFoundError:
        kept = []
    kept.append("\t".join(["residue", dump, templates, str(pages), *(str(counts[sign]) for sign in SIGNS), "" if rest is None else str(rest)]))
    with open(name, "w", encoding="utf-8") as file:
        file.write("\n".join(kept) + "\n")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True)
    options.add_argument("--templates", default="rules", choices=("rules", "drop"))
    options.add_argument("--oracle", action="append", help="a command that gives MediaWiki's HTML, as for differential_wikitext.py; with the "
                         "templates blanked for drop; for rules two commands, one with the templates replaced by their arguments")
    options.add_argument("--show", type=int, default=0)
    options.add_argument("--tsv")
    options.add_argument("dumps", nargs="+")
    flags = options.parse_args()
    for name in flags.dumps:
        pages, counts, suspects = count(flags.program, flags.templates, name, flags.show)
        dump = os.path.basename(name)
        print(dump, flags.templates, f"{pages} articles", " ".join(f"{sign} {n}" for sign, n in counts.items()))
        rest = None
        if flags.oracle:
            rest, names = unexplained(flags.oracle, suspects)
            print(f"  not shown by MediaWiki: {rest}", names[:flags.show])
        if flags.tsv:
            write_counts(flags.tsv, dump, flags.templates, pages, counts, rest)
    return 0


if __name__ == "__main__":
    sys.exit(main())
