"""Judging by language models against a server that answers right, wrong, late, or not at all."""
import gzip
import json
import pathlib
import signal
import subprocess

from harness import CONFIG, DUMP, SOURCE
from judge_server import MODEL, JudgeServer
from judging import PROBES, QUESTIONS, JudgingTest
from proxy import Proxy

KEY = 'sk-test-0123456789-never-to-be-seen'


class Test(JudgingTest):
    # Right answers.

    def test_a_server_gives_a_valid_collection(self):
        server = JudgeServer(self)
        self.build('w', *server.settings())
        self.assertEqual(self.states('w'), {'judged': QUESTIONS})
        self.assertTrue(all(0 <= judgment['probability'] <= 1 for judgment in self.judgments('w')))
        self.assertIn('ok', self.run_program('validate', self.folder / 'w' / 'collection').stdout)
        self.assertEqual(server.counts()['answered_again'], 0)
        self.assertIn(f'labels were given by the judge {MODEL}', (self.folder / 'w' / 'collection' / 'README.md').read_text())

    def test_labels_do_not_depend_on_threads_or_requests_in_flight(self):
        expected = self.calm()
        server = JudgeServer(self, '--latency-ms', 1, '--jitter-ms', 20)
        self.build('w', '-j', 1, *server.settings(in_flight=7))
        self.assertEqual(self.labels('w'), expected)

    def test_a_second_run_asks_nothing(self):
        server = JudgeServer(self)
        self.build('w', *server.settings())
        before, expected = server.counts()['requests'], self.labels('w')
        self.judge('w', '--force')
        self.assertEqual(server.counts()['requests'], before)
        self.assertEqual(self.labels('w'), expected)

    def test_prices_addresses_and_concurrency_redo_nothing(self):
        server, other = JudgeServer(self), JudgeServer(self)
        self.build('w', *server.settings())
        changed = [*other.settings(in_flight=3), '--set', 'judge.price_prompt=2', '--set', 'judge.warm_up=never', '--set', 'judge.max_calls=5']
        self.assertEqual(self.to_run('w', *changed), [])
        self.assertIn('judge', self.to_run('w', *server.settings(temperature=0.5)))
        self.assertIn('judge', self.to_run('w', *server.settings(prompt='evidence-graded')))

    def test_graded_prompt_gives_four_grades(self):
        self.build('w', *JudgeServer(self).settings(prompt='evidence-graded'))
        self.assertEqual({judgment['grade'] for judgment in self.judgments('w')}, {0, 1, 2, 3})
        self.run_program('validate', self.folder / 'w' / 'collection')

    def test_quoted_spans_are_where_they_say(self):
        self.build('w', *JudgeServer(self).settings(prompt='evidence-spans'))
        texts = {}
        for line in gzip.open(self.folder / 'w' / 'collection' / 'corpus.jsonl.gz', 'rt'):
            passage = json.loads(line)
            texts[passage['_id']] = passage['text']
        quoted = [judgment for judgment in self.judgments('w') if judgment['spans']]
        self.assertGreater(len(quoted), 50)
        for judgment in quoted:
            for begin, end in judgment['spans']:
                self.assertLess(begin, end)
                self.assertTrue(texts[judgment['docid']][begin:end].strip())
        self.run_program('validate', self.folder / 'w' / 'collection')

    def test_reasons_of_the_model_are_kept_beside_its_labels(self):
        self.build('w', *JudgeServer(self).settings(prompt='evidence-reason'))
        judgments = self.judgments('w')
        self.assertEqual({judgment['grade'] for judgment in judgments}, {0, 1})
        self.assertGreater(sum(len(judgment['reason']) > 20 for judgment in judgments), len(judgments) // 2)
        self.assertTrue(all(judgment['probability'] is not None for judgment in judgments))
        self.run_program('validate', self.folder / 'w' / 'collection')

    def test_gold_labels_are_examples_of_the_prompt_and_then_measure_nothing(self):
        gold = SOURCE / 'examples' / 'miniwiki' / 'gold.tsv'
        server = JudgeServer(self)
        done = self.build('w', *server.settings(prompt='evidence-reason', examples=2), '--set', f'judge.gold={gold}')
        self.assertIn('judge against 475 of 479 gold labels', done.stdout)
        self.build('files', *server.settings('batch-openai', prompt='evidence-reason', examples=2, batch_submit='false', probe='false'), '--set',
                   f'judge.gold={gold}', status=3)
        asked = [json.loads(line)['body'] for file in (self.folder / 'files' / 'batches').rglob('*.jsonl') for line in file.read_text().splitlines()]
        self.assertEqual(len(asked), QUESTIONS)
        for request in asked:
            system = request['messages'][0]['content']
            self.assertEqual(system.count('Answer: {"evidence":"yes"'), 2)
            self.assertEqual(system.count('Answer: {"evidence":"no"'), 2)
            self.assertEqual(system.count('<passage>'), 4 + 1)  # the rules name the tag once
        self.assertEqual(self.to_run('w', *server.settings(prompt='evidence-reason', examples=2), '--set', f'judge.gold={gold}'), [])
        self.assertIn('judge', self.to_run('w', *server.settings(prompt='evidence-reason', examples=3), '--set', f'judge.gold={gold}'))
        for settings, words in (({'prompt': 'evidence-graded', 'gold': gold}, ('judge.examples', 'evidence-graded', 'yes or no')),
                                ({'gold': ''}, ('judge.examples', 'judge.gold'))):
            with self.subTest(settings):
                self.assert_one_error(self.build('no', *server.settings(examples=1, **settings), status=2), *words)

    def test_queries_are_worded_by_the_model(self):
        server = JudgeServer(self)
        self.build('w', *server.settings(), '--set', 'phrase.source=auto')  # the default; a lexical judge words nothing
        queries = self.records('w', 'queries')
        self.assertTrue(queries and all(query['source'].startswith(MODEL + ', prompt ') for query in queries))
        self.assertEqual(server.counts()['answered_again'], 0)

    def test_anthropic_messages_give_a_collection(self):
        server = JudgeServer(self)
        self.build('w', *server.settings(kind='anthropic'))
        self.assertEqual(self.states('w'), {'judged': QUESTIONS})
        self.assertFalse(any(judgment['probability'] is not None for judgment in self.judgments('w')))
        self.run_program('validate', self.folder / 'w' / 'collection')

    # Batches.

    def test_batches_give_the_labels_of_online_requests(self):
        cut = {'do': 'truncate_prompt', 'tokens': 330, 'share': 0.3, 'match': 'Passage:'}  # which only shows beside the tokens of a whole prompt
        for online, batch, rules in (('openai', 'batch-openai', ()), ('openai', 'batch-openai', (cut,)), ('anthropic', 'batch-anthropic', ())):
            with self.subTest(batch, rules=rules):
                name = f'{online}{len(rules)}'
                self.build(name, *JudgeServer(self, rules=rules).settings(kind=online))
                self.build('batch-' + name, *JudgeServer(self, '--batch-polls', 1, rules=rules).settings(kind=batch, batch_requests=100, batch_poll_s=1))
                self.assertEqual(self.labels('batch-' + name), self.labels(name))
                self.assertEqual('truncated' in self.states(name), bool(rules))

    def test_a_killed_batch_run_goes_on(self):
        expected = self.calm()
        for point in ('judge.batch_written:1', 'judge.batch_uploaded:2', 'judge.batch_created:1', 'judge.batch_created:3', 'judge.batch_submitted:2', 'judge.batch_merged:1'):
            with self.subTest(point):
                server = JudgeServer(self, '--batch-polls', 1)
                settings = server.settings(kind='batch-openai', batch_requests=100, batch_poll_s=1)
                self.assertEqual(self.build(point, *settings, environment={'TOUCHSTONE_KILL_AT': point}, status=None).returncode, -9)
                self.build(point, *settings)
                self.assertEqual(self.labels(point), expected)
                self.assertEqual(server.counts()['answered_again'], 0, 'paid twice')

    def test_batch_files_can_be_sent_by_hand(self):
        server = JudgeServer(self)
        settings = server.settings(kind='batch-openai', batch_requests=300, batch_submit='false')
        done = self.build('w', *settings, status=3)
        self.assertIn(f'{QUESTIONS + PROBES} requests are in 2 files', done.stderr)
        self.assertEqual(server.counts()['requests'], 0)
        files = sorted((self.folder / 'w' / 'batches').rglob('requests-*.jsonl'))
        self.assertEqual(len(files), 2)
        results = []
        for file in files:
            for line in file.read_text().splitlines():
                request = json.loads(line)
                self.assertRegex(request['custom_id'], '^[a-zA-Z0-9_-]{1,64}$')
                reply = json.loads(server.ask('/v1/chat/completions', json.dumps(request['body']).encode()))
                results.append(json.dumps({'id': 'x', 'custom_id': request['custom_id'], 'response': {'status_code': 200, 'request_id': 'r', 'body': reply}, 'error': None}))
        results.reverse()  # in any order
        (files[0].parent / 'mine.results.jsonl').write_text('\n'.join(results) + '\n')
        self.build('w', *settings)
        self.assertEqual(self.states('w'), {'judged': QUESTIONS})

    # Honest states.

    def test_flawed_replies_yield_no_grade_and_are_listed(self):
        flaws = {'ignore_schema': 'unparseable', 'no_content': 'unparseable', 'refuse': 'refused', 'content_filter': 'filtered', 'length': 'length-limited',
                 'error_200': 'failed', 'wrong_json': 'failed', 'empty_body': 'failed', 'garbage_body': 'failed', 'stream': 'failed'}
        for deed, state in flaws.items():
            with self.subTest(deed):
                server = JudgeServer(self, rules=[{'do': deed, 'share': 0.2}])
                self.build(deed, *server.settings())
                states = self.states(deed)
                self.assertEqual(sorted(states), sorted(['judged', state]), states)
                self.assertGreater(states[state], 40)
                listed = [json.loads(line) for line in (self.folder / deed / 'stages' / 'unjudged.jsonl').read_text().splitlines()]
                self.assertEqual(len(listed), states[state])
                for entry in listed:
                    self.assertTrue(entry['topic'] and entry['docid'] and entry['reason'])
                    self.assertTrue(deed == 'empty_body' or entry['reply'], entry)
                self.run_program('validate', self.folder / deed / 'collection')
                qrels = {tuple(line.split()[::2]) for line in (self.folder / deed / 'collection' / 'qrels.txt').read_text().splitlines()}
                self.assertTrue(qrels)

    def test_a_prompt_that_the_server_cut_is_not_judged(self):
        server = JudgeServer(self, rules=[{'do': 'truncate_prompt', 'tokens': 200, 'share': 0.3}])
        self.build('w', *server.settings())
        states = self.states('w')
        self.assertEqual(sorted(states), ['judged', 'truncated'])
        self.assertGreater(states['truncated'], 90)

    def test_missing_log_probabilities_and_usage_cost_no_grade(self):
        for deed in ('no_logprobs', 'no_usage', 'fenced'):
            with self.subTest(deed):
                self.build(deed, *JudgeServer(self, rules=[{'do': deed}]).settings())
                self.assertEqual(self.states(deed), {'judged': QUESTIONS})

    def test_a_request_that_the_server_rejects_does_not_stop_the_others(self):
        server = JudgeServer(self, rules=[{'do': 'status', 'status': 400, 'share': 0.05, 'match': 'Passage:'}])
        self.build('w', *server.settings())
        states = self.states('w')
        self.assertEqual(sorted(states), ['failed', 'judged'])
        self.assertLess(states['failed'], 60)

    def test_unjudged_are_asked_again_alone(self):
        server = JudgeServer(self, rules=[{'do': 'refuse', 'share': 0.2}])
        self.build('w', *server.settings())
        refused, before = self.states('w')['refused'], server.counts()['requests']
        server.script()
        self.judge('w', '--retry-unjudged')
        self.assertEqual(self.states('w'), {'judged': QUESTIONS})
        self.assertEqual(server.counts()['requests'], before + refused)
        self.build('w', *server.settings())
        self.assertEqual((self.folder / 'w' / 'collection' / 'unjudged.jsonl').read_bytes(), b'')
        self.run_program('validate', self.folder / 'w' / 'collection')

    # What heals, and what does not.

    def test_faults_that_heal_leave_no_trace_in_the_labels(self):
        expected = self.calm()
        faults = [{'do': 'status', 'status': 429, 'headers': {'retry-after-ms': '20'}, 'share': 0.2}, {'do': 'status', 'status': 500, 'share': 0.2},
                  {'do': 'status', 'status': 529, 'share': 0.2}, {'do': 'cut', 'share': 0.2}, {'do': 'reset', 'share': 0.2}, {'do': 'garbage', 'share': 0.1}]
        for fault in faults:
            with self.subTest(fault):
                work = f'{fault["do"]}-{fault.get("status", 0)}'
                server = JudgeServer(self, rules=[{**fault, 'times': 1}])
                self.build(work, *server.settings())
                self.assertEqual(self.labels(work), expected)
                self.assertEqual(server.counts()['answered_again'], 0)

    def test_a_fatal_answer_stops_with_a_sentence(self):
        for status, code in ((401, ''), (403, ''), (404, ''), (429, 'insufficient_quota')):
            with self.subTest(status):
                server = JudgeServer(self, rules=[{'do': 'status', 'status': status, 'code': code, 'after': 100}])
                done = self.build(str(status), *server.settings(), status=3)
                self.assertRegex(done.stderr.splitlines()[-1], f'^stopped: .*{status}')
                server.script()
                self.build(str(status), *server.settings())
                self.assertEqual(server.counts()['answered_again'], 0)
                self.assertEqual(self.states(str(status)), {'judged': QUESTIONS})

    # Crashes.

    def test_killed_at_any_point_no_stored_reply_is_asked_again(self):
        expected = self.calm()
        for point in ('judge.stored:1', 'judge.stored:5', 'judge.before_finish:1', 'judge.topic:4', 'runner.before_done:5'):
            with self.subTest(point):
                server = JudgeServer(self, '--latency-ms', 5)
                done = self.build(point, *server.settings(in_flight=8), environment={'TOUCHSTONE_KILL_AT': point}, status=None)
                self.assertEqual(done.returncode, -9, done.stderr)
                stored = self.stored(point)
                before = server.counts()['requests']
                self.build(point, *server.settings())
                self.assertEqual(self.labels(point), expected)
                self.assertLessEqual(server.counts()['requests'] - before, QUESTIONS + PROBES - stored)
                self.assertLessEqual(server.counts()['answered_again'], 60)  # in flight, or come in while others were stored

    def test_killed_before_a_reply_is_stored_it_is_asked_again(self):
        expected = self.calm()
        server = JudgeServer(self)
        done = self.build('w', *server.settings(in_flight=4), environment={'TOUCHSTONE_KILL_AT': 'judge.reply:3'}, status=None)
        self.assertEqual(done.returncode, -9)
        self.build('w', *server.settings())
        self.assertEqual(self.labels('w'), expected)

    def test_stopped_by_sigterm_it_brings_home_what_is_in_flight(self):
        server = JudgeServer(self, '--latency-ms', 30)
        wish = {'TOUCHSTONE_KILL_AT': f'judge.stored:3:{int(signal.SIGTERM)}'}
        done = self.build('w', *server.settings(in_flight=16), environment=wish, status=3)
        self.assertIn('stopped: ', done.stderr)
        self.assertEqual(self.stored('w'), server.counts()['answered'])
        self.build('w', *server.settings())
        self.assertEqual(server.counts()['answered_again'], 0)

    def stored(self, work):
        log = self.folder / f'{work}.jsonl'
        self.judge(work, '--export', log)
        return len(log.read_text().splitlines())

    # Budget.

    def test_no_cap_is_passed(self):
        prices = {'price_prompt': 1.0, 'price_reply': 4.0}
        server = JudgeServer(self)
        done = self.build('w', *server.settings(), '--max-calls', 100, status=3)
        self.assertIn('--max-calls', done.stderr)
        self.assertEqual(server.counts()['requests'], 100)
        self.build('w', *server.settings(**prices), '--max-cost', 0.05, status=3)
        self.build('w', *server.settings(), '--max-tokens', 50_000, status=3)
        log = self.folder / 'log.jsonl'
        self.judge('w', '--export', log)
        replies = [json.loads(line) for line in log.read_text().splitlines()]
        costs = sum(reply['cost'] for reply in replies) / 1e12
        self.assertGreater(costs, 0.04)
        self.assertLessEqual(costs, 0.05)
        self.build('w', *server.settings())
        self.assertEqual(server.counts()['answered_again'], 0)

    def test_dry_run_says_what_is_left(self):
        server = JudgeServer(self)
        settings = server.settings(price_prompt=1, price_reply=1)
        self.build('w', *settings, '--max-calls', 100, status=3)
        before = server.counts()['requests']
        shown = self.build('w', *settings, '--dry-run').stdout
        self.assertIn(f'{QUESTIONS} judgments, {100 - PROBES} known', shown)
        self.assertRegex(shown, rf'{QUESTIONS - 100 + PROBES} requests .* in all')
        self.assertIn("as the server's tokenizer counts", shown)
        self.assertEqual(server.counts()['requests'], before)

    def test_dry_run_of_a_cascade_counts_its_judges(self):
        server = JudgeServer(self)
        judge = {'kind': 'openai', 'base_url': server.address + '/v1', 'model': MODEL}
        self.run_program('--progress', 'never', 'build', '--to', 'candidates', '--config', self.panel({'kind': 'lexical'}), '--dump', DUMP, '--work', self.folder / 'w')
        for judges, requests in (([{'kind': 'lexical'}, judge], QUESTIONS), ([judge, {**judge, 'name': 'b', 'seed': 2}], QUESTIONS)):
            shown = self.run_program('build', '--config', self.panel(*judges, cascade='true'), '--dump', DUMP, '--work', self.folder / 'w', '--dry-run').stdout
            self.assertRegex(shown, rf'{requests} requests .* in all')

    def test_a_server_that_knows_no_schema_and_no_log_probabilities_is_borne(self):
        for status in (400, 500):
            with self.subTest(status):
                server = JudgeServer(self, rules=[{'do': 'status', 'status': status, 'match': 'top_logprobs'}, {'do': 'status', 'status': status, 'match': 'response_format'}])
                done = self.build(str(status), *server.settings(patience_s=3))
                self.assertIn('refuses structured output', done.stderr)
                self.assertEqual(self.states(str(status)), {'judged': QUESTIONS})

    def test_warm_up_requests_go_ahead_of_their_topic(self):
        expected = self.calm()
        server = JudgeServer(self, '--latency-ms', 10)
        self.build('w', *server.settings(warm_up='always'))
        self.assertEqual(self.labels('w'), expected)
        self.assertEqual(server.counts()['answered_again'], 0)

    # Moving the log.

    def test_the_log_moves_to_another_store(self):
        expected = self.calm()
        for name in ('log.jsonl', 'log.jsonl.gz'):
            with self.subTest(name):
                log = self.folder / name
                self.judge('calm', '--export', log)
                self.judge(name + '-w', '--import', log)
                server = JudgeServer(self)
                self.build(name + '-w', *server.settings())
                self.assertEqual(self.labels(name + '-w'), expected)
                self.assertLessEqual(server.counts()['requests'], PROBES)  # of another address

    # Several judges.

    def panel(self, *judges, **more):
        path = self.folder / 'panel.toml'
        path.write_text('[groups]\nsources = ["table"]\n[candidates]\nlist_page = true\n[phrase]\nsource = "template"\n[judge]\n' + ''.join(f'{key} = {value}\n' for key, value in more.items()) +
                        ''.join('[[judges]]\n' + ''.join(f'{key} = {json.dumps(value)}\n' for key, value in judge.items()) for judge in judges))
        return path

    def build_panel(self, work, config, **options):
        return self.run_program('--progress', 'never', 'build', '--config', config, '--dump', DUMP, '--work', self.folder / work, **options)

    def test_several_judges_vote(self):
        server = JudgeServer(self)
        judge = {'kind': 'openai', 'base_url': server.address + '/v1', 'model': MODEL}
        config = self.panel({**judge, 'name': 'a'}, {**judge, 'name': 'b', 'seed': 2}, {'kind': 'lexical'}, tie='"lowest"')
        self.build_panel('w', config)
        for judgment in self.judgments('w'):
            self.assertEqual(len(judgment['votes']), 3)
            grades = [vote['grade'] for vote in judgment['votes'] if vote['grade'] is not None]  # the lexical judge may be unsure
            self.assertEqual(judgment['grade'], 1 if 2 * sum(grades) > len(grades) else 0)
        self.run_program('validate', self.folder / 'w' / 'collection')

    def test_samples_make_a_probability(self):
        server = JudgeServer(self)
        self.build('w', *server.settings(samples=3, temperature=0.7))
        self.assertEqual(len(self.judgments('w')[0]['votes']), 3)
        self.assertEqual({judgment['probability'] for judgment in self.judgments('w')}, {0.0, 1.0})

    def test_a_cascade_asks_the_strong_judge_in_the_band_alone(self):
        cheap, strong = JudgeServer(self), JudgeServer(self)
        config = self.panel({'kind': 'openai', 'base_url': cheap.address + '/v1', 'model': MODEL, 'name': 'cheap'},
                            {'kind': 'openai', 'base_url': strong.address + '/v1', 'model': MODEL, 'name': 'strong', 'seed': 2, 'probe': False},
                            cascade='true', band_low=0.3, band_high=0.7)
        self.build_panel('w', config)
        decided = [judgment for judgment in self.judgments('w') if judgment['judge'] == 'cheap']
        self.assertTrue(all(not 0.3 <= judgment['probability'] <= 0.7 for judgment in decided))
        self.assertEqual(strong.counts()['requests'], QUESTIONS - len(decided))
        self.assertGreater(len(decided), 50)
        summary = json.loads((self.folder / 'w' / 'stages' / 'judging.json').read_text())
        self.assertEqual(summary['cascade']['decided_by_first'], len(decided))
        self.assertIn('cascade', (self.folder / 'w' / 'report.html').read_text())

    # On the way.

    def test_a_proxy_carries_all_requests(self):
        server, proxy = JudgeServer(self), Proxy(self)
        self.build('w', *server.settings(proxy=proxy.address))
        self.assertEqual(self.states('w'), {'judged': QUESTIONS})
        self.assertGreaterEqual(proxy.requests, server.counts()['requests'])

    def test_a_proxy_that_wants_a_password_stops_with_a_sentence(self):
        proxy = Proxy(self, password='secret')
        done = self.build('w', *JudgeServer(self).settings(proxy=proxy.address), status=3)
        self.assertRegex(done.stderr.splitlines()[-1], '^stopped: .*407.*http_proxy')
        self.build('w', *JudgeServer(self).settings(), environment={'http_proxy': proxy.address.replace('//', '//user:secret@')})
        self.assertGreater(proxy.requests, QUESTIONS)

    def certificate(self, name):
        """A self-signed certificate for 127.0.0.1, and its key."""
        certificate, key = self.folder / f'{name}.pem', self.folder / f'{name}.key'
        subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1',
                        '-keyout', key, '-out', certificate], check=True, capture_output=True)
        return certificate, key

    def test_tls_with_an_authority_of_ones_own(self):
        certificate, key = self.certificate('own')
        other, _ = self.certificate('other')
        server = JudgeServer(self, '--certificate', certificate, '--certificate-key', key)
        for wrong in ({}, {'ca_file': other}):
            done = self.build('w', *server.settings(**wrong), status=3)
            self.assertRegex(done.stderr.splitlines()[-1], '^stopped: .*TLS certificate is not trusted.*certificate authority')
        done = self.build('w', *server.settings(ca_file=self.folder / 'nowhere.pem'), status=None)
        self.assertIn(done.returncode, (2, 3), done.stderr)
        self.assertIn('nowhere.pem', done.stderr.splitlines()[-1])
        self.build('w', *server.settings(ca_file=certificate))
        self.assertEqual(self.states('w'), {'judged': QUESTIONS})

    def test_azure_takes_the_key_in_a_header_and_its_version_in_the_query(self):
        server = JudgeServer(self, '--api-key', KEY, '--azure')
        environment = {'TEST_JUDGE_KEY': KEY}
        azure = {'key_env': 'TEST_JUDGE_KEY', 'key_header': 'api-key', 'query': 'api-version=2024-10-21'}
        self.build('w', *server.settings(**{**azure, 'query': ''}), environment=environment, status=3)
        self.build('w', *server.settings(**{**azure, 'key_header': ''}), environment=environment, status=3)
        done = self.build('w', *server.settings(**azure), environment=environment)
        self.assertEqual(self.states('w'), {'judged': QUESTIONS})
        self.assertNotIn(KEY, done.stderr + done.stdout)

    def test_fields_of_ones_own_go_with_every_request(self):
        server = JudgeServer(self, rules=[{'do': 'status', 'status': 400, 'match': '"reasoning_effort":"low"'}])
        self.build('w', *server.settings(extra_body='{"reasoning_effort": "low"}'), status=3)
        self.build('w', *server.settings())
        self.assertEqual(self.states('w'), {'judged': QUESTIONS})

    # Secrets.

    def test_the_key_is_nowhere_but_in_the_request(self):
        server = JudgeServer(self, '--api-key', KEY)
        environment = {'TEST_JUDGE_KEY': KEY}
        settings = server.settings(key_env='TEST_JUDGE_KEY')
        outputs = [self.build('w', *settings, status=2).stderr]  # no key
        outputs.append(self.build('w', *settings, environment={'TEST_JUDGE_KEY': 'sk-wrong-' + KEY[::-1]}, status=3).stderr)
        outputs.append(self.run_program('-v', 'build', '--config', CONFIG, '--dump', DUMP, '--work', self.folder / 'w', *settings, environment=environment).stderr)
        outputs.append(self.run_program('config', '--show', *settings, environment=environment).stdout)
        self.judge('w', '--export', self.folder / 'log.jsonl')
        for output in outputs:
            self.assertNotIn(KEY, output)
            self.assertNotIn(KEY[::-1], output)
        for path in pathlib.Path(self.folder).rglob('*'):
            if path.is_file():
                self.assertNotIn(KEY.encode(), path.read_bytes(), path)
        shown = {path: self.run_program('show', path).stdout for path in self.folder.rglob('*.records')}  # they are compressed
        self.assertIn(MODEL, shown[self.folder / 'w' / 'stages' / 'judgments.records'])
        for path, text in shown.items():
            self.assertNotIn(KEY, text, path)
        key_file = self.folder / 'key'
        key_file.write_text(KEY + '\n')
        self.build('from-file', *server.settings(key_file=key_file))
        done = self.run_program('config', '--show', '--set', f'judge.key_env={KEY}', '--set', 'judge.kind=openai', status=2)
        self.assertNotIn(KEY, done.stderr)
