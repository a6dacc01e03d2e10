"""An HTTP proxy for tests: passes requests on, keeps connections to both sides, and may want a password."""
import base64
import http.client
import http.server
import threading
import urllib.parse

HOP_BY_HOP = {'connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'transfer-encoding'}


class Proxy:
    def __init__(self, test, password=None):
        self.requests = 0
        lock = threading.Lock()
        wanted = 'Basic ' + base64.b64encode(f'user:{password}'.encode()).decode()
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'
            server_side = None

            def pass_on(self):
                body = self.rfile.read(int(self.headers.get('Content-Length', 0)))
                if password and self.headers.get('Proxy-Authorization') != wanted:
                    self.send_response(407)
                    self.send_header('Proxy-Authenticate', 'Basic realm="test"')
                    self.send_header('Content-Length', '0')
                    self.end_headers()
                    return
                with lock:
                    proxy.requests += 1
                target = urllib.parse.urlsplit(self.path)
                if self.server_side is None:
                    self.server_side = http.client.HTTPConnection(target.hostname, target.port)
                headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
                self.server_side.request(self.command, target.path, body, headers)
                reply = self.server_side.getresponse()
                answer = reply.read()
                self.send_response(reply.status)
                for name in ('Content-Type', 'Content-Encoding'):
                    if name in reply.headers:
                        self.send_header(name, reply.headers[name])
                self.send_header('Content-Length', str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_GET = do_POST = pass_on

            def finish(self):
                super().finish()
                if self.server_side is not None:
                    self.server_side.close()

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256

        server = Server(('127.0.0.1', 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        test.addCleanup(server.server_close)
        test.addCleanup(server.shutdown)
        self.address = f'http://127.0.0.1:{server.server_address[1]}'
