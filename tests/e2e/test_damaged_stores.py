"""Judgments outlive the store: what can be read of a damaged one is saved, and nothing is thrown away."""
import gzip
import re
import shutil
import subprocess

from harness import EndToEnd


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        self.build('w')
        self.store = self.folder / 'w' / 'store'
        self.run_program('judge', '--work', self.folder / 'w', '--export', self.folder / 'whole.jsonl')
        self.whole = (self.folder / 'whole.jsonl').read_text()

    def salvage(self, work='w'):
        """(what was recovered, what was said)"""
        done = self.run_program('judge', '--work', self.folder / work, '--export', self.folder / 'saved.jsonl', '--salvage')
        self.assertEqual([path.name for path in self.folder.iterdir() if 'salvage' in path.name], [])
        return (self.folder / 'saved.jsonl').read_text(), done.stdout

    def contents(self):
        return {path.name: path.read_bytes() for path in self.store.iterdir() if path.name != 'LOG' and not path.name.startswith('LOG.old')}

    def test_a_whole_store_is_saved_as_it_is_exported(self):
        saved, said = self.salvage()
        self.assertEqual(saved, self.whole)
        self.assertIn('nothing is known to be missing', said)

    def test_without_current_no_build_touches_the_store_and_everything_is_saved(self):
        (self.store / 'CURRENT').unlink()
        before = self.contents()
        for _ in range(3):
            self.assert_one_error(self.build('w', status=1), 'is damaged', '--export FILE --salvage')
        for command in (['status'], ['show', 'groups'], ['judge', '--export', self.folder / 'x.jsonl'], ['judge', '--import', self.folder / 'whole.jsonl'], ['links', '--out', self.folder / 'links.tsv']):
            self.assert_one_error(self.run_program(*command, '--work', self.folder / 'w', status=1), 'is damaged')
        self.assertEqual(self.contents(), before)
        saved, _ = self.salvage()
        self.assertEqual(saved, self.whole)
        self.assertEqual(self.contents(), before)

    def test_the_way_of_the_message_leads_back_to_the_same_collection_without_asking_again(self):
        expected = self.results('w')
        next(self.store.glob('MANIFEST-*')).unlink()
        self.assert_one_error(self.build('w', status=1), '--salvage')
        self.salvage()
        shutil.move(self.store, self.folder / 'aside')
        done = self.run_program('judge', '--work', self.folder / 'w', '--import', self.folder / 'saved.jsonl')
        count = self.whole.count('\n')
        self.assertIn(f'{count} replies, {count} of them new', done.stdout)
        self.build('w')
        self.assert_same_results('w', expected)
        self.run_program('judge', '--work', self.folder / 'w', '--export', self.folder / 'again.jsonl')
        self.assertEqual((self.folder / 'again.jsonl').read_text(), self.whole)

    def test_replies_that_are_in_the_log_only_are_saved(self):
        done = self.build('killed', environment={'TOUCHSTONE_KILL_AT': 'judge.topic:9'}, status=None)
        self.assertEqual(done.returncode, -9, done.stderr)
        shutil.copytree(self.folder / 'killed', self.folder / 'broken')
        (self.folder / 'broken' / 'store' / 'CURRENT').unlink()
        self.run_program('judge', '--work', self.folder / 'killed', '--export', self.folder / 'known.jsonl')
        known = (self.folder / 'known.jsonl').read_text()
        self.assertGreater(known.count('\n'), 0)
        saved, _ = self.salvage('broken')
        self.assertEqual(saved, known)

    def test_damaged_table_files_cost_what_they_held_and_are_counted(self):
        whole = set(self.whole.splitlines())
        for table in sorted(self.store.glob('*.sst')):
            good = table.read_bytes()
            for at in (0, len(good) // 2, len(good) - 20):
                with self.subTest(table=table.name, at=at):
                    table.write_bytes(good[:at] + bytes(byte ^ 0x55 for byte in good[at:at + 16]) + good[at + 16:])
                    saved, said = self.salvage()
                    found = set(saved.splitlines())
                    self.assertLessEqual(found, whole)
                    if found != whole:
                        self.assertIn('not recovered:', said)
                    self.assertEqual(int(re.search(r': (\d+) replies', said)[1]), len(found))
            table.unlink()
            self.assert_one_error(self.build('w', '--force', status=1), '--salvage')
            table.write_bytes(good)

    def test_salvage_needs_a_file_and_a_store(self):
        self.assert_one_error(self.run_program('judge', '--work', self.folder / 'w', '--salvage', status=2), '--export FILE')
        self.assert_one_error(self.run_program('judge', '--work', self.folder / 'none', '--export', self.folder / 'x', '--salvage', status=1), 'no file of a store')
        self.assertFalse((self.folder / 'x').exists())

    def test_compressed_like_any_export(self):
        self.run_program('judge', '--work', self.folder / 'w', '--export', self.folder / 'saved.jsonl.gz', '--salvage')
        self.assertEqual(gzip.decompress((self.folder / 'saved.jsonl.gz').read_bytes()).decode(), self.whole)

    def test_in_use_by_another_process(self):
        holder = subprocess.Popen(['python3', '-c', 'import fcntl, sys, time; f = open(sys.argv[1], "r+"); fcntl.lockf(f, fcntl.LOCK_EX); print("ready", flush=True); time.sleep(60)',
                                   str(self.store / 'LOCK')], stdout=subprocess.PIPE)
        try:
            holder.stdout.readline()
            self.assert_one_error(self.run_program('judge', '--work', self.folder / 'w', '--export', self.folder / 'x', '--salvage', status=1), 'in use by another')
        finally:
            holder.kill()
            holder.wait()
            holder.stdout.close()
