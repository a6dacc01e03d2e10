#!/usr/bin/env python3
"""Compare language conversion rules in the wikitext reader with a running MediaWiki, on generated texts.

differential_variants.py --program build/release/touchstone --language zh --oracle 'COMMAND' --html-facts html_facts.py
                         [--count 2000] [--seed 1] [--print 20]

The texts have 1-4 lines of conversion rules (-{zh-hans:a;zh-hant:b}-) with all flags, nested in each other and in links,
tables, lists, headings, captions and arguments, and with other markup inside. Some are broken. A seed always gives the same
texts. COMMAND reads JSON lines {name, title, wikitext} and writes JSON lines {name, html, links}. It must run a MediaWiki
of the language with content conversion, with a new converter for each text. The comparison is that of
scripts/differential_wikitext.py; messages about rules are removed from MediaWiki's HTML.
"""
import argparse
import collections
import importlib.util
import random
import re
import shlex

from differential_wikitext import differences, run

CODES = {"zh": ["zh", "zh-hans", "zh-hant", "zh-cn", "zh-tw", "zh-hk", "zh-Hans", "ZH-TW", "zh-sg", "zh-foo", "en"],
         "sr": ["sr", "sr-ec", "sr-el", "sr-Cyrl", "sr-Latn", "SR-EC", "en"],
         "kk": ["kk", "kk-cyrl", "kk-latn", "kk-arab", "kk-kz", "kk-tr", "kk-cn"]}
FLAGS = ["A", "T", "R", "D", "-", "H", "N", "S", "W", "E"]
WORDS = ["foo", "bar", "alpha beta", "x", "foobar", "baz", "Q", "one two", "al", "barfoo"]
SIGNS = ["&nbsp;", "&amp;", "a&lt;b", "&#65;", "a;b", "a:b", "a=>b", "a|b"]
MAX_DEPTH = 4
MESSAGE = re.compile(r'<span class="error">.*?</span>', re.DOTALL)


class Maker:
    """Makes texts of one language."""

    def __init__(self, language, seed):
        self.codes = CODES[language]
        self.flags = FLAGS + self.codes[:4]
        self.random = random.Random(seed)

    def word(self, depth):
        pick, chance = self.random.choice, self.random.random()
        makers = [(.60, lambda: pick(WORDS)),
                  (.64, lambda: f"[[{pick(['A', 'B c', 'Foo'])}]]"),
                  (.68, lambda: f"[[{pick(['A', 'B c'])}|{self.inside(depth + 1)}]]"),
                  (.72, lambda: f"'''{pick(WORDS)}'''"),
                  (.75, lambda: f"''{pick(WORDS)}''"),
                  (.78, lambda: pick(SIGNS)),
                  (.81, lambda: f"<b>{self.inside(depth + 1)}</b>"),
                  (.83, lambda: f'<span style="color:red">{pick(WORDS)}</span>'),
                  (.85, lambda: f"<nowiki>{pick(['}-', '-{', 'zh:a;', ';'])}</nowiki>"),
                  (.87, lambda: f"http://ex.org/{pick(WORDS[:1])} "),
                  (.89, lambda: f"[http://ex.org {self.inside(depth + 1)}]"),
                  (.91, lambda: f"<ref>{pick(WORDS)}</ref>"),
                  (.92, lambda: pick(["-{", "}-", "{", "}", "-"])),
                  (.935, lambda: f"<!-- {pick(WORDS)} -->"),
                  (.95, lambda: f"{{{{#if:{pick(['', 'x'])}|{pick(WORDS)}}}}}"),
                  (1.0, lambda: self.form(depth + 1))]
        return next(make for bound, make in makers if chance < bound)()

    def inside(self, depth):
        if depth > MAX_DEPTH:
            return self.random.choice(WORDS)
        count = self.random.choice([1, 1, 1, 2, 3])
        return self.random.choice(["", "", " "]).join(self.word(depth) for _ in range(count)) or "x"

    def entry(self, depth):
        blank, chance = self.random.choice(["", "", "", " "]), self.random.random()
        if chance < .8:
            code = self.random.choice(self.codes[:6] if self.random.random() < .9 else self.codes)
            return blank + code + blank + ":" + blank + self.inside(depth) + blank
        if chance < .95:
            return f"{self.inside(depth)}=>{self.random.choice(self.codes[:6])}:{self.inside(depth)}"
        return self.inside(depth)

    def form(self, depth):
        chance = self.random.random()
        count = 0 if chance < .55 else 1 if chance < .95 else self.random.choice([2, 3])
        flags = ";".join(self.random.choice(self.flags) for _ in range(count)) + ("|" if count else "")
        if self.random.random() < .15:
            body = self.inside(depth)
        else:
            mark = self.random.choice([";", ";", "; ", ";\n"])
            body = mark.join(self.entry(depth) for _ in range(self.random.choice([1, 2, 2, 2, 3, 4])))
        return "-{" + flags + body + self.random.choice(["", "", "", ";"]) + ("}-" if self.random.random() < .97 else "")

    def line(self):
        pick = self.random.choice
        parts = [pick([self.form, self.form, self.inside, lambda _: pick(WORDS)])(0) for _ in range(pick([1, 1, 2, 3]))]
        text = " ".join(parts)
        frames = ["%s"] * 12 + ["*%s", "#%s", ":%s", "** %s", "; %s", "; %s : a", " %s", "== %s ==", "{|\n| %s || %s\n|}", "{|\n| %s | %s\n|}",
                                "{|\n| %s\n|-\n| %s\n|}", "[[File:X.jpg|thumb|%s]]", "[[File:X.jpg|thumb|%s|alt=x]]", "<gallery>\nA.jpg|%s\n</gallery>",
                                "<poem>%s</poem>", "<div>%s</div>", "[[%s]]", "[[A|%s]]", "%s\n"]
        frame = pick(frames)
        if frame.startswith(("==", "<gallery")):
            text = text.replace("\n", " ")
        return frame.replace("%s", text)

    def text(self):
        return "\n".join(self.line() for _ in range(self.random.choice([1, 1, 2, 2, 3, 4])))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True)
    options.add_argument("--language", required=True, choices=sorted(CODES))
    options.add_argument("--oracle", required=True)
    options.add_argument("--html-facts", required=True)
    options.add_argument("--count", type=int, default=2000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--print", type=int, default=0, dest="shown", metavar="N", help="print the N shortest texts that differ")
    flags = options.parse_args()
    spec = importlib.util.spec_from_file_location("html_facts", flags.html_facts)
    facts_module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(facts_module)

    maker = Maker(flags.language, flags.seed)
    texts = [maker.text() for _ in range(flags.count)]
    expected = run(shlex.split(flags.oracle), texts)
    found = run([flags.program, "parse", "--batch", "--lang", flags.language], texts)
    differing, compared = {}, 0
    for number, text in enumerate(texts):
        if "html" not in expected.get(number, {}):
            continue
        compared += 1
        row = dict(expected[number], html=MESSAGE.sub("", expected[number]["html"]))
        fields = differences(facts_module, row, found[number])
        if fields:
            differing[text] = fields
    counts = collections.Counter(field for fields in differing.values() for field in fields)
    print(f"{compared} compared, {len(differing)} differ", dict(counts))
    for text in sorted(differing, key=len)[:flags.shown]:
        print(repr(text), *(f"\n    {field}: {sides}" for field, sides in differing[text].items()))


if __name__ == "__main__":
    main()
