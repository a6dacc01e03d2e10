"""Topics are of what their lists list, once each, and no two queries read alike, on real wikis too."""
import json

from harness import DATA, EndToEnd

EVERYTHING = ['--set', 'groups.sources=table,list-item', '--set', 'groups.list_prefixes=*', '--set', 'groups.header=.',
              '--set', 'groups.min_resolved_ratio=0.1']
DUMPS = ['enwiki-2018-apache-export.xml', 'enwiki-excerpt-206pages.xml.bz2', 'enwiki-table-markup-5pages.xml.bz2',
         'ltgwiki-2017-pages-articles.xml.bz2', 'dewiki-minidump.xml.bz2', 'jawiki-minidump.xml.bz2', 'simplewiki-minidump.xml.bz2',
         'shintowiki-20260531-pages-meta-current-multistream.xml.bz2']

# The others hold a few pages, none of which links to three others from one column. Evidence topics are refused there.
WITH_TOPICS = {'enwiki-2018-apache-export.xml', 'ltgwiki-2017-pages-articles.xml.bz2', 'shintowiki-20260531-pages-meta-current-multistream.xml.bz2'}


def page(number, title, text):
    return (f'<page><title>{title}</title><ns>0</ns><id>{number}</id><revision><id>{number}</id><timestamp>2025-01-01T00:00:00Z</timestamp>'
            f'<model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">{text}</text></revision></page>')


def dump_of(pages):
    body = ''.join(page(number, *entry) for number, entry in enumerate(pages, 1))
    return ('<mediawiki version="0.11" xml:lang="en"><siteinfo><sitename>W</sitename><dbname>wwiki</dbname><base>https://w.example/wiki/P</base>'
            '<generator>MediaWiki</generator><case>first-letter</case><namespaces><namespace key="0" case="first-letter" /></namespaces></siteinfo>'
            f'{body}</mediawiki>')


def table(headers, rows):
    return '{|\n! ' + ' !! '.join(headers) + '\n' + ''.join('|-\n| ' + ' || '.join(row) + '\n' for row in rows) + '|}\n'


class Test(EndToEnd):
    def queries_of(self, work, *arguments, status=0):
        self.run_program('--progress', 'never', 'build', '--to', 'phrase', '--work', self.folder / work, *arguments, status=status)
        if status != 0:  # the build ended before there were queries
            return []
        return [record['query'] for record in self.records(work, 'queries') if record['query']]

    def test_a_list_of_champions_gives_its_champions_once(self):
        people = [f'Person {letter}' for letter in 'ABCDEFGHIJKL']
        rows = [['[[Great Cup]]', f'[[{person}]]', '[[Ostrand]]'] for person in people]
        letters = ''.join(f'== {letter} ==\n* [[{people[at]}]]\n* [[{people[at + 1]}]]\n' for letter, at in (('A', 0), ('B–C', 2), ('Д', 4)))
        dump = self.folder / 'w.xml'
        dump.write_text(dump_of([(title, 'An article. ' * 20) for title in [*people, 'Great Cup', 'Ostrand']] + [
            ('List of champions of Ostrand', table(['Tournament', 'Champion', 'Country'], rows)),
            ('List of champions of Ostrand/draft', table(['Tournament', 'Champion', 'Country'], rows)),
            ('List of players', letters + '== See also ==\n' + ''.join(f'* [[{person}]]\n' for person in people[6:]))]), encoding='utf-8')
        arguments = ['--dump', dump, '--set', 'groups.sources=table,list-item', '--set', 'groups.header=.']
        self.assertEqual(sorted(self.queries_of('w', *arguments)), ['List of players', 'champions of Ostrand'])

    def test_pages_that_are_no_lists_ask_for_what_their_headings_name(self):
        names = [f'Person {letter}' for letter in 'ABCDEFGHIJKLMNO']

        def items(first, before=''):
            return ''.join(f'* {before}[[{name}]]\n' for name in names[first:first + 3])
        text = ('== Staff ==\n' + items(0) + '== List of Saints ==\n' + items(3) + '== Personnel ==\n' + items(6, 'Clerk - equal to ')
                + '== History ==\n' + items(9) + '== 関連項目 ==\n' + items(12))
        dump = self.folder / 'w.xml'
        dump.write_text(dump_of([(name, 'An article. ' * 20) for name in names] + [('Amber Hall', text)]), encoding='utf-8')
        queries = self.queries_of('w', '--dump', dump, *EVERYTHING)
        self.assertEqual(sorted(queries), ['amber hall saints'])

    def test_no_two_topics_of_a_real_wiki_have_one_query(self):
        dumps = [DATA / 'dumps' / name for name in DUMPS if DATA is not None and (DATA / 'dumps' / name).exists()]
        if not dumps:
            self.skipTest('the real dumps are not here')
        for number, dump in enumerate(dumps):
            with self.subTest(dump=dump.name):
                queries = self.queries_of(f'w{number}', '--dump', dump, *EVERYTHING, status=0 if dump.name in WITH_TOPICS else 2)
                self.assertEqual(bool(queries), dump.name in WITH_TOPICS)
                self.assertEqual(len(queries), len({query.casefold() for query in queries}))
