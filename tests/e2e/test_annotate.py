"""`touchstone annotate` from outside: people who judge over HTTP, and everything that can go wrong between them and the disk."""
import concurrent.futures
import http.client
import json
import os
import resource
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
import uuid

from annotation import Person, Server
from harness import EndToEnd, PROGRAM

NAMES = ['Ann Example', 'Ben Example', 'Cleo Example']
TEXT = 'The spruce grows to 60 metres. Its needles are \U0001f332 green and pointed.'


def lines_of(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        (self.folder / 'names').write_text('\n'.join(NAMES) + '\n')

    def tasks_file(self, count=8, **fields):
        tasks = [{'id': f't{i:03}', 'kind': 'grade', 'topic': f'q{i // 4}', 'docid': f'd{i}', 'query': 'how tall is a spruce', 'title': 'Spruce', 'text': TEXT} | fields
                 for i in range(count)]
        (self.folder / 'tasks.jsonl').write_text(''.join(json.dumps(task) + '\n' for task in tasks))
        return self.folder / 'tasks.jsonl'

    def arguments(self, *more, count=8, **fields):
        bind = [] if '--bind' in more else ['--bind', '127.0.0.1:0']
        return ['--tasks', self.tasks_file(count, **fields), '--annotators', self.folder / 'names', '--out', self.folder / 'answers', *bind, *more]

    def server(self, *more, people=len(NAMES), **fields):
        return Server(PROGRAM, *self.arguments(*more, **fields), people=people)

    def refused(self, *arguments, status=2):
        done = self.run_program('annotate', *arguments, status=status)
        errors = [line for line in done.stderr.splitlines() if line.startswith('error: ')]
        self.assertEqual(len(errors), 1, done.stderr)
        self.assertNotIn('terminate', done.stderr)
        return errors[0]

    def exported(self):
        return lines_of(self.folder / 'answers' / 'annotations.jsonl')

    def history(self):
        return lines_of(self.folder / 'answers' / 'history.jsonl')

    def raw(self, server, data, wait=5):
        """Sends bytes as they are; returns what comes back until the connection is closed or nothing comes for a while."""
        host, port = Person(server.links['owner']).host.split(':')
        with socket.create_connection((host, int(port)), timeout=wait) as connection:
            connection.sendall(data)
            got = b''
            try:
                while part := connection.recv(65536):
                    got += part
            except (TimeoutError, ConnectionResetError):
                pass
            return got

    # Answers.

    def test_two_people_at_once_judge_every_task_as_often_as_it_is_wanted(self):
        with self.server('--overlap', 2, count=40) as server:
            people = [server.person(name) for name in NAMES[:2]]
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                done = list(pool.map(lambda person: person.work(lambda task: {'grade': int(task['id'][1:]) % 2}), people))
            self.assertEqual(done, [40, 40])
            third = server.person(NAMES[2])
            self.assertEqual(third.next()['state'], 'done')
            self.assertEqual(server.stop(), 0)
        answers = self.exported()
        self.assertEqual(len(answers), 80)
        self.assertEqual(len({(answer['task'], answer['annotator']) for answer in answers}), 80)
        for answer in answers:
            self.assertEqual(answer['grade'], int(answer['task'][1:]) % 2)

    def test_a_killed_server_has_every_confirmed_answer_once(self):
        rounds, confirmed, sent = 4, set(), {}
        lock = threading.Lock()
        names = [f'Person {i}' for i in range(8)]
        (self.folder / 'names').write_text('\n'.join(names) + '\n')
        for round_number in range(rounds):
            with self.server('--overlap', 8, count=400, people=8) as server:
                def stream(name):
                    person = server.person(name)
                    pseudonym = person.call('GET', '/api/session')['annotator']
                    for answer in sent.get(name, [])[-20:]:  # the page sends again what it has no reply to
                        try:
                            person.send(answer)
                        except (OSError, http.client.HTTPException, AssertionError):
                            return
                        with lock:
                            confirmed.add((pseudonym, answer['id']))
                    while True:
                        try:
                            for task in person.next(3)['tasks']:
                                answer = person.answer_to(task, grade=1)
                                sent.setdefault(name, []).append(answer)
                                result = person.send(answer)['results'][0]
                                self.assertEqual(result['state'], 'stored')
                                with lock:
                                    confirmed.add((pseudonym, answer['id']))
                        except (OSError, http.client.HTTPException, AssertionError):
                            return

                threads = [threading.Thread(target=stream, args=(name,)) for name in names]
                for thread in threads:
                    thread.start()
                time.sleep(0.8)
                server.stop(signal.SIGKILL)
                for thread in threads:
                    thread.join()
        self.assertGreater(len(confirmed), 100)
        with self.server('--overlap', 8, count=400, people=8) as server:
            for name in names:
                person = server.person(name)
                for begin in range(0, len(sent[name]), 20):
                    for result in person.send(*sent[name][begin:begin + 20])['results']:
                        self.assertIn(result['state'], ('stored', 'duplicate'))
            self.assertEqual(server.stop(), 0)
        stored = [(answer['annotator'], answer['id']) for answer in self.exported()]
        self.assertEqual(len(stored), len(set(stored)))
        self.assertLessEqual(confirmed, set(stored))
        self.assertEqual({id for _, id in stored}, {answer['id'] for answers in sent.values() for answer in answers})
        events = [line['answer']['id'] for line in self.history()]
        self.assertEqual(len(events), len(set(events)))

    def test_on_a_full_disk_the_page_is_told_to_wait_and_nothing_is_lost(self):
        with self.server() as server:
            person = server.person(NAMES[0])
            tasks = person.next(4)['tasks']
            self.assertEqual(person.answer(tasks[0], 1)['state'], 'stored')
            size = (self.folder / 'answers' / 'answers.log').stat().st_size
            # A limit on the size of files fails as a full disk does; the server ignores its signal as Python does.
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
            answers = [person.answer_to(task, grade=1) for task in tasks[1:]]
            for answer in answers:
                error = person.call('POST', '/api/answers', {'answers': [answer]}, status=503)['error']
                self.assertEqual(error, 'the server cannot write answers now; keep this page open, they are sent again')
            self.assertEqual(person.call('GET', '/api/session')['progress']['answered'], 1)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            for answer in answers:
                self.assertEqual(person.send(answer)['results'][0]['state'], 'stored')
            self.assertEqual(server.stop(), 0)
            self.assertRegex(server.errors, r'cannot write .*answers\.log')
        self.assertEqual(len(self.exported()), 4)

    def test_two_servers_do_not_share_a_folder(self):
        with self.server() as server:
            error = self.refused(*self.arguments(), status=1)
            self.assertIn('is in use by another touchstone annotate; stop that one, or name another folder with --out', error)
            self.assertEqual(server.person(NAMES[0]).next()['state'], 'more')

    def test_a_log_that_is_cut_in_a_record_keeps_the_records_before_it(self):
        with self.server() as server:
            person = server.person(NAMES[0])
            for task in person.next(3)['tasks']:
                self.assertEqual(person.answer(task, 1)['state'], 'stored')
            server.stop()
        log = self.folder / 'answers' / 'answers.log'
        os.truncate(log, log.stat().st_size - 5)
        with self.server() as server:
            person = server.person(NAMES[0])
            self.assertEqual(person.call('GET', '/api/session')['progress']['answered'], 2)
            self.assertEqual(person.answer(person.next()['tasks'][0], 1)['state'], 'stored')
            self.assertEqual(server.stop(), 0)
            self.assertRegex(server.errors, r'the last \d+ bytes were no whole record')
        self.assertEqual(len(self.exported()), 3)

    def test_what_somebody_left_open_goes_to_another_when_the_lease_ends(self):
        with self.server('--overlap', 1, '--lease-minutes', '0.05', count=1) as server:
            first, second = server.person(NAMES[0]), server.person(NAMES[1])
            task = first.next()['tasks'][0]
            self.assertEqual(second.next()['state'], 'wait')
            time.sleep(3.1)
            self.assertEqual(second.next()['tasks'][0]['id'], task['id'])
            # A closed laptop that wakes up loses nothing, though the task has an answer more than was wanted.
            self.assertEqual(second.answer(task, 1)['state'], 'stored')
            self.assertEqual(first.answer(task, 0)['state'], 'stored')
            self.assertEqual(server.stop(), 0)
        self.assertEqual(len(self.exported()), 2)

    def test_the_page_keeps_its_tasks_over_a_restart(self):
        with self.server('--overlap', 1, count=2) as server:
            held = server.person(NAMES[0]).next(1)['tasks'][0]['id']
            server.stop()
        with self.server('--overlap', 1, count=2) as server:
            first, second = server.person(NAMES[0]), server.person(NAMES[1])
            self.assertNotEqual(first.next(1, have=[held])['tasks'][0]['id'], held)
            self.assertEqual(second.next()['state'], 'wait')

    def test_the_owner_takes_answers_back_by_filter_and_all_of_it_is_in_the_history(self):
        with self.server('--overlap', 2) as server:
            ann, ben, owner = server.person(NAMES[0]), server.person(NAMES[1]), server.person('owner')
            pseudonym = ann.call('GET', '/api/session')['annotator']
            for person in (ann, ben):
                self.assertEqual(person.work(lambda task: {'grade': 1}), 8)
            take_back = lambda filter, action, dry_run=False, status=200: owner.call(
                'POST', '/api/owner/withdraw', {'filter': filter, 'action': action, 'dry_run': dry_run}, status)
            self.assertEqual(take_back({'annotator': pseudonym}, 'reopen', dry_run=True), {'matched': 8, 'changed': 0})
            self.assertEqual(take_back({'annotator': pseudonym, 'topic': 'q0'}, 'reopen'), {'matched': 4, 'changed': 4})
            self.assertIn('is not known', take_back({'anotator': pseudonym}, 'withdraw', status=400)['error'])
            self.assertEqual(ben.next()['state'], 'done', 'the places are kept for Ann')
            again = ann.next(10)['tasks']
            self.assertEqual(len(again), 4)
            for task in again:
                ann.answer(task, 0)
            self.assertEqual(take_back({'annotator': pseudonym, 'topic': 'q1'}, 'withdraw'), {'matched': 4, 'changed': 4})
            self.assertEqual(ann.next()['state'], 'done')
            self.assertEqual(len(server.person(NAMES[2]).next(10)['tasks']), 4)
            status, headers, body = owner.request('GET', '/api/owner/annotations.jsonl')
            self.assertEqual((status, len(body.splitlines())), (200, 12))
            self.assertIn('attachment', headers['Content-Disposition'])
            ann.call('POST', '/api/owner/withdraw', {'filter': {}, 'action': 'withdraw'}, status=401)
            self.assertEqual(server.stop(), 0)
        self.assertEqual(len(self.exported()), 12)
        kinds = [(line['event'], line['by']) for line in self.history()]
        self.assertEqual({kind: kinds.count(kind) for kind in set(kinds)},
                         {('answer', 'annotator'): 20, ('reopen', 'owner'): 4, ('withdraw', 'owner'): 4})

    def test_files_that_are_given_away_hold_pseudonyms_only(self):
        with self.server() as server:
            for name in NAMES:
                server.person(name).work(lambda task: {'grade': 1, 'reason': 'because'})
            owner = server.person('owner')
            summary = owner.request('GET', '/api/owner/summary')[2].decode()
            table = owner.request('GET', '/api/owner/annotators.tsv')[2].decode()
            server.stop()
        for name in NAMES:
            self.assertIn(name, table)
            for text in (summary, *((self.folder / 'answers' / file).read_text(errors='replace')
                                    for file in ('annotations.jsonl', 'history.jsonl', 'tasks.jsonl', 'campaign.json', 'answers.log'))):
                self.assertNotIn(name.split()[0], text)

    def test_rotated_passages_come_back_with_the_places_of_the_text_itself(self):
        with self.server('--rotate', count=30) as server:
            person = server.person(NAMES[0])

            def select(task):
                begin = task['text'].index('needles')
                return {'grade': 2, 'spans': [[begin, begin + len('needles')]]}

            self.assertEqual(person.work(select), 30)
            shown = [past['task']['text'][slice(*past['answer']['spans'][0])] for past in person.call('GET', '/api/history')['answers']]
            self.assertEqual(shown, ['needles'] * 30)
            server.stop()
        answers = self.exported()
        self.assertTrue(5 < sum(answer.get('rotated', False) for answer in answers) < 25)
        for answer in answers:
            self.assertEqual([TEXT[begin:end] for begin, end in answer['spans']], ['needles'])

    def test_probes_and_gold_go_to_everybody_and_pairs_share_topics(self):
        (self.folder / 'gold').write_text('q0 0 d0 1\nq1 0 d5 0\n')
        with self.server('--order', 'pairs', '--probes', 2, '--gold', self.folder / 'gold', count=24) as server:
            for name in NAMES:
                server.person(name).work(lambda task: {'grade': 1})
            summary = server.person('owner').call('GET', '/api/owner/summary')
            server.stop()
        tasks = {task['id']: task for task in lines_of(self.folder / 'answers' / 'tasks.jsonl')}
        self.assertEqual(sum(task.get('probe', False) for task in tasks.values()), 2)
        self.assertEqual(sum('gold' in task for task in tasks.values()), 2)
        judged = {}
        for answer in self.exported():
            judged.setdefault(answer['task'], set()).add(answer['annotator'])
        topics = {}
        for task, people in judged.items():
            if tasks[task].get('probe') or 'gold' in tasks[task]:
                self.assertEqual(len(people), 3)
            else:
                topics.setdefault(tasks[task]['topic'], set()).add(frozenset(people))
        for pairs in topics.values():
            self.assertEqual([len(pair) for pair in pairs], [2])
        self.assertEqual(len({pair for pairs in topics.values() for pair in pairs}), 3)
        people = next(section for section in summary['sections'] if section['id'] == 'annotators')
        column = [column['name'] for column in people['table']['columns']].index('checks right')
        self.assertEqual([row[column] for row in people['table']['rows']], ['1 of 2'] * 3)

    # What a browser or an attacker sends.

    def test_only_who_has_the_link_gets_in(self):
        with self.server() as server:
            host = Person(server.links['owner']).host
            stranger = Person(f'http://{host}/a/{"x" * 43}')
            status, headers, body = stranger.request('GET', stranger.path)
            self.assertEqual((status, json.loads(body)['error']), (404, 'this link is not known; ask for a new one'))
            self.assertNotIn('Set-Cookie', headers)
            for path in ('/api/session', '/api/history', '/api/owner/session', '/api/owner/summary', '/api/owner/annotations.jsonl', '/api/owner/annotators.tsv'):
                stranger.call('GET', path, status=401)
            for path in ('/api/next', '/api/answers', '/api/sign-out', '/api/owner/withdraw', '/api/owner/sign-out'):
                stranger.call('POST', path, {}, status=401)
            # A link of an annotator is none of the owner.
            token = server.links[NAMES[0]].rsplit('/', 1)[1]
            self.assertEqual(stranger.request('GET', f'/o/{token}')[0], 404)
            self.assertEqual(stranger.request('GET', f'/a/{server.links["owner"].rsplit("/", 1)[1]}')[0], 404)
            person = server.person(NAMES[0])
            status, headers, _ = person.request('GET', person.path)
            self.assertRegex(headers['Set-Cookie'], r'^touchstone_[\w-]+=A\d\.[0-9a-f]{64}; Path=/; HttpOnly; SameSite=Strict; Max-Age=\d+$')
            for path in ('/api/owner/session', '/api/owner/summary', '/api/owner/annotators.tsv'):
                person.call('GET', path, status=401)
            forged = Person(server.links[NAMES[1]])
            forged.cookie = person.cookie[:-1] + ('0' if person.cookie[-1] != '0' else '1')
            forged.call('GET', '/api/session', status=401)
            # Many wrong links are slowed down; the right ones work meanwhile.
            statuses = [stranger.request('GET', f'/a/{uuid.uuid4()}')[0] for _ in range(40)]
            self.assertIn(429, statuses)
            server.person(NAMES[2])

    def test_who_signs_out_is_asked_for_the_link_again(self):
        with self.server() as server:
            for name, path in ((NAMES[0], '/api/sign-out'), ('owner', '/api/owner/sign-out')):
                person = server.person(name)
                csrf, person.csrf = person.csrf, 'forged'
                person.call('POST', path, {}, status=403)
                person.csrf = csrf
                status, headers, _ = person.request('POST', path, {})
                self.assertEqual(status, 200)
                self.assertRegex(headers['Set-Cookie'], r'^touchstone_[\w-]+=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0$')
                self.assertEqual(headers['Set-Cookie'].split('=')[0], person.cookie.split('=')[0])
                person.enter()

    def test_requests_of_other_pages_change_nothing(self):
        with self.server() as server:
            person = server.person(NAMES[0])
            task = person.next()['tasks'][0]
            body = {'answers': [person.answer_to(task, grade=1)]}
            for headers, status in (({'X-CSRF-Token': ''}, 403), ({'X-CSRF-Token': 'f' * 64}, 403), ({'Sec-Fetch-Site': 'cross-site'}, 403),
                                    ({'Content-Type': 'text/plain'}, 415), ({'Content-Type': 'application/x-www-form-urlencoded'}, 415)):
                with self.subTest(headers):
                    self.assertEqual(person.request('POST', '/api/answers', body, headers)[0], status)
            other = server.person(NAMES[1])
            self.assertEqual(person.request('POST', '/api/answers', body, {'X-CSRF-Token': other.csrf})[0], 403)
            self.assertEqual(person.call('GET', '/api/session')['progress']['answered'], 0)
            self.assertEqual(person.send(*body['answers'])['results'][0]['state'], 'stored')

    def test_pages_load_nothing_from_elsewhere_and_are_not_framed(self):
        with self.server() as server:
            person = server.person(NAMES[0])
            for path, kind in (('/', 'text/html'), ('/owner', 'text/html'), ('/annotate.js', 'text/javascript'), ('/annotate.css', 'text/css')):
                status, headers, body = person.request('GET', path)
                self.assertEqual(status, 200)
                self.assertTrue(headers['Content-Type'].startswith(kind))
                self.assertIn("default-src 'none'", headers['Content-Security-Policy'])
                self.assertNotIn('unsafe', headers['Content-Security-Policy'])
                self.assertIn("frame-ancestors 'none'", headers['Content-Security-Policy'])
                self.assertEqual(headers['X-Content-Type-Options'], 'nosniff')
                self.assertEqual(headers['X-Frame-Options'], 'DENY')
                self.assertEqual(headers['Referrer-Policy'], 'no-referrer')
                self.assertNotIn('Server', headers)
            self.assertEqual(person.request('GET', '/api/session')[1]['Cache-Control'], 'no-store')
            self.assertEqual(person.request('GET', person.path)[1]['Cache-Control'], 'no-store')

    def test_odd_requests_get_a_status_and_a_sentence(self):
        with self.server() as server:
            person = server.person(NAMES[0])
            for method, path, status in (('GET', '/nothing', 404), ('GET', '/../../etc/passwd', 404), ('GET', '/%2e%2e/%2e%2e/etc/passwd', 404),
                                         ('GET', '/annotate.js/../../names', 404), ('GET', '/a/../names', 404), ('GET', '/api/../tasks.jsonl', 404), ('GET', '/answers.log', 404), ('GET', '/a/' + 'x' * 65, 404),
                                         ('HEAD', '/', 200), ('PUT', '/', 405), ('DELETE', '/api/answers', 405), ('OPTIONS', '/api/answers', 405), ('PATCH', '/', 405), ('GET', '/api/answers', 404)):
                with self.subTest(method=method, path=path):
                    got, headers, body = person.request(method, path)
                    person.connection = None if status == 405 else person.connection
                    self.assertEqual(got, status, body)
                    if status != 200:
                        sentence = json.loads(body)['error']
                        self.assertNotIn(str(self.folder), sentence)
            for body, status in ((b'', 400), (b'{', 400), (b'[]', 400), (b'{"answers":1}', 400), (b'\xff\xfe', 400), (b'{"answers":[' + b'[' * 100_000, 400), (b'{"answers":"' + b'x' * 2_000_000 + b'"}', 413)):
                with self.subTest(body=body[:20]):
                    got, _, text = person.request('POST', '/api/answers', body)
                    self.assertEqual(got, status, text)
                    self.assertTrue(json.loads(text)['error'])
            self.assertEqual(person.request('POST', '/api/nothing', b'{}')[0], 404)
            self.assertEqual(person.call('GET', '/api/session')['progress']['answered'], 0)

    def test_bodies_without_a_known_length_are_not_read(self):
        with self.server() as server:
            person = server.person(NAMES[0])
            head = f'POST /api/answers HTTP/1.1\r\nHost: {person.host}\r\nCookie: {person.cookie}\r\nX-CSRF-Token: {person.csrf}\r\nContent-Type: application/json\r\n'
            smuggled = f'GET /api/session HTTP/1.1\r\nHost: {person.host}\r\nCookie: {person.cookie}\r\n\r\n'
            for more, status in (('Transfer-Encoding: chunked\r\n', 411), ('', 411), (f'Content-Length: 5\r\nContent-Length: {len(smuggled)}\r\n', 400),
                                 (f'Content-Length: {len(smuggled)}\r\nContent-Encoding: gzip\r\n', 415)):
                with self.subTest(more):
                    got = self.raw(server, (head + more + '\r\n' + smuggled).encode()).decode()
                    self.assertTrue(got.startswith(f'HTTP/1.1 {status} '), got[:200])
                    self.assertEqual(got.count('HTTP/1.1'), 1, 'what follows is not taken for a request')
            got = self.raw(server, f'GET / HTTP/1.1\r\nHost: {person.host}\r\nContent-Length: {len(smuggled)}\r\n\r\n{smuggled}'.encode()).decode()
            self.assertTrue(got.startswith('HTTP/1.1 400 '))
            self.assertEqual(got.count('HTTP/1.1'), 1)
            got = self.raw(server, f'GET / HTTP/1.1\r\nHost: {person.host}\r\nRange: bytes={",".join(["0-"] * 500)}\r\n\r\n'.encode())
            self.assertTrue(got.startswith(b'HTTP/1.1 200 '), got[:100])
            self.assertEqual(got.count(b'<!doctype html>'), 1, 'the page is sent once')

    def test_whoever_sends_too_much_is_slowed_down(self):
        with self.server() as server:
            person, other = server.person(NAMES[0]), server.person(NAMES[1])
            replies = [person.request('GET', '/api/session') for _ in range(400)]
            self.assertEqual({status for status, _, _ in replies}, {200, 429})
            self.assertEqual({headers['Retry-After'] for status, headers, _ in replies if status == 429}, {'5'})
            other.call('GET', '/api/session')

    def test_slow_and_many_connections_do_not_stop_the_others(self):
        with self.server() as server:
            host, port = Person(server.links['owner']).host.split(':')
            idle = [socket.create_connection((host, int(port))) for _ in range(300)]
            for number, connection in enumerate(idle):
                connection.sendall(b'POST /api/answers HTTP/1.1\r\nContent-Le' if number % 2 else b'')
            begin = time.monotonic()
            person = server.person(NAMES[0])
            self.assertEqual(person.work(lambda task: {'grade': 1}), 8)
            self.assertLess(time.monotonic() - begin, 5)
            for connection in idle:
                connection.close()
            self.assertEqual(server.stop(), 0)

    def test_wrong_answers_are_named_and_the_others_are_stored(self):
        with self.server() as server:
            person = server.person(NAMES[0])
            one, two = person.next(2)['tasks']
            results = person.send(person.answer_to(one, 2, spans=[[0, len(TEXT) + 1]]), person.answer_to(two, 2, spans=[[0, len(TEXT)]]), person.answer_to({'id': 'gone'}, 1))['results']
            self.assertEqual([result['state'] for result in results], ['rejected', 'stored', 'rejected'])
            self.assertEqual(results[0]['problem'], 'a selected part is outside of the passage; select it again')
            server.stop()
        self.assertEqual([answer['spans'] for answer in self.exported()], [[[0, len(TEXT)]]])

    # How it is started.

    def test_other_machines_are_let_in_on_purpose_only(self):
        self.assertIn('can be reached from other machines', self.refused(*self.arguments('--bind', '0.0.0.0:0')))
        with self.server('--bind', '0.0.0.0:0', '--plain-http') as server:
            link = server.links[NAMES[0]].replace('0.0.0.0', '127.0.0.1')
            self.assertEqual(Person(link).enter()['progress']['answered'], 0)

    def test_with_tls_cookies_are_secure(self):
        if not shutil.which('openssl'):
            self.skipTest('openssl is not installed')
        key, certificate = self.folder / 'key.pem', self.folder / 'cert.pem'
        subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, '-days', '2', '-subj', '/CN=localhost',
                        '-addext', 'subjectAltName=IP:127.0.0.1'], check=True, stderr=subprocess.DEVNULL)
        tls = ('--tls-cert', certificate, '--tls-key', key)
        with self.server(*tls) as server:
            link = server.links[NAMES[0]]
            self.assertTrue(link.startswith('https://'))
            host = Person(link).host
            connection = http.client.HTTPSConnection(host, context=ssl.create_default_context(cafile=certificate), timeout=20)
            connection.request('GET', Person(link).path)
            reply = connection.getresponse()
            self.assertEqual(reply.status, 200)
            self.assertIn('; Secure', reply.headers['Set-Cookie'])
            self.assertIn('max-age', reply.headers['Strict-Transport-Security'])
            server.stop()
        self.assertIn('are no certificate with its key', self.refused(*self.arguments('--tls-cert', certificate, '--tls-key', certificate)))
        self.assertIn('belong together', self.refused(*self.arguments('--tls-cert', certificate)))

    def test_behind_a_proxy_links_and_cookies_are_those_of_the_proxy(self):
        with self.server('--public-url', 'https://judge.example.org/') as server:
            self.assertTrue(server.links[NAMES[0]].startswith('https://judge.example.org/a/'))
        self.assertIn('is no address without a path', self.refused(*self.arguments('--public-url', 'https://example.org/annotate')))

    def test_a_later_list_adds_people_and_shuts_out_who_is_missing(self):
        with self.server() as server:
            links = dict(server.links)
            server.person(NAMES[1]).work(lambda task: {'grade': 1})
            server.stop()
        (self.folder / 'names').write_text('\n'.join([NAMES[0], 'Dora Example']) + '\n')
        with self.server(people=2) as server:
            path = lambda link: link.rsplit(':', 1)[1].split('/', 1)[1]
            self.assertEqual(path(server.links[NAMES[0]]), path(links[NAMES[0]]))
            self.assertNotIn(NAMES[1], server.links)
            gone = Person('http://' + Person(server.links['owner']).host + '/' + path(links[NAMES[1]]))
            self.assertEqual(gone.request('GET', gone.path)[0], 404)
            server.person('Dora Example').work(lambda task: {'grade': 1})
            server.stop()
        self.assertEqual(len(self.exported()), 16)
        arguments = self.arguments()
        del arguments[2:4]
        with Server(PROGRAM, *arguments, people=2) as server:
            self.assertNotIn(NAMES[1], server.links, 'also when the list is not named again')

    def test_a_later_run_goes_on_with_what_it_is_not_told_again(self):
        (self.folder / 'own.md').write_text('Read it twice.')
        first = self.arguments('--overlap', 2, '--title', 'Tea', '--guidelines', self.folder / 'own.md', '--order', 'topic', '--mode', 'shown', '--rotate', '--seed', 5)
        with Server(PROGRAM, *first, people=3) as server:
            begun = server.person(NAMES[0]).call('GET', '/api/session')
            server.stop()
        (self.folder / 'own.md').unlink()
        with Server(PROGRAM, '--out', self.folder / 'answers', '--bind', '127.0.0.1:0', people=3) as server:
            person = server.person(NAMES[0])
            self.assertEqual({name: value for name, value in person.call('GET', '/api/session').items() if name != 'progress'},
                             {name: value for name, value in begun.items() if name != 'progress'})
            self.assertEqual(person.answer(person.next()['tasks'][0], 1)['state'], 'stored')
            server.stop()
        self.assertEqual(self.exported()[0]['mode'], 'shown')
        text = self.run_program('annotate', '--out', self.folder / 'answers', '--export-only').stdout
        self.assertIn('Each task was to be judged by 2 people', text)
        self.assertIn('Half of the passages', text)
        text = self.run_program('annotate', '--out', self.folder / 'answers', '--export-only', '--overlap', 1).stdout
        self.assertIn('Each task was to be judged by 1 person', text)
        for wrong, why in (({'overlap': 0}, 'has 0 in field "overlap" or "lease_seconds"'), ({'overlap': 10**6}, '"overlap"'), ({'mode': 'seen'}, 'unknown mode "seen"'), ({'guidelines': None}, '"guidelines"')):
            kept = json.loads((self.folder / 'answers' / 'campaign.json').read_text())
            (self.folder / 'answers' / 'campaign.json').write_text(json.dumps(kept | wrong))
            error = self.refused('--out', self.folder / 'answers', status=1)
            self.assertIn('campaign.json has', error)
            self.assertIn(why, error)
            (self.folder / 'answers' / 'campaign.json').write_text(json.dumps(kept))
        # A folder of an earlier version has kept four of the options.
        kept = json.loads((self.folder / 'answers' / 'campaign.json').read_text())
        (self.folder / 'answers' / 'campaign.json').write_text(json.dumps({name: kept[name] for name in ('id', 'kind', 'seed', 'rotate')}))
        self.assertIn('Each task was to be judged by 3 people', self.run_program('annotate', '--out', self.folder / 'answers', '--export-only').stdout)
        self.assertEqual(json.loads((self.folder / 'answers' / 'campaign.json').read_text())['id'], kept['id'])

    def test_the_folder_is_for_its_owner(self):
        (self.folder / 'answers').mkdir(mode=0o755)
        with self.server():
            pass
        self.assertEqual((self.folder / 'answers' / 'access.json').stat().st_mode & 0o777, 0o600)

    def test_what_cannot_be_used_is_refused_in_one_sentence(self):
        names = self.folder / 'names'
        self.assertIn('name a COLLECTION, or a file with --tasks', self.refused('--annotators', names, '--out', self.folder / 'a'))
        self.assertIn('name the folder for the answers with --out DIR', self.refused('--tasks', self.tasks_file(), '--annotators', names))
        self.assertIn('name the file with one annotator a line', self.refused('--tasks', self.tasks_file(), '--out', self.folder / 'b'))
        names.write_text('Ann\nBen\nAnn\n')
        self.assertIn('names:3: the name "Ann" is in line 1 already', self.refused(*self.arguments(), status=1))
        names.write_text('Ann\n')
        self.assertIn('--order pairs needs two annotators', self.refused(*self.arguments('--order', 'pairs')))
        self.assertIn('--probes 9 is more than the tasks without a right answer, which are 8', self.refused('--tasks', self.tasks_file(), '--annotators', names, '--out', self.folder / 'c', '--probes', 9))
        (self.folder / 'latin1.md').write_bytes('Größe'.encode('latin-1'))
        self.assertIn('latin1.md is not UTF-8; save it as UTF-8', self.refused('--tasks', self.tasks_file(), '--annotators', names, '--out', self.folder / 'e', '--guidelines', self.folder / 'latin1.md', status=1))
        (self.folder / 'tasks.jsonl').write_text('')
        self.assertIn('holds no task', self.refused('--tasks', self.folder / 'tasks.jsonl', '--annotators', names, '--out', self.folder / 'd', status=1))
        with self.server(people=1) as server:
            server.stop()
        self.assertIn('was begun with --seed 1, and this run says 2', self.refused(*self.arguments('--seed', 2)))
        self.assertIn('was begun with --rotate off, and this run says on', self.refused(*self.arguments('--rotate')))
        (self.folder / 'answers' / 'tasks.jsonl').write_text('')
        self.assertIn('holds no task; remove it to choose tasks again', self.refused(*self.arguments(), status=1))

    # Where tasks come from.

    def export(self, *arguments, out='made'):
        """The tasks that the program chooses."""
        self.run_program('annotate', *arguments, '--annotators', self.folder / 'names', '--out', self.folder / out, '--export-only')
        return lines_of(self.folder / out / 'tasks.jsonl')

    def test_tasks_of_a_beir_directory(self):
        beir = self.folder / 'beir'
        (beir / 'qrels').mkdir(parents=True)
        (beir / 'corpus.jsonl').write_text(''.join(json.dumps({'_id': f'd{i}', 'title': f'T{i}', 'text': f'text {i}', 'metadata': {}}) + '\n' for i in range(3)))
        (beir / 'queries.jsonl').write_text(json.dumps({'_id': 'q1', 'text': 'what is it', 'metadata': {}}) + '\n')
        (beir / 'qrels' / 'test.tsv').write_text('query-id\tcorpus-id\tscore\nq1\td2\t1\nq1\td0\t0\n')
        tasks = self.export(beir)
        self.assertEqual([(task['kind'], task['topic'], task['docid'], task['query'], task['title'], task['text']) for task in tasks],
                         [('grade', 'q1', 'd0', 'what is it', 'T0', 'text 0'), ('grade', 'q1', 'd2', 'what is it', 'T2', 'text 2')])
        self.assertTrue(all('language' not in task for task in tasks))
        self.assertEqual({task['language'] for task in self.export(beir, '--language', 'pt-BR')}, {'pt-BR'}, 'also of tasks that were chosen before')
        self.assertIn('"pt_BR" is no code of a language; write one such as he or pt-BR', self.refused(beir, '--language', 'pt_BR'))
        self.assertEqual([task['judge']['grade'] for task in tasks], [0, 1], 'the labels of the qrels are what people are compared with')
        (self.folder / 'run').write_text('q1 Q0 d1 1 0.5 tag\n')
        self.assertEqual([task['docid'] for task in self.export(beir, '--pairs', self.folder / 'run', '--kind', 'spans', out='made2')], ['d1'])

    def test_a_sample_of_qrels_is_drawn_by_their_grades_and_the_page_weighs_it(self):
        beir = self.folder / 'beir'
        (beir / 'qrels').mkdir(parents=True)
        (beir / 'corpus.jsonl').write_text(''.join(json.dumps({'_id': f'd {i}', 'title': '', 'text': f'text {i}'}) + '\n' for i in range(200)))
        (beir / 'queries.jsonl').write_text(json.dumps({'_id': 'q1', 'text': 'what is it'}) + '\n')
        grades = [0] * 150 + [1] * 40 + [2] * 8 + [3, 5]
        (beir / 'qrels' / 'test.tsv').write_text('query-id\tcorpus-id\tscore\n' + ''.join(f'q1\td {i}\t{grade}\n' for i, grade in enumerate(grades)))
        (self.folder / 'names').write_text(NAMES[0] + '\n')
        arguments = (beir, '--annotators', self.folder / 'names', '--out', self.folder / 'out', '--overlap', 1)
        error = self.refused(*arguments, '--sample', 6)
        self.assertIn('--sample 6 is too few: the labels have 5 grades, and two tasks of each take 8; draw more', error)
        with Server(PROGRAM, *arguments, '--sample', 60, people=1) as server:
            tasks = lines_of(self.folder / 'out' / 'tasks.jsonl')
            sizes = {task['stratum']: task['stratum_size'] for task in tasks}
            self.assertEqual(sizes, {'grade 0': 150, 'grade 1': 40, 'grade 2': 8, 'grade 3': 1, 'no grade': 1})
            self.assertEqual(len(tasks), 60)
            # The person finds that every label is right, but every passage with a 2, which is nothing.
            grade_of = {task['id']: task.get('judge', {}).get('grade') for task in tasks}
            server.person(NAMES[0]).work(lambda task: {'grade': {2: 0, 3: 3}.get(grade_of[task['id']], 1), 'spans': [[0, 4]] if grade_of[task['id']] == 3 else []})
            summary = server.person('owner').call('GET', '/api/owner/summary')
            server.stop()
        judge = next(section for section in summary['sections'] if section['id'] == 'judge')
        self.assertRegex(judge['note'], r'Of 59 tasks .* 59 have a majority .* about the 199 decisions')
        rows = dict(judge['table']['rows'])
        self.assertTrue(rows['precision of its yes'].startswith('0.11 '), rows)  # the only 3 of nine labels that say yes
        self.assertTrue(rows['its no confirmed'].startswith('1.00 '), rows)
        self.assertIn('1 of 200 grades', server.errors)

    def test_tasks_of_snippets_with_what_is_around_them(self):
        fira = self.folder / 'fira'
        fira.mkdir()
        (fira / 'documents.tsv').write_text('doc_id\ttext\nD1_0\tfirst\nD1_1\tsecond\nD1_2\tthird\nD2_0\tother\n')
        (fira / 'queries.tsv').write_text('query_id\tquery_text\n7\twhat is it\n')
        (fira / 'judgement-pairs.tsv').write_text('query_id\tdoc_id\tpriority\n7\tD1_1\t1\n7\tD2_0\t1\n')
        tasks = self.export(fira)
        self.assertEqual([(task['docid'], task['text'], task.get('before'), task.get('after')) for task in tasks],
                         [('D1_1', 'second', 'first', 'third'), ('D2_0', 'other', None, None)])

    def test_tasks_of_an_evidence_collection(self):
        self.build('w')
        collection = self.folder / 'w' / 'collection'
        evidence = self.export(collection)
        self.assertTrue(all(task['kind'] == 'evidence' and task['member'] and task['list'] and task['judge'] for task in evidence))
        self.assertEqual({task['language'] for task in evidence}, {'en'})
        qrels = {tuple(line.split()[::2]) for line in (collection / 'qrels.txt').read_text().splitlines()}
        grades = self.export(collection, '--kind', 'grade', out='grades')
        self.assertEqual(len(grades), len({(task['topic'], task['docid']) for task in evidence}))
        self.assertTrue(all('member' not in task for task in grades))
        self.assertEqual(len(self.export(collection, '--sample', 9, out='nine')), 9)
        self.assertGreater(len(qrels), 0)

