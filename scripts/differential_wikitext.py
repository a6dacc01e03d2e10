#!/usr/bin/env python3
"""Compare the wikitext reader with a running MediaWiki on mutated pieces of real pages.

differential_wikitext.py --program build/release/touchstone --dump PAGES.xml --oracle 'COMMAND' --html-facts html_facts.py
                         --count 20000 --seed 1 [--shrink 20] [--tsv tests/data/wikitext_differential.tsv --label NAME]

The script cuts pieces of 1-30 lines from the articles of the dump and mutates them: it deletes, doubles, swaps and inserts
markup. A seed always gives the same pieces. COMMAND reads JSON lines {name, title, wikitext} and writes JSON lines {name,
html, links} with the output of an English MediaWiki and its table of links as [namespace, title]. html_facts.py is a module
with facts(html) and grid(table). Templates are removed from the pieces first, and mutation never creates two adjacent
opening braces, so that both sides read texts without templates.

These are compared: link targets (all links in the HTML must be found, and no link that MediaWiki does not count), headings,
table grids with spans expanded, and the words of the text. Footnotes that contained only templates get one word. The marks
of footnotes and messages about broken footnotes are removed from MediaWiki's HTML.

--shrink reduces the first differing pieces of each field as long as they differ, and prints them. --tsv writes the counts of
this label into that file, from which scripts/wikitext_conformance.py makes its page.
"""
import argparse
import collections
import importlib.util
import json
import random
import re
import shlex
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree

NAMESPACES = {1: "Talk:", 2: "User:", 3: "User talk:", 4: "Wikipedia:", 5: "Wikipedia talk:", 6: "File:", 7: "File talk:", 8: "MediaWiki:",
              9: "MediaWiki talk:", 10: "Template:", 11: "Template talk:", 12: "Help:", 13: "Help talk:", 14: "Category:",
              15: "Category talk:", 828: "Module:", 829: "Module talk:"}
FIELDS = ("links", "headings", "tables", "text")
TOKENS = ["[[", "]]", "[", "]", "{|", "|}", "|-", "|", "||", "!", "!!", "''", "'''", "'''''", "=", "==", "===", "<ref>", "</ref>",
          "<ref name=a />", "<nowiki>", "</nowiki>", "<nowiki/>", "<!--", "-->", "<div>", "</div>", "<span>", "</span>", "<br>", "<li>",
          "<table>", "<tr>", "<td>", "</table>", "<blockquote>", "</blockquote>", "<small>", "</small>", "*", "#", ":", ";", " ", "\n",
          "\n\n", "\t", "&amp;", "&lt;", "&#91;", "&nbsp;", "%20", "%5B", "%C3%A9", "__NOTOC__", "----", "\n* ", "\n# ", "\n: ", "\n; ",
          "\n|-\n", "\n| ", "\n! ", "\n{|\n", "\n|}\n", "\n== ", " ==\n", "http://example.org ", "[[File:A.jpg|thumb|", "[[Category:A]]",
          "|+", "colspan=2 |", "rowspan=2 |", "<pre>", "</pre>", "\u00a0", "\u200e"]
CITE_ERROR = re.compile(r'<(span|strong) class="error mw-ext-cite-error".*?</\1>', re.DOTALL)
CITE_MARK = re.compile(r'<a href="#cite_note[^"]*">.*?</a>')
MARKUP = re.compile(r"\[\[|\]\]|\{\||\|\}|\|-|\|\||\||!!|!|'{2,}|={1,6}|</?[a-zA-Z][^<>\n]*>|<!--|-->|^[*#:; ]+|&[#\w]+;|%[0-9A-F]{2}|\n",
                    re.MULTILINE)


def articles(dump):
    """The wikitext of the articles of a dump, a file or its name, in order; redirects and empty pages too."""
    space, text = None, ""
    for _, element in xml.etree.ElementTree.iterparse(dump):
        tag = element.tag.rsplit("}", 1)[-1]
        if tag == "ns":
            space = element.text
        elif tag == "text":
            text = element.text or ""
        elif tag == "page":
            if space == "0":
                yield text
            element.clear()


def read_articles(name):
    return [without_templates(text) for text in articles(name) if text and not text.startswith("#")]


def without_templates(text):
    innermost = re.compile(r"\{\{[^{}]*\}\}")
    while True:
        shorter = innermost.sub("", text)
        if shorter == text:
            return without_double_braces(re.sub(r"(<ref\b[^<>/]*>)\s*(</ref>)", r"\1note\2", text))
        text = shorter


def without_double_braces(text):
    return re.sub(r"\{(?=\{)|\}(?=\})", "", text)


def cut_and_mutate(generator, texts):
    lines = generator.choice(texts).split("\n")
    count = generator.randint(1, 30)
    first = generator.randrange(max(1, len(lines) - count + 1))
    text = "\n".join(lines[first:first + count])
    for _ in range(generator.randint(0, 5)):
        found = list(MARKUP.finditer(text))
        kind = generator.randrange(5)
        if kind == 0 or not found:
            at = generator.randint(0, len(text))
            text = text[:at] + generator.choice(TOKENS) + text[at:]
            continue
        one = generator.choice(found)
        if kind == 1:
            text = text[:one.start()] + text[one.end():]
        elif kind == 2:
            text = text[:one.end()] + one.group() + text[one.end():]
        elif kind == 3:
            text = text[:one.start()] + generator.choice(TOKENS) + text[one.end():]
        else:
            other = generator.choice(found)
            one, other = sorted((one, other), key=lambda match: match.start())
            if one is not other:
                text = text[:one.start()] + other.group() + text[one.end():other.start()] + one.group() + text[other.end():]
    return without_double_braces(text).strip("\n")


def run(command, texts):
    """Results by number. The command gets all texts at once."""
    lines = "".join(json.dumps({"name": str(i), "title": "Parser test", "wikitext": t}) + "\n" for i, t in enumerate(texts))
    done = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return {int(row["name"]): row for row in map(json.loads, filter(None, done.stdout.decode().split("\n")))}


def fold(text):
    return re.sub(r"\s+", " ", (text or "").replace("\u00a0", " ")).strip()


def title(text):
    return re.sub(r"[ _]+", " ", unicodedata.normalize("NFC", text)).strip()


def differences(facts_module, expected, found):
    """The fields in which both differ, with what each side has."""
    facts = facts_module.facts(CITE_MARK.sub("", CITE_ERROR.sub("", expected["html"])))
    out = {}
    must = {title(link["target"]) for link in facts["links"] if link["kind"] == "page" and not link.get("via_image")} - {"Parser test"}
    may = must | {title(NAMESPACES.get(space, "") + name) for space, name in expected.get("links") or []}
    # Footnotes of a group that nothing on the page lists are shown by templates only: their links are not compared.
    got = {title(link["target"]) for link in found["links"] if link["origin"] == "text"} - {"Parser test"}
    if must - got or got - may:
        out["links"] = {"missing": sorted(must - got), "invented": sorted(got - may)}
    pairs = {
        "headings": ([(h["level"], fold(h["text"])) for h in facts["headings"]], [(h["level"], fold(h["text"])) for h in found["headings"]]),
        "tables": ([cells(facts_module.grid(t)) for t in facts["tables"]], [cells(t["grid"]) for t in found["tables"]]),
        "text": (collections.Counter(fold(facts["text"]).split()), collections.Counter(fold(found["text"]).split())),
    }
    for field, (theirs, ours) in pairs.items():
        if theirs == ours:
            continue
        if field == "text":
            out[field] = {"missing": sorted((theirs - ours).elements()), "invented": sorted((ours - theirs).elements())}
        else:
            out[field] = {"MediaWiki": theirs, "reader": ours}
    return out


def cells(grid):
    return [[fold(cell) for cell in row] for row in grid if row]


class Comparison:
    def __init__(self, program, oracle, facts_module):
        self.program = [program, "parse", "--batch", "--templates", "drop"]
        self.oracle = shlex.split(oracle)
        self.facts_module = facts_module

    def compare(self, texts, batch=2000):
        """For each text the fields in which both differ, or None where MediaWiki itself failed."""
        out = []
        for first in range(0, len(texts), batch):
            part = texts[first:first + batch]
            expected, found = run(self.oracle, part), run(self.program, part)
            for i in range(len(part)):
                usable = i in expected and "html" in expected[i] and not expected[i].get("redirect")
                out.append(differences(self.facts_module, expected[i], found[i]) if usable else None)
        return out

    def shrink(self, failures):
        """Cuts each (text, field) down, first by lines, then by markup and words, while the field still differs."""
        for split in (r"(?<=\n)", r"(?=\W)|(?<=\W)"):
            open_ones = set(range(len(failures)))
            sizes = {i: max(1, len(re.split(split, failures[i][0])) // 2) for i in open_ones}
            while open_ones:
                tries = []
                for i in sorted(open_ones):
                    pieces = re.split(split, failures[i][0])
                    size = sizes[i]
                    tries += [(i, "".join(pieces[:at] + pieces[at + size:])) for at in range(0, len(pieces), size)]
                results = self.compare([text for _, text in tries])
                smaller = {}
                for (i, text), result in zip(tries, results):
                    if result and failures[i][1] in result and text != failures[i][0] and i not in smaller:
                        smaller[i] = text
                for i in list(open_ones):
                    if i in smaller:
                        failures[i] = (smaller[i], failures[i][1])
                    elif sizes[i] > 1:
                        sizes[i] //= 2
                    else:
                        open_ones.discard(i)
        return failures


def write_counts(name, label, flags, compared, differing):
    """Puts the counts of this run in the file, in place of earlier ones with its label."""
    try:
        with open(name, encoding="utf-8") as file:
            kept = [line for line in file.read().splitlines() if not line.startswith(f"fuzz\t{label}\t")]
    except FileNotFoundError:
        kept = []
    kept += [f"fuzz\t{label}\t{flags.seed}\t{field}\t{compared}\t{differing[field]}" for field in FIELDS]
    with open(name, "w", encoding="utf-8") as file:
        file.write("\n".join(kept) + "\n")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True)
    options.add_argument("--dump", required=True)
    options.add_argument("--oracle", required=True)
    options.add_argument("--html-facts", required=True)
    options.add_argument("--count", type=int, default=20000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--shrink", type=int, default=0, metavar="N", help="cut down and print N failures of each field")
    options.add_argument("--tsv")
    options.add_argument("--label", default="")
    flags = options.parse_args()
    spec = importlib.util.spec_from_file_location("html_facts", flags.html_facts)
    facts_module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(facts_module)

    generator = random.Random(flags.seed)
    articles = read_articles(flags.dump)
    texts = [cut_and_mutate(generator, articles) for _ in range(flags.count)]
    comparison = Comparison(flags.program, flags.oracle, facts_module)
    results = comparison.compare(texts)
    compared = sum(result is not None for result in results)
    differing = {field: sum(bool(result) and field in result for result in results) for field in FIELDS}
    print(f"{compared} of {len(texts)} texts compared, seed {flags.seed}")
    for field in FIELDS:
        print(f"{field}: {differing[field]} differ ({100 * differing[field] / max(1, compared):.2f} %)")
    if flags.tsv:
        write_counts(flags.tsv, flags.label or flags.dump.rsplit("/", 1)[-1], flags, compared, differing)
    if flags.shrink:
        failures = []
        for field in FIELDS:
            hits = [(text, field) for text, result in zip(texts, results) if result and field in result]
            failures += hits[:flags.shrink]
        failures = comparison.shrink(failures)
        seen = set()
        for (text, field), result in zip(failures, comparison.compare([text for text, _ in failures])):
            if (text, field) not in seen:
                print(json.dumps({"field": field, "wikitext": text, "difference": (result or {}).get(field)}, ensure_ascii=False))
            seen.add((text, field))
    return 0


if __name__ == "__main__":
    sys.exit(main())
