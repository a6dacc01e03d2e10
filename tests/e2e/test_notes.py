"""Notes that lead to other pages are in no passage, whatever the wiki calls them, and their links are still links."""
import json

from harness import EndToEnd


def page(number, namespace, title, text):
    return (f'<page><title>{title}</title><ns>{namespace}</ns><id>{number}</id><revision><id>{number}</id><timestamp>2025-01-01T00:00:00Z</timestamp>'
            f'<model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">{text}</text></revision></page>')


class Test(EndToEnd):
    def passages(self, templates, call, template=None):
        pages = [page(1, 0, 'Stein', f'{call}\nDer Stein liegt seit langer Zeit an der Küste im Norden. __DISAMBIG__'), page(2, 0, 'Fels', 'Ein Fels ist größer als ein Stein am Strand.')]
        if template:
            pages.append(page(3, 10, f'Template:{template[0]}', template[1]))
        dump = self.folder / 'w.xml'
        dump.write_text('<mediawiki version="0.11" xml:lang="en"><siteinfo><sitename>W</sitename><dbname>wwiki</dbname><base>https://w.example/wiki/P</base>'
                        '<generator>MediaWiki</generator><case>first-letter</case><namespaces><namespace key="0" case="first-letter" />'
                        '<namespace key="10" case="first-letter">Template</namespace></namespaces></siteinfo>' + ''.join(pages) + '</mediawiki>')
        work = self.folder / 'w'
        self.run_program('--progress', 'never', 'build', '--to', 'link', '--dump', dump, '--work', work, '--set', f'ingest.templates={templates}')
        backlinks = json.loads(self.run_program('show', 'backlinks', 'Fels', '--work', work, '--format', 'json').stdout)['pages']
        return backlinks, [passage['text'] for passage in json.loads(self.run_program('show', 'passages', 'Stein', '--work', work, '--format', 'json').stdout)['passages']]

    def test_notes_are_left_out_and_their_links_count(self):
        text = (1, ['Der Stein liegt seit langer Zeit an der Küste im Norden.'])
        for templates, call, template in (('rules', '{{main|Fels}}', None), ('expand', '{{main|Fels}}', ('Main', "''Main article: '''[[{{{1}}}]]'''''")),
                                          ('expand', '{{Siehe|Fels}}', ('Siehe', '&lt;div role="note"&gt;Siehe auch [[{{{1}}}]].&lt;/div&gt;')),
                                          ('rules', '&lt;div class="noprint hatnote"&gt;Siehe [[Fels]]&lt;/div&gt;', None)):
            with self.subTest(call=call, templates=templates):
                self.assertEqual(self.passages(templates, call, template), text)
        _, shown = self.passages('rules', '&lt;div class="box"&gt;Neben [[Fels]]&lt;/div&gt;')
        self.assertTrue(shown[0].startswith('Neben Fels'), shown)
