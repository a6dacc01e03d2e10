#!/usr/bin/env python3
"""Compare the wikitext reader with MediaWiki's own parser tests and write docs/wikitext-conformance.md.

wikitext_conformance.py --program build/release/touchstone --cases CASES.jsonl --template-cases CASES.jsonl
                        --articles ARTICLES.jsonl [--measured tests/data/wikitext_measured.tsv]
                        [--page docs/wikitext-conformance.md] [--check]

A case is a JSON line {name, title, wikitext, links, headings, tables, lists, paragraphs, text, redirect, mw139_agrees};
only fields on which MediaWiki 1.39 gives what the test expects are compared. Links are compared as sets of titles,
headings and tables exactly, lists, paragraphs and text by their words. What needs a running MediaWiki or large dumps is
measured by scripts/wikitext_facts.py, scripts/differential_wikitext.py and scripts/wikitext_residue.py, which put their counts into the file that
--measured names; the page shows them, too. With --check nothing is written and the exit
status is 1 when a case differs for which no reason is known, or more than 3 % of a file's cases differ.
"""
import argparse
import json
import re
import subprocess
import sys
import unicodedata

MUST_AGREE = ("links", "headings", "tables")
ALSO_SHOWN = ("lists", "paragraphs", "text")
MAX_DIFFERENT = 0.03  # of the cases of a file, in links, headings or tables

# Why a case may differ: a pattern on its name, the field, and a reason that a MediaWiki developer would accept.
REASONS = [
    (r"[Ii]nterlanguage|[Ii]nterwiki|with no contents|PMID interwiki|namespace matching a local|Table cell attribute merging",
     r"links|tables", "the test suite configures its own interwiki prefixes and site name; a real wiki's are used here"),
    (r"Link to namespaces|Piped link to namespace", r"links", "the test suite calls its project namespace Meta; here meta: is the sister wiki"),
    (r"Nested special page", r"links", "special pages are made by the running wiki; a dump has none"),
    (r"T34057", r"headings", "interface messages are no part of a dump"),
    (r"spantag", r"links", "a tag that only the test suite's extension defines"),
]


def fold(text):
    return re.sub(r"\s+", " ", (text or "").replace("\u00a0", " ")).strip()


def title(text):
    text = unicodedata.normalize("NFC", re.sub(r"[ _]+", " ", text.split("#")[0])).strip().lstrip(":").strip()
    return text[:1].upper() + text[1:]


def comparable(field, value):
    value = value or []
    if field == "links":
        return {title(x if isinstance(x, str) else x["target"]) for x in value} - {""}
    if field == "headings":
        return [(h["level"], fold(h["text"])) for h in value]
    if field == "tables":
        rows = [t["rows"] if isinstance(t, dict) else t for t in value]
        return [[[fold(c if isinstance(c, str) else c["text"]) for c in row] for row in table if row] for table in rows]
    if field == "lists":
        return [(item["tag"], fold(item["text"])) for item in value]
    if field == "paragraphs":
        return [fold(p) for p in value]
    return fold(value if isinstance(value, str) else "").split()


def run(command, cases):
    lines = "".join(json.dumps({k: c[k] for k in ("name", "title", "wikitext")}, ensure_ascii=False) + "\n" for c in cases)
    done = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True)
    return {o["name"]: o for o in map(json.loads, filter(None, done.stdout.decode().split("\n")))}


def compare(cases, results):
    counts, different = {}, []
    for case in cases:
        got = results[case["name"]]
        for field in MUST_AGREE + ALSO_SHOWN:
            if not case["mw139_agrees"].get(field, True) or (field == "links" and case["redirect"]):
                continue
            expected, found = comparable(field, case[field]), comparable(field, got[field])
            if not expected and not found:
                continue
            total = counts.setdefault(field, [0, 0])
            total[0] += 1
            if expected == found:
                total[1] += 1
            elif field in MUST_AGREE:
                reason = next((r for n, f, r in REASONS if re.search(n, case["name"]) and re.search(f, field)), None)
                different.append((case["name"], field, reason))
    return counts, different


# Why pages of whole dumps may differ.
FACTS_REASONS = (
    "text, paragraphs: counts of the running wiki (`{{NUMBEROFARTICLES}}`) and its day (`{{CURRENTYEAR}}`) are not known here",
    "text, paragraphs: messages of MediaWiki on footnotes of a group that nothing lists, and on expressions that have no value, are no text of the page",
    "paragraphs, lists: the lines of a formula are lines of the page in the MediaWiki compared with, which has no formula extension",
    "paragraphs, lists: links to the wiki's own language are shown by the MediaWiki compared with, which is not told of other editions",
)

# Why mutated pieces of pages may differ: the fields, an example, and the reason.
DIFFERENTIAL_REASONS = [
    ("text", "a<sup>b<div>", "an element that is still open when a block begins leaves the paragraph with its text; "
     "the words around its start stay joined here"),
    ("text", "''<table>[[a]]b", "an element that is open in front of an unclosed table: MediaWiki parts the text that is moved in front of the table"),
    ("text", "<ref></div>a</ref>", "an end tag without a start in a footnote ends the list of footnotes, and what follows in it is text of the page"),
    ("text", "http://[", "MediaWiki writes the bracket of a bare URL as %5B; the text is shown here as it was written"),
    ("text", "'[[Category:A]]'", "apostrophes on both sides of a category join in MediaWiki"),
    ("text", "<sup__NOTOC__>", "MediaWiki looks for tags before it takes switches out; a switch inside of a tag's name is taken out first here"),
    ("text, headings", "a__TOC__b", "the place of the table of contents parts the words around it in MediaWiki"),
    ("text", "<math>\\n:</math>", "lines of a formula are lines of the page in the MediaWiki compared with, which has no formula extension"),
    ("headings", "=<table>=\\n===", "text of two headings that is moved in front of an unclosed table stands in the first of them"),
    ("headings", "=__NOTOC__=", "a heading of nothing but a switch is none here"),
    ("tables", "{|\\n|colspan=0|a", "browsers show a cell over no column as one over one; the grid it is compared with leaves it out"),
    ("tables", "!|!!|", "marks that follow each other part fewer cells here"),
    ("links", "<imagemap>[[a]]</imagemap>", "links of image maps are links of the page; the MediaWiki compared with has no such extension"),
    ("links", "[[\u10d0]]", "MediaWiki 1.39 begins Georgian titles with capitals, which Wikipedia's settings forbid"),
    ("links, text", "<ref><!--</ref> <ref>b</ref>", "a comment that never ends swallows the footnotes behind it in MediaWiki's list, not here"),
    ("links", "{|\\n|-<ref>[[a]]</ref>", "links of a footnote among the attributes of a row without cells are not looked for"),
    ("tables, links", "[[File:a|thumb|[[]]|alt=\\n{|\\n]]", "what stands in the caption of an image whose description is not the last argument is not shown"),
    ("links, text", "<ref name=[[a]]></ref>", "MediaWiki reads the name of a broken footnote as wikitext in its error message"),
]


def measured(name):
    """The page's sections on what the other scripts counted."""
    facts, fuzz, residue = [], [], []
    with open(name, encoding="utf-8") as lines:
        for line in lines:
            kind, *row = line.rstrip("\n").split("\t")
            if kind == "facts":
                facts.append(row)
            elif kind == "fuzz":
                fuzz.append(row)
            elif kind == "residue":
                residue.append(row)
    out = ["## Whole dumps", "",
           "Articles of dumps as MediaWiki 1.39 reads them and as the reader does, each in the language the dump names",
           "(`scripts/wikitext_facts.py`, which says how). Missing and invented links are counted against `touchstone links --text-only`;",
           "for the rest templates are dropped on both sides, and equal and compared pages (tables: tables) are given.", "",
           "| dump | links | missing | invented | pages | headings | tables | lists | paragraphs | F1 of words |",
           "|---|---|---|---|---|---|---|---|---|---|"]
    out += ["| " + " | ".join(row) + " |" for row in facts]
    out += ["", "What is left:", ""]
    out += [f"- {reason}" for reason in FACTS_REASONS]
    out += ["", "## Mutated pieces of real pages", "",
           "Pieces of 1-30 lines of articles, templates taken out, markup deleted, doubled, swapped and put in, read by MediaWiki 1.39",
           "and by the reader (`scripts/differential_wikitext.py`, which says how).", "",
           "| dump | seed | field | compared | differ | share |", "|---|---|---|---|---|---|"]
    for dump, seed, field, compared, differ in fuzz:
        out.append(f"| {dump} | {seed} | {field} | {compared} | {differ} | {100 * int(differ) / max(1, int(compared)):.2f} % |")
    out += ["", "Kinds of difference that are left:", ""]
    out += [f"- {fields}: `{example}`: {reason}" for fields, example, reason in DIFFERENTIAL_REASONS]
    out += ["", "## Markup in shown text", "",
            "Signs in the text of articles, outside of code, formulas and nowiki text",
            "(`scripts/wikitext_residue.py`). MediaWiki 1.39 read the same pages, for drop without templates, for rules also with each",
            "template replaced by its arguments. The last number says how many of the signs it does not show; all others stand in its",
            "HTML, too, since the pages have broken markup. What is left is an image on one page whose end is sought in vain as far as",
            "into a link that a rule makes; the templates replaced otherwise, that link is none.", "",
            "| dump | templates | articles | `[[` | `]]` | `{{` | `}}` | `''` | `==` | `<ref` | not in MediaWiki |",
            "|---|---|---|---|---|---|---|---|---|---|---|"]
    out += ["| " + " | ".join(row) + " |" for row in residue]
    return out


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True)
    options.add_argument("--cases", required=True)
    options.add_argument("--template-cases")
    options.add_argument("--articles")
    options.add_argument("--measured")
    options.add_argument("--page", default="docs/wikitext-conformance.md")
    options.add_argument("--check", action="store_true")
    flags = options.parse_args()
    parts = [("Cases without templates", flags.cases, [])]
    if flags.template_cases:
        parts.append(("Cases with templates, expanded from their pages", flags.template_cases,
                      ["--templates", "expand", "--pages", flags.articles]))
    page = ["# Wikitext conformance", "",
            "This page is written by `scripts/wikitext_conformance.py`; do not edit it.", "",
            "The wikitext reader is compared with the parser tests of the MediaWiki project, field by field where MediaWiki 1.39",
            "gives what the test expects. Counted are the cases in which either side has something.", ""]
    unexplained = too_many = 0
    for heading, file, extra in parts:
        with open(file, encoding="utf-8") as lines:
            cases = [json.loads(line) for line in lines]
        counts, different = compare(cases, run([flags.program, "parse", "--batch", *extra], cases))
        page += [f"## {heading}", "", f"{len(cases)} cases.", "", "| field | compared | equal | share |", "|---|---|---|---|"]
        for field in MUST_AGREE + ALSO_SHOWN:
            total, equal = counts.get(field, [0, 0])
            page.append(f"| {field} | {total} | {equal} | {100 * equal / max(1, total):.1f} % |")
        names = {name for name, _, _ in different}
        too_many += len(names) > MAX_DIFFERENT * len(cases)
        page += ["", f"Links, headings or tables differ in {len(names)} cases ({100 * len(names) / len(cases):.1f} %):", ""]
        for name, field, reason in different:
            page.append(f"- {name} ({field}): {reason or 'no reason known yet'}")
            unexplained += reason is None
        page.append("")
    if flags.check:
        print(f"{unexplained} differences without a known reason; {too_many} files with more than {MAX_DIFFERENT:.0%} of cases that differ")
        return 1 if unexplained or too_many else 0
    if flags.measured:
        page += measured(flags.measured)
    with open(flags.page, "w", encoding="utf-8") as out:
        out.write("\n".join(page).rstrip() + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
