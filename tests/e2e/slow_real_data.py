"""Builds from real dumps: run where the data is (TOUCHSTONE_DATA, or ../shared/data beside the checkout), else skipped."""
import json
import os
import re

from harness import EndToEnd, SOURCE, need_data

CONFIG = SOURCE / 'configs' / 'evidence.toml'


class Test(EndToEnd):
    def make(self, dump, *arguments, status=0):
        self.run_program('--progress', 'never', 'build', '--config', CONFIG, '--dump', dump, '--work', self.folder / 'w', *arguments, status=status)
        report = json.loads(self.run_program('validate', self.folder / 'w' / 'collection', '--format', 'json', status=status).stdout)
        self.assertTrue(report['ok'])
        status = json.loads(self.run_program('status', '--work', self.folder / 'w', '--format', 'json').stdout)
        return {stage['stage']: stage for stage in status['stages']}

    def test_the_shinto_wiki_gives_its_groups_and_members(self):
        dump = need_data(self, 'shintowiki-20260531-pages-meta-current-multistream.xml.bz2')
        stages = self.make(dump)
        self.assertEqual(stages['ingest']['counts']['pages'], 24801)
        groups = self.groups('w')
        large = [group for group in groups if len(group['members']) >= 3]
        self.assertGreaterEqual(len(large), 24)
        members = {member['page_id'] for group in groups for member in group['members']}
        self.assertGreaterEqual(len(members), 240)
        if not os.environ.get('TOUCHSTONE_SANITIZER'):  # a sanitizer needs memory of its own
            self.assertLess(max(stage['peak_memory'] for stage in stages.values()), 600e6)

    def test_of_a_real_history_the_last_revision_counts(self):
        dump = need_data(self, 'shintowiki-history-Ichinomiya.xml')
        self.run_program('ingest', '--dump', dump, '--work', self.folder / 'w')
        text = dump.read_text()
        last = text[text.rindex('<revision>'):]
        revision = int(last[last.index('<id>') + 4:last.index('</id>')])
        page = json.loads(self.run_program('show', 'page', 'Ichinomiya', '--work', self.folder / 'w', '--format', 'json').stdout)
        self.assertIn(str(revision), json.dumps(page))

    def test_a_real_7z_history_is_read(self):
        dump = need_data(self, 'aawiki-20260101-pages-meta-history.xml.7z')
        current = need_data(self, 'aawiki-20260101-pages-meta-current.xml.bz2')
        pages = []
        for number, name in enumerate((dump, current)):
            work = self.folder / f'w{number}'
            self.run_program('ingest', '--dump', name, '--work', work)
            status = json.loads(self.run_program('status', '--work', work, '--format', 'json').stdout)
            pages.append(status['stages'][0]['counts']['pages'])
        self.assertGreater(pages[0], 100)
        self.assertEqual(pages[0], pages[1])

    def test_the_whole_latgalian_wikipedia_is_read(self):
        stages = self.make(need_data(self, 'ltgwiki-2017-pages-articles.xml.bz2'))
        counts = stages['ingest']['counts']
        self.assertEqual(counts['pages'], 2004)
        self.assertEqual(counts['redirects'], 195)
        self.assertFalse([reason for reason in stages['ingest']['rejected'] if not reason.startswith('kept')])

    def test_truncated_copies_of_real_dumps_are_one_sentence(self):
        for name in ('ltgwiki-2017-pages-articles.xml.bz2', 'aawiki-20260101-pages-meta-history.xml.7z', 'shintowiki-history-Ichinomiya.xml'):
            data = need_data(self, name).read_bytes()
            for share in (0.3, 0.9):
                with self.subTest(name=name, share=share):
                    cut = self.folder / name
                    cut.write_bytes(data[:int(len(data) * share)])
                    done = self.run_program('--progress', 'never', 'ingest', '--dump', cut, '--work', self.folder / f'cut-{share}-{name}', status=1)
                    self.assert_one_error(done, name)

    def test_the_settings_of_a_survey_give_the_judgments_that_the_readme_states(self):
        dump = need_data(self, 'shintowiki-20260531-pages-meta-current-multistream.xml.bz2')
        settings = self.folder / 'shinto.toml'
        self.run_program('--progress', 'never', 'survey', '--dump', dump, '--out', settings)
        printed = self.run_program('--progress', 'never', 'build', '--config', settings, '--dump', dump, '--work', self.folder / 'w').stdout
        judgments = int(re.search(r'^  judgments +(\d+)', printed, re.MULTILINE)[1])
        row = re.search(r'the file that `survey` writes .*\|(.*)\|', (SOURCE / 'README.md').read_text())[1]
        self.assertEqual(row.strip(), f'{judgments:,}')
