"""Judges that are asked by tasks of a cluster, here without one: `touchstone shard judge`, then the job that merges."""
import os
import re
import signal
import subprocess
import time

from harness import CONFIG, PROGRAM, SOURCE
from judge_server import JudgeServer
from judging import PROBES, QUESTIONS, JudgingTest

TASKS = 3


class Test(JudgingTest):
    def command(self, work, server, *more):
        return ['--config', CONFIG, '--work', self.folder / work, *server.settings(), *more]

    def start(self, work, server, index, *more, **environment):
        """A task that runs on beside the test."""
        words = [PROGRAM, '--progress', 'never', 'shard', 'judge', '--index', index, '--of', TASKS, *self.command(work, server, *more)]
        task = subprocess.Popen(list(map(str, words)), cwd=SOURCE, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(task.kill)
        return task

    def end(self, *tasks, status=0):
        said = ''
        for task in tasks:
            out, err = task.communicate(timeout=120)
            self.assertEqual(task.returncode, status, err)
            said += err
        return said

    def merge(self, work, server, *more, status=0):
        return self.run_program('--progress', 'never', 'build', '--from', 'judge', '--to', 'judge', '--executor', 'merge', '--shards', TASKS,
                                *self.command(work, server, *more), status=status)

    def finish(self, work, server, *more):
        self.build(work, *server.settings(), *more)
        return self.labels(work)

    def prepared(self, work='w'):
        self.build(work, '--to', 'candidates')

    def wait_for_requests(self, server, count):
        end = time.monotonic() + 60
        while server.counts()['requests'] < count:
            self.assertLess(time.monotonic(), end, 'the tasks ask nothing')
            time.sleep(0.02)

    def test_three_tasks_give_the_bytes_of_one_process_and_ask_nothing_twice(self):
        expected = self.calm()
        server = JudgeServer(self)
        self.prepared()
        said = self.end(*(self.start('w', server, index) for index in range(TASKS)))
        self.assertEqual(sum(map(int, re.findall(r'share \d of 3: (\d+) questions asked', said))), QUESTIONS)
        self.assertEqual(said.count('tried the server'), 1, said)
        self.assertEqual(server.counts()['requests'], QUESTIONS + PROBES)
        self.assertIn(f'{QUESTIONS} replies were known, 0 questions asked', self.merge('w', server).stderr)
        self.assertEqual(self.finish('w', server), expected)
        self.assertEqual(server.counts()['requests'], QUESTIONS + PROBES)
        self.assertEqual(list((self.folder / 'w' / 'replies').glob('*.log')), [])

    def test_a_merge_without_all_tasks_says_which_is_missing(self):
        server = JudgeServer(self)
        self.prepared()
        self.end(self.start('w', server, 0), self.start('w', server, 2))
        self.assert_one_error(self.merge('w', server, status=1), 'stage judge cannot be merged', 'shard 2 of 3')

    def test_what_one_job_does_alone_has_no_tasks(self):
        server = JudgeServer(self)
        self.prepared()
        for setting in ('judge.kind=lexical', 'judge.kind=batch-openai', 'judge.tasks=1'):
            words = ['shard', 'judge', '--index', '0', '--of', '3', *self.command('w', server, '--set', setting)]
            self.assert_one_error(self.run_program(*words, status=2), 'stage judge is one job with these settings')
        self.assertEqual(server.counts()['requests'], 0)

    def test_a_killed_task_leaves_what_it_paid_for(self):
        expected = self.calm()
        server = JudgeServer(self)
        self.prepared()
        # Few questions at a time, so that one store cannot hold the replies to all of them.
        killed = self.start('w', server, 0, '--set', 'judge.in_flight=4', TOUCHSTONE_KILL_AT='judge.stored:6')
        self.end(killed, status=-signal.SIGKILL)
        known = server.counts()['requests']
        self.assertGreater(known, 5)
        self.end(*(self.start('w', server, index) for index in range(TASKS)))
        self.merge('w', server)
        self.assertEqual(self.finish('w', server), expected)
        # What was in flight at the kill, or had come a moment before, has no reply that anybody could know.
        self.assertLessEqual(server.counts()['requests'], QUESTIONS + PROBES + 2 * 64 // TASKS)
        self.assertEqual(server.counts()['distinct'], QUESTIONS + PROBES)

    def test_two_attempts_of_one_task_at_once_ask_nothing_twice(self):
        expected = self.calm()
        server = JudgeServer(self, '--latency-ms', 20)
        self.prepared()
        tasks = [self.start('w', server, index) for index in (0, 0, 1, 1, 2, 2)]
        self.end(*tasks)
        self.merge('w', server)
        self.assertEqual(self.finish('w', server), expected)
        self.assertEqual(server.counts()['requests'], QUESTIONS + PROBES)

    def test_a_task_that_is_told_to_stop_lets_the_next_attempt_go_on(self):
        server = JudgeServer(self, '--latency-ms', 100)
        self.prepared()
        task = self.start('w', server, 0, '--set', 'judge.in_flight=6')
        self.wait_for_requests(server, 12)
        task.terminate()
        self.end(task, status=3)
        before = server.counts()['requests']
        said = self.end(self.start('w', server, 0))
        self.assertGreater(int(re.search(r'share 1 of 3: (\d+) questions asked', said)[1]), 20)
        self.assertEqual(server.counts()['requests'], server.counts()['distinct'])
        self.assertGreater(server.counts()['requests'], before)

    def test_the_budget_holds_whatever_happens_to_tasks(self):
        for calls in (7, 100):
            with self.subTest(calls):
                work = f'w{calls}'
                budget = ['--set', f'judge.max_calls={calls}']
                server = JudgeServer(self, '--latency-ms', 5)
                self.prepared(work)
                kill = {'TOUCHSTONE_KILL_AT': 'judge.stored:2'}
                first = [self.start(work, server, 0, *budget, **kill), *(self.start(work, server, index, *budget) for index in (0, 1, 1, 2))]
                for task in first:
                    task.communicate(timeout=120)
                self.assertLessEqual(server.counts()['requests'], calls)
                self.end(*(self.start(work, server, index, *budget) for index in range(TASKS)))
                for _ in range(2):
                    self.assert_one_error(self.merge(work, server, *budget, status=1), f'the budget of {calls} calls (--max-calls) is used up')
                self.assertLessEqual(server.counts()['requests'], calls)
                self.assertGreaterEqual(server.counts()['requests'], calls - 6)

    def test_without_a_crash_all_of_the_budget_is_spent(self):
        server = JudgeServer(self)
        self.prepared()
        budget = ['--set', 'judge.max_calls=200']
        said = self.end(*(self.start('w', server, index, *budget) for index in (0, 0, 1, 1, 2, 2)))
        self.assertIn('ends early: the budget of 200 calls', said)
        self.merge('w', server, *budget, status=1)
        self.assertEqual(server.counts()['requests'], 200)
        more = ['--set', 'judge.max_calls=1000']
        self.merge('w', server, *more)
        self.assertEqual(server.counts()['requests'], QUESTIONS + PROBES)

    def test_costs_of_all_tasks_count(self):
        server = JudgeServer(self)
        self.prepared()
        prices = ['--set', 'judge.price_prompt=10', '--set', 'judge.price_reply=20', '--set', 'judge.max_cost=0.4']
        self.end(*(self.start('w', server, index, *prices) for index in (0, 0, 1, 1, 2, 2)))
        self.assert_one_error(self.merge('w', server, *prices, status=1), 'the budget of $0.4000 (--max-cost) has $')
        billed = server.counts()
        cost = (10 * billed['billed_prompt_tokens'] + 20 * billed['billed_reply_tokens']) / 1e6
        self.assertLessEqual(cost, 0.4)
        self.assertGreater(cost, 0.35)

    def test_a_dead_and_a_slow_server_stall_nobody(self):
        fast, slow = JudgeServer(self), JudgeServer(self, '--latency-ms', 1500)
        dead = JudgeServer(self)
        dead.stop()
        endpoints = ['--set', f'judge.endpoints=["{fast.address}/v1", "{slow.address}/v1"]', '--set', 'judge.in_flight=8']
        begin = time.monotonic()
        self.build('w', *dead.settings(), *endpoints)
        self.assertLess(time.monotonic() - begin, 45)
        self.assertEqual(self.states('w'), {'judged': QUESTIONS})
        self.assertGreater(fast.counts()['requests'], 4 * slow.counts()['requests'])
