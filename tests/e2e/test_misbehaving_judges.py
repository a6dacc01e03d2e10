"""Servers that misbehave: each reply gets its right state, none a grade that it does not hold, and nothing hangs or grows."""
import json
import os
import re
import resource
import subprocess
import time

from harness import CONFIG, DUMP, PROGRAM, SOURCE
from judge_server import JudgeServer
from judging import QUESTIONS, JudgingTest

SANITIZED = bool(os.environ.get('TOUCHSTONE_SANITIZER'))  # which takes memory of its own
HANGS_S = 300  # far more than a run takes on a busy machine
PATIENT = {'timeout_s': 60, 'max_attempts': 2}
IMPATIENT = {'timeout_s': 2, 'max_attempts': 2}  # for replies that never end


class Test(JudgingTest):
    def judged_with(self, deed, share=0.1, settings=None):
        """States after a run in which so many requests meet the deed."""
        server = JudgeServer(self, rules=[{'do': deed, 'share': share, 'match': 'Passage:'}])
        begin = time.monotonic()
        self.build(deed, *server.settings(**(settings or PATIENT)))
        self.assertLess(time.monotonic() - begin, HANGS_S, 'it hangs')
        if not SANITIZED:
            self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 600 * 1024, 'it grows')
        self.run_program('validate', self.folder / deed / 'collection')
        return self.states(deed)

    def reasons(self, deed):
        return {judgment['reason'] for judgment in self.judgments(deed) if judgment['grade'] is None}

    def test_flaws_of_the_answer_have_their_states(self):
        flaws = {'reasoning_only': 'unparseable', 'thinks_on': 'unparseable', 'several_choices': 'unparseable', 'tool_calls': 'unparseable', 'nul_in_answer': 'unparseable',
                 'fenced_prose': 'unparseable', 'wrong_value': 'unparseable', 'no_choices': 'failed', 'bad_utf8': 'failed', 'repeated_field': 'failed',
                 'deep_nesting': 'failed', 'html': 'failed', 'logprobs_nan': 'failed', 'short_length': 'failed', 'http_1_0_cut': 'failed', 'cut_json': 'failed',
                 'two_bodies': 'failed', 'garbage_behind': 'failed', 'finish_error': 'failed', 'finish_abort': 'failed', 'finish_unknown': 'failed', 'finish_number': 'failed',
                 'wrong_index': 'failed', 'wrong_object': 'failed', 'wrong_role': 'failed', 'choice_error': 'failed', 'refusal_object': 'refused',
                 'other_model': 'other-model',
                 'gemini_blocked': 'filtered', 'gemini_recitation': 'filtered'}
        for deed, state in flaws.items():
            with self.subTest(deed):
                states = self.judged_with(deed)
                self.assertEqual(sorted(states), sorted(['judged', state]), states)
                self.assertGreater(states[state], 20)
                for reason in self.reasons(deed):
                    self.assertRegex(reason, r'^[^\n]{8,300}$')

    def test_what_is_only_odd_costs_no_grade(self):
        expected = self.calm()
        for deed in ('thinks_first', 'usage_zero', 'usage_negative', 'usage_huge', 'logprobs_foreign', 'logprobs_positive', 'continue_first', 'http_1_0',
                     'drops_connection', 'two_replies', 'drips', 'finish_null', 'trailers', 'early_hints', 'doubled', 'repeats_later'):
            with self.subTest(deed):
                self.assertEqual(self.judged_with(deed, share=0.3 if deed != 'drips' else 0.05), {'judged': QUESTIONS})
                if deed in ('continue_first', 'http_1_0', 'drops_connection', 'two_replies', 'drips', 'trailers', 'early_hints', 'doubled', 'repeats_later'):
                    self.assertEqual(self.labels(deed), expected)

    def test_log_probabilities_that_cannot_be_right_give_no_probability(self):
        for deed in ('logprobs_foreign', 'logprobs_positive'):
            with self.subTest(deed):
                self.judged_with(deed, share=1)
                self.assertFalse(any(judgment['probability'] is not None for judgment in self.judgments(deed)))

    def test_replies_that_never_end_are_given_up(self):
        for deed in ('endless_chunks', 'endless_headers', 'huge', 'gzip_bomb', 'gzip_cut', 'long_length', 'long_length_open'):
            with self.subTest(deed):
                states = self.judged_with(deed, share=0.02, settings=IMPATIENT)
                self.assertEqual(sorted(states), ['failed', 'judged'], states)
                self.assertLess(states['failed'], 40)

    def test_a_count_of_tokens_that_counts_nothing_is_not_believed(self):
        for deed in ('usage_constant', 'usage_zero', 'usage_huge'):
            with self.subTest(deed):
                server = JudgeServer(self, rules=[{'do': deed}])
                done = self.build(deed, *server.settings())
                self.assertEqual(self.states(deed), {'judged': QUESTIONS})
                self.assertIn('cut prompts cannot be told', done.stderr)

    def test_a_server_that_cuts_every_prompt_gives_no_grade(self):
        server = JudgeServer(self, rules=[{'do': 'truncate_prompt', 'tokens': 150}])
        done = self.build('w', *server.settings(max_ungraded=0), status=4)
        self.assertEqual(self.states('w'), {'truncated': QUESTIONS})
        self.assertIn(f'not one of {QUESTIONS} judgments has a grade', done.stderr)

    def test_statuses_that_are_a_requests_own_fault_fail_it_alone(self):
        for status in (400, 413, 422, 418):
            with self.subTest(status):
                server = JudgeServer(self, rules=[{'do': 'status', 'status': status, 'share': 0.05, 'match': 'Passage:'}])
                self.build(str(status), *server.settings())
                self.assertEqual(sorted(self.states(str(status))), ['failed', 'judged'])

    def test_redirects_are_not_followed(self):
        other = JudgeServer(self)
        for status, place in ((302, other.address + '/v1/chat/completions'), (307, '/v1/chat/completions'), (301, '')):
            with self.subTest(status):
                server = JudgeServer(self, rules=[{'do': 'redirect', 'status': status, 'headers': {'Location': place}, 'match': 'Passage:'}])
                done = self.build(str(status), *server.settings(), status=3)
                self.assertRegex(done.stderr.splitlines()[-1], f'^stopped: .*{status}.*redirects are not followed')
        self.assertEqual(other.counts()['requests'], 0)

    def test_no_payment_stops_the_run(self):
        server = JudgeServer(self, rules=[{'do': 'status', 'status': 402, 'after': 20}])
        done = self.build('w', *server.settings(), status=3)
        self.assertRegex(done.stderr.splitlines()[-1], '^stopped: .*402.*add credit')

    def test_waits_that_make_no_sense_do_not_stop_the_others(self):
        for number, headers in enumerate(({'Retry-After': '-5'}, {'Retry-After': 'soon'}, {'Retry-After': '{http-date+-1000}'}, {'Retry-After': '1e999'},
                                          {'x-ratelimit-remaining-requests': '-1', 'x-ratelimit-limit-requests': 'many', 'x-ratelimit-reset-requests': 'never'})):
            with self.subTest(headers):
                server = JudgeServer(self, rules=[{'do': 'status', 'status': 429, 'share': 0.1, 'times': 1, 'headers': headers}])
                self.build(f'w{number}', *server.settings())
                self.assertEqual(self.states(f'w{number}'), {'judged': QUESTIONS})

    def test_a_wait_of_a_day_fails_one_request_and_stops_a_run_that_gets_nothing_else(self):
        wait = {'do': 'status', 'status': 429, 'headers': {'Retry-After': '86400'}}
        server = JudgeServer(self, rules=[{**wait, 'share': 0.03, 'match': 'Passage:'}])
        begin = time.monotonic()
        self.build('some', *server.settings(patience_s=300))
        self.assertEqual(sorted(self.states('some')), ['failed', 'judged'])
        server = JudgeServer(self, rules=[{**wait, 'after': 50}])
        done = self.build('all', *server.settings(patience_s=300), status=3)
        self.assertRegex(done.stderr.splitlines()[-1], '^stopped: .*asks to come back in 1440 min')
        self.assertLess(time.monotonic() - begin, HANGS_S)

    def test_a_server_that_dies_and_comes_back_loses_nothing(self):
        expected = self.calm()
        server = JudgeServer(self, '--latency-ms', 20)
        command = [PROGRAM, '--progress', 'never', 'build', '--config', CONFIG, '--dump', DUMP, '--work', self.folder / 'w', *server.settings(in_flight=8)]
        process = subprocess.Popen(list(map(str, command)), cwd=SOURCE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        while server.counts()['requests'] < 50:
            self.assertIsNone(process.poll(), 'it ended before the server died')
            time.sleep(0.01)
        port = server.address.rsplit(':', 1)[1]
        server.stop()
        time.sleep(1)
        JudgeServer(self, '--port', port)
        error = process.communicate(timeout=100)[1].decode()
        self.assertEqual(process.returncode, 0, error)
        self.assertEqual(self.labels('w'), expected)

    # llama.cpp.

    def test_llama_cpp_judges(self):
        server = JudgeServer(self, '--llama-cpp', '--loading-ms', 1500)
        done = self.build('w', *server.settings(price_prompt=1, price_cached=0.5, price_reply=1))
        self.assertIn('it keeps to the answer\'s schema; it gives log-probabilities', done.stderr)
        self.assertEqual(self.states('w'), {'judged': QUESTIONS})
        probabilities = [judgment.get('probability') for judgment in self.judgments('w')]
        self.assertGreater(probabilities.count(None), 100, 'the model would have said something else')
        self.assertGreater(len(probabilities) - probabilities.count(None), 100)
        self.assertRegex(done.stderr, r'prompt tokens \([1-9][0-9.]* % from the server.s cache\)')

    def test_llama_cpps_own_count_of_tokens_is_exact(self):
        server = JudgeServer(self, '--llama-cpp')
        settings = server.settings(price_prompt=1, price_reply=1)
        self.build('w', *settings, '--max-calls', 2, status=3)  # the probe alone
        shown = self.build('w', *settings, '--dry-run').stdout
        self.assertIn("as the server's tokenizer counts", shown)
        counted = int(re.search(r'([0-9]+) prompt tokens.* in all', shown)[1])
        self.build('w', *settings)
        summary = json.loads((self.folder / 'w' / 'stages' / 'judging.json').read_text())
        self.assertAlmostEqual(summary['judges'][0]['tokens']['prompt'], counted, delta=counted * 0.01)

    def test_a_prompt_beyond_llama_cpps_context_fails_alone_and_says_why(self):
        server = JudgeServer(self, '--llama-cpp', '--context-tokens', 520)
        done = self.build('w', *server.settings())
        states = self.states('w')
        self.assertEqual(sorted(states), ['failed', 'judged'], done.stderr)
        for judgment in self.judgments('w'):
            if judgment['state'] == 'failed':
                self.assertIn('exceeds the available context size', judgment['reason'])

    def test_a_wrong_key_for_llama_cpp_stops_with_a_sentence(self):
        server = JudgeServer(self, '--llama-cpp', '--api-key', 'right')
        done = self.build('w', *server.settings(), status=3)
        self.assertRegex(done.stderr.splitlines()[-1], '^stopped: .*401.*Invalid API Key.*the key is missing')
