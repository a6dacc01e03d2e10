"""docs/annotate-example.md: three scripted annotators, and its numbers computed here once more."""
import csv
import itertools
import json
import re

from annotation import Server
from harness import EndToEnd, PROGRAM, SOURCE

RULES = {'Ann': (0, 1), 'Ben': (1, 3), 'Cleo': (2, 4)}  # the digit of a task's id, and below what it is an error


def gold():
    with open(SOURCE / 'examples' / 'miniwiki' / 'gold.tsv', encoding='utf-8', newline='') as file:
        rows = csv.DictReader(file, delimiter='\t', quoting=csv.QUOTE_NONE)
        return {(' » '.join(filter(None, (row['page'], row['section'], row['column']))), row['member'], row['passage']): int(row['grade']) for row in rows}


def kappa(a, b):
    observed = sum(x == y for x, y in zip(a, b)) / len(a)
    yes_a, yes_b = sum(a) / len(a), sum(b) / len(b)
    chance = yes_a * yes_b + (1 - yes_a) * (1 - yes_b)
    return (observed - chance) / (1 - chance)


def alpha(tasks):
    values = [value for task in tasks for value in task]
    observed = sum(sum(x != y for x, y in itertools.permutations(task, 2)) / (len(task) - 1) for task in tasks) / len(values)
    expected = sum(x != y for x, y in itertools.permutations(values, 2)) / (len(values) * (len(values) - 1))
    return 1 - observed / expected


class Test(EndToEnd):
    def test_the_numbers_of_the_page_are_those_of_the_program(self):
        self.build('w')
        qrels = (self.folder / 'w' / 'collection' / 'qrels.txt').read_text().splitlines(keepends=True)
        (self.folder / 'pairs.txt').write_text(''.join(line for line in qrels if line.startswith(('8006e14f132a ', '575cf12e1b12 '))))
        (self.folder / 'people.txt').write_text('\n'.join(RULES) + '\n')
        right = gold()

        def truth(task):
            return right[task['list'], task['member'], task['title']]

        def answer(name, task):
            digit, below = RULES[name]
            return truth(task) ^ (int(task['id'][digit], 16) < below)

        out = self.folder / 'answers'
        with Server(PROGRAM, self.folder / 'w' / 'collection', '--annotators', self.folder / 'people.txt', '--pairs', self.folder / 'pairs.txt', '--out', out, '--bind', '127.0.0.1:0', people=3) as server:
            for name in RULES:
                self.assertEqual(server.person(name).work(lambda task: {'grade': answer(name, task)}), 20)
            self.assertEqual(server.stop(), 0)
        page = (SOURCE / 'docs' / 'annotate-example.md').read_text()
        tasks = [json.loads(line) for line in (out / 'tasks.jsonl').read_text().splitlines()]
        given = {name: [answer(name, task) for task in tasks] for name in RULES}
        truths = [truth(task) for task in tasks]
        for name in RULES:
            wrong = sum(a != b for a, b in zip(given[name], truths))
            self.assertRegex(page, rf'\| {name} \| .* \| {wrong} of 20 \|')
        self.assertIn('Ann says yes {} times, Ben {} times and Cleo {} times'.format(*(sum(given[name]) for name in RULES)), page)
        rows = list(zip(*given.values()))
        for yes in range(4):
            of_them = [true for row, true in zip(rows, truths) if sum(row) == yes]
            self.assertIn(f'| {yes} | {len(of_them)} | {sum(of_them)} |', page)

        pairs = [kappa(a, b) for a, b in itertools.combinations(given.values(), 2)]
        for number in (alpha(rows), *pairs, sum(pairs) / 3):
            self.assertIn(f'{number:.4f}', page)
        shown = self.run_program('annotate', '--out', out, '--export-only').stdout
        self.assertRegex(shown, rf"Krippendorff's alpha, two grades +{alpha(rows):.2f} \(")
        self.assertRegex(shown, rf"Cohen's kappa, mean of pairs +{sum(pairs) / 3:.2f}\b")

        self.run_program('vote', out / 'annotations.jsonl', '--out', self.folder / 'votes')
        votes = {}
        for row in csv.DictReader((self.folder / 'votes' / 'votes.tsv').open(newline=''), delimiter='\t', quoting=csv.QUOTE_NONE):
            votes[row['topic'], row['docid'], row['member']] = int(row['grade'])
        majority = [int(sum(row) > 1) for row in rows]
        self.assertEqual([votes[task['topic'], task['docid'], task['member']] for task in tasks], majority)
        self.assertEqual(len(votes), 20)
        same = sum(a == b for a, b in zip(majority, truths))
        self.assertIn(f'the vote is right on {same} of 20 tasks', page)
        self.assertEqual(re.findall(r'right on (\d+), (\d+) and (\d+)\.', page), [tuple(str(sum(a == b for a, b in zip(given[name], truths))) for name in RULES)])
