"""Months of the bundled wiki, built one from the other: what became of each label, and why."""
import collections
import gzip
import json
import shutil
import sys

from harness import DUMP, SOURCE, EndToEnd
from judge_server import JudgeServer

sys.path.insert(0, str(SOURCE / 'bench'))
import next_month

SAME = ('topics.tsv', 'qrels.txt', 'corpus.jsonl.gz', 'evidence.jsonl', 'members.jsonl')


def key_of(label):
    return label['topic'], label['member_page_id'], label['docid']


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        self.server = JudgeServer(self)

    def month(self, work, *arguments, dump=DUMP, to='export', **options):
        return self.build(work, '--to', to, *self.server.settings(), *arguments, dump=dump, **options)

    def next_dump(self, seed, dump=DUMP, share=0.1):
        target = self.folder / f'{dump.stem}-{seed}.xml'
        with open(target, 'wb') as out:
            next_month.write_next(str(dump), out, share, seed)
        return target

    def judgments(self, work):
        with gzip.open(self.folder / work / 'collection/judgments.jsonl.gz', 'rt', encoding='utf-8') as lines:
            return [json.loads(line) for line in lines]

    def gone(self, work):
        return [json.loads(line) for line in (self.folder / work / 'collection/gone.jsonl').read_text(encoding='utf-8').splitlines()]

    def reasons_of_diff(self, old, new):
        """Reason -> labels."""
        text = self.run_program('diff', old, new, '--out', self.folder / 'diff').stdout
        lines = (self.folder / 'diff/reasons.tsv').read_text(encoding='utf-8').splitlines()
        shutil.rmtree(self.folder / 'diff')
        return text, {reason: int(count) for reason, count in (line.split('\t') for line in lines if not line.startswith('#')) if count.isdigit()}

    def check_history(self, old, new):
        """Every label of both months has a place in the history, and the counts add up."""
        before = {key_of(label): label for label in self.judgments(old)}
        seen, counts = set(), collections.Counter()
        for label in self.judgments(new):
            history = label['history']
            counts[history['state'], history.get('reason')] += 1
            there = (*key_of(label)[:2], history.get('from', label['docid']))
            if history['state'] == 'new':
                self.assertNotIn('from', history)
                continue
            self.assertIn(there, before)
            self.assertNotIn(there, seen)
            seen.add(there)
            if history['state'] == 'carried':
                same = [{name: value for name, value in each.items() if name in ('digest', 'grade', 'state', 'judge')} for each in (before[there], label)]
                self.assertEqual(*same)
        gone = {key_of(label) for label in self.gone(new)}
        counts.update(('gone', label['reason']) for label in self.gone(new))
        self.assertEqual(gone | seen, set(before))
        self.assertFalse(gone & seen)
        self.assertEqual({(kind['state'], kind.get('reason')): kind['labels'] for kind in self.manifest(new)['numbers']['history']}, counts)
        self.assertNotIn('judge changed', {reason for _, reason in counts})
        return counts

    def test_every_label_of_a_month_says_what_became_of_it(self):
        self.month('old')
        self.assertFalse((self.folder / 'old/collection/gone.jsonl').exists())
        self.assertNotIn('history', self.judgments('old')[0])
        reasons = collections.Counter()
        for seed in (1, 2, 3):
            dump, work = self.next_dump(seed), f'new-{seed}'
            self.month(work, '--previous', self.folder / 'old', dump=dump)
            counts = self.check_history('old', work)
            self.assertGreater(counts['carried', None], 0)
            reasons.update(reason for _, reason in counts)
            self.run_program('validate', self.folder / work / 'collection')
            text, of_diff = self.reasons_of_diff(self.folder / 'old/collection', self.folder / work / 'collection')
            self.assertGreater(sum(of_diff.values()), 0)
            self.assertNotIn('judge changed', of_diff)
            self.assertIn('Every label that changed follows', text)
            self.check_a_build_from_nothing(work, dump)
        self.assertLessEqual({'page edited', 'page deleted', 'list edited'}, set(reasons))

    def check_a_build_from_nothing(self, work, dump):
        """With the same replies it gives the same bytes; without a history, diff finds reasons in the directories."""
        self.run_program('judge', '--work', self.folder / work, '--export', self.folder / 'log')
        self.run_program('judge', '--work', self.folder / 'anew', '--import', self.folder / 'log')
        before = self.server.counts()['requests']
        self.month('anew', dump=dump)
        self.assertEqual(self.server.counts()['requests'], before)
        for name in SAME:
            self.assertEqual((self.folder / 'anew/collection' / name).read_bytes(), (self.folder / work / 'collection' / name).read_bytes(), name)
        _, derived = self.reasons_of_diff(self.folder / 'old/collection', self.folder / 'anew/collection')
        self.assertNotIn('judge changed', derived)
        shutil.rmtree(self.folder / 'anew')
        (self.folder / 'log').unlink()

    def test_a_month_without_changes_carries_all_labels(self):
        self.month('old')
        self.month('new', '--previous', self.folder / 'old', to='report')
        self.assertEqual(set(self.check_history('old', 'new')), {('carried', None)})
        self.assertEqual(self.gone('new'), [])
        labels = len(self.judgments('new'))
        self.assertRegex((self.folder / 'new/report.html').read_text(encoding='utf-8'), fr'(?s)What became of the labels of the dump before.*carried.*{labels}')
        self.assertRegex(self.run_program('status', '--work', self.folder / 'new').stdout, fr'labels carried +{labels}|{labels} labels carried')

    def test_another_prompt_is_the_reason_where_nothing_else_changed(self):
        self.month('old')
        self.month('new', '--previous', self.folder / 'old', '--set', 'judge.prompt=evidence-graded')
        counts = collections.Counter((label['history']['state'], label['history'].get('reason')) for label in self.judgments('new'))
        self.assertLessEqual(set(counts), {('asked again', 'judge changed'), ('new', 'topic added')}, 'other grades make other topics')

    def test_the_embedded_judge_counts_words_anew(self):
        self.build('old', '--to', 'export')
        self.build('new', '--to', 'export', '--previous', self.folder / 'old', dump=self.next_dump(1))
        again = {label['history']['reason'] for label in self.judgments('new') if label['history']['state'] == 'asked again'}
        self.assertIn('words counted anew', again)
        self.assertNotIn('judge changed', again)
        _, reasons = self.reasons_of_diff(self.folder / 'old/collection', self.folder / 'new/collection')
        self.assertNotIn('judge changed', reasons)

    def test_a_previous_collection_that_changes_or_is_missing(self):
        self.month('old')
        shutil.move(self.folder / 'old/collection', self.folder / 'kept')
        done = self.month('new', '--previous', self.folder / 'old')
        self.assertIn('has no evidence collection, so that labels have no history', done.stderr)
        self.assertNotIn('history', self.judgments('new')[0])
        shutil.move(self.folder / 'kept', self.folder / 'old/collection')
        self.month('new', '--previous', self.folder / 'old')
        self.assertEqual({label['history']['state'] for label in self.judgments('new')}, {'carried'})
        shutil.move(self.folder / 'old', self.folder / 'elsewhere')
        self.run_program('status', '--work', self.folder / 'new')
        self.run_program('validate', self.folder / 'new/collection')
        done = self.run_program('export', '--work', self.folder / 'new', status=None)
        self.assert_one_error(done, 'the work directory is gone', 'bring it back')
