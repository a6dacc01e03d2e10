"""What comes out of the bundled wiki: modes, the judge against the labels, and the rules every qrels file keeps."""
import csv
import gzip
import json

from harness import EndToEnd, agreement


class Test(EndToEnd):
    def test_strict_keeps_fewer_columns_than_lenient_and_says_why(self):
        self.build('lenient')
        self.build('strict', '--set', 'groups.mode=strict')
        lenient, strict = ({group['structured']: group for group in self.groups(work)} for work in ('lenient', 'strict'))
        kept = {name for name, group in strict.items() if group['status'] == 'kept'}
        self.assertLess(len(kept), sum(group['status'] == 'kept' for group in lenient.values()))
        for name in kept:
            self.assertEqual(strict[name]['empty_cells'], 0, name)
            self.assertEqual(strict[name]['unresolved_cells'], 0, name)
        for work in ('lenient', 'strict'):
            discarded = [group for group in self.groups(work) if group['status'] != 'kept']
            self.assertTrue(discarded)
            for group in discarded:
                self.assertTrue(group['reason'], group['structured'])
            pages = {row[1] if len(row) > 1 else '' for row in csv.reader(open(self.folder / work / 'collection' / 'discarded.tsv'), delimiter='\t', quoting=csv.QUOTE_NONE)}
            for group in discarded:
                self.assertIn(group['page'], ' '.join(pages) + (self.folder / work / 'collection' / 'discarded.tsv').read_text())

    def test_the_judge_keeps_its_precision_and_recall(self):
        precision, recall = agreement(self.build('w').stdout)
        self.assertGreaterEqual(precision, 0.90)
        self.assertGreaterEqual(recall, 0.65)

    def test_every_label_of_the_bundled_wiki_is_met(self):
        done = self.build('w')
        self.assertIn('against 479 of 479 gold labels', done.stdout)

    def test_every_output_names_the_baseline(self):
        self.build('w')
        for name in ('collection/manifest.json', 'collection/README.md', 'report.html'):
            self.assertIn('baseline', (self.folder / 'w' / name).read_text(), name)

    def test_the_report_needs_nothing_from_outside(self):
        self.build('w')
        text = (self.folder / 'w' / 'report.html').read_text()
        for outside in ('src="http', 'href="//', 'src="//', '<link', '@import', 'url(http'):
            self.assertNotIn(outside, text)

    def test_the_qrels_keep_their_rules(self):
        for number, options in enumerate(([], ['passages.scope=all', 'passages.granularity=snippet'], ['passages.granularity=paragraph', 'candidates.own_article=false'],
                                          ['candidates.max_per_member=2', 'topics.min_evidence=1'], ['judge.threshold=0'], ['judge.threshold=1', 'topics.min_evidence=0'])):
            with self.subTest(options):
                work = f'w{number}'
                self.build(work, *(word for option in options for word in ('--set', option)))
                directory = self.folder / work / 'collection'
                self.check_qrels(directory)
                self.assertEqual(self.run_program('validate', directory).returncode, 0)

    def check_qrels(self, directory):
        documents = [json.loads(line) for line in gzip.open(directory / 'corpus.jsonl.gz', 'rt')]
        docids = {document['_id'] for document in documents}
        self.assertEqual(len(docids), len(documents))
        for document in documents:
            self.assertTrue(document['text'].strip())
            self.assertNotRegex(document['_id'], r'[\s/]')
        topics = [line.split('\t')[0] for line in (directory / 'topics.tsv').read_text().splitlines()]
        self.assertEqual(len(topics), len(set(topics)))
        graded = {}
        for line in gzip.open(directory / 'judgments.jsonl.gz', 'rt'):
            judgment = json.loads(line)
            if judgment.get('grade') is not None:
                key = (judgment['topic'], judgment['docid'])
                graded[key] = max(graded.get(key, 0), judgment['grade'])
        qrels = {}
        for line in (directory / 'qrels.txt').read_text().splitlines():
            topic, zero, docid, grade = line.split(' ')
            self.assertEqual(zero, '0')
            self.assertNotIn((topic, docid), qrels, 'one (topic, docid) once')
            qrels[topic, docid] = int(grade)
            self.assertIn(topic, topics)
            self.assertIn(docid, docids)
            self.assertTrue(-127 <= int(grade) <= 127)
        self.assertEqual(qrels, graded, 'the qrels are what the judgments come to: judged-no is 0, unjudged is absent')
