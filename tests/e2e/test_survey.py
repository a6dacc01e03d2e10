"""A survey says what a build then gives, changes nothing, leaves nothing behind, and needs no English."""
import json
import os
import signal
import subprocess
import tomllib

from harness import DATA, DUMP, PROGRAM, EndToEnd


def page(number, title, text):
    return (f'<page><title>{title}</title><ns>0</ns><id>{number}</id><revision><id>{number}</id><timestamp>2025-01-01T00:00:00Z</timestamp>'
            f'<model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">{text}</text></revision></page>')


def wiki_of(list_titles, header, language):
    """A wiki with lists of ten places each. The places link to one another and name the lists that they are in."""
    places = [f'Ynys {first}{second}' for first in 'BCDF' for second in 'aeiouwylnr']
    pages = []
    for number, place in enumerate(places):
        others = ', '.join(f'[[{places[(number + step) % 40]}]]' for step in (1, 2, 3))
        lists = ', '.join(title for listed, title in enumerate(list_titles) if (number - listed * 7) % 40 < 10)
        pages.append((place, f"'''{place}''' {others}: {lists}. " + 'geiriau ' * 30))
    for number, title in enumerate(list_titles):
        rows = ''.join(f'|-\n| [[{places[(number * 7 + row) % 40]}]] || {row}\n' for row in range(10))
        pages.append((title, f'{{|\n! {header} !! Rhif\n{rows}|}}\n'))
    body = ''.join(page(number, *entry) for number, entry in enumerate(pages, 1))
    return (f'<mediawiki version="0.11" xml:lang="{language}"><siteinfo><sitename>W</sitename><dbname>wwiki</dbname><base>https://w.example/wiki/P</base>'
            f'<generator>MediaWiki</generator><case>first-letter</case><namespaces><namespace key="0" case="first-letter" /></namespaces></siteinfo>{body}</mediawiki>')


# The lexical judge cannot confirm what these invented wikis say.
ANY_EVIDENCE = ['--set', 'topics.min_evidence=0', '--set', 'topics.min_probability=0', '--set', 'topics.max_unsure=1']


class Test(EndToEnd):
    def survey(self, *arguments, **options):
        return json.loads(self.run_program('--progress', 'never', 'survey', '--format', 'json', *arguments, **options).stdout)

    def built_groups(self, work, *arguments):
        """Groups of a build up to the candidates, those that are not discarded before evidence is asked for."""
        self.run_program('--progress', 'never', 'build', '--to', 'candidates', '--work', self.folder / work, *arguments)
        groups = json.loads(self.run_program('show', 'groups', '--work', self.folder / work, '--format', 'json').stdout)
        return [group for group in groups if group['reason'] in ('', 'too little evidence')]

    def check_counts(self, choice, groups, least):
        topics = [group for group in groups if group['candidates'] >= least]
        self.assertEqual(choice['groups'], len(groups))
        self.assertEqual(choice['topics'], len(topics))
        self.assertEqual(choice['candidates'], sum(group['candidates'] for group in topics))
        self.assertEqual(choice['members'], len({member['page_id'] for group in groups for member in group['members']}))

    def check_against_builds(self, dump):
        survey = self.survey('--dump', dump)
        self.assertTrue(survey['settings'])
        self.assertEqual(survey['toml'], survey['settings'][0]['toml'])
        for number, choice in enumerate(survey['settings']):
            config = self.folder / f'{number}.toml'
            config.write_text(choice['toml'])
            self.assertGreater(choice['topics'], 0)
            self.check_counts(choice, self.built_groups(f'built{number}', '--config', config, '--dump', dump), survey['min_evidence'])
        return survey

    def test_the_numbers_are_those_of_a_build_with_the_settings(self):
        survey = self.check_against_builds(DUMP)
        config = self.folder / 'best.toml'
        self.run_program('survey', '--dump', DUMP, '--out', config)
        self.assertEqual(config.read_text(), survey['toml'])
        self.run_program('--progress', 'never', 'build', '--to', 'facets', '--config', config, '--dump', DUMP, '--work', self.folder / 'a')
        selection = json.loads((self.folder / 'a' / 'stages' / 'selection.json').read_text())['survey']
        self.assertEqual(selection, survey['automatic']['recommended'])

    def test_the_numbers_are_those_of_a_build_of_a_real_wiki(self):
        dump = DATA / 'dumps' / 'ltgwiki-2017-pages-articles.xml.bz2'
        if not dump.exists():
            self.skipTest(f'{dump} is not here')
        survey = self.check_against_builds(dump)
        self.assertTrue(any(row['title'] == '*saroksts' for row in survey['titles']))

    def test_list_titles_are_found_in_a_language_that_nothing_is_known_of(self):
        for language, titles, affix in (('kw', ['Rhestr o draethau', 'Rhestr o drefi', 'Rhestr o lynnoedd', 'Rhestr o ynysoedd'], 'Rhestr o'),
                                        ('yue', ['島一覧', '町の一覧', '湖の一覧', '村一覧'], '*一覧'),
                                        ('kw', ['Traethau rhestr', 'Trefi rhestr', 'Llynnoedd rhestr'], '* rhestr')):
            dump = self.folder / 'w.xml'
            dump.write_text(wiki_of(titles, 'Enw', language))
            survey = self.survey('--dump', dump, *ANY_EVIDENCE)
            settings = tomllib.loads(survey['toml'])['groups']
            self.assertEqual(settings['list_prefixes'], [affix])
            self.assertEqual(survey['settings'][0]['trial']['groups'], len(titles))
            self.assertEqual(survey['current']['topics'], 0)

    def test_two_commands_lead_to_topics_where_a_build_finds_none(self):
        dump = self.folder / 'w.xml'
        dump.write_text(wiki_of(['Rhestr o draethau', 'Rhestr o drefi', 'Rhestr o lynnoedd'], 'Enw', 'kw'))
        first = self.run_program('--progress', 'never', 'build', '--dump', dump, '--work', 'w', *ANY_EVIDENCE, status=4, cwd=self.folder)
        command = next(line for line in first.stdout.splitlines() if line.startswith('next ')).split()[1:]
        self.assertEqual(command, ['touchstone', 'build', '--config', 'w/survey-1.toml', '--work', 'w'])
        self.run_program('--progress', 'never', *command[1:], cwd=self.folder)
        groups = json.loads(self.run_program('show', 'groups', '--work', 'w', '--format', 'json', cwd=self.folder).stdout)
        self.assertEqual(len([group for group in groups if group['candidates'] >= 5]), 3)

    def test_the_output_does_not_depend_on_threads(self):
        outputs = {self.run_program('survey', '--dump', DUMP, '--threads', threads).stdout for threads in (1, 2, 7)}
        self.assertEqual(len(outputs), 1)

    def test_a_work_directory_is_read_and_not_changed(self):
        self.build('w', '--to', 'link')
        work = self.folder / 'w'

        def state():
            return {path.relative_to(work): (path.stat().st_mtime_ns, path.read_bytes()) for path in work.rglob('*') if path.is_file()}

        before = state()
        self.survey('--work', work)
        self.assertEqual(state(), before)

    def test_a_work_directory_named_beside_a_dump_is_kept_for_the_build(self):
        self.survey('--dump', DUMP, '--work', self.folder / 'w')
        build = self.run_program('--progress', 'never', 'build', '--dump', DUMP, '--work', self.folder / 'w', '--to', 'link')
        self.assertIn('ingest: done before', build.stderr)

    def test_nothing_is_left_behind(self):
        temporary = self.folder / 'tmp'
        temporary.mkdir()
        environment = {'TMPDIR': str(temporary)}
        self.survey('--dump', DUMP, environment=environment)
        self.assertEqual(list(temporary.iterdir()), [])
        self.run_program('survey', '--dump', '/dev/null', status=1, environment=environment)
        self.assertEqual(list(temporary.iterdir()), [])

    def test_nothing_is_left_behind_on_a_signal(self):
        temporary = self.folder / 'tmp'
        temporary.mkdir()
        reading, writing = os.pipe()
        with subprocess.Popen([PROGRAM, 'survey', '--dump', '-'], stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, 'TMPDIR': str(temporary)}) as process:
            os.close(reading)
            os.write(writing, DUMP.read_bytes()[:40000])
            while not list(temporary.rglob('CURRENT')):
                self.assertIsNone(process.poll())
            process.send_signal(signal.SIGTERM)
            _, error = process.communicate(timeout=60)
            os.close(writing)
        self.assertEqual(process.returncode, 3, error)
        self.assertEqual(list(temporary.iterdir()), [])

    def test_a_store_without_pages_and_a_missing_dump_are_said_plainly(self):
        missing = self.run_program('survey', '--dump', 'no-such.xml', status=1)
        self.assertIn('no such file', missing.stderr)
        empty = self.run_program('survey', '--work', self.folder / 'none', status=1)
        self.assertIn('none', empty.stderr)
