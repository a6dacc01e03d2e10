#!/usr/bin/env python3
"""Keeps a collection up to date for months, and says what each month costs and what it changes for systems.

    months.py PROGRAM DUMP [--months 12] [--share 0.03] [--folder DIR] [--judge SERVER-PROGRAM] [--to report] [--without-previous] [--compare] [--kill N]

Month 0 is built from nothing. Each later dump is made from that of the month before (next_month.py, with --share and --seed), and built with `--previous`, the work directory of the
month before. --to has to make the evidence collection. --judge is the program of tests/judge_server, which plays a language model and counts the requests; its answers follow from the
bytes of the prompt as if by chance, so that labels turn more often than a real model's when a prompt changes. Without it the embedded judge labels. The table that is printed has for each month

- the pages that changed; processor time, wall time and peak memory of the build; the requests that the server got, and what they cost at --price-prompt and --price-reply;
- the bytes of the work directory, the judgment log and the collection; labels by their state in the history, if the collection has one;
- labels that `touchstone diff` tells apart from those of the month before, and those of them that it cannot explain (none is allowed: status 1);
- how the ranking of the baseline systems agrees with that of month 0 (Kendall's tau_b), and the largest change of a system's score since then.

--without-previous takes the replies of the month before over by `judge --export` and `--import` instead of --previous. --compare builds each month from nothing too, with the same
replies, and compares the files (a difference: status 1); the share of processor time is then that of this build, otherwise that of month 0. --kill N ends the build of month 1 with
SIGKILL at N random moments, each time in a work directory of its own, and then at N moments of one; each runs again to its end, and its collection is compared with that of a build
that was not killed. --set is passed on to all builds. Old work directories and dumps are removed on the way. --json keeps all numbers, --figure draws them.
"""
import argparse
import collections
import filecmp
import gzip
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

import months_figure

NEXT_MONTH = pathlib.Path(__file__).with_name('next_month.py')
MODEL = 'test-model'
COMPARED = ('topics.tsv', 'qrels.txt', 'corpus.jsonl.gz', 'evidence.jsonl', 'members.jsonl')
MEASURES = ('nDCG@10', 'AP')
UNEXPLAINED = 'judge changed'


class Server:
    """The scripted model's server; or nothing, if no program is given."""
    def __init__(self, program):
        self.process = None
        if program:
            self.process = subprocess.Popen([program, '--model', MODEL], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.address = f'http://127.0.0.1:{int(self.process.stdout.readline())}'

    def counts(self):
        if self.process is None:
            return collections.Counter()
        with urllib.request.urlopen(self.address + '/counts', timeout=60) as reply:
            return collections.Counter({key: value for key, value in json.load(reply).items() if isinstance(value, int)})

    def settings(self):
        """Queries are worded by the template, so that all requests are judgments."""
        pairs = {'kind': 'openai', 'base_url': self.address + '/v1', 'model': MODEL} if self.process else {}
        return ['--set', 'phrase.source=template', *(part for key, value in pairs.items() for part in ('--set', f'judge.{key}={value}'))]

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()


def run(*command, accept=(0, 4)):
    """Standard output, and what the process took. Status 4: there are no topics."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL)
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in accept:
            errors.seek(0)
            raise SystemExit(f'{" ".join(map(str, command))}\nended with status {process.returncode}:\n{errors.read().decode()[-3000:]}')
    return output, {'cpu': usage.ru_utime + usage.ru_stime, 'wall': time.monotonic() - start, 'memory': usage.ru_maxrss * 1024}


def size_of(path):
    return sum(part.stat().st_size for part in path.rglob('*') if part.is_file()) if path.is_dir() else path.stat().st_size if path.exists() else 0


def lines_of(path):
    if path.exists():
        with gzip.open(path, 'rt', encoding='utf-8') as lines:
            yield from map(json.loads, lines)


def digest_of(folder):
    """Of the names and bytes of all files."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob('*')):
        if path.is_file():
            digest.update(f'{path.relative_to(folder)}\0{path.stat().st_size}\0'.encode())
            with open(path, 'rb') as source:
                while block := source.read(1 << 20):
                    digest.update(block)
    return digest.hexdigest()


def differing(one, other, names=None):
    """Which files differ, or are on one side only."""
    names = names or sorted({str(path.relative_to(folder)) for folder in (one, other) for path in folder.rglob('*') if path.is_file()})
    same = lambda name: (one / name).is_file() and (other / name).is_file() and filecmp.cmp(one / name, other / name, shallow=False)
    return [name for name in names if not same(name)]


def kendall_tau_b(pairs):
    """The agreement of two lists of scores; None if one of them ranks nothing."""
    sign = lambda number: (number > 0) - (number < 0)
    signs = [(sign(a[0] - b[0]), sign(a[1] - b[1])) for i, a in enumerate(pairs) for b in pairs[:i]]
    ranked = [sum(pair[side] != 0 for pair in signs) for side in (0, 1)]
    return sum(a * b for a, b in signs) / (ranked[0] * ranked[1]) ** 0.5 if all(ranked) else None


class Months:
    def __init__(self, arguments, folder, server):
        self.arguments, self.folder, self.server = arguments, folder, server
        self.program = arguments.program
        self.rows, self.failed = [], []

    def work(self, month):
        return self.folder / f'month-{month}'

    def fail(self, text):
        self.failed.append(text)
        print(text, file=sys.stderr, flush=True)

    def build_command(self, dump, work, previous=None):
        more = ['--previous', previous] if previous else []
        extra = [part for pair in self.arguments.set for part in ('--set', pair)]
        return [self.program, '--progress', 'never', 'build', '--to', self.arguments.to, '--dump', dump, '--work', work, *more, *self.server.settings(), *extra]

    def take_replies(self, source, target):
        """Copies the judgment log into a new work directory."""
        log = self.folder / 'replies.jsonl.gz'
        run(self.program, 'judge', '--work', source, '--export', log)
        run(self.program, 'judge', '--work', target, '--import', log)
        log.unlink()

    def build(self, dump, work, previous=None):
        """(what it took, what the server counted)"""
        if previous and self.arguments.without_previous:
            self.take_replies(previous, work)
            previous = None
        before = self.server.counts()
        _, took = run(*self.build_command(dump, work, previous))
        after = self.server.counts()
        return took, {key: after[key] - before[key] for key in ('requests', 'billed_prompt_tokens', 'billed_reply_tokens')}

    def next_dump(self, dump, month):
        target, truth = self.folder / f'month-{month}.xml', self.folder / 'truth.tsv'
        with open(target, 'wb') as out:
            subprocess.run([sys.executable, NEXT_MONTH, dump, '--share', str(self.arguments.share), '--seed', str(self.arguments.seed), '--truth', truth], stdout=out, check=True)
        return target, len(truth.read_text(encoding='utf-8').splitlines()) - 1

    def run(self):
        dump = pathlib.Path(self.arguments.dump)
        for month in range(self.arguments.months + 1):
            changed, previous = 0, None
            if month:
                older, (dump, changed) = dump, self.next_dump(dump, month)
                if month > 1:
                    older.unlink()
                previous = self.work(month - 1)
            untouched = digest_of(previous / 'collection') if previous else None
            if month == 1 and self.arguments.kill:
                self.kill(dump, previous)
            took, counts = self.build(dump, self.work(month), previous)
            row = {'month': month, 'changed': changed, **took, **counts}
            if previous and digest_of(previous / 'collection') != untouched:
                self.fail(f'month {month}: the build changed the collection of the month before')
            self.describe(row, month)
            if month and self.arguments.compare:
                self.compare(row, month, dump)
            self.rows.append(row)
            print(f'month {month}: {took["cpu"]:.1f} s of processor, {counts["requests"]} requests', file=sys.stderr, flush=True)
            if previous:
                shutil.rmtree(previous)

    def describe(self, row, month):
        work = self.work(month)
        collection = work / 'collection'
        row['price'] = (row['billed_prompt_tokens'] * self.arguments.price_prompt + row['billed_reply_tokens'] * self.arguments.price_reply) / 1e6
        row['bytes'] = {'work': size_of(work), 'log': size_of(work / 'judgments.log'), 'collection': size_of(collection)}
        row['states'], row['state_reasons'] = collections.Counter(), collections.Counter()
        for judgment in lines_of(collection / 'judgments.jsonl.gz'):
            if label := judgment.get('history'):
                row['states'][label.get('state')] += 1
                row['state_reasons'].update([label['reason']] if label.get('reason') else [])
        gone = collection / 'gone.jsonl'
        for line in gone.read_text(encoding='utf-8').splitlines() if gone.exists() else ():
            row['states']['gone'] += 1
            row['state_reasons'][json.loads(line)['reason']] += 1
        manifest = json.loads((collection / 'manifest.json').read_text())
        row['numbers'] = {key: manifest['numbers'].get(key) for key in ('topics', 'passages', 'members', 'judgments', 'qrels', 'evidence')}
        row['manifest_history'] = manifest['numbers'].get('history', [])
        if sum(kind['labels'] for kind in row['manifest_history']) != sum(row['states'].values()):
            self.fail(f'month {month}: the manifest counts other labels in the history than the files have')
        if row['state_reasons'][UNEXPLAINED]:
            self.fail(f'month {month}: the history of {row["state_reasons"][UNEXPLAINED]} labels does not say why they changed')
        judging = work / 'stages' / 'judging.json'
        judges = json.loads(judging.read_text())['judges'] if judging.exists() else []
        row['questions'] = sum(judge.get('questions', 0) for judge in judges) or row['numbers']['judgments']
        self.rank(row, collection)
        if month:
            self.difference(row, self.work(month - 1) / 'collection', collection, month)

    def difference(self, row, old, new, month):
        out = self.folder / 'difference'
        run(self.program, 'diff', old, new, '--out', out)
        table = lambda name: [line.split('\t') for line in (out / f'{name}.tsv').read_text(encoding='utf-8').splitlines() if not line.startswith('#')][1:]
        row['reasons'] = {reason: int(count) for reason, count in table('reasons')}
        row['summary'] = {f'{what} {change}': int(count) for what, change, count in table('summary')}
        row['unexplained'] = row['reasons'].get(UNEXPLAINED, 0)
        if row['unexplained']:
            row['unexplained_labels'] = [line for line in table('labels') if UNEXPLAINED in line]
            self.fail(f'month {month}: {row["unexplained"]} labels changed though nothing of theirs did, such as {" ".join(row["unexplained_labels"][0])}')
        shutil.rmtree(out)

    def rank(self, row, collection):
        """Scores of all baseline systems, by measure and system."""
        runs = self.folder / 'runs'
        row['scores'] = {}
        if row['numbers']['topics']:
            run(self.program, 'retrieve', collection, '--out', runs)
            text, _ = run(self.program, 'evaluate', '--qrels', collection / 'qrels.txt', '-c', '-m', *MEASURES, '--format', 'json', *sorted(runs.glob('*.run')))
            for value in json.loads(text):
                row['scores'].setdefault(value['measure'], {})[value['run']] = value['value']
            shutil.rmtree(runs)
        first = self.rows[0]['scores'] if self.rows else row['scores']
        row['tau'], row['largest_change'] = {}, {}
        for measure, scores in row['scores'].items():
            pairs = [(score, scores[system]) for system, score in first.get(measure, {}).items() if system in scores]
            row['tau'][measure] = kendall_tau_b(pairs)
            row['largest_change'][measure] = max((abs(a - b) for a, b in pairs), default=0)

    def compare(self, row, month, dump):
        """A build from nothing with the same replies."""
        anew = self.folder / 'anew'
        self.take_replies(self.work(month), anew)
        took, counts = self.build(dump, anew)
        row['anew'] = {**took, 'requests': counts['requests']}
        row['differing'] = differing(self.work(month) / 'collection', anew / 'collection', COMPARED)
        row['also_differing'] = [name for name in differing(self.work(month) / 'collection', anew / 'collection') if name not in COMPARED]
        if row['differing'] or counts['requests']:
            self.fail(f'month {month}: a build from nothing sent {counts["requests"]} requests and gives other bytes in: {", ".join(row["differing"]) or "none"}')
        shutil.rmtree(anew)

    def kill(self, dump, previous):
        rng = random.Random(self.arguments.seed)
        reference, victim = self.folder / 'unkilled', self.folder / 'killed'
        took, counts = self.build(dump, reference, previous)
        moments = [rng.uniform(0.02, 0.98) for _ in range(self.arguments.kill)]
        for plan in [*([moment] for moment in moments), sorted(moments)]:
            if self.arguments.without_previous:
                self.take_replies(previous, victim)
            command = self.build_command(dump, victim, None if self.arguments.without_previous else previous)
            before = self.server.counts()['requests']
            ended = [self.killed_after(moment * took['wall'], command) for moment in plan]
            run(*command)
            sent = self.server.counts()['requests'] - before
            other = differing(reference / 'collection', victim / 'collection')
            told = ', '.join(f'{moment * took["wall"]:.2f} s{"" if hit else " (it had ended)"}' for moment, hit in zip(plan, ended))
            verdict = 'the same bytes' if not other else f'other bytes in {", ".join(other)}'
            print(f'killed after {told}: {sent} requests in all ({counts["requests"]} without kills), {verdict}', file=sys.stderr, flush=True)
            if other:
                self.failed.append(f'killed after {told}: other bytes in {", ".join(other)}')
            shutil.rmtree(victim)
        shutil.rmtree(reference)

    @staticmethod
    def killed_after(seconds, command):
        """Whether the build was still running."""
        process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        try:
            process.wait(timeout=seconds)
            return False
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            return True


def shares(rows):
    """(share of the questions that were asked, share of the processor time of a build from nothing) of each month."""
    return [(row['requests'] / row['questions'] if row['questions'] else 0, row['cpu'] / row.get('anew', rows[0])['cpu']) for row in rows]


def print_table(rows):
    states = sorted({state for row in rows for state in row['states']}, key=str)
    head = ['month', 'pages changed', 'CPU s', 'of a build from nothing', 'wall s', 'peak MB', 'requests', 'of all questions', 'price, $', 'work MB', 'log MB', 'collection MB',
            'topics', 'labels', *(f'labels {state}' for state in states), 'labels that differ', 'unexplained', *(f'tau of {measure}' for measure in MEASURES),
            *(f'largest change of {measure}' for measure in MEASURES)]
    if any('differing' in row for row in rows):
        head.append('same bytes as from nothing')
    print('| ' + ' | '.join(head) + ' |\n|' + '---|' * len(head))
    for row, (asked, cpu) in zip(rows, shares(rows)):
        size = row['bytes']
        tau = [f'{row["tau"][measure]:.3f}' if row['tau'].get(measure) is not None else '–' for measure in MEASURES]
        cells = [row['month'], row['changed'], f'{row["cpu"]:.2f}', f'{100 * cpu:.0f} %', f'{row["wall"]:.2f}', f'{row["memory"] / 1e6:.0f}', row['requests'],
                 f'{100 * asked:.1f} %', f'{row["price"]:.4f}', *(f'{size[part] / 1e6:.2f}' for part in ('work', 'log', 'collection')), row['numbers']['topics'], row['numbers']['qrels'],
                 *(row['states'].get(state, 0) for state in states), sum(row.get('reasons', {}).values()), row.get('unexplained', '–'),
                 *tau, *(f'{row["largest_change"].get(measure, 0):.3f}' for measure in MEASURES)]
        if 'same bytes as from nothing' in head:
            cells.append('–' if 'differing' not in row else 'yes' if not row['differing'] else 'no: ' + ', '.join(row['differing']))
        print('| ' + ' | '.join(map(str, cells)) + ' |')


def print_reasons(rows):
    for name, title in (('reasons', 'Why labels differ from those of the month before'), ('state_reasons', 'Why labels were asked again, are new or are gone, by the history')):
        total = sum((collections.Counter(row.get(name, {})) for row in rows), collections.Counter())
        if total:
            print(f'\n{title}, all months together: ' + ', '.join(f'{reason} {count}' for reason, count in total.most_common()) + '.')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('dump')
    parser.add_argument('--months', type=int, default=12)
    parser.add_argument('--share', type=float, default=0.03)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--folder')
    parser.add_argument('--judge', metavar='SERVER-PROGRAM')
    parser.add_argument('--to', default='report')
    parser.add_argument('--without-previous', action='store_true')
    parser.add_argument('--compare', action='store_true')
    parser.add_argument('--kill', type=int, default=0, metavar='N')
    parser.add_argument('--set', action='append', default=[], metavar='KEY=VALUE')
    parser.add_argument('--price-prompt', type=float, default=0.15, help='US dollars for a million tokens')
    parser.add_argument('--price-reply', type=float, default=0.60)
    parser.add_argument('--figure', default='months.svg')
    parser.add_argument('--json')
    arguments = parser.parse_args()
    if arguments.folder:
        pathlib.Path(arguments.folder).mkdir(parents=True, exist_ok=True)
    server = Server(arguments.judge)
    try:
        with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
            months = Months(arguments, pathlib.Path(folder), server)
            months.run()
    finally:
        server.stop()
    rows = months.rows
    print_table(rows)
    print_reasons(rows)
    pathlib.Path(arguments.figure).write_text(months_figure.figure(shares(rows), [row['scores'].get(MEASURES[0], {}) for row in rows], MEASURES[0]), encoding='utf-8')
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(rows, indent=1), encoding='utf-8')
    if months.failed:
        print('\nWhat does not hold:\n' + '\n'.join(f'- {text}' for text in months.failed))
        sys.exit(1)


if __name__ == '__main__':
    main()
