"""Builds of several wikis, months and configurations by one command."""
import csv
import shutil

from harness import DUMP, EndToEnd

FILE = '''
[campaign]
work = "out"
to = "automatic"
months = ["20250101", "20250201"]

[[campaign.wiki]]
name = "mini"
dump = ["mini-{month}.xml"]
set = ["automatic.folds=2"]

[[campaign.config]]
name = "short"
set = ["automatic.min_sections=1"]

[[campaign.config]]
name = "long"
file = "long.toml"
'''


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        (self.folder / 'wikis.toml').write_text(FILE)
        (self.folder / 'long.toml').write_text('[automatic]\nmin_sections = 2\n')
        shutil.copyfile(DUMP, self.folder / 'mini-20250101.xml')

    def campaign(self, *arguments, **options):
        return self.run_program('--progress', 'never', 'campaign', self.folder / 'wikis.toml', *arguments, **options)

    def table(self):
        return list(csv.DictReader((self.folder / 'out' / 'campaign.tsv').read_text().splitlines(), delimiter='\t'))

    def wrong(self, text, *words):
        (self.folder / 'wikis.toml').write_text(text)
        done = self.campaign(status=2)
        for word in ('wikis.toml', *words):
            self.assertIn(word, done.stderr)

    def test_a_build_that_fails_is_named_and_the_others_are_made_and_not_made_again(self):
        failed = self.campaign(status=1)
        self.assert_one_error(failed, '2 of 4 builds failed', 'campaign.tsv')
        self.assertEqual([(row['month'], row['config'], row['state']) for row in self.table()],
                         [('20250101', 'short', 'done'), ('20250101', 'long', 'done'), ('20250201', 'short', 'failed'), ('20250201', 'long', 'failed')])
        self.assertIn('mini-20250201.xml: no such file', self.table()[2]['why'])
        shutil.copyfile(DUMP, self.folder / 'mini-20250201.xml')
        done = self.campaign()
        self.assertEqual({row['state'] for row in self.table()}, {'done'})
        self.assertEqual(done.stdout, (self.folder / 'out' / 'campaign.tsv').read_text())
        first = done.stderr[:done.stderr.index('build 3 of 4')]
        self.assertNotIn(': done in', first)
        self.assertIn('export-automatic: done before', first)

    def test_each_build_is_that_of_its_wiki_month_and_configuration(self):
        shutil.copyfile(DUMP, self.folder / 'mini-20250201.xml')
        self.campaign()
        short, long = self.table()[:2]
        self.assertGreater(int(short['automatic topics']), int(long['automatic topics']))
        self.build('alone', '--to', 'automatic', '--set', 'automatic.folds=2', '--set', 'automatic.min_sections=1', dump=self.folder / 'mini-20250101.xml')
        read = lambda work: (work / 'automatic' / 'trec' / 'test.hierarchical.qrels').read_bytes()
        self.assertEqual(read(self.folder / 'out' / 'mini' / '20250101' / 'short'), read(self.folder / 'alone'))

    def test_options_of_the_command_line_go_over_those_of_the_file(self):
        self.campaign('--only', '0', '--set', 'automatic.min_sections=3')
        manifest = (self.folder / 'out' / 'mini' / '20250101' / 'short' / 'automatic' / 'manifest.json').read_text()
        self.assertRegex(manifest, r'"automatic.min_sections": "?3')
        self.assertFalse((self.folder / 'out' / 'campaign.tsv').exists())
        self.assert_one_error(self.campaign('--only', '4', status=2), '4 builds, counted from 0')

    def test_what_a_file_gets_wrong_is_named(self):
        self.wrong('[campaign]\n', 'there is no [[campaign.wiki]]')
        self.wrong(FILE.replace('name = "long"', 'name = "short"'), 'two tables [[campaign.config]] have the name "short"')
        self.wrong(FILE.replace('name = "mini"', 'name = "../mini"'), '[[campaign.wiki]] 1 needs a name')
        self.wrong(FILE.replace('months = ["20250101", "20250201"]\n', ''), '{month}', 'campaign.months is empty')
        self.wrong(FILE.replace('dump = ["mini-{month}.xml"]\n', ''), 'needs either dump or pages')
        self.wrong(FILE.replace('dump = ["mini', 'pages = ["mini').replace('months = ["20250101", "20250201"]\n', ''), 'campaign.months is empty')
        self.wrong(FILE.replace('to = "automatic"', 'to = "automtic"'), 'campaign.to names no target')
        self.wrong(FILE.replace('months', 'month'), 'campaign.month', 'campaign.months')
