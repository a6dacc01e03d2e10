"""A damaged dump is one clear sentence and exit status 1, and the good file afterwards is taken."""
import random
import shutil

from harness import DUMP, EndToEnd, compressed


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        self.build('good')
        self.expected = self.results('good')

    def check_truncated(self, kind):
        whole = compressed(kind, DUMP, self.folder / f'whole.{kind}').read_bytes()
        for share in (0.1, 0.5, 0.95):
            with self.subTest(kind=kind, share=share):
                dump = self.folder / f'dump.xml.{kind}'
                dump.write_bytes(whole[:int(len(whole) * share)])
                work = f'{kind}-{share}'
                self.assert_one_error(self.build(work, dump=dump, status=1), dump.name)
                dump.write_bytes(whole)
                self.build(work, dump=dump)
                found = self.results(work)
                for name in ('collection/qrels.txt', 'collection/corpus.jsonl.gz', 'collection/judgments.jsonl.gz', 'collection/members.jsonl'):
                    self.assertEqual(found[name], self.expected[name], name)

    def check_flipped(self, kind):
        whole = compressed(kind, DUMP, self.folder / f'whole.{kind}').read_bytes()
        chance = random.Random(5)  # the seed
        for number in range(6):
            damaged = bytearray(whole)
            place = chance.randrange(16, len(damaged))
            damaged[place] ^= 1 << chance.randrange(8)
            with self.subTest(kind=kind, place=place):
                dump = self.folder / f'flipped{number}.xml.{kind}'
                dump.write_bytes(damaged)
                work = f'flipped-{kind}-{number}'
                done = self.build(work, dump=dump, status=None)
                if done.returncode == 0:  # a bit that says nothing, such as padding
                    self.assertEqual(self.results(work)['collection/qrels.txt'], self.expected['collection/qrels.txt'])
                else:
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assert_one_error(done, dump.name)
            shutil.rmtree(self.folder / work, ignore_errors=True)

    def test_truncated_plain_xml(self):
        self.check_truncated('xml')

    def test_truncated_bz2(self):
        self.check_truncated('bz2')

    def test_truncated_gz(self):
        self.check_truncated('gz')

    def test_truncated_xz(self):
        self.check_truncated('xz')

    def test_truncated_zst(self):
        self.check_truncated('zst')

    def test_truncated_7z(self):
        self.check_truncated('7z')

    def test_flipped_bits_in_bz2(self):
        self.check_flipped('bz2')

    def test_flipped_bits_in_gz(self):
        self.check_flipped('gz')

    def test_flipped_bits_in_xz(self):
        self.check_flipped('xz')

    def test_flipped_bits_in_zst(self):
        self.check_flipped('zst')

    def test_flipped_bits_in_7z(self):
        self.check_flipped('7z')

    def test_one_broken_page_is_counted_and_named_and_stops_nothing(self):
        dump = self.folder / 'broken.xml'
        text = DUMP.read_text()
        at = text.rindex('</title>')
        dump.write_text(text[:at] + '</titel>' + text[at + 8:])
        done = self.build('w', dump=dump)
        self.assertIn('malformed XML', done.stderr)
        status = self.run_program('status', '--work', self.folder / 'w').stdout
        self.assertIn('malformed XML', status)
        self.assertIn('at byte', status)

    def test_many_broken_pages_fail_and_can_be_allowed(self):
        dump = self.folder / 'broken.xml'
        dump.write_text(DUMP.read_text().replace('</title>', '</titel>', 30))
        self.assert_one_error(self.build('w', dump=dump, status=1), 'max_reject_ratio')
        self.build('w', '--set', 'ingest.max_reject_ratio=0.5', dump=dump)

    def test_what_is_no_dump_is_told_apart(self):
        for name, content in (('empty.xml', b''), ('page.html', b'<html><body>hello</body></html>'), ('noise.bin', bytes(range(256)) * 50),
                              ('list.json', b'[{"title": "A"}]')):
            with self.subTest(name):
                dump = self.folder / name
                dump.write_bytes(content)
                self.assert_one_error(self.build('none', dump=dump, status=1), name)
        self.assert_one_error(self.build('none', dump=self.folder / 'missing.xml', status=1), 'missing.xml')
        self.assert_one_error(self.build('none', dump=self.folder, status=1))
