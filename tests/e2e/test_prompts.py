"""Prompts of others beside our own: bare answers, the topic's query, the lowest grade of evidence, agreement by prompt."""
import csv
import gzip
import json
import re

from harness import CONFIG, DUMP
from judge_server import MODEL, JudgeServer
from judging import QUESTIONS, JudgingTest

GOLD = DUMP.parent / 'gold.tsv'


def agreement(pairs):
    """(n, accuracy, precision, recall, F1, kappa) of pairs (gold, judged), each true or false."""
    n = len(pairs)
    both, gold, judged = (sum(1 for pair in pairs if test(*pair)) for test in (lambda a, b: a and b, lambda a, b: a, lambda a, b: b))
    accuracy = sum(a == b for a, b in pairs) / n
    chance = gold / n * judged / n + (1 - gold / n) * (1 - judged / n)
    return n, accuracy, both / judged, both / gold, 2 * both / (gold + judged), (accuracy - chance) / (1 - chance)


class Test(JudgingTest):
    def qrels(self, work):
        lines = (self.folder / work / 'collection' / 'qrels.txt').read_text().splitlines()
        return {(line.split()[0], line.split()[2]): int(line.split()[3]) for line in lines}

    def valid(self, work):
        self.assertIn('ok', self.run_program('validate', self.folder / work / 'collection').stdout)

    def bodies(self, log):
        entries = [json.loads(line) for line in log.read_text().split('\n')[:-1]]
        return [json.loads(entry['body']) for entry in entries if entry['path'].endswith('/chat/completions')]

    # Bare answers.

    def test_prompts_of_d_merit_make_a_collection(self):
        log = self.folder / 'requests.jsonl'
        server = JudgeServer(self, '--log', log)
        self.build('w', *server.settings(prompt='dmerit-evidence'), '--set', 'phrase.source=judge', '--set', 'phrase.prompt=dmerit-query')
        self.assertEqual(self.states('w'), {'judged': QUESTIONS})
        self.assertEqual({judgment['grade'] for judgment in self.judgments('w')}, {0, 1})
        self.assertTrue(all(0 <= judgment['probability'] <= 1 for judgment in self.judgments('w')))
        self.valid('w')
        queries = [query['query'] for query in self.records('w', 'queries')]
        # A wording that is no query, such as one that is too long, is refused, and its topic keeps the words of the template.
        self.assertGreaterEqual(sum(query.startswith('names in List') for query in queries), 10, queries)
        for body in self.bodies(log):
            self.assertNotIn('response_format', body)
            self.assertEqual([message['role'] for message in body['messages']], ['user'])

    def test_a_bare_word_with_more_around_it_is_no_grade(self):
        server = JudgeServer(self, rules=[{'do': 'ignore_schema', 'share': 0.2}])
        self.build('w', *server.settings(prompt='dmerit-evidence'))
        states = self.states('w')
        self.assertEqual(sorted(states), ['judged', 'unparseable'])
        self.assertGreater(states['unparseable'], 40)

    def test_a_prompt_of_ones_own_may_be_judged_by_the_query(self):
        prompt = self.folder / 'mine.md'
        prompt.write_text('+++\nname = "mine"\nanswer = "score"\n+++\n=== system ===\n=== user ===\nQuery: {{query}}\nPassage: {{passage}}\n'
                          'Provide each score in the format of: ##final score: score without providing any reasoning.\n')
        log = self.folder / 'requests.jsonl'
        server = JudgeServer(self, '--log', log)
        self.build('w', *server.settings(prompt=prompt, probe='false'))
        self.assertEqual({judgment['grade'] for judgment in self.judgments('w')}, {0, 1, 2, 3})
        self.valid('w')
        queries = {query['query'] for query in self.records('w', 'queries')}
        asked = {re.match(r'Query: (.*)\nPassage: <passage>[^<>]+</passage>\n', body['messages'][0]['content'])[1] for body in self.bodies(log)}
        self.assertLessEqual(asked, queries)
        self.assertGreater(len(asked), 10)

    def test_queries_that_the_model_words_are_asked_once_and_judged_by(self):
        log = self.folder / 'requests.jsonl'
        server = JudgeServer(self, '--log', log)
        settings = [*server.settings(prompt='umbrela-reworded'), '--set', 'phrase.source=judge', '--set', 'phrase.prompt=dmerit-query']
        self.run_program('--progress', 'never', 'build', '--to', 'candidates', '--config', CONFIG, '--dump', DUMP, '--work', self.folder / 'w', *settings)
        self.assertIn('479 judgments, 0 known', self.build('w', *settings, '--dry-run').stdout)
        self.build('w', *settings)
        self.assertEqual(server.counts()['answered_again'], 0)
        texts = [body['messages'][0]['content'] for body in self.bodies(log)]
        judged_by = {text.split('\nQuery: ')[1].split('\n')[0] for text in texts if '\nQuery: ' in text}
        self.assertGreaterEqual(sum(query.startswith('names in List') for query in judged_by), 10, judged_by)
        self.assertEqual(self.to_run('w', *settings), [])
        before = server.counts()['requests']
        self.assertIn('judge', self.to_run('w', *server.settings(prompt='umbrela-reworded')))
        self.assertIn('judge', self.to_run('w', *settings, '--set', 'phrase.prompt=query'))
        self.assertEqual(server.counts()['requests'], before)

    def test_only_prompts_with_the_query_depend_on_it(self):
        server = JudgeServer(self)
        self.build('w', *server.settings())
        self.assertEqual(self.to_run('w', *server.settings(), '--set', 'phrase.source=judge'), ['phrase', 'export', 'report'])

    def test_dry_run_counts_a_question_of_several_members_once(self):
        server = JudgeServer(self)
        settings = server.settings(prompt='umbrela-reworded', probe='false')
        self.run_program('--progress', 'never', 'build', '--to', 'candidates', '--config', CONFIG, '--dump', DUMP, '--work', self.folder / 'w', *settings)
        shown = self.build('w', *settings, '--dry-run').stdout
        self.build('w', *settings)
        asked = server.counts()['requests']
        self.assertLess(asked, QUESTIONS)
        self.assertRegex(shown, rf'\n *{asked} requests .* in all')
        self.assertEqual(self.states('w'), {'judged': QUESTIONS})

    # The lowest grade of evidence.

    def test_the_qrels_follow_the_lowest_grade_of_evidence_and_nothing_is_asked_again(self):
        server = JudgeServer(self)
        for prompt in ('evidence-graded', 'umbrela-reworded'):
            with self.subTest(prompt):
                settings = server.settings(prompt=prompt)
                self.build(prompt, *settings)
                before, judged = server.counts()['requests'], {(j['topic'], j['member'], j['docid']): j for j in self.judgments(prompt)}
                for lowest in (1, 2, 3):
                    changed = [*settings, '--set', f'judge.evidence_grade={lowest}']
                    self.assertEqual(self.to_run(prompt, *changed), [] if lowest == 1 else ['judge', 'export', 'report'])
                    self.build(prompt, *changed)
                    self.assertEqual(server.counts()['requests'], before, 'asked again')
                    self.check_lowest_grade(prompt, judged, lowest)
                self.build(prompt, *settings)
                self.assertEqual(self.manifest(prompt)['collection']['evidence_grade'], 1)
                self.assertEqual(server.counts()['requests'], before)

    def check_lowest_grade(self, work, judged, lowest):
        now = {(j['topic'], j['member'], j['docid']): j for j in self.judgments(work)}
        self.assertEqual({key: judgment['grade'] for key, judgment in now.items()}, {key: judgment['grade'] for key, judgment in judged.items()})
        self.assertEqual(self.manifest(work)['collection']['evidence_grade'], lowest)
        best = {}
        for (topic, _, docid), judgment in now.items():
            best[topic, docid] = max(best.get((topic, docid), 0), judgment['grade'])
        qrels = self.qrels(work)
        self.assertEqual(qrels, {key: grade if grade >= lowest else 0 for key, grade in best.items() if key[0] in {topic for topic, _ in qrels}})
        self.assertEqual(self.manifest(work)['numbers']['evidence'], sum(grade > 0 for grade in qrels.values()))
        members = [json.loads(line) for line in (self.folder / work / 'collection' / 'members.jsonl').read_text().splitlines()]
        for member in members:
            mine = [j for j in now.values() if j['topic'] == member['topic'] and j['member'] == member['title']]
            self.assertEqual(member['evidence'], sum(j['grade'] >= lowest for j in mine))
        shown = {group['topic']: group['evidence'] for group in self.groups(work)}
        for topic, count in shown.items():
            if topic in {topic for topic, _ in qrels}:
                self.assertEqual(count, sum(grade > 0 for (of, _), grade in qrels.items() if of == topic))
        self.valid(work)
        with gzip.open(self.folder / work / 'collection' / 'judgments.jsonl.gz', 'rt') as file:
            self.assertEqual({json.loads(line)['grade'] for line in file}, {0, 1, 2, 3})

    def test_a_lowest_grade_without_grades_is_refused(self):
        done = self.build('w', *JudgeServer(self).settings(evidence_grade=2), status=2)
        self.assert_one_error(done, 'judge.evidence_grade is 2', 'no judge gives grades above 1')

    # Agreement with gold labels.

    def gold_rows(self, output):
        """(judge, prompt, evidence) -> the numbers of the table's row."""
        rows = {}
        for line in output.splitlines():
            fields = re.split(r'\s{2,}', line.strip())
            if len(fields) == 9 and re.fullmatch(r'[\d.]+', fields[4]):
                rows[tuple(fields[:3])] = tuple(map(float, fields[3:]))
        return rows

    def test_agreement_with_gold_is_printed_for_each_prompt(self):
        server = JudgeServer(self)
        prompts = ('evidence-binary', 'dmerit-evidence', 'umbrela-reworded', 'evidence-graded')
        config = self.folder / 'panel.toml'
        config.write_text(f'[candidates]\nlist_page = true\n[judge]\nkind = "openai"\nbase_url = "{server.address}/v1"\nmodel = "{MODEL}"\nevidence_grade = 2\ngold = "{GOLD}"\n' +
                          ''.join(f'[[judges]]\nname = "by {prompt}"\nprompt = "{prompt}"\n' for prompt in prompts) + '[[judges]]\nkind = "lexical"\n')
        done = self.run_program('--progress', 'never', 'build', '--config', config, '--dump', DUMP, '--work', self.folder / 'w')
        self.assertRegex(done.stdout, r'judge against 479 of 479 gold labels: precision 0\.\d+')
        rows = self.gold_rows(done.stdout)
        expected = {('by evidence-binary', 'evidence-binary', 'yes'), ('by dmerit-evidence', 'dmerit-evidence', 'yes'), ('lexical', '-', 'yes')}
        expected |= {(f'by {prompt}', prompt, text) for prompt in prompts[2:] for text in ('grade 1+', 'grade 2+ *', 'grade 3')}
        self.assertEqual(set(rows), expected)
        self.assertIn('\n  * as in the collection (judge.evidence_grade)\n', done.stdout)
        gold = self.gold()
        for (judge, _, evidence), numbers in rows.items():
            lowest = int(evidence.split()[1].rstrip('+')) if evidence != 'yes' else 1
            pairs = []
            for judgment in self.shown('w'):
                vote = next(vote for vote in judgment['votes'] if vote['judge'] == judge or (judge == 'lexical' and vote['judge'].startswith('lexical')))
                if vote['own_grade'] is not None or vote['state'] == 'unsure':  # which is no yes
                    pairs.append((gold[judgment['structured'], judgment['member'], judgment['passage']], (vote['own_grade'] or 0) >= lowest))
            for found, wanted in zip(numbers, agreement(pairs), strict=True):
                self.assertAlmostEqual(found, wanted, delta=0.00051)
        self.valid('w')
        for judgment in self.judgments('w'):
            for vote in judgment['votes']:
                if vote['own_grade'] is None:  # unsure: no vote
                    continue
                lowest = 2 if vote['judge'] in ('by umbrela-reworded', 'by evidence-graded') else 1
                self.assertEqual(vote['grade'], int(vote['own_grade'] >= lowest))
            self.assertEqual(judgment['grade'], int(sum(vote['grade'] or 0 for vote in judgment['votes']) >= 3))

    def gold(self):
        with open(GOLD, encoding='utf-8', newline='') as file:
            rows = list(csv.DictReader(file, delimiter='\t', quoting=csv.QUOTE_NONE))
        return {(' » '.join(filter(None, (row['page'], row['section'], row['column']))), row['member'], row['passage']): row['grade'] == '1' for row in rows}

    def shown(self, work):
        """The judgments with the texts that gold labels go by."""
        texts = json.loads(self.run_program('show', 'judgments', '--work', self.folder / work, '--format', 'json').stdout)
        by_key = {(entry['topic'], entry['member'], entry['docid']): entry for entry in texts}
        return [{**judgment, **{name: by_key[judgment['topic'], judgment['member'], judgment['docid']][name] for name in ('structured', 'passage')}} for judgment in self.judgments(work)]

    def test_agreement_of_one_prompt_is_the_line_and_a_row(self):
        server = JudgeServer(self)
        done = self.build('w', *server.settings(prompt='dmerit-evidence'))  # the bundled configuration names the gold file
        line = re.search(r'precision ([\d.]+), recall ([\d.]+), F1 ([\d.]+), kappa (-?[\d.]+)', done.stdout)
        rows = self.gold_rows(done.stdout)
        self.assertEqual(list(rows), [(MODEL, 'dmerit-evidence', 'yes')])
        self.assertEqual(rows[MODEL, 'dmerit-evidence', 'yes'][2:], tuple(map(float, line.groups())))
        self.assertEqual(self.gold_rows(self.build('baseline').stdout), {}, 'the lone embedded judge has no prompt')
