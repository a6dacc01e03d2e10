"""The second bundled wiki has the faults of real wikis built in; what a build must make of them is written beside it."""
import json
import re

from harness import SOURCE, EndToEnd

FOLDER = SOURCE / 'examples/heronwiki'
EXPECTED = json.loads((FOLDER / 'expectations.json').read_text(encoding='utf-8'))
OPTIONS = ['--set', 'groups.list_prefixes=*', '--set', 'passages.scope=all', '--set', 'topics.min_evidence=1', '--set', 'topics.min_probability=0',
           '--set', 'topics.max_unsure=1']


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding='utf-8').splitlines()]


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        self.run_program('--progress', 'never', 'build', '--dump', FOLDER / 'heronwiki-20250101-pages-articles.xml', '--work', self.folder / 'w', *OPTIONS)
        self.collection = self.folder / 'w/collection'

    def test_queries_are_those_that_a_person_may_type(self):
        allowed = {(topic['page'], topic['column']): topic for topic in EXPECTED['topics']}
        queries = lines(self.collection / 'queries.jsonl')
        self.assertGreaterEqual(len(queries), 5)
        for query in queries:
            text = query['text']
            for pattern in EXPECTED['queries']['must_not_match']:
                self.assertIsNone(re.search(pattern, text), text)
            topic = allowed.get((query['metadata']['page'], query['metadata']['column']))
            self.assertIsNotNone(topic, query)
            for words in topic['query_must']:
                self.assertTrue(any(word in text.lower() for word in words), text)

    def test_what_is_no_list_gives_no_topic(self):
        topics = [query['metadata'] for query in lines(self.collection / 'queries.jsonl')]
        for entry in EXPECTED['no_topics']:
            for topic in topics:
                same = topic['page'] == entry['page'] and entry.get('column', topic['column']) == topic['column']
                path = ' » '.join(topic['section'])
                self.assertFalse(same and entry.get('section', path) == path, f'{topic} against {entry}')

    def test_texts_are_what_a_reader_sees(self):
        texts = {}
        for passage in lines(self.collection / 'corpus.jsonl'):
            texts.setdefault(passage['title'], []).append(passage['text'])
        for title, passages in texts.items():
            for wrong in EXPECTED['everywhere']['must_not_contain']:
                self.assertFalse(any(wrong in text for text in passages), f'{title}: {wrong}')
        for entry in EXPECTED['texts']:
            passages = texts.get(entry['title'], [])
            for part in entry.get('must_contain', []):
                self.assertIn(part, '\n'.join(passages), entry['title'])
            for part in entry.get('must_not_contain', []):
                self.assertFalse(any(part in text for text in passages), f'{entry["title"]}: {part}')
            for pattern in entry.get('must_not_match', []):
                self.assertFalse(any(re.search(pattern, text) for text in passages), f'{entry["title"]}: {pattern}')
            for begin, rest in entry.get('keep_together', []):
                self.assertFalse(any(begin in text and rest not in text for text in passages), f'{entry["title"]}: {begin}')
