#!/usr/bin/env python3
"""`touchstone car derive` on random pages gives what a second derivation gives, written from the rules of docs/automatic.md.

Usage: car_derive_test.py PROGRAM [--files N] [--seed S]
"""
import argparse
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile

LEVELS = ('article', 'toplevel', 'hierarchical', 'tree')
HEADINGS = ['', ' ', '\u00a0', 'History', 'history', 'Early life', 'A/B', '100%', 'Тема', 'A', 'B']
TITLES = ['Tea', 'Tea room', 'AC/DC', 'A', 'A!', 'Ąžuolas']


def escape(text):
    return ''.join(c if '!' <= c <= '~' else ''.join(f'%{byte:02X}' for byte in c.encode()) for c in text)


class Pages:
    """Random pages as JSON lines have them."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def paragraph(self):
        body = []
        for _ in range(self.random.randrange(4)):
            if self.random.random() < .5:
                body.append({'text': self.random.choice(['some text ', ' ', '', '\u3000'])})
            else:
                target = self.random.choice(['Tea', 'Water', 'Uji', 'Cup'])
                page_id = self.random.choice(['', 'enwiki:' + target])
                body.append({'text': self.random.choice([target, '']), 'target_page': target, 'target_page_id': page_id})
        return {'para_id': f'p{self.random.randrange(40)}', 'para_body': body}

    def element(self, depth):
        kind = self.random.random()
        if kind < .4 and depth < 5:
            heading = self.random.choice(HEADINGS)
            return {'type': 'section', 'heading_text': heading, 'heading_id': escape(heading), 'content': self.content(depth + 1)}
        if kind < .8:
            return {'type': 'paragraph', 'paragraph': self.paragraph()}
        if kind < .9:
            return {'type': 'list', 'indent': 1, 'entry': self.paragraph()}
        return {'type': 'image', 'image_file': 'File:X.png', 'image_caption': [{'type': 'paragraph', 'paragraph': self.paragraph()}]}

    def content(self, depth):
        return [self.element(depth) for _ in range(self.random.randrange(6))]

    def page(self):
        title = self.random.choice(TITLES)
        return {'page_name': title, 'page_id': 'enwiki:' + escape(title), 'page_type': 'article', 'metadata': {}, 'content': self.content(0)}


def passages(content, path, list_items, captions):
    """(heading ids above it, paragraph) of all passages."""
    for element in content:
        kind = element['type']
        if kind == 'section':
            inner = path if not element['heading_text'].strip() else (*path, element['heading_id'])
            yield from passages(element['content'], inner, list_items, captions)
        elif kind == 'paragraph':
            yield path, element['paragraph']
        elif kind == 'list' and list_items:
            yield path, element['entry']
        elif kind == 'image' and captions:
            yield from passages(element['image_caption'], path, list_items, captions)


def expected(pages, list_items, captions):
    """Name of a file -> its lines."""
    files = {f'{level}{kind}.qrels': set() for level in LEVELS for kind in ('', '.entity')}
    for page in pages:
        for path, paragraph in passages(page['content'], (), list_items, captions):
            if not ''.join(piece['text'] for piece in paragraph['para_body']).strip():
                continue
            entities = {piece['target_page_id'] for piece in paragraph['para_body'] if piece.get('target_page_id')}
            depths = {'article': [0], 'toplevel': [min(1, len(path))], 'hierarchical': [len(path)], 'tree': range(len(path) + 1)}
            for level in LEVELS:
                for depth in depths[level]:
                    topic = '/'.join((page['page_id'], *path[:depth]))
                    files[f'{level}.qrels'].add(f'{topic} 0 {paragraph["para_id"]} 1\n')
                    files[f'{level}.entity.qrels'] |= {f'{topic} 0 {entity} 1\n' for entity in entities}
    return {name: ''.join(sorted(lines, key=str.encode)) for name, lines in files.items()}


def check(options, seed, folder):
    """Judgments compared; raises AssertionError at the first file that differs."""
    generator = Pages(seed)
    pages = [generator.page() for _ in range(12)]
    source = folder / 'pages.jsonl'
    source.write_text(''.join(json.dumps(page, ensure_ascii=False) + '\n' for page in pages))
    compared = 0
    for list_items, captions in itertools.product((False, True), repeat=2):
        flags = ['--list-items'] * list_items + ['--captions'] * captions
        subprocess.run([options.program, 'car', 'derive', source, '--out', folder / 'out', *flags], check=True, stdout=subprocess.DEVNULL)
        for name, text in expected(pages, list_items, captions).items():
            assert (folder / 'out' / name).read_text() == text, f'seed {seed}, {flags}: {name} differs'
            compared += text.count('\n')
    return compared


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('--files', type=int, default=20)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    compared = 0
    for seed in range(options.seed, options.seed + options.files):
        with tempfile.TemporaryDirectory() as folder:
            compared += check(options, seed, pathlib.Path(folder))
    print(f'{compared} judgments agree')
    return 0 if compared > 100 * options.files else 1


if __name__ == '__main__':
    sys.exit(main())
