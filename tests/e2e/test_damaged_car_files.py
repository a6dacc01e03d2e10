"""Damaged, lying and mixed files: each command of `touchstone car` ends with one sentence, exit status 1 and no file."""
import gzip
import json
import resource

import harness

HEADER = bytes.fromhex('836343415281008500806080809f')
PAGE = bytes.fromhex('8400616141618182018300417081820061') + b'x'  # [0, "a", 'a', [[1, [0, 'p', [[0, "x"]]]]]]
LINE = json.dumps({'page_name': 'a', 'page_id': 'w:a', 'page_type': 'article', 'metadata': {}, 'content': [
    {'type': 'list', 'indent': 1, 'entry': {'para_id': 'p', 'para_body': [{'text': 'x'}]}}]})

CBOR = {
    'empty': b'',
    'header alone': HEADER[:-1],
    'truncated in the header': HEADER[:5],
    'truncated in a record': HEADER + PAGE + PAGE[:9],
    'no break at the end': HEADER + PAGE,
    'bytes behind the end': HEADER + PAGE + b'\xff\x00',
    'file type 7': HEADER[:6] + b'\x07' + HEADER[7:],
    'another word than CAR': HEADER.replace(b'CAR', b'BUS'),
    'text of 2^64 bytes': HEADER + bytes.fromhex('84007bffffffffffffffff61'),
    'text of 255 MB that is not there': HEADER + bytes.fromhex('84007a0fffffff61'),
    'array of 2^64 items': HEADER + bytes.fromhex('9bffffffffffffffff00'),
    'array of 7 million items that are not there': HEADER + bytes.fromhex('9a006acfc000'),
    'a million arrays within each other': HEADER + bytes.fromhex('840061614161') + b'\x81' * 1_000_000,
    'sections 1000 deep': HEADER + bytes.fromhex('840061614161') + bytes.fromhex('818400616141 61') * 1000 + b'\x80' + b'\xff',
    'a map': HEADER + b'\xa1\x00\x00\xff',
    'a float': HEADER + b'\xfa\x00\x00\x00\x00\xff',
    'reserved length': HEADER + b'\x1c',
    'gzip cut': gzip.compress(HEADER + PAGE * 1000 + b'\xff')[:-20],
}
RECORDS = {  # one record is wrong, the file is whole
    'number as name': HEADER + PAGE + bytes.fromhex('840001416180') + PAGE + b'\xff',
    'page of 9 elements': HEADER + bytes.fromhex('8900616141618081008000000000') + b'\xff',
    'unknown kind of element': HEADER + bytes.fromhex('840061614161818205 80') + b'\xff',
    'name that is not UTF-8': HEADER + bytes.fromhex('840061ff416180') + b'\xff',
}
TEXT = {
    'byte-order mark': b'\xef\xbb\xbf' + LINE.encode() + b'\n',
    'UTF-16': LINE.encode('utf-16'),
    'not UTF-8': LINE.replace('"x"', '"\udcff"').encode('utf-8', 'surrogateescape'),
    'raw zero byte': LINE.replace('"x"', '"\0"').encode(),
    'huge number': LINE.replace('"indent": 1', '"indent": ' + '9' * 400).encode(),
    'number beyond 32 bits': LINE.replace('"indent": 1', '"indent": 4294967296').encode(),
    'negative number': LINE.replace('"indent": 1', '"indent": -1').encode(),
    'cut': LINE[:-30].encode(),
    'two on a line': (LINE + LINE).encode(),
    'very deep': (LINE[:LINE.index('"content"')] + '"content": ' + '[{"type": "section", "heading_text": "h", "heading_id": "h", "content": ' * 100_000).encode(),
    'judgment after a page': LINE.encode() + b'\nw:a 0 p 1\n',
    'page after a judgment': b'w:a 0 p 1\n' + LINE.encode() + b'\n',
    'grade of 30 digits': b'w:a 0 p 1\nw:a 0 q ' + b'9' * 30 + b'\n',
    'grade that is a fraction': b'w:a 0 p 0.5\n',
    'byte-order mark before qrels': b'\xef\xbb\xbfw:a 0 p 1\n',
    'zero byte in an id of qrels': b'w:a 0 p 1\nw:\0a/b 0 p 1\n',
    'zero bytes': bytes(1000),
}
READ_BY_SHOW = {'zero byte in an id of qrels'}  # show escapes it


class Test(harness.EndToEnd):
    def check_all(self, cases, skipped=()):
        for name, data in cases.items():
            source = self.folder / 'file'
            source.write_bytes(data)
            for command in (['validate'], ['show', '--limit', '0'], ['convert', '--to', 'jsonl', '--out', self.folder / 'out'], ['derive', '--out', self.folder / 'qrels']):
                with self.subTest(name, command=command[0]):
                    if command[0] == 'show' and name in skipped:
                        continue
                    done = self.run_program('car', command[0], source, *command[1:], status=1)
                    if command[0] == 'validate' and not done.stderr:
                        self.assertIn('NOT ok', done.stdout)
                        self.assertIn('problem: ', done.stdout)
                    else:
                        self.assert_one_error(done)
                    self.assertFalse((self.folder / 'out').exists())
                    self.assertEqual([path.name for path in (self.folder / 'qrels').glob('*')] if (self.folder / 'qrels').exists() else [], [])

    def test_damaged_cbor_is_one_sentence_and_leaves_no_file(self):
        self.check_all(CBOR)

    def test_wrong_records_are_one_sentence_and_leave_no_file(self):
        self.check_all(RECORDS)

    def test_wrong_lines_are_one_sentence_and_leave_no_file(self):
        self.check_all(TEXT, READ_BY_SHOW)

    def test_lying_lengths_cost_no_memory(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        for name in ('text of 2^64 bytes', 'text of 255 MB that is not there', 'array of 2^64 items', 'array of 7 million items that are not there', 'a million arrays within each other'):
            source = self.folder / 'file'
            source.write_bytes(CBOR[name])
            self.run_program('car', 'validate', source, status=1)
        if not harness.os.environ.get('TOUCHSTONE_SANITIZER'):
            self.assertLess(max(before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss), 60_000, 'KiB')

    def test_lines_with_carriage_returns_are_read(self):
        source = self.folder / 'file'
        source.write_bytes((LINE + '\r\n' + LINE.replace('w:a', 'w:b') + '\r\n').encode())
        self.run_program('car', 'convert', source, '--to', 'cbor', '--out', self.folder / 'out')
        source.write_bytes(b'w:a/b 0 p 1\r\nw:a/b 0 q 1\r\n')
        self.run_program('car', 'validate', source)
        self.run_program('car', 'derive', source, '--out', self.folder / 'qrels')
        self.assertEqual((self.folder / 'qrels' / 'article.qrels').read_bytes(), b'w:a 0 p 1\nw:a 0 q 1\n')
