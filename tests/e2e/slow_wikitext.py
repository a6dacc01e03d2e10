"""The wikitext reader against MediaWiki: ready facts of whole dumps, and MediaWiki's own parser tests.

Run where the facts are (TOUCHSTONE_ORACLE, or ../shared/oracle beside the checkout), else skipped.
"""
import os
import pathlib
import subprocess
import sys

from harness import DATA, EndToEnd, PROGRAM, SOURCE, need_data

ORACLE = pathlib.Path(os.environ.get('TOUCHSTONE_ORACLE') or DATA.parent / 'oracle')


class Test(EndToEnd):
    def need_facts(self, name):
        path = ORACLE / name
        if not path.exists():
            self.skipTest(f'{path} is not there; set TOUCHSTONE_ORACLE to the folder with MediaWiki\'s facts')
        return path

    def run_script(self, name, *arguments):
        done = subprocess.run([sys.executable, '-B', SOURCE / 'scripts' / name, '--program', PROGRAM, *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=800)
        self.assertEqual(done.returncode, 0, done.stdout.decode())

    def check_dump(self, dump, facts):
        self.run_script('wikitext_facts.py', '--check', '--show', '20', need_data(self, dump), self.need_facts(f'facts/{facts}'))

    def test_pages_of_the_english_excerpt_are_read_as_mediawiki_reads_them(self):
        self.check_dump('enwiki-excerpt-206pages.xml.bz2', 'enwiki-excerpt-206pages')

    def test_pages_of_the_latgalian_wikipedia_are_read_as_mediawiki_reads_them(self):
        self.check_dump('ltgwiki-2017-pages-articles.xml.bz2', 'ltgwiki-2017')

    def test_links_of_the_shinto_wiki_are_those_of_mediawiki(self):
        self.check_dump('shintowiki-20260531-pages-meta-current-multistream.xml.bz2', 'shintowiki')

    def test_parser_tests_of_mediawiki_give_what_they_expect(self):
        cases = [self.need_facts(f'cases/{name}.jsonl') for name in ('cases', 'cases_templates', 'articles')]
        self.run_script('wikitext_conformance.py', '--check', '--cases', cases[0], '--template-cases', cases[1], '--articles', cases[2])
