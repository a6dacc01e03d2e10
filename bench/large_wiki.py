#!/usr/bin/env python3
"""Makes a large dump of a real one: its pages, then copies of its articles under other titles until the size is reached.

    large_wiki.py DUMP [--bytes 300000000] [--vary 0.2] [--own-links] > large.xml

DUMP is MediaWiki's XML, plain or bz2. The first copy of an article is called "TITLE (copy 1)", and so on; links keep
their targets, or, with --own-links, lead to the articles of the same copy, so that pages are not linked more often
than those of the real wiki. --vary replaces this share of the plain words of a copy by random ones of the same length, so that its
paragraphs are no near-duplicates of the first; 0 keeps the texts. Equal arguments give equal bytes.
"""
import argparse
import bz2
import random
import re
import sys

PAGE = re.compile(rb'  <page>.*?</page>\n', re.DOTALL)
TEXT = re.compile(rb'(<text[^>]*>)(.*?)(</text>)', re.DOTALL)
# What is not a plain word: markup with what is in it, entities, comments, and words that are in brackets.
WORD_OR_MARKUP = re.compile(rb'\{\{[^{}]*\}\}|\[\[[^\[\]]*\]\]|&[a-z]+;|==+[^=\n]*==+|\{\||\|\}|https?://\S+|[a-z]{4,}')
LINK = re.compile(rb'\[\[([^\[\]|#]+)([|#\]])')
TITLE = re.compile(rb'<title>(.*?)</title>')
LETTERS = b'etaoinshrdlucmfwygpbvk'


def is_article(page):
    return b'<ns>0</ns>' in page and b'<redirect ' not in page


def other_word(found, rng, share):
    word = found.group()
    if not word.isalpha() or rng.random() >= share:
        return word
    return bytes(rng.choices(LETTERS, k=len(word)))


def varied(text, rng, share):
    return WORD_OR_MARKUP.sub(lambda found: other_word(found, rng, share), text) if share else text


def relinked(text, copy, titles):
    def other_target(found):
        target = found[1].strip()
        return b'[[%s (copy %d)%s' % (target, copy, found[2] if found[2] != b']' else b'|%s]' % target) if target in titles else found[0]

    return LINK.sub(other_target, text) if titles else text


def copy_of(page, copy, rng, share, titles):
    page = re.sub(rb'(<title>)(.*?)(</title>)', rb'\1\2 (copy %d)\3' % copy, page, count=1)
    text = lambda found: found[1] + relinked(varied(found[2], rng, share), copy, titles) + found[3]
    return TEXT.sub(text, without_digest(page), count=1)


def with_id(page, number):
    """The first <id> is the page's."""
    return re.sub(rb'<id>\d+</id>', b'<id>%d</id>' % number, page, count=1)


def without_digest(page):
    return re.sub(rb' sha1="[^"]*"|\n *<sha1>[^<]*</sha1>', b'', page)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('dump')
    parser.add_argument('--bytes', type=int, default=300_000_000)
    parser.add_argument('--vary', type=float, default=0.2)
    parser.add_argument('--own-links', action='store_true')
    arguments = parser.parse_args()
    opened = bz2.open if arguments.dump.endswith('.bz2') else open
    with opened(arguments.dump, 'rb') as source:
        dump = source.read()
    pages = PAGE.findall(dump)
    if not any(map(is_article, pages)):
        sys.exit(f'{arguments.dump} holds no articles')
    rng = random.Random(1)
    titles = {TITLE.search(page)[1] for page in pages if is_article(page)} if arguments.own_links else set()
    out = sys.stdout.buffer
    out.write(dump[:dump.index(b'  <page>')])
    written = number = copy = 0
    while written < arguments.bytes:
        for page in pages:
            if copy > 0 and not is_article(page):
                continue
            number += 1
            page = with_id(copy_of(page, copy, rng, arguments.vary, titles) if copy else page, number)
            out.write(page)
            written += len(page)
            if written >= arguments.bytes:
                break
        copy += 1
    out.write(b'</mediawiki>\n')


if __name__ == '__main__':
    main()
