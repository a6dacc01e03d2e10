#!/usr/bin/env python3
"""Compares what two versions of the program write, byte for byte.

Usage: compare_outputs.py BASE NEW                  two programs against each other
       compare_outputs.py --save FILE PROGRAM       keep the checksums of one program
       compare_outputs.py --against FILE PROGRAM    compare a program with kept checksums

Every comparison is a few commands in an empty folder: builds of the bundled wiki and of all dumps, evidence with several
options and automatic, `links`, `parse`, `show` and `validate` on them, judges behind the server of the tests, and the
commands that evaluate. What the commands print and every file that they leave is compared, apart from the store, the
artifacts of the stages and the log messages. The program's version, the folder's own name and latencies are replaced
first, and so are the checksums of files that hold any of these.

Prints one line a comparison: same, DIFFERENT (with the files and, for two programs, the first line that differs), or
failed (a crash or a timeout). Exit status: 0 if all are the same, 1 otherwise. One program takes some 220 s of processor
time; two comparisons run at a time (--parallel).
"""
import argparse
import collections
import concurrent.futures
import gzip
import hashlib
import itertools
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zlib

from wikitext_facts import read_pages

ROOT = pathlib.Path(__file__).resolve().parent.parent
MINIWIKI = ROOT / 'examples/miniwiki/miniwiki-20250101-pages-articles.xml'
TIMEOUT_S = 900
MODEL = 'test-model'

# A comparison: its name, a function that gives the commands for a folder to write to, and whether they need the server.
# A command is a list of arguments, or a pair of it and a file for its standard input.
Comparison = collections.namedtuple('Comparison', 'name commands server', defaults=(False,))

BUILD_OPTIONS = {  # of every dump, over configs/evidence.toml
    'default': [],
    'all-passages': ['passages.scope=all'],
    'paragraphs': ['passages.scope=all', 'passages.granularity=paragraph', 'topics.min_evidence=1', 'groups.min_members=1'],
    'snippets': ['passages.scope=all', 'passages.granularity=snippet', 'passages.include_lists=false', 'groups.header=.', 'topics.min_evidence=1'],
    'strict': ['groups.mode=strict', 'topics.min_evidence=1'],
    'list-items': ['groups.sources=table,list-item', 'candidates.max_per_member=3'],
    'templates-drop': ['ingest.templates=drop'],
    'templates-expand': ['ingest.templates=expand'],
}
LARGE = 10_000_000  # bytes of a dump; larger ones are built with the options of LARGE_OPTIONS only
LARGE_OPTIONS = ('default', 'snippets', 'list-items', 'templates-expand')
JUDGES = {  # of the bundled wiki, with the server of the tests
    'openai': {},
    'graded': {'prompt': 'evidence-graded'},
    'spans': {'prompt': 'evidence-spans'},
    'samples': {'samples': 3, 'temperature': 1},
    'anthropic': {'kind': 'anthropic'},
    'batch-openai': {'kind': 'batch-openai', 'batch_requests': 100, 'batch_poll_s': 1},
    'batch-anthropic': {'kind': 'batch-anthropic', 'batch_requests': 100, 'batch_poll_s': 1},
    'batch-by-hand': {'kind': 'batch-openai', 'batch_requests': 300, 'batch_submit': 'false'},
}
PANEL = '[judge]\nbase_url = "{url}"\nmodel = "test-model"\n{more}\n[[judges]]\nname = "first"\nkind = "openai"\n[[judges]]\nname = "second"\nkind = "openai"\nprompt = "evidence-graded"\n[[judges]]\nname = "words"\nkind = "lexical"\n'
PANELS = {'panel': '', 'panel-tie-none': 'tie = "none"', 'cascade': 'cascade = true\nband_low = 0.3\nband_high = 0.9'}
VARYING = (  # times of requests, in stages/judging.json and in the report
    (rb'"p(50|90|99)": [\d.]+', rb'"p\1": <ms>'),
    (rb'(latency, [^<]*</th>)(?:<td class="n">[\d.]+</td>)+', rb'\1<ms>'),
)
COMPARE_TESTS = ('tukey-hsd', 'tukey-hsd-parametric', 't-test', 'wilcoxon', 'sign', 'bootstrap', 'permutation')


def settings(options):
    return [part for option in options for part in ('--set', option)]


def build(dump, work, *arguments, config='configs/evidence.toml'):
    return ['--progress', 'never', 'build', '--config', config, '--dump', dump, '--work', work, '--threads', '1', *arguments]


def after_build(folder, titles):
    """Commands that look at what a build left in folder/w."""
    work = ['--work', folder / 'w']
    yield ['validate', folder / 'w/collection']
    yield ['validate', folder / 'w/collection', '--format', 'json']
    for name, *options in (('plain',), ('resolved', '--resolved'), ('text', '--text-only'), ('both', '--resolved', '--text-only')):
        yield ['links', *work, '--out', folder / f'links-{name}.tsv', *options]
    yield ['links', *work, '--out', folder / 'links.tsv.gz']
    for form in ('text', 'json'):
        yield ['show', 'groups', *work, '--format', form]
        yield ['show', 'judgments', *work, '--format', form]
        for title, what in itertools.product(titles, ('page', 'outline', 'tables', 'passages', 'backlinks', 'group', 'judgments')):
            yield ['show', what, title, *work, '--format', form]


def builds(dumps, titles):
    yield Comparison('build/miniwiki/its-config', lambda folder: [build(MINIWIKI, folder / 'w', config='configs/miniwiki.toml'), *after_build(folder, titles[MINIWIKI])])
    for dump in dumps:
        large = dump.stat().st_size > LARGE
        for name, options in BUILD_OPTIONS.items():
            if large and name not in LARGE_OPTIONS:
                continue
            def commands(folder, dump=dump, options=options, look=name in ('default', 'templates-expand')):
                return [build(dump, folder / 'w', *settings(options)), *(after_build(folder, titles[dump]) if look else ())]
            yield Comparison(f'build/{dump.name.split(".")[0]}/{name}', commands)
        yield Comparison(f'build/{dump.name.split(".")[0]}/automatic', lambda folder, dump=dump: [
            build(dump, folder / 'w', '--to', 'automatic', config='configs/automatic.toml'),
            ['validate', folder / 'w/automatic'], ['validate', folder / 'w/automatic', '--format', 'json']])


def judges():
    for name, options in JUDGES.items():
        def commands(folder, url, options=options):
            judge = {'kind': 'openai', 'base_url': url, 'model': MODEL, 'in_flight': 8, **options}
            arguments = settings(f'judge.{key}={value}' for key, value in judge.items())
            return [build(MINIWIKI, folder / 'w', *arguments, '--set', 'phrase.source=judge'), ['show', 'judgments', '--work', folder / 'w']]
        yield Comparison(f'judge/{name}', commands, server=True)
    for name, more in PANELS.items():
        def commands(folder, url, more=more):
            (folder / 'panel.toml').write_text(PANEL.format(url=url, more=more))
            return [build(MINIWIKI, folder / 'w', config=folder / 'panel.toml'), ['show', 'judgments', '--work', folder / 'w']]
        yield Comparison(f'judge/{name}', commands, server=True)


def parses(dumps, texts):
    for dump in dumps:
        pages, templates = texts[dump]
        named = re.match('[a-z]*?(?=wiki)', dump.name)
        language = named[0] if named else 'en'
        arguments = ['parse', '--batch', '--siteinfo', dump]
        forms = {'plain': ['parse', '--batch'], 'rules': [*arguments, '--templates', 'rules', '--now', '2026-01-01', '--count-templates']}
        if dump.stat().st_size <= LARGE:
            forms |= {'drop': [*arguments, '--templates', 'drop'], 'language': ['parse', '--batch', '--lang', language if len(language) <= 3 else 'en']}
        forms['expand'] = [*arguments, '--templates', 'expand', '--pages', templates, '--now', '2026-01-01']
        for name, command in forms.items():
            yield Comparison(f'parse/{dump.name.split(".")[0]}/{name}', lambda folder, command=command: [(command, pages)])


def evaluations(data):
    """The commands that know neither dumps nor stores, over the real runs, qrels and matrices."""
    runs = sorted((data / 'runs/trec-dl-2019').glob('*.run.gz'))
    qrels = data / 'qrels/qrels.dl19-passage.txt'
    again = data / 'qrels/sigir25-reannotation/main_qrels/froebe-qrels.txt'  # another assessor's, of some of its topics
    scored = ['--qrels', qrels, *runs]
    cases = data / 'stats/trec_eval-cases'
    matrices = data / 'stats/trec8-ap-matrix'
    few = ['--qrels', qrels, *runs[:12]]

    def formats(name, command, forms):
        for form in forms:
            yield Comparison(f'{name}/{form}', lambda folder: [[*command, '--format', form]])

    for measures, options in (('official', []), ('all', ['-m', 'all_trec']), ('set', ['-m', 'set', 'nDCG@10', 'AP(rel=2)@100', 'RBP(p=0.8)', '-q', '-l', '2']),
                              ('complete', ['-c', '-M', '100', '-m', 'all_trec']), ('judged-only', ['-J', '-m', 'official', 'ndcg_cut'])):
        yield from formats(f'evaluate/{measures}', ['evaluate', *scored, *options], ('table', 'tsv', 'json'))
    for measures in (['official'], ['all_trec', '-q'], ['set']):
        yield Comparison(f'evaluate/trec_eval-{measures[0]}', lambda folder, measures=measures: [
            ['evaluate', '--qrels', qrels, run, '--format', 'trec_eval', '-m', *measures] for run in runs[::6]])
    yield Comparison('evaluate/trec_eval-cases', lambda folder: [
        ['evaluate', '--qrels', cases / left, cases / right, '--format', 'trec_eval', '-m', 'all_trec', *options]
        for left, right in (('qrels.test', 'results.test'), ('qrels.123', 'results.test'), ('qrels.rel_level', 'results.test'), ('qrels-302.test', 'results-302.test'),
                            ('qrels.comment.test', 'results.comment.test'), ('qrels.test', 'results.trunc'))
        for options in ([], ['-q'], ['-c'], ['-l', '2'], ['-J'], ['-M', '100'], ['-n', '-q'], ['--lenient'])])
    yield Comparison('evaluate/z-scores', lambda folder: [['evaluate', '--qrels', cases / 'qrels.test', cases / 'results.test', '-Z', cases / 'zscores_file', '-q', '--format', form]
                                                          for form in ('table', 'tsv', 'json', 'trec_eval')])
    for test in COMPARE_TESTS:
        corrections = ['none'] if test.startswith('tukey') else ['none', 'bonferroni', 'holm', 'bh']
        for matrix in ('t8_pooled71.txt', 't8_nonpooled58.txt'):
            yield Comparison(f'compare/{test}/{matrix}', lambda folder, test=test, matrix=matrix, corrections=corrections: [
                ['compare', '--matrix', matrices / matrix, '--test', test, '--correction', correction, '--permutations', '3000', '--format', form]
                for correction in corrections for form in ('table', 'tsv', 'json')])
        yield Comparison(f'compare/{test}/runs', lambda folder, test=test: [
            ['compare', *few, '-m', measure, '--test', test, '--permutations', '3000', '--format', 'json'] for measure in ('nDCG@10', 'map')])
    yield from formats('compare/against', ['compare', *few, '-m', 'nDCG@10', '--against', again, '--permutations', '3000'],
                       ('table', 'tsv', 'json'))
    yield Comparison('compare/plots', lambda folder: [
        ['compare', *few, '-m', 'nDCG@10', '--permutations', '3000', '--plots', folder / 'plots', '--report', folder / 'report.html'],
        ['compare', '--matrix', matrices / 't8_nonpooled58.txt', '--test', 't-test', '--plots', folder / 'plots2', '--report', folder / 'report2.html']])
    folders = {name: sorted((data / 'qrels/sigir25-reannotation' / name).glob('*.txt')) for name in ('pilot_qrels', 'agreement_qrels')}
    for name, files in folders.items():
        yield from formats(f'agree/{name}', ['agree', *files, '--resamples', '300'], ('table', 'tsv', 'json'))
    yield from formats('agree/two', ['agree', qrels, again, '-l', '1', '--exclude-topic', '1037798', '--seed', '7', '--resamples', '300'], ('table', 'json'))
    table = data / 'stats/dl19_61systems_ndcg10.tsv'
    yield Comparison('correlate', lambda folder: [
        ['correlate', table, table, '--column-a', 'official', '--column-b', column, '-p', p, '--format', form]
        for column in ('official', *(f'combo{number}' for number in range(1, 17, 3))) for p in ('0.9', '0.5') for form in ('table', 'tsv', 'json')])
    for matrix in ('t8_all129.txt', 't8_pooled71.txt', 't8_nonpooled58.txt'):
        yield from formats(f'reliability/{matrix}', ['reliability', '--matrix', matrices / matrix, '--drop', '0.25', '--topics', '25', '--topics', '100', '--target', '0.9'],
                           ('table', 'tsv', 'json'))
    yield from formats('reliability/runs', ['reliability', *scored, '-m', 'nDCG@10'], ('table', 'json'))
    sheet = data / 'stats/gt4ireval/adhoc3.csv'
    yield from formats('reliability/csv', ['reliability', '--matrix', sheet], ('table', 'json'))
    snippets = data / 'qrels/fira/fira-trec19-qrels-snippets.txt'
    yield Comparison('qrels', lambda folder: [
        *(['qrels', file, '--format', form] for file in (qrels, data / 'qrels/qrels.dl19-doc.txt', snippets, cases / 'qrels.test', data / 'car/qrels.car17v2.0.benchmarkY1test.txt')
          for form in ('table', 'tsv', 'json')),
        *(['qrels', snippets, '--roll-up', how] for how in ('max', 'sum'))])


class Server:
    """The server of the tests, for one comparison. Its port is the same each time, for digests of requests depend on it."""

    def __init__(self, program, name):
        port = 20000 + zlib.crc32(name.encode()) % 10000
        for _ in range(60):  # another run of this script may have the port
            self.process = subprocess.Popen([program, '--model', MODEL, '--batch-polls', '1', '--port', str(port)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            if self.process.stdout.readline():
                self.url = f'http://127.0.0.1:{port}/v1'
                return
            self.stop()
            time.sleep(1)
        raise RuntimeError(f'{program}: port {port} is taken')

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def normalised(data, folder, version):
    """The bytes without what differs from run to run; gzip files unpacked."""
    if data[:2] == b'\x1f\x8b':
        data = gzip.decompress(data)
    data = data.replace(str(folder).encode(), b'<folder>').replace(version, b'<version>')
    for pattern, replacement in VARYING:
        data = re.sub(pattern, replacement, data)
    return data


def files_of(folder, version):
    """Name -> normalised bytes of every file, but for the store, stages' artifacts and the log of replies."""
    found, replaced = {}, []
    for path in sorted(folder.rglob('*')):
        name = path.relative_to(folder)
        if not path.is_file() or {'store', 'stages'} & set(name.parts) or path.name == 'judgments.log':
            continue
        data = path.read_bytes()
        found[str(name)] = normalised(data, folder, version)
        if found[str(name)] != data:
            replaced.append((hashlib.sha256(data).hexdigest().encode(), b'<digest of ' + path.name.encode() + b'>'))
    for digest, name in replaced:
        found = {file: data.replace(digest, name) for file, data in found.items()}
    return found


def outputs(comparison, program, server_program):
    """Name -> normalised bytes of all that the commands of a comparison print and write; raises on a crash or a timeout."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix='touchstone-compare-'))
    server = Server(server_program, comparison.name) if comparison.server else None
    try:
        version = subprocess.run([program, '--version'], check=True, stdout=subprocess.PIPE).stdout.split()[-1]
        found, states = {}, []
        for number, command in enumerate(comparison.commands(folder, server.url) if server else comparison.commands(folder), 1):
            arguments, source = command if isinstance(command, tuple) else (command, None)
            with open(source or '/dev/null', 'rb') as stdin:
                done = subprocess.run([program, *map(str, arguments)], cwd=ROOT, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT_S)
            if done.returncode < 0:
                raise RuntimeError(f'signal {-done.returncode}: {" ".join(map(str, arguments))}')
            words = ' '.join(str(word).replace(str(folder), '<folder>') for word in arguments if not str(word).startswith(('/', 'judge.base_url=')))
            states.append(f'{number}: {words}: exit status {done.returncode}')
            found[f'printed by {number}: {words[:100]}'] = normalised(done.stdout, folder, version)
        found['exit status'] = '\n'.join(states).encode()
        return found | files_of(folder, version)
    finally:
        if server:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def checksums(found):
    return {name: hashlib.sha256(data).hexdigest() for name, data in found.items()}


def first_difference(left, right):
    for number, (a, b) in enumerate(itertools.zip_longest(left.split(b'\n'), right.split(b'\n')), 1):
        if a != b:
            at = next((place for place, (x, y) in enumerate(zip(a or b'', b or b'')) if x != y), 0)
            cut = slice(max(0, at - 40), at + 120)
            return f'line {number}: {(a or b"<no line>")[cut]!r}\n{" " * 8}now: {(b or b"<no line>")[cut]!r}'
    return ''


def compared(comparison, base, new, server):
    """(verdict, lines about it, checksums of the new program's output). `base` is a program, or checksums."""
    try:
        found = outputs(comparison, new, server)
        sums = checksums(found)
        if base is None:
            return 'saved', [], sums
        old = base.get(comparison.name) if isinstance(base, dict) else outputs(comparison, base, server)
        if old is None:
            return 'DIFFERENT', ['not among the kept checksums'], sums
        old_sums = old if isinstance(base, dict) else checksums(old)
        lines = []
        for name in sorted(old_sums.keys() | sums.keys()):
            if name not in sums or name not in old_sums:
                lines.append(f'{name}: {"no longer written" if name in old_sums else "new"}')
            elif sums[name] != old_sums[name]:
                lines.append(name if isinstance(base, dict) else f'{name}: {first_difference(old[name], found[name])}')
        return 'DIFFERENT' if lines else 'same', lines, sums
    except Exception as error:  # one comparison's failure is not the others'
        return 'failed', [f'{type(error).__name__}: {error}'], {}


def prepare(dumps, folder):
    """({dump: some titles}, {dump: (JSON lines for parse, JSON lines of the template pages)})."""
    titles, texts = {}, {}
    for dump in dumps:
        name = dump
        if dump.suffix == '.7z':
            name = folder / dump.name.removesuffix('.7z')
            with open(name, 'wb') as out:
                subprocess.run(['7z', 'x', '-so', dump], check=True, stdout=out, stderr=subprocess.DEVNULL)
        pages = [(title, text) for title, text in read_pages(str(name))]
        articles = [title for title, text in pages if ':' not in title and text]
        lists = [title for title in articles if title.startswith('List of')]
        titles[dump] = articles[:3] + articles[len(articles) // 2:][:2] + lists[:2]
        texts[dump] = folder / f'{dump.name}.pages.jsonl', folder / f'{dump.name}.templates.jsonl'
        with open(texts[dump][0], 'w') as batch, open(texts[dump][1], 'w') as templates:
            for title, text in pages:
                batch.write(json.dumps({'name': title, 'title': title, 'wikitext': text}) + '\n')
                templates.write(json.dumps({'title': title, 'text': text}) + '\n')
    return titles, texts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('programs', nargs='+', type=lambda word: pathlib.Path(word).resolve(strict=True), metavar='PROGRAM')
    parser.add_argument('--save', type=pathlib.Path, metavar='FILE')
    parser.add_argument('--against', type=pathlib.Path, metavar='FILE')
    parser.add_argument('--data', type=pathlib.Path, default=None, help='folder with dumps, runs, qrels and stats (default: $TOUCHSTONE_DATA, else ../shared/data)')
    parser.add_argument('--server', type=pathlib.Path, help="judge_server of the tests (default: beside the program); without it judges behind a server are left out")
    parser.add_argument('--only', default='', metavar='REGEX', help='comparisons whose name contains this')
    parser.add_argument('--parallel', type=int, default=2, metavar='N')
    arguments = parser.parse_args()
    if len(arguments.programs) != (1 if arguments.save or arguments.against else 2):
        parser.error('two programs are compared; --save and --against take one')
    base = None if arguments.save else json.loads(arguments.against.read_text()) if arguments.against else arguments.programs[0]
    new = arguments.programs[-1]
    data = arguments.data or pathlib.Path(os.environ.get('TOUCHSTONE_DATA', ROOT.parent / 'shared/data'))
    server = arguments.server or next((path for path in (program.parent / 'judge_server' for program in arguments.programs) if path.exists()), None)
    start = time.monotonic()
    dumps = [MINIWIKI, *sorted(path for path in (data / 'dumps').glob('*') if re.search(r'\.xml(\.bz2|\.7z)?$', path.name))]
    if len(dumps) == 1:
        print(f'no dumps in {data}/dumps: only the bundled wiki is compared', file=sys.stderr)
    if not server:
        print('no judge_server beside the program: judges behind a server are left out', file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix='touchstone-compare-texts-') as folder:
        titles, texts = prepare(dumps, pathlib.Path(folder))
        comparisons = [*builds(dumps, titles), *parses(dumps, texts), *(judges() if server else ()), *(evaluations(data) if data.is_dir() else ())]
        comparisons = [comparison for comparison in comparisons if re.search(arguments.only, comparison.name)]
        verdicts, kept = collections.Counter(), {}
        with concurrent.futures.ThreadPoolExecutor(arguments.parallel) as pool:
            for comparison, (verdict, lines, sums) in zip(comparisons, pool.map(lambda one: compared(one, base, new, server), comparisons)):
                verdicts[verdict] += 1
                kept[comparison.name] = sums
                print(f'{verdict:9} {comparison.name} ({len(sums)} outputs)', *lines, sep='\n    ', flush=True)
    if arguments.save and not verdicts['failed']:
        arguments.save.write_text(json.dumps(kept, indent=1) + '\n')
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f'{sum(verdicts.values())} comparisons in {time.monotonic() - start:.0f} s ({used.ru_utime + used.ru_stime:.0f} s of processor time):', ', '.join(f'{count} {verdict}' for verdict, count in sorted(verdicts.items())))
    sys.exit(1 if verdicts['DIFFERENT'] or verdicts['failed'] else 0)


if __name__ == '__main__':
    main()
