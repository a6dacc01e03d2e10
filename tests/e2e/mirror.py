"""A mirror of dumps for tests: nginx serves a tree that the test writes, and a proxy of TCP in front of it counts what
passes, slows it down, or cuts connections."""
import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time

NGINX = shutil.which('nginx', path=os.environ.get('PATH', '') + ':/usr/sbin:/sbin')

CONFIG = '''
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen unix:{folder}/socket;
    root {folder}/tree;
    autoindex on;
    {more}
  }}
}}
'''


class Mirror:
    """`more` are further lines of the configuration of nginx. `tree` is the folder that is served, `base` its address."""

    def __init__(self, test, more=''):
        if not NGINX:
            test.skipTest('nginx is not installed (package nginx-light)')
        self.folder = test.folder / 'mirror'
        self.tree = self.folder / 'tree' / 'dumps'
        self.tree.mkdir(parents=True)
        (self.folder / 'nginx.conf').write_text(CONFIG.format(folder=self.folder, more=more))
        self.server = subprocess.Popen([NGINX, '-e', str(self.folder / 'error.log'), '-c', str(self.folder / 'nginx.conf')])
        test.addCleanup(self.server.wait)
        test.addCleanup(self.server.send_signal, signal.SIGTERM)
        self.gate = Gate(test, str(self.folder / 'socket'))
        self.base = self.gate.address + '/dumps'

    def write(self, name, content):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def dump(self, wiki, date, jobs, states=None, change=None):
        """Writes a dump: jobs are {job: {name: content}}, names without wiki and date. `states` are those of jobs that
        are not done; `change` edits the status before it is written."""
        status = {'version': '0.8', 'jobs': {}}
        for job, files in jobs.items():
            entry = status['jobs'][job] = {'status': (states or {}).get(job, 'done'), 'updated': '2026-11-03 04:05:06', 'files': {}}
            for short, content in files.items():
                name = f'{wiki}-{date}-{short}'
                self.write(f'{wiki}/{date}/{name}', content)
                entry['files'][name] = {'size': len(content), 'url': f'/{wiki}/{date}/{name}',
                                        'md5': hashlib.md5(content).hexdigest(), 'sha1': hashlib.sha1(content).hexdigest()}
        if change:
            change(status)
        self.write(f'{wiki}/{date}/dumpstatus.json', json.dumps(status))


class Gate:
    """Passes connections of TCP on to a socket of the file system, one request a connection."""

    def __init__(self, test, target):
        self.cut_after = None  # bytes of a reply to a request for a file of a dump
        self.rate = None  # bytes a second of such replies
        self.requests = []  # (path, first byte asked for or None)
        self.bodies = {}  # path -> bytes of bodies that were passed on
        self.target = target
        self.lock = threading.Lock()
        listener = socket.create_server(('127.0.0.1', 0), backlog=64)
        self.address = f'http://127.0.0.1:{listener.getsockname()[1]}'
        threading.Thread(target=self.accept, args=(listener,), daemon=True).start()
        test.addCleanup(listener.close)

    def accept(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def connect(self):
        for _ in range(500):  # until nginx listens
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self.target)
                return server
            except OSError:
                server.close()
                time.sleep(0.02)
        raise OSError('nginx does not listen')

    def serve(self, connection):
        with connection:
            try:
                self.pass_on(connection)
            except OSError:
                pass  # either side has gone

    def pass_on(self, connection):
        request = b''
        while b'\r\n\r\n' not in request:
            piece = connection.recv(65536)
            if not piece:
                return
            request += piece
        lines = request.decode('latin-1').split('\r\n')
        path = lines[0].split(' ')[1]
        ranges = [line.split('=')[1] for line in lines if line.lower().startswith('range:')]
        with self.lock:
            self.requests.append((path, int(ranges[0].split('-')[0]) if ranges else None))
            self.user_agent = next((line for line in lines if line.lower().startswith('user-agent:')), '')
        is_file = path.endswith(('.bz2', '.gz'))
        with self.connect() as server:
            server.sendall(request)
            passed, head = 0, b''
            while True:
                piece = server.recv(16384)
                if not piece:
                    return
                if b'\r\n\r\n' not in head:  # the head, and the first bytes of the body
                    head += piece
                    if b'\r\n\r\n' not in head:
                        continue
                    piece = head.split(b'\r\n\r\n', 1)[1]
                    connection.sendall(head[:len(head) - len(piece)])
                if is_file and self.cut_after is not None:
                    piece = piece[:max(0, self.cut_after - passed)]
                connection.sendall(piece)
                passed += len(piece)
                with self.lock:
                    self.bodies[path] = self.bodies.get(path, 0) + len(piece)
                if is_file and self.cut_after is not None and passed >= self.cut_after:
                    return
                if is_file and self.rate:
                    time.sleep(len(piece) / self.rate)

    def asked(self, ending):
        """First bytes of the requests whose path ends so."""
        return [first for path, first in self.requests if path.endswith(ending)]

    def passed(self, ending):
        return sum(count for path, count in self.bodies.items() if path.endswith(ending))
