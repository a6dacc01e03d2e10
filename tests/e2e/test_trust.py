"""What a user trusts a run with: that labels are what the model said, that the key stays secret, that the cap holds, and that a run ends."""
import base64
import gzip
import json
import os
import pathlib
import re
import resource
import signal
import subprocess

from harness import CONFIG, DUMP, PROGRAM, SOURCE
from judge_server import JudgeServer
from judging import PROBES, QUESTIONS, JudgingTest

KEY = 'sk-Trust/0123456789+never~to-be-seen'
ENVIRONMENT = {'TEST_TRUST_KEY': KEY}
PRICES = {'price_prompt': 1.0, 'price_reply': 4.0}
FORMS = ('plain', 'upper', 'slash', 'unicode', 'percent', 'percent_twice', 'html', 'hex', 'base64', 'base64_1', 'base64_2')


def traces(key):
    """Texts that only somebody who has the key can write, in lower case; of base64, whole groups of four characters at each alignment."""
    key = key.encode()
    found = [key, ''.join(f'%{c:02x}' for c in key).encode(), ''.join(f'%25{c:02x}' for c in key).encode(), key.hex().encode(),
             ''.join(f'\\u{c:04x}' for c in key).encode(), key.replace(b'/', b'\\/'), ''.join(f'&#{c};' for c in key).encode()]
    found += [base64.b64encode(b'x' * ahead + key)[4:4 * (len(key) // 3)] for ahead in range(3)]
    return [trace.lower() for trace in found]


class Test(JudgingTest):
    def assert_nowhere(self, outputs, work):
        wanted = traces(KEY) + [KEY[:len(KEY) // 2].lower().encode(), KEY[len(KEY) // 2:].lower().encode()]
        texts = {f'output {i}': output.encode() for i, output in enumerate(outputs)}
        for path in pathlib.Path(self.folder / work).rglob('*'):
            if path.is_file():
                texts[str(path)] = path.read_bytes()
                if path.suffix == '.gz':
                    texts[str(path)] += gzip.decompress(texts[str(path)])
        for name, text in texts.items():
            for trace in wanted:
                self.assertNotIn(trace, text.lower(), name)

    def log(self, work):
        file = self.folder / work / 'log.jsonl'
        self.judge(work, '--export', file)
        return [json.loads(line) for line in file.read_text().splitlines()]

    def bill(self, server):
        counts = server.counts()
        return (PRICES['price_prompt'] * counts['billed_prompt_tokens'] + PRICES['price_reply'] * counts['billed_reply_tokens']) / 1e6

    # Labels.

    def test_damaged_deliveries_fail_and_say_why(self):
        self.build('calm', *JudgeServer(self).settings())
        expected = {(judgment['topic'], judgment['docid'], judgment['member']): judgment['grade'] for judgment in self.judgments('calm')}
        for deed in ('gzip_checksum', 'gzip_no_trailer', 'gzip_and_more', 'gzip_claimed', 'brotli_claimed', 'deflate_claimed', 'long_length', 'chunks_without_end', 'bad_chunk_size',
                     'length_and_chunks', 'two_lengths', 'interim_body'):
            with self.subTest(deed):
                server = JudgeServer(self, '--latency-ms', 1, rules=[{'do': deed, 'share': 0.05, 'match': 'Passage:'}])
                self.build(deed, *server.settings(max_attempts=3, in_flight=16))
                states = self.states(deed)
                self.assertEqual(sorted(states), ['failed', 'judged'])
                self.assertGreater(states['failed'], 5)
                for judgment in self.judgments(deed):
                    if judgment['grade'] is None:
                        self.assertIn('the reply broke off or was not HTTP (', judgment['reason'])
                    else:
                        self.assertEqual(judgment['grade'], expected[judgment['topic'], judgment['docid'], judgment['member']])
                self.run_program('validate', self.folder / deed / 'collection')

    def test_a_label_against_its_own_log_probabilities_is_counted(self):
        server = JudgeServer(self, rules=[{'do': 'contradicts', 'share': 0.1, 'match': 'Passage:'}])
        done = self.build('w', *server.settings())
        flagged = [judgment for judgment in self.judgments('w') if 'against their own log-probabilities' in judgment['reason']]
        self.assertGreater(len(flagged), 20)
        self.assertLess(len(flagged), 120)
        summary = json.loads((self.folder / 'w' / 'stages' / 'judging.json').read_text())
        self.assertEqual(summary['judges'][0]['contradicted'], len(flagged))
        self.assertIn('labels against their own log-probabilities', done.stderr + done.stdout)
        page = (self.folder / 'w' / 'report.html').read_text()
        self.assertRegex(page, f'labels against their own log-probabilities</th><td[^>]*>{len(flagged)}</td>')

    def test_a_reply_that_comes_before_the_request_is_read_grades_nothing(self):
        expected = self.calm()
        server = JudgeServer(self, '--greet')
        done = self.build('w', *server.settings(patience_s=3), status=3)
        self.assertRegex(done.stderr.splitlines()[-1], '^stopped: .*(the server sent bytes before it was asked|it was sent before the request had arrived)')
        self.assertEqual(self.log('w'), [])
        server.stop()
        self.build('w', *JudgeServer(self, '--port', server.address.rsplit(':', 1)[1]).settings())
        self.assertEqual(self.labels('w'), expected)

    # The key.

    def test_no_echo_of_the_key_is_kept_or_shown(self):
        for deed in ('echo_key', 'echo_key_as_answer', 'echo_key_in_error'):
            for form in FORMS + (('parts', 'tokens', 'stream') if deed == 'echo_key' else ()):
                with self.subTest(deed=deed, form=form):
                    work = f'{deed}-{form}'
                    server = JudgeServer(self, rules=[{'do': deed, 'code': form, 'status': 400, 'share': 0.2, 'match': 'Passage:'}])
                    done = self.run_program('-v', '--progress', 'never', 'build', '--config', CONFIG, '--dump', DUMP, '--work', self.folder / work,
                                            *server.settings(key_env='TEST_TRUST_KEY'), environment=ENVIRONMENT)
                    self.log(work)
                    self.assert_nowhere([done.stdout, done.stderr], work)
                    if deed == 'echo_key' and form in FORMS:
                        self.assertEqual(self.states(work), {'judged': QUESTIONS})

    def test_a_refusal_that_quotes_the_key_is_shown_without_it(self):
        for form in FORMS:
            with self.subTest(form):
                server = JudgeServer(self, rules=[{'do': 'echo_key_in_error', 'code': form, 'status': 401}])
                done = self.build(form, *server.settings(key_env='TEST_TRUST_KEY'), environment=ENVIRONMENT, status=3)
                self.assertRegex(done.stderr.splitlines()[-1], r'^stopped: .*401 \(bad key .*\*\*\*')
                self.assert_nowhere([done.stderr], form)

    def test_a_crash_leaves_no_core_while_there_is_a_key(self):
        server = JudgeServer(self, '--latency-ms', 20)
        done = self.run_in_limits(server.settings(key_env='TEST_TRUST_KEY'), {**ENVIRONMENT, 'TOUCHSTONE_KILL_AT': f'judge.stored:2:{int(signal.SIGQUIT)}'})
        self.assertEqual(os.WTERMSIG(done), signal.SIGQUIT)
        self.assertFalse(os.WCOREDUMP(done))

    def run_in_limits(self, settings, environment):
        """The wait status of a build that may leave a core dump."""
        command = [PROGRAM, '--progress', 'never', 'build', '--config', CONFIG, '--dump', DUMP, '--work', self.folder / 'w', *settings]
        process = subprocess.Popen(list(map(str, command)), cwd=SOURCE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **environment},
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2))
        _, status = os.waitpid(process.pid, 0)
        process.returncode = status
        return status

    # The cap.

    def test_an_honest_server_that_cuts_connections_bills_no_more_than_the_cap(self):
        for rule in ({'do': 'cut', 'share': 0.5}, {'do': 'hang', 'share': 0.1, 'match': 'Passage:'}, {'do': 'close', 'share': 0.5}, {'do': 'gzip_checksum', 'share': 0.5}):
            with self.subTest(rule):
                server = JudgeServer(self, rules=[rule])
                work = rule['do']
                self.build(work, *server.settings(**PRICES, timeout_s=1), '--max-cost', 0.05, status=3)
                self.assertLessEqual(self.bill(server), 0.05)
                self.assertGreater(self.bill(server), 0.005)

    def test_a_server_that_counts_more_than_there_is_passes_the_cap_by_what_is_in_flight_alone(self):
        server = JudgeServer(self, rules=[{'do': 'usage_dear', 'match': 'Passage:'}])
        self.build('w', *server.settings(**PRICES, in_flight=4), '--max-cost', 0.5, status=3)
        costs = sorted(reply['cost'] / 1e12 for reply in self.log('w'))
        self.assertLessEqual(sum(costs), 0.5 + 5 * costs[-1])
        self.assertGreater(costs[-1], 0.3, 'each costs far more than its worst case')

    def test_each_attempt_is_a_call(self):
        server = JudgeServer(self, rules=[{'do': 'cut', 'share': 0.5}])
        done = self.build('w', *server.settings(max_attempts=60), '--max-calls', 60, status=3)  # so many that no question fails before the calls end
        self.assertEqual(server.counts()['requests'], 60)
        self.assertRegex(done.stderr.splitlines()[-1], '^stopped: .*--max-calls')
        server.script()
        self.build('w', *server.settings())
        self.assertEqual(self.states('w'), {'judged': QUESTIONS})
        self.assertEqual(server.counts()['answered_again'], 0)

    def test_a_dry_run_counts_a_question_once(self):
        def twice(page):
            text = re.search(r'(<text[^>]*>)(.*?)(</text>)', page, re.DOTALL)
            if '<title>List of' in page or not text or '#REDIRECT' in text[2]:
                return page
            page = page.replace(text[0], f'{text[1]}{text[2]}\n\n{text[2]}{text[3]}')
            return re.sub(r'<sha1>.*?</sha1>| sha1="[^"]*"| bytes="[0-9]+"', '', page)
        dump = self.folder / DUMP.name
        dump.write_text(re.sub('<page>.*?</page>', lambda page: twice(page[0]), DUMP.read_text(), flags=re.DOTALL))
        server = JudgeServer(self)
        settings = [*server.settings(), '--set', 'passages.granularity=paragraph', '--set', 'passages.scope=all', '--set', 'passages.repeats=keep']
        self.build('w', *settings, '--to', 'candidates', dump=dump)
        shown = self.build('w', *settings, '--dry-run', dump=dump).stdout
        judgments, requests = int(re.search('([0-9]+) judgments', shown)[1]), int(re.search('([0-9]+) requests .* in all', shown)[1])
        self.assertGreater(judgments, 1.5 * requests)
        self.build('w', *settings, dump=dump)
        self.assertEqual(server.counts()['requests'], requests + PROBES)

    # The end of a run.

    def test_a_status_that_one_request_alone_meets_fails_it_alone(self):
        for status in (401, 403, 404, 302):
            with self.subTest(status):
                server = JudgeServer(self, rules=[{'do': 'status', 'status': status, 'share': 0.01, 'match': 'Passage:', 'body': '<html>blocked</html>'}])
                self.build(str(status), *server.settings())
                states = self.states(str(status))
                self.assertEqual(sorted(states), ['failed', 'judged'])
                self.assertLess(states['failed'], 20)
                before = server.counts()['requests']
                self.judge(str(status), '--force')
                self.assertEqual(server.counts()['requests'], before, 'it is asked again')
                self.judge(str(status), '--retry-unjudged')  # with nothing left that passes
                self.assertEqual(self.states(str(status)), states)

    def test_only_filtered_requests_left_end_the_run(self):
        rules = {'azure': {'do': 'status', 'status': 400, 'code': 'content_filter'}, 'openai': {'do': 'content_filter'}, 'gemini': {'do': 'gemini_blocked'},
                 'vllm': {'do': 'status', 'status': 400, 'body': '{"object":"error","message":"held back","type":"content_filter","code":400}'}}
        for name, rule in rules.items():
            with self.subTest(name):
                server = JudgeServer(self, rules=[{**rule, 'share': 0.2, 'match': 'Passage:'}])
                self.build(name, *server.settings())
                states = self.states(name)
                self.assertEqual(sorted(states), ['filtered', 'judged'])
                self.assertGreater(states['filtered'], 50)
                self.judge(name, '--retry-unjudged')
                self.assertEqual(self.states(name), states)

    def test_replies_without_any_grade_stop_the_run_before_the_budget_is_gone(self):
        server = JudgeServer(self, rules=[{'do': 'ignore_schema'}])
        done = self.build('w', *server.settings(in_flight=8), status=3)
        self.assertRegex(done.stderr.splitlines()[-1], '^stopped: .*none of the first 50 replies holds a grade.*unparseable.*such as "I would say')
        paid = server.counts()['requests']
        self.assertLess(paid, 50 + 8 + 2)
        for _ in range(2):
            again = self.build('w', *server.settings(in_flight=8), status=3)
            self.assertRegex(again.stderr.splitlines()[-1], '^stopped: .*none of the first 5[0-5] replies holds a grade.*unparseable.*such as "I would say')
            self.assertLess(server.counts()['requests'], paid + 5 + 8 + 2, 'the stored replies tell enough')
            paid = server.counts()['requests']
        server.script()
        self.build('w', *server.settings())
        self.assertEqual(server.counts()['answered_again'], 0)
        self.judge('w', '--retry-unjudged')
        self.assertEqual(self.states('w'), {'judged': QUESTIONS})
