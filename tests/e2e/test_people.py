"""People as a judge of a build, alone and behind a cascade, and an audit that is served."""
import gzip
import json

from annotation import Server
from harness import CONFIG, DUMP, PROGRAM, EndToEnd

PANEL = '''
[[judges]]
kind = "lexical"
[[judges]]
kind = "human"
samples = 1
'''
CASCADE = ['--set', 'judge.cascade=true', '--set', 'judge.band_low=0.3', '--set', 'judge.band_high=0.7']


class Test(EndToEnd):
    def people(self, *names):
        (self.folder / 'names').write_text(''.join(f'{name}\n' for name in names))
        return self.folder / 'names'

    def work_lines(self, work):
        path = self.folder / work / 'people' / 'tasks.jsonl'
        return [json.loads(line) for line in path.read_text(encoding='utf-8').splitlines()]

    def serve(self, *arguments, names):
        return Server(PROGRAM, *arguments, '--annotators', self.people(*names), '--bind', '127.0.0.1:0', people=len(names))

    @staticmethod
    def by_words(task):
        """A fixed rule: a passage on the member's own page is evidence."""
        return {'grade': int(task['title'] == task['member'])}

    def judgments(self, work):
        with gzip.open(self.folder / work / 'collection' / 'judgments.jsonl.gz', 'rt', encoding='utf-8') as lines:
            return [json.loads(line) for line in lines]

    def test_tasks_have_the_passages_around_theirs(self):
        scope = ['--set', 'passages.scope=all', '--set', 'passages.granularity=paragraph', '--set', 'passages.repeats=keep']
        self.build('w', *scope)
        with gzip.open(self.folder / 'w' / 'collection' / 'corpus.jsonl.gz', 'rt', encoding='utf-8') as lines:
            pages = {}
            for passage in map(json.loads, lines):
                pages.setdefault(passage['_id'].rsplit('-', 1)[0], []).append((passage['_id'], passage['text']))
        self.build('people', *scope, '--set', 'judge.kind=human', status=3)
        around = 0
        for task in self.work_lines('people'):
            passages = pages[task['docid'].rsplit('-', 1)[0]]
            at = passages.index((task['docid'], task['text']))
            before, after = passages[max(0, at - 1):at], passages[at + 1:at + 2]
            self.assertEqual([task.get('before'), task.get('after')], [side[0][1] if side else None for side in (before, after)])
            around += bool(before) + bool(after)
        self.assertGreater(around, 50)

    def test_people_judge_a_build(self):
        settings = ['--set', 'judge.kind=human', '--set', 'judge.samples=2']
        done = self.build('w', *settings, status=3)
        self.assertRegex(done.stderr, r'\nstopped: \d+ questions wait for people; .*touchstone annotate --work .* --overlap 2, then run')
        tasks = self.work_lines('w')
        self.assertEqual({(task['kind'], task['language']) for task in tasks}, {('evidence', 'en')})

        with self.serve('--work', self.folder / 'w', '--overlap', '2', names=['Ada', 'Bo', 'Cy']) as server:
            for name in ('Ada', 'Bo', 'Cy'):
                server.person(name).work(self.by_words)
        self.build('w', *settings)
        judgments = self.judgments('w')
        self.assertLessEqual({judgment['judge'] for judgment in judgments}, {'people'})
        for judgment in judgments:
            self.assertEqual(len(judgment['votes']), 2)
            self.assertIn(judgment['grade'], (0, 1))
            self.assertEqual(judgment['probability'], float(judgment['grade']), 'both apply the same rule')
        self.run_program('validate', self.folder / 'w' / 'collection')

        # Nothing is asked again, and the log alone is enough.
        (self.folder / 'w' / 'people' / 'annotations.jsonl').unlink()
        self.run_program('--progress', 'never', 'judge', '--work', self.folder / 'w', '--force')

    def test_a_cascade_asks_people_where_the_first_judge_is_unsure(self):
        (self.folder / 'c.toml').write_text(CONFIG.read_text() + PANEL)
        build = ['--progress', 'never', 'build', '--config', self.folder / 'c.toml', '--dump', DUMP, '--work', self.folder / 'w', *CASCADE]
        self.run_program(*build, status=3)
        self.build('all', '--set', 'judge.kind=human', status=3)
        asked, everything = self.work_lines('w'), self.work_lines('all')
        self.assertGreater(len(asked), 0)
        self.assertLess(len(asked), len(everything))
        self.assertLess({task['id'] for task in asked}, {task['id'] for task in everything})
        with self.serve('--work', self.folder / 'w', '--overlap', '1', names=['Ada']) as server:
            server.person('Ada').work(self.by_words)
        self.run_program(*build)
        by_people = [judgment for judgment in self.judgments('w') if judgment['judge'] == 'people']
        self.assertGreater(len(by_people), 0)
        self.assertLessEqual(len(by_people), len(asked))

    def test_a_folder_without_questions_says_what_to_do(self):
        self.build('w')
        done = self.run_program('annotate', '--work', self.folder / 'w', '--annotators', self.people('Ada'), status=2)
        self.assert_one_error(done, 'has no questions to people', 'judge.kind=human')

    def test_an_audit_is_served_and_counted(self):
        self.build('w')
        collection = self.folder / 'w' / 'collection'
        arguments = [collection, '--sample', '60', '--out', self.folder / 'a', '--annotators', self.people('Ada', 'Bo'),
                     '--bind', '127.0.0.1:0', '--overlap', '2', '--format', 'json']
        with Server(PROGRAM, *arguments, people=2, command='audit') as server:
            self.assertEqual(server.person('Ada').work(self.by_words), 60)
            self.assertEqual(server.person('Bo').work(self.by_words), 60)
            server.stop()
            result = json.loads(server.rest)
        self.assertEqual((result['audited'], result['people'], result['answers']), (60, 2, 120))
        precision = next(number for number in result['numbers'] if number['name'] == 'precision')
        self.assertTrue(precision['low'] <= precision['value'] <= precision['high'], precision)
