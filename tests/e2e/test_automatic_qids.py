"""QIDs of pages reach every file of an automatic collection that names entities."""
import gzip
import json

from harness import EndToEnd

ITEMS = {'Amber Light': 'Q11', 'Basil Light': 'Q12', 'Ostra': 'Q13', 'Cape Mole': None}


def linked(before, *targets):
    """A paragraph that names its targets one after the other, as links."""
    text, links = before, []
    for target in targets:
        links.append({'begin': len(text) + 1, 'end': len(text) + 1 + len(target), 'target': target})
        text += ' ' + target
    return {'text': text + '.', 'links': links}


def page(title):
    others = [other for other in ITEMS if other != title]
    sections = [{'heading': '', 'level': 0, 'paragraphs': [linked(f'{title} stands on', 'Ostra')]}]
    for number, heading in enumerate(('History', 'Tower', 'Lamp', 'Keepers'), 1):
        sections.append({'heading': heading, 'level': 2, 'paragraphs': [linked(f'{title} and its {heading.lower()} resemble', *others[:number])]})
    return json.dumps({'title': title, 'qid': ITEMS[title], 'sections': sections})


class Test(EndToEnd):
    def build_pages(self, work, *arguments, lines=None, **options):
        pages = self.folder / 'pages.jsonl'
        pages.write_text('\n'.join(lines or map(page, ITEMS)) + '\n')
        return self.run_program('--progress', 'never', 'build', '--to', 'automatic', '--pages', pages, '--work', self.folder / work,
                                '--set', 'automatic.folds=1', *arguments, **options)

    def lines(self, root, name):
        return [json.loads(line) for path in sorted(root.glob(name)) for line in gzip.decompress(path.read_bytes()).splitlines()]

    def test_pages_links_and_labels_have_the_qids_that_are_known(self):
        self.build_pages('w')
        root = self.folder / 'w' / 'automatic'
        self.run_program('validate', root)
        pages = self.lines(root, 't*.pages.jsonl-splits/*.gz')
        self.assertEqual({row['page_name']: row['metadata']['wiki_data_qid'] for row in pages}, ITEMS)
        for row in pages:
            for section in row['content']:
                for piece in section.get('content', [section])[0]['paragraph']['para_body']:
                    if 'target_page' in piece:
                        self.assertEqual(piece.get('target_qid'), ITEMS[piece['target_page']], piece)
        self.assertEqual(sorted((root / 'qids').read_text().split()), ['Q11', 'Q12', 'Q13'])
        known = [['wiki:' + title.replace(' ', '%20'), qid] for title, qid in sorted(ITEMS.items()) if qid]
        self.assertEqual([line.split('\t') for line in (root / 'entity-qids.tsv').read_text().splitlines()], known)
        entities = {line.split()[2] for path in root.glob('t*.pages.cbor-article.entity.qrels') for line in path.read_text().splitlines()}
        self.assertEqual(entities, {entity for entity, _ in known} | {'wiki:Cape%20Mole'})
        item = dict(known)
        for row in self.lines(root, 't*.pages.cbor-entity-linking.jsonl.gz'):
            for kind in ('true', 'acceptable'):
                self.assertEqual(row[f'{kind}_label_qids'], [item[entity] for entity in row[f'{kind}_label_page_ids'] if entity in item])

    def test_cbor_and_json_lines_say_the_same(self):
        self.build_pages('w')
        root = self.folder / 'w' / 'automatic'
        for split in ('train', 'test'):
            out = self.folder / f'{split}.jsonl'
            self.run_program('car', 'convert', root / f'{split}.pages.cbor', '--to', 'jsonl', '--out', out)
            self.assertEqual([json.loads(line) for line in out.read_text().splitlines()], self.lines(root, f'{split}.pages.jsonl-splits/*.gz'))

    def test_pages_are_chosen_by_qid_and_others_of_the_item_are_no_knowledge(self):
        twin = json.loads(page('Amber Light'))
        twin['title'] = 'The Light of Amber'
        self.build_pages('w', '--select', 'qid-in-set ["Q11", "Q13"] & ! name-has-prefix "The"', lines=[*map(page, ITEMS), json.dumps(twin)])
        root = self.folder / 'w' / 'automatic'
        self.run_program('validate', root)
        self.assertEqual(sorted((root / 'titles').read_text().splitlines()), ['Amber Light', 'Ostra'])
        knowledge = {row['page_name']: row['metadata']['wiki_data_qid'] for row in self.lines(root, 'allButBenchmark.pages.jsonl-splits/*.gz')}
        self.assertEqual(knowledge, {'Basil Light': 'Q12', 'Cape Mole': None})

    def test_a_qid_that_is_none_is_told_and_its_line_left_out(self):
        lines = [*map(page, ITEMS)] * 30
        for number, qid in enumerate(('42', 'Q0', 'Q', 'q42', 'Q4x', 42, 'Q' + 20 * '1', ['Q42'])):
            lines[number] = json.dumps({**json.loads(lines[number]), 'qid': qid})
        done = self.build_pages('w', '--set', 'ingest.max_reject_ratio=0.5', lines=lines)
        self.assertIn('8 left out: bad QID', done.stderr)
        self.assertIn('line 1: "qid" is not a Wikidata id such as "Q42"', done.stderr)
