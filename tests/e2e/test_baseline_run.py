"""Every collection has a run of BM25 and its scores; `validate` scores it again."""
import gzip
import hashlib
import json
import shutil

from harness import EndToEnd

# File, its list of files, the field with the name, and the field with the size.
LISTINGS = (('croissant.json', 'distribution', '@id', lambda size: {'contentSize': f'{size} B'}),
            ('manifest.json', 'files', 'name', lambda size: {'bytes': size}))
MEASURES = ['nDCG@10', 'AP', 'Rprec', 'R@100', 'Judged@10']


class Test(EndToEnd):
    def make(self, work, kind, *arguments):
        if kind == 'automatic':
            arguments = ('--to', 'automatic', '--set', 'automatic.min_sections=1', *arguments)
        self.build(work, *arguments)
        return self.folder / work / ('automatic' if kind == 'automatic' else 'collection')

    def scores(self, collection):
        lines = (collection / 'runs' / 'bm25.scores.tsv').read_text().splitlines()
        self.assertEqual(lines[0], 'measure\tvalue')
        return {name: float(value) for name, value in (line.split('\t') for line in lines[1:])}

    def check_run_and_scores(self, kind, qrels, *level):
        collection = self.make('w', kind)
        run = collection / 'runs' / 'bm25.run.gz'
        self.run_program('retrieve', collection, '--system', 'bm25', '--out', self.folder / 'runs', *level)
        self.assertEqual(gzip.decompress(run.read_bytes()), (self.folder / 'runs' / 'bm25.run').read_bytes())
        report = json.loads(self.run_program('evaluate', '-c', '--qrels', collection / qrels, run, '-m', *MEASURES,
                                             '--format', 'json').stdout)
        means = {row['measure']: row['value'] for row in report}
        scores = self.scores(collection)
        self.assertEqual(list(scores), MEASURES)
        for name in MEASURES:
            self.assertAlmostEqual(scores[name], means[name], places=4)
        manifest = json.loads((collection / 'manifest.json').read_text())
        self.assertEqual(manifest['baseline']['scores'], scores)
        self.assertEqual(manifest['baseline']['qrels'], qrels)
        self.assertIn(f'| nDCG@10 | {scores["nDCG@10"]:.4f} |', (collection / 'README.md').read_text())
        self.assertIn('runs/bm25.run.gz', (collection / 'sha256sums.txt').read_text())
        self.run_program('validate', collection)

    def test_of_an_evidence_collection(self):
        self.check_run_and_scores('evidence', 'qrels.txt')

    def test_of_an_automatic_collection(self):
        self.check_run_and_scores('automatic', 'trec/test.article.qrels', '--level', 'article')

    def broken(self, collection, change):
        """What `validate` says of a copy whose run was changed and whose digests fit again."""
        copy = self.folder / 'copy'
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(collection, copy)
        change(copy / 'runs')
        names = [line[66:] for line in (copy / 'sha256sums.txt').read_text().splitlines()]
        for listing, entries_of, name_of, size_of in LISTINGS:
            if listing in names:
                about = json.loads((copy / listing).read_text())
                for entry in about[entries_of]:
                    path = copy / entry[name_of]
                    entry['sha256'] = hashlib.sha256(path.read_bytes()).hexdigest()
                    entry.update(size_of(path.stat().st_size))
                (copy / listing).write_text(json.dumps(about))
        (copy / 'sha256sums.txt').write_text(''.join(
            f'{hashlib.sha256((copy / name).read_bytes()).hexdigest()}  {name}\n' for name in names))
        done = self.run_program('validate', copy, '--format', 'json', status=1)
        return {problem['file']: problem['what'] for problem in json.loads(done.stdout)['problems']}

    def check_changes(self, kind):
        def other_score(runs):
            path = runs / 'bm25.scores.tsv'
            path.write_text(path.read_text().replace('nDCG@10\t0', 'nDCG@10\t1'))

        def other_order(runs):
            path = runs / 'bm25.run.gz'
            lines = gzip.decompress(path.read_bytes()).decode().splitlines()
            topic = lines[0].split()[0]
            mine = [line.split() for line in lines if line.split()[0] == topic]
            turned = [' '.join([*line[:2], other[2], *line[3:]]) for line, other in zip(mine, reversed(mine))]
            path.write_bytes(gzip.compress('\n'.join(turned + lines[len(mine):] + ['']).encode()))

        def other_docid(runs):
            path = runs / 'bm25.run.gz'
            path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()) .replace(b' Q0 ', b' Q0 x', 1)))

        collection = self.make('w', kind)
        self.assertIn('runs/bm25.scores.tsv', self.broken(collection, other_score))
        self.assertIn('runs/bm25.scores.tsv', self.broken(collection, other_order))
        no_topic = self.broken(collection, lambda runs: (runs / 'bm25.run.gz').write_bytes(gzip.compress(b'')))
        self.assertRegex(' '.join(no_topic.values()), 'answers no topic that has qrels')
        whats = ' '.join(self.broken(collection, other_docid).values())
        self.assertRegex(whats, 'with docid "x[^"]*", which is not in the collection')

    def test_changes_of_an_evidence_collection_are_found(self):
        self.check_changes('evidence')

    def test_changes_of_an_automatic_collection_are_found(self):
        self.check_changes('automatic')

    def test_it_can_be_left_out(self):
        for kind, option in (('evidence', 'export'), ('automatic', 'automatic')):
            collection = self.make(f'without-{kind}', kind, '--set', f'{option}.baseline_run=false')
            self.assertFalse((collection / 'runs').exists())
            self.assertNotIn('baseline', json.loads((collection / 'manifest.json').read_text()))
            self.run_program('validate', collection)

    def test_a_killed_build_leaves_no_index_behind(self):
        self.build('w')
        stages = self.folder / 'w' / 'stages'
        self.assertEqual(list(stages.glob('bm25*')), [])
        left = stages / 'bm25' / 'retrieve-abcdef'  # as a killed run leaves it
        left.mkdir(parents=True)
        (left / 'docids').write_text('half')
        self.build('w', '--set', 'export.name=other')
        self.assertEqual(list(stages.glob('bm25*')), [])

    def test_a_collection_without_topics_has_none(self):
        self.build('none', '--set', 'groups.min_members=1000', status=4)
        collection = self.folder / 'none' / 'collection'
        self.assertFalse((collection / 'runs').exists())
        self.run_program('validate', collection, status=4)
