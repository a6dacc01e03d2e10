"""`validate` passes on what we make and says precisely what is wrong with what somebody broke."""
import gzip
import hashlib
import json
import shutil

from harness import EndToEnd


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        self.build('w')
        self.good = self.folder / 'w' / 'collection'

    def broken(self, change, fix_checksums=True):
        """Problems of a copy of the collection after `change(directory)`."""
        copy = self.folder / 'copy'
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.good, copy)
        change(copy)
        if fix_checksums:
            lines = []
            for line in (copy / 'sha256sums.txt').read_text().splitlines():
                name = line.split(None, 1)[1].lstrip('*')
                if (copy / name).exists():
                    lines.append(hashlib.sha256((copy / name).read_bytes()).hexdigest() + line[64:])
            (copy / 'sha256sums.txt').write_text('\n'.join(lines) + '\n')
        done = self.run_program('validate', copy, '--format', 'json', status=1)
        report = json.loads(done.stdout)
        self.assertFalse(report['ok'])
        self.assertGreaterEqual(report['problem_count'], 1)
        return report['problems']

    def test_a_made_collection_is_valid(self):
        done = self.run_program('validate', self.good)
        self.assertTrue(done.stdout.startswith('ok: '), done.stdout)
        report = json.loads(self.run_program('validate', self.good, '--format', 'json').stdout)
        self.assertTrue(report['ok'])
        self.assertEqual(report['problems'], [])

    def test_a_missing_file_is_named(self):
        problems = self.broken(lambda copy: (copy / 'qrels.txt').unlink())
        self.assertTrue(any(problem['file'] == 'qrels.txt' for problem in problems), problems)

    def test_a_changed_byte_breaks_the_checksum(self):
        def change(copy):
            with open(copy / 'README.md', 'a') as out:
                out.write('more\n')
        problems = self.broken(change, fix_checksums=False)
        self.assertTrue(any('README.md' in json.dumps(problem) for problem in problems), problems)

    def test_an_unknown_document_in_the_qrels_is_named_with_its_line(self):
        def change(copy):
            lines = (copy / 'qrels.txt').read_text().splitlines()
            fields = lines[2].split()
            fields[2] = 'nowhere-1-0'
            lines[2] = ' '.join(fields)
            (copy / 'qrels.txt').write_text('\n'.join(lines) + '\n')
        problems = self.broken(change)
        self.assertTrue(any(problem['file'] == 'qrels.txt' and problem['line'] == 3 and 'nowhere-1-0' in problem['what'] for problem in problems),
                        json.dumps(problems[:5], indent=1))

    def test_a_line_twice_in_the_qrels_is_named(self):
        def change(copy):
            lines = (copy / 'qrels.txt').read_text().splitlines()
            (copy / 'qrels.txt').write_text('\n'.join(lines[:1] + lines) + '\n')
        self.assertTrue(any(problem['file'] == 'qrels.txt' for problem in self.broken(change)))

    def test_a_topic_without_words_is_named(self):
        def change(copy):
            lines = (copy / 'topics.tsv').read_text().splitlines()
            lines[0] = lines[0].split('\t')[0] + '\t'
            (copy / 'topics.tsv').write_text('\n'.join(lines) + '\n')
        self.assertTrue(any(problem['file'] == 'topics.tsv' and problem['line'] == 1 for problem in self.broken(change)))

    def test_an_empty_document_is_named(self):
        def change(copy):
            lines = gzip.decompress((copy / 'corpus.jsonl.gz').read_bytes()).decode().splitlines()
            document = json.loads(lines[4])
            document['text'] = ''
            lines[4] = json.dumps(document, ensure_ascii=False)
            (copy / 'corpus.jsonl.gz').write_bytes(gzip.compress(('\n'.join(lines) + '\n').encode()))
        self.assertTrue(any(problem['file'] == 'corpus.jsonl.gz' and problem['line'] == 5 for problem in self.broken(change)))

    def test_a_cut_compressed_file_is_named(self):
        def change(copy):
            data = (copy / 'judgments.jsonl.gz').read_bytes()
            (copy / 'judgments.jsonl.gz').write_bytes(data[:len(data) // 2])
        self.assertTrue(any(problem['file'] == 'judgments.jsonl.gz' for problem in self.broken(change)))

    def test_what_is_no_collection_fails(self):
        self.assertNotEqual(self.run_program('validate', self.folder, status=1).returncode, 0)
        self.assert_one_error(self.run_program('validate', self.folder / 'nowhere', status=1), 'nowhere')
