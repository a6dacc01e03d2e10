#!/usr/bin/env python3
"""The benchmarks of an automatic collection follow from its pages by their published definitions.

Builds a collection, decodes its pages with tests/car_format.py, and derives a second time, from section 3.2 of "Humans
optional?" and docs/automatic.md: support passages (pairs of a facet and a relevant entity, for which the passages that
mention the entity are relevant), clusters of passages by top-level section, labels of entity linking, and the texts of
links that lead to the pages of the knowledge base.

Usage: automatic_benchmarks_test.py PROGRAM [--dump FILE] [--set KEY=VALUE]...
"""
import argparse
import collections
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'tests'))
import car_format  # noqa: E402

MINIWIKI = ROOT / 'examples' / 'miniwiki' / 'miniwiki-20250101-pages-articles.xml'


def text_of(paragraph):
    return ''.join(body['text'] for body in paragraph['para_body'])


def links_of(paragraph):
    return [body for body in paragraph['para_body'] if body.get('target_page_id')]


def paragraphs_below(content, path=()):
    """(heading ids on the way, paragraph) of every paragraph with text, in page order."""
    for element in content:
        if element['type'] == 'section':
            yield from paragraphs_below(element['content'], path + (element['heading_id'],))
        elif element['type'] == 'paragraph' and text_of(element['paragraph']).strip():
            yield path, element['paragraph']


def anchors_in(content):
    """All links of paragraphs, list items and captions."""
    for element in content:
        if element['type'] == 'section':
            yield from anchors_in(element['content'])
        elif element['type'] == 'image':
            yield from anchors_in(element['image_caption'])
        elif element['type'] == 'list':
            yield from links_of(element['entry'])
        elif element['type'] == 'paragraph':
            yield from links_of(element['paragraph'])


def json_lines(path):
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().split('\n') if line]


class Check:
    def __init__(self, root):
        self.root = root
        self.representative = dict(line.split('\t')[:2] for line in (root / 'duplicates.tsv').read_text().split('\n') if line)
        self.compared = collections.Counter()
        self.differing = []

    def equal(self, what, where, found, expected):
        self.compared[what] += 1
        if found != expected:
            self.differing.append(f'{what} of {where}: {found!r:.300} is not {expected!r:.300}')

    def docid(self, paragraph):
        return self.representative.get(paragraph['para_id'], paragraph['para_id'])

    def pages(self, name):
        return car_format.read_file((self.root / name).read_bytes())[2]

    def support_passages(self, split, pages):
        expected = collections.defaultdict(set)
        for page in pages:
            for path, paragraph in paragraphs_below(page['content']):
                for length in range(len(path) + 1):
                    facet = '/'.join((page['page_id'],) + path[:length])
                    for link in links_of(paragraph):
                        expected[facet, link['target_page_id']].add(self.docid(paragraph))
        found = collections.defaultdict(set)
        for line in (self.root / f'{split}.pages.cbor-tree.entitypsg.qrels').read_text().split('\n'):
            if line:
                facet, _, pair, grade = line.split(' ')
                passage, entity = pair.split('/', 1)
                self.equal('grade', facet, grade, '1')
                found[facet, entity].add(passage)
        for need in sorted({*expected, *found}):
            self.equal('support passages', need, found.get(need), expected.get(need))
        relevant = {tuple(line.split(' ')[0:3:2]) for line in (self.root / f'{split}.pages.cbor-hierarchical.entity.qrels').read_text().split('\n') if line}
        self.equal('entities without support passage', split, relevant - set(found), set())

    def clusters(self, split, pages):
        expected = {}
        for page in pages:
            cluster = {self.docid(paragraph): f'{page["page_id"]}/{path[0]}' for path, paragraph in paragraphs_below(page['content']) if path}
            if len(set(cluster.values())) >= 2:
                expected[page['page_id']] = cluster
        lines = json_lines(self.root / f'{split}.pages.cbor-toplevel.cluster.jsonl.gz')
        self.equal('pages with clusters', split, [line['query_id'] for line in lines], list(expected))
        for line in lines:
            labels = [label['section_path_id'] for label in line['true_cluster_labels']]
            self.equal('clusters', line['query_id'], dict(zip(line['elements'], labels)), expected.get(line['query_id']))
            self.equal('elements', line['query_id'], line['elements'], sorted(set(line['elements'])))
            numbers = {label: number for number, label in enumerate(sorted(set(labels)))}
            self.equal('numbers of clusters', line['query_id'], line['true_cluster_idx'], [numbers[label] for label in labels])

    def entity_linking(self, split, pages):
        expected = []
        for page in pages:
            paragraphs = [paragraph for _, paragraph in paragraphs_below(page['content'])]
            acceptable = {page['page_id'], *(link['target_page_id'] for paragraph in paragraphs for link in links_of(paragraph))}
            for paragraph in paragraphs:
                if links_of(paragraph):
                    expected.append((page['page_id'], self.docid(paragraph), text_of(paragraph), paragraph['para_body'],
                                     {link['target_page_id'] for link in links_of(paragraph)}, acceptable))
        lines = json_lines(self.root / f'{split}.pages.cbor-entity-linking.jsonl.gz')
        found = [(line['query_id'], line['paragraph_id'], text_of(line['text_only_paragraph']), line['true_linked_paragraph']['para_body'],
                  set(line['true_label_page_ids']), set(line['acceptable_label_page_ids'])) for line in lines]
        self.equal('passages with links', split, len(found), len(expected))
        for one, other in zip(found, expected):
            self.equal('labels', other[1], one, other)
        for line in lines:
            self.equal('links in the text only', line['paragraph_id'], links_of(line['text_only_paragraph']), [])

    def inlinks(self, query_ids):
        knowledge = self.pages('allButBenchmark.pages.cbor')
        anchors, sources = collections.defaultdict(collections.Counter), collections.defaultdict(set)
        for page in knowledge:
            for link in anchors_in(page['content']):
                if link['target_page_id'] != page['page_id']:
                    anchors[link['target_page_id']][link['text']] += 1
                    sources[link['target_page_id']].add(page['page_id'])
        for page in knowledge:
            metadata = page['metadata']
            reported = {anchor['text']: anchor['freq'] for anchor in metadata['inlink_anchors']}
            # Copies of the query pages' texts are not in the knowledge base, but their links count.
            missing = {text: count for text, count in anchors[page['page_id']].items() if reported.get(text, 0) < count}
            self.equal('texts of links that are not counted', page['page_id'], missing, {})
            order = [(-anchor['freq'], anchor['text'].encode()) for anchor in metadata['inlink_anchors']]
            self.equal('order of the texts of links', page['page_id'], order, sorted(order))
            inlinks = {*metadata['inlink_ids'], *metadata['disambiguation_ids']}
            self.equal('inlinks that are not named', page['page_id'], sources[page['page_id']] - inlinks, set())
            self.equal('inlinks of query pages', page['page_id'], inlinks & query_ids, set())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('--dump', type=pathlib.Path, default=MINIWIKI)
    parser.add_argument('--set', action='append', default=['automatic.min_sections=1', 'automatic.folds=1', 'automatic.min_passage_words=0'])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='touchstone-property-') as folder:
        settings = [word for setting in options.set for word in ('--set', setting)]
        subprocess.run([options.program, '--progress', 'never', 'build', '--to', 'automatic', '--dump', options.dump, '--work', folder, *settings], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        check = Check(pathlib.Path(folder) / 'automatic')
        query_ids = set()
        for split in ('train', 'test'):
            pages = check.pages(f'{split}.pages.cbor')
            query_ids |= {page['page_id'] for page in pages}
            check.support_passages(split, pages)
            check.clusters(split, pages)
            check.entity_linking(split, pages)
        check.inlinks(query_ids)
    for line in check.differing[:20]:
        print(line)
    print(', '.join(f'{count} {what}' for what, count in check.compared.items()), f'compared, {len(check.differing)} differ')
    few = [what for what in ('support passages', 'clusters', 'labels') if check.compared[what] < 5]
    return 1 if check.differing or (few and options.dump == MINIWIKI) else 0


if __name__ == '__main__':
    sys.exit(main())
