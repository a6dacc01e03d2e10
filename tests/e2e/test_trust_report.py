"""touchstone trust: all studies of a collection in one report, for our collections and for files of others."""
import json
import signal
import subprocess
import time

from harness import EndToEnd, PROGRAM

FEW = ['--set', 'partial.random=20', '--set', 'partial.random_curves=5', '--set', 'adjudication.seeds=2']


class Test(EndToEnd):
    def files_of_others(self):
        folder = self.folder / 'others'
        folder.mkdir()
        topics = [f't{i}' for i in range(6)]
        (folder / 'qrels.txt').write_text(''.join(f'{topic} 0 d{i} {int(i % 3 == 0)}\n' for topic in topics for i in range(12)))
        for run in range(4):
            lines = [f'{topic} Q0 d{(i * (run + 1) + place) % 13} {i + 1} {20 - i} r{run}\n' for place, topic in enumerate(topics) for i in range(10)]
            (folder / f'r{run}.run').write_text(''.join(lines))
        return folder, sorted(folder.glob('*.run'))

    def trust(self, *arguments, status=0):
        result = subprocess.run([PROGRAM, 'trust', *map(str, arguments)], capture_output=True, text=True, cwd=self.folder, timeout=600)
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def contents(self, folder):
        return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob('*')) if path.is_file()}

    def test_files_of_others_give_every_study_and_the_same_bytes_with_any_threads(self):
        folder, runs = self.files_of_others()
        for threads in (1, 2):
            self.trust(folder / 'qrels.txt', *runs, '--out', f'out{threads}', '-j', threads, *FEW)
        self.assertEqual(self.contents(self.folder / 'out1'), self.contents(self.folder / 'out2'))
        report = json.loads((self.folder / 'out1' / 'trust.json').read_text())
        done = {study['study'] for study in report['studies'] if study['state'] == 'done'}
        self.assertLessEqual({'partial', 'coverage', 'adjudication'}, done)
        for study in report['studies']:
            if study['state'] == 'left out':
                self.assertTrue(study['reason'])
        self.assertFalse(report['runs_are_baselines'])
        self.assertEqual(len(report['runs']), 4)
        for name in done:
            self.assertTrue((self.folder / 'out1' / name / 'study.json').is_file())
        self.assertFalse(list((self.folder / 'out1').rglob('.parts')))
        page = (self.folder / 'out1' / 'report.html').read_text()
        self.assertIn('Summary', page)
        self.assertNotIn('<script', page)

    def test_a_collection_without_runs_is_answered_by_the_baselines(self):
        self.build('work')
        self.trust(self.folder / 'work' / 'collection', '--out', 'out', *FEW)
        report = json.loads((self.folder / 'out' / 'trust.json').read_text())
        self.assertTrue(report['runs_are_baselines'])
        self.assertGreaterEqual(len(report['runs']), 14)
        self.assertIn('caution', [finding['verdict'] for finding in report['findings']])
        self.assertFalse((self.folder / 'out' / '.index').exists())
        self.assertIn('no run was given', (self.folder / 'out' / 'findings.tsv').read_text().lower() + (self.folder / 'out' / 'report.html').read_text().lower())

    def test_judgments_in_the_form_of_beir_say_the_same(self):
        folder, runs = self.files_of_others()
        self.trust(folder / 'qrels.txt', *runs, '--out', 'trec', *FEW)
        rows = [line.split() for line in (folder / 'qrels.txt').read_text().splitlines()]
        (folder / 'beir' / 'qrels').mkdir(parents=True)
        (folder / 'beir' / 'qrels' / 'test.tsv').write_text('query-id\tcorpus-id\tscore\n' + ''.join(f'{topic}\t{docid}\t{grade}\n' for topic, _, docid, grade in rows))
        self.trust(folder / 'beir', *runs, '--out', 'beir', *FEW)
        findings = [[line for line in (self.folder / out / 'findings.tsv').read_text().splitlines() if not line.startswith('#')] for out in ('trec', 'beir')]
        self.assertEqual(findings[0], findings[1])
        self.assertEqual((self.folder / 'beir' / 'qrels.txt').read_text(), ''.join(f'{topic} 0 {docid} {grade}\n' for topic, _, docid, grade in rows))

    def test_what_is_missing_is_named(self):
        folder, runs = self.files_of_others()
        self.assertIn('there are no runs', self.trust(folder / 'qrels.txt', status=2).stderr)
        self.assertIn('neither a directory nor a file', self.trust(folder / 'nothing', *runs, status=2).stderr)
        one = self.trust(folder / 'qrels.txt', runs[0], '--out', 'one', '--format', 'json')
        left_out = {study['study']: study['reason'] for study in json.loads(one.stdout)['studies'] if study['state'] == 'left out'}
        self.assertIn('run', left_out['partial'])
        self.assertIn('There is one system', json.loads(one.stdout)['findings'][0]['statement'])

    def test_the_first_page_says_which_pairs_one_may_believe(self):
        folder, runs = self.files_of_others()
        text = self.trust(folder / 'qrels.txt', *runs, '--out', 'out', *FEW).stdout
        report = json.loads((self.folder / 'out' / 'trust.json').read_text())
        self.assertEqual((report['measure'], report['pairs'], len(report['leaderboard'])), ('nDCG@10', 6, 4))
        compared = json.loads(self.run_program('compare', '--qrels', folder / 'qrels.txt', *runs, '-m', 'nDCG@10', '--format', 'json').stdout)
        self.assertEqual(report['told_apart'], compared['significant'])
        self.assertAlmostEqual(report['critical_difference'], compared['critical_difference'], places=12)
        pairs = [line.split('\t') for line in (self.folder / 'out' / 'pairs.tsv').read_text().splitlines() if not line.startswith('#')]
        self.assertEqual(pairs[0][:3], ['better', 'worse', 'told_apart'])
        self.assertEqual(sum(row[2] == 'yes' for row in pairs[1:]), report['told_apart'])
        self.assertEqual(len(pairs), 7)
        for part in ('Topics:', 'Unjudged documents:', 'Assessors:', 'What would help most:', 'Leaderboard'):
            self.assertIn(part, text)
        self.assertTrue((self.folder / 'out' / 'leaderboard.tsv').is_file())

    def test_an_interrupted_run_can_be_started_again(self):
        folder, runs = self.files_of_others()
        command = [PROGRAM, 'trust', folder / 'qrels.txt', *runs, '--out', 'out', '--set', 'adjudication.seeds=5']
        process = subprocess.Popen(list(map(str, command)), cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        self.assertIn(process.wait(timeout=300), (0, 3, -signal.SIGINT))
        self.trust(folder / 'qrels.txt', *runs, '--out', 'out', '--set', 'adjudication.seeds=5')
        self.trust(folder / 'qrels.txt', *runs, '--out', 'fresh', '--set', 'adjudication.seeds=5')
        self.assertEqual(self.contents(self.folder / 'out'), self.contents(self.folder / 'fresh'))
