"""Labels of evidence that outlive an edit of their passage: `previous.keep_near`, where the edit changed no sentence that the judge marked."""
import gzip
import json
import os
import re
import signal
import subprocess

from harness import CONFIG, DUMP, PROGRAM, SOURCE, EndToEnd
from judge_server import JudgeServer

KEEP = ['--set', 'previous.keep_near=true']
# (page, text, its text a month later). The judge quotes from the first sentence of a passage.
BESIDE = [(133, 'whale oil, then colza, then gas', 'whale oil and then gas'), (946, 'which rats and egg collectors destroyed', 'which rats destroyed'),
          (930, 'made up of the night voices', 'made up of the night calls')]
MARKED = [(705, 'held every year on 13 December', 'held each year on 13 December'), (420, 'was a landscape and marine painter', 'was a marine painter')]


def edited(dump, target, edits):
    """A later dump, in which these pages have another text and revision."""
    text = dump.read_text()
    for page, old, new in edits:
        begin = text.index(f'<id>{page}</id>\n    <revision>')
        end = text.index('</page>', begin)
        article = re.sub(r'(<revision>\s*<id>)(\d+)', lambda found: f'{found[1]}{int(found[2]) + 100000}', text[begin:end], count=1)
        assert article.count(old) == 1, (page, old)
        text = text[:begin] + article.replace(old, new) + text[end:]
    target.write_text(text)
    return target


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        self.server = JudgeServer(self)
        self.next = edited(DUMP, self.folder / 'next.xml', BESIDE + MARKED)

    def settings(self):
        return [*self.server.settings(prompt='evidence-spans'), '--set', 'ingest.checksum=warn']

    def month(self, work, *arguments, before=None, dump=DUMP, **options):
        previous = ['--previous', self.folder / before] if before else []
        return self.build(work, *previous, *self.settings(), *arguments, dump=dump, **options)

    def judgments(self, work):
        with gzip.open(self.folder / work / 'collection/judgments.jsonl.gz', 'rt', encoding='utf-8') as lines:
            return {(label['topic'], label['member_page_id'], label['docid']): label for label in map(json.loads, lines)}

    def of_pages(self, work, edits):
        pages = {str(page) for page, *_ in edits}
        return {key: label for key, label in self.judgments(work).items() if key[2].split('-')[1] in pages}

    def asked(self):
        return self.server.counts()['distinct']

    def test_an_edit_beside_the_marked_sentences_keeps_labels_of_evidence(self):
        self.month('old')
        asked = self.asked()
        self.month('new', *KEEP, before='old', dump=self.next)
        again = self.asked() - asked
        before, after = self.judgments('old'), self.judgments('new')
        kept = {key for key, label in after.items() if label['history']['state'] == 'kept'}
        for key, label in self.of_pages('new', BESIDE).items():
            is_marked = before[key]['grade'] == 1 and before[key]['spans'] != []
            self.assertEqual(label['history'], {'state': 'kept' if is_marked else 'asked again', 'reason': 'page edited'}, label)
        self.assertEqual(kept, {key for key, label in self.of_pages('old', BESIDE).items() if label['grade'] == 1 and label['spans']})
        self.assertEqual({label['history']['state'] for label in self.of_pages('new', MARKED).values()}, {'asked again'})
        self.assertGreater(len(kept), 3)
        for key in kept:
            self.assertEqual(after[key]['kept_from'], before[key]['digest'])
            self.assertNotEqual(after[key]['digest'], before[key]['digest'])
            for name in ('grade', 'probability', 'state', 'spans', 'judge', 'prompt', 'reason'):
                self.assertEqual(after[key][name], before[key][name], name)
        self.assertEqual({key for key, label in after.items() if 'kept_from' in label}, kept)
        known = {label['digest'] for label in self.records('old', 'judgments')}
        self.assertEqual(again, len({label['digest'] for label in self.records('new', 'judgments') if not label['kept_from']} - known))
        self.run_program('validate', self.folder / 'new/collection')
        self.assertIn({'state': 'kept', 'reason': 'page edited', 'labels': len(kept)}, self.manifest('new')['numbers']['history'])
        self.assertEqual(self.manifest('new')['config']['previous.keep_near'], 'true')
        self.assertIn(f'{len(kept)} were kept though their passage was edited', (self.folder / 'new/collection/README.md').read_text())
        status = self.run_program('status', '--work', self.folder / 'new').stdout
        self.assertRegex(status, fr'labels kept: page edited +{len(kept)}|{len(kept)} labels kept: page edited')
        self.assertRegex((self.folder / 'new/report.html').read_text(), r'(?s)What became of the labels of the dump before.*kept.*page edited')
        self.assertIn('follows', self.run_program('diff', self.folder / 'old/collection', self.folder / 'new/collection', '--out', self.folder / 'diff').stdout)

    def test_without_the_option_all_questions_about_edited_passages_are_asked(self):
        self.month('old')
        self.month('kept', *KEEP, before='old', dump=self.next)
        asked = self.asked()
        self.month('new', before='old', dump=self.next)
        self.assertGreater(self.asked(), asked)
        labels = self.judgments('new')
        self.assertEqual({label['history']['state'] for label in labels.values()}, {'carried', 'asked again'})
        self.assertFalse([label for label in labels.values() if 'kept_from' in label])
        # Neither does a directory that kept labels before, nor a month that follows one. The answers that were asked for stay.
        self.assertIn('judge', self.to_run('kept', '--previous', self.folder / 'old', *self.settings(), '--set', 'previous.keep_near=false', dump=self.next))
        for work, before in (('kept', 'old'), ('later', 'kept')):
            self.month(work, '--set', 'previous.keep_near=false', before=before, dump=self.next)
            self.assertEqual({key: label['digest'] for key, label in self.judgments(work).items()}, {key: label['digest'] for key, label in labels.items()})
            self.assertFalse([label for label in self.judgments(work).values() if 'kept_from' in label])
        self.month('kept', *KEEP, before='old', dump=self.next)
        self.assertFalse([label for label in self.judgments('kept').values() if 'kept_from' in label])

    def test_the_month_after_carries_the_label_and_its_mark(self):
        self.month('m0')
        self.month('m1', *KEEP, before='m0', dump=self.next)
        kept = {key: label['kept_from'] for key, label in self.judgments('m1').items() if 'kept_from' in label}
        asked = self.asked()
        self.month('same', *KEEP, before='m1', dump=self.next)
        self.assertEqual(self.asked(), asked)
        self.assertEqual({label['history']['state'] for label in self.judgments('same').values()}, {'carried'})
        self.assertEqual({key: label['kept_from'] for key, label in self.judgments('same').items() if 'kept_from' in label}, kept)
        self.run_program('validate', self.folder / 'same/collection')
        # Edited once more, it is kept from the question that was asked.
        self.month('m2', *KEEP, before='m1', dump=edited(self.next, self.folder / 'm2.xml', [(133, 'its stone', 'its stones')]))
        labels = self.judgments('m2')
        self.assertEqual({key: label['kept_from'] for key, label in labels.items() if 'kept_from' in label}, kept)
        state = {key: label['history']['state'] for key, label in labels.items()}
        self.assertEqual({state[key] for key in kept if '-133-' in key[2]}, {'kept'})
        self.assertEqual({state[key] for key in kept if '-133-' not in key[2]}, {'carried'})
        # The log can be moved, and the months before are not needed.
        self.run_program('judge', '--work', self.folder / 'm2', '--export', self.folder / 'log')
        self.assertIn('"kept_from":', (self.folder / 'log').read_text())
        self.run_program('judge', '--work', self.folder / 'm2', '--force')
        self.run_program('judge', '--work', self.folder / 'moved', '--import', self.folder / 'log')
        asked = self.asked()
        self.month('moved', *KEEP, before='m1', dump=self.folder / 'm2.xml')
        self.assertEqual(self.asked(), asked)
        self.assertEqual(self.judgments('moved'), labels)

    def test_killed_while_it_judges_the_next_run_gives_the_same(self):
        self.month('old')
        self.month('calm', *KEEP, before='old', dump=self.next)
        expected = self.results('calm')
        for point in ('judge.topic:1', 'judge.topic:4', 'judge.before_finish:1'):
            work = 'killed-' + point.replace(':', '-')
            done = self.month(work, *KEEP, before='old', dump=self.next, environment={'TOUCHSTONE_KILL_AT': point}, status=None)
            self.assertEqual(done.returncode, -signal.SIGKILL, point)
            self.month(work, *KEEP, before='old', dump=self.next)
            self.assert_same_results(work, expected, point)

    def test_tasks_of_a_cluster_keep_the_same_labels(self):
        self.month('old')
        self.month('calm', *KEEP, before='old', dump=self.next)
        asked = self.server.counts()['requests']
        self.month('w', *KEEP, '--to', 'candidates', before='old', dump=self.next)
        words = ['--config', CONFIG, '--work', self.folder / 'w', '--set', f'previous.work={self.folder / "old"}', *self.settings(), *KEEP]
        tasks = [subprocess.Popen(list(map(str, [PROGRAM, '--progress', 'never', 'shard', 'judge', '--index', index, '--of', 3, *words])), cwd=SOURCE, stderr=subprocess.DEVNULL)
                 for index in range(3)]
        self.assertEqual([task.wait(timeout=120) for task in tasks], [0, 0, 0])
        again = self.server.counts()['requests'] - asked
        self.assertGreater(again, 0)
        done = self.run_program('--progress', 'never', 'build', '--from', 'judge', '--to', 'judge', '--executor', 'merge', '--shards', 3, *words)
        self.assertIn(' 0 questions asked', done.stderr)
        self.month('w', *KEEP, before='old', dump=self.next)
        self.assertEqual(self.server.counts()['requests'], asked + again)
        self.assertEqual(self.judgments('w'), self.judgments('calm'))

    def test_a_dry_run_counts_what_will_be_asked(self):
        self.month('old')
        counts = []
        for work, options in (('asking', []), ('keeping', KEEP)):
            self.month(work, *options, '--to', 'candidates', before='old', dump=self.next)
            shown = self.month(work, *options, '--dry-run', before='old', dump=self.next).stdout
            requests = int(re.search(r'to be asked:(?s:.*?)(\d+) requests [^\n]*in all', shown)[1])
            asked = self.server.counts()['requests']
            self.month(work, *options, before='old', dump=self.next)
            counts.append(self.server.counts()['requests'] - asked)
            self.assertEqual(counts[-1], requests, shown)
        self.assertLess(counts[1], counts[0])

    def test_what_cannot_be_kept_is_refused_in_one_sentence(self):
        self.assert_one_error(self.month('x', *KEEP, status=2), 'previous.keep_near', 'name its work directory with --previous')
        self.month('old', '--to', 'link')
        done = self.month('new', *KEEP, before='old', dump=self.next, status=None)
        self.assert_one_error(done, 'touchstone passages')


if __name__ == '__main__':
    import unittest
    unittest.main()
