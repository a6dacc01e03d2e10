"""A server of `touchstone annotate`, and people who use it over HTTP, for tests."""
import http.client
import json
import os
import signal
import subprocess
import time
import urllib.parse
import uuid


class Person:
    """An annotator, or the owner, with a session."""

    def __init__(self, link):
        parts = urllib.parse.urlsplit(link)
        self.host, self.path = parts.netloc, parts.path
        self.cookie = self.csrf = None
        self.connection = None

    def request(self, method, path, body=None, headers=None):
        """Returns status, headers and body; a connection that the server has closed is opened again."""
        sent = {'Cookie': self.cookie or ''}
        if body is not None:
            sent |= {'Content-Type': 'application/json', 'X-CSRF-Token': self.csrf or ''}
        for attempt in range(2):
            if self.connection is None:
                self.connection = http.client.HTTPConnection(self.host, timeout=30)
            try:
                self.connection.request(method, path, body if body is None or isinstance(body, bytes) else json.dumps(body).encode(),
                                        sent | (headers or {}))
                reply = self.connection.getresponse()
                return reply.status, reply.headers, reply.read()
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                self.connection = None
                if attempt:
                    raise
        raise AssertionError('unreachable')

    def close(self):
        if self.connection:
            self.connection.close()
            self.connection = None

    def call(self, method, path, body=None, status=200):
        got, _, text = self.request(method, path, body)
        while got == 429 and status != 429:
            time.sleep(0.5)
            got, _, text = self.request(method, path, body)
        assert got == status, f'{method} {path}: {got}, not {status}: {text[:500]}'
        return json.loads(text)

    def enter(self):
        status, headers, text = self.request('GET', self.path)
        assert status == 200, (status, text)
        self.cookie = headers['Set-Cookie'].split(';')[0]
        session = self.call('GET', '/api/owner/session' if self.path.startswith('/o/') else '/api/session')
        self.csrf = session['csrf']
        return session

    def next(self, count=1, have=()):
        return self.call('POST', '/api/next', {'count': count, 'have': list(have)})

    def answer(self, task, grade=None, **fields):
        """Sends one answer and returns the server's result."""
        return self.send(self.answer_to(task, grade, **fields))['results'][0]

    def answer_to(self, task, grade=None, **fields):
        return {'id': str(uuid.uuid4()), 'task': task['id'], 'grade': grade, 'spans': [], 'skipped': False, 'difficult': False,
                'reason': '', 'visible_ms': 1000, 'withdraw': False} | fields

    def send(self, *answers):
        return self.call('POST', '/api/answers', {'answers': list(answers)})

    def work(self, decide, most=10_000):
        """Answers every task with the fields that `decide(task)` gives, ten at a time; returns the number of answers."""
        done = 0
        while done < most:
            tasks = self.next(min(10, most - done))['tasks']
            if not tasks:
                break
            for result in self.send(*(self.answer_to(task, **decide(task)) for task in tasks))['results']:
                assert result['state'] == 'stored', result
            done += len(tasks)
        return done


class Server:
    """`touchstone annotate` on a free port, or another command that serves; a context manager that ends it."""

    def __init__(self, program, *arguments, people, command='annotate'):
        self.process = subprocess.Popen([program, command, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, restore_signals=False)
        self.links, self.people = {}, []
        for line in self.process.stdout:  # the owner's link, then one of each name in the file
            name, link = line.rstrip('\n').split('\t')
            self.links[name] = link
            if len(self.links) == 1 + people:
                break
        if not self.links:
            self.errors = self.process.stderr.read()
            self.process.wait()

    def __enter__(self):
        assert self.links, self.errors
        return self

    def __exit__(self, *_):
        self.stop()

    def person(self, name):
        person = Person(self.links[name])
        self.people.append(person)
        person.enter()
        return person

    def stop(self, how=signal.SIGTERM):
        """Ends the server and returns its exit status."""
        for person in self.people if how == signal.SIGTERM else ():  # it waits some seconds for connections that are kept
            person.close()
        if self.process.poll() is None:
            os.kill(self.process.pid, how)
        try:
            self.rest, self.errors = self.process.communicate(timeout=60)  # what it prints behind the links
        except ValueError:
            pass
        return self.process.returncode
