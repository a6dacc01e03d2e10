"""What people say of passages: `touchstone snippets` and `touchstone vote`."""
import json
import random
import unittest

from harness import DATA, EndToEnd

LEVELS = ['0_NOT_RELEVANT', '1_TOPIC_RELEVANT_DOES_NOT_ANSWER', '2_GOOD_ANSWER', '3_PERFECT_ANSWER']
FIRA = DATA / 'qrels' / 'fira'


def raw_judgments(qrels, draw):
    """Lines of FiRA's raw judgments, three for each snippet, whose votes give the grades of `qrels`."""
    rows = []
    for topic, docid, grade in qrels:
        votes = [grade] * 3
        kind = draw.random()
        if kind < 0.4:
            votes[2] = draw.choice([other for other in range(4) if other != grade])
        elif kind < 0.6 and grade >= 2:
            votes[1:] = draw.sample(range(grade), 2)  # a tie of three: the highest wins
        for user, vote in zip(draw.sample(range(87), 3), votes):
            ranges = '0-3;5-9' if vote > 1 else '<no ranges selected>'
            rows.append(f'{LEVELS[vote]}\t{ranges}\t{draw.randrange(90000)}\t1588341862\t{docid}\t{topic}\tuser{user}')
    draw.shuffle(rows)
    header = 'id\trelevanceLevel\trelevanceCharacterRanges\tdurationUsedToJudgeMs\tjudgedAtUnixTS\tdocumentId\tqueryId\tuserId\n'
    return header + ''.join(f'{number}\t{row}\n' for number, row in enumerate(rows))


def read_qrels(path):
    return sorted((topic, docid, int(grade)) for topic, _, docid, grade in map(str.split, path.read_text().splitlines()))


class Test(EndToEnd):
    def vote(self, *arguments, **options):
        return self.run_program('vote', *arguments, **options)

    @unittest.skipUnless(FIRA.exists(), 'needs the qrels of FiRA in the shared data')
    def test_the_released_qrels_of_fira_follow_from_raw_judgments(self):
        qrels = read_qrels(FIRA / 'fira-trec19-qrels-snippets.txt')
        (self.folder / 'raw.tsv').write_text(raw_judgments(qrels, random.Random(19)))
        printed = self.vote(self.folder / 'raw.tsv', '--ties', 'highest', '--at-least', '3', '--out', self.folder / 'votes').stdout
        self.assertEqual(read_qrels(self.folder / 'votes' / 'qrels.txt'), qrels)
        for grade, count in enumerate(('13,566', '6,201', '3,145', '1,286')):
            self.assertRegex(printed, rf'(?m)^{grade} +{count} ')
        for how in ('max', 'sum'):
            released = read_qrels(FIRA / f'fira-trec19-notrec-qrels-docs-{how}.txt')
            self.assertEqual(read_qrels(self.folder / 'votes' / f'qrels-docs-{how}.txt'), released)
            rolled = self.run_program('qrels', self.folder / 'votes' / 'qrels.txt', '--roll-up', how).stdout
            self.assertEqual((self.folder / 'votes' / f'qrels-docs-{how}.txt').read_text(), rolled)

    def test_snippets_are_the_text_between_their_offsets_and_cover_it(self):
        draw = random.Random(3)
        texts = {}
        for number in range(40):
            words = [draw.choice(['word', 'Wörter', '\U0001F692', 'end.', 'really?', '神社。', '\u00a0', 'A.B.']) for _ in range(draw.randrange(900))]
            texts[f'D{number}'] = ' '.join(words)
        documents = self.folder / 'documents.tsv'
        documents.write_text(''.join(f'{name}\t{text}\n' for name, text in texts.items()))
        self.run_program('snippets', documents, '--out', self.folder / 's.jsonl', '--words', 'spaces', '--max-snippets', '1000')
        snippets = [json.loads(line) for line in (self.folder / 's.jsonl').read_text().splitlines()]
        ends, numbers = dict.fromkeys(texts, 0), dict.fromkeys(texts, 0)
        for snippet in snippets:
            name = snippet['document']
            self.assertEqual(snippet['_id'], f'{name}_{numbers[name]}')
            self.assertEqual(texts[name][snippet['begin']:snippet['end']], snippet['text'])
            self.assertLessEqual(len(snippet['text'].split()), 130)
            self.assertEqual(texts[name][ends[name]:snippet['begin']].strip(), '')
            ends[name], numbers[name] = snippet['end'], numbers[name] + 1
        self.assertTrue(all(text[ends[name]:].strip() == '' for name, text in texts.items()))
        self.run_program('snippets', documents, '--out', self.folder / 's.tsv.gz', '--words', 'spaces')
        self.run_program('snippets', self.folder / 's.jsonl', '--out', self.folder / 'again.tsv')  # they are documents too

    def test_labels_of_passages_of_a_collection(self):
        self.build('w')
        collection = self.folder / 'w' / 'collection'
        self.run_program('snippets', collection, '--out', self.folder / 's.jsonl')
        docid = json.loads((self.folder / 's.jsonl').read_text().splitlines()[0])['document']
        answer = {'annotator': 'a', 'topic': 'q', 'docid': docid, 'grade': 2, 'spans': [[0, 5]]}
        answers = self.folder / 'annotations.jsonl'
        answers.write_text(json.dumps(answer) + '\n')
        self.vote(answers, '--texts', collection, '--convert', 'label-studio', '--out', self.folder / 'tasks.json')
        task, = json.loads((self.folder / 'tasks.json').read_text())
        span, = (result['value'] for result in task['annotations'][0]['result'] if result['type'] == 'labels')
        self.assertEqual(span['text'], task['data']['text'][:5])
        self.vote(self.folder / 'tasks.json', '--convert', 'touchstone', '--out', self.folder / 'back.jsonl')
        back = json.loads((self.folder / 'back.jsonl').read_text())
        self.assertEqual({name: back[name] for name in answer}, answer)
        answer['spans'] = [[0, 10**6]]
        answers.write_text(json.dumps(answer) + '\n')
        self.assert_one_error(self.vote(answers, '--texts', collection, '--out', self.folder / 'votes', status=1), 'outside the text', docid)
        self.assertFalse((self.folder / 'votes').exists())

    def test_the_order_of_files_and_answers_does_not_matter(self):
        draw = random.Random(4)
        lines = [json.dumps({'annotator': f'a{draw.randrange(6)}', 'topic': f'q{draw.randrange(3)}', 'docid': f'D_{draw.randrange(9)}', 'grade': grade,
                             'spans': [[draw.randrange(4), 5]] if grade > 1 else [], 'judged_at_ms': time}) for time, grade in enumerate(draw.choices(range(4), k=300))]
        outputs = set()
        for name in ('first', 'second'):
            draw.shuffle(lines)
            for part in range(2):
                (self.folder / f'{part}.jsonl').write_text('\n'.join(lines[part::2]) + '\n')
            printed = self.vote(self.folder / '0.jsonl', self.folder / '1.jsonl', '--out', self.folder / name).stdout
            outputs.add((printed, *((self.folder / name / file.name).read_bytes() for file in sorted((self.folder / name).iterdir()))))
        self.assertEqual(len(outputs), 1)


if __name__ == '__main__':
    unittest.main()
