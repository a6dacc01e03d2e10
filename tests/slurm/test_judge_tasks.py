"""Judges as tasks of a real Slurm (cluster.py): the bytes of one process, under one budget."""
import pathlib
import re
import subprocess
import unittest

from on_slurm import CONFIG, DUMP, FAST, PROGRAM, SOURCE, OnSlurm
from judge_server import SERVER, JudgeServer  # noqa: I001; on_slurm makes its folder known
from judging import LABELS, PROBES, QUESTIONS


class Test(OnSlurm):
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
        driver = self.start_judging(slurm, server, '--set', f'judge.max_calls={QUESTIONS + PROBES + 64}')
        (task, node), *_ = self.wait_for_tasks(slurm, 'judge', 2)
        slurm.wait_until(lambda: server.counts()['requests'] > 30, 60, 'the tasks ask nothing')
        slurm.kill_node(node)
        said = self.finish(driver)
        self.assertRegex(said, rf'judge: .*on {node}.* was on a node that failed')
        self.assertEqual(server.counts()['distinct'], QUESTIONS + PROBES)
        # What was in flight, or had come a moment before, has no reply that anybody could know. Both tasks may have been on the node.
        self.assertLessEqual(server.counts()['requests'], QUESTIONS + PROBES + 16)
        self.assertEqual(self.labels('w'), expected)

    def start_judging(self, slurm, server, *settings):
        """A driver whose two tasks ask a slow server."""
        self.build('w', '--to', 'candidates')
        return subprocess.Popen(list(map(str, [PROGRAM, '--progress', 'never', 'build', '--config', CONFIG, '--dump', DUMP, '--work', self.folder / 'w', '--executor', 'slurm', *FAST,
                                               *server.settings(in_flight=8), '--set', 'judge.tasks=2', *settings])),
                                cwd=SOURCE, env=slurm.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_a_task_of_the_judge_leaves_before_its_time_is_over(self):
        expected = self.judged_by_one_process()
        server = JudgeServer(self, '--latency-ms', 750)
        slurm = self.cluster()
        driver = self.start_judging(slurm, server, '--set', f'judge.max_calls={QUESTIONS + PROBES}')
        (task, _), *_ = self.wait_for_tasks(slurm, 'judge', 2)
        slurm.wait_until(lambda: server.counts()['requests'] > 8, 60, 'the tasks ask nothing')
        self.move_end(slurm, task, 65)  # Slurm sends the signal within half a minute
        said = self.finish(driver)
        self.assertRegex(said, rf'judge: share \d of 2 \(job {task} on n\d\) needed more time than it had')
        self.assertEqual(server.counts()['requests'], QUESTIONS + PROBES, 'the task waited for its replies')
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


if __name__ == '__main__':
    unittest.main()
