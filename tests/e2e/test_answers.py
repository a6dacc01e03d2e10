"""evaluate --answers: answers in text to the topics of the bundled wiki, scored by hand and by a second program."""
import gzip
import json
import math
import random

from harness import EndToEnd

FORMER_LIGHTS = '575cf12e1b12'  # Brenna Sound Light, Gull Stack Light, Old Tolmouth Light
FESTIVALS = '270984700dee'  # Fête de Sainte-Élise, Herring Week, Lantern Night, Wołna Miners' Day
PAINTERS = 'd53ee4b466c0'  # Maren Ekholt among them, whose name a ship has too
SHARES = ['member_recall', 'member_precision', 'member_f1', 'listed_precision', 'supported', 'citation_precision']


class Xoshiro:
    """xoshiro256++ seeded by SplitMix64, as analysis/statistics/random.hpp says."""
    MASK = 2**64 - 1

    def __init__(self, seed, block=0):
        def split_mix(state):
            while True:
                state = (state + 0x9e3779b97f4a7c15) & self.MASK
                z = state
                z = ((z ^ (z >> 30)) * 0xbf58476d1ce4e5b9) & self.MASK
                z = ((z ^ (z >> 27)) * 0x94d049bb133111eb) & self.MASK
                yield z ^ (z >> 31)
        words = split_mix(next(split_mix(seed)) ^ next(split_mix(~block & self.MASK)))
        self.state = [next(words) for _ in range(4)]

    def below(self, bound):
        rotate = lambda x, k: ((x << k) | (x >> (64 - k))) & self.MASK
        a, b, c, d = self.state
        out = (rotate((a + d) & self.MASK, 23) + a) & self.MASK
        t = (b << 17) & self.MASK
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= t
        self.state = [a, b, c, rotate(d, 45)]
        return ((out >> 32) * bound) >> 32


def bootstrap(values, resamples, seed):
    generator = Xoshiro(seed)
    means = []
    for _ in range(resamples):
        total = 0.0
        for _ in values:
            total += values[generator.below(len(values))]
        means.append(total / len(values))
    means.sort()
    return means[math.ceil(0.025 * resamples) - 1], means[math.ceil(0.975 * resamples) - 1]


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        self.build('w', '--set', 'topics.min_evidence=4')  # keeps the ship that is called like a painter
        self.collection = self.folder / 'w' / 'collection'

    def lines(self, name):
        return [json.loads(line) for line in (self.collection / name).read_text().splitlines()]

    def write(self, *answers, name='answers.jsonl'):
        path = self.folder / name
        path.write_text(''.join(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) + '\n' for line in answers))
        return path

    def score(self, path, *arguments, **options):
        return self.run_program('evaluate', '--answers', path, self.collection, *arguments, **options)

    def values(self, path, *arguments):
        """(topic, measure) -> row of the JSON output."""
        rows = json.loads(self.score(path, '--format', 'json', '-q', *arguments).stdout)
        return {(row['topic'], row['measure']): row for row in rows}

    def assert_values(self, found, topic, expected):
        self.assertEqual({measure: found[topic, measure]['value'] for measure in expected}, expected)

    def test_hand_written_answers_have_the_numbers_computed_by_hand(self):
        festivals = 'Lantern Night, Fete de Sainte-Elise in Saltmere.'
        path = self.write(
            {'topic': FORMER_LIGHTS, 'answer': 'The former lights of Ostrand are Old Tolmouth Light and Gull Stack Light. Hook Light still burns.',
             'citations': ['miniwiki-133-0', 'miniwiki-0-9']},
            {'topic': FESTIVALS, 'answer': festivals,
             'citations': [{'docid': 'miniwiki-176-0', 'begin': 0, 'end': 13}, {'docid': 'miniwiki-158-0', 'begin': 0, 'end': 13}]})
        found = self.values(path)
        # Hook Light is an alias of a member of another topic; Ostrand is in the query.
        self.assert_values(found, FORMER_LIGHTS, {
            'member_recall': 2 / 3, 'member_precision': 2 / 3, 'member_f1': 2 / 3, 'listed_precision': 2 / 3, 'supported': 1 / 2, 'citation_precision': 1 / 2,
            'num_members': 3, 'num_stated': 2, 'num_others': 1, 'num_listed_others': 1, 'num_unsupported': 1, 'num_nameless': 0})
        self.assertEqual(found[FORMER_LIGHTS, 'member_recall']['pages'], {
            'stated': ['Gull Stack Light', 'Old Tolmouth Light'], 'missing': ['Brenna Sound Light'], 'unsupported': ['Gull Stack Light'], 'others': ['Hook Lighthouse']})
        # The alias of the second festival is outside the part that its evidence is cited for.
        self.assert_values(found, FESTIVALS, {
            'member_recall': 2 / 4, 'member_precision': 2 / 3, 'member_f1': 4 / 7, 'listed_precision': 2 / 3, 'supported': 1 / 2, 'citation_precision': 1,
            'num_members': 4, 'num_stated': 2, 'num_others': 1, 'num_listed_others': 1, 'num_unsupported': 1, 'num_nameless': 0})
        self.assertEqual(found[FESTIVALS, 'member_recall']['pages']['others'], ['Saltmere'])
        self.assertAlmostEqual(found['all', 'member_recall']['value'], (2 / 3 + 1 / 2) / 2)
        self.assertEqual((found['all', 'member_recall']['low'], found['all', 'member_recall']['high']), (1 / 2, 2 / 3))
        self.assert_values(found, 'all', {'supported': 1 / 2, 'citation_precision': 3 / 4, 'num_members': 7, 'num_stated': 4, 'num_unsupported': 2})
        self.assertNotIn('low', found['all', 'num_stated'])

    def test_an_ambiguous_name_tells_nothing_and_an_alias_of_its_own_does(self):
        for text, stated in (('Maren Ekholt.', []), ('Maren Ekholdt.', ['Maren Ekholt']), ('MAREN EKHOLDT', ['Maren Ekholt']), ('maren ekholdt', []), ('Maren Ekholdts', [])):
            with self.subTest(text):
                found = self.values(self.write({'topic': PAINTERS, 'answer': text, 'citations': []}))
                self.assertEqual(found[PAINTERS, 'member_recall']['pages']['stated'], stated)
                self.assertEqual(found[PAINTERS, 'member_recall']['pages']['others'], [])
                self.assertIsNone(found[PAINTERS, 'citation_precision']['value'])
                self.assertIsNone(found['all', 'member_recall']['low'])

    def test_empty_answers_count_and_missing_ones_only_with_complete(self):
        path = self.write({'topic': FORMER_LIGHTS, 'answer': ''})
        found = self.values(path)
        self.assert_values(found, 'all', {'member_recall': 0, 'member_precision': 0, 'member_f1': 0, 'supported': None, 'num_members': 3})
        done = self.score(path)
        topics = len(self.lines('queries.jsonl'))
        self.assertIn(f'without an answer: {topics - 1} of {topics}', done.stderr)
        members = self.lines('members.jsonl')
        whole = self.values(path, '--complete')
        self.assertEqual(whole['all', 'num_members']['value'] + whole['all', 'num_nameless']['value'], len(members))

    def random_answers(self, generator):
        """Answers made of titles, each with what it must be worth by the rules of docs/answers.md."""
        topics = self.lines('queries.jsonl')
        members = self.lines('members.jsonl')
        evidence = self.lines('evidence.jsonl')
        titles = sorted({json.loads(line)['title'] for line in gzip.open(self.collection / 'corpus.jsonl.gz', 'rt')})
        owners = {}
        for owner, name in [(title, title) for title in titles] + [(m['title'], alias) for m in members for alias in [m['title'], *m['aliases']]]:
            for form in {name, name.split(' (')[0]}:
                owners.setdefault(form.casefold(), set()).add(owner)
        own = [title for title in titles if len(owners[title.casefold()]) == 1 and '(' not in title]
        named = {next(iter(found)) for found in owners.values() if len(found) == 1}
        listed = {member['title'] for member in members}
        for topic in topics:
            words = '\n'.join([topic['text'], topic['metadata']['page'], *topic['metadata']['section'], topic['metadata']['column']])
            of_topic = {m['title'] for m in members if m['topic'] == topic['_id']}
            chosen = {title for title in own if generator.random() < (0.5 if title in of_topic else 0.05)}
            chosen = {title for title in chosen if title in of_topic or (title.casefold() not in words.casefold() and title != topic['metadata']['page'])}
            relevant = [line for line in evidence if line['topic'] == topic['_id']]
            cited = sorted({line['docid'] for line in relevant if generator.random() < 0.3} | {f'miniwiki-{generator.randrange(999)}-0' for _ in range(2)})
            stated, others, all_members = chosen & of_topic, chosen - of_topic, of_topic & named
            supported = {line['member'] for line in relevant if line['docid'] in cited} & stated
            good = {line['docid'] for line in relevant} & set(cited)
            worth = [len(stated) / len(all_members), len(stated) / len(chosen) if chosen else 0, 2 * len(stated) / (len(all_members) + len(chosen)),
                     len(stated) / (len(stated) + len(others & listed)) if stated else 0, len(supported) / len(stated) if stated else None, len(good) / len(cited)]
            yield {'topic': topic['_id'], 'answer': '; '.join(sorted(chosen)), 'citations': cited}, dict(zip(SHARES, worth))

    def test_a_second_program_gives_the_same_values_and_intervals(self):
        for seed in range(5):
            answers = sorted(self.random_answers(random.Random(seed)), key=lambda pair: pair[0]['topic'])
            found = self.values(self.write(*(answer for answer, _ in answers)), '--seed', seed, '--resamples', '200')
            for answer, worth in answers:
                for measure, value in worth.items():
                    self.assertEqual(found[answer['topic'], measure]['value'], value, (seed, measure, answer, found[answer['topic'], 'member_recall']['pages']))
            for measure in SHARES:
                values = [worth[measure] for _, worth in answers if worth[measure] is not None]
                row = found['all', measure]
                self.assertAlmostEqual(row['value'], sum(values) / len(values), places=12)
                self.assertEqual((row['low'], row['high']), bootstrap(values, 200, seed))

    def test_bad_files_get_one_sentence(self):
        good = {'topic': FORMER_LIGHTS, 'answer': 'x', 'citations': []}
        for lines, words in (
                ([], ['has no answer']), (['\n'], ['has no answer']), ([good, '{"topic": "a", \n'], [':2:']), ([good, good], [':2:', 'second answer', 'line 1']),
                ([{'topic': FORMER_LIGHTS}], [':1:', 'answer']), ([{'answer': 'x'}], [':1:', 'topic']), (['[]\n'], [':1:']), (['\ufeff{}\n'], ['byte-order mark']),
                ([{**good, 'citations': 'd'}], [':1:', 'citations']), ([{**good, 'citations': [7]}], [':1:', 'citation']), ([{**good, 'answer': None}], ['answer']),
                ([{**good, 'citations': [{'docid': 'd', 'begin': 0, 'end': 2}]}], ['0 to 2']), ([{**good, 'citations': [{'docid': 'd', 'begin': 0}]}], ['end']),
                ([{**good, 'citations': [{'docid': 'd', 'begin': -1, 'end': 1}]}], ['begin']), ([{**good, 'topic': 'no-such'}], ['no answer to a topic', 'no-such']),
                ([{**good, 'citations': ['d'] * 10001}], ['10000 citations']), (['{"topic": "' + 'x' * (17 << 20) + '"}\n'], ['longer'])):
            with self.subTest(str(lines)[:100]):
                self.assert_one_error(self.score(self.write(*lines), status=1), *words)
        path = self.write(good)
        self.assert_one_error(self.run_program('evaluate', '--answers', path, self.folder / 'w', status=1), 'work directory')
        self.assert_one_error(self.run_program('evaluate', '--answers', path, self.folder / 'absent', status=1), 'absent')
        self.assert_one_error(self.run_program('evaluate', '--answers', self.folder / 'absent', self.collection, status=1), 'absent')

    def test_wrong_usage_is_refused(self):
        path = self.write({'topic': FORMER_LIGHTS, 'answer': 'x'})
        self.assert_one_error(self.run_program('evaluate', '--answers', path, status=2), 'collection')
        for arguments, word in ((['--qrels', path], '--qrels'), (['-m', 'map'], '--measure'), (['-J'], '--judged-only'), (['-j', '2'], '--threads'), (['--format', 'trec_eval'], 'trec_eval')):
            self.assert_one_error(self.score(path, *arguments, status=2), word, '--answers')
        self.assert_one_error(self.run_program('evaluate', '--seed', '3', '--qrels', path, path, status=2), '--answers')

    def test_what_does_not_count_is_counted(self):
        good = {'topic': FORMER_LIGHTS, 'answer': 'Old Tolmouth Light', 'citations': ['nowhere-1', 'nowhere-2']}
        path = self.write(good, {'topic': 'no-such', 'answer': 'x'}, '{\n', good)
        done = self.score(path, '--lenient')
        self.assertIn('"nowhere-1" is not in', done.stderr)
        self.assertIn('citations like it: 2', done.stderr)
        self.assertRegex(done.stderr, r'answers.jsonl:2: topic "no-such" is in no collection .* like it: 1')
        self.assertIn('bad lines skipped: 2', done.stderr)
        self.assertRegex(done.stdout, r'\nsupported +0\.0000 ')

    def test_forms_agree_and_several_collections_are_named(self):
        path = self.write({'topic': FORMER_LIGHTS, 'answer': 'Old Tolmouth Light', 'citations': ['miniwiki-133-0']},
                          {'topic': FESTIVALS, 'answer': 'Herring Week', 'citations': []})
        zipped = self.folder / 'answers.jsonl.gz'
        zipped.write_bytes(gzip.compress(path.read_bytes()))
        rows = json.loads(self.score(zipped, '--format', 'json', '-q').stdout)
        lines = [line.split('\t') for line in self.score(path, '--format', 'tsv', '-q').stdout.splitlines() if not line.startswith('# ')]
        self.assertEqual(lines[0], ['collection', 'measure', 'topic', 'value', 'low', 'high'])
        for row, line in zip(rows, lines[1:], strict=True):
            self.assertEqual([row['measure'], row['topic']], line[1:3])
            self.assertEqual([None if cell == '-' else float(cell) for cell in line[3:]], [row['value'], row.get('low'), row.get('high')])
        both = self.run_program('evaluate', '--answers', path, self.collection, self.collection).stdout
        self.assertEqual(both.count('member_recall'), 2)
        self.assertNotIn('all', [row['topic'] for row in json.loads(self.score(path, '--format', 'json', '-q', '-n').stdout)])
