"""Collections open as they are in the readers that people use. Each class here keeps one reader's rules, written from its documentation and source:
BEIR's GenericDataLoader (beir 2.0), the JSON builder of Hugging Face datasets (2.14 to 4), Anserini's JsonCollection (0.2x to 1.x), ir_datasets (0.5)."""
import csv
import gzip
import json
import re

from harness import EndToEnd

TYPES = {'string': str, 'int64': int, 'float64': (int, float), 'bool': bool}


def front_matter(text):
    """The YAML of a card, as far as cards use it: maps, lists and strings by indentation."""
    lines = [line for line in text.split('---\n')[1].splitlines() if line.strip()]

    def scalar(value):
        return json.loads(value) if value.startswith('"') else value

    def block(at, indent):
        is_list = lines[at].strip().startswith('- ')
        out = [] if is_list else {}
        while at < len(lines):
            line = lines[at]
            depth = len(line) - len(line.lstrip())
            if depth < indent or (depth == indent and line.lstrip().startswith('- ') != is_list):
                break
            body = line.strip()
            if is_list:
                body = body[2:]
                if ':' not in body or body.startswith('"'):
                    out.append(scalar(body))
                    at += 1
                    continue
                lines[at] = ' ' * (depth + 2) + body
                entry, at = block(at, depth + 2)
                out.append(entry)
                continue
            name, value = re.fullmatch(r'([^:]+):\s*(.*)', body).groups()
            if value:
                out[name] = scalar(value)
                at += 1
            else:
                below = len(lines[at + 1]) - len(lines[at + 1].lstrip())
                out[name], at = block(at + 1, below)
        return out, at

    return block(0, 0)[0]


class Beir:
    """GenericDataLoader: plain corpus.jsonl and queries.jsonl, qrels/<split>.tsv through csv.reader, its first line skipped."""
    def __init__(self, folder):
        self.corpus = {line['_id']: {'text': line['text'], 'title': line['title']} for line in map(json.loads, open(folder / 'corpus.jsonl', encoding='utf8'))}
        queries = {line['_id']: line['text'] for line in map(json.loads, open(folder / 'queries.jsonl', encoding='utf8'))}
        self.qrels = {}
        rows = csv.reader(open(folder / 'qrels' / 'test.tsv', encoding='utf-8'), delimiter='\t', quoting=csv.QUOTE_MINIMAL)
        next(rows)
        for query, document, score in rows:
            self.qrels.setdefault(query, {})[document] = int(score)
        self.queries = {query: queries[query] for query in self.qrels}


class Hub:
    """load_dataset: the module of the first configuration's files reads all of them; declared columns are the only ones; a missing one is null."""
    def __init__(self, folder):
        self.folder, self.card = folder, front_matter((folder / 'README.md').read_text())
        self.configs = {config['config_name']: config['data_files'] for config in self.card['configs']}
        self.features = {info['config_name']: info['features'] for info in self.card['dataset_info']}
        first = next(iter(self.configs.values()))[0]['path']
        self.ending = re.search(r'\.(jsonl|tsv|csv|parquet)(\.gz)?$', first).group(1)

    def load(self, config, split):
        path = next(file['path'] for file in self.configs[config] if file['split'] == split)
        assert re.search(r'\.(\w+)(\.gz)?$', path).group(1) == self.ending, f'{path} would be read as {self.ending}'
        lines = (gzip.open if path.endswith('.gz') else open)(self.folder / path, 'rt', encoding='utf-8')
        return [self.row(json.loads(line), self.features[config]) for line in lines]

    def row(self, row, features):
        names = [feature['name'] for feature in features]
        assert set(row) <= set(names), f'columns that are not declared: {set(row) - set(names)}'
        return {feature['name']: self.value(row.get(feature['name']), feature) for feature in features}

    def value(self, value, feature):
        if value is None:
            return None
        if 'struct' in feature:
            assert set(value) == {field['name'] for field in feature['struct']}, 'older loaders want every field of an object'
            return self.row(value, feature['struct'])
        if 'list' in feature:
            inner = feature['list']
            if isinstance(inner, list):
                assert all(set(entry) == {field['name'] for field in inner} for entry in value)
                return [self.row(entry, inner) for entry in value]
            return [self.value(entry, {'dtype': inner} if isinstance(inner, str) else inner) for entry in value]
        assert isinstance(value, TYPES[feature['dtype']]) and isinstance(value, bool) == (feature['dtype'] == 'bool'), (value, feature)
        return value


class Anserini:
    """JsonCollection: every .json, .jsonl or .gz file below the folder, one object a line, with `id` and `contents`."""
    def __init__(self, folder):
        self.documents = {}
        for path in sorted(folder.rglob('*')):
            if path.name.endswith(('.json', '.jsonl', '.gz')):
                for line in open(path, encoding='utf-8'):
                    entry = json.loads(line)
                    self.documents[entry['id']] = entry['contents']


def ir_datasets_tsv(path):
    """TsvDocs and TsvQueries: text mode with universal newlines, exactly two columns."""
    out = {}
    for line in open(path, encoding='utf-8'):
        key, text = line.rstrip('\n').split('\t')
        out[key] = text
    return out


class Test(EndToEnd):
    def check(self, folder):
        hub = Hub(folder)
        corpus = {row['_id']: row for row in hub.load('corpus', 'corpus')}
        queries = {row['_id']: row['text'] for row in hub.load('queries', 'queries')}
        qrels = {(row['query-id'], row['corpus-id']): row['score'] for row in hub.load('default', 'test')}
        trec = {(topic, docid): int(grade) for topic, _, docid, grade in map(str.split, open(folder / 'qrels.txt'))}
        self.assertTrue(qrels)
        self.assertEqual(qrels, trec)

        beir = Beir(folder)
        self.assertEqual(beir.corpus, {docid: {'text': row['text'], 'title': row['title']} for docid, row in corpus.items()})
        self.assertEqual({(topic, docid): grade for topic, grades in beir.qrels.items() for docid, grade in grades.items()}, trec)
        self.assertEqual(beir.queries, {topic: queries[topic] for topic in beir.qrels})

        lucene = Anserini(folder / 'pyserini').documents
        self.assertEqual(lucene, {docid: row['title'] + '\n' + row['text'].replace('\n', ' ') for docid, row in corpus.items()})
        self.assertEqual(ir_datasets_tsv(folder / 'ir_datasets' / 'docs.tsv'), {docid: row['title'] + '. ' + row['text'].replace('\n', ' ') for docid, row in corpus.items()})
        self.assertEqual(ir_datasets_tsv(folder / 'topics.tsv'), queries)

        judged = hub.load('judgments', 'test')
        self.assertEqual([row for row in judged if row['grade'] is None], hub.load('unjudged', 'test'))
        members = {(row['topic'], row['title']): row for row in hub.load('members', 'test')}
        evidence = hub.load('evidence', 'test')
        wanted = [row for row in judged if (row['grade'] or 0) >= 1]
        self.assertEqual([(row['topic'], row['member'], row['docid']) for row in evidence], [(row['topic'], row['member'], row['docid']) for row in wanted])
        for row, judgment in zip(evidence, wanted):
            self.assertEqual(row['text'], corpus[row['docid']]['text'])
            self.assertEqual(row['title'], corpus[row['docid']]['title'])
            self.assertEqual(row['query'], queries[row['topic']])
            self.assertEqual(row['qid'], members[row['topic'], row['member']]['qid'])
            self.assertRegex(row['url'], rf'^https://miniwiki\.example/wiki/\S+\?oldid={corpus[row["docid"]]["metadata"]["revision"]}$')
            self.assertEqual(row['judge'], judgment['judge'])
            self.assertEqual(row['probability'], judgment['probability'])
        return hub

    def test_every_part_opens_in_every_reader(self):
        self.build('w')
        hub = self.check(self.folder / 'w' / 'collection')
        loads = re.findall(r'load_dataset\("\.", "(\w+)", split="(\w+)"\)', (self.folder / 'w' / 'collection' / 'README.md').read_text())
        self.assertEqual({config for config, _ in loads}, set(hub.configs), 'the card shows how to load each part')
        for config, split in loads:
            hub.load(config, split)

    def test_passages_of_every_granularity_open_too(self):
        self.build('w', '--set', 'passages.scope=all', '--set', 'passages.granularity=snippet')
        self.check(self.folder / 'w' / 'collection')

    def test_copies_may_be_left_out(self):
        self.build('w', '--set', 'export.copies=false')
        folder = self.folder / 'w' / 'collection'
        for name in ('corpus.jsonl', 'pyserini', 'ir_datasets'):
            self.assertFalse((folder / name).exists(), name)
        self.assertEqual(self.run_program('validate', folder).returncode, 0)
        self.assertNotIn('pyserini', (folder / 'README.md').read_text())
        self.assertNotIn('pyserini', (folder / 'croissant.json').read_text())
        self.build('w', '--set', 'export.copies=true')
        self.check(folder)
