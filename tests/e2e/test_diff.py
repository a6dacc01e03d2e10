"""touchstone diff: what changed between two collections, and why."""
import json
import re

from harness import DUMP, EndToEnd


class Test(EndToEnd):
    def collections(self):
        """The bundled wiki, and the same wiki in which a page is edited and another is gone."""
        text = DUMP.read_text(encoding='utf-8')
        pages = re.findall(r'  <page>.*?</page>\n', text, re.S)
        edited = next(page for page in pages if '<title>Saltmere Breakwater Light</title>' in page)
        gone = next(page for page in pages if '<title>Ekholt</title>' in page)
        later = text.replace(gone, '').replace(
            edited, re.sub('<sha1>.*?</sha1>', '', edited.replace('</text>', ' A sentence that is new.</text>')))
        later = later.replace("'''Saltmere Breakwater Light'''", "The light called '''Saltmere Breakwater Light'''")
        (self.folder / 'later.xml').write_text(later, encoding='utf-8')
        self.build('old')
        self.build('new', dump=self.folder / 'later.xml')
        return self.folder / 'old/collection', self.folder / 'new/collection'

    def diff(self, *arguments):
        return self.run_program('diff', *arguments).stdout

    def rows(self, file):
        header, *lines = [line for line in file.read_text().splitlines() if not line.startswith('#')]
        return [dict(zip(header.split('\t'), line.split('\t'))) for line in lines]

    def test_a_collection_does_not_differ_from_itself(self):
        old, _ = self.collections()
        text = self.diff(old, old)
        self.assertIn('Of 13 topics, 13 are the same', text)
        self.assertIn('0 were added, 0 are gone and 0 have another grade', text)

    def test_every_change_has_its_reason(self):
        old, new = self.collections()
        self.diff(old, new, '--out', self.folder / 'diff')
        passages = {row['old_docid']: row['change'] for row in self.rows(self.folder / 'diff/passages.tsv')}
        self.assertEqual(sorted(passages.values()), ['edited', 'gone'])
        labels = self.rows(self.folder / 'diff/labels.tsv')
        self.assertGreater(len(labels), 0)
        for row in labels:
            self.assertIn(row['reason'], ('page edited', 'page deleted', 'member deleted', 'list edited', 'words counted anew'))
        gone = next(docid for docid, change in passages.items() if change == 'gone')
        self.assertEqual({row['reason'] for row in labels if row['old_docid'] == gone}, {'page deleted'})
        self.assertEqual({row['new_grade'] for row in labels if row['old_docid'] == gone}, {''})
        self.assertTrue((self.folder / 'diff/report.html').read_text().lower().startswith('<!doctype html>'))

    def test_the_labels_alone_change_scores_and_ranks(self):
        old, new = self.collections()
        self.run_program('retrieve', old, '--out', self.folder / 'runs', '--system', 'bm25', '--system', 'dph')
        runs = [self.folder / 'runs/bm25.run', self.folder / 'runs/dph.run']
        self.diff(old, new, '--run', runs[0], '--run', runs[1], '-m', 'R@20', '--out', self.folder / 'diff')
        rows = self.rows(self.folder / 'diff/systems.tsv')
        self.assertEqual(sorted(row['system'] for row in rows), ['bm25', 'dph'])
        scored = self.run_program('evaluate', '--qrels', old / 'qrels.txt', *runs, '-m', 'R@20', '--format', 'json').stdout
        means = {row['run']: row['value'] for row in json.loads(scored)}
        for row in rows:
            self.assertAlmostEqual(float(row['old_score']), means[row['system']], places=4)
            self.assertLessEqual(float(row['rank_low']), int(row['new_rank']) - int(row['old_rank']))
            self.assertGreaterEqual(float(row['rank_high']), int(row['new_rank']) - int(row['old_rank']))
        same = self.diff(old, old, '--run', runs[0], '--run', runs[1])
        self.assertIn('0 of 2 systems have another rank', same)
        self.assertIn('tau_b 1.000 (95 % interval over topics 1.000 to 1.000)', same)

    def test_what_cannot_be_compared_is_said(self):
        old, _ = self.collections()
        done = self.run_program('diff', old, self.folder / 'nowhere', status=None)
        self.assertEqual(done.returncode, 1)
        self.assertIn('cannot compare', done.stderr)
        done = self.run_program('diff', old, old, '-m', 'R@20', status=None)
        self.assertEqual(done.returncode, 2)
        self.assertIn('name runs over the old collection with --run', done.stderr)
