"""Candidates by link, by mention and by page: each with its source, counted, and judged once."""
import gzip
import hashlib
import json

from judge_server import JudgeServer
from judging import JudgingTest

ALL = ['--set', 'candidates.sources=["link","page","mention"]']


class Test(JudgingTest):
    def of_sources(self, work):
        """(topic, member, docid) -> source."""
        return {(judgment['topic'], judgment['member_page_id'], judgment['docid']): judgment['source'] for judgment in self.judgments(work)}

    def manifest(self, work):
        return json.loads((self.folder / work / 'collection' / 'manifest.json').read_text())

    def test_sources_add_candidates_and_change_none(self):
        self.build('link')
        links = self.judgments('link')
        self.assertEqual({judgment['source'] for judgment in links}, {'own-article', 'link'})
        self.build('all', *ALL)
        found = {(judgment['topic'], judgment['member_page_id'], judgment['docid']): judgment for judgment in self.judgments('all')}
        for judgment in links:
            self.assertEqual(found.pop((judgment['topic'], judgment['member_page_id'], judgment['docid'])), judgment)
        self.assertEqual({judgment['source'] for judgment in found.values()}, {'mention', 'page'})
        for judgment in found.values():
            self.assertEqual(judgment['source'] == 'mention', bool(judgment['mentions']), judgment)

    def test_the_numbers_of_each_source_are_in_manifest_card_and_report(self):
        done = self.build('all', *ALL)
        judgments = [json.loads(line) for line in gzip.open(self.folder / 'all' / 'collection' / 'judgments.jsonl.gz', 'rt')]
        stated = {entry['source']: entry for entry in self.manifest('all')['numbers']['by_source']}
        self.assertEqual(list(stated), ['own-article', 'link', 'mention', 'page'])
        card = (self.folder / 'all' / 'collection' / 'README.md').read_text()
        report = (self.folder / 'all' / 'report.html').read_text()
        for source, entry in stated.items():
            of_source = [judgment for judgment in judgments if judgment['source'] == source]
            judged = sum(judgment['grade'] is not None for judgment in of_source)
            evidence = sum(judgment['grade'] == 1 for judgment in of_source)
            self.assertEqual((entry['candidates'], entry['judged'], entry['evidence']), (len(of_source), judged, evidence))
            self.assertEqual(entry['evidence_share'], round(evidence / judged, 4))
            self.assertRegex(card, rf'\| {source} \| [^|]+ \| {len(of_source)} \| {judged} \| {evidence} \| ')
            self.assertIn(f'>{source}</th>', report)
            self.assertRegex(done.stderr, rf'\d+ candidates from source {source}')
        self.assertRegex(done.stderr, r'\d+ judged evidence from source page')
        self.assertIn('names the member without a link', card)
        evidence = [json.loads(line) for line in (self.folder / 'all' / 'collection' / 'evidence.jsonl').read_text().splitlines()]
        self.assertEqual({line['source'] for line in evidence} - set(stated), set())
        self.run_program('validate', self.folder / 'all' / 'collection')

    def test_judges_are_asked_for_new_candidates_alone(self):
        server = JudgeServer(self)
        self.build('w', *server.settings())
        known = self.of_sources('w')
        before = server.counts()['answered']
        self.build('w', *server.settings(), *ALL)
        new = set(self.of_sources('w')) - set(known)
        self.assertGreater(len(new), 20)
        self.assertLessEqual(server.counts()['answered'] - before, len(new))
        after = server.counts()['answered']
        for sources, status in (('["mention"]', 4), ('["page"]', 0), ('["link"]', 0)):  # mentions alone give too little evidence
            self.build('w', *server.settings(), '--set', f'candidates.sources={sources}', status=status)
        self.assertEqual(server.counts()['answered'], after)
        self.assertEqual(self.of_sources('w'), known)

    def test_threads_and_an_interruption_do_not_show(self):
        self.build('one', *ALL, '--threads', '1')
        expected = self.results('one')
        self.build('four', *ALL, '--threads', '4')
        self.assert_same_results('four', expected, 'four threads:')
        self.build('cut', *ALL, environment={'TOUCHSTONE_KILL_AT': 'candidates.before_finish:1'}, status=None)
        self.build('cut', *ALL)
        self.assert_same_results('cut', expected, 'interrupted:')

    def test_bad_options_are_refused(self):
        for option, part in (('candidates.sources=[]', 'candidates.sources is empty'), ('candidates.sources=["anchor"]', 'anchor'),
                             ('candidates.sources=["own-article"]', 'own-article'), ('candidates.sources="link"', 'candidates.sources'),
                             ('candidates.max_added_per_member=0', 'candidates.max_added_per_member'), ('candidates.max_added_per_topic=-1', 'candidates.max_added_per_topic')):
            with self.subTest(option):
                self.assertIn(part, self.build('w', '--set', option, status=2).stderr)

    def test_validate_knows_what_a_source_may_say(self):
        self.build('w', *ALL)
        collection = self.folder / 'w' / 'collection'
        path = collection / 'judgments.jsonl.gz'
        original = gzip.decompress(path.read_bytes()).decode()
        for old, new, part in (('"source":"page"', '"source":"anchor"', 'has the source "anchor"'),
                               ('"source":"own-article"', '"source":"link"', 'passages of the member\'s own article have the source own-article'),
                               ('"source":"mention"', '"source":"page"', 'has the source page'),
                               ('"source":"link"', '"source":"mention"', 'by_source')):
            with self.subTest(new):
                self.assertIn(old, original)
                path.write_bytes(gzip.compress(original.replace(old, new, 1).encode(), mtime=0))
                sums = collection / 'sha256sums.txt'
                lines = sums.read_text().splitlines()
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
                sums.write_text(''.join((f'{digest}  {path.name}' if line.endswith('  ' + path.name) else line) + '\n' for line in lines))
                done = self.run_program('validate', collection, status=1)
                self.assertIn(part, done.stdout + done.stderr)
