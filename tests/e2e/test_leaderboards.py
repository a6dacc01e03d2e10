"""touchstone study leaderboards and study positions on small files made by hand, and on real ones."""
import json

from harness import DATA, EndToEnd


class Test(EndToEnd):
    def write(self, name, lines):
        (self.folder / name).write_text(''.join(line + '\n' for line in lines))
        return self.folder / name

    def make_runs(self, orders):
        """A run for each order of documents, the same for four topics but for where the relevant document stands."""
        return [self.write(f's{s}.run', [f't{t} Q0 {doc} {rank} {9 - rank} s{s}' for t in range(4) for rank, doc in enumerate(order)])
                for s, order in enumerate(orders)]

    def board(self, *arguments, **options):
        return self.run_program('study', 'leaderboards', *arguments, **options)

    def test_opposite_judgments_give_the_opposite_leaderboard(self):
        runs = self.make_runs(['abc', 'bac', 'cba'])
        first = self.write('first', [f't{t} 0 {d} {int(d == "a")}' for t in range(4) for d in 'abc'] + ['only1 0 a 1'])
        second = self.write('second', [f't{t} 0 {d} {int(d == "c")}' for t in range(3) for d in 'abc'] + ['only2 0 a 1', 'only3 0 a 1'])
        found = json.loads(self.board('--qrels', first, '--other', second, *runs, '-m', 'map', '--format', 'json').stdout)
        measure = found['measures'][0]
        self.assertEqual((measure['topics'], measure['other_topics'], measure['pairs']), (3, 3, 3))
        means = {system['system']: (system['mean'], system['other_mean']) for system in measure['systems']}
        for system, (mean, other) in {'s0': (1, 1 / 3), 's1': (1 / 2, 1 / 3), 's2': (1 / 3, 1)}.items():
            self.assertAlmostEqual(means[system][0], mean)
            self.assertAlmostEqual(means[system][1], other)
        self.assertEqual(measure['swapped'], 2)
        labels = found['labels']
        self.assertEqual((labels['common_topics'], labels['only_in_qrels'], labels['only_in_other']), (3, 2, 2))
        self.assertEqual(labels['judged_by_both'], 9)
        self.assertAlmostEqual(labels['agreement'], 1 / 3)
        self.assertAlmostEqual(labels['cohen_kappa'], -1 / 2)

    def test_the_same_judgments_agree_fully(self):
        runs = self.make_runs(['abc', 'bac', 'cba'])
        qrels = self.write('qrels', [f't{t} 0 {d} {int(d == "a")}' for t in range(4) for d in 'abc'])
        measure = json.loads(self.board('--qrels', qrels, '--other', qrels, *runs, '-m', 'map', '--format', 'json').stdout)['measures'][0]
        self.assertEqual((measure['kendall_tau_b'], measure['swapped']), (1, 0))

    def test_what_cannot_be_compared_is_said(self):
        runs = self.make_runs(['abc', 'bac'])
        first = self.write('first', ['t0 0 a 1', 't1 0 a 1'])
        second = self.write('second', ['t2 0 a 1', 't3 0 a 1'])
        self.assertIn('share no topic', self.board('--qrels', first, '--other', second, *runs, status=2).stderr)
        self.assertIn('--other', self.board('--qrels', first, *runs, status=2).stderr)
        self.assertIn('1 run is given', self.board('--qrels', first, '--other', first, runs[0], status=2).stderr)

    def test_snippets_of_fira_by_position(self):
        if not DATA.exists():
            self.skipTest('the real data are not here')
        fira = DATA / 'qrels' / 'fira' / 'fira-trec19-qrels-snippets.txt'
        found = json.loads(self.run_program('study', 'positions', '--qrels', DATA / 'qrels' / 'qrels.dl19-doc.txt', '--snippets', fira, '--format', 'json').stdout)
        first = {p['document_grade']: p for p in found['positions'] if p['position'] == 0}
        self.assertEqual((first[3]['snippets'], first[3]['grades']['3'], first[3]['grades']['2']), (827, 117, 145))
        self.assertEqual((first[2]['snippets'], first[2]['grades']['3'], first[2]['grades']['2']), (1136, 113, 209))

    def test_snippets_need_a_position(self):
        documents = self.write('documents', ['t 0 d 3'])
        for name in ('d', 'd_', 'd_x', '_1', 'd_-1'):
            snippets = self.write('snippets', ['t 0 d_0 1', f't 0 {name} 1'])
            stderr = self.run_program('study', 'positions', '--qrels', documents, '--snippets', snippets, status=1).stderr
            self.assertIn('snippets:2:', stderr)
