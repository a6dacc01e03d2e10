"""touchstone adjudicate: a judge on standard input, and grades from qrels."""
import json
import signal
import subprocess

from harness import EndToEnd, PROGRAM

RUNS = {'a.run': 'p q r s', 'b.run': 'q t p u', 'c.run': 'v q w p'}
RELEVANT = {'q', 'p', 't', 'w'}


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        self.pool = self.folder / 'pool'
        self.pool.mkdir()
        for name, docids in RUNS.items():
            lines = [f'{topic} Q0 {docid} {rank} {10 - rank} {name}\n' for topic in ('t1', 't2') for rank, docid in enumerate(docids.split(), 1)]
            (self.pool / name).write_text(''.join(lines))
        self.out = self.folder / 'judged.qrels'

    def session(self, *arguments):
        process = subprocess.Popen([PROGRAM, 'adjudicate', self.pool, '--interactive', '--out', self.out, '--pool-depth', '3', *map(str, arguments)],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass  # it ended before it read all

    def judge(self, process, most=1000):
        """Answers up to `most` requests and returns what was asked."""
        asked = []
        while len(asked) < most and (line := process.stdout.readline()):
            request = json.loads(line)
            asked.append((request['topic'], request['docid']))
            grade = int(request['docid'] in RELEVANT)
            process.stdin.write(f'{{"grade": {grade}}}\n' if len(asked) % 2 else f'{grade}\n')
        return asked

    def whole(self, *arguments):
        process = self.session(*arguments)
        asked = self.judge(process)
        self.assertEqual(process.wait(timeout=60), 0, process.stderr.read())
        return asked

    def test_a_judge_is_asked_for_each_document_of_the_budget_once(self):
        for method in ('hedge', 'ntcir', 'top-k', 'mtf', 'ts'):
            with self.subTest(method):
                self.out.unlink(missing_ok=True)
                asked = self.whole('--budget', 4, '--method', method)
                self.assertEqual(len(asked), 8)
                self.assertEqual(len(set(asked)), 8)
                self.assertEqual([topic for topic, _ in asked], ['t1'] * 4 + ['t2'] * 4)
                written = [line.split() for line in self.out.read_text().splitlines()]
                self.assertEqual([(topic, docid, int(grade)) for topic, _, docid, grade in written],
                                 [(topic, docid, int(docid in RELEVANT)) for topic, docid in asked])

    def test_qrels_give_what_a_judge_with_the_same_grades_gives(self):
        qrels = self.folder / 'all.qrels'
        qrels.write_text(''.join(f'{topic} 0 {docid} {int(docid in RELEVANT)}\n' for topic in ('t1', 't2') for docid in 'pqrstuvw'))
        self.whole('--budget', 5, '--method', 'mm', '--seed', 3)
        simulated = self.run_program('adjudicate', self.pool, '--qrels', qrels, '--pool-depth', 3, '--budget', 5, '--method', 'mm', '--seed', 3)
        self.assertEqual(simulated.stdout, self.out.read_text())
        self.assertIn('10 documents of 2 topics are judged', simulated.stderr)

    def test_the_file_says_how_its_documents_were_chosen(self):
        self.whole('--budget', 4, '--method', 'mtf', '--seed', 7)
        record = json.loads((self.folder / 'judged.qrels.json').read_text())
        self.assertEqual({key: record[key] for key in ('method', 'seed', 'pool_depth', 'budget', 'min_grade', 'grades')},
                         {'method': 'mtf', 'seed': 7, 'pool_depth': 3, 'budget': 4, 'min_grade': 1, 'grades': 'interactive'})
        self.assertEqual(len(self.whole('--budget', 5, '--method', 'mtf', '--seed', 7)), 2, 'a larger budget goes on')
        self.assertEqual(json.loads((self.folder / 'judged.qrels.json').read_text())['budget'], 5)

    def test_judgments_of_different_choices_do_not_mix(self):
        qrels = self.folder / 'all.qrels'
        qrels.write_text(''.join(f'{topic} 0 {docid} {int(docid in RELEVANT)}\n' for topic in ('t1', 't2') for docid in 'pqrstuvw'))
        take = ['adjudicate', self.pool, '--pool-depth', 3, '--budget', 4, '--out', self.out, '--qrels', qrels]
        self.run_program(*take, '--method', 'mm', '--seed', 1)
        kept = self.out.read_text()
        for arguments, words in ((('--method', 'ts', '--seed', 1), ('--method mm, and this command has --method ts', )),
                                 (('--method', 'mm', '--seed', 2), ('--seed 1, and this command has --seed 2', )),
                                 (('--method', 'mm', '--seed', 1, '--min-grade', 2), ('--min-grade 1', ))):
            done = self.run_program(*take, *arguments, status=2)
            for word in words + ('name another file with --out', ):
                self.assertIn(word, done.stderr)
            self.assertEqual(done.stderr.count('\n'), 1, done.stderr)
        done = self.session('--budget', 4, '--method', 'mm', '--seed', 1)
        self.assertEqual(done.wait(timeout=60), 2)
        self.assertIn('grades of qrels', done.stderr.read())
        self.assertEqual(self.out.read_text(), kept)
        self.run_program(*take, '--method', 'mm', '--seed', 1)
        (self.folder / 'judged.qrels.json').unlink()
        self.assertIn('how the documents of its judgments were chosen, is not there', self.run_program(*take, '--method', 'mm', '--seed', 1, status=2).stderr)

    def test_a_seed_counts_only_for_methods_that_draw(self):
        self.whole('--budget', 2, '--method', 'hedge', '--seed', 1)
        self.whole('--budget', 2, '--method', 'hedge', '--seed', 2)

    def test_a_judge_sees_query_and_text(self):
        collection = self.folder / 'teas'
        collection.mkdir()
        (collection / 'corpus.jsonl').write_text(''.join(json.dumps({'_id': docid, 'title': f'Title {docid}', 'text': f'Text of {docid}.'}) + '\n' for docid in 'pqrstuvw'))
        (collection / 'queries.jsonl').write_text(''.join(json.dumps({'_id': topic, 'text': f'query {topic}'}) + '\n' for topic in ('t1', 't2')))
        process = self.session('--budget', 1, '--collection', collection)
        first = json.loads(process.stdout.readline())
        self.assertEqual((first['query'], first['title'], first['text']), ('query t1', f'Title {first["docid"]}', f'Text of {first["docid"]}.'))
        process.kill()
        (self.folder / 'topics.tsv').write_text('t1\tother words\nt2\tmore\n')
        process = self.session('--budget', 1, '--collection', collection, '--topics', self.folder / 'topics.tsv')
        self.assertEqual(json.loads(process.stdout.readline())['query'], 'other words')
        process.kill()
        (self.folder / 'topics.tsv').write_text('t1\tother words\n')
        for arguments, words in ((('--collection', collection, '--topics', self.folder / 'topics.tsv'), 'has no query of the topic "t2"'),
                                 (('--topics', self.folder / 'topics.tsv'), '--topics needs --collection')):
            process = self.session('--budget', 1, *arguments)
            self.assertEqual(process.wait(timeout=60), 2)
            self.assertIn(words, process.stderr.read())
        (collection / 'corpus.jsonl').write_text('{"_id": "p", "title": "", "text": "Text."}\n')
        process = self.session('--budget', 1, '--collection', collection)
        self.assertEqual(process.wait(timeout=60), 2)
        self.assertIn('lacks 5 documents of the pool, such as "q"', process.stderr.read())

    def test_a_killed_session_goes_on_and_asks_nothing_twice(self):
        expected = self.whole('--budget', 6, '--method', 'ts')
        self.out.unlink()
        asked = []
        for answers in (1, 2, 4):
            process = self.session('--budget', 6, '--method', 'ts')
            asked += self.judge(process, answers)
            process.stdout.readline()  # the next request: the answer before it is on disk
            process.send_signal(signal.SIGKILL)
            process.wait()
        with self.out.open('a') as torn:
            torn.write('t2 0 q')
        asked += self.whole('--budget', 6, '--method', 'ts')
        self.assertEqual(asked, expected)
        self.assertEqual(len(self.out.read_text().splitlines()), 12)

    def test_the_end_of_standard_input_stops_the_session_with_status_3(self):
        process = self.session('--budget', 3)
        self.judge(process, 2)
        process.stdin.close()
        self.assertEqual(process.wait(timeout=60), 3)
        self.assertIn('run again to go on', process.stderr.read())
        self.assertEqual(len(self.out.read_text().splitlines()), 2)

    def test_a_folder_of_runs_may_hold_other_files(self):
        for name in RUNS:
            (self.pool / name).rename(self.pool / f'{name}.run')
        (self.pool / 'overlap.tsv').write_text('first\tsecond\toverlap\n')
        qrels = self.folder / 'qrels'
        qrels.write_text('t1 0 d1 1\n')
        done = self.run_program('adjudicate', self.pool, '--budget', 1, '--qrels', qrels)
        self.assertEqual(done.stdout, '', 'no label that nobody gave')
        self.assertIn('2 of them are not in', done.stderr)

    def test_what_is_not_a_grade_is_asked_for_again(self):
        process = self.session('--budget', 1)
        for line in ('', 'yes', '1.5', '{"grade": "1"}', '{}', '999', '[1]', '{"grade": 1'):
            process.stdin.write(line + '\n')
        asked = self.judge(process)
        self.assertEqual(len(asked), 2)
        self.assertEqual(process.wait(timeout=60), 0)
        self.assertEqual(process.stderr.read().count('is not a grade'), 8)

    def test_bad_use_is_said_in_one_sentence(self):
        (self.folder / 'empty').mkdir()
        (self.folder / 'text.run').write_text('this is not a run\n')
        for arguments, words, status in [
                ((self.pool, '--budget', 3), 'say where grades come from', 2),
                ((self.pool, '--budget', 3, '--interactive'), '--out FILE', 2),
                ((self.pool, '--budget', 3, '--interactive', '--out', self.out, '--qrels', 'x'), 'say where grades come from', 2),
                ((self.pool, '--budget', 3, '--qrels', 'x', '--collection', self.pool), 'it needs --interactive', 2),
                ((self.pool, '--budget', 3, '--method', 'hegde', '--qrels', 'x'), 'hedge', 2),
                ((self.folder / 'empty', '--budget', 3, '--qrels', 'x'), 'holds no files', 2),
                ((self.folder / 'nowhere', '--budget', 3, '--qrels', 'x'), 'nowhere', 1),
                ((self.folder / 'text.run', '--budget', 3, '--qrels', self.folder / 'text.run'), 'text.run', 1)]:
            with self.subTest(arguments):
                done = self.run_program('adjudicate', *arguments, status=status)
                self.assertIn(words, done.stderr)
                self.assertEqual(done.stderr.count('\n'), 1, done.stderr)
