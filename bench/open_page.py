#!/usr/bin/python3
"""How long a real browser takes to open a page of a report, and to search in it.

Usage: open_page.py PAGE.html [WORDS]...      prints a JSON line for each of three visits, and for each search

Needs the Debian packages chromium and python3-websocket. Times are in milliseconds, from the start of the navigation.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

import websocket

TIMES = '''(() => { const n = performance.getEntriesByType('navigation')[0];
return {page: location.pathname.split('/').pop(), bytes: n.decodedBodySize, load: Math.round(n.loadEventEnd),
painted: Math.round(performance.getEntriesByName('first-contentful-paint')[0].startTime), elements: document.querySelectorAll('*').length}; })()'''
SEARCH = '''new Promise((done) => { const field = document.getElementById('filter'), found = document.getElementById('found');
found.textContent = ''; const start = performance.now(); field.value = %s; field.dispatchEvent(new Event('input'));
const wait = setInterval(() => { if (found.textContent) { clearInterval(wait); const first = document.querySelector('#result-list a');
done({found: found.textContent, ms: Math.round(performance.now() - start), first: first && first.getAttribute('href')}); } }, 2); })'''


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp()
        self.process = subprocess.Popen(['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', '--remote-allow-origins=*',
                                         f'--user-data-dir={self.profile}', 'about:blank'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        place = pathlib.Path(self.profile) / 'DevToolsActivePort'
        while not (place.exists() and place.read_text()):
            time.sleep(.05)
        with urllib.request.urlopen(f'http://127.0.0.1:{place.read_text().splitlines()[0]}/json') as reply:
            tab = next(tab for tab in json.load(reply) if tab['type'] == 'page')
        self.socket, self.number = websocket.create_connection(tab['webSocketDebuggerUrl'], timeout=60), 0

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({'id': self.number, 'method': method, 'params': parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get('id') == self.number:
                return message['result']

    def value(self, script):
        return self.call('Runtime.evaluate', expression=script, awaitPromise=True, returnByValue=True)['result'].get('value')

    def open(self, page):
        self.call('Page.navigate', url=page.resolve().as_uri())
        while not self.value("location.protocol === 'file:' && performance.getEntriesByName('first-contentful-paint').length > 0 && document.readyState === 'complete'"):
            time.sleep(.05)
        time.sleep(.2)  # the end of the load event
        return self.value(TIMES)

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


if __name__ == '__main__':
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    browser = Browser()
    try:
        for _ in range(3):
            print(json.dumps(browser.open(pathlib.Path(sys.argv[1]))))
        for words in sys.argv[2:]:
            print(json.dumps(browser.value(SEARCH % json.dumps(words))))
    finally:
        browser.close()
