"""`touchstone car` on the files of real releases, and what it writes read from the grammar by tests/car_format.py."""
import gzip
import json
import os
import pathlib
import subprocess
import sys
import urllib.parse

import harness

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import car_format  # noqa: E402

CAR = harness.DATA / 'car'
SPRITZER = CAR / 'spritzer-v1' / 'spritzer.cbor'


def qrels(path):
    return [line.split() for line in path.read_text().splitlines()]


def escaped(text):
    """The text as an id has it: only what may not stand in a URI is escaped."""
    return urllib.parse.quote(text, safe=":/?#[]@!$&'()*+,;=%-_.~")


class Test(harness.EndToEnd):
    def need(self, path):
        if not path.exists():
            self.skipTest(f'real data is not here: {path} (set TOUCHSTONE_DATA to its folder)')

    def car(self, *arguments, **options):
        return self.run_program('car', *arguments, **options)

    def report(self, path, status=0):
        return json.loads(self.car('validate', path, '--format', 'json', status=status).stdout)

    def convert(self, source, form, name):
        target = self.folder / name
        self.car('convert', source, '--to', form, '--out', target)
        return target

    def convert_and_read(self, source, form, name='out.cbor'):
        return car_format.read_file(self.convert(source, form, name).read_bytes())

    def test_official_qrels_are_counted(self):
        old = CAR / 'qrels.car17v1.5.benchmarkY1test.txt'
        self.need(old)
        report = self.report(old)
        self.assertEqual((report['judgments'], report['topics'], report['pages'], report['ok']), (5820, 2125, 133, True))
        new = self.report(CAR / 'qrels.car17v2.0.benchmarkY1test.txt')
        expected = qrels(CAR / 'qrels.car17v2.0.benchmarkY1test.txt')
        topics = {row[0] for row in expected}
        self.assertEqual((new['judgments'], new['topics'], new['pages']),
                         (len(expected), len(topics), len({topic.split('/')[0] for topic in topics})))

    def test_toy_file_of_5_element_pages_is_read(self):
        toy = CAR / 'test.cbor'
        self.need(toy)
        report = self.report(toy)
        self.assertEqual((report['pages'], report['redirects'], report['links'], report['header'], report['type']), (3, 1, 2, True, 'pages'))
        file_type, provenance, pages = self.convert_and_read(toy, 'cbor')
        self.assertEqual(file_type, 0)
        self.assertEqual(provenance[1][0][1], 'enwiki')
        self.assertEqual([page['page_name'] for page in pages], ['page1', 'page2', 'redirect2'])
        self.assertEqual([page['page_type'] for page in pages], ['article', 'article', 'redirect'])
        self.assertEqual(pages[2]['redirect_target']['target_page_id'], 'enwiki:page2')
        self.assertEqual(pages[0]['content'][0]['paragraph']['para_body'],
                         [{'text': 'anchor text to page R', 'target_page': 'redirect2', 'target_page_id': 'enwiki:redirect2'}])

    def test_ids_of_a_real_release_verify(self):
        self.need(SPRITZER)
        pages = self.report(SPRITZER)
        self.assertEqual((pages['pages'], pages['paragraphs'], pages['ids_not_verified'], pages['header'], pages['type']), (4, 175, 0, False, 'pages'))
        paragraphs = self.report(pathlib.Path(f'{SPRITZER}.paragraphs'))
        self.assertEqual((paragraphs['paragraphs'], paragraphs['ids_not_verified'], paragraphs['type']), (174, 0, 'paragraphs'))
        outlines = self.report(pathlib.Path(f'{SPRITZER}.outlines'))
        self.assertEqual((outlines['pages'], outlines['sections'], outlines['type']), (4, pages['sections'], 'outlines'))

    def test_pages_of_a_real_release_give_its_outlines_and_paragraphs(self):
        self.need(SPRITZER)
        paragraphs = self.convert_and_read(SPRITZER, 'paragraphs')[2]
        shipped = self.convert_and_read(f'{SPRITZER}.paragraphs', 'cbor')[2]
        by_id = lambda records: sorted(records, key=lambda record: record['para_id'])
        self.assertEqual(by_id(paragraphs), by_id(shipped))
        self.assertEqual(self.convert_and_read(SPRITZER, 'outlines')[2], self.convert_and_read(f'{SPRITZER}.outlines', 'cbor')[2])

    def test_section_ids_of_a_real_release_are_those_of_its_qrels(self):
        self.need(SPRITZER)
        topics = set(self.convert(SPRITZER, 'topics', 'topics').read_text().splitlines())
        for level in ('article', 'toplevel', 'hierarchical'):
            rows = qrels(pathlib.Path(f'{SPRITZER}.{level}.qrels'))
            self.assertLessEqual({row[0] for row in rows}, topics, level)

    def test_titles_and_headings_of_a_real_release_have_our_ids(self):
        self.need(SPRITZER)
        shown = json.loads(self.car('show', SPRITZER, '--format', 'json', '--limit', 0).stdout)
        for page in shown['records']:
            self.assertEqual(page['page_id'], escaped(page['page_name']))
            for section in page['sections'][1:]:
                self.assertEqual(section['heading_id'], escaped(section['heading_text']))

    def test_what_is_written_follows_the_grammar(self):
        pages = [car_format.RandomPages(seed).page() for seed in range(50)]
        source = self.folder / 'pages.jsonl.gz'
        source.write_bytes(gzip.compress(''.join(json.dumps(page) + '\n' for page in pages).encode()))
        file_type, provenance, found = self.convert_and_read(source, 'cbor')
        self.assertEqual((file_type, found), (0, pages))
        self.assertEqual(len(provenance), 5)
        self.assertEqual(provenance[4][0][1], 'touchstone car convert')
        first, second = self.convert(source, 'cbor', 'a.cbor.gz'), self.convert(source, 'cbor', 'b.cbor.gz')
        self.assertEqual(first.read_bytes(), second.read_bytes())

    def test_memory_is_that_of_one_record(self):
        makers = car_format.RandomPages(3)
        encoder = car_format.Encoder(makers.chance)
        page = {**makers.page(), 'page_name': 'A page', 'content': [{'type': 'paragraph', 'paragraph': makers.paragraph()} for _ in range(100)]}
        record = encoder.page(page)
        source = self.folder / 'large.cbor'
        count = 100_000_000 // len(record)
        with source.open('wb') as out:
            out.write(bytes.fromhex('836343415281008500806080809f'))
            for _ in range(count):
                out.write(record)
            out.write(b'\xff')
        titles = self.folder / 'titles'
        child = subprocess.Popen([harness.PROGRAM, 'car', 'convert', str(source), '--to', 'titles', '--out', str(titles)], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(child.returncode, 0)
        self.assertEqual(titles.read_text(), 'A page\n' * count)
        if not os.environ.get('TOUCHSTONE_SANITIZER'):
            self.assertLess(usage.ru_maxrss, 50_000, 'KiB')
