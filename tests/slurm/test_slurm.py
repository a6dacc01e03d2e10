"""Builds as jobs of a real Slurm (cluster.py): the bytes of one process, whatever happens to nodes, tasks, controller and driver."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'e2e'))
import cluster  # noqa: E402
from harness import CONFIG, DUMP, PROGRAM, SOURCE, EndToEnd, need_data  # noqa: E402
from judge_server import SERVER, JudgeServer  # noqa: E402
from judging import LABELS, PROBES, QUESTIONS  # noqa: E402

BOTH = ['--to', 'all', '--set', 'automatic.min_sections=1', '--set', 'automatic.folds=2']
FAST = ['--set', 'slurm.poll_seconds=1', '--set', 'slurm.memory_mb=700', '--set', 'slurm.merge_memory_mb=1500']


@unittest.skipUnless(cluster.is_installed(), 'Slurm is not installed; scripts/check_slurm.sh installs it')
class Test(EndToEnd):
    def results(self, work):
        root = self.folder / work
        automatic = {str(path.relative_to(root)): path.read_bytes() for path in (root / 'automatic').rglob('*') if path.is_file()}
        return {**super().results(work), **automatic}

    def cluster(self, **options):
        made = cluster.Cluster(**options)
        self.addCleanup(made.__exit__)
        made.start()
        return made

    def on_slurm(self, slurm, work, *arguments, status=0, environment=None):
        return self.build(work, '--executor', 'slurm', *FAST, *arguments, status=status, environment=slurm.environment(**(environment or {})))

    def start_driver(self, slurm, work, *arguments, **environment):
        """A driver whose first stage on the cluster is passages, so that only its tasks take the time to be disturbed."""
        for stage in ('link', 'boilerplate'):
            self.build(work, '--to', stage)
        return subprocess.Popen([PROGRAM, '--progress', 'never', 'build', '--config', CONFIG, '--dump', DUMP, '--work', self.folder / work, '--executor', 'slurm', *FAST,
                                 *arguments], cwd=SOURCE, env=slurm.environment(**environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def expected(self, *arguments):
        """What one process makes of the bundled wiki."""
        self.build('local', *arguments)
        return self.results('local')

    def running_tasks(self, slurm, stage):
        """Node of each running task of the array of a stage."""
        lines = slurm.output('squeue', '--noheader', '--array', '--states=RUNNING', '--format=%j %i %N').splitlines()
        return [line.split()[1:] for line in lines if line.split()[0].endswith('-' + stage) and '_' in line]

    def wait_for_tasks(self, slurm, stage, count=1):
        slurm.wait_until(lambda: len(self.running_tasks(slurm, stage)) >= count, 60, f'no task of {stage} runs')
        return self.running_tasks(slurm, stage)

    def finish(self, driver, status=0):
        out, err = driver.communicate(timeout=300)
        self.assertEqual(driver.returncode, status, err)
        return err

    def test_both_collections_have_the_bytes_of_one_process(self):
        expected = self.expected(*BOTH)
        said = self.on_slurm(self.cluster(), 'w', '--shards', '4', *BOTH)
        self.assertIn('pages: 2 of 2 shards in 1 array', said.stderr)
        self.assert_same_results('w', expected)
        self.assertIn('done before', self.on_slurm(self.cluster(), 'w', '--shards', '4', *BOTH).stderr)

    def test_the_shinto_wiki_on_four_nodes_has_the_bytes_of_one_process(self):
        dump = need_data(self, 'shintowiki-20260531-pages-meta-current-multistream.xml.bz2')
        config = SOURCE / 'configs' / 'automatic.toml'
        run = lambda work, *more, **options: self.run_program('--progress', 'never', 'build', '--to', 'all', '--config', config, '--dump', dump, '--work', self.folder / work,
                                                              *more, **options)
        run('local')
        said = run('w', '--executor', 'slurm', '--shards', '24', *FAST, environment=self.cluster(max_array_size=10).environment())
        self.assertIn('24 of 24 shards in 3 arrays', said.stderr)
        self.assert_same_results('w', self.results('local'))

    def test_a_node_that_dies_is_left_out_and_its_shards_run_again(self):
        expected = self.expected('--to', 'passages')
        slurm = self.cluster()
        driver = self.start_driver(slurm, 'w', '--to', 'passages', '--shards', '2', TOUCHSTONE_SLEEP_AT='shard.begun:8')
        (task, node), *_ = self.wait_for_tasks(slurm, 'passages')
        # A job that is said to run may not have a process yet, which would survive.
        slurm.wait_until(lambda: slurm.runs_on(node, PROGRAM), 60, f'no program runs on {node}')
        slurm.kill_node(node)
        said = self.finish(driver)
        self.assertRegex(said, rf'passages: .*on {node}.* was on a node that failed')
        self.assert_same_results('w', expected)

    def test_a_task_that_runs_on_when_its_node_is_lost_harms_nobody(self):
        expected = self.expected('--to', 'passages')
        slurm = self.cluster()
        driver = self.start_driver(slurm, 'w', '--to', 'passages', '--shards', '2', TOUCHSTONE_SLEEP_AT='shard.begun:15')
        (task, node), *_ = self.wait_for_tasks(slurm, 'passages', 2)
        slurm.kill(node)  # the daemon alone
        said = self.finish(driver)
        self.assertIn('passages: done', said)
        self.assert_same_results('w', expected)

    def kill_first_shard(self):
        """Kills the program of the first shard of passages; false if it does not run yet."""
        for process in pathlib.Path('/proc').glob('[0-9]*'):
            try:
                words = (process / 'cmdline').read_bytes().decode().split('\0')
                if words[0] == PROGRAM and 'shard' in words and words[words.index('--index') + 1] == '0' and str(self.folder) in words[words.index('--work') + 1]:
                    os.kill(int(process.name), signal.SIGKILL)
                    return True
            except (OSError, ValueError):
                pass
        return False

    def test_a_killed_task_runs_again(self):
        expected = self.expected('--to', 'passages')
        slurm = self.cluster()
        driver = self.start_driver(slurm, 'w', '--to', 'passages', '--shards', '2', TOUCHSTONE_SLEEP_AT='shard.begun:4')
        slurm.wait_until(self.kill_first_shard, 60, 'the task of the first shard does not run')
        said = self.finish(driver)
        self.assertRegex(said, 'passages: shard 1 of 2')
        self.assertIn('passages: 1 of 2 shards', said)
        self.assert_same_results('w', expected)

    def test_a_task_that_needs_more_memory_gets_it(self):
        expected = self.expected('--to', 'passages')
        said = self.on_slurm(self.cluster(), 'w', '--to', 'passages', '--shards', '2', '--set', 'slurm.memory_mb=15', '--set', 'slurm.attempts=6',
                             environment={'TOUCHSTONE_SLEEP_AT': 'shard.begun:3'}).stderr
        self.assertIn('needed more memory than it had', said)
        self.assert_same_results('w', expected)

    def test_a_controller_that_is_killed_and_comes_back_loses_nothing(self):
        expected = self.expected('--to', 'passages')
        slurm = self.cluster()
        driver = self.start_driver(slurm, 'w', '--to', 'passages', '--shards', '2', TOUCHSTONE_SLEEP_AT='shard.begun:4')
        self.wait_for_tasks(slurm, 'passages')
        slurm.kill_controller()
        time.sleep(6)
        slurm.start_controller()
        self.finish(driver)
        self.assert_same_results('w', expected)

    def test_a_killed_driver_finds_its_jobs_again(self):
        expected = self.expected('--to', 'passages')
        slurm = self.cluster()
        driver = self.start_driver(slurm, 'w', '--to', 'passages', '--shards', '2', TOUCHSTONE_SLEEP_AT='shard.begun:4')
        self.wait_for_tasks(slurm, 'passages', 2)
        driver.kill()
        driver.communicate()
        said = self.on_slurm(slurm, 'w', '--to', 'passages', '--shards', '2').stderr
        self.assertIn('jobs of an earlier run', said)
        self.assertIn('passages: done before', said)
        self.assert_same_results('w', expected)

    def test_a_second_driver_is_refused(self):
        slurm = self.cluster()
        driver = self.start_driver(slurm, 'w', '--to', 'passages', '--shards', '2', TOUCHSTONE_SLEEP_AT='shard.begun:4')
        self.wait_for_tasks(slurm, 'passages')
        self.assert_one_error(self.on_slurm(slurm, 'w', '--to', 'passages', '--shards', '2', status=2), 'another process gives out the jobs', str(driver.pid))
        self.finish(driver)

    def test_a_failure_of_the_program_ends_the_build_with_its_reason(self):
        slurm = self.cluster()
        self.build('w', '--to', 'passages')
        file = self.folder / 'w' / 'stages' / 'passage_index.records'
        file.write_bytes(file.read_bytes()[:-1] + b'x')
        said = self.assert_one_error(self.on_slurm(slurm, 'w', '--to', 'candidates', '--shards', '2', status=1), 'stage candidates failed: shard 1 of 2',
                                     'passage_index.records is not as stage passages wrote it')
        log = pathlib.Path(re.search(r'its log is (\S+)', said)[1])
        self.assertTrue(log.exists())
        status = self.run_program('status', '--work', self.folder / 'w').stdout
        self.assertRegex(status, r'on the cluster:\ncandidates: jobs \d+, \d+; .*2 of 2 shards are missing: 1-2\n  shard 1 of 2 \(job ')
        self.assertIn('passage_index.records is not as stage passages wrote it', status)
        self.assertIn(f'shard candidates --index 0 --of 2 --work {self.folder}', status)

    def test_a_campaign_is_one_array_and_what_fails_is_named(self):
        (self.folder / 'wikis.toml').write_text(f'''
[campaign]
to = "passages"
[[campaign.wiki]]
name = "a"
dump = ["{DUMP}"]
[[campaign.wiki]]
name = "b"
dump = ["{self.folder}/none.xml"]
[slurm]
poll_seconds = 1
merge_memory_mb = 1500
''')
        environment = self.cluster().environment()
        campaign = lambda status: self.run_program('campaign', self.folder / 'wikis.toml', '--executor', 'slurm', status=status, environment=environment)
        said = campaign(1)
        self.assertIn('campaign: 2 of 2 builds in 1 array', said.stderr)
        self.assertRegex(said.stdout, r'(?m)^a\t\t\tdone\t147\t.*\nb\t\t\tfailed\t.*none.xml: no such file')
        self.build('local', '--to', 'passages')
        read = lambda work: (work / 'stages' / 'passage_index.records').read_bytes()
        self.assertEqual(read(self.folder / 'campaign' / 'a'), read(self.folder / 'local'))
        self.assertIn('campaign: 1 of 2 builds in 1 array', campaign(1).stderr)

    def judged_by_one_process(self, *settings):
        """The judgments of one process. What else there is tells times too."""
        self.build('local', *JudgeServer(self).settings(), *settings)
        return self.labels('local')

    def labels(self, work):
        return {name: (self.folder / work / name).read_bytes() for name in LABELS}

    def test_tasks_of_the_judge_share_its_questions_and_its_budget(self):
        expected = self.judged_by_one_process()
        server = JudgeServer(self)
        slurm = self.cluster()
        self.build('w', '--to', 'candidates')
        judged = lambda calls, status=0: self.on_slurm(slurm, 'w', *server.settings(), '--set', f'judge.max_calls={calls}', '--set', 'judge.tasks=3', status=status)
        said = self.assert_one_error(judged(100, status=1), 'stage judge failed: its job', 'the budget of 100 calls (--max-calls) is used up')
        self.assertNotIn('attempts', said)
        self.assertEqual(server.counts()['requests'], 100)
        self.assertIn('judge: 3 of 3 shares in 1 array', judged(QUESTIONS + PROBES).stderr)
        self.assertEqual(server.counts()['requests'], QUESTIONS + PROBES)
        self.assertEqual(self.labels('w'), expected)
        self.assertEqual(sorted((self.folder / 'w' / 'replies').iterdir()), [])

    def test_a_task_of_the_judge_on_a_lost_node_pays_nothing_twice(self):
        expected = self.judged_by_one_process()
        server = JudgeServer(self, '--latency-ms', 300)
        slurm = self.cluster()
        self.build('w', '--to', 'candidates')
        driver = subprocess.Popen(list(map(str, [PROGRAM, '--progress', 'never', 'build', '--config', CONFIG, '--dump', DUMP, '--work', self.folder / 'w', '--executor', 'slurm', *FAST,
                                                 *server.settings(in_flight=8), '--set', 'judge.tasks=2', '--set', f'judge.max_calls={QUESTIONS + PROBES + 64}'])),
                                  cwd=SOURCE, env=slurm.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        (task, node), *_ = self.wait_for_tasks(slurm, 'judge', 2)
        slurm.wait_until(lambda: server.counts()['requests'] > 30, 60, 'the tasks ask nothing')
        slurm.kill_node(node)
        said = self.finish(driver)
        self.assertRegex(said, rf'judge: .*on {node}.* was on a node that failed')
        self.assertEqual(server.counts()['distinct'], QUESTIONS + PROBES)
        # What was in flight, or had come a moment before, has no reply that anybody could know. Both tasks may have been on the node.
        self.assertLessEqual(server.counts()['requests'], QUESTIONS + PROBES + 16)
        self.assertEqual(self.labels('w'), expected)

    def test_the_server_of_the_manual_is_a_job_of_its_own(self):
        expected = self.judged_by_one_process()
        manual = (SOURCE / 'docs' / 'cluster.md').read_text().replace('the-model', 'test-model')
        script, config, start = re.search(r'`server.sh`:\n\n```sh\n(.*?)```.*?```toml\n(.*?)```.*?```sh\n(.*?)```', manual, re.DOTALL).groups()
        (self.folder / 'server.sh').write_text(re.sub('#SBATCH .*', f'#SBATCH --output={self.folder}/server.log', script))
        judge = config[:config.index('[slurm]')].replace('[judge]\n', '')
        (self.folder / 'my.toml').write_text(pathlib.Path(CONFIG).read_text().replace('[judge]\n', f'[judge]\n{judge}'))
        programs = self.folder / 'programs'
        programs.mkdir()
        for name, text in {'vllm': f'exec "{SERVER}" --model "$2" --port "$4"', 'hostname': 'echo 127.0.0.1', 'touchstone': f'exec "{PROGRAM}" "$@" --set phrase.source=template {" ".join(FAST)}'}.items():
            (programs / name).write_text(f'#!/bin/sh\n{text}\n')
            (programs / name).chmod(0o755)
        slurm = self.cluster()
        environment = slurm.environment()
        environment['PATH'] = f'{programs}:{environment["PATH"]}'
        for text, here in {'/shared/dumps/FILE': str(DUMP), '/shared/me': str(self.folder), 'sleep 10': 'sleep 1', 'my.toml': f'{self.folder}/my.toml', 'server.sh': f'{self.folder}/server.sh'}.items():
            start = start.replace(text, here)
        done = subprocess.run(['sh', '-e', '-c', start], cwd=SOURCE, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn('judge: 4 of 4 shares in 1 array', done.stdout)
        self.assertEqual(self.labels('w'), expected)
        slurm.wait_until(lambda: slurm.output('squeue', '--noheader') == '', 30, 'the server is still there')

    def test_what_cannot_be_done_is_said_before_a_job_is_given_out(self):
        self.assert_one_error(self.build('w', '--executor', 'slurm', status=1, environment={'PATH': '/none'}), 'scontrol')
        slurm = self.cluster()
        self.assert_one_error(self.on_slurm(slurm, 'w', '--force', status=2), '--force')
        self.assert_one_error(self.on_slurm(slurm, 'w', '--set', 'slurm.partition=none', status=1), 'sbatch refused', 'partition')


if __name__ == '__main__':
    unittest.main()
