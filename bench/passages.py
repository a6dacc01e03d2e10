#!/usr/bin/env python3
"""Writes a directory in BEIR's form with many passages that differ, made of the sentences of real ones.

Usage: passages.py COUNT OUT CORPUS.jsonl.gz...

The first passages are the real ones. Each further one takes the sentences of a real passage in turn with those of another
one, chosen by a generator with a fixed seed, until it has the length of the first: its words are real, and lengths and
frequencies are those of the sources. The 100 queries are titles with three words of a passage of the same page.
"""
import gzip
import json
import pathlib
import random
import re
import sys


def main():
    count, out = int(sys.argv[1]), pathlib.Path(sys.argv[2])
    passages = []
    for path in sys.argv[3:]:
        with gzip.open(path, 'rt') as file:
            passages += [(row['title'], row['text']) for row in map(json.loads, file)]
    sentences = [re.split(r'(?<=[.!?])\s+', text) for _, text in passages]
    generator = random.Random(7)
    out.mkdir(parents=True, exist_ok=True)
    with open(out / 'corpus.jsonl', 'w') as file:
        for number in range(count):
            title, text = passages[number % len(passages)]
            if number >= len(passages):
                first, second = sentences[number % len(passages)], sentences[generator.randrange(len(passages))]
                mixed, length = [], 0
                for pair in zip(first, second + first):
                    for sentence in pair:
                        if length < len(text):
                            mixed.append(sentence)
                            length += len(sentence)
                generator.shuffle(mixed)
                text = ' '.join(mixed)[:2 * len(text)]
            file.write(json.dumps({'_id': f'p-{number}', 'title': title, 'text': text}, ensure_ascii=False) + '\n')
    with open(out / 'queries.jsonl', 'w') as file:
        for number in range(100):
            title, text = passages[generator.randrange(len(passages))]
            words = re.findall(r'\w{4,}', text) or [title]
            query = ' '.join([title] + [generator.choice(words) for _ in range(3)])
            file.write(json.dumps({'_id': f'q-{number}', 'text': query}, ensure_ascii=False) + '\n')


main()
