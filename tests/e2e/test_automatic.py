"""Automatic collections: what is in the directory, that nothing leaks, and that kills and threads do not show."""
import collections
import gzip
import hashlib
import html
import json
import os
import re
import resource
import shutil
import signal
import urllib.parse

from harness import EndToEnd, need_data

SECTIONS = ['--set', 'automatic.min_sections=1', '--set', 'automatic.folds=2']  # the bundled wiki has few and short pages
LEVELS = ('article', 'toplevel', 'hierarchical', 'tree')


def rows(path, separator=None):
    return [line.split(separator) for line in path.read_text().splitlines()]


class Test(EndToEnd):
    def automatic(self, work, *arguments, **options):
        return self.build(work, '--to', 'automatic', *SECTIONS, *arguments, **options)

    def directory(self, work):
        root = self.folder / work / 'automatic'
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob('*') if path.is_file()}

    def assert_same_directory(self, work, expected):
        found = self.directory(work)
        self.assertEqual(sorted(found), sorted(expected))
        for name, text in expected.items():
            self.assertEqual(found[name], text, name)

    def test_every_judgment_is_about_a_topic_and_a_passage_of_the_collection(self):
        self.automatic('w')
        root = self.folder / 'w' / 'automatic'
        corpus = [json.loads(line) for line in (root / 'beir' / 'corpus.jsonl').read_text().splitlines()]
        ids = [passage['_id'] for passage in corpus]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual([row[0] for row in rows(root / 'ir_datasets' / 'docs.tsv', '\t')], ids)
        for passage in corpus:
            self.assertEqual(hashlib.sha1(passage['text'].encode()).hexdigest(), passage['_id'], passage)
        judged = 0
        for split in ('train', 'test'):
            queries = {row[0]: row[1] for row in rows(root / 'ir_datasets' / f'queries.{split}.tsv', '\t')}
            for level in LEVELS:
                qrels = rows(root / 'trec' / f'{split}.{level}.qrels')
                self.assertEqual(qrels, sorted(qrels))
                for topic, _, docid, grade in qrels:
                    self.assertIn(topic, queries)
                    self.assertIn(docid, ids)
                    self.assertEqual(grade, '1')
                judged += len(qrels)
                beir = root / 'beir' / ('qrels' if level == 'hierarchical' else f'qrels-{level}') / f'{split}.tsv'
                self.assertEqual([line for line in rows(beir, '\t')][1:], [[topic, docid, grade] for topic, _, docid, grade in qrels])
                car = rows(root / f'{split}.pages.cbor-{level}.qrels')
                self.assertEqual(sorted(docid for _, _, docid, _ in car), sorted(docid for _, _, docid, _ in qrels))
        self.assertGreater(judged, 100)

    def test_no_query_page_is_in_the_knowledge_base(self):
        self.automatic('w')
        root = self.folder / 'w' / 'automatic'
        queries = set((root / 'titles').read_text().splitlines())
        lines = gzip.decompress((root / 'allButBenchmark.pages.jsonl-splits' / 'pages-0.jsonl.gz').read_bytes()).decode().splitlines()
        knowledge = {json.loads(line)['page_name'] for line in lines}
        self.assertEqual(queries & knowledge, set())
        self.assertGreater(len(queries), 10)
        self.assertGreater(len(knowledge), 10)
        ids = set((root / 'topics').read_text().splitlines())
        inlinks = [inlink for line in lines for inlink in json.loads(line)['metadata']['inlink_ids']]
        self.assertEqual(set(inlinks) & ids, set())
        self.assertGreater(len(inlinks), 10)

    def test_the_files_are_those_that_the_program_itself_reads(self):
        self.automatic('w')
        root = self.folder / 'w' / 'automatic'
        for name in ('test.pages.cbor', 'test.pages.cbor-outlines.cbor', 'test.pages.cbor-paragraphs.cbor', 'dedup.articles-paragraphs.cbor', 'allButBenchmark.pages.cbor',
                     'test.pages.cbor-hierarchical.qrels'):
            self.run_program('car', 'validate', root / name)
        self.run_program('car', 'derive', root / 'test.pages.cbor', '--out', self.folder / 'derived')
        for level in LEVELS:  # the bundled wiki has no near-duplicates
            self.assertEqual((self.folder / 'derived' / f'{level}.qrels').read_text(), (root / f'test.pages.cbor-{level}.qrels').read_text(), level)
        for line in (root / 'sha256sums.txt').read_text().splitlines():
            digest, name = line.split('  ', 1)
            self.assertEqual(hashlib.sha256((root / name).read_bytes()).hexdigest(), digest, name)

    def test_validate_accepts_what_is_released(self):
        self.automatic('w', '--set', 'automatic.include_lists=true', '--set', 'automatic.include_captions=true', '--set', 'automatic.drop_images=false')
        done = self.run_program('validate', self.folder / 'w' / 'automatic')
        self.assertTrue(done.stdout.startswith('ok: '), done.stdout)
        self.assertIn('knowledge base pages', done.stdout)

    def test_every_passage_says_where_it_stands(self):
        self.automatic('w')
        root = self.folder / 'w' / 'automatic'
        lines = [json.loads(line) for line in gzip.open(root / 'locators.jsonl.gz', 'rt')]
        corpus = [json.loads(line) for line in (root / 'beir' / 'corpus.jsonl').read_text().splitlines()]
        self.assertEqual([line['docid'] for line in lines], [passage['_id'] for passage in corpus])
        pages = collections.Counter()
        for line in lines:
            self.assertTrue(line['locators'], line)
            for locator in line['locators']:
                pages[locator['page']] += 1
                address = locator['place'].split('#')
                self.assertRegex(address[0], r'^https://miniwiki\.example/wiki/[^?#]+\?oldid=[0-9]+$')
                self.assertEqual(address[1:], [locator['section'][-1].replace(' ', '_')] if locator['section'] else [])
        self.assertGreater(len(pages), 20)
        by_id = {line['docid']: line for line in lines}
        for topic, _, docid, _ in rows(root / 'trec' / 'test.article.qrels'):
            title = urllib.parse.unquote(topic.split(':', 1)[1])
            self.assertIn(title, [locator['page'] for locator in by_id[docid]['locators']])

    def test_validate_finds_a_query_page_that_the_locators_leave_out(self):
        self.automatic('w')
        root = self.folder / 'w' / 'automatic'
        docid = rows(root / 'trec' / 'test.article.qrels')[0][2]
        lines = gzip.open(root / 'locators.jsonl.gz', 'rt').read().splitlines(keepends=True)
        changed = [re.sub('"page":"', '"page":"Not ', line) if docid in line else line for line in lines]
        for text, problem in ((changed, f'leaves out the query page that passage "{docid}" is on'), (lines[1:], 'is not about the passage'),
                              (lines[:-1], f'has {len(lines) - 1} lines for {len(lines)} passages'), (['{}\n'] + lines[1:], 'line 1')):
            with gzip.open(root / 'locators.jsonl.gz', 'wt') as out:
                out.writelines(text)
            self.renew_digests(root)
            self.assertIn(problem, self.run_program('validate', root, status=1).stdout)

    def test_validate_finds_every_edited_file(self):
        self.automatic('calm')
        root = self.folder / 'calm' / 'automatic'
        names = [line.split('  ', 1)[1] for line in (root / 'sha256sums.txt').read_text().splitlines()]
        texts = [name for name in names if not name.endswith(('.cbor', '.gz')) and 'fold-' not in name and (root / name).stat().st_size > 0]
        self.assertGreater(len(texts), 30)
        for name in texts[::6]:
            with self.subTest(name):
                work = self.folder / 'edited'
                shutil.rmtree(work, ignore_errors=True)
                shutil.copytree(root, work)
                text = (work / name).read_bytes()
                (work / name).write_bytes(text.replace(b'a', b'b', 1))
                self.assertIn(name, self.run_program('validate', work, status=1).stdout)
                self.renew_digests(work)  # an edit by someone who knows how
                done = self.run_program('validate', work, status=1)
                self.assertIn('NOT ok', done.stdout)

    def test_a_stopped_validate_leaves_nothing_behind(self):
        self.automatic('w')
        place = self.folder / 'temporary'
        place.mkdir()
        done = self.run_program('validate', self.folder / 'w' / 'automatic', status=3,
                                environment={'TMPDIR': str(place), 'TOUCHSTONE_KILL_AT': f'validate.query_page:2:{int(signal.SIGINT)}'})
        self.assertTrue(done.stderr.startswith('stopped: '), done.stderr)
        self.assertEqual(list(place.iterdir()), [])
        self.run_program('validate', self.folder / 'w' / 'automatic', environment={'TMPDIR': str(place / 'none')})  # needs no space

    def test_many_folds_fit_into_the_usual_limit_of_open_files(self):
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, before[1]))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, before)
        self.automatic('w', '--set', 'automatic.folds=20')
        self.assertTrue((self.folder / 'w' / 'automatic' / 'fold-19-test.pages.cbor').exists())

    def test_validate_finds_a_query_page_in_the_knowledge_base(self):
        self.automatic('w')
        root = self.folder / 'w' / 'automatic'
        knowledge = root / 'allButBenchmark.pages.cbor'
        shutil.copyfile(root / 'test.pages.cbor', knowledge)
        self.renew_digests(root)
        done = self.run_program('validate', root, status=1)
        self.assertIn('leaks the query page', done.stdout)

    @staticmethod
    def renew_digests(root):
        names = [line.split('  ', 1)[1] for line in (root / 'sha256sums.txt').read_text().splitlines()]
        (root / 'sha256sums.txt').write_text(''.join(f'{hashlib.sha256((root / name).read_bytes()).hexdigest()}  {name}\n' for name in names))

    def test_a_build_says_what_it_made(self):
        done = self.automatic('w')
        self.assertRegex(done.stdout, r'-automatic, labels from the structure of the pages\n  train +topics +9 ')
        self.assertIn('corpus      132 passages', done.stdout)
        both = self.build('w', '--to', 'all', *SECTIONS).stdout
        self.assertIn('labels by lexical', both)
        self.assertIn('labels from the structure of the pages', both)
        self.assertIn(f'report      {self.folder / "w" / "automatic-report.html"}\n', done.stdout)
        self.assertIn(f'report      {self.folder / "w" / "automatic-report.html"}\n', both)
        facets = self.run_program('facets', '--work', self.folder / 'w').stdout
        self.assertRegex(facets, r'20 of \d+ pages are query pages')
        self.assertIn('few sections', facets)

    def report(self, work):
        """The texts of the report's pages by name."""
        root = self.folder / work
        return {str(path.relative_to(root)): path.read_text() for path in [root / 'automatic-report.html', *(root / 'automatic-report').iterdir()]}

    def test_the_report_leads_to_every_topic_facet_and_passage(self):
        self.automatic('w')
        pages = self.report('w')
        first = pages['automatic-report.html']
        topics = [row[1] for row in rows(self.folder / 'w' / 'automatic' / 'topics.tsv', '\t')]
        links = re.findall(r'<li><a href="(automatic-report/[^"#]+)#(t\d+)" dir="auto">([^<]*)</a>', first)
        self.assertEqual(sorted(html.unescape(title) for _, _, title in links), sorted(topics))
        for file, anchor, title in links:
            self.assertIn(f'id="{anchor}"><header><h2 dir="auto">{title}</h2>', pages[file])
        for name, text in pages.items():  # every link leads somewhere
            for target in re.findall(r'href="([^"]*)"', text):
                file, _, anchor = target.partition('#')
                place = os.path.normpath(os.path.join(os.path.dirname(name), file)) if file else name
                self.assertIn(place, pages, target)
                if anchor:
                    self.assertIn(f'id="{anchor}"', pages[place], target)
            self.assertNotRegex(text, r'(src|href)="(https?:)?//')
        for split in ('train', 'test'):
            text = ''.join(page for name, page in pages.items() if name.startswith(f'automatic-report/{split}-'))
            for topic, _, docid, _ in rows(self.folder / 'w' / 'automatic' / 'trec' / f'{split}.hierarchical.qrels'):
                self.assertIn(f'<code>{docid}</code>', text)
                self.assertIn(f'<code>{html.escape(topic)}</code>', text)

    def test_the_report_has_the_numbers_of_the_qrels(self):
        self.automatic('w')
        first = self.report('w')['automatic-report.html']
        judged = {}
        for split in ('train', 'test'):
            found = rows(self.folder / 'w' / 'automatic' / f'{split}.pages.cbor-hierarchical.qrels')
            facets = [(topic, docid) for topic, _, docid, _ in found if '/' in topic]
            judged[split] = (len({topic for topic, _ in facets}), len(facets))
        cells = {row[0]: row[1:3] for row in re.findall(r'<tr><th scope="row">([^<]*)</th><td class="n">([^<]*)</td><td class="n">([^<]*)</td><td class="n paper">', first)}
        self.assertEqual(cells['Facets (title/heading) with passages directly below'], tuple(str(judged[split][0]) for split in ('train', 'test')))
        self.assertEqual(cells['Relevant passages, each with its innermost facet'], tuple(str(judged[split][1]) for split in ('train', 'test')))
        self.assertIn('20 of ', first)
        self.assertIn('No leak found', first)
        self.assertIn('The training part has 9 topics', first)

    def test_a_missing_report_is_written_again_alone(self):
        self.automatic('w')
        expected = self.report('w')
        for damage in (lambda root: (root / 'automatic-report.html').unlink(), lambda root: shutil.rmtree(root / 'automatic-report'),
                       lambda root: (root / 'automatic-report' / 'test-1.html').unlink()):
            damage(self.folder / 'w')
            done = self.automatic('w')
            self.assertIn('export-automatic: done before', done.stderr)
            self.assertNotIn('report-automatic: done before', done.stderr)
            self.assertEqual(self.report('w'), expected)
        self.assertIn('report-automatic: done before', self.automatic('w').stderr)

    def test_a_report_that_the_program_did_not_write_stays(self):
        self.automatic('w')
        (self.folder / 'w' / 'automatic-report' / 'my-notes.txt').write_text('mine')
        done = self.run_program('report-automatic', '--work', self.folder / 'w', '--force', status=1)
        self.assert_one_error(done, 'my-notes.txt')

    def test_threads_do_not_show(self):
        self.automatic('one', '--threads', '1')
        expected = self.directory('one')
        self.automatic('two', '--threads', '2')
        self.assert_same_directory('two', expected)
        self.assertEqual(self.report('one'), self.report('two'))

    def test_both_collections_share_the_stages_before_them(self):
        self.build('both', '--to', 'all', *SECTIONS)
        self.build('evidence')
        self.assertEqual((self.folder / 'both' / 'collection' / 'qrels.txt').read_bytes(), (self.folder / 'evidence' / 'collection' / 'qrels.txt').read_bytes())
        self.automatic('automatic')
        self.assertEqual(self.directory('both')['test.pages.cbor'], self.directory('automatic')['test.pages.cbor'])

    def test_killed_in_any_stage_the_next_run_gives_the_same(self):
        self.automatic('calm')
        expected, report = self.directory('calm'), self.report('calm')
        for point in ('pages.before_finish', 'paragraphs.read', 'paragraphs.before_finish', 'facets.before_finish', 'export_automatic.query_pages', 'export_automatic.knowledge_base',
                      'export_automatic.before_finish', 'report_automatic.topics', 'report_automatic.before_finish'):
            with self.subTest(point):
                done = self.automatic(point, environment={'TOUCHSTONE_KILL_AT': point}, status=None)
                self.assertEqual(done.returncode, -signal.SIGKILL)
                self.automatic(point)
                self.assert_same_directory(point, expected)
                self.assertEqual(self.report(point), report)

    def test_a_person_drops_and_rewords_topics_and_headings(self):
        self.automatic('w')
        review = (self.folder / 'w' / 'automatic-review.tsv').read_text().splitlines()
        table = [line.split('\t') for line in review]
        topics = [row for row in table[1:] if row[1] == 'topic']
        headings = [row for row in table[1:] if row[1] == 'heading']
        dropped, reworded = topics[0][2], next(row for row in headings if row[2] != topics[0][2])
        for row in table:
            if row[1] == 'topic' and row[2] == dropped:
                row[0] = 'drop'
            if row is reworded:
                row[0], row[4] = 'reword', 'a better question'
        decided = self.folder / 'decided.tsv'
        decided.write_text('\n'.join('\t'.join(row) for row in table) + '\n')
        self.automatic('w', '--review', decided)
        titles = (self.folder / 'w' / 'automatic' / 'titles').read_text().splitlines()
        self.assertNotIn(dropped, titles)
        self.assertEqual(len(titles), len(topics) - 1)
        queries = (self.folder / 'w' / 'automatic' / 'beir' / 'queries.jsonl').read_text()
        self.assertIn(reworded[2] + ' a better question', queries)

    def test_a_wrong_predicate_is_one_error_that_points_at_the_column(self):
        done = self.automatic('w', '--select', 'name-contains "x" & nmae-has-prefix "y"', status=2)
        self.assert_one_error(done, 'automatic.select', 'column 21', 'name-has-prefix')

    def test_a_real_wiki_gives_a_collection(self):
        dump = need_data(self, 'ltgwiki-2017-pages-articles.xml.bz2')
        self.run_program('--progress', 'never', 'build', '--to', 'automatic', '--dump', dump, '--work', self.folder / 'w')
        root = self.folder / 'w' / 'automatic'
        counts = collections.Counter(topic for topic, _, _, _ in rows(root / 'test.pages.cbor-hierarchical.qrels'))
        self.assertGreater(len(counts), 100)
        for name in ('train.pages.cbor', 'test.pages.cbor', 'allButBenchmark.pages.cbor', 'dedup.articles-paragraphs.cbor'):
            self.run_program('car', 'validate', root / name)
        self.run_program('validate', root)
