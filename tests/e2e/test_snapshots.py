"""Collections of several months as slices of a shared task: `touchstone snapshots`."""
import gzip
import json
import subprocess
import sys

from harness import DUMP, SOURCE, EndToEnd


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        dump, self.collections = DUMP, []
        for month in range(3):
            previous = ['--previous', self.folder / f'w{month - 1}'] if month else []
            self.build(f'w{month}', *previous, dump=dump)
            self.collections.append(self.folder / f'w{month}' / 'collection')
            after = self.folder / f'{month}.xml'
            after.write_bytes(subprocess.run([sys.executable, SOURCE / 'bench' / 'next_month.py', dump, '--share', '0.2', '--seed', str(month)], stdout=subprocess.PIPE, check=True).stdout)
            dump = after

    def snapshots(self, *arguments, status=0, out='task', collections=None):
        return self.run_program('snapshots', *(collections or self.collections), '--out', self.folder / out, *arguments, status=status)

    def corpus(self, month):
        return {line['_id']: line for line in map(json.loads, gzip.decompress((self.collections[month] / 'corpus.jsonl.gz').read_bytes()).splitlines())}

    def labels(self, month):
        """(topic, text) of each line of the qrels."""
        corpus = self.corpus(month)
        return [(line.split()[0], corpus[line.split()[2]]['text']) for line in (self.collections[month] / 'qrels.txt').read_text().splitlines()]

    def test_slices_have_the_layout_that_longeval_reads(self):
        self.snapshots()
        slices = sorted((self.folder / 'task').iterdir())
        self.assertEqual(len(slices), 3)
        for number, place in enumerate(slices):
            metadata = json.loads((place / 'metadata.json').read_text())
            self.assertEqual(metadata, {'timestamp': place.name, 'prior-datasets': [f'../{other.name}' for other in slices[:number]], 'snapshot': number + 1})
            self.assertEqual((place / 'etc' / 'metadata.json').read_text(), (place / 'metadata.json').read_text())
            for prior in metadata['prior-datasets']:
                self.assertTrue((place / prior / 'documents').is_dir())
            documents = [json.loads(line) for line in (place / 'documents' / 'documents.jsonl').read_text().splitlines()]
            self.assertEqual({line['id']: line['abstract'] for line in documents}, {docid: line['text'] for docid, line in self.corpus(number).items()})
            self.assertEqual(sorted(documents[0]), sorted(['id', 'title', 'abstract', 'authors', 'createdDate', 'doi', 'arxivId', 'pubmedId', 'magId', 'oaiIds', 'links', 'publishedDate', 'updatedDate']))
            self.assertEqual((place / 'queries.txt').read_text(), (self.collections[number] / 'topics.tsv').read_text())
            self.assertEqual((place / 'qrels.txt').read_text(), (self.collections[number] / 'qrels.txt').read_text())
        rows = [line.split('\t') for line in (slices[1] / 'ids.tsv').read_text().splitlines()[1:]]
        before, now = self.corpus(0), self.corpus(1)
        for docid, old, change in rows:
            self.assertEqual(now[docid]['text'] == before[old]['text'], change != 'edited', docid)
            self.assertEqual(docid == old, change == 'same' or (change == 'edited' and docid == old), docid)
        self.assertGreater(len(rows), len(now) / 2)

    def test_what_leaks_from_earlier_slices_is_counted_and_can_be_withheld(self):
        found = json.loads(self.snapshots('--format', 'json').stdout)
        known = set(self.labels(0)) | set(self.labels(1))
        last = self.labels(2)
        self.assertEqual(found[2]['known_labels'], sum(label in known for label in last))
        self.assertGreater(found[2]['known_labels'], 0)
        self.assertLess(found[2]['known_labels'], len(last))
        self.assertEqual([found[0][name] for name in ('known_documents', 'known_topics', 'known_labels')], [0, 0, 0])
        self.snapshots('--at-most', '1%', out='checked', status=5)
        withheld = json.loads(self.snapshots('--withhold-known', '--at-most', '0', '--format', 'json', out='withheld').stdout)[2]
        self.assertEqual((withheld['known_labels'], withheld['withheld'], withheld['labels']), (0, found[2]['known_labels'], len(last) - found[2]['known_labels']))

    def test_what_is_no_row_of_months_is_one_sentence(self):
        refuse = lambda words, *collections, status=2: self.assert_one_error(self.snapshots(status=status, out='x', collections=collections), *words)
        refuse(['the oldest first'], self.collections[1], self.collections[0])
        refuse(['one of each month'], self.collections[0], self.collections[0])
        refuse(['it is a work directory'], self.folder / 'w0', status=1)
        self.assertFalse((self.folder / 'x').exists())
        self.snapshots()
        self.assert_one_error(self.snapshots(status=1), 'is there already', 'name another --out')

    def test_a_killed_run_leaves_nothing_that_the_next_one_takes_for_a_slice(self):
        self.snapshots()
        killed = self.run_program('snapshots', *self.collections, '--out', self.folder / 'again', status=None, environment={'TOUCHSTONE_KILL_AT': 'snapshots.slice:2'})
        self.assertEqual(killed.returncode, -9)
        self.assertFalse((self.folder / 'again').exists())
        self.snapshots(out='again')
        files = lambda name: {path.relative_to(self.folder / name): path.read_bytes() for path in (self.folder / name).rglob('*') if path.is_file()}
        self.assertEqual(files('again'), files('task'))
        self.assertFalse((self.folder / 'again.partial').exists())


if __name__ == '__main__':
    import unittest
    unittest.main()
