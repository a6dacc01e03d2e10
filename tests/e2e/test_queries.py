"""Queries that a reader would sign, on small wikis in several languages that nobody tuned for."""
import json

from harness import EndToEnd
from judge_server import MODEL, JudgeServer

NAMESPACES = '<namespaces><namespace key="0" case="first-letter" /></namespaces>'


def dump_of(language, site, pages):
    body = ''.join(f'<page><title>{title}</title><ns>0</ns><id>{number}</id><revision><id>{number}</id><timestamp>2025-01-01T00:00:00Z</timestamp>'
                   f'<model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">{text}</text></revision></page>'
                   for number, (title, text) in enumerate(pages, 1))
    return (f'<mediawiki version="0.11" xml:lang="{language}"><siteinfo><sitename>{site}</sitename><dbname>w</dbname><base>https://w.example/wiki/P</base>'
            f'<generator>MediaWiki</generator><case>first-letter</case>{NAMESPACES}</siteinfo>{body}</mediawiki>')


def table(headers, rows):
    return '{|\n! ' + ' !! '.join(headers) + '\n' + ''.join('|-\n| ' + ' || '.join(row) + '\n' for row in rows) + '|}\n'


def items(names):
    return ''.join(f'* [[{name}]]\n' for name in names)


def articles(names, text):
    return [(name, text.format(name=name) * 3) for name in names]


BOSSES = ['Ashmaw', 'Grel', 'Cinder Queen', 'Hollow Smith', 'Vaskra', 'Tallowking']
CASTLES = ['Falkenau', 'Rabenstein', 'Ebern', 'Hartberg', 'Lindau', 'Greifeneck']


class Test(EndToEnd):
    def wiki(self, language, site, pages):
        dump = self.folder / 'w.xml'
        dump.write_text(dump_of(language, site, pages), encoding='utf-8')
        return dump

    def worded(self, work, *arguments, status=0):
        """Title of the list -> (query, verdict) of each of its topics."""
        self.run_program('--progress', 'never', 'build', '--to', 'phrase', '--work', self.folder / work, *arguments, status=status)
        page = {group['topic']: group['page'] for group in self.records(work, 'groups')}
        queries = self.records(work, 'queries')
        return {page[query['topic']]: (query['query'], query['verdict']) for query in queries}

    def lists(self, language, site, pages, *arguments):
        return self.worded('w', '--dump', self.wiki(language, site, pages), '--set', 'groups.sources=table,list-item', '--set', 'groups.max_overlap=0', *arguments)

    def test_ends_of_titles_that_a_survey_found_make_no_query_certain(self):
        pages = [*articles(BOSSES, '{name} is a boss of Emberfall. '), ('Bosses of Emberfall', items(BOSSES)), ('Bosses', items(BOSSES)), ('List of bosses', items(BOSSES))]
        entries = ['--set', 'groups.list_prefixes=*of Emberfall,Bosses,List of']
        self.assertEqual(self.lists('en', 'Emberfall Wiki', pages, *entries),
                         {'Bosses of Emberfall': ('bosses of emberfall', 'keywords'), 'Bosses': ('', 'unworded'), 'List of bosses': ('List of bosses', 'keywords')})
        self.assertEqual(self.worded('w', *entries, '--set', 'groups.sources=table,list-item', '--set', 'groups.max_overlap=0', '--set', 'phrase.subject=Emberfall')['Bosses of Emberfall'],
                         ('bosses of emberfall', 'keywords'))

    def test_codes_versions_and_files_are_no_queries(self):
        pages = [*articles(BOSSES, '{name} is a boss of Emberfall. '), ('EnemyReference/BossData', '== Bosses ==\n' + items(BOSSES)), ('APIReference', '== Bosses ==\n' + items(BOSSES)),
                 ('Bosses.yml bosses', items(BOSSES)), ('Patch 1.2', '== Bosses ==\n' + items(BOSSES)), ('Old bosses', '== Bosses.txt ==\n' + items(BOSSES)),
                 ('Slag Marsh', '== Bosses ==\n' + items(BOSSES))]
        self.assertEqual({page: query for page, (query, _) in self.lists('en', 'Emberfall Wiki', pages, '--set', 'groups.list_prefixes=*').items() if query},
                         {'Slag Marsh': 'slag marsh bosses'})

    def test_titles_of_lists_keep_their_grammar_in_other_languages(self):
        text = '{name} ist eine Burg in Hessen. '
        self.assertEqual(self.lists('de', 'Vorlandwiki', [*articles(CASTLES, text), ('Liste der Burgen in Hessen', items(CASTLES)), ('Liste der höchsten Burgen in Hessen', items(CASTLES)),
                                                          ('Liste der Burgen', items(CASTLES)), ('Liste hessischer Burgen', '== Ruinen ==\n' + items(CASTLES))]),
                         {'Liste der Burgen in Hessen': ('Burgen in Hessen', 'certain'), 'Liste der höchsten Burgen in Hessen': ('Liste der höchsten Burgen in Hessen', 'certain'),
                          'Liste der Burgen': ('Liste der Burgen', 'keywords'), 'Liste hessischer Burgen': ('hessischer burgen ruinen', 'keywords')})

    def test_words_for_lists_in_a_language_without_rules_are_learned(self):
        pages = [*articles(CASTLES, 'Castell yng Ngwynfryn yw {name}. '), *((title, items(CASTLES)) for title in ('Rhestr o gestyll Gwynfryn', 'Rhestr o gestyll', 'Rhestr o adfeilion Gwynfryn', 'Gwynfryn', 'Gwynfryn Fawr'))]
        self.assertEqual(self.lists('kw', 'Wici Gwynfryn', pages, '--set', 'groups.list_prefixes=Rhestr,Gwynfryn'),
                         {'Rhestr o gestyll Gwynfryn': ('Rhestr o gestyll Gwynfryn', 'keywords'), 'Rhestr o adfeilion Gwynfryn': ('Rhestr o adfeilion Gwynfryn', 'keywords'),
                          'Rhestr o gestyll': ('Rhestr o gestyll', 'keywords'), 'Gwynfryn': ('', 'unworded'), 'Gwynfryn Fawr': ('', 'unworded')})

    def test_a_page_that_has_what_is_listed_is_no_query_for_it(self):
        text = "{name} ist eine Gemeinde im Landkreis Vorland. "
        found = self.lists('de', 'Vorlandwiki', [*articles(CASTLES, text), ('Landkreis Vorland', items(CASTLES)), ('Gemeinden im Vorland', items(CASTLES))], '--set', 'groups.list_prefixes=*')
        self.assertEqual(found, {'Landkreis Vorland': ('', 'unworded'), 'Gemeinden im Vorland': ('gemeinden im vorland', 'keywords')})

    def test_a_survey_names_the_subject_where_words_mean_little_without_it(self):
        told = ['{name} is a boss who guards the gate of the marsh.', 'Deep in the mines waits the boss {name}, with two hammers.', 'Four players must fight the boss called {name} at once.',
                'The third boss, {name}, was added after the great fire.', 'No boss drops more coal than {name} does.', 'Where the river ends, {name} is the boss of the smiths.']
        pages = [(name, told[at].format(name=name)) for at, name in enumerate(BOSSES)] + [(name, told[at].format(name=name).replace('boss', 'weapon')) for at, name in enumerate(CASTLES)]
        pages += [('Bosses', 'All bosses.\n' + items(BOSSES)), ('Weapons', 'All weapons.\n' + items(CASTLES))]
        dump, settings = self.wiki('en', 'Emberfall Wiki', pages), self.folder / 'best.toml'
        self.run_program('survey', '--dump', dump, '--out', settings)
        self.assertIn('subject = "Emberfall"', settings.read_text())
        self.assertEqual(self.worded('w', '--dump', dump, '--config', settings), {'Bosses': ('bosses emberfall', 'keywords'), 'Weapons': ('weapons emberfall', 'keywords')})

    # What a person decides.

    def reviewed(self, edit, status=0):
        self.build('w', '--to', 'phrase')
        review = self.folder / 'decided.tsv'
        review.write_text(edit((self.folder / 'w' / 'queries-review.tsv').read_text(encoding='utf-8')), encoding='utf-8')
        done = self.build('w', '--review', review, status=status)
        queries = self.records('w', 'queries')
        return done, queries, review

    @staticmethod
    def decide(text, decisions):
        """The review with (decision, wording) for some rows, by number."""
        lines = text.splitlines()
        for row, (decision, wording) in decisions.items():
            columns = lines[row].split('\t')
            columns[0], columns[4] = decision, wording
            lines[row] = '\t'.join(columns)
        return '\n'.join(lines) + '\n'

    def test_build_obeys_a_review_of_queries(self):
        _, queries, review = self.reviewed(lambda text: self.decide(text, {1: ('reword', 'words of a person'), 2: ('drop', '')}))
        self.assertEqual([query['query'] for query in queries if query['source'] == 'review'], ['words of a person', ''])
        self.assertIn('dropped by the review', [query['why'] for query in queries])
        topics = (self.folder / 'w' / 'collection' / 'topics.tsv').read_text(encoding='utf-8')
        self.assertIn('words of a person', topics)
        self.assertEqual(self.to_run('w', '--review', review), [])
        review.write_text(self.decide(review.read_text(encoding='utf-8'), {1: ('keep', '')}), encoding='utf-8')
        self.assertIn('phrase', self.to_run('w', '--review', review))

    def test_a_review_of_topics_that_are_not_there_is_an_error(self):
        done, _, _ = self.reviewed(lambda text: text + 'reword\theading\tList of nothing\tName\tnothing\t\t0\n', status=2)
        self.assert_one_error(done, 'decided.tsv', 'List of nothing', 'queries-review.tsv')
        done, _, _ = self.reviewed(lambda text: text.replace('keep\t', 'reject\t', 1), status=1)
        self.assert_one_error(done, 'decided.tsv:2', 'keep, drop or reword')

    def test_a_review_that_no_stage_reads_is_an_error(self):
        done = self.run_program('build', '--to', 'link', '--dump', self.folder / 'none.xml', '--work', self.folder / 'w', '--review', self.folder / 'r.tsv', status=2)
        self.assert_one_error(done, '--review', 'phrase')

    # What a model words.

    def test_bad_wordings_of_a_model_leave_the_words_of_the_rules(self):
        self.build('rules', '--to', 'phrase')
        rules = {query['topic']: query for query in self.records('rules', 'queries')}
        bad = ['Here is your query: museums in Saltmere', 'Museen in der Stadt Saltmere', 'ferries of Brenna', 'how old are the museums in Saltmere?', '"museums in Saltmere"',
               'museums and galleries and libraries and theatres and concert halls in or near Saltmere and its many suburbs', 'museums\nin Saltmere']
        for number, words in enumerate(bad):
            with self.subTest(words):
                server = JudgeServer(self, rules=[{'do': 'say', 'match': 'List: List of museums', 'body': json.dumps({'query': words})}])
                self.build(f'w{number}', '--to', 'phrase', *server.settings(), '--set', 'phrase.source=auto')
                queries = self.records(f'w{number}', 'queries')
                refused = [query for query in queries if not query['source'].startswith(MODEL)]
                self.assertEqual(refused, [rules[query['topic']] for query in refused])
                self.assertIn('museums in Saltmere', [query['query'] for query in refused])
                self.assertLess(len(refused), len(queries) / 2)

    def test_a_review_comes_before_the_words_of_a_model(self):
        server = JudgeServer(self)
        self.build('w', '--to', 'phrase', *server.settings())
        review = self.folder / 'decided.tsv'
        review.write_text(self.decide((self.folder / 'w' / 'queries-review.tsv').read_text(), {1: ('reword', 'words of a person'), 2: ('drop', '')}))
        self.build('w', '--to', 'phrase', *server.settings(), '--review', review)
        queries = self.records('w', 'queries')
        self.assertEqual([query['query'] for query in queries if query['source'] == 'review'], ['words of a person', ''])
