"""Killed or stopped at any point, the same command run again gives the same bytes as an undisturbed run."""
import os
import re
import shutil
import signal
import subprocess
import time

from harness import DUMP, EndToEnd, PROGRAM, SMALL_BATCHES, SOURCE, DEFAULT_STAGES, STAGES, need_data

# Both collections; the bundled wiki has few and short pages.
BOTH = ['--to', 'all', '--set', 'automatic.min_sections=1', '--set', 'automatic.folds=2']


class Test(EndToEnd):
    def disturb(self, point, passes, stop=signal.SIGKILL, least=1):
        """Disturbs a run at the n-th pass of `point`, for every n of `passes` that is reached, and resumes it."""
        self.build('calm', *SMALL_BATCHES)
        expected = self.results('calm')
        reached = 0
        for number in passes:
            with self.subTest(point=point, number=number):
                work = f'{point}-{number}'
                wish = f'{point}:{number}' + ('' if stop == signal.SIGKILL else f':{int(stop)}')
                done = self.build(work, *SMALL_BATCHES, environment={'TOUCHSTONE_KILL_AT': wish}, status=None)
                if done.returncode == 0:
                    continue  # fewer passes than that
                self.assertEqual(done.returncode, -9 if stop == signal.SIGKILL else 3, done.stderr)
                if stop != signal.SIGKILL:
                    self.assertTrue(done.stderr.splitlines()[-1].startswith('stopped: run the same command again'), done.stderr)
                reached += 1
                self.build(work, *SMALL_BATCHES)
                self.assert_same_results(work, expected, f'killed at {wish}:')
                self.assertEqual(self.to_run(work), [])
        self.assertGreaterEqual(reached, least, f'{point} was reached too seldom')

    def test_killed_in_its_first_moments_a_run_starts_again(self):
        for milliseconds in range(5, 125, 6):
            with self.subTest(milliseconds):
                work = self.folder / f'early-{milliseconds}'
                with subprocess.Popen([PROGRAM, 'build', '--to', 'ingest', '--dump', DUMP, '--work', work], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as early:
                    time.sleep(milliseconds / 1000)
                    early.kill()
                self.run_program('build', '--to', 'ingest', '--dump', DUMP, '--work', work)

    def test_killed_while_ingesting(self):
        self.disturb('ingest.batch', [1, 2, 9, 20, 30], least=4)
        self.disturb('ingest.run', [1])
        self.disturb('ingest.merged', [1])

    def test_killed_while_linking(self):
        self.disturb('link.read', [1, 50, 100], least=1)
        self.disturb('link.before_commit', [1])

    def test_killed_before_the_candidates_are_complete(self):
        self.disturb('candidates.before_finish', [1])

    def test_killed_while_judging(self):
        self.disturb('judge.topic', [1, 8, 16], least=2)
        self.disturb('judge.before_finish', [1])

    def test_killed_before_the_collection_is_complete(self):
        self.disturb('export.before_finish', [1])

    def test_killed_when_a_stage_is_about_to_empty_its_families(self):
        self.disturb('runner.clear', range(1, len(DEFAULT_STAGES) + 1), least=len(DEFAULT_STAGES))

    def test_killed_when_a_stage_is_about_to_be_done(self):
        self.disturb('runner.before_done', range(1, len(DEFAULT_STAGES) + 1), least=len(DEFAULT_STAGES))

    def test_killed_again_and_again_it_still_comes_to_the_same_end(self):
        self.build('calm', *SMALL_BATCHES)
        for point in ('ingest.batch:3', 'ingest.batch:3', 'ingest.batch:4', 'runner.clear:1', 'link.before_commit:1', 'judge.topic:2', 'judge.topic:3',
                      'export.before_finish:1', 'runner.before_done:1'):
            done = self.build('often', *SMALL_BATCHES, environment={'TOUCHSTONE_KILL_AT': point}, status=None)
            self.assertEqual(done.returncode, -9, f'{point}: {done.stderr}')
        self.build('often', *SMALL_BATCHES)
        self.assert_same_results('often', self.results('calm'))

    def test_killed_while_redoing_with_a_changed_option(self):
        strict = ['--set', 'groups.mode=strict']
        self.build('calm', *strict)
        for point in ('runner.clear:1', 'candidates.before_finish:1', 'judge.before_finish:1', 'export.before_finish:1', 'runner.before_done:5'):
            with self.subTest(point):
                self.build(point, '--set', 'groups.mode=lenient')
                done = self.build(point, *strict, environment={'TOUCHSTONE_KILL_AT': point}, status=None)
                self.assertEqual(done.returncode, -9, done.stderr)
                self.build(point, *strict)
                self.assert_same_results(point, self.results('calm'), point)

    def test_stopped_by_ctrl_c_while_ingesting(self):
        self.disturb('ingest.batch', [1, 12], stop=signal.SIGINT, least=2)

    def test_stopped_by_sigterm_while_judging(self):
        self.disturb('judge.topic', [2], stop=signal.SIGTERM)

    def test_stopped_by_sigterm_while_linking_and_exporting(self):
        self.disturb('link.before_commit', [1], stop=signal.SIGTERM)
        self.disturb('candidates.before_finish', [1], stop=signal.SIGTERM)

    def test_a_second_ctrl_c_ends_at_once(self):
        process = subprocess.Popen([PROGRAM, '--progress', 'never', 'ingest', '--dump', '-', '--work', str(self.folder / 'w')], cwd=SOURCE,
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write(DUMP.read_bytes()[:50_000])
        process.stdin.flush()
        for line in process.stderr:
            if line.startswith(b'ingest:') or b'ingest: Read' in line:
                break
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)  # two signals at once would be one
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 3)
        process.stdin.close()
        process.stderr.close()
        self.run_program('ingest', '--dump', DUMP, '--work', self.folder / 'w')

    def test_two_runs_in_one_work_directory_do_not_meet(self):
        process = subprocess.Popen([PROGRAM, '--progress', 'never', 'ingest', '--dump', '-', '--work', str(self.folder / 'w')], cwd=SOURCE,
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            process.stdin.write(DUMP.read_bytes()[:1000])
            process.stdin.flush()
            for line in process.stderr:
                if b'ingest: Read' in line:
                    break
            self.assert_one_error(self.build('w', status=1), 'another')
        finally:
            process.kill()
            process.wait()
            process.stdin.close()
            process.stderr.close()

    def both(self, work):
        """Name -> bytes of what a build of both collections leaves for people."""
        mine = [self.folder / work / name for name in ('store', 'judgments.log')]
        files = [path for path in (self.folder / work).rglob('*') if path.is_file() and not any(path.is_relative_to(one) for one in mine)]
        return {str(path.relative_to(self.folder / work)): path.read_bytes() for path in files}

    def assert_resumes(self, work, expected):
        self.build(work, *BOTH)
        found = self.both(work)
        self.assertEqual(sorted(found), sorted(expected))
        self.assertEqual([name for name in expected if found[name] != expected[name]], [])

    def test_a_signal_at_any_step_of_both_collections(self):
        """Once while each stage runs, by the time that stages take: the run ends with its status, and the next one goes on."""
        calm = self.build('calm', *BOTH)
        expected = self.both('calm')
        self.assertEqual(set(re.findall(r'info ([\w-]+): done in', calm.stderr)), set(STAGES))
        for stage in STAGES:
            for stop, delay in ((signal.SIGTERM, 0), (signal.SIGINT, .02), (signal.SIGKILL, .02)):
                with self.subTest(stage=stage, stop=stop.name):
                    shutil.rmtree(self.folder / 'w', ignore_errors=True)
                    with subprocess.Popen([PROGRAM, '--progress', 'never', 'build', '--config', SOURCE / 'configs' / 'miniwiki.toml', '--dump', DUMP, '--work',
                                           self.folder / 'w', *BOTH], cwd=SOURCE, stderr=subprocess.PIPE) as run:
                        said = ''
                        for line in run.stderr:
                            said += line.decode()
                            if re.search(rf' info {stage}: [A-Z]', said):
                                break
                        time.sleep(delay)
                        run.send_signal(stop)
                        said += run.stderr.read().decode()
                    self.assertIn(run.returncode, (0, -9) if stop == signal.SIGKILL else (0, 3), said)
                    self.assert_resumes('w', expected)

    def test_a_full_disk_at_any_step_of_both_collections(self):
        if os.environ.get('TOUCHSTONE_SANITIZER'):
            self.skipTest('a sanitizer must be loaded before all others')
        self.build('calm', *BOTH)
        expected = self.both('calm')
        met = set()
        for files in ('/w/store/', '/w/judgments.log', '/w/stages/', '/w/collection', '/w/automatic', '/w/report', '/w/automatic-report', '.html', '-review.tsv'):
            for call, first in (('open', 1), ('open', 5), ('write', 1), ('write', 4), ('write', 15), ('sync', 1), ('sync', 3)):
                with self.subTest(files=files, call=call, first=first):
                    shutil.rmtree(self.folder / 'w', ignore_errors=True)
                    full = {'LD_PRELOAD': os.environ['TOUCHSTONE_FULL_DISK'], 'FULL_DISK_CALL': call, 'FULL_DISK_FILES': files, 'FULL_DISK_FROM': str(first)}
                    done = self.build('w', *BOTH, environment=full, status=None)
                    if done.returncode != 0:  # else there were fewer such calls
                        self.assertEqual(done.returncode, 1, done.stderr)
                        self.assert_one_error(done, 'No space left on device')
                        met.add(files)
                    self.assert_resumes('w', expected)
        self.assertGreaterEqual(len(met), 8, met)

    def test_a_disk_that_becomes_full_while_a_real_wiki_is_written(self):
        """The last files of an automatic collection are written side by side, and many fail at once."""
        if os.environ.get('TOUCHSTONE_SANITIZER'):
            self.skipTest('a sanitizer must be loaded before all others')
        dump = need_data(self, 'shintowiki-20260531-pages-meta-current-multistream.xml.bz2')
        options = ['--progress', 'never', 'build', '--config', SOURCE / 'configs' / 'automatic.toml', '--dump', dump, '--work']
        self.run_program(*options, self.folder / 'base', '--to', 'facets')
        self.run_program(*options, self.folder / 'base', '--to', 'paragraphs')
        full = {'LD_PRELOAD': os.environ['TOUCHSTONE_FULL_DISK'], 'FULL_DISK_CALL': 'write', 'FULL_DISK_FILES': 'automatic.partial'}

        def export(status, **environment):
            shutil.rmtree(self.folder / 'w', ignore_errors=True)
            shutil.copytree(self.folder / 'base', self.folder / 'w')
            return self.run_program(*options, self.folder / 'w', '--to', 'export-automatic', environment=full | environment, status=status)

        export(0, FULL_DISK_COUNT=str(self.folder / 'count'))
        writes = int((self.folder / 'count').read_text())
        self.assertGreater(writes, 100)
        for percent in (70, 80, 88, 95):
            with self.subTest(percent=percent, writes=writes):
                done = export(1, FULL_DISK_FROM=str(writes * percent // 100))
                self.assert_one_error(done, 'No space left on device')
