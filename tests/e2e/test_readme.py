"""The commands of README.md work word for word on the second bundled wiki, and the files that it names exist.

The reader brings two files: a dump under the name that README.md uses, made here of the bundled HeronWiki, and the answers
of a system. Everything else comes from the commands. `build/release/touchstone` is the program under test.
"""
import bz2
import json
import os
import pathlib
import re
import shutil
import subprocess

from harness import DUMP, PROGRAM, SOURCE, EndToEnd

README = (SOURCE / 'README.md').read_text()
WIKI = SOURCE / 'examples' / 'heronwiki' / 'heronwiki-20250101-pages-articles.xml'
DUMP_NAME = 'simplewiki-20250101-pages-articles.xml.bz2'
# What is not run here, and why. Each must be in README.md, so that the table does not outlive it.
LEFT_OUT = {'scripts/install_dependencies.sh': 'installs packages',
            'cmake --preset release': 'builds the program that runs here',
            'ninja -C build/release touchstone': 'builds the program that runs here',
            'cmake --install build/release': 'installs a whole build; e2e.installed_tree does it',
            'cpack -G DEB': 'makes a package and installs it as root',
            'scripts/demo.sh': 'installs packages and builds; demo() below runs what is left of it',
            'scripts/test.sh': 'installs packages, builds, and runs these tests'}
# Files of the one example that needs a dump which is not bundled.
NOT_BUNDLED = {'work/shinto-all'}
ENDINGS = '.css .gz .html .json .jsonl .md .py .run .sh .toml .tsv .txt'.split()


def commands():
    """The commands of the fenced `sh` blocks, with continued lines joined and comments cut."""
    found = []
    for block in re.findall(r'^```sh\n(.*?)^```', README, re.MULTILINE | re.DOTALL):
        for line in block.replace('\\\n', ' ').splitlines():
            if line := re.sub(r'(^|\s)#.*', '', line).strip():
                found.append(line)
    return found


def is_path(word):
    return re.fullmatch(r'[\w.*-]+(/[\w.*-]+)*/?', word) and not word.startswith('.') and ('/' in word or word.endswith(tuple(ENDINGS)))


def named_files():
    """The paths in links and in code of README.md, outside of its blocks."""
    text = re.sub(r'^```.*?^```', '', README, flags=re.MULTILINE | re.DOTALL)
    links = [link.split('#')[0] for link in re.findall(r'\]\(([^)\s]+)\)', text) if '://' not in link]
    words = [word for code in re.findall(r'`([^`\n]+)`', text) for word in code.split()]
    return sorted({*filter(None, links), *(word for word in words if is_path(word))})


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        for name in ('configs', 'examples'):
            shutil.copytree(SOURCE / name, self.folder / name)
        program = self.folder / 'build' / 'release' / 'touchstone'
        program.parent.mkdir(parents=True)
        program.symlink_to(PROGRAM)
        (self.folder / DUMP_NAME).write_bytes(bz2.compress(WIKI.read_bytes()))

    def shell(self, command):
        done = subprocess.run(['bash', '-c', command], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=600, env={**os.environ, 'LC_ALL': 'C.UTF-8'})
        text = done.stdout.decode()
        if ' health ' in command and re.search(r'^\d+ of \d+ checks passed$', text, re.MULTILINE):
            return  # README.md says what status 1 means: a wiki of this size fails some checks
        self.assertEqual(done.returncode, 0, f'{command}\n{text[-3000:]}')

    def demo(self):
        """What scripts/demo.sh runs when everything is built."""
        self.shell(f'build/release/touchstone --progress never build --config configs/miniwiki.toml --dump {DUMP.relative_to(SOURCE)} --work work/demo')

    def write_answers(self):
        topic = (self.folder / 'work/simple/collection/topics.tsv').read_text().split('\t')[0]
        (self.folder / 'answers.jsonl').write_text(json.dumps({'topic': topic, 'answer': 'Nothing that I know of.', 'citations': []}) + '\n')

    def test_commands_run_word_for_word_and_files_exist(self):
        lines = commands()
        for left_out in LEFT_OUT:
            self.assertTrue(any(left_out in line for line in lines), f'README.md no longer has {left_out}')
        run = [line for line in lines if not any(left_out in line for left_out in LEFT_OUT)]
        self.assertGreaterEqual(len(run), 10)
        self.demo()
        for line in run:
            if 'answers.jsonl' in line:
                self.write_answers()
            self.shell(line)
        places = [self.folder, self.folder / 'work/demo/collection', SOURCE]
        for name in named_files():
            if name in NOT_BUNDLED:
                continue
            with self.subTest(name):
                self.assertTrue(any(list(place.glob(name.replace('TAG', '*').rstrip('/'))) for place in places), f'{name} does not exist')

    def test_systems_that_answer_nothing_stop_no_command(self):
        """The commands behind `retrieve`, with a run without a line beside the others."""
        self.demo()
        os.rename(self.folder / 'work/demo', self.folder / 'work/simple')
        lines = [line for line in commands() if any(f'touchstone {name} ' in line for name in ('links', 'retrieve', 'evaluate', 'compare', 'trust'))]
        for line in lines:
            if 'answers.jsonl' in line:
                continue
            self.shell(line)
            if 'touchstone retrieve' in line:
                (self.folder / 'runs' / 'nothing.run').write_text('')
        trust = json.loads((self.folder / 'trust' / 'trust.json').read_text())
        self.assertIn('runs/nothing.run', trust['runs'])
