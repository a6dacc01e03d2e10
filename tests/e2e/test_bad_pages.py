"""Automatic collections from pages with odd titles, headings and outlines: docs/automatic.md has a table of what
becomes of each. Every directory validates, and its readers see unambiguous ids."""
import gzip
import html
import json
import pathlib
import re
import sys
import urllib.parse

from harness import EndToEnd

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import car_format  # noqa: E402

HEAD = ('<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en"><siteinfo><sitename>Odd wiki</sitename>'
        '<dbname>oddwiki</dbname><base>https://odd.example/wiki/Main_Page</base><case>{case}</case><namespaces>'
        '<namespace key="0" case="{case}" /><namespace key="14" case="{case}">Category</namespace></namespaces></siteinfo>')
ALL_HEADINGS = ['automatic.min_sections=1', 'automatic.min_heading_letters=0', 'automatic.max_heading_characters=0', 'automatic.heading_rules=[]',
                'automatic.title_rules=[]']
WORDS = 'amber basil copper dune elm fern gull harbour inlet jetty kelp lamp mast net oar pier quay reef sail tide urn vane wharf yawl zinc'.split()
LEVELS = ('article', 'toplevel', 'hierarchical', 'tree')
UNRESERVED = r'[A-Za-z0-9._~-]|%[0-9A-F]{2}'


class Writer:
    """Wikitext with paragraphs that are no near-duplicates of each other."""

    def __init__(self):
        self.count = 0

    def paragraph(self):
        self.count += 1
        number, words = self.count, []
        for _ in range(9):
            number, rest = divmod(number * 7919 + 13, len(WORDS))
            words.append(WORDS[rest] + str(number % 97))
        return f'Text {self.count}: ' + ' '.join(words) + '.'

    def page(self, *headings):
        """A lead, and a paragraph below each heading; a heading with `=` in front has its own level."""
        text = self.paragraph() + '\n\n'
        for heading in headings:
            text += (heading if heading.startswith('=') else f'== {heading} ==') + '\n' + self.paragraph() + '\n\n'
        return text


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        self.writer = Writer()
        self.builds = 0

    # Building and reading.

    def build_pages(self, pages, options=ALL_HEADINGS, case='first-letter'):
        """Builds a collection from (title, wikitext), validates it, and returns its folder."""
        dump = self.folder / 'oddwiki-20250101-pages-articles.xml'
        with dump.open('w', encoding='utf-8') as out:
            out.write(HEAD.format(case=case))
            for number, (title, text) in enumerate(pages, 1):
                out.write(f'<page><title>{html.escape(title)}</title><ns>{14 if title.startswith("Category:") else 0}</ns><id>{number}</id><revision><id>{number}</id>'
                          '<timestamp>2025-01-01T00:00:00Z</timestamp><model>wikitext</model><format>text/x-wiki</format>'
                          f'<text xml:space="preserve">{html.escape(text)}</text></revision></page>\n')
            out.write('</mediawiki>\n')
        return self.build_from('--dump', dump, options)

    def build_from(self, flag, source, options):
        self.builds += 1
        work = self.folder / f'work{self.builds}'
        settings = [word for option in ['automatic.folds=1', *options] for word in ('--set', option)]
        self.done = self.run_program('--progress', 'never', 'build', '--to', 'automatic', flag, source, '--work', work, *settings)
        root = work / 'automatic'
        self.assertTrue(self.run_program('validate', root).stdout.startswith('ok: '))
        self.assert_readers_see_unambiguous_ids(root)
        return root

    def assert_readers_see_unambiguous_ids(self, root):
        corpus = [json.loads(line) for line in self.lines(root / 'beir' / 'corpus.jsonl')]
        passages = {passage['_id'] for passage in corpus}
        self.assertEqual(len(passages), len(corpus))
        queries = [json.loads(line) for line in self.lines(root / 'beir' / 'queries.jsonl')]
        ids = [query['_id'] for query in queries]
        self.assertEqual(len(ids), len(set(ids)))
        for query in queries:
            self.assertRegex(query['_id'], rf'^[a-z]+:({UNRESERVED}|:)+(/({UNRESERVED})+)*$')
            self.assertTrue(query['text'].strip())
        hub = [json.loads(line) for line in gzip.decompress((root / 'hf' / 'queries.jsonl.gz').read_bytes()).decode().split('\n') if line]
        self.assertEqual([query['_id'] for query in hub], ids)
        columns = [line.split('\t') for split in ('train', 'test') for line in self.lines(root / 'ir_datasets' / f'queries.{split}.tsv')]
        self.assertEqual({len(row) for row in columns} | {2}, {2})
        self.assertEqual({row[0]: row[1] for row in columns}, {query['_id']: query['text'] for query in queries})
        documents = [line.split('\t') for line in self.lines(root / 'ir_datasets' / 'docs.tsv')]
        self.assertEqual([row[0] for row in documents], [passage['_id'] for passage in corpus])
        for split in ('train', 'test'):
            for level in LEVELS:
                rows = [line.split(' ') for line in self.lines(root / 'trec' / f'{split}.{level}.qrels')]
                self.assertEqual(len({(row[0], row[2]) for row in rows}), len(rows))
                for topic, _, docid, _ in rows:
                    self.assertIn(topic, ids)
                    self.assertIn(docid, passages)
        mapped = [line.split('\t')[1] for line in self.lines(root / 'ids.tsv')]
        self.assertEqual(sorted(mapped), sorted(ids))
        topics = self.lines(root / 'topics')
        self.assertEqual(len(topics), len(set(topics)))

    @staticmethod
    def lines(path):
        """As a reader with universal newlines, which ends lines at \\n, \\r and \\r\\n, sees them."""
        with open(path, encoding='utf-8') as file:
            return [line.rstrip('\n') for line in file]

    def facets(self, root, title=None):
        """Names of the facets of all pages or of one: lists of headings, decoded from the unambiguous ids."""
        found = []
        for line in self.lines(root / 'ids.tsv'):
            page, *headings = [urllib.parse.unquote(part) for part in line.split('\t')[1].split('/')]
            if headings and title in (None, page.split(':', 1)[1]):
                found.append(headings)
        return found

    def judgments(self, root, level='hierarchical'):
        """Unambiguous topic -> number of passages."""
        counts = {}
        for split in ('train', 'test'):
            for line in self.lines(root / 'trec' / f'{split}.{level}.qrels'):
                counts[line.split(' ')[0]] = counts.get(line.split(' ')[0], 0) + 1
        return counts

    def pages(self, root):
        """Title -> page, as the reader in Python decodes them."""
        found = {}
        for split in ('train', 'test'):
            for page in car_format.read_file((root / f'{split}.pages.cbor').read_bytes())[2]:
                self.assertNotIn(page['page_name'], found)
                found[page['page_name']] = page
        return found

    # Headings.

    def test_headings_that_repeat_below_one_parent_are_one_facet(self):
        root = self.build_pages([('Odd', self.writer.page('Same', '=== Inner ===', 'Same', '=== Inner ===', 'same', 'Other'))])
        self.assertEqual(self.facets(root), [['Same'], ['Same', 'Inner'], ['same'], ['Other']])
        self.assertEqual(self.judgments(root), {'oddwiki:Odd': 1, 'oddwiki:Odd/Same': 2, 'oddwiki:Odd/Same/Inner': 2, 'oddwiki:Odd/same': 1, 'oddwiki:Odd/Other': 1})
        sections = [element for element in self.pages(root)['Odd']['content'] if element['type'] == 'section']
        self.assertEqual([section['heading_text'] for section in sections], ['Same', 'Same', 'same', 'Other'])

    def test_headings_that_show_nothing_dissolve(self):
        text = self.writer.page('First', '==  ==', '== {{nothing}} ==', '== <!-- c --> ==', '== &nbsp; ==', '== \u200b\u2060 ==', '== \u00ad ==', 'Last')
        root = self.build_pages([('Odd', text)])
        self.assertEqual(self.facets(root), [['First'], ['Last']])
        self.assertEqual(self.judgments(root), {'oddwiki:Odd': 7, 'oddwiki:Odd/First': 1, 'oddwiki:Odd/Last': 1})

    def test_slashes_and_percent_signs_are_escaped_in_unambiguous_ids(self):
        headings = ['B/C', 'A%20B', 'A B', '100 %', '%', '/', '//', '%2f', 'A+B']
        root = self.build_pages([('Odd', self.writer.page(*headings, 'B', '=== C ==='))])
        self.assertEqual(self.facets(root), [[heading] for heading in headings] + [['B'], ['B', 'C']])
        self.assertEqual(set(self.judgments(root).values()), {1})
        rows = [line.split('\t') for line in self.lines(root / 'ids.tsv')]
        self.assertEqual([row for row in rows if row[0] == 'oddwiki:Odd/B/C'], [['oddwiki:Odd/B/C', 'oddwiki:Odd/B%2FC'], ['oddwiki:Odd/B/C', 'oddwiki:Odd/B/C']])
        self.assertIn('2 ids of TREC CAR belong to several pages or sections', self.done.stderr)

    def test_markup_links_and_templates_in_headings_are_text_or_nothing(self):
        root = self.build_pages([('Odd', self.writer.page(
            "''Italic'' and '''bold'''", '[[Target|shown]] link', '[http://x.example outer] link', 'With {{unknown|x}} template', '<nowiki>[[raw]]</nowiki>',
            '<ref>note</ref>Noted', 'a <b>b</b> &lt;i&gt; &amp; c', '{| class="x"', '<script>alert(1)</script>', '"quoted" \'single\' \\ back', 'tab\there'))])
        self.assertEqual([facet[0] for facet in self.facets(root)],
                         ['Italic and bold', 'shown link', 'outer link', 'With template', '[[raw]]', 'Noted', 'a b <i> & c', '{| class="x"', '<script>alert(1)</script>',
                          '"quoted" \'single\' \\ back', 'tab here'])

    def test_levels_that_jump_nest_by_their_order(self):
        root = self.build_pages([('Odd', self.writer.page('== One ==', '===== Five =====', '=== Three ===', '====== Six ======', '= Outer =', '== Two =='))])
        self.assertEqual(self.facets(root), [['One'], ['One', 'Five'], ['One', 'Three'], ['One', 'Three', 'Six'], ['Outer'], ['Outer', 'Two']])

    def test_headings_without_letters_are_no_facets_unless_the_filter_is_off(self):
        headings = ['...', '—', '!!!', '*', '?', '$@', '1984', 'Plain']
        text = self.writer.page(*headings)
        self.assertEqual(self.facets(self.build_pages([('Odd', text)])), [[heading] for heading in headings])
        root = self.build_pages([('Odd', text)], ['automatic.min_sections=1'])
        self.assertEqual(self.facets(root), [['Plain']])
        self.assertEqual(self.judgments(root), {'oddwiki:Odd': len(headings), 'oddwiki:Odd/Plain': 1})

    def test_line_separators_and_marks_of_direction_stay_in_ids_and_leave_lines_whole(self):
        headings = ['a\u2028b', 'a\u2029b', '\u202eRTL', 'e\u0301', '\u00e9', 'a\ufeffb']
        root = self.build_pages([('Odd', self.writer.page(*headings))])
        self.assertEqual([facet[0] for facet in self.facets(root)], headings)
        texts = [json.loads(line)['text'] for line in self.lines(root / 'beir' / 'queries.jsonl')]
        self.assertIn('Odd a b', texts)

    def test_very_long_headings_are_removed_unless_the_filter_is_off(self):
        headings = ['L' * 50_000, '漢' * 20_000, 'Short']
        text = self.writer.page(*headings)
        self.assertTrue([facet[0] for facet in self.facets(self.build_pages([('Odd', text)]))] == headings)
        self.assertEqual(self.facets(self.build_pages([('Odd', text)], ['automatic.min_sections=1'])), [['Short']])

    def test_outlines_are_at_most_six_levels_deep(self):
        root = self.build_pages([('Odd', self.writer.page(*['=' * level + f' Level {level} ' + '=' * level for level in range(1, 9)]))])
        self.assertEqual(self.facets(root)[5], [f'Level {level}' for level in range(1, 7)])
        self.assertEqual([facet[5:] for facet in self.facets(root)[6:]], [['= Level 7 ='], ['== Level 8 ==']])

    def test_ten_thousand_sections_on_one_page(self):
        root = self.build_pages([('Odd', self.writer.page(*[f'Section {number}' for number in range(10_000)])), ('Same', self.writer.page(*['Section'] * 2000))])
        judgments = self.judgments(root)
        self.assertEqual(len(judgments), 10_003)
        self.assertEqual(judgments['oddwiki:Same/Section'], 2000)

    # Pages.

    def test_pages_and_sections_without_text_are_no_query_pages_and_no_facets(self):
        part = self.writer.paragraph()
        root = self.build_pages([('No text', ''), ('Only headings', '== One ==\n== Two ==\n=== Three ===\n'), ('Only templates', '{{unknown|x}}\n== One ==\n{{unknown}}\n'),
                                 ('Partly', '{{unknown|x}}\n\n== One ==\n{{unknown}}\n\n== Two ==\n{{unknown}}\n\n' + part)])
        self.assertEqual(self.lines(root / 'titles'), ['Partly'])
        self.assertEqual(self.facets(root), [['Two']])
        self.assertEqual(self.judgments(root), {'oddwiki:Partly/Two': 1})
        knowledge = car_format.read_file((root / 'allButBenchmark.pages.cbor').read_bytes())[2]
        self.assertEqual([page['page_name'] for page in knowledge], ['No text', 'Only headings', 'Only templates'])

    def test_titles_and_headings_that_share_an_id_of_trec_car_have_ids_of_their_own(self):
        root = self.build_pages([('A', self.writer.page('B/C', 'B', '=== C ===')), ('A/B', self.writer.page('C')), ('A/B/C', self.writer.page('D'))])
        self.assertEqual(self.judgments(root), {id: 1 for id in (
            'oddwiki:A', 'oddwiki:A/B%2FC', 'oddwiki:A/B', 'oddwiki:A/B/C', 'oddwiki:A%2FB', 'oddwiki:A%2FB/C', 'oddwiki:A%2FB%2FC', 'oddwiki:A%2FB%2FC/D')})
        self.assertEqual(self.lines(root / 'topics').count('oddwiki:A/B/C'), 1)
        self.assertIn('2 ids of TREC CAR belong to several pages or sections', self.done.stderr)

    def test_titles_that_differ_in_case_only_are_different_pages(self):
        titles = ['Case only', 'Case Only', 'CASE ONLY']
        root = self.build_pages([(title, self.writer.page('History of it')) for title in titles])
        self.assertEqual(self.lines(root / 'titles'), titles)
        self.assertEqual(len(self.judgments(root)), 6)

    def test_a_title_that_differs_from_a_query_page_in_the_first_letter_is_not_in_the_knowledge_base(self):
        pages = [('Lamp', self.writer.page('One', 'Two')), ('lamp', self.writer.page()), ('oar', self.writer.page())]
        root = self.build_pages(pages, case='case-sensitive')
        self.assertEqual(self.lines(root / 'titles'), ['Lamp'])
        knowledge = car_format.read_file((root / 'allButBenchmark.pages.cbor').read_bytes())[2]
        self.assertEqual([page['page_name'] for page in knowledge], ['oar'])

    def test_titles_with_the_id_of_a_query_page_are_not_in_the_knowledge_base(self):
        root = self.build_pages([('A B', self.writer.page('One', 'Two')), ('A%20B', self.writer.page()), ('Other', self.writer.page())])
        self.assertEqual(self.lines(root / 'titles'), ['A B'])
        self.run_program('car', 'validate', root / 'allButBenchmark.pages.cbor')

    def test_of_pages_with_one_title_the_last_counts(self):
        texts = [self.writer.page('One', 'Two') for _ in range(2)]
        root = self.build_pages([('Twice', texts[0]), ('Plain', self.writer.page()), ('Twice', texts[1])])
        self.assertEqual(self.lines(root / 'titles'), ['Twice'])
        corpus = [json.loads(line)['text'] for line in self.lines(root / 'beir' / 'corpus.jsonl')]
        self.assertEqual(len(corpus), 4)
        self.assertIn(texts[1].split('\n')[0], corpus)
        self.assertEqual(list(self.pages(root)), ['Twice'])

    def test_pages_of_json_lines_with_controls_in_titles_and_headings(self):
        def sections(*headings):
            return [{'heading': '', 'level': 0, 'paragraphs': [self.writer.paragraph()]}] + [
                {'heading': heading, 'level': 2, 'paragraphs': [self.writer.paragraph()]} for heading in headings]

        pages = [{'title': 'Tab\tand\nline', 'sections': sections('a\tb\nc', '\x00', '\x01\x02', '\r', 'x\x00y', 'a\u0085b')},
                 {'title': 'AC/DC %20 "q" #1', 'sections': sections('B/C', '%2F', 'a:b')}, {'title': 'Empty', 'sections': []}]
        source = self.folder / 'odd.jsonl'
        source.write_text(''.join(json.dumps(page) + '\n' for page in pages))
        root = self.build_from('--pages', source, ALL_HEADINGS)
        self.assertEqual(self.lines(root / 'titles'), ['Tab and line', 'AC/DC %20 "q" #1'])
        self.assertEqual([facet[0] for facet in self.facets(root)], ['a b c', 'x y', 'a b', 'B/C', '%2F', 'a:b'])

    def test_list_items_captions_and_tables_keep_their_order(self):
        lead, first, last = (self.writer.paragraph() for _ in range(3))
        text = (f'{lead}\n\n== Part ==\n{first}\n* one item about [[Lamp]]s of the open sea\n** a deeper item about oars of elm and of ash\n'
                f'[[File:Lamp.jpg|thumb|A caption about the lamp by night]]\n\n{last}\n'
                '{|\n! Name !! Height\n|-\n| Amber Light || 30 metres\n|-\n| Basil Light || 20 metres\n|}\n')
        root = self.build_pages([('Odd', text)], [*ALL_HEADINGS, 'automatic.drop_images=false'])
        part = self.pages(root)['Odd']['content'][1]['content']
        self.assertEqual([element['type'] for element in part], ['paragraph', 'list', 'list', 'image', 'paragraph'])
        self.assertEqual([element['indent'] for element in part if element['type'] == 'list'], [1, 2])
        self.assertEqual(self.judgments(root), {'oddwiki:Odd': 1, 'oddwiki:Odd/Part': 2})
        root = self.build_pages([('Odd', text)], [*ALL_HEADINGS, 'automatic.drop_images=false', 'automatic.include_lists=true', 'automatic.include_captions=true',
                                                  'automatic.include_tables=true'])
        part = self.pages(root)['Odd']['content'][1]['content']
        self.assertEqual([element['type'] for element in part], ['paragraph', 'list', 'list', 'image', 'paragraph', 'paragraph', 'paragraph'])
        self.assertEqual(''.join(body['text'] for body in part[5]['paragraph']['para_body']), 'Name: Amber Light; Height: 30 metres')
        self.assertEqual(self.judgments(root), {'oddwiki:Odd': 1, 'oddwiki:Odd/Part': 7})
        self.assertFalse(re.search('infobox', json.dumps(part)))
