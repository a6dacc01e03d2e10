"""Replies of judges outlive the store: they are in a file of their own, of which a damaged part costs what it held."""
import re
import shutil

from harness import EndToEnd


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        self.build('w')
        self.store = self.folder / 'w' / 'store'
        self.log = self.folder / 'w' / 'judgments.log'
        self.whole = self.export('w')[0]

    def export(self, work):
        """(the lines of the log, what was said on standard error)"""
        file = self.folder / 'export.jsonl'
        done = self.run_program('judge', '--work', self.folder / work, '--export', file)
        lines = file.read_text()
        file.unlink()
        self.assertIn(f'{lines.count(chr(10))} replies', done.stdout)
        return lines, done.stderr

    def contents(self):
        return {path.name: path.read_bytes() for path in self.store.iterdir() if path.name != 'LOG' and not path.name.startswith('LOG.old')}

    def test_without_current_no_command_touches_the_store(self):
        (self.store / 'CURRENT').unlink()
        before = self.contents()
        lines = self.folder / 'lines.jsonl'
        lines.write_text(self.whole)
        for _ in range(3):
            self.assert_one_error(self.build('w', status=1), 'is damaged', 'move the directory away and build again')
        for command in (['status'], ['show', 'groups'], ['judge', '--export', self.folder / 'x.jsonl'], ['judge', '--import', lines], ['links', '--out', self.folder / 'links.tsv']):
            self.assert_one_error(self.run_program(*command, '--work', self.folder / 'w', status=1), 'is damaged')
        self.assertEqual(self.contents(), before)

    def test_the_way_of_the_message_leads_back_to_the_same_collection_without_asking_again(self):
        expected, log = self.results('w'), self.log.read_bytes()
        next(self.store.glob('MANIFEST-*')).unlink()
        self.assert_one_error(self.build('w', status=1), 'move the directory away and build again')
        shutil.move(self.store, self.folder / 'aside')
        self.assertEqual(self.export('w')[0], self.whole)
        self.build('w')
        self.assert_same_results('w', expected)
        self.assertEqual(self.log.read_bytes(), log, 'every reply was known')

    def test_missing_table_files_are_a_damage(self):
        for table in sorted(self.store.glob('*.sst')):
            good = table.read_bytes()
            table.unlink()
            self.assert_one_error(self.build('w', '--force', status=1), 'is damaged')
            table.write_bytes(good)

    def test_damaged_bytes_of_the_log_cost_what_they_held_and_are_said(self):
        expected, good = self.results('w'), self.log.read_bytes()
        whole = set(self.whole.splitlines())
        for at in range(0, len(good) - 2000, len(good) // 7):
            with self.subTest(at=at):
                self.log.write_bytes(good[:at] + bytes(byte ^ 0x55 for byte in good[at:at + 16]) + good[at + 16:])
                saved, said = self.export('w')
                found = set(saved.splitlines())
                self.assertLessEqual(found, whole)
                self.assertGreater(len(found), len(whole) // 2)
                self.assertRegex(said, r'judgments\.log: \d+ bytes in 1 places are damaged')
                self.build('w', '--force')
                self.assert_same_results('w', expected)
                self.assertEqual(self.export('w')[0], self.whole, 'what was lost was judged again')

    def test_a_torn_end_of_the_log_is_cut_off(self):
        expected, good = self.results('w'), self.log.read_bytes()
        self.log.write_bytes(good[:-3])
        self.assertNotIn('judgments.log', self.export('w')[1], 'it may be on its way')
        said = self.build('w', '--force').stderr
        self.assertTrue(re.search(r'judgments\.log: the last \d+ bytes are no whole block', said), said)
        self.assert_same_results('w', expected)

    def test_another_file_in_the_place_of_the_log_is_left_alone(self):
        self.log.write_text('mine')
        self.assert_one_error(self.build('w', '--force', status=1), 'judgments.log', 'move it away')
        self.assertEqual(self.log.read_text(), 'mine')
