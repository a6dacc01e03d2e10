"""The embedded judge against labels that were made by reading: what README says of it, on the bundled wiki and on a real one."""
import json
import re
import subprocess
import sys

from harness import EndToEnd, SOURCE, need_data

BUNDLED_GOLD = SOURCE / 'examples' / 'miniwiki' / 'gold.tsv'
SHINTO_GOLD = SOURCE / 'tests' / 'data' / 'shinto-gold.jsonl'
SHINTO_DUMP = 'shintowiki-20260531-pages-meta-current-multistream.xml.bz2'
SHINTO_OPTIONS = ['--set', 'passages.scope=all', '--set', 'groups.header=.*', '--set', 'groups.columns=all', '--set', 'groups.sources=["table","list-item"]']
NUMBERS = ('precision', 'recall', 'f1', 'kappa', 'brier', 'ece')
NOISE = 0.03  # other work may change which pairs are candidates, and with them how rare a word is


def without_zero(number):
    """A number of the pages' tables: three places, no zero in front."""
    return f'{number:.3f}'.removeprefix('0')


class Test(EndToEnd):
    def measure(self, gold, *arguments):
        done = subprocess.run([sys.executable, '-B', SOURCE / 'scripts' / 'measure_judge.py', self.folder / 'w', gold, '--format', 'json', *arguments],
                              check=True, stdout=subprocess.PIPE)
        return json.loads(done.stdout)

    def test_the_readme_states_what_it_reaches_on_the_bundled_wiki(self):
        printed = self.build('w').stdout
        measured = self.measure(BUNDLED_GOLD)
        self.assertEqual(measured['judged'], 479)
        line = re.search(r'judge against .*', printed).group()
        self.assertIn(line, (SOURCE / 'README.md').read_text())
        for name, number in zip(NUMBERS, re.findall(r' (-?\d\.\d+)', line)):
            self.assertAlmostEqual(measured['plain'][name], float(number), delta=0.0006)

    def test_the_readme_states_what_it_reaches_on_a_real_wiki(self):
        dump = need_data(self, SHINTO_DUMP)
        self.run_program('--progress', 'never', 'build', '--dump', dump, '--work', self.folder / 'w', *SHINTO_OPTIONS)
        measured = self.measure(SHINTO_GOLD, '--half', 'report')
        self.assertGreaterEqual(measured['judged'], 65)  # of 114; the other texts or lists are no longer part of a build
        row = re.search(r'Shinto Wiki, lists of the other half \|(.*)', (SOURCE / 'README.md').read_text()).group(1)
        stated = [float(cell) for cell in row.split('|')[1:7]]
        for name, number in zip(NUMBERS, stated):
            self.assertAlmostEqual(measured['plain'][name], number, delta=NOISE, msg=name)
        replies = json.loads(self.run_program('show', 'judgments', '--work', self.folder / 'w', '--format', 'json').stdout)
        wordless = [judgment for judgment in replies if not json.loads(judgment['reply'])['word']]
        self.assertGreater(len(wordless), 500)
        self.assertEqual([judgment['docid'] for judgment in wordless if judgment['grade']], [])

    def test_the_pages_state_what_it_reaches_on_wikis_that_it_was_not_fitted_on(self):
        """The rows of docs/lexical-judge.md on Openmoko and Apache; README.md repeats some, which test_readme compares."""
        page = (SOURCE / 'docs' / 'lexical-judge.md').read_text()
        for wiki, name in (('Openmoko', 'openmoko-en-pages.xml.bz2'), ('Apache', 'enwiki-2018-apache-export.xml')):
            dump = need_data(self, name)
            self.run_program('--progress', 'never', 'build', '--dump', dump, '--work', self.folder / wiki, *SHINTO_OPTIONS,
                             '--set', 'groups.list_prefixes=["*"]', '--set', 'groups.min_resolved_ratio=0.3')
        rows = {label.strip(): [cell.strip() for cell in cells.split('|')] for label, cells in re.findall(r'^\|([^|]*)\| 6 \|(.*)\|$', page, re.MULTILINE)}
        for kind, whole in (('held-out-gold', 'Openmoko and Apache, held out'), ('gold', 'Openmoko and Apache')):
            together = []
            for wiki in ('Openmoko', 'Apache'):
                done = subprocess.run([sys.executable, '-B', SOURCE / 'scripts' / 'measure_judge.py', self.folder / wiki,
                                       SOURCE / 'tests' / 'data' / f'{wiki.lower()}-{kind}.jsonl', '--format', 'json'], check=True, stdout=subprocess.PIPE)
                measured = json.loads(done.stdout)
                together.append(measured)
                labels = f'{measured["judged"]} of {measured["labels"]}' if measured['judged'] < measured['labels'] else measured['labels']
                counts = [str(measured['plain'][count]) for count in ('true_yes', 'false_yes', 'false_no')]
                with self.subTest(f'{wiki} ({labels})'):
                    self.assertEqual(rows[f'of these {wiki} ({labels})'], counts + [without_zero(measured['plain'][number]) for number in NUMBERS])
            judged, labels = (sum(measured[field] for measured in together) for field in ('judged', 'labels'))
            yes, wrong, missed, no = (sum(measured['plain'][count] for measured in together) for count in ('true_yes', 'false_yes', 'false_no', 'true_no'))
            chance = ((yes + wrong) * (yes + missed) + (no + missed) * (no + wrong)) / judged ** 2
            expected = [yes / (yes + wrong), yes / (yes + missed), 2 * yes / (2 * yes + wrong + missed), ((yes + no) / judged - chance) / (1 - chance)]
            with self.subTest(whole):
                self.assertEqual(rows[f'{whole} ({judged} of {labels})'][:7], [str(yes), str(wrong), str(missed), *map(without_zero, expected)])

    def test_the_labels_of_real_wikis_hold_no_text_of_them(self):
        counts = {file.name: len(file.read_text().splitlines()) for file in SHINTO_GOLD.parent.glob('*-gold.jsonl')}
        self.assertEqual(counts['shinto-gold.jsonl'], 300)
        self.assertEqual(sum(count for name, count in counts.items() if name.endswith('-fresh-gold.jsonl')), 147)
        labels = [json.loads(line) for name in counts for line in (SHINTO_GOLD.parent / name).read_text().splitlines()]
        for label in labels:
            self.assertEqual(set(label), {'list_page', 'path_sha256', 'member_page', 'passage_page', 'text_sha256', 'stratum', 'stratum_pairs', 'label'})
            for name, value in label.items():
                self.assertTrue(re.fullmatch('[0-9a-f]{64}', value) if name.endswith('sha256') else isinstance(value, int), (name, value))
            self.assertIn(label['label'], (0, 1))
