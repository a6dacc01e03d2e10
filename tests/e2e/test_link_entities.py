"""Entity linking: dictionaries, annotations, the comparison with editors' links, and collections from a linker's links."""
import gzip
import json

from harness import DUMP, EndToEnd

WIDE = ['--set', 'passages.granularity=paragraph', '--set', 'passages.scope=all']
LENIENT = ['--set', 'linker.min_score=0', '--set', 'linker.min_link_probability=0']
SECTIONS = ['--set', 'automatic.min_sections=1', '--set', 'automatic.folds=2']


def annotations(text):
    return [json.loads(line) for line in text.splitlines()]


class Test(EndToEnd):
    def linked(self, *arguments, **options):
        return self.run_program('link-entities', *arguments, **options)

    def dictionary(self, *arguments, name='anchors.dictionary'):
        if not (self.folder / 'w').exists():
            self.build('w', '--to', 'link')
        self.linked('--work', self.folder / 'w', '--make', self.folder / name, *arguments)
        return self.folder / name

    def test_passages_of_a_store_get_the_entities_that_stand_in_them(self):
        dictionary = self.dictionary()
        out = self.folder / 'entities.jsonl'
        self.linked('--work', self.folder / 'w', '--dictionary', dictionary, '--out', out, *WIDE)
        corpus = self.run_program('show', 'passages', 'Old Tolmouth Light', '--work', self.folder / 'w', '--format', 'json', *WIDE).stdout
        texts = {passage['docid']: passage['text'] for passage in json.loads(corpus)['passages']}
        found = annotations(out.read_text())
        self.assertGreater(len(found), 50)
        seen = 0
        for line in found:
            self.assertEqual(list(line), ['docid', 'title', 'spans', 'probability', 'commonness', 'coherence', 'score'])
            self.assertTrue(line['spans'])
            for begin, end in line['spans']:
                if line['docid'] in texts:
                    seen += 1
                    self.assertTrue(texts[line['docid']][begin:end].strip())
            self.assertGreaterEqual(line['score'], 0.25)
            self.assertAlmostEqual(line['score'], (line['probability'] + line['coherence']) / 2, delta=0.0002)
        self.assertGreater(seen, 0)

    def test_threads_and_a_second_dictionary_give_the_same_bytes(self):
        first = self.dictionary('-j', '1', name='a').read_bytes()
        self.assertEqual(self.dictionary('-j', '4', name='b').read_bytes(), first)
        outputs = set()
        for threads in ('1', '4'):
            out = self.folder / f'{threads}.jsonl'
            self.linked('--work', self.folder / 'w', '--dictionary', self.folder / 'a', '--out', out, '-j', threads, *WIDE)
            outputs.add(out.read_bytes())
        self.assertEqual(len(outputs), 1)

    def test_pages_of_json_lines_and_plain_text_are_linked_without_a_store(self):
        dictionary = self.dictionary()
        text = 'Old Tolmouth Light is a lighthouse.\nIt stands in Ostrand.\n\nNothing here.\n\nOstrand again.\n'
        (self.folder / 'my notes.txt').write_text(text)
        page = {'title': 'P', 'sections': [{'paragraphs': ['Old Tolmouth Light is a lighthouse. It stands in Ostrand.']}]}
        (self.folder / 'p.jsonl').write_text('\n' + json.dumps(page) + '\n')
        plain = annotations(self.linked('--pages', self.folder / 'my notes.txt', '--dictionary', dictionary, '--out', '-', *LENIENT).stdout)
        lines = annotations(self.linked('--pages', self.folder / 'p.jsonl', '--dictionary', dictionary, '--out', '-', *LENIENT).stdout)
        self.assertIn(('mynotes-1-0', 'Old Tolmouth Light', [[0, 18]]), [(a['docid'], a['title'], a['spans']) for a in plain])
        self.assertIn(('mynotes-1-2', 'Ostrand'), [(a['docid'], a['title']) for a in plain])
        self.assertIn(('p-2-0', 'Old Tolmouth Light', [[0, 18]]), [(a['docid'], a['title'], a['spans']) for a in lines])

    def test_the_evaluation_prints_the_linker_beside_the_prior(self):
        self.dictionary()
        work = self.folder / 'w'
        table = self.linked('--work', work, '--evaluate', '--held-out', '0.3').stdout
        for word in ('links of their editors', 'voting', 'prior only', 'precision', 'F1'):
            self.assertIn(word, table)
        made = self.dictionary('--held-out', '0.3', name='apart')
        numbers = json.loads(self.linked('--work', work, '--evaluate', '--dictionary', made, '--format', 'json').stdout)
        self.assertEqual([row['linker'] for row in numbers['linkers']], ['voting', 'prior only'])
        self.assertLessEqual(numbers['reachable'], numbers['links'])
        self.assertGreater(numbers['pages'], 5)
        for row in numbers['linkers']:
            mentions = row['mentions']
            self.assertAlmostEqual(mentions['precision'], mentions['right'] / max(1, mentions['right'] + mentions['wrong']), delta=0.0001)
            self.assertGreater(mentions['f1'], 0.2)

    def test_a_dictionary_that_knows_the_links_is_not_measured_with_them(self):
        dictionary = self.dictionary()
        done = self.linked('--work', self.folder / 'w', '--evaluate', '--dictionary', dictionary, status=2)
        self.assert_one_error(done, 'was made from all pages', '--held-out')
        benchmark = self.folder / 'b.jsonl'
        benchmark.write_text('{}\n')
        done = self.linked('--evaluate', '--dictionary', dictionary, '--benchmark', benchmark, status=2)
        self.assert_one_error(done, 'query pages', '--without-query-pages')

    def test_the_benchmark_of_an_automatic_collection_is_a_truth_too(self):
        self.build('w', '--to', 'automatic', *SECTIONS)
        work = self.folder / 'w'
        benchmark = next(path for path in sorted((work / 'automatic').rglob('*entity-linking.jsonl.gz')) if len(gzip.decompress(path.read_bytes())) > 0)
        table = self.linked('--work', work, '--evaluate', '--benchmark', benchmark).stdout
        self.assertIn('true labels of paragraphs', table)
        broken = self.folder / 'broken.jsonl'
        broken.write_text('{"query_id": 3}\n')
        self.assert_one_error(self.linked('--work', work, '--evaluate', '--benchmark', broken, status=1), 'line 1', 'entity-linking.jsonl.gz')

    def test_a_foreign_dictionary_is_refused_in_one_sentence(self):
        whole = self.dictionary().read_bytes()
        bad = self.folder / 'bad'
        for bytes_, words in ((b'', 'is not a dictionary'), (whole[:100], 'truncated'), (whole[:-9], 'truncated'),
                              (whole[:8] + b'\x07' + whole[9:], 'format 7'), (whole + b'x', 'longer'),
                              (whole[:40] + b'\xff' + whole[41:], 'header was changed')):
            bad.write_bytes(bytes_)
            done = self.linked('--pages', DUMP, '--dictionary', bad, '--out', '-', status=1)
            self.assert_one_error(done, words, str(bad))
        self.assert_one_error(self.linked('--pages', DUMP, '--dictionary', self.folder, '--out', '-', status=1), 'plain file')

    def test_wrong_usage_says_what_is_missing(self):
        for arguments, words in (([], '--dictionary FILE'), (['--make', 'x'], '--work DIR'), (['--evaluate'], '--work DIR'),
                                 (['--dictionary', 'x'], '--pages FILE'), (['--dictionary', 'x', '--pages', 'y'], '--out FILE'),
                                 (['--make', 'x', '--evaluate', '--work', 'y'], 'two commands'),
                                 (['--make', 'x', '--work', 'y', '--held-out', '2'], 'share from 0'), (['--benchmark', 'x'], '--evaluate')):
            self.assert_one_error(self.linked(*arguments, status=2), words)

    def test_entity_judgments_may_come_from_a_linker(self):
        self.build('links', '--to', 'automatic', *SECTIONS)
        self.build('own', '--to', 'automatic', *SECTIONS, '--linker', 'own', *LENIENT)
        work = self.folder / 'own'
        made = self.folder / 'apart'
        self.linked('--work', work, '--make', made, '--without-query-pages')
        self.build('file', '--to', 'automatic', *SECTIONS, '--linker', made, *LENIENT)

        def qrels(name, kind):
            return {str(path.relative_to(self.folder / name)): path.read_bytes()
                    for path in sorted((self.folder / name / 'automatic').rglob(kind))}
        self.assertEqual(qrels('own', '*entity*.qrels'), qrels('file', '*entity*.qrels'))
        self.assertNotEqual(qrels('own', '*entity*.qrels'), qrels('links', '*entity*.qrels'))
        self.assertEqual(qrels('own', '*.hierarchical.qrels'), qrels('links', '*.hierarchical.qrels'))
        self.assertTrue(any(text for text in qrels('own', '*entity*.qrels').values()))
        self.run_program('validate', work / 'automatic')

    def test_the_study_compares_the_leaderboards_of_links_and_linker(self):
        self.build('links', '--to', 'automatic', *SECTIONS)
        self.build('own', '--to', 'automatic', *SECTIONS, '--linker', 'own', *LENIENT)
        links, own, runs = self.folder / 'links/automatic', self.folder / 'own/automatic', self.folder / 'runs'
        self.run_program('retrieve', links, '--rank', 'entities', '--part', 'train', '--level', 'hierarchical', '--out', runs)
        study = ['study', 'linking', '--links', links, '--linker', own, '--part', 'train']
        found = json.loads(self.run_program(*study, *sorted(runs.glob('*.run')), '--format', 'json').stdout)
        pairs = [{tuple(line.split()[::2]) for line in (folder / 'train.pages.cbor-hierarchical.entity.qrels').read_text().splitlines()}
                 for folder in (links, own)]
        self.assertEqual((found['pairs']['links'], found['pairs']['linker'], found['pairs']['both']),
                         (len(pairs[0]), len(pairs[1]), len(pairs[0] & pairs[1])))
        self.assertAlmostEqual(found['pairs']['jaccard'], len(pairs[0] & pairs[1]) / len(pairs[0] | pairs[1]), delta=0.0001)
        self.assertEqual(len(found['measures']), 3)
        self.assert_one_error(self.run_program(*study, status=2), 'touchstone retrieve', '--rank entities')
        self.assert_one_error(self.run_program('study', 'linking', '--links', links, status=2), '--linker is missing')
        self.assert_one_error(self.run_program('study', 'linking', '--links', links, '--linker', self.folder, status=2), 'no such file')

    def test_a_book_without_a_wiki_has_its_own_terms_as_entities(self):
        pages = [{'title': 'Light', 'sections': [{'heading': name, 'level': 2, 'paragraphs': paragraphs} for name, paragraphs in (
                     ('Lenses', [{'text': 'A lens bends the light that enters a camera.', 'links': [{'begin': 2, 'end': 6, 'target': 'Lens'}]}]),
                     ('Mirrors', ['A lens and a mirror do not do the same.', {'text': 'Each mirror reflects what stands in front of it.', 'links': [{'begin': 5, 'end': 11, 'target': 'Mirror'}]}]))]}]
        (self.folder / 'book.jsonl').write_text(''.join(json.dumps(page) + '\n' for page in pages))
        self.run_program('build', '--to', 'automatic', '--pages', self.folder / 'book.jsonl', '--work', self.folder / 'w', *SECTIONS,
                         '--linker', 'terms', '--set', 'automatic.min_sections=0', '--set', 'automatic.title_rules=[]')
        files = [path for path in (self.folder / 'w' / 'automatic').rglob('*hierarchical*entity*.qrels')] or \
                [path for path in (self.folder / 'w' / 'automatic').rglob('*entity*hierarchical*.qrels')]
        rows = {tuple(line.split()[::2]) for path in files for line in path.read_text().splitlines()}
        self.assertEqual({(topic.split('/')[-1], entity.split(':')[-1]) for topic, entity in rows},
                         {('Lenses', 'Lens'), ('Mirrors', 'Lens'), ('Mirrors', 'Mirror')})

    def test_singular_and_plural_of_a_missing_page_are_one_entity(self):
        def text(words, anchor, target):
            begin = words.index(anchor)
            return {'text': words, 'links': [{'begin': begin, 'end': begin + len(anchor), 'target': target}]}
        pages = [{'title': 'Camera', 'sections': [{'heading': 'Optics', 'level': 2, 'paragraphs': [
                     text('Every camera needs a lens to gather the light.', 'lens', 'Lens'), text('Large cameras carry several lenses in a row.', 'lenses', 'Lenses'),
                     text('A maker of cameras was William in the old town.', 'William', 'William')]}]},
                 {'title': 'Telescope', 'sections': [{'heading': 'Optics', 'level': 2, 'paragraphs': [
                     text('A telescope has two lenses that gather light.', 'lenses', 'Lenses'), text('A maker of telescopes was Williams in the new town.', 'Williams', 'Williams')]}]}]
        (self.folder / 'pages.jsonl').write_text(''.join(json.dumps(page) + '\n' for page in pages))
        for linker in ([], ['--linker', 'terms']):
            work = self.folder / f'w{len(linker)}'
            self.run_program('build', '--to', 'automatic', '--pages', self.folder / 'pages.jsonl', '--work', work, *SECTIONS, *linker,
                             '--set', 'automatic.title_rules=[]')
            rows = {line.split()[2] for path in (work / 'automatic').glob('t*hierarchical.entity.qrels') for line in path.read_text().splitlines()}
            self.assertEqual(rows, {'wiki:Lenses', 'wiki:William', 'wiki:Williams'})
            self.run_program('validate', work / 'automatic')

    # A book beside a wiki.

    def book(self):
        pages = [{'title': 'Coasts', 'sections': [
            {'heading': 'Lights', 'level': 2, 'paragraphs': ['The most famous of all lights on this coast is Old Tolmouth Light, which was built of stone.']},
            {'heading': 'Land', 'level': 2, 'paragraphs': ['The coast of Ostrand has many cliffs, and few ships land there in winter.']}]}]
        (self.folder / 'book.jsonl').write_text(''.join(json.dumps(page) + '\n' for page in pages))
        return ['--progress', 'never', 'build', '--to', 'automatic', '--pages', self.folder / 'book.jsonl', '--set', 'wiki.name=book', *SECTIONS, *LENIENT]

    def test_a_book_links_to_the_pages_of_a_wiki_that_stand_in_its_knowledge_base(self):
        self.build('wiki', '--to', 'automatic', *SECTIONS, '--set', 'wiki.license=CC-BY-SA-4.0')
        arguments = [*self.book(), '--knowledge', self.folder / 'wiki']
        self.run_program(*arguments, '--work', self.folder / 'w', '-j', '1')
        made = self.folder / 'w' / 'automatic'
        rows = {tuple(line.split()[::2]) for path in made.glob('t*hierarchical.entity.qrels') for line in path.read_text().splitlines()}
        self.assertLessEqual({('book:Coasts/Lights', 'miniwiki:Old%20Tolmouth%20Light'), ('book:Coasts/Land', 'miniwiki:Ostrand')}, rows)
        known = {json.loads(line)['page_id'] for path in sorted((made / 'allButBenchmark.pages.jsonl-splits').iterdir())
                 for line in gzip.open(path, 'rt')}
        self.assertLessEqual({entity for _, entity in rows}, known)
        manifest = json.loads((made / 'manifest.json').read_text())
        self.assertEqual(manifest['collection']['knowledge'][0]['wiki'], 'miniwiki')
        self.assertEqual([len(dump['sha256']) for dump in manifest['knowledge_sources']['dumps']], [64])
        self.assertNotIn(str(self.folder), (made / 'manifest.json').read_text())
        self.assertIn('The texts of pages whose id begins with "miniwiki:" are from', (made / 'LICENSE').read_text())
        self.assertIn('CC-BY-SA-4.0', (made / 'LICENSE').read_text())
        self.assertIn('ok: ', self.run_program('validate', made).stdout)

        digests = (made / 'sha256sums.txt').read_bytes()
        self.run_program(*arguments, '--work', self.folder / 'many', '-j', '4', '--shards', '3')
        self.assertEqual((self.folder / 'many' / 'automatic' / 'sha256sums.txt').read_bytes(), digests)
        for place in ('anchors.before_finish', 'export_automatic.knowledge_base'):
            killed = ['--work', self.folder / place, '-j', '2']
            self.run_program(*arguments, *killed, status=-9, environment={'TOUCHSTONE_KILL_AT': place})
            self.run_program(*arguments, *killed)
            self.assertEqual((self.folder / place / 'automatic' / 'sha256sums.txt').read_bytes(), digests)
        again = self.run_program(*arguments, '--work', self.folder / 'w')
        self.assertIn('export-automatic: done before', again.stderr)
        self.build('wiki', '--to', 'automatic', *SECTIONS, '--set', 'automatic.min_passage_words=3')
        self.assertIn('anchors: Count what links call each page (', self.run_program(*arguments, '--work', self.folder / 'w').stderr)

    def test_a_work_directory_that_gives_no_pages_is_refused(self):
        book = self.book()

        def refused(work, *words, knowledge):
            self.assert_one_error(self.run_program(*book, '--work', self.folder / work, '--knowledge', self.folder / knowledge, status=2), *words)
        refused('w', 'there is no work directory', 'build --to automatic --dump', knowledge='nowhere')
        self.assertFalse((self.folder / 'w').exists())
        self.build('wiki', '--to', 'link')
        refused('w', 'stage pages is not done there', knowledge='wiki')
        self.run_program(*book, '--work', self.folder / 'w')
        refused('w', 'is the work directory of the collection itself', knowledge='w')
        self.run_program(*book, '--work', self.folder / 'other')
        refused('w', 'its wiki is called "book"', '--set wiki.name', knowledge='other')
        next((self.folder / 'other' / 'stages' / 'pages').iterdir()).write_bytes(b'touchstone records 1 {x:t}\n')
        refused('new', 'another version may have written it', 'build it again', knowledge='other')
        self.assertFalse((self.folder / 'new').exists())
        done = self.run_program(*book, '--work', self.folder / 'w', '--knowledge', self.folder / 'other', '--linker', 'own', status=2)
        self.assert_one_error(done, 'leave out one of them')
        done = self.run_program(*book, '--work', self.folder / 'both', '--dump', DUMP, status=2)
        self.assert_one_error(done, 'give --dump or --pages', '--knowledge')
