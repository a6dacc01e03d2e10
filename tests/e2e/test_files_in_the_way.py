"""What a user keeps beside the program's files stays, and foreign titles are shown without their tricks."""
import json
import os
import shutil

from harness import EndToEnd


class Test(EndToEnd):
    def test_a_collection_behind_a_link_stays_where_the_link_leads(self):
        (self.folder / 'disk').mkdir()
        (self.folder / 'w').mkdir()
        os.symlink(self.folder / 'disk' / 'c', self.folder / 'w' / 'collection')
        self.build('w')
        self.build('w', '--set', 'topics.min_evidence=2')
        self.assertTrue((self.folder / 'w' / 'collection').is_symlink())
        self.assertTrue((self.folder / 'disk' / 'c' / 'qrels.txt').is_file())
        self.run_program('validate', self.folder / 'w' / 'collection')

    def test_a_file_of_the_users_in_the_collection_is_not_lost(self):
        self.build('w')
        mine = self.folder / 'w' / 'collection' / 'run.txt'
        mine.write_text('mine')
        self.assert_one_error(self.build('w', '--set', 'topics.min_evidence=2', status=1), 'run.txt', 'move it away')
        self.assertEqual(mine.read_text(), 'mine')
        self.run_program('validate', self.folder / 'w' / 'collection')
        mine.unlink()
        self.build('w', '--set', 'topics.min_evidence=2')

    def test_folders_and_files_of_the_users_beside_it_are_not_lost(self):
        for name in ('collection.partial', 'collection.old'):
            mine = self.folder / 'w' / name / 'notes.txt'
            mine.parent.mkdir(parents=True)
            mine.write_text('mine')
            self.assert_one_error(self.build('w', status=1), name, 'move it away')
            self.assertEqual(mine.read_text(), 'mine')
            shutil.rmtree(mine.parent)
        self.build('w')

    def test_an_export_never_writes_over_a_partial_file_nor_through_a_link(self):
        self.build('w')
        partial = self.folder / 'log.jsonl.partial'
        partial.write_text('mine')
        for arguments in (['judge', '--export', self.folder / 'log.jsonl'], ['links', '--out', self.folder / 'log.jsonl']):
            self.assert_one_error(self.run_program(*arguments, '--work', self.folder / 'w', status=1), 'move it away')
            self.assertEqual(partial.read_text(), 'mine')
        partial.unlink()
        secret = self.folder / 'secret'
        secret.write_text('mine')
        os.symlink(secret, partial)
        self.assert_one_error(self.run_program('judge', '--export', self.folder / 'log.jsonl', '--work', self.folder / 'w', status=1), 'move it away')
        self.assertEqual(secret.read_text(), 'mine')
        os.symlink(secret, self.folder / 'w' / 'stages' / 'queries.records.partial')
        self.assert_one_error(self.build('w', '--force', status=1), 'queries.records.partial', 'move it away')
        self.assertEqual(secret.read_text(), 'mine')

    HAZARDS = ('\x1b', '\x85', '\x9b', '\u202e', '\u2066', '\u2028', '\u2029', '\u200f', '\x07')

    def assert_harmless(self, text):
        for hazard in self.HAZARDS:
            self.assertNotIn(hazard, text)

    def test_titles_are_shown_without_control_characters(self):
        title = 'Gate\u202eetag\x9b31m\u2028\u2066x'
        lines = [{'title': title, 'sections': [{'paragraphs': [{'text': 'A gate \u202e here.'}]}]},
                 {'title': 'Other', 'sections': [{'paragraphs': [{'text': 'See it.'}]}]}]
        pages = self.folder / 'pages.jsonl'
        pages.write_text(''.join(json.dumps(line) + '\n' for line in lines))
        done = self.run_program('--progress', 'never', 'ingest', '--pages', pages, '--work', self.folder / 'w', status=None)
        self.assert_harmless(done.stderr + done.stdout)
        for what in ('page', 'passages', 'outline'):
            for name in (title, 'Other', 'none \x1b[31m\u202e\n'):
                done = self.run_program('show', what, name, '--work', self.folder / 'w', status=None)
                self.assert_harmless(done.stderr + done.stdout)
        done = self.run_program('show', 'page', 'a\nerror: b\x9b', '--work', self.folder / 'w', status=1)
        self.assert_one_error(done, '\\n', '\\u009b')

    def test_arguments_in_errors_are_escaped(self):
        name = 'x\u202ey\x1b[2J\x9b\u2029z'
        for arguments in (['build', '--work', self.folder / 'w', '--dump', name], ['validate', name], ['evaluate', '--qrels', name, name], [name],
                          ['show', name, 'x', '--work', name], ['build', '--set', name, '--work', name], ['status', '--work', name], ['build', '--to', name],
                          ['--log-format', 'json', 'validate', name], ['config', '--show', '--config', name]):
            with self.subTest(arguments=[str(word) for word in arguments]):
                done = self.run_program(*arguments, status=None)
                self.assertIn(done.returncode, (1, 2))
                self.assert_harmless(done.stderr + done.stdout)
