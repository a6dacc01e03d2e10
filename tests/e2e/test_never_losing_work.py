"""Killed or stopped at any point, the same command run again gives the same bytes as an undisturbed run."""
import signal
import subprocess
import time

from harness import DUMP, EndToEnd, PROGRAM, SMALL_BATCHES, SOURCE, DEFAULT_STAGES


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
