"""`car derive` gives the qrels that follow from pages: of real releases those that were published with them."""
import gzip
import json
import pathlib
import unittest

from harness import DATA, EndToEnd

LEVELS = ('article', 'toplevel', 'hierarchical', 'tree')


def lines(path):
    return path.read_text().split('\n')[:-1]


def paragraph(name, *links):
    body = [{'text': f'Text of {name} with '}]
    body += [{'text': link, 'target_page': link, 'target_page_id': f'enwiki:{link}'} for link in links]
    return {'type': 'paragraph', 'paragraph': {'para_id': name, 'para_body': body}}


def section(heading, *content):
    return {'type': 'section', 'heading_text': heading, 'heading_id': heading.replace(' ', '%20'), 'content': list(content)}


def page(title, *content):
    return {'page_name': title, 'page_id': 'enwiki:' + title.replace(' ', '%20'), 'page_type': 'article', 'metadata': {}, 'content': list(content)}


class Test(EndToEnd):
    def need(self, name):
        path = DATA / 'car' / name
        if not path.exists():
            self.skipTest(f'real data is not here: {path} (set TOUCHSTONE_DATA to its folder)')
        return path

    def derive(self, source, *arguments):
        """Name -> [judgments, topics] of the files."""
        report = json.loads(self.run_program('car', 'derive', source, '--out', self.folder / 'out', '--format', 'json', *arguments).stdout)
        counts = {entry['file']: [entry['judgments'], entry['topics']] for entry in report['files']}
        for name, (judgments, topics) in counts.items():
            written = lines(self.folder / 'out' / name)
            self.assertEqual([len(written), len({line.split()[0] for line in written})], [judgments, topics], name)
            self.assertEqual(written, sorted(set(written), key=lambda line: line.encode()), name)
        return counts

    def pages(self, *pages):
        path = self.folder / 'pages.jsonl'
        path.write_text(''.join(json.dumps(page) + '\n' for page in pages))
        return path

    def test_an_old_release_gives_its_published_qrels(self):
        pages = self.need('spritzer-v1/spritzer.cbor')
        counts = self.derive(pages)
        expected = {'article.qrels': 174, 'article.entity.qrels': 474, 'toplevel.qrels': 174, 'toplevel.entity.qrels': 550,
                    'hierarchical.qrels': 174, 'hierarchical.entity.qrels': 564}
        self.assertEqual({name: counts[name][0] for name in expected}, expected)
        for name in expected:
            self.assertEqual(set(lines(self.folder / 'out' / name)), set(lines(pages.with_name(f'spritzer.cbor.{name}'))), name)

    def test_hierarchical_qrels_of_the_official_benchmark_give_the_other_levels(self):
        counts = self.derive(self.need('qrels.car17v1.5.benchmarkY1test.txt'))
        self.assertEqual(counts, {'article.qrels': [5820, 133], 'toplevel.qrels': [5820, 898],
                                  'hierarchical.qrels': [5820, 2125], 'tree.qrels': [15837, 2434]})

    def test_pages_in_all_forms_give_the_same(self):
        source = self.pages(page('Tea', paragraph('p1', 'Water'), section('Kinds', paragraph('p2', 'Oolong', 'Assam'), section('Green', paragraph('p3')))),
                            page('Tea room', section('Kinds', paragraph('p4', 'Oolong'))))
        self.derive(source)
        results = {name: (self.folder / 'out' / name).read_bytes() for name in self.derive(source)}
        packed = self.folder / 'pages.gz'
        packed.write_bytes(gzip.compress(source.read_bytes()))
        self.run_program('car', 'convert', source, '--to', 'cbor', '--out', self.folder / 'pages.cbor')
        for other in (packed, self.folder / 'pages.cbor'):
            self.assertEqual({name: (self.folder / 'out' / name).read_bytes() for name in self.derive(other)}, results)
        self.assertEqual(lines(self.folder / 'out' / 'tree.entity.qrels'),
                         ['enwiki:Tea 0 enwiki:Assam 1', 'enwiki:Tea 0 enwiki:Oolong 1', 'enwiki:Tea 0 enwiki:Water 1',
                          'enwiki:Tea%20room 0 enwiki:Oolong 1', 'enwiki:Tea%20room/Kinds 0 enwiki:Oolong 1',
                          'enwiki:Tea/Kinds 0 enwiki:Assam 1', 'enwiki:Tea/Kinds 0 enwiki:Oolong 1'])

    def test_a_large_file_is_sorted_on_disk(self):
        many = [page(f'Page {i}', *(section(f'S {j}', *(paragraph(f'{i:05d}{j}{k}' * 6, 'Tea') for k in range(6))) for j in range(6)))
                for i in range(9000, 0, -1)]
        counts = self.derive(self.pages(*many))
        self.assertEqual(counts['hierarchical.qrels'], [9000 * 36, 9000 * 6])
        self.assertEqual(counts['tree.qrels'], [9000 * 72, 9000 * 7])
        self.assertEqual(sorted(path.name for path in (self.folder / 'out').iterdir()),
                         sorted(f'{level}{kind}.qrels' for level in LEVELS for kind in ('', '.entity')))

    def test_damaged_pages_leave_no_qrels(self):
        pages = self.folder / 'pages.cbor'
        self.run_program('car', 'convert', self.pages(page('Tea', paragraph('p1', 'Water'))), '--to', 'cbor', '--out', pages)
        pages.write_bytes(pages.read_bytes()[:-20])
        self.assert_one_error(self.run_program('car', 'derive', pages, '--out', self.folder / 'out', status=1), 'pages.cbor', 'truncated')
        self.assertFalse(list(pathlib.Path(self.folder).glob('out/*')))


if __name__ == '__main__':
    unittest.main()
