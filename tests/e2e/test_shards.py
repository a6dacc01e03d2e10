"""The parts into which stages are cut: the same bytes as in one piece, and a damaged part runs again, alone."""
import re
import shutil
import signal

from harness import CONFIG, DUMP, EndToEnd, need_data

SECTIONS = ['--set', 'automatic.min_sections=1', '--set', 'automatic.folds=2']  # the bundled wiki has few and short pages
CUT = ('link', 'pages', 'paragraphs', 'facets')


class Test(EndToEnd):
    def automatic(self, work, *arguments, **options):
        return self.build(work, '--to', 'automatic', *SECTIONS, *arguments, **options)

    def made(self, work):
        """Name -> bytes of all that the build left besides the store."""
        root = self.folder / work
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob('*')
                if path.is_file() and path.relative_to(root).parts[0] != 'store'}

    def assert_same_made(self, work, expected):
        found = self.made(work)
        self.assertEqual(sorted(found), sorted(expected))
        for name, text in expected.items():
            self.assertEqual(found[name], text, f'{work}: {name}')

    def shard(self, work, stage, number):
        return self.folder / work / 'stages' / 'shards' / stage / f'{number}-of-3'

    def before_the_merge(self, work):
        """A work directory in which all three shards of `paragraphs` are whole and nothing is merged."""
        self.build(work, '--to', 'link', *SECTIONS)  # these stages have shards too
        done = self.automatic(work, '--shards', '3', environment={'TOUCHSTONE_KILL_AT': 'shards.before_merge:2'}, status=None)
        self.assertEqual(done.returncode, -signal.SIGKILL, done.stderr)
        return self.folder / work

    def numbers(self, done, stage='paragraphs'):
        """The shards of a stage that ran."""
        return [int(number) for number in re.findall(rf'{stage}: shard (\d+) of \d+ is whole', done.stderr)]

    def test_shards_and_threads_do_not_show_in_an_automatic_collection(self):
        self.automatic('whole', '--threads', '1')
        expected = self.made('whole')
        self.assertIn('automatic/sha256sums.txt', expected)
        for shards, threads in ((3, 1), (3, 2), (2, 2), (7, 2), (40, 2)):
            work = f'{shards}-{threads}'
            done = self.automatic(work, '--executor', 'local', '--shards', shards, '--threads', threads)
            for stage in CUT:
                self.assertEqual(self.numbers(done, stage), list(range(1, shards + 1)))
            self.assert_same_made(work, expected)
            self.assertEqual(self.to_run(work, '--to', 'automatic', *SECTIONS), [], 'the number of shards asks for nothing new')
            shutil.rmtree(self.folder / work)

    def test_a_merge_of_parts_that_others_made_keeps_query_pages_out_of_the_dictionary(self):
        linker = ['--set', 'automatic.linker=own']
        self.automatic('whole', *linker)
        self.build('shards', '--to', 'facets', *SECTIONS, *linker)
        done = self.automatic('shards', *linker, '--shards', '3', environment={'TOUCHSTONE_KILL_AT': 'shards.before_merge'}, status=None)
        self.assertEqual(done.returncode, -signal.SIGKILL, done.stderr)
        self.automatic('shards', *linker, '--shards', '3')
        self.assert_same_made('shards', self.made('whole'))

    def parts_of_the_wiki(self, order):
        """The bundled wiki as three dumps, given in this order."""
        text = DUMP.read_text()
        head, end = text.index('  <page>'), text.index('</mediawiki>')
        pages = re.findall(r'  <page>.*?</page>\n', text[head:end], re.DOTALL)
        thirds = [pages[:50], pages[50:60], pages[60:]]
        names = []
        for number in order:
            names.append(self.folder / f'mini-{number}.xml')
            names[-1].write_text(text[:head] + ''.join(thirds[number]) + text[end:])
        return names

    def build_of(self, work, dumps, *arguments, **options):
        self.run_program('--progress', 'never', 'build', '--config', CONFIG, '--to', 'passages', '--dump', *dumps, '--work', self.folder / work, *arguments, **options)
        return self.made(work)

    def test_files_that_are_read_side_by_side_give_the_bytes_of_one_after_the_other(self):
        for order in ((0, 1, 2), (2, 0, 1)):
            dumps = self.parts_of_the_wiki(order)
            expected = self.build_of('one', dumps)
            for shards in (2, 3, 5):
                self.build_of('w', dumps, '--shards', shards, environment={'TOUCHSTONE_KILL_AT': 'shard.begun:2'}, status=-signal.SIGKILL)
                self.assertEqual(self.build_of('w', dumps, '--shards', shards), expected)
                shutil.rmtree(self.folder / 'w')
            shutil.rmtree(self.folder / 'one')

    def test_files_with_copies_of_pages_are_read_again_one_after_the_other(self):
        first, second, third = self.parts_of_the_wiki((0, 1, 2))
        second.write_text(DUMP.read_text())
        expected = self.build_of('one', [first, second, third])
        done = self.run_program('build', '--config', CONFIG, '--to', 'passages', '--dump', first, second, third, '--work', self.folder / 'w', '--shards', '3')
        self.assertIn('they are read again, one after the other', done.stderr)
        self.assertEqual(self.made('w'), expected)

    def test_files_of_two_wikis_that_are_read_side_by_side_are_refused(self):
        first, second, third = self.parts_of_the_wiki((0, 1, 2))
        third.write_text(re.sub('<dbname>.*?</dbname>', '<dbname>other</dbname>', third.read_text()))
        done = self.run_program('build', '--to', 'ingest', '--dump', first, second, third, '--work', self.folder / 'w', '--shards', '3', status=1)
        self.assert_one_error(done, 'mini-2.xml is a dump of "other"')

    def test_tasks_of_a_stage_that_is_not_prepared_are_refused(self):
        dumps = self.parts_of_the_wiki((0, 1, 2))
        shard = lambda index, **options: self.run_program('shard', 'ingest', '--index', index, '--of', '3', '--work', self.folder / 'w', **options)
        build = lambda *arguments: self.run_program('build', '--config', CONFIG, '--to', 'ingest', '--dump', *dumps, '--work', self.folder / 'w', *arguments)
        build('--executor', 'prepare')
        for index in range(3):
            shard(index)
        build('--executor', 'merge', '--shards', '3')
        self.assertIn('147 pages', build().stderr + self.run_program('status', '--work', self.folder / 'w').stdout)
        dumps[0].write_text(dumps[0].read_text() + ' ')
        build('--shards', '3')
        self.assertFalse((self.folder / 'w' / 'stages' / 'shards' / 'ingest').exists())

    def assert_real_wiki_is_the_same_in_one_piece_and_in_three(self, name):
        """Every file of every stage, from a store of its own each."""
        dump = need_data(self, name)
        made = []
        for work, arguments in (('one', ['--threads', '1']), ('three', ['--threads', '2', '--executor', 'local', '--shards', '3'])):
            done = self.run_program('--progress', 'never', 'build', '--to', 'automatic', '--dump', dump, '--work', self.folder / work, *arguments)
            made.append(self.made(work))
            shutil.rmtree(self.folder / work)
        for stage in CUT:
            self.assertEqual(self.numbers(done, stage), [1, 2, 3])
        self.assertEqual(sorted(made[0]), sorted(made[1]))
        self.assertIn('automatic/sha256sums.txt', made[0])
        self.assertGreater(len(made[0]['stages/query_pages.records']), 100)
        self.assertEqual([file for file, text in made[0].items() if text != made[1][file]], [])

    def test_the_english_excerpt_is_the_same_in_one_piece_and_in_three(self):
        self.assert_real_wiki_is_the_same_in_one_piece_and_in_three('enwiki-excerpt-206pages.xml.bz2')

    def test_the_latgalian_wiki_is_the_same_in_one_piece_and_in_three(self):
        self.assert_real_wiki_is_the_same_in_one_piece_and_in_three('ltgwiki-2017-pages-articles.xml.bz2')

    def test_the_shinto_wiki_is_the_same_in_one_piece_and_in_three(self):
        self.assert_real_wiki_is_the_same_in_one_piece_and_in_three('shintowiki-20260531-pages-meta-current-multistream.xml.bz2')

    def test_a_review_survives_the_cut(self):
        self.automatic('first')
        review = self.folder / 'review.tsv'
        lines = (self.folder / 'first' / 'automatic-review.tsv').read_text().splitlines()
        heading = next(number for number, line in enumerate(lines) if line.split('\t')[1] == 'heading')
        lines[heading] = '\t'.join(['drop', *lines[heading].split('\t')[1:]])
        review.write_text('\n'.join(lines) + '\n')
        self.automatic('whole', '--review', review)
        self.automatic('cut', '--review', review, '--shards', '3')
        self.assert_same_made('cut', self.made('whole'))

    def test_killed_in_a_shard_or_in_the_merge_the_next_run_gives_the_same(self):
        self.automatic('whole')
        expected = self.made('whole')
        points = ['shard.begun:2', 'shard.before_manifest:1', 'pages.before_finish:1', 'parts.moved:2', 'shard.before_manifest:6', 'shards.before_merge:2', 'paragraphs.read:1',
                  'paragraphs.before_finish:1', 'shard.begun:8', 'shards.before_merge:3', 'facets.before_finish:1', 'runner.done:3']
        for point in points:
            with self.subTest(point):
                self.build('killed', '--to', 'link', *SECTIONS)
                done = self.automatic('killed', '--shards', '3', environment={'TOUCHSTONE_KILL_AT': point}, status=None)
                self.assertEqual(done.returncode, -signal.SIGKILL, done.stderr)
                done = self.automatic('killed', '--shards', '3')
                if point == 'shard.before_manifest:6':
                    self.assertEqual(self.numbers(done), [3])
                if point == 'paragraphs.read:1':
                    self.assertEqual(self.numbers(done), [])
                self.assert_same_made('killed', expected)
                shutil.rmtree(self.folder / 'killed')

    def test_a_run_that_was_killed_may_go_on_with_another_number_of_shards(self):
        self.automatic('whole')
        for shards in ('1', '2'):
            work = self.before_the_merge(f'to-{shards}')
            self.automatic(work, '--shards', shards)
            self.assert_same_made(work, self.made('whole'))

    def test_damaged_shards_run_again_alone(self):
        self.automatic('whole')
        expected = self.made('whole')

        def parts(folder):
            return sorted(folder.glob('*.passages'))

        def edit(folder):
            part = parts(folder)[0]
            text = part.read_bytes()
            part.write_bytes(text[:50] + bytes([text[50] ^ 1]) + text[51:])

        def truncate(folder):
            part = parts(folder)[-1]
            part.write_bytes(part.read_bytes()[:-1])

        def double(folder):
            shutil.rmtree(folder)
            shutil.copytree(folder.parent / '1-of-3', folder)

        def old_version(folder):
            (folder / 'manifest.json').write_text('{"stage":"paragraphs"}\n' + 64 * '0' + '\n')

        damages = {'has no manifest': shutil.rmtree, 'has the manifest of another shard': double,
                   'has a file whose bytes were changed': edit, 'has a file of another length': truncate,
                   'lacks a file': lambda folder: parts(folder)[0].unlink(),
                   'has a file that it did not write': lambda folder: (folder / 'more.txt').write_text('more'),
                   'has a damaged manifest': old_version}
        self.before_the_merge('prepared')
        for words, damage in damages.items():
            with self.subTest(words):
                shutil.copytree(self.folder / 'prepared', self.folder / 'damaged')
                damage(self.shard('damaged', 'paragraphs', 2))
                done = self.automatic('damaged', '--shards', '3')
                told = [line for line in done.stderr.splitlines() if 'has to run again' in line]
                self.assertEqual(len(told), 1, done.stderr)
                self.assertIn(f'paragraphs: shard 2 of 3 {words}', told[0])
                self.assertEqual(self.numbers(done), [2])
                self.assert_same_made('damaged', expected)
                shutil.rmtree(self.folder / 'damaged')

    def test_shards_of_other_settings_run_again(self):
        self.automatic('whole', '--set', 'automatic.include_lists=true')
        work = self.before_the_merge('changed')
        done = self.automatic(work, '--shards', '3', '--set', 'automatic.include_lists=true')
        self.assertEqual(self.numbers(done), [1, 2, 3])
        self.assertEqual(done.stderr.count('was made with other settings'), 3, done.stderr)
        self.assert_same_made('changed', self.made('whole'))
