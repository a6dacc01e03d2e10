"""Each claim of a collection is compared with what it follows from, also after somebody has brought sizes and digests in order again."""
import gzip
import hashlib
import json
import re
import shutil

from harness import EndToEnd

JUDGE = 'lexical/6 (baseline)'
EVIL = 'https://evil.example.org/'


def info(field, value):
    return 'manifest.json', lambda tree: tree['collection'].__setitem__(field, value)


def croissant(field, value):
    return 'croissant.json', lambda tree: tree.__setitem__(field, value)


def text(name, old, new):
    """Replaces the first occurrence; it must be there."""
    def change(content):
        assert old in content, (name, old)
        return content.replace(old, new, 1)
    return name, change


def lines(name, change):
    def edit(content):
        all_lines = content.splitlines()
        change(all_lines)
        return ''.join(line + '\n' for line in all_lines)
    return name, edit


def swap(all_lines, first, second):
    all_lines[first], all_lines[second] = all_lines[second], all_lines[first]


JUDGMENTS, CARD, QUERIES, MEMBERS, CORPUS, DISCARDED = 'judgments.jsonl.gz', 'README.md', 'queries.jsonl', 'members.jsonl', 'corpus.jsonl.gz', 'discarded.tsv'

# What is done -> the changes of files.
DAMAGES = {
    'the manifest denies the baseline': [info('baseline_judge', False)],
    'the manifest and the card deny the baseline': [info('baseline_judge', False), text(CARD, '- baseline-labels\n', '')],
    'BASELINE stands in a comment only': [text(CARD, 'The labels are a BASELINE', 'The labels are good'), lines(CARD, lambda all: all.append('<!-- BASELINE -->'))],
    'the card has no warning': [lines(CARD, lambda all: all.__setitem__(slice(None), [line for line in all if not line.startswith('> **')] + ['BASELINE']))],
    'the card hides the limit of baselines': [text(CARD, 'it sees words, not meaning', 'it sees meaning')],
    'the card has no baseline tag': [text(CARD, '- baseline-labels\n', '')],
    'the manifest names another judge': [info('judge', 'gpt-9')],
    'all files about it name another judge': [info('judge', 'gpt-9 (baseline)'), text(CARD, f'- Judge: {JUDGE}', '- Judge: gpt-9 (baseline)'),
                                              croissant('rai:machineAnnotationTools', ['gpt-9 (baseline)'])],
    'one judgment is by another judge': [text(JUDGMENTS, f'"judge":"{JUDGE}"', '"judge":"gpt-9"')],
    'all judgments are by another judge': [(JUDGMENTS, lambda content: content.replace(JUDGE, 'people'))],
    'a judgment names nobody': [text(JUDGMENTS, f'"judge":"{JUDGE}"', '"judge":" "')],
    'croissant.json names another judge': [croissant('rai:machineAnnotationTools', ['people'])],
    'croissant.json hides the baseline': [croissant('rai:dataAnnotationProtocol', 'By people.')],
    'croissant.json describes human labels': [croissant('description', 'Human labels.')],
    'queries are in another order': [lines(QUERIES, lambda all: swap(all, 0, 1))],
    'a structured query is another one': [text(QUERIES, '"structured":"List of ', '"structured":"List about ')],
    'a column is another one': [text(QUERIES, '"column":"Name"', '"column":"Nome"')],
    'a section is another one': [text(QUERIES, '"section":["Annual festivals"]', '"section":["Other festivals"]')],
    'a list page has another number': [text(QUERIES, '"page":"List of festivals in Ostrand","page_id":176', '"page":"List of festivals in Ostrand","page_id":158')],
    'nobody worded a query': [text(QUERIES, '"query_source":"template/5"', '"query_source":""')],
    'a docid has another ordinal': [text(CORPUS, '"_id":"miniwiki-4-0"', '"_id":"miniwiki-4-7"')],
    'a docid is of another page': [text(CORPUS, '"_id":"miniwiki-4-0"', '"_id":"miniwiki-3-0"')],
    'a docid is of another wiki': [text(CORPUS, '"_id":"miniwiki-4-0"', '"_id":"enwiki-4-0"')],
    "a member's passage has another title": [text(CORPUS, '"title":"Saltmere Maritime Museum"', '"title":"Saltmere Museum"')],
    'a member has another title': [(MEMBERS, lambda content: content.replace('"Herring Week"', '"Herring Weak"')), (JUDGMENTS, lambda content: content.replace('"member":"Herring Week"', '"member":"Herring Weak"'))],
    'a judgment without evidence is lost': [lines(JUDGMENTS, lambda all: all.pop(next(i for i, line in enumerate(all) if '"grade":0' in line)))],
    'a member has more candidates': [text(MEMBERS, '"candidates":6', '"candidates":60')],
    'a digest is none': [(JUDGMENTS, lambda content: re.sub('"digest":"[0-9a-f]+"', '"digest":"see above"', content, count=1))],
    'a digest is missing': [(JUDGMENTS, lambda content: re.sub('"digest":"[0-9a-f]+"', '"digest":""', content, count=1))],
    'a prompt is no digest': [text(JUDGMENTS, '"prompt":null', '"prompt":"be kind"')],
    'a graded judgment has a reply without a grade': [(JUDGMENTS, lambda content: re.sub('("digest":"[0-9a-f]+")}', r'\1,"reply":"no"}', content, count=1))],
    'no vote is for the grade': [(JUDGMENTS, lambda content: re.sub('("grade":1.*"digest":"[0-9a-f]+")}', r'\1,"votes":[{"judge":"' + JUDGE + r'","grade":0,"probability":null,"state":"judged","digest":"ab"}]}', content, count=1))],
    'a vote has a state against its grade': [(JUDGMENTS, lambda content: re.sub('("grade":1.*"digest":"[0-9a-f]+")}', r'\1,"votes":[{"judge":"' + JUDGE + r'","grade":1,"probability":null,"state":"failed","digest":"ab"}]}', content, count=1))],
    'a vote has a probability that cannot be': [(JUDGMENTS, lambda content: re.sub('("grade":1.*"digest":"[0-9a-f]+")}', r'\1,"votes":[{"judge":"' + JUDGE + r'","grade":1,"probability":2,"state":"judged","digest":"ab"}]}', content, count=1))],
    'discarded lines are out of order': [lines(DISCARDED, lambda all: swap(all, 1, 2))],
    'something of an unknown kind was discarded': [(DISCARDED, lambda content: content[:content.rindex('\ncolumn\t') + 1] + 'thingy' + content[content.rindex('\ncolumn\t') + 7:])],
    'a discarded line is lost': [lines(DISCARDED, lambda all: all.pop())],
    'the manifest has another licence': [info('license', 'MIT')],
    'the manifest has another mode': [info('mode', 'strict')],
    'the manifest has another wiki': [info('wiki', 'enwiki')],
    'the manifest has another dump': [info('dump_names', ['enwiki-20250101.xml'])],
    'the manifest has no date': [info('dump_date', 'yesterday')],
    'the collection has no name': [info('name', '')],
    'the address is a script': [info('base_url', 'javascript:alert(1)')],
    'the address has blanks': [info('base_url', EVIL + ' or elsewhere')],
    'the address is another one': [info('base_url', EVIL)],
    'the site is another one': [info('site_name', 'Maxiwiki')],
    'the scope is another one': [info('corpus_scope', 'everything')],
    'the language is another one': [info('language', 'fr')],
    'the manifest has an unknown fact': [info('reviewed_by', 'people')],
    'the manifest lists a file that is not there': [('manifest.json', lambda tree: tree['files'].append({'name': 'more.txt', 'bytes': 1, 'sha256': 'ab'}))],
    'a number is another one': [('manifest.json', lambda tree: tree['numbers'].__setitem__('judged_yes', 7))],
    'the card has another licence': [text(CARD, 'license: apache-2.0', 'license: mit')],
    'the card has two licences': [text(CARD, 'license: apache-2.0\n', 'license: apache-2.0\nlicense: mit\n')],
    'the card declares another type': [text(CARD, 'dtype: float64', 'dtype: string')],
    'evidence has another text': [text('evidence.jsonl', '"text":"The ', '"text":"No ')],
    'evidence has another address': [text('evidence.jsonl', 'miniwiki.example', 'evil.example')],
    'evidence is lost': [lines('evidence.jsonl', lambda all: all.pop())],
    'a qrel of the hub has another grade': [text('qrels/test.jsonl', '"score":1', '"score":0')],
    'the plain corpus is another one': [lines('corpus.jsonl', lambda all: all.pop())],
    'the documents of Pyserini are others': [text('pyserini/docs-00000.jsonl', 'Saltmere', 'Softmere')],
    'the documents of ir_datasets are others': [text('ir_datasets/docs.tsv', 'Saltmere', 'Softmere')],
    'the card has broken YAML': [text(CARD, 'configs:\n', 'configs: [\n')],
    'the card has YAML with a tab': [text(CARD, '  data_files:', '\tdata_files:')],
    'the card has a language that is no string': [text(CARD, '- "en"\n', '- no\n')],
    'the card has another name': [text(CARD, 'pretty_name: "miniwiki', 'pretty_name: "enwiki')],
    'the card has another size': [text(CARD, '- n<1K', '- 1M<n<10M')],
    'the card splits the data otherwise': [text(CARD, 'split: test', 'split: train')],
    'the card has more topics': [text(CARD, '| topics | 13 |', '| topics | 13,000 |')],
    'the card frees the texts': [text(CARD, 'are under its licence: Apache-2.0', 'are free')],
    'the card has another address': [text(CARD, 'https://miniwiki.example', 'https://evil.example')],
    'the card has another dump': [text(CARD, 'dump: miniwiki-20250101', 'dump: miniwiki-20240101')],
    'croissant.json has another licence': [croissant('license', 'https://spdx.org/licenses/MIT.html')],
    'croissant.json has another address': [croissant('url', EVIL)],
    'croissant.json has another name': [croissant('name', 'x')],
    'croissant.json has another version': [croissant('version', '9.9.9')],
    'croissant.json has another date': [croissant('datePublished', '2030-01-01')],
    'croissant.json has a file elsewhere': [('croissant.json', lambda tree: tree['distribution'][0].__setitem__('contentUrl', EVIL + 'topics.tsv'))],
    'croissant.json loses a record set': [('croissant.json', lambda tree: tree['recordSet'].pop())],
    'croissant.json has a field of another type': [('croissant.json', lambda tree: tree['recordSet'][0]['field'][0].__setitem__('dataType', 'sc:Integer'))],
    'croissant.json has another context': [('croissant.json', lambda tree: tree['@context'].__setitem__('@vocab', EVIL))],
}


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        self.build('w')
        self.good = self.folder / 'w' / 'collection'
        self.copy = self.folder / 'copy'

    def damaged(self, changes):
        """Problems of a copy to which all this was done, with sizes and digests that fit."""
        shutil.rmtree(self.copy, ignore_errors=True)
        shutil.copytree(self.good, self.copy)
        for name, change in changes:
            path = self.copy / name
            if name.endswith('.json'):
                tree = json.loads(path.read_text())
                change(tree)
                path.write_text(json.dumps(tree, indent=2, ensure_ascii=False) + '\n')
            elif name.endswith('.gz'):
                path.write_bytes(gzip.compress(change(gzip.decompress(path.read_bytes()).decode()).encode(), mtime=0))
            else:
                path.write_text(change(path.read_text()))
        self.repair()
        return json.loads(self.run_program('validate', self.copy, '--format', 'json', status=None).stdout)['problems']

    def repair(self):
        digest = lambda name: hashlib.sha256((self.copy / name).read_bytes()).hexdigest()
        tree = json.loads((self.copy / 'croissant.json').read_text())
        for entry in tree['distribution']:
            entry['sha256'], entry['contentSize'] = digest(entry['@id']), f"{(self.copy / entry['@id']).stat().st_size} B"
        (self.copy / 'croissant.json').write_text(json.dumps(tree, indent=2, ensure_ascii=False) + '\n')
        tree = json.loads((self.copy / 'manifest.json').read_text())
        for entry in tree['files']:
            if (self.copy / entry['name']).exists():
                entry['sha256'], entry['bytes'] = digest(entry['name']), (self.copy / entry['name']).stat().st_size
        (self.copy / 'manifest.json').write_text(json.dumps(tree, indent=2, ensure_ascii=False) + '\n')
        names = [line[66:] for line in (self.copy / 'sha256sums.txt').read_text().splitlines()]
        (self.copy / 'sha256sums.txt').write_text(''.join(f'{digest(name)}  {name}\n' for name in names))

    def test_every_damage_is_found(self):
        self.assertGreaterEqual(len(DAMAGES), 40)
        self.assertEqual(self.damaged([]), [], 'what mends sizes and digests does no damage')
        for name, changes in DAMAGES.items():
            with self.subTest(name):
                problems = self.damaged(changes)
                self.assertNotEqual(problems, [])
                for problem in problems:
                    self.assertNotIn('\n', problem['what'])

    def test_a_topic_that_is_renamed_everywhere_is_found(self):
        topic = json.loads((self.good / QUERIES).read_text().splitlines()[0])['_id']
        names = ['topics.tsv', 'qrels.txt', 'qrels/test.tsv', 'qrels/test.jsonl', 'evidence.jsonl', QUERIES, MEMBERS, JUDGMENTS]
        problems = self.damaged([(name, lambda content: content.replace(topic, '000000000000')) for name in names])
        self.assertTrue(any('is not the digest of its structured query' in problem['what'] for problem in problems), problems)

    def test_docids_of_another_wiki_are_found(self):
        names = ['qrels.txt', 'qrels/test.tsv', 'qrels/test.jsonl', 'evidence.jsonl', CORPUS, JUDGMENTS]
        problems = self.damaged([(name, lambda content: content.replace('miniwiki-', 'maxiwiki-')) for name in names])
        self.assertTrue(any('the docids begin with "maxiwiki"' in problem['what'] for problem in problems), problems)

    def test_people_may_add_to_the_text_of_the_card(self):
        self.assertEqual(self.damaged([(CARD, lambda content: content.replace('## Numbers\n', 'A word of ours.\n\n## Numbers\n') + '\nThanks.\n')]), [])
