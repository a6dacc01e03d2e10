#!/usr/bin/env python3
"""Count markup that is left in what the wikitext reader shows: [[ ]] {{ }} '' == <ref in paragraphs, list items and cells.

wikitext_residue.py --program build/release/touchstone [--templates rules|drop] [--show N] [--tsv FILE] DUMP.xml[.bz2] ...

With --oracle the pages that have such signs are read by a running MediaWiki, too, and the signs that it does not show are
counted. Articles only. Code, formulas and nowiki text, where such signs are text, are taken out of the wikitext first. --show prints
the first N pieces of text with such signs, with the page they are on, to be checked against MediaWiki. With --tsv the
counts are put into that file, from which scripts/wikitext_conformance.py makes its page.
"""
import argparse
import bz2
import importlib.util
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


def shown_texts(document):
    yield from document["paragraphs"]
    for item in document["lists"]:
        yield item["text"]
    for table in document["tables"]:
        for row in table["rows"]:
            for cell in row:
                yield cell["text"]


def count(program, templates, name, show):
    pages = list(read_articles(name))
    command = [program, "parse", "--batch", "--templates", templates, "--lang", pages[0][0] if pages else "en"]
    lines = "".join(json.dumps({"name": page, "title": page, "wikitext": text}) + "\n" for _, page, text in pages)
    done = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True)
    counts, seen, suspects = dict.fromkeys(SIGNS, 0), 0, {}
    for document in map(json.loads, done.stdout.decode().splitlines()):
        for text in shown_texts(document):
            hits = [sign for sign in SIGNS if sign in text]
            for sign in hits:
                counts[sign] += text.count(sign)
                suspects.setdefault(document["name"], dict.fromkeys(SIGNS, 0))[sign] += text.count(sign)
            if hits and seen < show:
                seen += 1
                at = text.index(hits[0])
                print(json.dumps({"page": document["name"], "sign": hits[0], "text": text[max(0, at - 60):at + 80]}, ensure_ascii=False))
    return len(pages), counts, [(page, text, suspects[page]) for _, page, text in pages if page in suspects]


def unexplained(oracle, facts_module, suspects):
    """How many of the signs MediaWiki does not show on the same pages, and on which pages."""
    lines = "".join(json.dumps({"name": page, "title": page, "wikitext": text}) + "\n" for page, text, _ in suspects)
    done = subprocess.run(shlex.split(oracle), input=lines.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    html = {row["name"]: row.get("html") for row in map(json.loads, done.stdout.decode().splitlines())}
    total, names = 0, []
    for page, _, counts in suspects:
        facts = facts_module.facts(html.get(page))
        theirs = "\n".join(shown_texts(facts))
        more = sum(max(0, n - theirs.count(sign)) for sign, n in counts.items())
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
    options.add_argument("--oracle", help="with --templates drop: a command that gives MediaWiki's HTML, as for differential_wikitext.py")
    options.add_argument("--html-facts")
    options.add_argument("--show", type=int, default=0)
    options.add_argument("--tsv")
    options.add_argument("dumps", nargs="+")
    flags = options.parse_args()
    for name in flags.dumps:
        pages, counts, suspects = count(flags.program, flags.templates, name, flags.show)
        dump = os.path.basename(name)
        print(dump, flags.templates, f"{pages} articles", " ".join(f"{sign} {n}" for sign, n in counts.items()))
        rest = None
        if flags.oracle and flags.templates == "drop":
            spec = importlib.util.spec_from_file_location("html_facts", flags.html_facts)
            facts_module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(facts_module)
            rest, names = unexplained(flags.oracle, facts_module, suspects)
            print(f"  not shown by MediaWiki: {rest}", names[:flags.show])
        if flags.tsv:
            write_counts(flags.tsv, dump, flags.templates, pages, counts, rest)
    return 0


if __name__ == "__main__":
    sys.exit(main())
