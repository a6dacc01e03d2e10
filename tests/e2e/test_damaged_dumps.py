"""A damaged dump is one clear sentence and exit status 1, and the good file afterwards is taken."""
import bz2
import random
import re
import shutil
import signal

from harness import DUMP, EndToEnd, compressed


def multistream(text):
    """A dump as the streams of a multistream dump, and the lines of its index."""
    head, pages = text[:text.index(b'<page>')], text[text.index(b'<page>'):text.index(b'</mediawiki>')].split(b'</page>')
    pages = [page + b'</page>' for page in pages[:-1]]
    streams, index, place = [bz2.compress(head)], [], len(bz2.compress(head))
    for first in range(0, len(pages), 10):
        for page in pages[first:first + 10]:
            index.append(b'%d:%s:%s\n' % (place, re.search(b'<id>(\\d+)', page)[1], re.search(b'<title>(.*?)</title>', page)[1]))
        streams.append(bz2.compress(b''.join(pages[first:first + 10])))
        place += len(streams[-1])
    return streams + [bz2.compress(b'</mediawiki>\n')], index


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

    def test_a_zeroed_block_is_damage(self):
        whole = DUMP.read_bytes()
        dump = self.folder / 'zeroed.xml'
        for place, size in ((len(whole) // 3, 512), (len(whole) // 2, 4096), (len(whole) * 2 // 3, 1)):
            with self.subTest(place=place, size=size):
                dump.write_bytes(whole[:place] + bytes(size) + whole[place + size:])
                self.assert_one_error(self.build(f'zeroed-{place}', dump=dump, status=1), dump.name, 'zero bytes')
                work = f'zeroed-{place}'
                dump.write_bytes(whole)
                self.build(work, dump=dump)
                self.assertEqual(self.results(work)['collection/qrels.txt'], self.expected['collection/qrels.txt'])

    def test_damage_in_bz2_is_named_by_its_byte_and_skipped_on_demand(self):
        streams, index = multistream(DUMP.read_bytes())
        damaged = sum(map(len, streams[:3])) + 4
        whole = b''.join(streams)
        dump = self.folder / 'mini-multistream.xml.bz2'
        dump.write_bytes(whole[:damaged + 500] + bytes([whole[damaged + 500] ^ 1]) + whole[damaged + 501:])
        self.assert_one_error(self.build('w', dump=dump, status=1), f'{dump.name}: the bzip2 block at byte {damaged:,}'.replace(',', ' '), 'ingest.on_damage=skip')
        skip = ('--set', 'ingest.on_damage=skip', '--set', 'ingest.max_reject_ratio=0.5')
        self.assertIn('1 pages left out: lost where the file is damaged, at least one at each place', self.build('w', *skip, dump=dump).stderr)
        (self.folder / 'mini-multistream-index.txt.bz2').write_bytes(bz2.compress(b''.join(index)))
        named = self.build('named', *skip, dump=dump)
        lost = index[20:30]
        self.assertIn(f'{len(lost)} pages left out: lost where the file is damaged (first: page {lost[0].split(b":")[1].decode()} ', named.stderr)
        self.assertEqual(self.results('w')['collection/qrels.txt'], self.results('named')['collection/qrels.txt'])

    def test_reading_goes_on_at_a_stream_that_the_index_names(self):
        """What was read before a stop is not decompressed again."""
        chance = random.Random(3)  # the seed
        large = ''.join(f'<page><title>Large {i}</title><ns>0</ns><id>{100_000 + i}</id><revision><id>{i + 1}</id><text>{chance.randbytes(10_000).hex()}</text></revision></page>'
                        for i in range(400))
        streams, index = multistream(DUMP.read_bytes().replace(b'</mediawiki>', large.encode() + b'</mediawiki>'))
        dump = self.folder / 'mini-multistream.xml.bz2'
        dump.write_bytes(b''.join(streams))
        self.build('w', dump=dump)
        small = ['--set', 'ingest.batch_bytes=4096']
        stopped = {'TOUCHSTONE_KILL_AT': f'ingest.batch:350:{signal.SIGTERM.value}'}
        for has_index in (False, True):
            with self.subTest(index=has_index):
                if has_index:
                    (self.folder / 'mini-multistream-index.txt.bz2').write_bytes(bz2.compress(b''.join(index)))
                work = f'stopped{has_index}'
                self.build(work, *small, dump=dump, environment=stopped, status=3)
                said = self.build(work, *small, dump=dump).stderr
                self.assertIn('going on in file 1 at byte ', said)
                found = re.search(r'going on in mini-multistream.xml.bz2 at its stream at byte (\d+)', said)
                self.assertEqual(found is not None, has_index)
                if has_index:
                    self.assertIn(int(found[1]), [int(line.split(b':')[0]) for line in index])
                self.assertEqual(self.results('w')['collection/corpus.jsonl.gz'], self.results(work)['collection/corpus.jsonl.gz'])
                self.assertEqual(self.results('w')['collection/qrels.txt'], self.results(work)['collection/qrels.txt'])

    def test_another_encoding_that_the_xml_names_loses_nothing(self):
        text = DUMP.read_text().replace('</siteinfo>', '</siteinfo>\n<page><title>Caf\u00e9</title><ns>0</ns><id>9001</id>'
                                        '<revision><id>9001</id><text>\u00c9t\u00e9 is a place on the coast near [[Hook Light]].</text></revision></page>', 1)
        text = ''.join(c if ord(c) < 256 else f'&#{ord(c)};' for c in text)
        dump = self.folder / 'latin1.xml'
        dump.write_bytes(b'<?xml version="1.0" encoding="ISO-8859-1"?>\n' + text.encode('latin-1'))
        done = self.build('w', dump=dump)
        self.assertNotIn('pages left out', done.stderr)
        shown = self.run_program('show', 'passages', 'Caf\u00e9', '--work', self.folder / 'w').stdout
        self.assertIn('\u00c9t\u00e9', shown)

    def test_tags_that_are_not_escaped_are_read_and_told(self):
        dump = self.folder / 'tags.xml'
        dump.write_text(DUMP.read_text().replace('</siteinfo>', '</siteinfo>\n<page><title>Tags</title><ns>0</ns><id>9001</id>'
                                                 '<revision><id>9001</id><text>This page has a <b>b</b> c in it.</text></revision></page>', 1))
        done = self.build('w', dump=dump)
        self.assertIn('not escaped', done.stderr)
        self.assertIn('"Tags"', done.stderr)
        self.assertIn('a b c', self.run_program('show', 'passages', 'Tags', '--work', self.folder / 'w').stdout)

    def test_titles_with_tabs_and_line_ends_keep_the_lines_of_links_whole(self):
        dump = self.folder / 'titles.xml'
        dump.write_text(DUMP.read_text().replace('</siteinfo>', '</siteinfo>\n<page><title>\n Tab\there\n</title><ns>0</ns><id>9001</id>'
                                                 '<revision><id>9001</id><text>a [[Hook\tLight]] [[Hook Light]]</text></revision></page>', 1))
        self.build('w', dump=dump)
        self.run_program('links', '--work', self.folder / 'w', '--out', self.folder / 'links.tsv')
        lines = (self.folder / 'links.tsv').read_text().split('\n')
        self.assertTrue(all(line.count('\t') == 1 for line in lines[:-1]))
        self.assertIn('Tab here\tHook Light', lines)

    def test_a_table_that_is_cut_is_told(self):
        table = '{|\n' + '|-\n|a' + '||a' * 599999 + '\n|}'
        source = self.folder / 'table.txt'
        source.write_text(table)
        with open(source) as stdin:
            done = self.run_program('parse', stdin=stdin)
        self.assertIn('100000 cells of its tables are left out', done.stderr)
        self.assertIn('"cells_left_out":100000', done.stdout)

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
