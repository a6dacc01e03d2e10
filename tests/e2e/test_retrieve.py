"""touchstone retrieve: baseline systems over collections of both kinds and over foreign directories."""
import array
import gzip
import json
import os
import signal
import struct
import subprocess
import time

from harness import EndToEnd, PROGRAM

LEXICAL = ['bm25', 'bm25plus-text', 'inl2', 'ifb2-text', 'bb2', 'dlh-text', 'dph', 'pl2-text', 'dirichlet', 'jelinek-mercer-text',
           'bm25-title', 'dph-lead', 'jelinek-mercer-lead', 'bm25-bo1', 'dph-text-bo1']


def npy(rows, letter='f'):
    """A matrix as numpy.save writes it."""
    header = f"{{'descr': '<{letter}{ {'f': 4, 'e': 2}[letter]}', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}".replace("'<e", "'<f")
    header += ' ' * (63 - (10 + len(header)) % 64) + '\n'
    values = [value for row in rows for value in row]
    return b'\x93NUMPY\x01\0' + struct.pack('<H', len(header)) + header.encode() + struct.pack(f'<{len(values)}{letter}', *values)


def single(value):
    return array.array('f', [value])[0]


class Test(EndToEnd):
    def collection(self):
        self.build('work')
        return self.folder / 'work' / 'collection'

    def directory(self, documents, topics, name='beir'):
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        lines = [json.dumps({'_id': docid, 'title': title, 'text': text}, ensure_ascii=False) for docid, title, text in documents]
        (folder / 'corpus.jsonl').write_text(''.join(line + '\n' for line in lines))
        (folder / 'queries.jsonl').write_text(''.join(json.dumps({'_id': i, 'text': text}, ensure_ascii=False) + '\n' for i, text in topics))
        return folder

    def retrieve(self, collection, *arguments, out='runs', **options):
        return self.run_program('retrieve', collection, '--out', self.folder / out, *arguments, **options)

    def runs(self, out='runs'):
        return {path.stem: path.read_bytes() for path in sorted((self.folder / out).glob('*.run'))}

    def check_run(self, text, docids, topics):
        """Order, ranks and ids; returns the topics of the run."""
        seen = {}
        for line in text.decode().splitlines():
            topic, q0, docid, rank, score, tag = line.split(' ')
            self.assertEqual(q0, 'Q0')
            self.assertIn(docid, docids)
            self.assertIn(topic, topics)
            seen.setdefault(topic, []).append((single(float(score)), docid))
            self.assertEqual(int(rank), len(seen[topic]))
        for topic, hits in seen.items():
            self.assertEqual(len({docid for _, docid in hits}), len(hits), 'a docid comes once')
            self.assertEqual(sorted(hits, reverse=True), hits, "the order is that of trec_eval's rule, also in single precision")
            self.assertEqual(len({score for score, _ in hits}), len(hits), 'scores differ')
        return list(seen)

    def test_answers_an_evidence_collection_with_many_systems(self):
        collection = self.collection()
        links = self.folder / 'links.tsv'
        self.run_program('links', '--work', self.folder / 'work', '--resolved', '--out', links)
        report = json.loads(self.retrieve(collection, '--links', links, '--format', 'json').stdout)
        with gzip.open(collection / 'corpus.jsonl.gz', 'rt') as file:
            docids = {json.loads(line)['_id'] for line in file}
        topics = [line.split('\t')[0] for line in (collection / 'topics.tsv').read_text().splitlines()]
        runs = self.runs()
        self.assertEqual(set(runs), set(LEXICAL) | {'bm25-inlinks', 'cocitation'})
        for tag, text in runs.items():
            with self.subTest(tag):
                found = self.check_run(text, docids, topics)
                self.assertEqual(found, [topic for topic in topics if topic in found], 'in the order of the topics')
                self.assertTrue(found)
        self.assertEqual(report['documents'], len(docids))
        self.assertEqual({system['tag'] for system in report['systems']}, set(runs))
        pairs = report['overlap']['pairs']
        self.assertEqual(len(pairs), len(runs) * (len(runs) - 1) // 2)
        self.assertTrue(all(0 <= pair['average_overlap'] <= 1 for pair in pairs))
        lines = (self.folder / 'runs' / 'overlap.tsv').read_text().splitlines()
        self.assertEqual(len(lines), len(pairs) + 1)
        scores = json.loads(self.run_program('evaluate', '--qrels', collection / 'qrels.txt', *sorted((self.folder / 'runs').glob('*.run')),
                                             '-m', 'R@100', '--format', 'json').stdout)
        means = {row['run']: row['value'] for row in scores if row['topic'] == 'all'}
        self.assertGreater(means['bm25'], .5)
        self.assertGreater(means['cocitation'], 0)

    def test_no_system_is_given_the_answer(self):
        """The runs are the same without the files that hold members and judgments."""
        collection = self.collection()
        self.retrieve(collection)
        first = self.runs()
        for name in ('members.jsonl', 'judgments.jsonl.gz', 'qrels.txt', 'evidence.jsonl'):
            (collection / name).unlink()
        self.retrieve(collection, out='blind')
        self.assertEqual(self.runs('blind'), first)

    def test_a_system_without_an_answer_writes_no_run(self):
        folder = self.directory([('1', '', 'one text'), ('2', 'Title', 'another')], [('q', 'text')])
        report = json.loads(self.retrieve(folder, '--system', 'bm25', '--system', 'bm25-title', '--format', 'json').stdout)
        self.assertEqual(set(self.runs()), {'bm25'})
        self.assertEqual([row['tag'] for row in report['left_out']], ['bm25-title'])

    def test_any_number_of_threads_and_a_kept_index_give_the_same_bytes(self):
        collection = self.collection()
        self.retrieve(collection, '-j', '1')
        first = self.runs()
        for name, flags in (('four', ['-j', '4', '--work', self.folder / 'index']), ('kept', ['-j', '3', '--work', self.folder / 'index'])):
            done = self.retrieve(collection, *flags, out=name)
            self.assertEqual(self.runs(name), first, name)
            self.assertIn('opened the index' if name == 'kept' else 'indexed', done.stderr)

    def test_ranks_passages_and_entities_of_an_automatic_collection(self):
        self.build('work', '--to', 'automatic', '--set', 'automatic.min_sections=1')
        collection = self.folder / 'work' / 'automatic'
        part = 'train' if (collection / 'train.pages.cbor-hierarchical.entity.qrels').stat().st_size else 'test'
        for what, qrels in (('passages', f'trec/{part}.hierarchical.qrels'), ('entities', f'{part}.pages.cbor-hierarchical.entity.qrels')):
            with self.subTest(what):
                report = json.loads(self.retrieve(collection, '--rank', what, '--part', part, '--format', 'json', out=what).stdout)
                self.assertGreaterEqual(len(report['systems']), 14)
                scores = json.loads(self.run_program('evaluate', '--qrels', collection / qrels, self.folder / what / 'bm25.run', '-m', 'R@100',
                                                     '--format', 'json').stdout)
                self.assertGreater([row['value'] for row in scores if row['topic'] == 'all'][0], 0)

    def test_japanese_and_thai_queries_retrieve(self):
        folder = self.directory([('ja', '出雲大社', '島根県にある神社である。'), ('other', '東京タワー', '港区にある塔である。'),
                                 ('th', '', 'วัดพระแก้วเป็นวัดในกรุงเทพมหานคร')], [('1', '島根の神社'), ('2', 'กรุงเทพ')])
        self.retrieve(folder)
        for tag, text in self.runs().items():
            if tag in LEXICAL and 'title' not in tag:
                first = {line.split()[0]: line.split()[2] for line in reversed(text.decode().splitlines())}
                self.assertEqual(first, {'1': 'ja', '2': 'th'}, tag)

    def test_runs_and_vectors_of_others_join(self):
        documents = [(f'd{i}', f'Title {i}', f'word{i} common') for i in range(30)]
        folder = self.directory(documents, [('a', 'word3 common'), ('b', 'word7 common')])
        vectors = [[float(i % 7), float(i % 3), 1.0] for i in range(30)]
        queries = [[1.0, .5, -1.0], [-1.0, 2.0, 0.0]]
        (self.folder / 'ids').write_text(''.join(f'd{i}\n' for i in range(30)))
        (self.folder / 'mine.run').write_text('a Q0 d3 1 2 mine\nb Q0 d7 1 2 mine\n')
        for letter in 'fe':
            (self.folder / 'd.npy').write_bytes(npy(vectors, letter))
            (self.folder / 'q.npy').write_bytes(npy(queries, letter))
            report = json.loads(self.retrieve(folder, '--run', self.folder / 'mine.run', '--embeddings', self.folder / 'd.npy', '--embedding-ids',
                                              self.folder / 'ids', '--query-embeddings', self.folder / 'q.npy', '--depth', '9', '--format',
                                              'json').stdout)
            self.assertEqual([system['tag'] for system in report['systems']][-2:], ['dense', 'mine'])
            self.assertIn('mine', {pair['second'] for pair in report['overlap']['pairs']})
            for topic, query in zip('ab', queries):
                order = sorted(range(30), key=lambda i: (-sum(x * y for x, y in zip(vectors[i], query)), f'd{i}'))[:9]
                lines = [line.split() for line in (self.folder / 'runs' / 'dense.run').read_text().splitlines()]
                self.assertEqual([line[2] for line in lines if line[0] == topic], [f'd{i}' for i in order])

    def test_the_dense_system_can_answer_alone(self):
        folder = self.directory([('d1', 'One', 'first text'), ('d2', 'Two', 'second text')], [('q', 'text')])
        (self.folder / 'ids').write_text('d1\nd2\n')
        (self.folder / 'd.npy').write_bytes(npy([[1.0, 0.0], [0.0, 1.0]]))
        (self.folder / 'q.npy').write_bytes(npy([[0.0, 1.0]]))
        report = json.loads(self.retrieve(folder, '--system', 'dense', '--embeddings', self.folder / 'd.npy', '--embedding-ids', self.folder / 'ids', '--query-embeddings',
                                          self.folder / 'q.npy', '--format', 'json').stdout)
        self.assertEqual([system['tag'] for system in report['systems']], ['dense'])
        self.assertEqual((self.folder / 'runs' / 'dense.run').read_text().split()[2], 'd2')

    def test_bad_input_gets_one_sentence(self):
        good = [('d1', 'One', 'first text'), ('d2', 'Two', 'second text')]
        folder = self.directory(good, [('q', 'text')])
        empty = self.directory([], [('q', 'text')], 'empty')
        twice = self.directory([good[0], good[0]], [('q', 'text')], 'twice')
        untopical = self.directory(good, [], 'untopical')
        bare = self.folder / 'bare'
        bare.mkdir()
        (self.folder / 'stranger.run').write_text('q Q0 d9 1 2 s\n')
        (self.folder / 'offtopic.run').write_text('other Q0 d1 1 2 s\n')
        (self.folder / 'broken.run').write_text('q Q0 d1 1 2 s\nq Q0 d2 1 high s\n')
        (self.folder / 'ids').write_text('d1\nd2\n')
        (self.folder / 'q.npy').write_bytes(npy([[1.0, 1.0]]))
        (self.folder / 'nan.npy').write_bytes(npy([[1.0, 1.0], [float('nan'), 1.0]]))
        (self.folder / 'lies.npy').write_bytes(npy([[1.0, 1.0], [2.0, 1.0]])[:-1])
        (self.folder / 'wide.npy').write_bytes(npy([[1.0, 1.0, 1.0], [2.0, 1.0, 1.0]]))
        (self.folder / 'file').write_text('')

        def dense(name):
            return [folder, '--embeddings', self.folder / name, '--embedding-ids', self.folder / 'ids', '--query-embeddings', self.folder / 'q.npy']
        for arguments, status, words in [
                ([bare], 1, 'has no corpus'),
                ([empty], 1, 'has no passage'),
                ([twice], 1, 'docid "d1" a second time'),
                ([untopical], 1, 'has no topic'),
                ([self.folder / 'absent'], 2, 'is not a directory'),
                ([folder, '--rank', 'entities'], 2, 'is not an automatic collection'),
                ([folder, '--system', 'bm26'], 2, 'there is no system "bm26"'),
                ([folder, '--system', 'dense'], 2, 'name them with --embeddings, --embedding-ids and --query-embeddings'),
                ([folder, '--stemmer', 'klingon'], 2, 'there is no stemmer'),
                ([folder, '--run', self.folder / 'stranger.run'], 1, 'docid "d9", which is not in the collection'),
                ([folder, '--run', self.folder / 'offtopic.run'], 1, 'topic "other", which the collection does not have'),
                ([folder, '--run', self.folder / 'broken.run'], 1, 'line 2'),
                ([folder, '--embeddings', self.folder / 'q.npy'], 2, '--embeddings needs'),
                (dense('nan.npy'), 1, 'row 1 (counted from 0) has a value that is no finite number'),
                (dense('lies.npy'), 1, 'where its shape (2, 2) needs'),
                (dense('wide.npy'), 1, 'take both from one model')]:
            with self.subTest(words):
                done = self.retrieve(*arguments, status=status)
                errors = [line for line in done.stderr.splitlines() if 'error' in line]
                self.assertEqual(len(errors), 1, done.stderr)
                self.assertIn(words, errors[0])
        done = self.run_program('retrieve', folder, '--out', self.folder / 'file', status=1)
        self.assertIn('cannot be made', done.stderr)

    def test_a_killed_run_leaves_no_index_that_is_taken(self):
        documents = [(f'd{i}', f'Title {i}', f'word{i} ' + ' '.join(f'w{i * j % 997}' for j in range(60))) for i in range(30000)]
        folder = self.directory(documents, [('q', 'word77 w5')])
        self.retrieve(folder, '--system', 'bm25')
        expected = self.runs()
        place = self.folder / 'index'
        for delay in (.2, .6, 1.2):
            process = subprocess.Popen([PROGRAM, 'retrieve', str(folder), '--out', str(self.folder / 'killed'), '--system', 'bm25', '--work',
                                        str(place)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(delay)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        self.retrieve(folder, '--system', 'bm25', '--work', place, out='after')
        self.assertEqual(self.runs('after'), expected)
        self.assertEqual(len([entry for entry in place.iterdir() if entry.is_dir()]), 1, 'unfinished folders are removed')
