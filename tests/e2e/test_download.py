"""Downloads from a real web server: what is fetched, and what happens when the network or the mirror fails."""
import bz2
import hashlib
import json
import os
import random
import re
import shlex
import signal
import subprocess
import time

from harness import CONFIG, DUMP, EndToEnd, PROGRAM, SOURCE
from mirror import Mirror
from proxy import Proxy

WIKI, DATE = 'miniwiki', '20261101'
PAGES = f'{WIKI}-{DATE}-pages-articles.xml.bz2'
TABLES = {table.replace('_', '') + 'table': table for table in ('page', 'redirect', 'pagelinks', 'linktarget', 'page_props', 'langlinks', 'categorylinks')}
LARGE = random.Random(1).randbytes(2_000_000)  # stands for a dump of pages; nothing reads it


def tables():
    return {job: {f'{table}.sql.gz': table.encode() * 100} for job, table in TABLES.items()}


def pages(content=LARGE):
    return {'articlesdump': {'pages-articles.xml.bz2': content}}


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        self.out = self.folder / 'out'

    def arguments(self, mirror, *more, wiki=WIKI, date=DATE):
        return ['download', '--mirror', mirror.base, '--wiki', wiki, '--date', date, '--out', self.out, *more]

    def fetch(self, mirror, *more, wiki=WIKI, date=DATE, **options):
        return self.run_program('--progress', 'never', *self.arguments(mirror, *more, wiki=wiki, date=date), **options)

    def report(self, mirror, *more, **options):
        return json.loads(self.fetch(mirror, '--format', 'json', *more, **options).stdout)

    def left(self):
        return sorted(path.name for path in self.out.iterdir())

    def start(self, mirror, *more):
        """A download in the background, once a part of the file of pages is there."""
        running = subprocess.Popen([PROGRAM, *map(str, self.arguments(mirror, *more))], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=SOURCE)
        self.addCleanup(running.stderr.close)
        part = self.out / f'{PAGES}.part'
        for _ in range(1000):
            if part.exists() and part.stat().st_size > 100_000:
                return running
            time.sleep(0.01)
        running.kill()
        self.fail(running.communicate()[1].decode())

    def test_a_wiki_is_fetched_and_the_command_that_is_shown_builds_from_it(self):
        mirror = Mirror(self)
        mirror.dump(WIKI, DATE, pages(bz2.compress(DUMP.read_bytes())))
        done = self.fetch(mirror)
        self.assertEqual(self.left(), ['downloads.json', PAGES])
        command = shlex.split(done.stdout.splitlines()[-1])
        self.assertEqual(command, ['touchstone', 'build', '--dump', str(self.out / PAGES), '--work', f'work/{WIKI}'])
        self.run_program(*command[1:-1], self.folder / 'w', '--config', CONFIG)
        self.assertTrue((self.folder / 'w' / 'collection' / 'qrels.txt').exists())
        self.assertRegex(mirror.gate.user_agent, r'^User-Agent: touchstone/\d+\.\d+\.\d+')

    def test_tables_and_wikidata_are_fetched_too(self):
        mirror = Mirror(self)
        mirror.dump(WIKI, DATE, {**pages(), **tables(), 'imagelinkstable': {'imagelinks.sql.gz': b'x'}})
        for day, name_day, complete in (('20261026', '20261026', True), ('20261102', '20261104', False), ('20261109', '20261109', True)):
            name = f'wikidata-{name_day}-all.json.bz2'
            mirror.write(f'wikidatawiki/entities/{day}/{name}', day)
            sums = ''.join(f'{hashlib.sha1(day.encode()).hexdigest()}  wikidata-{name_day}-{kind}\n' for kind in ('all.json.gz', 'all.json.bz2', 'truthy.nt.bz2'))
            if complete:
                mirror.write(f'wikidatawiki/entities/{day}/wikidata-{name_day}-sha1sums.txt', sums)
        found = self.report(mirror, '--what', 'xml,sql,wikidata')
        self.assertEqual(found['wikidata_date'], '20261026')
        self.assertEqual([(file['use'], file['state']) for file in found['files']], [('dump', 'fetched'), *[('sql-dump', 'fetched')] * 7, ('wikidata', 'fetched')])
        self.assertEqual(sorted(file['name'] for file in found['files'][1:8]), sorted(f'{WIKI}-{DATE}-{table}.sql.gz' for table in TABLES.values()))
        for file in found['files']:
            self.assertEqual(hashlib.sha1((self.out / file['name']).read_bytes()).hexdigest(), file['sha1'])
            self.assertEqual((self.out / file['name']).stat().st_size, file['bytes'])
        self.assertEqual([word for word in found['build'] if word.startswith('--')], ['--dump', '--sql-dump', '--wikidata', '--work'])
        # Dumps of 2022 and before have no table linktarget.
        mirror.dump('oldwiki', DATE, {job: files for job, files in tables().items() if job != 'linktargettable'})
        self.assertEqual(len(self.report(mirror, '--what', 'sql', wiki='oldwiki')['files']), 6)
        # Dumps of Wikidata are named without a wiki, and the day in a name is not always that of the folder.
        mirror.write('wikidatawiki/entities/20261102/wikidata-20261104-sha1sums.txt', f'{hashlib.sha1(b"20261102").hexdigest()} *wikidata-20261104-all.json.bz2\n')
        only = json.loads(self.run_program('download', '--mirror', mirror.base, '--what', 'wikidata', '--date', DATE, '--out', self.out, '--format', 'json').stdout)
        self.assertEqual([file['name'] for file in only['files']], ['wikidata-20261104-all.json.bz2'])
        self.assertEqual(only['build'], [])

    def test_a_dump_in_parts_with_its_index_is_named_in_order(self):
        mirror = Mirror(self)
        parts = {f'pages-articles-multistream{kind}.bz2': kind.encode() for kind in ('1.xml-p1p9', '-index1.txt-p1p9', '2.xml-p10p99', '10.xml-p100p999')}
        mirror.dump(WIKI, DATE, {'articlesmultistreamdump': parts})
        found = self.report(mirror, '--what', 'multistream')
        self.assertEqual([file['name'].split('multistream')[1] for file in found['files']], ['1.xml-p1p9.bz2', '2.xml-p10p99.bz2', '10.xml-p100p999.bz2', '-index1.txt-p1p9.bz2'])
        self.assertEqual(sum('.xml-' in word for word in found['build']), 3)
        self.assertFalse(any('index' in word for word in found['build']))

    def test_a_second_run_has_nothing_to_do(self):
        mirror = Mirror(self)
        mirror.dump(WIKI, DATE, pages())
        self.fetch(mirror)
        before = {name: (self.out / name).stat().st_mtime_ns for name in self.left()}
        self.assertEqual([file['state'] for file in self.report(mirror)['files']], ['complete'])
        (self.out / 'downloads.json').unlink()  # it is read then
        self.assertEqual([file['state'] for file in self.report(mirror)['files']], ['complete'])
        self.assertEqual(mirror.gate.asked(PAGES), [None])
        self.assertEqual((self.out / PAGES).stat().st_mtime_ns, before[PAGES])
        with open(self.out / PAGES, 'r+b') as file:
            file.write(b'edited')
        self.assert_one_error(self.fetch(mirror, status=1), str(self.out / PAGES), 'is there already', 'remove it')
        self.assertTrue((self.out / PAGES).read_bytes().startswith(b'edited'))

    def test_latest_is_the_newest_dump_whose_jobs_are_done(self):
        mirror = Mirror(self)
        mirror.dump(WIKI, '20261001', {**pages(b'old'), **tables()})
        mirror.dump(WIKI, '20261020', {**pages(b'new'), **tables()})
        mirror.dump(WIKI, '20261101', {**pages(b'newest'), **tables()}, states={'pagelinkstable': 'in-progress'})
        mirror.write(f'{WIKI}/latest/x', 'x')
        mirror.write(f'{WIKI}/20261132/x', 'x')
        self.assertEqual(self.report(mirror, '--what', 'xml,sql', date='latest')['date'], '20261020')
        self.assertEqual(self.report(mirror, date='latest')['date'], '20261101')
        error = self.assert_one_error(self.fetch(mirror, '--what', 'sql', status=1), 'pagelinkstable', 'in-progress')
        self.assertNotIn('fetched', error)

    def test_a_dry_run_lists_sizes_and_makes_nothing(self):
        mirror = Mirror(self)
        mirror.dump(WIKI, DATE, pages())
        done = self.fetch(mirror, '--dry-run')
        self.assertRegex(done.stdout, rf'{PAGES} +2,000,000 bytes  missing')
        self.assertFalse(self.out.exists())
        self.assertEqual(mirror.gate.asked(PAGES), [])

    def test_connections_that_drop_in_mid_file_cost_no_byte(self):
        mirror = Mirror(self)
        mirror.dump(WIKI, DATE, pages())
        mirror.gate.cut_after = 600_000
        done = self.fetch(mirror, '--retries', '1')
        self.assertEqual((self.out / PAGES).read_bytes(), LARGE)
        self.assertEqual(mirror.gate.asked(PAGES), [None, 600_000, 1_200_000, 1_800_000])
        self.assertEqual(mirror.gate.passed(PAGES), len(LARGE))
        self.assertIn('goes on at byte 600,000', done.stderr)
        self.assertEqual(self.left(), ['downloads.json', PAGES])

    def test_a_killed_download_goes_on_with_the_next_byte(self):
        mirror = Mirror(self)
        mirror.dump(WIKI, DATE, pages())
        mirror.gate.rate = 1_000_000
        running = self.start(mirror)
        running.kill()
        running.wait()
        there = (self.out / f'{PAGES}.part').stat().st_size
        mirror.gate.rate = None
        time.sleep(0.1)  # until the proxy has seen that the reader has gone
        before = mirror.gate.passed(PAGES)
        self.assertRegex(self.fetch(mirror, '--dry-run').stdout, 'partial, [0-9,]+ bytes were there')
        self.fetch(mirror)
        self.assertEqual((self.out / PAGES).read_bytes(), LARGE)
        self.assertEqual(mirror.gate.asked(PAGES), [None, there])
        self.assertEqual(mirror.gate.passed(PAGES) - before, len(LARGE) - there)

    def test_a_stopped_download_ends_with_status_3_and_goes_on(self):
        mirror = Mirror(self)
        mirror.dump(WIKI, DATE, pages())
        mirror.gate.rate = 500_000
        running = self.start(mirror)
        other = self.fetch(mirror, status=1)
        self.assert_one_error(other, 'is being downloaded by another process')
        running.send_signal(signal.SIGINT)
        self.assertEqual(running.wait(timeout=60), 3)
        self.assertIn(f'{PAGES}.part', self.left())
        mirror.gate.rate = None
        self.fetch(mirror)
        self.assertEqual((self.out / PAGES).read_bytes(), LARGE)

    def test_a_part_of_another_version_is_not_continued(self):
        mirror = Mirror(self)
        mirror.dump(WIKI, DATE, pages())
        mirror.gate.rate = 1_000_000
        running = self.start(mirror)
        running.kill()
        running.wait()
        mirror.gate.rate = None
        part, source = (self.out / f'{PAGES}{ending}' for ending in ('.part', '.part.source'))
        kept = part.read_bytes(), source.read_bytes()
        # The server has the same name with another ETag: it sends the whole file in answer to If-Range.
        os.utime(mirror.tree / WIKI / DATE / PAGES, (1, 1))
        done = self.fetch(mirror)
        self.assertIn('the mirror has another version of the file now', done.stderr)
        self.assertEqual((self.out / PAGES).read_bytes(), LARGE)
        # The mirror lists another SHA-1: nothing of the part is asked for.
        (self.out / PAGES).unlink()
        part.write_bytes(kept[0])
        source.write_bytes(kept[1])
        mirror.dump(WIKI, DATE, pages(LARGE[::-1]))
        self.fetch(mirror)
        self.assertEqual((self.out / PAGES).read_bytes(), LARGE[::-1])
        self.assertIsNone(mirror.gate.asked(PAGES)[-1])

    def test_parts_without_a_source_count_as_far_as_they_are_right(self):
        mirror = Mirror(self)
        mirror.dump(WIKI, DATE, pages())
        self.out.mkdir()
        part = self.out / f'{PAGES}.part'
        for content, asked in ((LARGE[:500], [500]), (LARGE, []), (b'x' * 500, [500, None]), (b'x' * 3_000_000, [None]), (LARGE[:-1] + b'?', [None])):
            with self.subTest(len(content)):
                part.write_bytes(content)
                before = len(mirror.gate.asked(PAGES))
                self.fetch(mirror)
                self.assertEqual((self.out / PAGES).read_bytes(), LARGE)
                self.assertEqual(mirror.gate.asked(PAGES)[before:], asked)
                (self.out / PAGES).unlink()

    def test_a_mirror_without_ranges_sends_the_file_anew(self):
        mirror = Mirror(self, 'max_ranges 0;')
        mirror.dump(WIKI, DATE, pages())
        self.out.mkdir()
        (self.out / f'{PAGES}.part').write_bytes(LARGE[:1000])
        done = self.fetch(mirror)
        self.assertIn('fetched anew from its first byte', done.stderr)
        self.assertEqual((self.out / PAGES).read_bytes(), LARGE)

    def test_a_busy_mirror_is_asked_again_when_it_says(self):
        mirror = Mirror(self, r'location ~ \.bz2$ { if (-f $document_root/busy) { add_header Retry-After 3 always; return 503; } }')
        mirror.dump(WIKI, DATE, pages())
        busy = mirror.write('../busy', '')
        start = time.monotonic()
        running = subprocess.Popen([PROGRAM, *map(str, self.arguments(mirror))], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while not mirror.gate.asked(PAGES) and time.monotonic() < start + 60:
            time.sleep(0.01)
        time.sleep(0.3)
        busy.unlink()
        stderr = running.communicate(timeout=60)[1].decode()
        self.assertEqual(running.returncode, 0, stderr)
        self.assertGreaterEqual(time.monotonic() - start, 3)
        self.assertEqual(len(mirror.gate.asked(PAGES)), 2)
        self.assertIn('answered 503; it is asked for again in 3.0 s', stderr)
        self.assertEqual((self.out / PAGES).read_bytes(), LARGE)

    def test_a_mirror_that_stays_busy_or_away_ends_the_run(self):
        mirror = Mirror(self, r'location ~ \.bz2$ { return 502; } location ~ \.gz$ { add_header Retry-After 7200 always; return 429; }')
        mirror.dump(WIKI, DATE, {**pages(), **tables()})
        self.assert_one_error(self.fetch(mirror, '--retries', '1', status=1), PAGES, 'answered 502', 'failures in a row: 2', 'same command')
        self.assert_one_error(self.fetch(mirror, '--what', 'sql', status=1), 'answered 429', 'come back in 7200 s')
        nobody = self.run_program('download', '--mirror', 'http://127.0.0.1:9', '--wiki', WIKI, '--retries', '0', '--out', self.out, status=1)
        self.assert_one_error(nobody, 'http://127.0.0.1:9', 'no connection')

    def test_a_file_with_the_wrong_content_is_fetched_once_more(self):
        mirror = Mirror(self)
        mirror.dump(WIKI, DATE, pages())
        mirror.write(f'{WIKI}/{DATE}/{PAGES}', LARGE[:-1] + b'?')
        done = self.fetch(mirror, status=1)
        self.assert_one_error(done, PAGES, 'SHA-1', 'and so it was before')
        self.assertEqual(mirror.gate.asked(PAGES), [None, None])
        self.assertNotIn(PAGES, self.left())
        mirror.write(f'{WIKI}/{DATE}/{PAGES}', LARGE[:-1])
        self.assert_one_error(self.fetch(mirror, status=1), PAGES, 'it has 1999999 bytes on the mirror, and 2000000 are listed')
        mirror.write(f'{WIKI}/{DATE}/{PAGES}', LARGE)
        self.fetch(mirror)
        self.assertEqual((self.out / PAGES).read_bytes(), LARGE)

    def test_redirects_and_proxies_are_used(self):
        mirror = Mirror(self, r'absolute_redirect off; location ~ ^/old/(.*)$ { return 302 /dumps/$1; } location ~ ^/round/ { return 301 /round/x; }')
        mirror.dump(WIKI, DATE, pages())
        arguments = ['--wiki', WIKI, '--date', DATE, '--out', self.out]
        self.run_program('download', '--mirror', mirror.gate.address + '/old/', *arguments)
        self.assertEqual((self.out / PAGES).read_bytes(), LARGE)
        (self.out / PAGES).unlink()
        proxy = Proxy(self)
        self.fetch(mirror, environment={'http_proxy': proxy.address, 'no_proxy': ''})
        self.assertEqual((self.out / PAGES).read_bytes(), LARGE)
        self.assertEqual(proxy.requests, 2)
        self.assert_one_error(self.run_program('download', '--mirror', mirror.gate.address + '/round', *arguments, status=1), 'redirects more than 5 times')

    def test_what_a_mirror_does_not_have_or_garbles_is_one_sentence(self):
        mirror = Mirror(self)
        mirror.dump(WIKI, DATE, pages())

        def edited(name, change):
            mirror.dump('badwiki', DATE, pages(), change=change)
            return self.assert_one_error(self.fetch(mirror, wiki='badwiki', status=1), f'/badwiki/{DATE}/dumpstatus.json', *name)

        self.assert_one_error(self.fetch(mirror, wiki='nowiki', date='latest', status=1), '/dumps/nowiki/', 'not there')
        self.assert_one_error(self.fetch(mirror, date='20261020', status=1), '/20261020/dumpstatus.json', 'not there')
        job = lambda status: status['jobs']['articlesdump']
        fact = lambda status: job(status)['files'][f'badwiki-{DATE}-pages-articles.xml.bz2']
        edited(['articlesdump', 'no job'], lambda status: status['jobs'].pop('articlesdump'))
        edited(['"waiting", not done'], lambda status: job(status).update(status='waiting'))
        edited(['lists no files'], lambda status: job(status).update(files={}))
        edited(['SHA-1 of'], lambda status: fact(status).pop('sha1'))
        edited(['size of'], lambda status: fact(status).update(size=-1))
        for name in ('../../etc/x', f'badwiki-{DATE}-../x', f'badwiki-{DATE}-a/b', 'other.bz2', f'badwiki-{DATE}-\u202e', f'badwiki-{DATE}-' + 'x' * 300):
            edited(['no name of a file of this dump'], lambda status: job(status)['files'].update({name: fact(status)}))
        edited(['SHA-1 of'], lambda status: fact(status).update(sha1='A' * 40))
        mirror.dump('badwiki', DATE, pages(), change=lambda status: fact(status).update(size=10**15))
        self.assert_one_error(self.fetch(mirror, wiki='badwiki', status=1), 'bytes free', '1,000,000,000,000,000', '--out')
        status = mirror.tree / 'badwiki' / DATE / 'dumpstatus.json'
        for content in (status.read_bytes()[:-20], b'[1]', b'', b'null', b'<html>', b'{"jobs":' + b'[' * 100_000):
            status.write_bytes(content)
            self.assert_one_error(self.fetch(mirror, wiki='badwiki', status=1), f'/badwiki/{DATE}/dumpstatus.json')
        status.write_bytes(b' ' * (33 << 20))
        self.assert_one_error(self.fetch(mirror, wiki='badwiki', status=1), 'longer than 33554432 bytes')
        self.assertEqual([name for name in self.left() if 'miniwiki' not in name], [])

    def test_a_full_disk_is_one_sentence_and_the_next_run_goes_on(self):
        mirror = Mirror(self)
        mirror.dump(WIKI, DATE, pages())
        full = {'LD_PRELOAD': os.environ['TOUCHSTONE_FULL_DISK'], 'FULL_DISK_CALL': 'write', 'FULL_DISK_FILES': '.part', 'FULL_DISK_FROM': '20'}
        self.assert_one_error(self.fetch(mirror, status=1, environment=full), f'{PAGES}.part', 'No space left on device')
        self.fetch(mirror)
        self.assertEqual((self.out / PAGES).read_bytes(), LARGE)
        self.assertEqual(len(mirror.gate.asked(PAGES)), 2)

    def test_wrong_usage(self):
        for arguments, words in ((['--wiki', 'Not A Wiki'], '--wiki'), (['--wiki', '../x'], '--wiki'), ([], '--wiki'), (['--wiki', 'x', '--date', '20261301'], '--date'),
                                 (['--wiki', 'x', '--what', 'xml,multistream'], 'take one'), (['--wiki', 'x', '--mirror', 'ftp://x'], '--mirror'),
                                 (['--wiki', 'x', '--mirror', 'http://user:pass@x/'], 'password')):
            with self.subTest(arguments):
                done = self.run_program('download', '--mirror', 'http://127.0.0.1:9', *arguments, status=2) if '--mirror' not in arguments else self.run_program('download', *arguments, status=2)
                self.assert_one_error(done, words)
                self.assertNotIn('user:pass', done.stderr)
