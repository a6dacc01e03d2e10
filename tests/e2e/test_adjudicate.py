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
                ((self.pool, '--budget', 3, '--method', 'hegde', '--qrels', 'x'), 'hedge', 2),
                ((self.folder / 'empty', '--budget', 3, '--qrels', 'x'), 'holds no files', 2),
                ((self.folder / 'nowhere', '--budget', 3, '--qrels', 'x'), 'nowhere', 1),
                ((self.folder / 'text.run', '--budget', 3, '--qrels', self.folder / 'text.run'), 'text.run', 1)]:
            with self.subTest(arguments):
                done = self.run_program('adjudicate', *arguments, status=status)
                self.assertIn(words, done.stderr)
                self.assertEqual(done.stderr.count('\n'), 1, done.stderr)
