"""The same input and options give the same bytes, whatever the threads, the batches and the slots."""
import shutil

from harness import DUMP, EndToEnd, compressed


def without_dumps(manifest):
    """The manifest without names, sizes and digests of the dump, and of the files that repeat them."""
    if isinstance(manifest, dict):
        return {key: without_dumps(value) for key, value in manifest.items() if key not in ('dumps', 'dump_names', 'files')}
    return manifest


class Test(EndToEnd):
    def test_threads_batches_and_slots_do_not_show_in_the_results(self):
        self.build('one', '--threads', '1')
        expected = self.results('one')
        self.build('two', '--threads', '2')
        self.assert_same_results('two', expected, 'two threads:')
        self.build('small', '--threads', '2', '--set', 'ingest.batch_bytes=4096', '--set', 'ingest.slots=3')
        self.assert_same_results('small', expected, 'small batches:')
        self.build('narrow', '--threads', '4', '--set', 'ingest.batch_bytes=10000', '--set', 'ingest.slots=1', '--set', 'link.sort_memory_bytes=1048576', '--set', 'passages.memory_bytes=1048576')
        self.assert_same_results('narrow', expected, 'one slot:')

    def test_stages_run_one_by_one_give_the_same_as_build(self):
        self.build('whole')
        work = self.folder / 'parts'
        self.run_program('ingest', '--config', 'configs/miniwiki.toml', '--dump', DUMP, '--work', work)
        for stage in ('link', 'groups', 'boilerplate', 'passages', 'candidates', 'judge', 'phrase', 'export', 'report'):
            self.run_program(stage, '--work', work)
        self.assert_same_results('parts', self.results('whole'))

    def test_every_form_of_the_dump_gives_the_same_collection(self):
        self.build('plain')
        expected = self.results('plain')
        digests = ('collection/manifest.json', 'collection/README.md', 'collection/croissant.json', 'collection/sha256sums.txt', 'report.html')
        for kind in ('bz2', 'gz', 'xz', 'zst', '7z', 'multistream.bz2', 'lbzip2 off', 'stdin'):
            name = 'dump-' + kind.replace(' ', '-')
            options = {}
            arguments = []
            if kind == 'stdin':
                dump, options['stdin'] = '-', open(DUMP, 'rb')
                self.addCleanup(options['stdin'].close)
            elif kind == 'multistream.bz2':
                dump = self.folder / 'multi.xml.bz2'
                text = DUMP.read_bytes()
                parts = []
                for number in range(4):
                    part = self.folder / f'part{number}'
                    part.write_bytes(text[number * len(text) // 4:(number + 1) * len(text) // 4])
                    parts.append(compressed('bz2', part, self.folder / f'part{number}.bz2').read_bytes())
                dump.write_bytes(b''.join(parts))
            elif kind == 'lbzip2 off':
                dump = compressed('bz2', DUMP, self.folder / 'slow.xml.bz2')
                arguments = ['--set', 'ingest.use_lbzip2=false']
            else:
                dump = compressed(kind, DUMP, self.folder / f'wiki.xml.{kind}')
            with self.subTest(kind):
                self.build(name, *arguments, dump=dump, **options)
                found = self.results(name)
                self.assertEqual(sorted(found), sorted(expected))
                for file in expected:
                    if file not in digests:
                        self.assertEqual(found[file], expected[file], f'{kind}: {file}')
                left, right = (without_dumps(self.manifest(work)) for work in (name, 'plain'))
                self.assertEqual(left, right, kind)
            shutil.rmtree(self.folder / name, ignore_errors=True)

    def test_a_dump_in_two_files_gives_the_same_topics(self):
        text = DUMP.read_text()
        head = text[:text.index('  <page>')]
        middle = text.index('  <page>', len(text) // 2)
        first, second = self.folder / 'p1.xml', self.folder / 'p2.xml'
        first.write_text(text[:middle] + '</mediawiki>\n')
        second.write_text(head + text[middle:])
        self.build('whole')
        self.run_program('build', '--config', 'configs/miniwiki.toml', '--dump', first, second, '--work', self.folder / 'halves')
        whole, halves = self.results('whole'), self.results('halves')
        for name in ('collection/topics.tsv', 'collection/qrels.txt', 'collection/corpus.jsonl.gz', 'collection/members.jsonl', 'collection/judgments.jsonl.gz'):
            self.assertEqual(halves[name], whole[name], name)
