"""touchstone study adjudication on small made-up runs and on real ones."""
import json
import random

from harness import DATA, EndToEnd

TOPICS, SYSTEMS, DEPTH = 12, 6, 30
MODERN = ('colbert_', 'tirex_', 'maik-froebe')


class Test(EndToEnd):
    def make_runs(self):
        """Runs of systems from good to poor, and qrels that judge four of five documents."""
        chance = random.Random(5)
        qrels, runs = [], [[] for _ in range(SYSTEMS)]
        self.grades = {}
        for topic in range(TOPICS):
            relevant = {f'd{i}' for i in chance.sample(range(100), 25)}
            for i in range(100):
                if i % 5:
                    self.grades[str(topic), f'd{i}'] = int(f'd{i}' in relevant)
                    qrels.append(f'{topic} 0 d{i} {int(f"d{i}" in relevant)}\n')
            for system in range(SYSTEMS):
                noise = 0.5 + 0.6 * system
                scores = {f'd{i}': (f'd{i}' in relevant) + chance.gauss(0, noise) for i in range(100)}
                best = sorted(scores, key=scores.get, reverse=True)[:DEPTH]
                runs[system] += [f'{topic} Q0 {docid} {rank} {DEPTH - rank} s{system}\n' for rank, docid in enumerate(best)]
        (self.folder / 'qrels').write_text(''.join(qrels))
        for system, lines in enumerate(runs):
            (self.folder / f's{system}.run').write_text(''.join(lines))
        return [self.folder / f's{system}.run' for system in range(SYSTEMS)]

    def study(self, runs, *arguments, **options):
        return self.run_program('study', 'adjudication', '--qrels', self.folder / 'qrels', *runs, '--permutations', 2000, *arguments, **options)

    def study_json(self, runs, *arguments):
        return json.loads(self.study(runs, '--format', 'json', *arguments).stdout)

    def ranked(self, run):
        """topic -> docids by score."""
        topics = {}
        for line in run.read_text().splitlines():
            topic, _, docid, *_ = line.split()
            topics.setdefault(topic, []).append(docid)
        return topics

    def test_the_counts_are_those_of_qrels_that_are_made_by_hand(self):
        runs = self.make_runs()
        found = self.study_json(runs, '-m', 'map', '--methods', 'ntcir,top-k', '--budgets', '7', '--pool-depth', '8')
        rankings = [self.ranked(run) for run in runs]
        gold, collected = {}, {'ntcir': {}, 'top-k': {}}
        for topic in rankings[0]:
            ranks = {}
            for ranking in rankings:
                for rank, docid in enumerate(ranking[topic][:8], 1):
                    if (topic, docid) in self.grades:
                        ranks.setdefault(docid, []).append(rank)
            gold.update({(topic, docid): self.grades[topic, docid] for docid in ranks})
            chosen = {'ntcir': sorted(ranks, key=lambda d: (-len(ranks[d]), sum(ranks[d]), d))[:7]}
            depth = next((k for k in range(1, 9) if sum(min(r) <= k for r in ranks.values()) >= 7), 8)
            chosen['top-k'] = sorted(d for d in ranks if min(ranks[d]) <= depth)[:7]
            for method, docids in chosen.items():
                collected[method].update({(topic, docid): self.grades[topic, docid] for docid in docids})
        self.assertEqual(found['gold']['judged'], len(gold))
        self.assertEqual(found['gold']['relevant'], sum(gold.values()))

        def write(name, grades):
            (self.folder / name).write_text(''.join(f'{topic} 0 {docid} {grade}\n' for (topic, docid), grade in grades.items()))
            return self.folder / name

        write('gold', gold)
        for row in found['methods']:
            self.assertEqual(row['relevant'], sum(collected[row['method']].values()))
            compared = json.loads(self.run_program('compare', '--qrels', self.folder / 'gold', '-m', 'map', '--complete', *runs, '--test', 'tukey-hsd', '--permutations', 2000,
                                                   '--seed', 1, '--against', write('low', collected[row['method']]), '--format', 'json').stdout)
            self.assertEqual(found['gold']['significant'], compared['significant'])
            against = compared['against'][0] if isinstance(compared['against'], list) else compared['against']
            self.assertAlmostEqual(row['kendall_tau'], against['kendall_tau_a'], places=12)
            if against['publication_bias'] is not None:
                self.assertAlmostEqual(row['bias'], against['publication_bias'], places=12)

    def test_a_budget_that_holds_the_pool_gives_the_gold_labels(self):
        found = self.study_json(self.make_runs(), '--budgets', '1000', '--seeds', '2', '-m', 'nDCG@10')
        self.assertGreater(found['gold']['significant'], 0)
        for row in found['methods']:
            with self.subTest(row['method']):
                self.assertEqual((row['judged'], row['relevant']), (found['gold']['judged'], found['gold']['relevant']))
                self.assertEqual((row['kendall_tau'], row['precision'], row['recall'], row['bias'], row['ad']), (1, 1, 1, 0, 0))
                self.assertEqual(row['aa'], found['gold']['significant'])
                self.assertEqual([row[key] for key in ('ma_g', 'ma_l', 'md_g', 'md_l')], [0, 0, 0, 0])

    def test_the_same_bytes_come_out_at_any_number_of_threads_and_after_an_interruption(self):
        runs = self.make_runs()
        arguments = ('--seeds', '4', '--budgets', '3,9', '-m', 'map', 'P@5')
        whole, resumed = self.folder / 'whole', self.folder / 'resumed'
        self.study(runs, *arguments, '--out', whole, '-j', 1)
        names = sorted(path.name for path in whole.iterdir())
        self.assertIn('report.html', names)
        self.assertFalse((whole / '.parts').exists())
        self.study(runs, *arguments, '--out', resumed, '-j', 2)
        for name in names:
            self.assertEqual((whole / name).read_bytes(), (resumed / name).read_bytes(), name)

    def test_systems_that_are_left_out_are_compared_and_do_not_pool(self):
        runs = self.make_runs()
        found = self.study_json(runs, '--leave-out', 's0,s5,s3', '--budgets', '5', '--methods', 'hedge')
        self.assertEqual(found['gold']['pairs'], 3)
        self.assertLess(found['gold']['judged'], self.study_json(runs, '--budgets', '5', '--methods', 'hedge')['gold']['judged'])

    def test_what_cannot_be_studied_is_said_in_one_sentence(self):
        runs = self.make_runs()
        for arguments, words in [
                (('--budgets', 'x'), 'is not a number of judgments'),
                (('--budgets', '0'), 'is not a number of judgments'),
                (('--methods', 'topk'), 'top-k'),
                (('--leave-out', 's0'), 'name at least two'),
                (('--leave-out', 's0,s1,s2,s3,s4,s5'), 'leave at least one'),
                (('--leave-out', 'nobody'), 'nobody'),
                (('--min-grade', '3'), 'no judgment of grade 3'),
                (('--pool-depth', '0'), 'pool_depth'),
                (('--rate', '2'), 'rate')]:
            with self.subTest(arguments):
                done = self.study(runs, *arguments, status=2)
                self.assertIn(words, done.stderr)
                self.assertEqual(done.stderr.count('\n'), 1, done.stderr)

    def test_the_published_pools_of_deep_learning_2019(self):
        folder = DATA / 'runs' / 'trec-dl-2019'
        if not folder.exists():
            self.skipTest(f'real data is not here: {folder} (set TOUCHSTONE_DATA to its folder)')
        official = sorted(run for run in folder.glob('*.run.gz') if not run.name.startswith(MODERN))
        found = json.loads(self.run_program('study', 'adjudication', '--qrels', DATA / 'qrels' / 'qrels.dl19-passage.txt', *official, '-m', 'map', '--methods', 'top-k,ntcir',
                                            '--permutations', 100_000, '--format', 'json').stdout)
        self.assertEqual(found['gold'], {'judged': 2494, 'relevant': 1181, 'pairs': 666, 'significant': 224})
        self.assertEqual({(row['method'], row['budget']): row['relevant'] for row in found['methods']},
                         {('top-k', 10): 274, ('top-k', 30): 701, ('ntcir', 10): 347, ('ntcir', 30): 844})
        self.assertEqual({row['ad'] for row in found['methods']}, {0})
