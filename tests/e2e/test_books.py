"""Books: what becomes a page, and where its passages stand."""
import gzip
import json
import zipfile

from harness import EndToEnd

DEEDS = {'wall': 'raised in the winter of the long ice', 'stair': 'painted with tar from northern pines', 'door': 'sold twice to merchants without a ship',
         'lens': 'carried over the hills by forty oxen', 'canvas': 'drawn in chalk for a prince who never came',
         'welcome': 'lost in fog until the herring returned', 'towers': 'praised in songs that sailors still hum',
         'lenses': 'taxed like salt under the old queen', 'sails': 'broken by lightning and mended with brass',
         'The Storm': 'hidden below nets while soldiers passed', 'The Wreck': 'weighed against a barrel of honey',
         'The Rescue': 'named after the widow of a pilot', 'The Return': 'told to children who would not sleep'}


def text(subject):
    return f'The {subject} of this place was {DEEDS[subject]} and kept by people of the town.'


def section(number, heading, *kinds):
    paragraphs = ''.join(f'<para id="p{number}{i}">{text(kind)}</para>' for i, kind in enumerate(kinds))
    return f'<section id="s{number}"><title>{heading}</title>{paragraphs}</section>'


def module(title, *sections):
    return ('<document xmlns="http://cnx.rice.edu/cnxml"><title>%s</title><content><para id="l">%s</para>%s</content></document>' %
            (title, text(title.lower()), ''.join(sections)))


COLLECTION = """<col:collection xmlns:col="http://cnx.rice.edu/collxml" xmlns:md="http://cnx.rice.edu/mdml">
<col:metadata><md:title>Harbours</md:title><md:license url="http://creativecommons.org/licenses/by/4.0/">CC BY</md:license></col:metadata>
<col:content><col:module document="m0"/>
<col:subcollection><md:title>Lights</md:title><col:content><col:module document="m1"/><col:module document="m2"/></col:content></col:subcollection>
<col:subcollection><md:title>Ships</md:title><col:content><col:module document="m3"/></col:content></col:subcollection>
</col:content></col:collection>"""


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        book = self.folder / 'book'
        modules = {'m0': module('Welcome'), 'm1': module('Towers', section(1, 'Stone', 'wall', 'stair'), section(2, 'Wood', 'door')),
                   'm2': module('Lenses', section(3, 'Glass', 'lens')), 'm3': module('Sails', section(4, 'Cloth', 'canvas'))}
        for name, text in modules.items():
            (book / 'modules' / name).mkdir(parents=True)
            (book / 'modules' / name / 'index.cnxml').write_text(text)
        (book / 'collections').mkdir()
        (book / 'collections' / 'harbours.collection.xml').write_text(COLLECTION)

    def outline(self, unit, title):
        work = self.folder / unit
        self.run_program('build', '--to', 'ingest', '--pages', self.folder / 'book', '--work', work, '--set', f'ingest.book_unit={unit}')
        return self.run_program('show', 'outline', title, '--work', work).stdout

    def test_book_chapter_module_and_section_are_levels(self):
        for unit, title, sections in (('module', 'Towers', ['Stone', 'Wood']), ('chapter', 'Lights', ['Towers', 'Stone', 'Wood', 'Lenses', 'Glass']),
                                      ('book', 'Harbours', ['Welcome', 'Lights', 'Towers', 'Stone', 'Wood', 'Lenses', 'Glass', 'Ships', 'Sails', 'Cloth'])):
            with self.subTest(unit):
                outline = self.outline(unit, title)
                places = [outline.index(heading) for heading in sections]
                self.assertEqual(places, sorted(places), outline)

    def test_every_passage_says_where_in_the_book_it_stands(self):
        work = self.folder / 'w'
        self.run_program('build', '--to', 'automatic', '--pages', self.folder / 'book', '--work', work, '--set', 'ingest.book_unit=chapter',
                         '--set', 'automatic.min_sections=2', '--set', 'automatic.folds=1')
        root = work / 'automatic'
        self.assertTrue(self.run_program('validate', root).stdout.startswith('ok: '))
        locators = [json.loads(line)['locators'] for line in gzip.open(root / 'locators.jsonl.gz', 'rt')]
        self.assertIn([{'book': 'Harbours', 'page': 'Lights', 'section': ['Towers', 'Wood'], 'place': 'modules/m1/index.cnxml#s2', 'license': 'CC-BY-4.0'}],
                      locators)
        self.assertIn([{'book': 'Harbours', 'page': 'Welcome', 'section': [], 'place': 'modules/m0/index.cnxml', 'license': 'CC-BY-4.0'}], locators)
        self.assertIn('"license": "CC-BY-4.0"', (root / 'manifest.json').read_text())

    def test_the_language_is_that_of_the_book(self):
        page = '<html lang="de-DE"><h1>Hafen</h1><p>%s</p><h2>Zusammenfassung</h2><p>%s</p></html>' % (text('wall'), text('door'))
        (self.folder / 'hafen.html').write_text(page)
        for number, (settings, language) in enumerate((([], 'de'), (['--set', 'wiki.language=fr'], 'fr'))):
            work = self.folder / f'language{number}'
            self.run_program('build', '--to', 'automatic', '--pages', self.folder / 'hafen.html', '--work', work, *settings, status=None)
            self.assertIn(f'"language": "{language}"', (work / 'automatic' / 'manifest.json').read_text())

    def test_a_book_without_headings_gives_a_topic_by_its_chapters(self):
        book = self.folder / 'tale.epub'
        with zipfile.ZipFile(book, 'w') as out:
            out.writestr('META-INF/container.xml', '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>')
            items = ''.join(f'<item id="c{i}" href="c{i}.xhtml" media-type="application/xhtml+xml"/>' for i in range(4))
            out.writestr('b.opf', '<package><metadata><title>A Tale</title></metadata><manifest>' + items +
                         '</manifest><spine>' + ''.join(f'<itemref idref="c{i}"/>' for i in range(4)) + '</spine></package>')
            for i, name in enumerate(('The Storm', 'The Wreck', 'The Rescue', 'The Return')):
                out.writestr(f'c{i}.xhtml', f'<html><body><h2 id="h">{name}</h2><p>{text(name)}</p></body></html>')
        arguments = ['--to', 'automatic', '--pages', book, '--set', 'automatic.min_sections=3', '--set', 'automatic.folds=1']
        done = self.run_program('build', *arguments, '--work', self.folder / 'modules', status=4)
        self.assertIn('4 have no section', done.stdout)
        self.assertIn('--set ingest.book_unit=book', done.stdout)
        work = self.folder / 'w'
        self.run_program('build', *arguments, '--work', work, '--set', 'ingest.book_unit=book')
        facets = [line.split('\t')[1] for split in ('train', 'test')
                  for line in (work / 'automatic' / 'trec' / f'{split}.hierarchical.topics.tsv').read_text().splitlines()]
        self.assertEqual(len(facets), 4)
        self.assertIn('A Tale The Wreck', facets)
