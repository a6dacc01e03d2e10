"""How right the judge of a collection is, by people: `touchstone audit`."""
import gzip
import json
import random
import shutil

from annotation import Server
from harness import PROGRAM, SOURCE, EndToEnd

GOLD = SOURCE / 'examples' / 'miniwiki' / 'gold.tsv'
ERRORS = {'reader1': 0.02, 'reader2': 0.05, 'reader3': 0.10}  # share of answers that are wrong


def lines(file):
    opened = gzip.open(file, 'rt', encoding='utf-8') if file.suffix == '.gz' else open(file, encoding='utf-8')
    with opened:
        return [json.loads(line) for line in opened]


def gold_labels():
    """(structured query, member, passage's page) -> label and reason."""
    rows = [line.split('\t') for line in GOLD.read_text(encoding='utf-8').splitlines()[1:]]
    return {(' » '.join(part for part in row[:3] if part), row[3], row[4]): (int(row[5]), row[6]) for row in rows}


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        self.build('w')
        self.collection = self.folder / 'w' / 'collection'
        self.structured = {line['_id']: line['metadata']['structured'] for line in lines(self.collection / 'queries.jsonl')}
        self.titles = {line['_id']: line['title'] for line in lines(self.collection / 'corpus.jsonl.gz')}
        self.gold = gold_labels()
        self.judgments = lines(self.collection / 'judgments.jsonl.gz')

    def audit(self, *arguments, collection=None, status=0):
        return self.run_program('audit', collection or self.collection, *arguments, status=status)

    def numbers(self, *arguments, **options):
        return json.loads(self.audit(*arguments, '--format', 'json', **options).stdout)

    def label(self, line):
        return self.gold[self.structured[line['topic']], line['member'], self.titles[line['docid']]]

    def answers(self, name, asked, errors=None, seed=1, prefix='a'):
        """A file of the answers that scripted people give to tasks or judgments."""
        chance, file, count = random.Random(seed), self.folder / name, 0
        with open(file, 'w', encoding='utf-8') as out:
            for line in asked:
                truth, why = self.label(line)
                for person, error in (errors or {'reader1': 0}).items():
                    wrong = chance.random() < error
                    count += 1
                    print(json.dumps({'id': f'{prefix}{count}', 'annotator': person, 'task': line.get('id', ''), 'kind': 'evidence', 'topic': line['topic'], 'docid': line['docid'],
                                      'member': line['member'], 'grade': 1 - truth if wrong else truth, 'spans': [], 'reason': '' if wrong else why, 'mode': 'blind',
                                      'guidelines': '1', 'visible_ms': 5000, 'judged_at_ms': 1000 * count}, ensure_ascii=False), file=out)
        return file

    def sample(self, name, size, *arguments, collection=None):
        self.audit('--sample', size, '--out', self.folder / name, *arguments, collection=collection)
        return lines(self.folder / name / 'tasks.jsonl')

    def truth(self):
        """Precision, recall and evidence of the judge over the collection, by gold labels of all decisions."""
        yes = [line for line in self.judgments if line['grade'] and line['grade'] > 0]
        right, evidence = sum(self.label(line)[0] for line in yes), sum(self.label(line)[0] for line in self.judgments)
        return {'precision': right / len(yes), 'recall': right / evidence, 'evidence': evidence}

    @staticmethod
    def by_name(found):
        return {number['name']: number for number in found['numbers']}

    def test_a_sample_is_drawn_from_all_strata_and_is_the_same_again(self):
        tasks = self.sample('s', 120)
        self.assertEqual(len(tasks), 120)
        self.assertEqual(self.sample('again', 120), tasks)
        self.assertNotEqual(self.sample('other', 120, '--seed', 2), tasks)
        self.assertEqual({task['stratum'] for task in tasks}, {'yes 0.8-1.0', 'no 0.0-0.2', 'unsure 0.0-0.2', 'unsure 0.2-0.4'})
        judged = {(line['topic'], line['member'], line['docid']) for line in self.judgments}
        texts = {line['_id']: line['text'] for line in lines(self.collection / 'corpus.jsonl.gz')}
        for task in tasks:
            self.assertIn((task['topic'], task['member'], task['docid']), judged)
            self.assertEqual(task['text'], texts[task['docid']])
            self.assertEqual(task['list'], self.structured[task['topic']])

    def test_answers_to_all_decisions_give_the_numbers_themselves(self):
        found = self.by_name(self.numbers('--answers', self.answers('all.jsonl', self.judgments)))
        for name, value in self.truth().items():
            self.assertAlmostEqual(found[name]['value'], value, 4, name)
            self.assertEqual(found[name]['low'], found[name]['high'], name)

    def test_the_intervals_hold_the_truth_that_the_gold_labels_tell(self):
        tasks = self.sample('s', 150)
        found = self.numbers('--tasks', self.folder / 's' / 'tasks.jsonl', '--answers', self.answers('a.jsonl', tasks, ERRORS))
        numbers = self.by_name(found)
        for name, value in self.truth().items():
            self.assertLessEqual(numbers[name]['low'], value, name)
            self.assertGreaterEqual(numbers[name]['high'], value, name)
        # What touchstone judge --gold states, over all pairs of the wiki.
        self.assertLessEqual(numbers['precision']['low'], .948)
        self.assertGreaterEqual(numbers['precision']['high'], .948)
        self.assertLessEqual(numbers['recall']['low'], .665)
        self.assertGreaterEqual(numbers['recall']['high'], .665)
        # Two of the three people agree with probability (1 - a)(1 - b) + a b: 0.932, 0.884 and 0.860.
        self.assertAlmostEqual(found['agreement']['share'], .892, delta=.04)
        self.assertEqual(found['agreement']['pairs'], 3 * 150)

    def test_the_owners_page_of_a_sample_shows_the_numbers_of_the_audit(self):
        names = self.folder / 'names'
        names.write_text('reader1\n')
        chance = random.Random(7)
        with Server(PROGRAM, self.collection, '--sample', 120, '--overlap', 1, '--annotators', names, '--out', self.folder / 'people', people=1) as server:
            server.person('reader1').work(lambda task: {'grade': chance.randrange(2)})
            summary = server.person('owner').call('GET', '/api/owner/summary')
            self.assertEqual(server.stop(), 0)
        found = self.numbers('--tasks', self.folder / 'people' / 'tasks.jsonl', '--answers', self.folder / 'people' / 'annotations.jsonl')
        judge = next(section for section in summary['sections'] if section['id'] == 'judge')
        shown, numbers = dict(judge['table']['rows']), self.by_name(found)
        for row, name in (('precision of its yes', 'precision'), ('recall', 'recall'), ('its no confirmed', 'confirmed_no'), ('agreement, yes and no alike', 'balanced_agreement')):
            number = numbers[name]
            self.assertEqual(shown[row], f'{number["value"]:.2f} ({number["low"]:.2f} to {number["high"]:.2f})')
        self.assertIn(f'about the {len(self.judgments)} decisions', judge['note'])

    def test_the_worked_example_of_the_manual_is_what_the_program_gives(self):
        tasks = self.sample('s', 120)
        found = self.numbers('--answers', self.answers('a.jsonl', tasks, ERRORS, seed=4))
        manual = (SOURCE / 'docs' / 'audit.md').read_text(encoding='utf-8')
        for stratum in found['strata']:
            size, answered, evidence = stratum['decisions'], stratum['audited'], stratum['evidence']
            self.assertIn(f'| {stratum["name"]} | {size} | {answered} | {evidence} | {size * evidence / answered:.2f} |', manual)
        numbers = self.by_name(found)
        for name in ('precision', 'recall'):
            number = numbers[name]
            self.assertIn(f'= {number["value"]:.3f}. The interval is {number["low"]:.3f} to {number["high"]:.3f}; by all gold labels it is {self.truth()[name]:.3f}.', manual)
        for name in ('confirmed_no', 'balanced_agreement', 'accuracy', 'f1'):
            self.assertIn(f'= {numbers[name]["value"]:.3f}', manual)
        self.assertIn(f'The readers agree in {100 * found["agreement"]["share"]:.1f} % of {found["agreement"]["pairs"]} pairs', manual)

    def test_the_corrected_collection_is_valid_and_keeps_what_was_before(self):
        tasks = self.sample('s', 120)
        out = self.folder / 'out'
        report = self.folder / 'page' / 'audit.html'
        report.parent.mkdir()
        found = self.numbers('--answers', self.answers('a.jsonl', tasks, ERRORS), '--out', out, '--report', report)
        validated = json.loads(self.run_program('validate', out, '--format', 'json').stdout)
        self.assertEqual((validated['ok'], validated['counts']['audited']), (True, 120))
        before = {(line['topic'], line['member'], line['docid']): line for line in self.judgments}
        after = {(line['topic'], line['member'], line['docid']): line for line in lines(out / 'judgments.jsonl.gz')}
        self.assertEqual(list(after), list(before))
        audited = {(line['topic'], line['member'], line['docid']): line for line in lines(out / 'audit.jsonl')}
        changed = 0
        for key, line in after.items():
            if key not in audited:
                self.assertEqual(line, before[key])
                continue
            self.assertEqual(audited[key]['before'], before[key])
            self.assertEqual(line['judge'], 'people (majority of 3)')
            self.assertEqual([vote['judge'] for vote in line['votes']], ['person reader1', 'person reader2', 'person reader3', 'lexical/6 (baseline)'])
            self.assertEqual(line['grade'], int(sum(vote['grade'] for vote in line['votes'][:3]) >= 2))
            changed += before[key]['grade'] is not None and line['grade'] != before[key]['grade']
        self.assertEqual(changed, found['corrections'])
        self.assertEqual(sum(1 for key in audited if before[key]['grade'] is None), found['added'])
        highest = {}
        for line in after.values():
            if line['grade'] is not None:
                highest[line['topic'], line['docid']] = max(line['grade'], highest.get((line['topic'], line['docid']), 0))
        qrels = {(row[0], row[2]): int(row[3]) for row in map(str.split, (out / 'qrels.txt').read_text().splitlines())}
        self.assertEqual(qrels, highest)
        self.assertIn('3 people judged 120 of 436 decisions', (out / 'README.md').read_text())
        self.assertIn('<h2 id="audit">', report.read_text())
        self.assertIn('rai:dataAnnotationAnalysis', (out / 'croissant.json').read_text())
        self.assertEqual(json.loads((out / 'manifest.json').read_text())['collection']['audit']['audited'], 120)
        self.assertIn('The most common reason is "judge changed"', self.run_program('diff', self.collection, out).stdout)
        self.assertIn('of 3 votes say evidence', ''.join(page.read_text() for page in (self.folder / 'page' / 'audit').rglob('*.html')))
        rows = [row.split('\t') for row in (out / 'calibration.tsv').read_text().splitlines()]
        self.assertEqual(rows[0], ['topic', 'member_page_id', 'docid', 'probability', 'calibrated'])
        self.assertEqual([float(row[3]) for row in rows[1:]], [line['probability'] for line in before.values() if line['probability'] is not None])

    def test_a_second_audit_counts_both_and_may_replace_the_collection(self):
        first, second = self.folder / 'first', self.folder / 'second'
        tasks = self.sample('s', 100)
        answers = self.answers('a.jsonl', tasks, ERRORS)
        self.audit('--answers', answers, '--out', first)
        more = self.sample('s2', 80, collection=first)
        key = lambda task: (task['topic'], task['member'], task['docid'])
        self.assertFalse(set(map(key, tasks)) & set(map(key, more)))
        others = self.answers('b.jsonl', more, prefix='b')
        shutil.copytree(first, second)
        found = self.numbers('--answers', others, '--out', second, collection=second)
        self.assertEqual(found['audited'], 180)
        self.run_program('validate', second)
        self.audit('--answers', others, answers, '--out', self.folder / 'at once')
        for name in ('judgments.jsonl.gz', 'audit.jsonl', 'calibration.tsv', 'qrels.txt', 'members.jsonl', 'manifest.json'):
            self.assertEqual((second / name).read_bytes(), (self.folder / 'at once' / name).read_bytes(), name)
        # The same answers once more change nothing.
        repeated = self.numbers('--answers', answers, answers, '--out', self.folder / 'third', collection=second)
        self.assertEqual((repeated['audited'], repeated['answers'], repeated['repeated']), (180, found['answers'], 300))
        self.assertEqual((self.folder / 'third' / 'audit.jsonl').read_bytes(), (second / 'audit.jsonl').read_bytes())
        # The numbers can be asked for again.
        self.assertEqual(self.numbers(collection=second)['numbers'], found['numbers'])
        self.assertIn('other strata', self.audit('--bins', 3, collection=second, status=2).stderr)

    def test_people_who_disagree_change_their_mind_or_skip(self):
        asked = self.judgments[:4]
        file = self.answers('a.jsonl', asked, {'ada': 0, 'bo': 1})  # bo is always wrong
        found = self.numbers('--answers', file, '--tie', 'none')
        self.assertEqual((found['audited'], found['tied'], found['answers'], found['people']), (0, 4, 8, 2))
        self.assertEqual(self.numbers('--answers', file)['audited'], 4)
        self.assertEqual(found['agreement']['share'], 0)
        written = [json.loads(line) for line in file.read_text(encoding='utf-8').splitlines()]
        later = dict(written[1], id='later', grade=written[0]['grade'], judged_at_ms=10**9)
        skipped = dict(written[3], id='skip', grade=None, skipped=True, judged_at_ms=10**9, mode='shown')
        file.write_text('\n'.join(json.dumps(line) for line in (*written, later, skipped)), encoding='utf-8')
        out = self.folder / 'out'
        found = self.numbers('--answers', file, '--tie', 'none', '--out', out)
        self.assertEqual((found['audited'], found['tied'], found['replaced'], found['answers']), (2, 2, 2, 7))
        self.assertEqual([line['outcome'] for line in lines(out / 'audit.jsonl')].count('tied'), 2)
        self.assertEqual(sum(len(line['answers']) for line in lines(out / 'audit.jsonl')), 10)
        self.run_program('validate', out)

    def test_numbers_that_the_answers_do_not_tell_are_not_given(self):
        yes = [line for line in self.judgments if line['grade'] == 1][:20]
        numbers = self.by_name(self.numbers('--answers', self.answers('a.jsonl', yes)))
        self.assertIn('value', numbers['precision'])
        self.assertNotIn('value', numbers['recall'])
        self.assertIn('nobody has answered a decision of the strata no 0.0-0.2', numbers['recall']['why'])
        text = self.audit('--answers', self.folder / 'a.jsonl').stdout
        self.assertRegex(text, r'(?m)^  recall +not known +nobody has answered')

    def test_reasons_become_gold_labels_that_the_judge_reads(self):
        tasks = self.sample('s', 60)
        file = self.folder / 'people.tsv'
        self.assertIn('60 labels', self.audit('--answers', self.answers('a.jsonl', tasks), '--gold', file).stdout)
        written = {tuple(row[:5]): (row[5], row[6]) for row in (line.split('\t') for line in file.read_text(encoding='utf-8').splitlines()[1:])}
        original = {tuple(row[:5]): (row[5], row[6]) for row in (line.split('\t') for line in GOLD.read_text(encoding='utf-8').splitlines()[1:])}
        self.assertEqual(len(written), 60)
        for key, label in written.items():
            self.assertEqual(label, original[key])
        judged = self.run_program('--progress', 'never', 'judge', '--work', self.folder / 'w', '--gold', file)
        self.assertIn('against 60 of 60 gold labels', judged.stdout)

    def test_each_answer_that_does_not_fit_is_named(self):
        tasks = self.sample('s', 40)
        good = [json.loads(line) for line in self.answers('a.jsonl', tasks).read_text(encoding='utf-8').splitlines()]
        elsewhere = self.answers('b.jsonl', [line for line in self.judgments if all(line['docid'] != task['docid'] for task in tasks)][:1], prefix='x').read_text(encoding='utf-8').strip()
        bad = {'is about topic "nope"': dict(good[0], id='1', topic='nope'), 'member "Nobody"': dict(good[0], id='2', member='Nobody'), 'no pseudonym': dict(good[0], id='3', annotator='a b@c.org'),
               'not 0 or 1': dict(good[0], id='4', grade=2), 'code points; correct it': dict(good[0], id='5', spans=[[0, 99999]]), 'spans that are empty': dict(good[0], id='6', spans=[[5, 5]]),
               'answers the task "0123"': dict(good[0], id='7', task='0123'), 'of the kind grade': dict(good[0], id='8', kind='grade'), 'no grade and is not skipped': dict(good[0], id='9', grade=None),
               'a grade and is skipped': dict(good[0], id='10', skipped=True), f'has the id "{good[1]["id"]}" of another answer': dict(good[0], id=good[1]['id'])}
        texts = [json.dumps(line) for line in bad.values()]
        file = self.folder / 'bad.jsonl'
        file.write_text('\n'.join([json.dumps(good[1]), *texts, elsewhere, json.dumps(good[2])[:60]]), encoding='utf-8')
        done = self.audit('--answers', file, '--tasks', self.folder / 's' / 'tasks.jsonl', '--out', self.folder / 'never', status=1)
        for number, part in enumerate([*bad, 'which the file of --tasks does not have', 'is no JSON'], 2):
            found = [line for line in done.stderr.splitlines() if line.startswith(f'{file}:{number} ')]
            self.assertEqual(len(found), 1, part)
            self.assertIn(part, found[0])
        self.assertIn(f'error: {len(bad) + 2} answers do not fit the collection, so nothing was counted or written', done.stderr)
        self.assertFalse((self.folder / 'never').exists())
        others = self.audit('--answers', file, '--tasks', self.folder / 's' / 'tasks.jsonl', '--only-fitting', '--format', 'json')
        self.assertEqual(json.loads(others.stdout)['audited'], 1)
        self.assertIn(f'{len(bad) + 2} answers are not counted; the lines above say why', others.stderr)
        self.assertIn('whom --pseudonyms does not name', self.audit('--answers', self.folder / 'a.jsonl', '--pseudonyms', 'ada,bo', status=1).stderr)
        self.assertIn('--strata and --bins', self.audit('--answers', self.folder / 'a.jsonl', '--tasks', self.folder / 's' / 'tasks.jsonl', '--bins', 3, status=2).stderr)

    def test_validate_finds_an_audit_that_does_not_follow_from_the_answers(self):
        out = self.folder / 'out'
        self.audit('--answers', self.answers('a.jsonl', self.sample('s', 60), ERRORS), '--out', out)
        manifest = json.loads((out / 'manifest.json').read_text())
        value = manifest['collection']['audit']['numbers'][0]['value']
        for name, old, new, message in (
                ('manifest.json', f'"value": {value}', '"value": 0.9999', 'says of the audit: numbers'),
                ('audit.jsonl', '"outcome":"confirmed"', '"outcome":"corrected"', 'does not hold what follows'),
                ('audit.jsonl', '"grade":1,"answers"', '"grade":0,"answers"', 'does not follow from audit.jsonl')):
            with self.subTest(name + new):
                copy = self.folder / 'copy'
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(out, copy)
                text = (copy / name).read_text(encoding='utf-8')
                self.assertIn(old, text)
                (copy / name).write_text(text.replace(old, new, 1), encoding='utf-8')
                self.repair(copy)
                self.assertIn(message, self.run_program('validate', copy, status=1).stdout)

    @staticmethod
    def repair(collection):
        """Makes the digests fit the files again."""
        import hashlib
        digest = lambda name: hashlib.sha256((collection / name).read_bytes()).hexdigest()
        sums = [line.split('  ') for line in (collection / 'sha256sums.txt').read_text().splitlines()]
        old = {name: value for value, name in sums}
        for name in ('croissant.json', 'manifest.json'):
            text = (collection / name).read_text(encoding='utf-8')
            for other, value in old.items():
                if other != name:
                    text = text.replace(value, digest(other))
            (collection / name).write_text(text, encoding='utf-8')
        (collection / 'sha256sums.txt').write_text(''.join(f'{digest(name)}  {name}\n' for _, name in sums))

    def test_only_evidence_collections_have_a_judge(self):
        self.build('automatic', '--to', 'automatic', status=4)  # none of its pages is long enough
        done = self.audit('--sample', 10, '--out', self.folder / 's', collection=self.folder / 'automatic' / 'automatic', status=2)
        self.assertIn('its labels come from the headings of its pages', done.stderr)
