"""What pages of documentation show in `console` blocks is what the program prints, and each number of the manual is true.

docs/manual.md is one walk; the sessions of another page start from the built bundled wiki. documents.py says how output
is compared. A session whose command names a file that is not bundled runs where the data is.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import documents
from harness import DATA, DEFAULT_STAGES, DUMP, LISTING, PROGRAM, SOURCE, EndToEnd, need_data

MANUAL = SOURCE / 'docs' / 'manual.md'
SHINTO = 'shintowiki-20260531-pages-meta-current-multistream.xml.bz2'
# Digits in words of the manual that are no results of the program.
WORDS = ['SHA-256', 'SHA-1', '`lbzip2`', '`.bz2`', '`--set ingest.use_lbzip2=false`', '`kill -9`']


def pages():
    """All pages with sessions."""
    return [path for path in [SOURCE / 'README.md', *sorted(SOURCE.glob('docs/*.md')), *SOURCE.glob('configs/*.md')] if documents.sessions(path.read_text())]


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        for name in ('configs', 'examples', 'scripts', 'tests'):
            (self.folder / name).symlink_to(SOURCE / name)
        program = self.folder / 'build' / 'release' / 'touchstone'
        program.parent.mkdir(parents=True)
        program.symlink_to(PROGRAM)
        self.assignments = 'PATH=$PWD/build/release:$PATH'

    def demo(self):
        self.run_program('--progress', 'never', 'build', '--config', 'configs/miniwiki.toml', '--dump', DUMP.relative_to(SOURCE), '--work', 'work/demo', cwd=self.folder)

    def start(self, command):
        # The output of a pipe's last command is what is compared; both streams of it, in the order of writing.
        return subprocess.Popen(['bash', '-c', f'{self.assignments}\nexec 2>&1\n{command}'], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                start_new_session=True, env={**os.environ, 'LC_ALL': 'C.UTF-8'})

    def run_session(self, session):
        for command, shown in session:
            if re.match(r'[A-Z]+=\S+$', command):
                self.assignments = command
                continue
            printed = self.start(command).communicate(timeout=600)[0].decode()
            with self.subTest(command):
                different = documents.first_difference(shown, printed)
                if different is not None:
                    self.fail(f'{command}\nshown, but not printed here: {different}\nprinted:\n{printed[:5000]}')

    def of_data(self, session):
        """The files that are not bundled which the commands of a session name."""
        words = {pathlib.Path(word).name for command, _ in session for word in command.split() if word.endswith(('.bz2', '.gz', '.txt', '.cbor'))}
        return sorted(word for word in words if not list(self.folder.rglob(word)))

    def test_the_manual_shows_what_its_commands_print(self):
        sessions = documents.sessions(MANUAL.read_text())
        self.assertGreaterEqual(len(sessions), 10)
        for session in sessions:
            if not self.of_data(session):
                self.run_session(session)

    def test_other_pages_show_what_their_commands_print(self):
        self.demo()
        kept = self.folder / 'work'
        for page in pages():
            if page == MANUAL:
                continue
            shutil.copytree(kept, self.folder / 'kept', dirs_exist_ok=True)
            for name, content in documents.files(page.read_text()):
                (self.folder / name).write_text(content)
            with self.subTest(page.name):
                for session in documents.sessions(page.read_text()):
                    if not self.of_data(session):
                        self.run_session(session)
            shutil.rmtree(kept)
            (self.folder / 'kept').rename(kept)

    def test_each_number_of_the_manual_is_what_the_program_gives(self):
        self.demo()
        numbers = documents.Numbers(self, MANUAL.read_text())
        for words in WORDS:
            numbers.state(words)
        status = self.run_program('status', '--work', 'work/demo', cwd=self.folder).stdout
        pages_read = re.search(r'(\d+) pages', status)[1]
        numbers.state(f'{pages_read} pages about an invented archipelago')
        self.assertIn(f'`build` runs {documents.WORDS[len(DEFAULT_STAGES)]} stages', numbers.text)
        self.assertIn('The default is the stage `report`', numbers.text)
        self.assertRegex(self.run_program('build', '--help').stdout, r'--to=TARGET [^(]*\(default: report\)')
        for target in re.findall(r'^(\w+) ', LISTING.split('Targets, besides the stages:\n')[1], re.MULTILINE):
            self.assertRegex(numbers.text, rf'A target is [^.]*`{target}`')
        help_text = ' '.join(self.run_program('--help').stdout.split())
        numbers_of_help = re.findall(r'\b\d\b', help_text[help_text.index('Exit status: '):])
        rows = re.findall(r'^\| (\d) \| ([^|]*)', MANUAL.read_text(), re.MULTILINE)
        self.assertEqual([number for number, _ in rows], numbers_of_help)
        for number, words in rows:
            numbers.state(f'| {number} | {words}')
        no_topics = self.build('none', '--set', 'groups.list_prefixes=["No such title"]', status=None).returncode
        numbers.state(f'Status {no_topics} comes with a sentence')
        unhealthy = self.build('none', '--set', 'groups.list_prefixes=["No such title"]', '--require-health', status=None).returncode
        numbers.state(f'fails its health checks, and the status is {unhealthy}.')
        (self.folder / 'empty.xml').write_text('')
        numbers.state(f'A file of zero bytes is a failure ({self.run_program("ingest", "--dump", "empty.xml", "--work", "empty", cwd=self.folder, status=None).returncode})')
        buffered = re.search(r'kMemtableBytes = std::size_t\{(\d+)\} << 20', (SOURCE / 'storage/rocksdb_settings.cpp').read_text())[1]
        cached = re.search(r'kBlockCacheBytes = std::size_t\{(\d+)\} << 20', (SOURCE / 'storage/store.cpp').read_text())[1]
        numbers.state(f'The store buffers up to {buffered} MB and caches up to {cached} MB.')
        numbers.state('makes it durable and ends with status 3.')  # the test below compares it
        numbers.finish()

    def test_an_interrupted_run_goes_on_as_the_manual_shows(self):
        (self.folder / SHINTO).symlink_to(need_data(self, SHINTO))
        session = next(session for session in documents.sessions(MANUAL.read_text()) if any('^C' in shown for _, shown in session))
        (first, stopped), (second, going_on) = session
        run = self.start('exec ' + first)
        lines = []
        for line in run.stdout:
            lines.append(line.decode())
            if 'ingest: Read' in lines[-1]:
                time.sleep(1)
                run.send_signal(signal.SIGINT)
        run.stdout.close()
        self.assertEqual(run.wait(600), 3)
        self.assertIsNone(documents.first_difference([line for line in stopped if line != '^C'], ''.join(lines)))
        printed = self.start(second).communicate(timeout=600)[0].decode()
        self.assertIsNone(documents.first_difference(going_on, printed), printed)

    def test_pages_show_what_is_printed_for_files_that_are_not_bundled(self):
        found = {page.name: [session for session in documents.sessions(page.read_text()) if self.of_data(session) and SHINTO not in str(session)] for page in pages()}
        names = {name for sessions in found.values() for session in sessions for name in self.of_data(session)}
        for name in names:
            files = list(DATA.rglob(name))
            if not files:
                self.skipTest(f'real data is not here: {DATA}/**/{name} (set TOUCHSTONE_DATA to its folder)')
            (self.folder / name).symlink_to(files[0])
        for name, sessions in found.items():
            for session in sessions:
                self.run_session(session)

    def test_links_between_pages_lead_to_files_and_headings(self):
        def headings(path):
            text = re.sub(r'^```.*?^```', '', path.read_text(), flags=re.MULTILINE | re.DOTALL)
            return {re.sub(r'[^\w\- ]', '', heading.lower()).replace(' ', '-') for heading in re.findall(r'^#+ (.*)', text, re.MULTILINE)}
        for page in [*SOURCE.glob('*.md'), *SOURCE.glob('docs/**/*.md'), *SOURCE.glob('configs/*.md'), *SOURCE.glob('examples/*/*.md')]:
            text = re.sub(r'^```.*?^```', '', page.read_text(), flags=re.MULTILINE | re.DOTALL)
            for link in re.findall(r'\]\(([^)\s]+)\)', text):
                if '://' in link:
                    continue
                name, _, anchor = link.partition('#')
                target = page.parent / name if name else page
                with self.subTest(f'{page.relative_to(SOURCE)}: {link}'):
                    self.assertTrue(target.exists())
                    self.assertTrue(not anchor or anchor in headings(target))
