"""touchstone study leaderboards and study positions on small files made by hand, and on real ones."""
import json
import random
import re

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

    def make_judgments(self, seed):
        """Raw judgments in FiRA's form, made at random, their texts, and the lines as tuples for a second computation."""
        rng = random.Random(seed)
        texts = {f'D{d}_{n}': ' '.join('w' * rng.randint(1, 5) for _ in range(rng.randint(5, 40))) for d in range(4) for n in range(3)}
        self.write('documents.tsv', ['doc_id\tdoc_text'] + [f'{docid}\t{text}' for docid, text in texts.items()])
        levels = ['0_NOT_RELEVANT', '1_TOPIC_RELEVANT_DOES_NOT_ANSWER', '2_GOOD_ANSWER', '3_PERFECT_ANSWER']
        judgments, lines = [], ['\t'.join(('id', 'relevanceLevel', 'relevanceCharacterRanges', 'rotate', 'durationUsedToJudgeMs', 'judgedAtUnixTS', 'documentId', 'queryId', 'userId'))]
        for docid, text in texts.items():
            for user in range(3):
                grade, rotated, ranges = rng.randrange(4), rng.random() < .5, []
                if grade > 1:
                    first = rng.randrange(len(text))
                    ranges = [(first, rng.randrange(first, len(text)))]
                written = ';'.join(f'{a}-{b}' for a, b in ranges) or '<no ranges selected>'
                lines.append('\t'.join(map(str, (len(lines), levels[grade], written, str(rotated).lower(), 1, 2, docid, 'q', f'u{user}'))))
                judgments.append((docid, grade, rotated, ranges))
        return texts, judgments, self.write('judgments.tsv', lines)

    def test_selected_words_and_spans_of_a_system(self):
        texts, judgments, file = self.make_judgments(3)
        system = {docid: [(0, len(text) // 2)] for docid, text in texts.items()}
        spans = self.write('spans.tsv', ['queryId\tdocumentId\trelevanceCharacterRanges'] + [f'q\t{docid}\t0-{r[0][1]}' for docid, r in system.items()])
        found = json.loads(self.run_program('study', 'positions', '--judgments', file, '--documents', self.folder / 'documents.tsv', '--spans', spans, '--min-grade', 2,
                                            '--format', 'json').stdout)

        def selected(docid, ranges):
            return [any(a <= c <= b for a, b in ranges for c in range(*word.span())) for word in re.finditer(r'\S+', texts[docid])]

        for group, wanted in (('all', (True, False)), ('unchanged', (False,)), ('rotated', (True,))):
            tenths, shown = [0] * 10, [0] * 10
            for docid, grade, rotated, ranges in judgments:
                marks = selected(docid, ranges)
                if grade > 1 and rotated in wanted and any(marks):
                    half = len(marks) // 2
                    order = list(range(half, len(marks))) + list(range(half)) if rotated else list(range(len(marks)))
                    for i, mark in enumerate(marks):
                        tenths[i * 10 // len(marks)] += mark
                    for place, i in enumerate(order):
                        shown[place * 10 // len(marks)] += marks[i]
            row = next(g for g in found['words']['groups'] if g['group'] == group)
            self.assertEqual((row['selected'], row['shown']), (tenths, shown))
        hit = wrong = missed = 0
        for docid, text in texts.items():
            of_pair = [j for j in judgments if j[0] == docid]
            counts = [sum(j[1] == grade for j in of_pair) for grade in range(4)]
            vote = max(range(4), key=lambda grade: (counts[grade], grade))
            voters = [selected(docid, j[3]) for j in of_pair if j[1] > 1 and j[3]]
            for i, mark in enumerate(selected(docid, system[docid])):
                votes = sum(v[i] for v in voters)
                relevant = vote > 1 and votes > 0 and 2 * votes >= len(voters)
                hit, wrong, missed = hit + (relevant and mark), wrong + (mark and not relevant), missed + (relevant and not mark)
        self.assertEqual((found['spans']['hit'], found['spans']['wrong'], found['spans']['missed']), (hit, wrong, missed))
        self.assertGreater(min(hit, wrong, missed), 0)

    def test_what_spans_need_is_said(self):
        _, _, file = self.make_judgments(1)
        self.assertIn('--documents', self.run_program('study', 'positions', '--judgments', file, status=2).stderr)
        self.assertIn('--judgments', self.run_program('study', 'positions', '--spans', file, status=2).stderr)
        other = self.write('other.tsv', ['x\ta b'])
        self.assertIn('has no text of the snippet', self.run_program('study', 'positions', '--judgments', file, '--documents', other, status=2).stderr)

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
