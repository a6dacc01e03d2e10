"""The next month's build takes over from the work directory of the month before what did not change: the bytes of a build from nothing."""
import gzip
import json
import re
import shutil
import signal
import subprocess
import sys

from harness import DUMP, SMALL_BATCHES, SOURCE, EndToEnd
from judge_server import JudgeServer

FILES = ['topics.tsv', 'qrels.txt', 'corpus.jsonl.gz', 'evidence.jsonl', 'members.jsonl', 'queries.jsonl', 'discarded.tsv']
TEMPLATE = '''<page><title>Template:Stones</title><ns>10</ns><id>9001</id><revision><id>90001</id><timestamp>2024-12-01T00:00:00Z</timestamp>
<model>wikitext</model><format>text/x-wiki</format><text>%s stones</text></revision></page>
'''


class Test(EndToEnd):
    def next_month(self, dump, seed=1, share=0.1):
        made = self.folder / f'{dump.stem}-{seed}.xml'
        made.write_bytes(subprocess.run([sys.executable, SOURCE / 'bench' / 'next_month.py', dump, '--share', str(share), '--seed', str(seed)], stdout=subprocess.PIPE, check=True).stdout)
        return made

    def build_next(self, work, previous, *arguments, **options):
        return self.build(work, '--previous', self.folder / previous, *arguments, **options)

    def taken_over(self, done):
        found = re.search(r'(\d+) pages taken over from the previous dump', done.stderr)
        return int(found[1]) if found else 0

    def assert_same_collection(self, work, expected):
        for name in FILES:
            mine, other = (self.folder / folder / 'collection' / name for folder in (work, expected))
            self.assertEqual(mine.read_bytes(), other.read_bytes(), name)

    def counts_of_ingest(self, work):
        return {name: count for name, count in self.manifest(work)['stages']['ingest']['counts'].items() if 'taken over' not in name}

    def test_three_months_have_the_bytes_of_builds_from_nothing(self):
        dump, before = DUMP, 'm0'
        self.build('m0')
        for month in range(1, 4):
            dump = self.next_month(dump, month)
            done = self.build_next(f'm{month}', before, dump=dump)
            self.build(f'whole{month}', dump=dump)
            self.assertGreater(self.taken_over(done), 100)
            self.assert_same_collection(f'm{month}', f'whole{month}')
            self.assertEqual(self.counts_of_ingest(f'm{month}'), self.counts_of_ingest(f'whole{month}'))
            before = f'm{month}'
        chain = self.manifest('m3')['previous']
        self.assertEqual([month['dumps'][0]['name'] for month in chain], [f'{DUMP.stem}-1-2.xml', f'{DUMP.stem}-1.xml', DUMP.name])
        self.assertNotIn('previous', self.manifest('whole3'))

    def test_automatic_collections_too(self):
        automatic = ['--to', 'automatic', '--set', 'automatic.min_sections=1', '--set', 'automatic.folds=2']
        dump = self.next_month(DUMP)
        self.build('m0', *automatic)
        self.build_next('m1', 'm0', *automatic, dump=dump)
        self.build('whole', *automatic, dump=dump)
        for path in sorted((self.folder / 'whole' / 'automatic').rglob('*')):
            if path.is_file() and path.name not in ('manifest.json', 'sha256sums.txt', 'README.md'):
                name = path.relative_to(self.folder / 'whole')
                self.assertEqual((self.folder / 'm1' / name).read_bytes(), path.read_bytes(), name)

    def test_only_changed_questions_are_asked(self):
        server = JudgeServer(self)
        dump = self.next_month(DUMP)
        self.build('m0', *server.settings())
        asked = server.counts()['distinct']
        self.build_next('m1', 'm0', *server.settings(), dump=dump)
        again = server.counts()['distinct'] - asked
        self.assertLess(again, asked / 5)
        self.build('whole', *server.settings(), dump=dump)
        self.assertEqual(server.counts()['distinct'], asked + again, 'a build from nothing asks the same questions')
        self.assert_same_collection('m1', 'whole')
        # What was taken over is kept: the month before is not needed any more.
        shutil.rmtree(self.folder / 'm0')
        before = server.counts()['requests']
        self.run_program('judge', '--work', self.folder / 'm1', '--force')
        self.assertEqual(server.counts()['requests'], before)
        self.assert_same_collection('m1', 'whole')

    def test_a_dry_run_counts_what_the_month_before_does_not_answer(self):
        server = JudgeServer(self)
        self.build('m0', *server.settings())
        arguments = [*server.settings(), '--set', f'previous.work={self.folder / "m0"}']
        self.build('m1', '--to', 'candidates', *arguments, dump=self.next_month(DUMP))
        shown = self.run_program('judge', '--work', self.folder / 'm1', '--dry-run').stdout
        judgments, known, requests = map(int, re.search(r'judge: (\d+) judgments, (\d+) known; to be asked:(?s:.*?)(\d+) requests [^\n]*in all', shown).groups())
        asked = server.counts()['requests']
        self.run_program('judge', '--work', self.folder / 'm1')
        self.assertEqual(server.counts()['requests'] - asked, requests)
        self.assertEqual(judgments - known, requests)
        self.assertLess(requests, judgments / 5)

    def showing(self, name, shown, more=''):
        """The bundled wiki, whose first page shows something, with more pages."""
        made = self.folder / f'{name}.xml'
        before, text, rest = re.split(r'(<text[^>]*>)', DUMP.read_text(), maxsplit=1)
        made.write_text((before + text + shown + ' ' + rest).replace('</mediawiki>', more + '</mediawiki>'))
        return made

    def test_pages_with_a_changed_template_are_read_again(self):
        wiki = lambda colour: self.showing(colour, '{{Stones}}', TEMPLATE % colour)
        expand = ['--set', 'ingest.templates=expand', '--set', 'ingest.checksum=warn', '--to', 'link']
        self.build('m0', *expand, dump=wiki('Grey'))
        same = self.build_next('same', 'm0', *expand, dump=wiki('Grey'))
        other = self.build_next('m1', 'm0', *expand, dump=wiki('Red'))
        self.assertEqual(self.taken_over(other), self.taken_over(same) - 2, 'but for the template and the page that shows it')

    def test_pages_that_show_the_date_are_read_again_on_another_one(self):
        dump = self.showing('dated', '{{CURRENTYEAR}}')
        on = lambda day: ['--set', 'ingest.checksum=warn', '--to', 'link', '--set', f'ingest.now={day}']
        self.build('m0', *on('2025-01-01'), dump=dump)
        same = self.build_next('same', 'm0', *on('2025-01-01'), dump=dump)
        other = self.build_next('m1', 'm0', *on('2026-01-01'), dump=dump)
        self.assertEqual(self.taken_over(other), self.taken_over(same) - 1)

    def assert_same_reading(self, work, expected):
        """Whether records and all that reading said of them are the same."""
        for folder in (work, expected):
            self.run_program('links', '--work', self.folder / folder, '--resolved', '--out', self.folder / f'{folder}.tsv')
        self.assertEqual((self.folder / f'{work}.tsv').read_bytes(), (self.folder / f'{expected}.tsv').read_bytes())
        mine, other = (self.manifest_of_store(folder) for folder in (work, expected))
        self.assertEqual(mine['counts'].pop('pages taken over from the previous dump', 0) > 0, work != expected)
        self.assertEqual(mine, other)

    def manifest_of_store(self, work):
        stages = json.loads(self.run_program('status', '--work', self.folder / work, '--format', 'json').stdout)['stages']
        ingest = next(stage for stage in stages if stage['stage'] == 'ingest')
        return {name: ingest[name] for name in ('counts', 'rejected', 'samples', 'warnings')}

    def test_equal_bytes_are_read_again_if_a_page_that_they_ask_for_came_or_went(self):
        expand = ['--set', 'ingest.templates=expand', '--set', 'ingest.checksum=warn', '--to', 'link']
        asks = '{{#ifexist:Template:Stones|[[Amber]]|[[Basalt]]}}'
        there, gone = (self.showing(name, asks, more) for name, more in (('there', TEMPLATE % 'Grey'), ('gone', '')))
        for before, now in ((there, gone), (gone, there)):
            self.build(f'm-{before.stem}', *expand, dump=before)
            done = self.build_next(f'n-{now.stem}', f'm-{before.stem}', *expand, dump=now)
            self.build(f'w-{now.stem}', *expand, dump=now)
            self.assertGreater(self.taken_over(done), 100)
            self.assert_same_reading(f'n-{now.stem}', f'w-{now.stem}')

    def test_remarks_on_pages_are_taken_over_with_them(self):
        """Here on a text that does not match its SHA-1, on one that is not escaped, and on a page that is no wikitext."""
        style = TEMPLATE.replace('wikitext</model>', 'css</model>') % 'a {}'
        unescaped = TEMPLATE.replace('9001', '9002').replace('Stones', 'Bones') % '<b>bold</b>'
        dump, warn = self.showing('odd', 'damaged', style + unescaped), ['--set', 'ingest.checksum=warn', '--to', 'link']
        self.build('m0', *warn, dump=dump)
        self.build_next('m1', 'm0', *warn, dump=dump)
        self.build_next('m2', 'm1', *warn, dump=dump)
        self.build('whole', *warn, dump=dump)
        self.assertGreaterEqual(len(self.manifest_of_store('whole')['rejected']), 3)
        self.assert_same_reading('m1', 'whole')
        self.assert_same_reading('m2', 'whole')
        self.assert_one_error(self.build_next('strict', 'm0', '--to', 'link', dump=dump, status=None), 'does not match the SHA-1')

    def test_files_in_another_order_and_of_another_head_give_what_a_build_from_nothing_gives(self):
        head, pages = DUMP.read_text().split('</siteinfo>')
        pages = re.findall(r'<page>.*?</page>', pages, re.DOTALL)
        cut = len(pages) // 2

        def half(name, head, pages):
            made = self.folder / f'{name}.xml'
            made.write_text(head + '</siteinfo>' + '\n'.join(pages) + '</mediawiki>')
            return made

        renamed = re.sub(r'>Category</namespace>', '>Klasse</namespace>', head)
        self.assertNotEqual(renamed, head)
        first, second, other = half('a', head, pages[:cut]), half('b', head, pages[cut:]), half('c', renamed, pages[cut:])
        for number, (before, now) in enumerate((((first, second), (second, first)), ((first, second), (first, other)), ((first, other), (first, second)))):
            build = lambda work, files, *more: self.build(work, '--dump', files[1], '--to', 'link', *more, dump=files[0])
            build(f'm{number}', before)
            build(f'n{number}', now, '--previous', self.folder / f'm{number}')
            build(f'w{number}', now)
            self.assert_same_reading(f'n{number}', f'w{number}')

    def test_unchanged_pages_follow_what_became_boilerplate_or_no_longer_is(self):
        sentence = 'The keepers of this register thank all who wrote to them about it.'
        warn = ['--set', 'ingest.checksum=warn', '--set', 'passages.boilerplate_share=0.2', '--set', 'passages.boilerplate_pages=20']

        def wiki(name, pages):
            """The bundled wiki with the sentence at the beginning of some articles."""
            left = iter(range(pages))
            made = self.folder / f'{name}.xml'
            add = lambda page: re.sub(r'(<text[^>]*>)', rf'\1{sentence} ', page[0]) if '<ns>0</ns>' in page[0] and '<redirect' not in page[0] and next(left, None) is not None else page[0]
            made.write_text(re.sub(r'<page>.*?</page>', add, DUMP.read_text(), flags=re.DOTALL))
            return made

        few, many = wiki('few', 10), wiki('many', 45)
        corpus = lambda work: gzip.decompress((self.folder / work / 'collection/corpus.jsonl.gz').read_bytes()).decode()
        self.build('few', *warn, dump=few)
        self.build('many', *warn, dump=many)
        self.assertEqual([corpus(work).count(sentence) > 5 for work in ('few', 'many')], [True, False])
        for now, before, dump in (('many', 'few', many), ('few', 'many', few)):
            self.build_next(f'{before}-{now}', before, *warn, dump=dump)
            self.assert_same_collection(f'{before}-{now}', now)
        other = ['--set', 'passages.scope=all', '--set', 'passages.min_words=3']
        self.build_next('all', 'few', *warn, *other, dump=few)
        self.build('whole', *warn, *other, dump=few)
        self.assert_same_collection('all', 'whole')
        self.assert_same_stage_files('all', 'whole')

    def assert_same_stage_files(self, work, expected):
        """Whether what the stages hand to each other is the same, with what the next dump takes over."""
        files = lambda folder: {path.relative_to(self.folder / folder): path.read_bytes() for path in sorted((self.folder / folder / 'stages').rglob('*')) if path.is_file()}
        mine, other = files(work), files(expected)
        self.assertEqual(mine.keys(), other.keys())
        self.assertGreater(len({name.parts[1] for name in mine if len(name.parts) > 2}), 3)
        for name, content in mine.items():
            self.assertEqual(content, other[name], name)

    def test_stages_hand_on_what_a_build_from_nothing_hands_on(self):
        """Also where a dump is built twice, where all is taken over, and where other options leave nothing to take over."""
        dump = self.next_month(DUMP, share=0.3)
        self.build('m0')
        self.build_next('m1', 'm0', dump=dump)
        self.build_next('twice', 'm1', dump=dump)
        self.build('whole', dump=dump)
        for work in ('m1', 'twice'):
            self.assert_same_stage_files(work, 'whole')
        other = ['--set', 'passages.scope=all', '--set', 'passages.repeats=exact']
        self.build_next('other', 'm0', *other, dump=dump)
        self.build('whole-other', *other, dump=dump)
        self.assert_same_stage_files('other', 'whole-other')

    def test_copies_pages_out_of_order_and_two_pages_with_one_title_are_read_as_from_nothing(self):
        head, rest = DUMP.read_text().split('</siteinfo>')
        pages = re.findall(r'<page>.*?</page>', rest, re.DOTALL)
        title = lambda page: re.search(r'<title>(.*?)</title>', page)[1]

        def wiki(name, pages):
            made = self.folder / f'{name}.xml'
            made.write_text(head + '</siteinfo>' + '\n'.join(pages) + '</mediawiki>')
            return made

        articles = [page for page in pages if '<ns>0</ns>' in page and '<redirect' not in page]
        twin = re.sub(r'<id>\d+</id>', '<id>99001</id>', articles[3], count=1)
        newer = re.sub(r'(<revision>\s*<id>)\d+', r'\g<1>99999999', articles[5]).replace('</text>', ' Newer.</text>')
        renamed = articles[7].replace(f'<title>{title(articles[7])}</title>', f'<title>{title(articles[9])}</title>')
        plain, warn = wiki('plain', pages), ['--set', 'ingest.checksum=warn', '--to', 'link']
        odd = {'twin': [*pages, twin], 'without': [page for page in pages if page != articles[3]] + [twin], 'backwards': pages[::-1], 'copies': [*pages, newer, articles[5], articles[6]],
               'renamed': [renamed if page == articles[7] else page for page in pages], 'half': pages[:len(pages) // 2]}
        dumps = {name: wiki(name, chosen) for name, chosen in odd.items()} | {'plain': plain}
        for name, dump in dumps.items():
            self.build(f'w-{name}', *warn, dump=dump)
        for before, now in (('plain', 'twin'), ('twin', 'plain'), ('twin', 'without'), ('without', 'twin'), ('plain', 'backwards'), ('backwards', 'copies'), ('copies', 'copies'),
                            ('copies', 'plain'), ('plain', 'renamed'), ('renamed', 'plain'), ('half', 'plain'), ('plain', 'half')):
            with self.subTest(before=before, now=now):
                self.build_next('n', f'w-{before}', *warn, dump=dumps[now])
                self.assert_same_reading('n', f'w-{now}')
                shutil.rmtree(self.folder / 'n')

    def test_a_run_that_was_stopped_goes_on_with_the_same_month_before_alone(self):
        dump = self.next_month(DUMP)
        self.build('m0', '--to', 'link')
        self.build('other', '--to', 'link', '--set', 'ingest.checksum=warn', dump=self.showing('odd', 'other', TEMPLATE % 'Grey'))
        begin = lambda: self.build_next('m1', 'm0', '--to', 'link', *SMALL_BATCHES, dump=dump, environment={'TOUCHSTONE_KILL_AT': 'ingest.run:1'}, status=None)
        begin()
        self.assert_one_error(self.build_next('m1', 'other', '--to', 'link', *SMALL_BATCHES, dump=dump, status=None), 'from another work directory', 'name that one')

    def test_killed_anywhere_in_the_second_month_the_next_run_gives_the_same(self):
        dump = self.next_month(DUMP)
        self.build('m0')
        self.build_next('calm', 'm0', *SMALL_BATCHES, dump=dump)
        expected = self.results('calm')
        for point in ('ingest.batch:3', 'ingest.batch:9', 'ingest.run:1', 'ingest.merged:1', 'judge.topic:2', 'judge.before_finish:1', 'export.before_finish:1', 'runner.done:4'):
            with self.subTest(point):
                shutil.rmtree(self.folder / 'm1', ignore_errors=True)
                done = self.build_next('m1', 'm0', *SMALL_BATCHES, dump=dump, environment={'TOUCHSTONE_KILL_AT': point}, status=None)
                self.assertEqual(done.returncode, -signal.SIGKILL, point)
                self.build_next('m1', 'm0', *SMALL_BATCHES, dump=dump)
                self.assert_same_results('m1', expected, point)

    # Frozen topics, and new passages alone.

    def lines(self, work, name):
        return (self.folder / work / 'collection' / name).read_text().splitlines()

    def test_frozen_topics_stay_while_passages_and_judgments_follow(self):
        self.build('m0')
        page = next(line['metadata']['page'] for line in map(json.loads, self.lines('m0', 'queries.jsonl')))
        dump = self.next_month(DUMP, seed=5, share=0.3)
        text = dump.read_text()
        self.assertIn(f'<title>{page}</title>', text)
        dump.write_text(text.replace(f'<title>{page}</title>', f'<title>{page} and others</title>'))  # a list that was moved
        self.build_next('m1', 'm0', '--freeze-topics', dump=dump)
        self.build('whole', dump=dump)
        self.assertEqual(self.lines('m1', 'topics.tsv'), self.lines('m0', 'topics.tsv'))
        self.assertNotEqual(self.lines('whole', 'topics.tsv'), self.lines('m0', 'topics.tsv'))
        self.assertEqual(gzip.decompress((self.folder / 'm1/collection/corpus.jsonl.gz').read_bytes()), gzip.decompress((self.folder / 'whole/collection/corpus.jsonl.gz').read_bytes()))
        self.assertIn('ok: ', self.run_program('validate', self.folder / 'm1' / 'collection').stdout)
        members = lambda work: {(line['topic'], line['page_id']) for line in map(json.loads, self.lines(work, 'members.jsonl'))}
        pages = re.findall(r'<page>.*?</page>', dump.read_text(), re.DOTALL)
        articles = {int(re.search(r'<id>(\d+)</id>', one)[1]) for one in pages if '<redirect' not in one}
        self.assertLessEqual({member for member in members('m0') if member[1] in articles}, members('m1'))
        self.assertLessEqual({page for _, page in members('m1')}, articles)
        self.assertFalse({page for _, page in members('m0')} <= articles, 'no member was deleted or merged')
        self.assert_one_error(self.build('x', '--freeze-topics', dump=dump, status=2), 'name its work directory with --previous')
        self.build('half', '--to', 'judge')
        self.assert_one_error(self.build_next('y', 'half', '--freeze-topics', dump=dump, status=None), 'finish the build of', 'which releases the topics to keep')

    def test_only_what_is_newer_than_a_day_is_evidence(self):
        self.build('m0')
        day = self.manifest('m0')['collection']['dump_date'][:10]
        dump = self.next_month(DUMP, seed=5, share=0.3)
        self.build_next('m1', 'm0', '--only-new', day, '--set', 'topics.min_evidence=1', dump=dump)
        new_pages = {int(page) for page, time in re.findall(r'<id>(\d+)</id>\s*<revision>.*?<timestamp>([^<]*)</timestamp>', dump.read_text(), re.DOTALL) if time[:10] > day}
        texts = lambda work: {line['_id']: line['text'] for line in map(json.loads, gzip.decompress((self.folder / work / 'collection/corpus.jsonl.gz').read_bytes()).splitlines())}
        before, now = set(texts('m0').values()), texts('m1')
        judged = {line.split()[2] for line in self.lines('m1', 'qrels.txt')}
        self.assertGreater(len(judged), 10)
        for docid in judged:
            self.assertIn(int(docid.split('-')[-2]), new_pages)
            self.assertNotIn(now[docid], before)
        self.assert_one_error(self.build('x', '--only-new', 'soon', status=2), 'is no day', '2026-05-31')

    def test_facets_of_an_automatic_collection_are_newer_than_a_day(self):
        automatic = ['--to', 'automatic', '--set', 'automatic.min_sections=1', '--set', 'automatic.folds=2', '--set', 'near_duplicates.threshold=1']
        self.build('m0', *automatic)
        day = re.search(r'"dump_date": "([^"]{10})', (self.folder / 'm0/automatic/manifest.json').read_text())[1]
        dump = self.next_month(DUMP, seed=5, share=0.4)
        self.build_next('m1', 'm0', *automatic, '--only-new', day, dump=dump)
        self.build_next('all', 'm0', *automatic, dump=dump)
        read = lambda work, name: (self.folder / work / 'automatic' / name).read_text().splitlines()
        passages = lambda work: dict(line.split('\t', 1) for line in read(work, 'ir_datasets/docs.tsv'))
        new = [title for title, time in re.findall(r'<page>\s*<title>(.*?)</title>.*?<timestamp>([^<]*)</timestamp>', dump.read_text(), re.DOTALL) if time[:10] > day]
        judged = lambda work: {tuple(line.split()[0:3:2]) for split in ('train', 'test') for line in read(work, f'trec/{split}.article.qrels')}
        rows = judged('m1')
        self.assertGreater(len(rows), 5)
        self.assertEqual(rows & judged('m0'), set(), 'the page had these passages before the day')
        self.assertLess(rows, judged('all'))
        self.assertEqual(passages('m1').keys(), passages('all').keys(), 'the corpus stays whole')
        for title in {line.split('\t')[1] for split in ('train', 'test') for line in read('m1', f'trec/{split}.article.topics.tsv')}:
            self.assertIn(title, new)
        self.assertIn('pages without a revision after previous.only_new left out', self.run_program('status', '--work', self.folder / 'm1', '--format', 'json').stdout)
        self.run_program('validate', self.folder / 'm1/automatic')

    # What cannot be a month before.

    def test_what_cannot_be_the_month_before_is_refused_in_one_sentence(self):
        dump = self.next_month(DUMP)
        self.build('m0', '--to', 'link')
        self.build('m1', '--to', 'link', dump=dump)
        fails = lambda work, previous, *more, dump=dump: self.build_next(work, previous, '--to', 'link', *more, dump=dump, status=None)
        self.assert_one_error(fails('x', 'nowhere'), 'there is no work directory', 'name that of an earlier dump')
        self.assertFalse((self.folder / 'x').exists())
        self.assert_one_error(fails('m0', 'm0'), 'is the work directory of this build', 'give each dump one of its own')
        self.assert_one_error(fails('x', 'm1', dump=DUMP), 'is older than the pages', '--previous')
        self.assert_one_error(fails('x', 'm0', '--set', 'ingest.templates=drop'), 'read in another way', 'ingest.templates')
        other = self.folder / 'other.xml'
        other.write_text(dump.read_text().replace('<dbname>miniwiki</dbname>', '<dbname>otherwiki</dbname>'))
        self.assert_one_error(fails('x', 'm0', dump=other), 'of the wiki "miniwiki"', 'of the wiki "otherwiki"')
        self.build('half', '--to', 'link', environment={'TOUCHSTONE_KILL_AT': 'ingest.merged:1'}, status=None)
        self.assert_one_error(fails('y', 'half'), 'not read to the end', 'finish that build first')
        self.assertFalse((self.folder / 'y').exists())
        self.put_into_store('m0', b'schema_version', b'0')
        self.assert_one_error(fails('y', 'm0'), 'was made by an older touchstone', 'build it again from the dump')


if __name__ == '__main__':
    import unittest
    unittest.main()
