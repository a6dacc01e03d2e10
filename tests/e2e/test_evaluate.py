"""touchstone evaluate on real runs and on trec_eval's own test cases."""
import csv
import gzip
import json
import subprocess

from harness import DATA, EndToEnd, PROGRAM

QRELS = '301 0 a 1\n301 0 b 0\n302 0 c 2\n302 0 d 1\n'
RUN = '301 Q0 a 1 0.9 t\n301 Q0 b 2 0.8 t\n302 Q0 x 1 0.7 t\n302 Q0 c 2 0.6 t\n'

# The commands of the Makefile that comes with the cases.
TREC_EVAL_CASES = [
    ('out.test', 'qrels.test', 'results.test', []),
    ('out.test', 'qrels.test.with-comments', 'results.test', []),
    ('out.comment.test', 'qrels.comment.test', 'results.comment.test', []),
    ('out.test.a', 'qrels.test', 'results.test', ['-m', 'all_trec']),
    ('out.test.aq', 'qrels.test', 'results.test', ['-m', 'all_trec', '-q']),
    ('out.test.aqc', 'qrels.test', 'results.trunc', ['-m', 'all_trec', '-q', '-c']),
    ('out.test.aqcM', 'qrels.test', 'results.trunc', ['-m', 'all_trec', '-q', '-c', '-M100']),
    ('out.test.aql', 'qrels.rel_level', 'results.test', ['-m', 'all_trec', '-mrelstring.20', '-q', '-l2']),
    ('out.test.meas_params', 'qrels.test', 'results.test',
     ['-q', '-miprec_at_recall..10,.20,.25,.75,.50', '-m', 'P.5,7,3', '-m', 'recall.20,2000', '-m', 'Rprec_mult.5.0,0.2,0.35', '-mutility.2,-1,0,0', '-m',
      '11pt_avg..25,.5,.75', '-mndcg.1=3,2=9,4=4.5', '-mndcg_cut.10,20,23.4', '-msuccess.2,5,20']),
    ('out.test.aqZ', 'qrels.test', 'results.test', ['-q', '-m', 'all_trec', '-Z', 'zscores_file']),
]


class Test(EndToEnd):
    def need(self, name):
        path = DATA / name
        if not path.exists():
            self.skipTest(f'real data is not here: {path} (set TOUCHSTONE_DATA to its folder)')
        return path

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def evaluate(self, *arguments, **options):
        return self.run_program('evaluate', *arguments, **options)

    def values(self, *arguments, **options):
        """The values of the JSON output, each with the file of its run."""
        found = json.loads(self.evaluate('--format', 'json', *arguments, **options).stdout)
        files = {row['run']: row['about']['file'] for row in found if 'about' in row}
        return [{**row, 'file': files[row['run']]} for row in found]

    def test_the_text_of_trec_eval_comes_out_for_all_its_cases(self):
        folder = self.need('stats/trec_eval-cases')
        for expected, qrels, run, arguments in TREC_EVAL_CASES:
            for threads in ('1', '2'):
                with self.subTest(expected, qrels=qrels, threads=threads):
                    found = self.evaluate('--format', 'trec_eval', '-j', threads, '--qrels', qrels, *arguments, run, cwd=folder)
                    self.assertEqual(found.stdout, (folder / expected).read_text())

    def dl19_runs(self):
        return sorted(self.need('runs/trec-dl-2019').glob('*.run.gz'))

    def dl19_expected(self, name):
        """run file -> its row of an independently computed table, with the table's header."""
        with open(self.need(f'stats/{name}'), newline='') as lines:
            header, *rows = csv.reader(lines, delimiter='\t')
        short = {row[0].removeprefix('dl-19-official-input.').removesuffix('.gz').replace('_msmarco-passage-trec-dl-2019-judged.run', ''): row[1:] for row in rows}
        return header[1:], {run: [float(value) for value in short[run.name.removesuffix('.run.gz')]] for run in self.dl19_runs()}

    def test_ndcg_of_61_runs_of_a_track_equals_an_independent_table(self):
        qrels = self.need('qrels/qrels.dl19-passage.txt')
        runs = self.dl19_runs()
        self.assertEqual(len(runs), 61)
        topics, by_topic = self.dl19_expected('dl19_61systems_ndcg10_pertopic.tsv')
        _, means = self.dl19_expected('dl19_61systems_ndcg10.tsv')
        rows = self.values('--qrels', qrels, *runs, '-m', 'nDCG@10', '-q')
        found = {(row['file'], row['topic']): row['value'] for row in rows}
        self.assertEqual(len(found), 61 * 44)
        for run in runs:
            for topic, value in zip(topics, by_topic[run]):
                self.assertAlmostEqual(found[str(run), topic], value, delta=5e-5, msg=f'{run.name} {topic}')
            self.assertAlmostEqual(found[str(run), 'all'], means[run][0], delta=5e-5, msg=run.name)

    def test_output_is_the_same_for_any_number_of_threads(self):
        qrels = self.need('qrels/qrels.dl19-passage.txt')
        runs = self.dl19_runs()[:8]
        done = [self.evaluate('--qrels', qrels, *runs, '-m', 'all_trec', 'nDCG@10', 'RBP', '-q', '--format', 'tsv', '-j', threads) for threads in (1, 2, 3, 8)]
        self.assertEqual(len({run.stdout for run in done}), 1)
        self.assertNotIn('TBB', ''.join(run.stderr for run in done))

    def test_runs_come_in_the_order_of_the_command_line(self):
        qrels = self.write('q', QRELS)
        runs = [self.write(f'run{i}', RUN) for i in (3, 1, 2)]
        self.assertEqual([row['file'] for row in self.values('--qrels', qrels, *runs, '-m', 'map')], [str(run) for run in runs])

    def test_measures_may_stand_before_the_runs(self):
        qrels, run = self.write('q', QRELS), self.write('r', RUN)
        rows = self.values('--qrels', qrels, '-m', 'map', 'P_1', run)
        self.assertEqual([(row['measure'], row['value']) for row in rows], [('map', 0.625), ('P_1', 0.5)])

    def test_plain_gzip_pipe_and_standard_input_give_the_same(self):
        qrels, run = self.write('q', QRELS), self.write('r', RUN)
        with gzip.open(self.folder / 'r.gz', 'wt') as packed:
            packed.write(RUN)
        expected = self.evaluate('--qrels', qrels, run, '--format', 'trec_eval').stdout
        self.assertEqual(self.evaluate('--qrels', qrels, self.folder / 'r.gz', '--format', 'trec_eval').stdout, expected)
        with open(run) as stdin:
            self.assertEqual(self.evaluate('--qrels', qrels, '-', '--format', 'trec_eval', stdin=stdin).stdout, expected)
        piped = subprocess.run(['bash', '-c', '"$0" evaluate --qrels "$1" <(cat "$2") --format trec_eval', PROGRAM, qrels, run], stdout=subprocess.PIPE, check=True)
        self.assertEqual(piped.stdout.decode(), expected)

    def test_bad_input_is_one_sentence_with_file_and_line(self):
        qrels = self.write('q', QRELS)
        for name, text, words in (
                ('few', RUN + '303 Q0 a 1 0.5\n', ['few:5:', 'has 5 fields instead of the 6']),
                ('nan', RUN + '302 Q0 z 1 nan t\n', ['nan:5:', 'no finite number']),
                ('inf', RUN + '302 Q0 z 1 -inf t\n', ['inf:5:', 'no finite number']),
                ('text', RUN + '302 Q0 z 1 high t\n', ['text:5:', '"high"']),
                ('twice', RUN + '301 Q0 a 1 0.5 t\n', ['twice:5:', 'a second time after line 1']),
                ('binary', '\0\1\2' * 1000, ['binary:1:', 'instead of the 6']),
                ('other', '999 Q0 a 1 0.5 t\n', ['other', 'no topic in common'])):
            with self.subTest(name):
                done = self.evaluate('--qrels', qrels, self.write(name, text), status=1)
                self.assert_one_error(done, *words)
                self.assertEqual(done.stdout, '')
        self.assertIn('empty: the run answers no topic', self.evaluate('--qrels', qrels, self.write('empty', '')).stderr)
        run = self.write('r', RUN)
        for name, text, words in (('q-few', QRELS + '301 0 z\n', ['q-few:5:', 'has 3 fields']), ('q-grade', QRELS + '301 0 z high\n', ['q-grade:5:', '"high"']),
                                  ('q-twice', QRELS + '301 0 a 0\n', ['q-twice:5:', 'a second time after line 1'])):
            with self.subTest(name):
                self.assert_one_error(self.evaluate('--qrels', self.write(name, text), run, status=1), *words)
        self.assert_one_error(self.evaluate('--qrels', qrels, self.folder / 'none', status=1), 'cannot read')

    def test_lenient_is_advised_by_the_command_that_has_it(self):
        qrels, run, bad = self.write('q', QRELS), self.write('r', RUN), self.write('few', RUN + '302 Q0 zz 1 0.5\n')
        for command in (['evaluate', '--qrels', qrels, bad], ['compare', '--qrels', qrels, run, bad, '-m', 'map'], ['study', 'partial', '--qrels', qrels, run, bad],
                        ['trust', qrels, run, bad, '--out', self.folder / 'out'], ['adjudicate', bad, '--budget', 1, '--qrels', qrels]):
            with self.subTest(command[0]):
                done = self.run_program(*command, status=1)
                self.assertIn('few:5: has 5 fields instead of the 6', done.stderr)
                offers = '--lenient' in self.run_program(*command[:2 if command[0] == 'study' else 1], '--help').stdout
                self.assertEqual('--lenient' in done.stderr, offers, done.stderr)

    def test_wrong_usage_is_exit_status_2(self):
        qrels, run = self.write('q', QRELS), self.write('r', RUN)
        for arguments in ([run], ['--qrels', qrels], ['--qrels', qrels, run, '-m', 'nDGC@10'], ['--qrels', qrels, run, '-m', 'P@x'], ['--qrels', qrels, run, '--format', 'xml'],
                          ['--qrels', qrels, run, '-l', '-1'], ['--qrels', qrels, run, '-j', '0'], ['--qrels', qrels, run, '-M', '0']):
            with self.subTest(arguments):
                done = self.evaluate(*arguments, status=2)
                self.assertEqual(done.stdout, '')
                self.assertNotEqual(done.stderr, '')

    def test_lenient_skips_and_says_what_was_skipped(self):
        qrels = self.write('q', QRELS + '301 0 z\n')
        run = self.write('r', RUN + '303 Q0 a\n302 Q0 z 1 nan t\n301 Q0 a 9 9 t\n')
        done = self.evaluate('--qrels', qrels, run, '-m', 'map', '--lenient', '--format', 'json')
        self.assertEqual(json.loads(done.stdout)[0]['value'], 0.625)
        for words in ('q: skipped lines with the wrong number of fields: 1', 'r: skipped lines with the wrong number of fields: 1',
                      'r: skipped lines whose score or grade is no number: 1', 'r: skipped lines with a docid that the topic has already: 1'):
            self.assertIn(words, done.stderr)

    def test_topics_that_only_one_side_has_are_told(self):
        run = self.write('r', RUN + '999 Q0 a 1 0.5 t\n')
        done = self.evaluate('--qrels', self.write('q', QRELS + '400 0 a 1\n'), run, '-m', 'map')
        self.assertRegex(done.stderr, 'r:5: topic "999" is not in .* and is left out; topics like it: 1')
        self.assertRegex(done.stderr, 'topics of .* missing from the run: 1 of 3')
