"""The second bundled wiki has the faults of real wikis built in; what a build must make of them is written beside it."""
import json
import re

from harness import SOURCE, EndToEnd

FOLDER = SOURCE / 'examples/heronwiki'
EXPECTED = json.loads((FOLDER / 'expectations.json').read_text(encoding='utf-8'))
OPTIONS = ['--set', 'groups.list_prefixes=*', '--set', 'passages.scope=all', '--set', 'topics.min_evidence=1', '--set', 'topics.min_probability=0',
           '--set', 'topics.max_unsure=1', '--set', 'phrase.subject=Heron']


STOP_WORDS = set('a are as at by for from in is made names of on or that the these this to used which with'.split())


def content_words(text):
    """Words of a query that mean something, in lower case."""
    return [word for word in re.findall(r'\w+', text.lower()) if word not in STOP_WORDS]


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
            if text not in topic['queries']:
                self.assertLessEqual(set(re.findall(r'\w+', text.lower())), set(topic['query_may']).union(*topic['query_must']), text)
            words = content_words(text)
            self.assertEqual(sorted(set(words)), sorted(words), f'{text}: a word twice')

    def test_members_are_those_of_the_list(self):
        found = {}
        for member in lines(self.collection / 'members.jsonl'):
            found.setdefault(member['topic'], set()).add(member['title'])
        allowed = {(topic['page'], topic['column']): topic for topic in EXPECTED['topics']}
        released = set()
        for query in lines(self.collection / 'queries.jsonl'):
            metadata = query['metadata']
            topic = allowed[metadata['page'], metadata['column']]
            released.add((metadata['page'], metadata['column']))
            members = found[query['_id']]
            self.assertLessEqual(members, set(topic['members']), query['text'])
            self.assertGreaterEqual(3 * len(members), 2 * len(topic['members']), query['text'])
        missing = [key for key, topic in allowed.items() if topic['required'] and key not in released]
        self.assertEqual(missing, [])

    def test_what_is_no_list_gives_no_topic(self):
        topics = [query['metadata'] for query in lines(self.collection / 'queries.jsonl')]
        for entry in EXPECTED['no_topics']:
            for topic in topics:
                same = topic['page'] == entry['page'] and entry.get('column', topic['column']) == topic['column']
                path = ' » '.join(topic['section'])
                self.assertFalse(same and entry.get('section', path) == path, f'{topic} against {entry}')

    def test_texts_are_what_a_reader_sees(self):
        texts, leads = {}, {}
        for passage in lines(self.collection / 'corpus.jsonl'):
            texts.setdefault(passage['title'], []).append(passage['text'])
            path = tuple(passage['metadata']['section'])
            first, lead = leads.setdefault(passage['title'], (path, []))
            if path == first:
                lead.append(passage['text'])
        for title, passages in texts.items():
            for wrong in EXPECTED['everywhere']['must_not_contain']:
                self.assertFalse(any(wrong in text for text in passages), f'{title}: {wrong}')
        for entry in EXPECTED['texts']:
            passages = texts.get(entry['title'], [])
            for part in entry.get('must_contain', []):
                self.assertIn(part, '\n'.join(leads[entry['title']][1]), entry['title'])
            for part in entry.get('must_not_contain', []):
                self.assertFalse(any(part in text for text in passages), f'{entry["title"]}: {part}')
            for pattern in entry.get('must_not_match', []):
                self.assertFalse(any(re.search(pattern, text) for text in passages), f'{entry["title"]}: {pattern}')
            for begin, rest in entry.get('keep_together', []):
                self.assertFalse(any(begin in text and rest not in text for text in passages), f'{entry["title"]}: {begin}')
            for first, second in entry.get('lines_apart', []):
                for text in passages:
                    if first in text and second in text:
                        between = text[text.index(first):text.index(second) + len(second)]
                        self.assertIn('\n', between, f'{entry["title"]}: {first}')

    def test_what_is_no_text_gives_no_passage(self):
        passages = [(passage['title'], ' » '.join(passage['metadata']['section']), passage['text']) for passage in lines(self.collection / 'corpus.jsonl')]
        for entry in EXPECTED['no_passage']:
            for title, section, text in passages:
                if title == entry['title'] and entry.get('section', section) == section and entry['required']:
                    self.assertFalse(any(part in text for part in entry['must_not_contain']), f'{title}, {section}: {entry["why"]}: {text}')
