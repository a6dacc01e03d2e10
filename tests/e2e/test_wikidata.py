"""A dump of Wikidata: what the command counts, what it says of bad files, and what a build takes from it."""
import bz2
import gzip
import json
import shutil
import subprocess
import zipfile

from harness import CONFIG, DUMP, EndToEnd

BIRD, PAINTER, HUMAN, ANIMAL, THING = 501, 511, 510, 502, 500
BIRDS = ['Brenna rail', 'Grey-collared skua', 'Lantern tern', 'Mere duck', 'Ostrand petrel', 'Salt wren']
PAINTERS = ['Anselm Quarrie', 'Hedda Brock', 'Ludwik Zarębny', 'Maren Ekholt', 'Oskar Hvidt', 'Théodora Vasse']


def statement(prop, item, rank='normal'):
    value = {'entity-type': 'item', 'numeric-id': item, 'id': f'Q{item}'}
    return {'mainsnak': {'snaktype': 'value', 'property': prop, 'datavalue': {'value': value, 'type': 'wikibase-entityid'}}, 'type': 'statement', 'rank': rank}


def entity(number, label, aliases=(), types=(), classes=(), title=None, deprecated=()):
    found = {'type': 'item', 'id': f'Q{number}', 'labels': {'en': {'language': 'en', 'value': label}, 'sv': {'language': 'sv', 'value': label + ' (sv)'}},
             'descriptions': {}, 'aliases': {'en': [{'language': 'en', 'value': alias} for alias in aliases]} if aliases else [], 'claims': {}, 'sitelinks': {}}
    if types or deprecated:
        found['claims']['P31'] = [*(statement('P31', item) for item in types), *(statement('P31', item, 'deprecated') for item in deprecated)]
    if classes:
        found['claims']['P279'] = [statement('P279', item) for item in classes]
    if title:
        found['sitelinks'] = {'miniwiki': {'site': 'miniwiki', 'title': title, 'badges': []}, 'otherwiki': {'site': 'otherwiki', 'title': 'X', 'badges': []}}
    return found


def entities():
    found = [entity(THING, 'entity'), entity(ANIMAL, 'animal', classes=[THING]), entity(BIRD, 'bird species', classes=[ANIMAL]),
             entity(HUMAN, 'human', classes=[THING]), entity(PAINTER, 'painter', classes=[HUMAN])]
    for number, title in enumerate(BIRDS):
        found.append(entity(1000 + number, title, [f'{title} of Ostrand'], [PAINTER if title == 'Mere duck' else BIRD], title=title, deprecated=[THING]))
    for number, title in enumerate(PAINTERS):
        found.append(entity(2000 + number, title, types=[PAINTER], title=title))
    found.append(entity(3000, 'Skarvø island', title='Skarvo'))  # a redirect
    found.append(entity(3001, 'Nowhere', title='No such page'))
    return found


def dump(found):
    return '[\n' + ',\n'.join(json.dumps(line) for line in found) + '\n]\n'


class Test(EndToEnd):
    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def counts(self, *files, status=0):
        return json.loads(self.run_program('wikidata', *files, '--format', 'json', status=status).stdout)

    def members(self, work):
        return [json.loads(line) for line in (self.folder / work / 'collection' / 'members.jsonl').read_text().splitlines()]

    def test_the_command_counts_every_kind_of_file_alike(self):
        text = dump(entities())
        expected = {'entities': 19, 'sitelinks': 28, 'labels': 38, 'bad_lines': [], 'bad': 0}
        plain = self.file('a.json', text)
        files = [plain, self.file('a.json.gz', gzip.compress(text.encode())), self.file('a.json.bz2', bz2.compress(text.encode()))]
        files.append(self.file('lines.json', text.replace('[\n', '').replace('}},\n', '}}\n').replace('\n]\n', '')))
        if shutil.which('zstd'):
            subprocess.run(['zstd', '-q', plain], check=True)
            files.append(self.folder / 'a.json.zst')
        for file in files:
            self.assertEqual(self.counts(file), expected, file)
            self.assertEqual(self.counts(file, '--threads', 1), expected, file)
        both = self.counts(plain, plain)
        self.assertEqual(both['entities'], 38)
        self.assertIn('19 entities, 28 sitelinks, 38 labels, 0 bad lines', self.run_program('wikidata', plain).stdout)

    def test_bad_lines_are_told_with_their_offset_and_the_rest_is_read(self):
        good = json.dumps(entities()[0])
        text = f'[\n{good},\n{good[:40]},\n{good},\n[{good}],\n"x",\n{{"id": 3}}\n]\n'
        found = self.counts(self.file('bad.json', text))
        self.assertEqual(found['entities'], 2)
        offsets = [len('[\n' + good + ',\n')]
        offsets.append(offsets[0] + 42 + len(good + ',\n'))
        offsets.append(offsets[1] + len(f'[{good}],\n'))
        offsets.append(offsets[2] + len('"x",\n'))
        self.assertEqual([line['offset'] for line in found['bad_lines']], offsets)
        self.assertTrue(found['bad_lines'][0]['reason'].startswith('malformed JSON'))
        self.assertEqual([line['reason'] for line in found['bad_lines'][1:]],
                         ['an array, where one entity a line is expected', 'not an object', 'without an id such as "Q42"'])
        self.assertEqual(found['bad'], 4)

    def test_a_cut_file_is_told(self):
        text = dump(entities())
        done = self.run_program('wikidata', self.file('cut.json', text[:len(text) // 2]), '--format', 'json')
        self.assertEqual([line['reason'] for line in json.loads(done.stdout)['bad_lines']], ['the file ends within the line'])
        self.assertIn('ends without the line ] of a whole dump', done.stderr)
        packed = gzip.compress(text.encode())
        self.assertIn('truncated', self.run_program('wikidata', self.file('cut.json.gz', packed[:len(packed) // 2]), status=1).stderr)

    def test_lines_over_the_limit_are_left_out(self):
        good = json.dumps(entities()[0])
        long = '{"id":"Q1","x":"' + 'y' * (65 << 20) + '"},\n'
        found = self.counts(self.file('long.json', f'[\n{good},\n{long}{good}\n]\n'))
        self.assertEqual((found['entities'], [(line['offset'], line['reason']) for line in found['bad_lines']]),
                         (2, [(len(good) + 4, 'longer than the limit of a line')]))

    def test_other_files_are_refused_with_one_sentence(self):
        packed = self.folder / 'a.zip'
        with zipfile.ZipFile(packed, 'w') as archive:
            archive.writestr('a.json', dump(entities()))
        for file, word in ((DUMP, 'is no JSON dump of Wikidata'), (packed, 'archive'), (self.file('empty.json', ''), 'the file is empty'), (self.folder / 'none.json', 'none.json')):
            for command in (['wikidata', file], ['build', '--config', CONFIG, '--dump', DUMP, '--to', 'link', '--work', self.folder / 'w', '--wikidata', file]):
                done = self.run_program('--progress', 'never', *command, status=None)
                self.assertIn(done.returncode, (1, 2), command)
                errors = [line for line in done.stderr.splitlines() if 'error' in line]
                self.assertEqual(len(errors), 1, done.stderr)
                self.assertIn(word, errors[0])
        line = self.file('array.json', json.dumps(entities()) + '\n')
        self.assertEqual([found['reason'] for found in self.counts(line)['bad_lines']], ['an array, where one entity a line is expected'])
        done = self.run_program('--progress', 'never', 'build', '--config', CONFIG, '--dump', DUMP, '--to', 'link', '--work', self.folder / 'w', '--wikidata', line, status=1)
        self.assertIn('holds no entity of Wikidata', done.stderr)

    def test_members_get_items_names_and_types(self):
        wikidata = self.file('a.json', dump(entities()))
        self.build('plain')
        done = self.build('w', '--wikidata', wikidata)
        collection = self.folder / 'w' / 'collection'
        self.run_program('validate', collection)
        before = {(member['topic'], member['title']): member for member in self.members('plain')}
        self.assertTrue(all('types' not in member and member['qid'] is None for member in before.values()))
        members = {(member['topic'], member['title']): member for member in self.members('w')}
        self.assertEqual(set(members), set(before))
        items = {**{title: 1000 + number for number, title in enumerate(BIRDS)}, **{title: 2000 + number for number, title in enumerate(PAINTERS)}, 'Skarvø': 3000}
        for (_, title), member in members.items():
            self.assertEqual(member['qid'], f'Q{items[title]}' if title in items else None, title)
            types = [] if title not in items or title == 'Skarvø' else ['Q511'] if title in PAINTERS or title == 'Mere duck' else ['Q501']
            self.assertEqual(member['types'], types, title)
            self.assertEqual(member['other_kind'], title == 'Mere duck', title)
        for key, member in members.items():
            more = [f'{key[1]} of Ostrand'] if key[1] in BIRDS else ['Skarvø island'] if key[1] == 'Skarvø' else []
            self.assertEqual(member['aliases'], sorted({*before[key]['aliases'], *more}), key)
        evidence = [json.loads(line) for line in (collection / 'evidence.jsonl').read_text().splitlines()]
        for line in evidence:
            self.assertEqual(line['qid'], f'Q{items[line["member"]]}' if line['member'] in items else None)
        self.assertTrue(any(line['qid'] for line in evidence))
        health = {check['name']: check for check in json.loads((collection / 'manifest.json').read_text())['health']}
        self.assertEqual(health['members_of_other_kind']['value'], round(1 / 13, 4))
        self.assertIn('such as Mere duck', health['members_of_other_kind']['verdict'].replace('"', ''))
        self.assertIn('- name: other_kind', (collection / 'README.md').read_text())
        for count in ('19 entities of Wikidata', '14 sitelinks of Wikidata to the wiki', '1 sitelinks of Wikidata to pages that are not in the dump', '13 pages with a Wikidata item'):
            self.assertIn(count, done.stderr)
        groups = json.loads(self.run_program('show', 'groups', '--work', self.folder / 'w', '--format', 'json').stdout)
        shown = {member['title']: member['qid'] for group in groups for member in group['members']}
        self.assertEqual(shown['Brenna rail'], 'Q1000')

    def test_conditions_on_items_make_topics(self):
        found = entities()
        for line in found:
            if line['id'] in ('Q2000', 'Q2001', 'Q2003', 'Q2005', 'Q1001'):
                line['claims']['P183'] = [statement('P183', 42), statement('P183', 43)]
        wikidata = ['--wikidata', self.file('a.json', dump(found))]
        topics = """[[groups.wikidata]]
name = "birds that breed in Ostrand"
class = "Q502"

[[groups.wikidata]]
name = "painters of Ostrand"
class = "Q511"
properties = ["P183=Q42", "P183=Q43"]

[[groups.wikidata]]
name = "painters of boats"
class = "Q511"
properties = ["P180=Q7"]
"""
        config = self.file('topics.toml', CONFIG.read_text() + '\n' + topics)
        self.run_program('--progress', 'never', 'build', '--config', config, '--dump', DUMP, '--work', self.folder / 'w', *wikidata)
        self.build('plain', *wikidata)
        self.run_program('validate', self.folder / 'w' / 'collection')
        made = {line['text']: line for line in map(json.loads, (self.folder / 'w' / 'collection' / 'queries.jsonl').read_text().splitlines())}
        before = {line['text'] for line in map(json.loads, (self.folder / 'plain' / 'collection' / 'queries.jsonl').read_text().splitlines())}
        self.assertEqual(set(made) - before, {'birds that breed in Ostrand', 'painters of Ostrand'})
        self.assertLessEqual(before, set(made))
        members = {}
        for line in self.members('w'):
            members.setdefault(line['topic'], set()).add((line['title'], line['qid']))
        self.assertEqual(members[made['birds that breed in Ostrand']['_id']], {(bird, f'Q{1000 + number}') for number, bird in enumerate(BIRDS) if bird != 'Mere duck'})
        self.assertEqual(members[made['painters of Ostrand']['_id']], {(PAINTERS[number], f'Q{2000 + number}') for number in (0, 1, 3, 5)})
        self.assertIn('painters of boats » Wikidata items (0 articles have such items)', self.run_program('status', '--work', self.folder / 'w').stdout)
        stale = self.run_program('stale', self.folder / 'w' / 'collection', '--work', self.folder / 'w').stdout
        self.assertRegex(stale, r'of \d+ lists 0 changed')  # these topics have none
        for wrong, said in (('name = ""\nclass = "Q5"', 'a topic has no name'), ('name = "x"', 'it has no condition'), ('name = "x"\nclass = "lighthouse"', 'is not the id of an item'),
                            ('name = "x"\nproperties = ["P5"]', 'is not a property and an item')):
            bad = self.file('bad.toml', f'[[groups.wikidata]]\n{wrong}\n')
            done = self.run_program('build', '--config', bad, '--dump', DUMP, '--work', self.folder / 'bad', *wikidata, status=2)
            self.assertIn(said, done.stderr)
        alone = self.run_program('build', '--config', config, '--dump', DUMP, '--work', self.folder / 'bad', status=2)
        self.assertIn('name its dump with --wikidata', alone.stderr)

    def test_aliases_are_names_that_candidates_are_searched_by(self):
        text = DUMP.read_text()
        lead = text.index("'''", text.index('<title>Ketterick</title>'))
        text = text[:lead] + 'The Brown Strider breeds on this island. ' + text[lead:]
        pages = self.file('pages.xml', text)
        found = entities()
        found[5] = entity(1000, 'Brenna rail', ['Brown Strider'], [BIRD], title='Brenna rail')
        sources = ['--set', 'candidates.sources=["link","mention"]', '--set', 'ingest.checksum=warn']
        for work, more in (('plain', []), ('w', ['--wikidata', self.file('a.json', dump(found))])):
            self.build(work, *sources, *more, dump=pages)
        judged = {work: {(line['member'], line['docid']) for line in map(json.loads, gzip.open(self.folder / work / 'collection' / 'judgments.jsonl.gz', 'rt')) if line['source'] == 'mention'}
                  for work in ('plain', 'w')}
        self.assertIn('Brenna rail', {member for member, _ in judged['w'] - judged['plain']})

    def test_entities_of_automatic_collections_have_the_items(self):
        self.build('w', '--to', 'automatic', '--set', 'automatic.min_sections=1', '--set', 'automatic.folds=2', '--wikidata', self.file('a.json', dump(entities())))
        root = self.folder / 'w' / 'automatic'
        self.run_program('validate', root)
        known = dict(line.split('\t') for line in (root / 'entity-qids.tsv').read_text().splitlines())
        self.assertEqual(known.get('miniwiki:Skarv%C3%B8'), 'Q3000', known)

    def test_linked_entities_have_the_items(self):
        self.build('w', '--to', 'link', '--wikidata', self.file('a.json', dump(entities())))
        work, dictionary, out = self.folder / 'w', self.folder / 'd', self.folder / 'out.jsonl'
        self.run_program('link-entities', '--work', work, '--make', dictionary)
        self.run_program('link-entities', '--work', work, '--dictionary', dictionary, '--out', out, '--set', 'passages.granularity=paragraph', '--set', 'passages.scope=all')
        qids = {line['title']: line.get('qid') for line in map(json.loads, out.read_text().splitlines())}
        self.assertEqual(qids['Skarvø'], 'Q3000')
        self.assertEqual({title for title, qid in qids.items() if qid}, {*BIRDS, *PAINTERS, 'Skarvø'} & set(qids))

    def test_threads_shards_and_the_order_of_lines_do_not_show(self):
        found = entities()
        self.build('one', '--threads', 1, '--wikidata', self.file('a.json', dump(found)))
        self.build('two', '--threads', 3, '--shards', 3, '--wikidata', self.file('b.json', dump(found[::-1])))
        self.assertEqual(*[(self.folder / work / 'collection' / 'members.jsonl').read_bytes() for work in ('one', 'two')])
        self.assertEqual(*[(self.folder / work / 'collection' / 'judgments.jsonl.gz').read_bytes() for work in ('one', 'two')])

    def test_another_dump_of_wikidata_runs_the_stages_again(self):
        first, second = self.file('a.json', dump(entities())), self.file('b.json', dump(entities()[:-3]))
        self.build('w', '--wikidata', first)
        self.assertEqual(self.to_run('w', '--wikidata', first), [])
        self.assertIn('link', self.to_run('w', '--wikidata', second))
        self.build('w', '--wikidata', second)
        self.build('fresh', '--wikidata', second)
        self.assertEqual(*[(self.folder / work / 'collection' / 'members.jsonl').read_bytes() for work in ('w', 'fresh')])

    def test_a_wiki_without_a_name_needs_the_site(self):
        pages = self.file('pages.jsonl', json.dumps({'title': 'Amber', 'sections': [{'heading': '', 'level': 0, 'paragraphs': ['A light.']}]}) + '\n')
        wikidata = self.file('a.json', dump([entity(7, 'Amber', title='Amber')]))
        command = ['--progress', 'never', 'build', '--to', 'link', '--pages', pages, '--work', self.folder / 'w', '--wikidata', wikidata]
        self.assertIn('set link.wikidata_site', self.run_program(*command, status=2).stderr)
        self.assertIn('1 pages with a Wikidata item', self.run_program(*command, '--set', 'link.wikidata_site=miniwiki').stderr)
        self.assertIn('no entity of Wikidata has a sitelink to nowiki', self.run_program(*command, '--set', 'link.wikidata_site=nowiki').stderr)
