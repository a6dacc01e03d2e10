#!/usr/bin/env python3
"""Compare the wikitext reader with MediaWiki on the pages of a whole dump.

wikitext_facts.py --program build/release/touchstone [--tsv tests/data/wikitext_measured.tsv] [--show N] [--check]
                  DUMP.xml[.bz2] FACTS [DUMP FACTS ...]

FACTS is a directory with files from a MediaWiki that has loaded the dump, plain or .gz: pages.tsv, nsnames.tsv, links.tsv
and optionally html.notpl.jsonl. links.tsv has three flags for each link: found with templates expanded, with templates
removed, and with templates replaced by their arguments. html.notpl.jsonl has the headings, tables, lists, paragraphs and
text of each page without templates.

Links are those of `touchstone links --text-only`. A link is missing if MediaWiki finds it in the running text with templates
removed, and the reader does not. It is invented if MediaWiki finds it in none of the three ways. Everything else is compared
with templates dropped: text as bags of words (F1 over all pages), headings in order, tables as grids with spans expanded and
with the link targets of their cells, list items and paragraphs in order. With --check the exit status is 1 if a link is
missing or invented, the headings of a page differ, less than 99 % of the tables are equal, or F1 is below 0.995.
"""
import argparse
import bz2
import collections
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

LEAST_TABLES, LEAST_F1 = 0.99, 0.995


def lines_of(folder, name):
    """Lines of a fact file, or None when there is none."""
    path = os.path.join(folder, name)
    for candidate, opener in ((path, open), (path + ".gz", gzip.open)):
        if os.path.exists(candidate):
            with opener(candidate, "rt", encoding="utf-8", newline="\n") as file:
                return file.read().rstrip("\n").split("\n")
    return None


def rows_of(folder, name):
    return [line.split("\t") for line in lines_of(folder, name)]


def read_pages(name):
    """(title, wikitext) of each page of the dump, its last revision."""
    title, text, model = "", "", "wikitext"
    with (bz2.open if name.endswith(".bz2") else open)(name, "rb") as file:
        for _, element in xml.etree.ElementTree.iterparse(file):
            tag = element.tag.rsplit("}", 1)[-1]
            if tag == "title":
                title = element.text or ""
            elif tag == "model":
                model = element.text
            elif tag == "text":
                text = element.text or ""
            elif tag == "revision":
                element.clear()
            elif tag == "page":
                if model == "wikitext":
                    yield title, text
                text, model = "", "wikitext"
                element.clear()


def fold(text):
    return re.sub(r"\s+", " ", (text or "").replace("\u00a0", " ")).strip()


def run(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **options).stdout


def articles(facts):
    return {row[3] for row in rows_of(facts, "pages.tsv")[1:] if row[2] == "0" and row[6] == "wikitext"}


def compare_links(program, dump, facts):
    """(links of the reader, missing, invented), the last two sorted lists."""
    with tempfile.TemporaryDirectory(prefix="wikitext-facts-") as work:
        out = os.path.join(work, "links.tsv")
        run(program, "--progress", "never", "ingest", "--dump", dump, "--work", work)
        run(program, "--progress", "never", "link", "--work", work)
        run(program, "links", "--work", work, "--text-only", "--out", out)
        with open(out, encoding="utf-8") as file:
            ours = {tuple(line.rstrip("\n").split("\t")[:2]) for line in file}
    pages = articles(facts)
    spaces = {name for number, name in rows_of(facts, "nsnames.tsv") if number != "0"}
    is_article = lambda title: title.split(":")[0] not in spaces or ":" not in title
    ours = {(source, target) for source, target in ours if source in pages and is_article(target)}
    anywhere, in_text = set(), set()
    for source, space, target, *flags in rows_of(facts, "links.tsv"):
        if space == "0" and source in pages:
            anywhere.add((source, target))
            if flags[1] == "1":
                in_text.add((source, target))
    return len(ours), sorted(in_text - ours), sorted(ours - anywhere)


def grid(rows):
    """A table's rows with spans written out: per position the text and the targets of links."""
    out, carried = [], {}
    for row in rows:
        positions = {column: cell for column, (_, cell) in carried.items()}
        below = {column: (left - 1, cell) for column, (left, cell) in carried.items() if left > 1}
        at = 0
        for cell in row:
            while at in positions:
                at += 1
            content = (fold(cell["text"]), tuple(cell["links"]))
            down = min(cell["rowspan"] or 1000, 1000)
            for column in range(at, at + min(cell["colspan"], 1000)):
                positions[column] = content
                if down > 1:
                    below[column] = (down - 1, content)
            at += min(cell["colspan"], 1000)
        carried = below
        if positions:
            out.append([positions.get(column, ("", ())) for column in range(max(positions) + 1)])
    return out


def table(found, others):
    """What is compared of a table, without links to `others`, which are no pages of the wiki."""
    cells = [[(text, tuple(target for target in links if target not in others)) for text, links in row] for row in grid(found["rows"])]
    return cells, fold(found["caption"])


def compare_pages(program, dump, facts, show):
    """Field -> [equal, compared], and the true and found words."""
    lines = lines_of(facts, "html.notpl.jsonl")
    if lines is None:
        return None
    pages = articles(facts)
    expected = {row["title"]: row for row in map(json.loads, lines) if row["title"] in pages and not row.get("is_redirect")}
    texts = {title: text for title, text in read_pages(dump) if title in expected}
    batch = "".join(json.dumps({"name": t, "title": t, "wikitext": text}) + "\n" for t, text in texts.items())
    special = {name for number, name in rows_of(facts, "nsnames.tsv") if int(number) < 0}
    counts = {field: [0, 0] for field in ("headings", "tables", "lists", "paragraphs")}
    both = theirs = ours = 0
    shown = 0
    output = run(program, "parse", "--batch", "--templates", "drop", "--siteinfo", dump, input=batch.encode())
    for page in map(json.loads, output.decode().splitlines()):
        title, wanted = page["name"], expected[page["name"]]
        others = {"", title} | {link["target"] for link in wanted["links"] if link["kind"] != "page" or link["target"].split(":")[0] in special}
        pairs = {
            "headings": [([(h["level"], fold(h["text"])) for h in side["headings"]]) for side in (wanted, page)],
            "tables": [[table(t, others) for t in side["tables"]] for side in (wanted, page)],
            "lists": [[(i["tag"], i["depth"], fold(i["text"])) for i in side["lists"]] for side in (wanted, page)],
            "paragraphs": [[fold(p) for p in side["paragraphs"]] for side in (wanted, page)],
        }
        for field, (there, here) in pairs.items():
            if field == "tables":
                counts[field][0] += sum((collections.Counter(map(repr, there)) & collections.Counter(map(repr, here))).values())
                counts[field][1] += max(len(there), len(here))
            elif there or here:
                counts[field][0] += there == here
                counts[field][1] += 1
            if there != here and shown < show:
                shown += 1
                a, b = next(((a, b) for a, b in zip(there, here) if a != b), (there[len(here):][:1], here[len(there):][:1]))
                print(json.dumps({"page": title, "field": field, "MediaWiki": a, "reader": b}, ensure_ascii=False)[:1500])
        there, here = (collections.Counter(fold(side["text"]).split()) for side in (wanted, page))
        if there != here and shown < show:
            shown += 1
            print(json.dumps({"page": title, "field": "text", "missing": sorted((there - here).elements())[:40], "invented": sorted((here - there).elements())[:40]}, ensure_ascii=False)[:1500])
        both += sum((there & here).values())
        theirs += sum(there.values())
        ours += sum(here.values())
    return counts, (2 * both / (theirs + ours) if theirs + ours else 1.0), len(texts)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True)
    options.add_argument("--tsv")
    options.add_argument("--show", type=int, default=0, metavar="N", help="print the first N differences of each dump")
    options.add_argument("--check", action="store_true")
    options.add_argument("pairs", nargs="+", metavar="DUMP FACTS")
    flags = options.parse_args()
    if len(flags.pairs) % 2:
        options.error("give a directory of facts behind each dump")
    bad = False
    for dump, facts in zip(flags.pairs[::2], flags.pairs[1::2]):
        name = os.path.basename(dump)
        links, missing, invented = compare_links(flags.program, dump, facts)
        row = [name, str(links), str(len(missing)), str(len(invented))]
        for kind, some in (("missing", missing), ("invented", invented)):
            for source, target in some[:flags.show]:
                print(json.dumps({"page": source, "field": kind + " link", "target": target}, ensure_ascii=False))
        bad |= bool(missing or invented)
        compared = compare_pages(flags.program, dump, facts, flags.show)
        if compared:
            counts, f1, pages = compared
            row += [str(pages)] + [f"{equal}/{total}" for equal, total in counts.values()] + [f"{f1:.5f}"]
            equal, total = counts["tables"]
            bad |= equal < LEAST_TABLES * total or f1 < LEAST_F1 or counts["headings"][0] < counts["headings"][1]
        else:
            row += [""] * 6
        print("{}: {} links, {} missing, {} invented; {} pages: headings {}, tables {}, lists {}, paragraphs {}, F1 {}".format(*row))
        if flags.tsv:
            write_row(flags.tsv, row)
    return 1 if flags.check and bad else 0


def write_row(name, row):
    """Puts the counts of this dump in the file, in place of earlier ones."""
    try:
        with open(name, encoding="utf-8") as file:
            kept = [line for line in file.read().splitlines() if not line.startswith(f"facts\t{row[0]}\t")]
    except FileNotFoundError:
        kept = []
    kept.append("\t".join(["facts", *row]))
    with open(name, "w", encoding="utf-8") as file:
        file.write("\n".join(kept) + "\n")


if __name__ == "__main__":
    sys.exit(main())
