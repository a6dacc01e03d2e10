"""`build --with-coverage` answers the topics with the baseline systems and studies what their pools find."""
import json

from harness import EndToEnd

AUTOMATIC = ['--to', 'automatic', '--set', 'automatic.min_sections=1', '--with-coverage']


class Test(EndToEnd):
    def check_study(self, folder, qrels, printed):
        """Two lines, with the numbers of the study that `study coverage` makes of the same runs."""
        lines = printed.splitlines()[-2:]
        self.assertTrue(lines[0].startswith('coverage    The first 10 ranks of the '), printed)
        self.assertRegex(lines[0], r' Verdict: (good|caution|bad)\.$')
        self.assertIn(str(folder / 'report.html'), lines[1])
        runs = sorted((folder / 'runs').glob('*.run'))
        self.assertGreater(len(runs), 10)
        again = json.loads(self.run_program('study', 'coverage', '--qrels', qrels, *runs, '--format', 'json').stdout)
        made = json.loads((folder / 'study.json').read_text())
        for name in ('systems', 'topics', 'relevant', 'coverage', 'found', 'pool', 'unjudged'):
            self.assertEqual(made[name], again[name], name)
        self.assertIn(f'({made["found"]:,} of {made["relevant"]:,} passages)', lines[0])
        self.assertIn(f'{made["unjudged"]:,} of the {made["pool"]:,} passages', lines[1])
        return made

    def test_of_an_evidence_collection(self):
        done = self.build('w', '--with-coverage')
        folder = self.folder / 'w' / 'coverage' / 'evidence'
        self.check_study(folder, self.folder / 'w' / 'collection' / 'qrels.txt', done.stdout)
        self.assertTrue((folder / 'runs' / 'bm25-inlinks.run').exists(), 'the links of the wiki are given')

    def test_of_an_automatic_collection(self):
        done = self.build('w', *AUTOMATIC)
        folder = self.folder / 'w' / 'coverage' / 'automatic'
        self.check_study(folder, self.folder / 'w' / 'automatic' / 'trec' / 'test.hierarchical.qrels', done.stdout)

    def test_the_same_collection_is_not_studied_again(self):
        first = self.build('w', '--with-coverage')
        folder = self.folder / 'w' / 'coverage' / 'evidence'
        files = {path: path.stat().st_mtime_ns for path in folder.rglob('*')}
        again = self.build('w', '--with-coverage')
        self.assertEqual(again.stdout.splitlines()[-2:], first.stdout.splitlines()[-2:])
        self.assertEqual({path: path.stat().st_mtime_ns for path in folder.rglob('*')}, files)
        self.build('w', '--with-coverage', '--set', 'export.name=other')
        self.assertNotEqual({path: path.stat().st_mtime_ns for path in folder.rglob('*')}, files)

    def test_what_is_missing_or_changed_is_made_again(self):
        self.build('w', '--with-coverage')
        folder = self.folder / 'w' / 'coverage' / 'evidence'
        expected = {path: path.read_bytes() for path in folder.rglob('*') if path.is_file()}
        (folder / 'report.html').unlink()
        self.build('w', '--with-coverage')
        self.assertEqual({path: path.read_bytes() for path in folder.rglob('*') if path.is_file()}, expected)
        (folder / 'runs' / 'dph.run').write_text('edited\n')
        self.build('w', '--with-coverage')
        self.assertEqual({path: path.read_bytes() for path in folder.rglob('*') if path.is_file()}, expected)
        time = (folder / 'report.html').stat().st_mtime_ns
        self.build('w', '--with-coverage', '--force')
        self.assertNotEqual((folder / 'report.html').stat().st_mtime_ns, time)

    def test_files_of_the_user_stay(self):
        self.build('w', '--with-coverage')
        folder = self.folder / 'w' / 'coverage' / 'evidence'
        mine = [folder / 'notes.txt', folder / 'runs' / 'mine.run', folder / 'plots' / 'a.svg']
        (folder / 'plots').mkdir()
        for path in mine:
            path.write_text('mine')
        self.build('w', '--with-coverage', '--set', 'export.name=other')
        self.assertEqual([path.read_text() for path in mine], ['mine'] * 3)
        self.assertNotIn('mine', (folder / 'study.json').read_text())

    def test_what_an_interrupted_study_left_is_made_again(self):
        first = self.build('w', '--with-coverage')
        folder = self.folder / 'w' / 'coverage' / 'evidence'
        expected = {path: path.read_bytes() for path in folder.rglob('*') if path.is_file()}
        (folder / 'summary.txt').unlink()
        (folder / 'runs' / 'bm25.run').write_text('half of a ru')
        (folder / 'retrieve-abcdef').mkdir()
        again = self.build('w', '--with-coverage')
        self.assertEqual(again.stdout.splitlines()[-2:], first.stdout.splitlines()[-2:])
        self.assertEqual({path: path.read_bytes() for path in folder.rglob('*') if path.is_file()}, expected)

    def test_a_build_without_a_collection_is_refused_before_it_runs(self):
        done = self.build('w', '--to', 'link', '--with-coverage', status=2)
        self.assertIn('--with-coverage needs a collection, and --to link makes none', done.stderr)
        self.assertFalse((self.folder / 'w').exists())
        done = self.build('w', '--from', 'report', '--with-coverage', status=2)
        self.assertIn('--to report --from report makes none', done.stderr)

    def test_a_collection_without_topics_is_said(self):
        done = self.build('w', '--set', 'groups.min_members=1000', '--with-coverage', status=4)
        self.assertIn('coverage    not measured: ', done.stdout)
