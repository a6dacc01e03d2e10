"""A language model's server for tests: tests/judge_server as a process of its own, with its counts and its script."""
import json
import os
import subprocess
import urllib.request

SERVER = os.environ['TOUCHSTONE_JUDGE_SERVER']
MODEL = 'test-model'


class JudgeServer:
    def __init__(self, test, *options, rules=()):
        self.process = subprocess.Popen([SERVER, '--model', MODEL, *map(str, options)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        test.addCleanup(self.stop)
        *tls, port = self.process.stdout.readline().split()
        self.control = self.address = f'http://127.0.0.1:{int(port)}'
        if tls:  # with --certificate
            self.address = f'https://127.0.0.1:{int(tls[0])}'
        if rules:
            self.script(*rules)

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def ask(self, path, body=None):
        with urllib.request.urlopen(self.control + path, data=body, timeout=60) as reply:
            return reply.read()

    def counts(self):
        return json.loads(self.ask('/counts'))

    def script(self, *rules):
        self.ask('/rules', json.dumps(rules).encode())

    def settings(self, kind='openai', **more):
        """--set arguments for a judge at this server. Queries are worded by the template, so that all requests are judgments."""
        options = {'kind': kind, 'base_url': self.address + '/v1', 'model': MODEL, 'timeout_s': 5, 'max_attempts': 4, 'patience_s': 20, **more}
        return ['--set', 'phrase.source=template', *(part for key, value in options.items() for part in ('--set', f'judge.{key}={value}'))]
