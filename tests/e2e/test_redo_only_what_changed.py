"""Finished work is not done again; what changed is, with all that depends on it, and nothing else."""
import json
import os
import shutil

from harness import CONFIG, DUMP, EndToEnd, DEFAULT_STAGES, SMALL_BATCHES


class Test(EndToEnd):
    def test_a_second_run_does_nothing(self):
        self.build('w')
        before = self.results('w')
        done = self.build('w')
        self.assertEqual(done.stderr.count('done before'), len(DEFAULT_STAGES), done.stderr)
        self.assert_same_results('w', before)
        self.assertEqual(self.to_run('w'), [])

    def test_a_changed_option_redoes_what_depends_on_it(self):
        self.build('w')
        for option, stages in (('judge.threshold=0.6', ['judge', 'export', 'report']),
                               ('groups.mode=strict', ['groups', 'candidates', 'judge', 'phrase', 'export', 'report']),
                               ('passages.granularity=paragraph', ['passages', 'candidates', 'judge', 'export', 'report']),
                               ('topics.min_evidence=6', ['export', 'report']),
                               ('export.name=other', ['export', 'report']),
                               ('ingest.templates=drop', DEFAULT_STAGES),
                               ('ingest.slots=2', []),
                               ('ingest.batch_bytes=8192', []),
                               ('link.sort_memory_bytes=2097152', []),
                               ('passages.memory_bytes=2097152', [])):
            with self.subTest(option):
                self.assertEqual(self.to_run('w', '--set', option), stages)

    def test_a_dry_run_changes_nothing(self):
        self.build('w')
        before = self.results('w')
        self.plan('w', '--set', 'groups.mode=strict')
        self.assert_same_results('w', before)
        self.assertEqual(self.to_run('w'), [])
        self.assertEqual(self.to_run('new'), DEFAULT_STAGES)
        self.assertFalse((self.folder / 'new').exists())

    def test_changed_and_changed_back_gives_the_first_bytes(self):
        self.build('w')
        before = self.results('w')
        self.build('w', '--set', 'groups.mode=strict')
        self.assertNotEqual(self.results('w')['collection/topics.tsv'], before['collection/topics.tsv'])
        self.build('w')
        self.assert_same_results('w', before)

    def test_a_touched_or_moved_dump_is_recognised(self):
        dump = self.folder / DUMP.name
        shutil.copyfile(DUMP, dump)
        self.build('w', dump=dump)
        os.utime(dump, (1, 1))
        self.assertEqual(self.to_run('w', dump=dump), [])
        moved = self.folder / 'elsewhere'
        moved.mkdir()
        shutil.move(dump, moved / DUMP.name)
        self.assertEqual(self.to_run('w', dump=moved / DUMP.name), [])

    def test_a_changed_dump_redoes_everything(self):
        dump = self.folder / DUMP.name
        shutil.copyfile(DUMP, dump)
        self.build('w', dump=dump)
        text = dump.read_text()
        dump.write_text(text.replace('lighthouse', 'lightHouse', 1))  # same size
        self.assertEqual(self.to_run('w', dump=dump), DEFAULT_STAGES)
        dump.write_text(text + '\n')
        self.assertEqual(self.to_run('w', dump=dump), DEFAULT_STAGES)

    def test_changed_gold_labels_are_measured_anew_and_redo_nothing(self):
        gold = self.folder / 'gold.tsv'
        shutil.copyfile(DUMP.parent / 'gold.tsv', gold)
        self.build('w', '--set', f'judge.gold={gold}')
        gold.write_text('\n'.join(gold.read_text().splitlines()[:101]) + '\n')
        self.assertEqual(self.to_run('w', '--set', f'judge.gold={gold}'), [])
        self.assertIn('100 gold labels', self.build('w', '--set', f'judge.gold={gold}').stdout)

    def test_a_removed_result_is_made_again(self):
        self.build('w')
        before = self.results('w')
        for name, stages in (('report.html', ['report']), ('stages/groups.records', ['groups', 'candidates', 'judge', 'phrase', 'export', 'report']),
                             ('collection/qrels.txt', ['export', 'report'])):
            with self.subTest(name):
                (self.folder / 'w' / name).unlink()
                self.assertEqual(self.to_run('w'), stages)
                self.build('w')
                self.assert_same_results('w', before, name)

    def test_an_edited_result_of_the_same_size_is_made_again(self):
        self.build('w')
        before = self.results('w')
        for name, stages in (('collection/topics.tsv', ['export', 'report']), ('report.html', ['report'])):
            with self.subTest(name):
                path = self.folder / 'w' / name
                times = path.stat().st_atime_ns, path.stat().st_mtime_ns
                text = path.read_bytes()
                path.write_bytes(text.replace(b'l', b'L', 1))
                os.utime(path, ns=times)
                self.assertEqual(self.to_run('w'), stages)
                self.build('w')
                self.assert_same_results('w', before, name)
        os.utime(self.folder / 'w' / 'collection' / 'qrels.txt', (1, 1))
        self.assertEqual(self.to_run('w'), [], 'a file that was only touched')

    def test_judgments_are_kept_when_the_judge_runs_again(self):
        self.build('w')
        before = self.results('w')
        done = self.run_program('judge', '--force', '--work', self.folder / 'w')
        self.assertNotIn('error', done.stderr)
        self.assertEqual(self.results('w')['stages/judgments.records'], before['stages/judgments.records'])

    def test_a_later_stage_remembers_options_and_a_given_file_replaces_them(self):
        self.build('w', '--set', 'groups.mode=strict')
        self.assertIn('skip', self.run_program('groups', '--work', self.folder / 'w', '--dry-run').stdout)
        self.assertIn('run', self.run_program('groups', '--work', self.folder / 'w', '--config', CONFIG, '--dry-run').stdout)

    def test_build_and_single_stages_reuse_the_options_of_the_last_run(self):
        work = self.folder / 'w'
        self.build('w', '--set', 'groups.mode=strict')
        said = 'the options are those of the last run in'
        for command in (['build', '--dump', DUMP], ['groups']):
            with self.subTest(command[0]):
                done = self.run_program('--progress', 'never', *command, '--work', work)
                self.assertIn(said, done.stderr)
                self.assertIn('groups: done before, nothing changed', done.stderr)
        changed = self.run_program('--progress', 'never', 'build', '--work', work, '--set', 'groups.min_members=4')
        self.assertIn('ingest: done before, nothing changed', changed.stderr)
        self.assertNotIn('groups: done before', changed.stderr)
        both = self.run_program('build', '--work', work, '--dry-run', '--set', 'groups.mode=strict', '--set', 'groups.min_members=4').stdout
        self.assertRegex(both, r'(?m)^groups +skip +done$')
        replaced = self.build('w')
        self.assertNotIn(said, replaced.stderr)
        self.assertEqual(self.to_run('w'), [])

    def test_a_dump_of_another_wiki_or_an_older_one_replaces_nothing_unless_asked(self):
        text = DUMP.read_text()
        older = self.folder / 'miniwiki-20241201-pages-articles.xml'
        older.write_text(text.replace('<timestamp>2025', '<timestamp>2023').replace('<timestamp>2024', '<timestamp>2022'))
        other = self.folder / 'otherwiki-20250101-pages-articles.xml'
        other.write_text(text.replace('<dbname>miniwiki</dbname>', '<dbname>otherwiki</dbname>'))
        pages = self.folder / 'book.jsonl'
        pages.write_text('{"title": "Stars", "sections": [{"paragraphs": ["A star shines by itself."]}]}\n')
        self.build('w')
        before = self.results('w')
        for dump, words in ((older, ['is older', 'last edit']), (other, ['"miniwiki"', '"otherwiki"'])):
            with self.subTest(dump.name):
                self.assert_one_error(self.build('w', dump=dump, status=2), dump.name, *words, '--replace', 'work directory of its own')
                self.assert_same_results('w', before)
                self.assertEqual(self.to_run('w'), [])
        self.assert_one_error(self.run_program('ingest', '--pages', pages, '--work', self.folder / 'w', status=2), 'book.jsonl', '--replace')
        self.assertEqual(self.to_run('w'), [])
        self.build('w', '--replace', dump=older)
        self.build('w')  # a newer one
        self.build('w', '--replace', dump=other)
        self.assert_one_error(self.build('w', status=2), '"otherwiki"')

    def test_a_dump_of_another_wiki_does_not_take_the_place_of_a_killed_run(self):
        other = self.folder / 'other.xml'
        other.write_text(DUMP.read_text().replace('<dbname>miniwiki<', '<dbname>otherwiki<'))
        for number in (1, 2):
            with self.subTest(number):
                work = f'killed-{number}'
                self.assertEqual(self.build(work, *SMALL_BATCHES, environment={'TOUCHSTONE_KILL_AT': f'ingest.batch:{number}'}, status=None).returncode, -9)
                self.assert_one_error(self.build(work, dump=other, status=2), 'other.xml', 'miniwiki', '--replace')
                self.build(work, '--set', 'ingest.templates=drop')  # other options are no reason to refuse the same wiki
                self.build(work, '--replace', dump=other)

    def test_another_textbook_replaces_nothing_unless_asked(self):
        def book(name, *titles):
            path = self.folder / name
            path.write_text(''.join(json.dumps({'title': title, 'sections': [{'paragraphs': [f'{title} are what this page of the book is about.']}]}) + '\n'
                                    for title in titles))
            return path
        first, edition, second = book('a.jsonl', 'Stars', 'Planets'), book('b.jsonl', 'Stars', 'Moons'), book('c.jsonl', 'Cells', 'Genes')
        ingest = lambda pages, *more, **how: self.run_program('--progress', 'never', 'ingest', '--pages', pages, '--work', self.folder / 'w', *more, **how)
        ingest(first)
        ingest(edition)
        self.assert_one_error(ingest(second, status=2), 'c.jsonl', 'no title', '--replace')
        ingest(second, '--replace')
        folder = self.folder / 'book'
        folder.mkdir()
        (folder / 'a.html').write_text('<html><head><title>Rivers</title></head><body><h1>Rivers</h1><p>A river is water that runs to the sea.</p></body></html>')
        self.assert_one_error(ingest(folder, status=2), 'no title', '--replace')
