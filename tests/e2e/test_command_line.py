"""What scripts and people rely on at the command line: exit statuses, help, streams."""
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time

from harness import DUMP, EndToEnd, PROGRAM, SOURCE, STAGES

COMMANDS = ['download', 'build', *STAGES, 'status', 'show', 'parse', 'links', 'validate', 'audit', 'stale', 'snapshots', 'evaluate', 'snippets', 'vote', 'annotate', 'config']

NO_TOPICS = ['build', 'groups', 'export', 'export-automatic', 'validate']  # end with status 4 if they find none


class Test(EndToEnd):
    def test_the_options_as_they_are_printed_are_a_file_of_options(self):
        printed = self.run_program('config', '--show').stdout
        file = self.folder / 'all.toml'
        file.write_text(printed)
        values = lambda text: [line.split('  # ')[0] for line in text.splitlines()]
        self.assertEqual(values(self.run_program('config', '--show', '--config', file).stdout), values(printed))

    def test_every_help_fits_a_terminal_and_names_the_exit_statuses(self):
        for command in ([], *([name] for name in COMMANDS)):
            with self.subTest(command):
                text = self.run_program(*command, '--help').stdout
                self.assertTrue(text.startswith('Usage: touchstone'), text[:80])
                for line in text.splitlines():
                    self.assertLessEqual(len(line), 80, line)
                checks_bound = not command or command[0] in ('stale', 'snapshots')
                no_topics = checks_bound or command[0] in NO_TOPICS
                more = (',\n  4 done, but there are no topics' if no_topics else '') + (', 5 done, but --at-most was exceeded' if checks_bound else '')
                self.assertIn(f'Exit status: 0 done, 1 failed, 2 wrong usage, 3 stopped early and resumable{more}.', text)

    def test_the_help_lists_every_command(self):
        text = self.run_program('--help').stdout
        for name in COMMANDS:
            self.assertRegex(text, rf'(?m)^  {name} ')

    def test_help_prints_the_help_of_a_command(self):
        self.assertEqual(self.run_program('help').stdout, self.run_program('--help').stdout)
        self.assertEqual(self.run_program('help', 'build').stdout, self.run_program('build', '--help').stdout)
        self.assertEqual(self.run_program('help', 'car', 'show').stdout, self.run_program('car', 'show', '--help').stdout)

    def test_misspelt_words_are_answered_with_the_word_that_is_meant(self):
        self.build('w')
        work = self.folder / 'w'
        topic = self.groups('w')[0]['topic']
        for arguments, meant, status in ((['biuld'], 'build', 2), (['--color', 'never', 'evalute'], 'evaluate', 2), (['car', 'shwo'], 'show', 2), (['help', 'valdiate'], 'validate', 2),
                                         (['build', '--wrok', 'x', '--work', 'y'], '--work', 2), (['evaluate', '--qrel', 'x', '--qrels', 'y', 'z', '-m', 'P@1'], '--qrels', 2),
                                         (['show', 'page', 'saltmere maritime musem', '--work', work], '"Saltmere Maritime Museum"', 1),
                                         (['show', 'page', 'Saltmere Marit', '--work', work], '"Saltmere Maritime Museum"', 1),
                                         (['show', 'group', topic[:6], '--work', work], topic, 1),
                                         (['show', 'group', 'List of museums in Saltmre', '--work', work], 'List of museums in Saltmere', 1)):
            with self.subTest(arguments):
                self.assertIn(f'did you mean {meant}?', self.run_program(*arguments, status=status).stderr)
        near = topic[:-1] + ('0' if topic[-1] != '0' else '1')
        mis = self.folder / 'w' / 'colection'
        for arguments, meant, status in ((['show', 'judgments', near, '--work', work], topic, 1), (['show', 'judgments', topic[:6], '--work', work], topic, 1),
                                         (['build', '--work', work, '--from', 'lnik'], 'link', 2), (['build', '--work', work, '--to', 'autmatic'], 'automatic', 2),
                                         (['build', '--work', work, '--form', 'link'], '--from', 2), (['--colr', 'never', 'build'], '--color', 2),
                                         (['show', 'judgmnts', '--work', work], 'judgments', 2), (['completion', 'basj'], 'bash', 2),
                                         (['config', '--set', 'grups.header=x'], '"groups.header"', 2), (['evaluate', '--qrels', 'x', 'y', '-m', 'nDGC@10'], '"nDCG@10"', 2),
                                         (['health', mis], work / 'collection', 1), (['validate', mis], work / 'collection', 1),
                                         (['build', '--dump', str(DUMP)[:-1], '--work', self.folder / 'x'], DUMP, 1),
                                         (['evaluate', '--qrels', work / 'collection' / 'qrel.txt', 'y', '-m', 'P@1'], work / 'collection' / 'qrels.txt', 1)):
            with self.subTest(arguments):
                self.assertIn(f'did you mean {meant}?', self.run_program(*arguments, status=status).stderr)
        for command in ('health', 'validate'):
            self.assertIn(f'name the collection in it, {work / "collection"}', self.run_program(command, work, status=1).stderr)
        self.assertNotIn('did you mean', self.run_program('zebra', status=2).stderr)
        self.assertNotIn('did you mean', self.run_program('show', 'page', 'Zzzzzzzz', '--work', work, status=1).stderr)

    def completed(self, shell, script):
        if not shutil.which(shell):
            self.skipTest(f'{shell} is not installed')
        path = self.folder / f'completion.{shell}'
        path.write_text(self.run_program('completion', shell).stdout)
        return subprocess.run([shell, '-c', script.replace('SCRIPT', str(path))], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder)

    EXPECTED = ((['bu'], {'build'}), (['build', '--wo'], {'--work'}), (['car', 'v'], {'validate'}), (['show', 'pa'], {'page', 'passages'}), (['evaluate', '--format', 't'], {'tsv', 'table', 'trec_eval'}),
                (['help', 'ev'], {'evaluate'}), (['build', '--set', 'groups.mo'], {'groups.mode='}))

    def test_bash_completes_commands_flags_and_values(self):
        for words, expected in self.EXPECTED:
            with self.subTest(words):
                done = self.completed('bash', f'source SCRIPT; COMP_WORDS=(touchstone {" ".join(words)}); COMP_CWORD={len(words)}; _touchstone 2>&1; printf "%s\\n" "${{COMPREPLY[@]}}"')
                self.assertEqual(set(done.stdout.split()), expected, done.stderr)

    def test_fish_completes_commands_flags_and_values(self):
        for words, expected in self.EXPECTED:
            with self.subTest(words):
                done = self.completed('fish', f'source SCRIPT; complete -C "touchstone {" ".join(words)}"')
                self.assertEqual({line.split('\t')[0] for line in done.stdout.splitlines()}, expected, done.stderr)

    def test_zsh_completes_commands_flags_and_values(self):
        if not shutil.which('zsh'):
            self.skipTest('zsh is not installed')
        (self.folder / '_touchstone').write_text(self.run_program('completion', 'zsh').stdout)
        child, terminal = pty.fork()
        if child == 0:
            os.execvpe('zsh', ['zsh', '-f', '-i'], {**os.environ, 'TERM': 'dumb', 'COLUMNS': '200'})

        def read_until(pattern):
            seen, deadline = '', time.monotonic() + 20
            while not re.search(pattern, seen) and time.monotonic() < deadline:
                if select.select([terminal], [], [], 1)[0]:
                    seen += os.read(terminal, 65536).decode(errors='replace')
            return seen

        try:
            os.write(terminal, f'PS1=; fpath=({self.folder} $fpath); autoload -Uz compinit; compinit -u -D; print rea"d"y\n'.encode())
            self.assertIn('ready', read_until(r'(?m)^ready'))
            for words, expected in self.EXPECTED:
                with self.subTest(words):
                    os.write(terminal, f'touchstone {" ".join(words)}\t\t'.encode())
                    seen = read_until('(?s)' + ''.join(f'(?=.*{re.escape(name)})' for name in expected))
                    for name in expected:
                        self.assertIn(name, seen)
                    os.write(terminal, b'\x15')  # empties the line
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(terminal)

    def test_colours_are_for_terminals(self):
        self.assertNotIn('\033', self.run_program('biuld', status=2).stderr)
        self.assertTrue(self.run_program('--color', 'always', 'biuld', status=2).stderr.startswith('\033[1;31merror:\033[0m '))
        self.assertNotIn('\033', self.run_program('--color', 'never', 'biuld', status=2).stderr)

    def test_wrong_usage_is_exit_status_2(self):
        work = self.folder / 'w'
        for arguments in ([], ['nothing'], ['build'], ['build', '--work', work, '--nonsense'], ['show', 'page', '--work', work], ['show', 'everything', '--work', work],
                          ['build', '--work', work, '--from', 'nowhere'], ['build', '--work', work, '--threads', '0'], ['validate'],
                          ['build', '--work', work, '--set', 'groups.mode=loose'], ['build', '--work', work, '--set', 'no.such=1'], ['ingest', '--work', work],
                          ['config', '--config', self.folder / 'none.toml']):
            with self.subTest(arguments):
                done = self.run_program(*arguments, status=2)
                self.assertNotEqual(done.stderr, '')
                self.assertEqual(done.stdout, '')

    def test_a_work_directory_that_is_not_there_is_told(self):
        for command in (['status'], ['show', 'groups'], ['links', '--out', self.folder / 'l.tsv']):
            with self.subTest(command):
                self.assert_one_error(self.run_program(*command, '--work', self.folder / 'none', status=1))
        self.assertFalse((self.folder / 'none').exists())

    def test_a_title_that_is_not_there_is_told(self):
        self.build('w')
        for what in ('page', 'outline', 'tables', 'passages', 'backlinks', 'group'):
            with self.subTest(what):
                self.assert_one_error(self.run_program('show', what, 'No such page', '--work', self.folder / 'w', status=1), 'No such page')

    def test_results_go_to_stdout_and_the_log_to_stderr(self):
        done = self.build('w')
        self.assertIn('topics', done.stdout)
        self.assertNotIn('info', done.stdout)
        self.assertIn('ingest', done.stderr)

    def test_json_logs_are_json(self):
        done = self.run_program('--log-format', 'json', '--progress', 'never', 'ingest', '--dump', DUMP, '--work', self.folder / 'w')
        lines = done.stderr.splitlines()
        self.assertGreater(len(lines), 1)
        for line in lines:
            json.loads(line)

    def test_json_output_is_json_for_every_show(self):
        self.build('w')
        for what, title in (('page', 'Ostrand'), ('outline', 'Ostrand'), ('tables', 'List of lighthouses of Ostrand'), ('passages', 'Ostrand'),
                            ('backlinks', 'Ostrand'), ('group', 'List of lighthouses of Ostrand'), ('groups', None), ('judgments', None)):
            with self.subTest(what):
                arguments = [what] + ([title] if title else [])
                text = self.run_program('show', *arguments, '--work', self.folder / 'w', '--format', 'json').stdout
                self.assertTrue(json.loads(text))
                self.assertTrue(self.run_program('show', *arguments, '--work', self.folder / 'w').stdout)

    def test_groups_have_the_fields_that_scripts_rely_on(self):
        self.build('w')
        groups = self.groups('w')
        self.assertGreaterEqual(len(groups), 16)
        for group in groups:
            for field in ('topic', 'structured', 'page', 'members', 'candidates', 'evidence', 'status', 'reason'):
                self.assertIn(field, group)
            for member in group['members']:
                self.assertEqual(sorted(member), ['page_id', 'qid', 'title'])

    def test_links_are_pairs_of_titles_without_repeats(self):
        self.build('w')
        resolved, plain = self.folder / 'r.tsv', self.folder / 'p.tsv.gz'
        self.run_program('links', '--work', self.folder / 'w', '--out', resolved, '--resolved')
        self.run_program('links', '--work', self.folder / 'w', '--out', plain)
        lines = resolved.read_text().splitlines()
        self.assertGreater(len(lines), 300)
        self.assertEqual(len(lines), len(set(lines)))
        for line in lines:
            self.assertEqual(line.count('\t'), 1, line)
            self.assertNotIn('_', line)

    def test_output_that_cannot_be_written_is_a_failure(self):
        with open('/dev/full', 'w') as full:
            done = subprocess.run([PROGRAM, 'config'], cwd=SOURCE, stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1, done.stderr)

    def test_parse_reads_one_page_or_json_lines(self):
        single = subprocess.run([PROGRAM, 'parse', '--title', 'A'], input=b"'''A''' is a [[B|b]].", stdout=subprocess.PIPE, check=True).stdout
        self.assertTrue(json.loads(single)['links'])
        lines = b''.join(json.dumps({'name': str(i), 'title': 'A', 'wikitext': f'[[L{i}]]'}).encode() + b'\n' for i in range(3))
        batch = subprocess.run([PROGRAM, 'parse', '--batch'], input=lines, stdout=subprocess.PIPE, check=True).stdout.splitlines()
        self.assertEqual([json.loads(line)['name'] for line in batch], ['0', '1', '2'])
        bad = subprocess.run([PROGRAM, 'parse', '--batch'], input=b'{"name": 1}\n', stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.assertEqual(bad.returncode, 1)
        self.assertIn(b'line 1', bad.stderr)

    def test_a_collection_without_topics_has_an_exit_status_of_its_own(self):
        none = self.build('w', '--set', 'groups.min_members=1000', status=4)
        self.assertIn('groups.min_members = 1000', none.stdout)
        self.assertNotIn(' 0 query pages', none.stdout)
        work = self.folder / 'w'
        self.assertTrue((work / 'report.html').exists())
        self.build('w', '--set', 'groups.min_members=1000', status=4)  # nothing left to run
        self.build('w', '--set', 'groups.min_members=1000', '--dry-run')
        self.build('w', '--set', 'groups.min_members=1000', '--require-health', status=1)
        for stage in ('groups', 'export'):
            self.assertIn('touchstone survey --work', self.run_program('--progress', 'never', stage, '--work', work, status=4).stdout)
        self.assertIn('no topics', self.run_program('validate', work / 'collection', status=4).stdout)
        self.assertEqual(json.loads(self.run_program('validate', work / 'collection', '--format', 'json', status=4).stdout)['ok'], True)
        self.assert_one_error(self.run_program('show', 'judgments', '--work', work, status=1), 'no topic has a candidate')
        (work / 'collection' / 'qrels.txt').write_text('x')
        self.run_program('validate', work / 'collection', status=1)

    def test_a_build_of_both_collections_says_which_one_is_missing(self):
        done = self.build('e', '--to', 'all', '--set', 'automatic.select=name-in-set "Nothing"')
        self.assertIn('missing  no automatic collection: no page was chosen', done.stdout)
        self.assertNotIn('next ', done.stdout)
        done = self.build('a', '--to', 'all', '--set', 'groups.min_members=1000', '--set', 'automatic.min_sections=1')
        self.assertIn('missing  no evidence collection: ', done.stdout)
        self.run_program('validate', self.folder / 'a' / 'automatic')
        self.build('none', '--to', 'all', '--set', 'groups.min_members=1000', '--set', 'automatic.min_sections=1000', status=4)

    def test_pages_that_give_nothing_say_so(self):
        pages = self.folder / 'my pages.jsonl'
        pages.write_text('{"title": "Alpha", "sections": [{"heading": "", "level": 0, "paragraphs": ["Alpha is a rock."]}]}\n')
        for arguments in (['survey', '--pages', pages], ['build', '--pages', pages, '--work', self.folder / 'a', '--to', 'automatic']):
            with self.subTest(arguments):
                done = self.run_program('--progress', 'never', *arguments, status=4)
                self.assertIn('No collection can be made: there is 1 article', done.stdout)
                self.assertIn('None can be the query of an automatic collection: 1 has no section.', done.stdout)
                self.assertNotIn('next ', done.stdout)
        self.run_program('validate', self.folder / 'a' / 'automatic', status=4)

    def test_evidence_of_pages_without_lists_of_links_is_refused_before_they_are_judged(self):
        titles = ('alpha', 'beta', 'gamma', 'delta')
        text = ''.join(f'<h2>Part {number}</h2><p>The part {number} of this rock is old and grey, and nobody lives there.</p>' for number in range(3))
        book = self.folder / 'book'

        def write(links):
            book.mkdir(exist_ok=True)
            items = ''.join(f'<li><a href="{title}.html">{title}</a></li>' for title in titles[:links])
            for title in titles:
                (book / f'{title}.html').write_text(f'<main><h1>{title}</h1>{text}<h2>Rocks</h2><ul>{items}</ul></main>')
        write(2)
        arguments = ['--progress', 'never', 'build', '--pages', book, '--work', self.folder / 'w']
        for _ in range(2):  # a second run says it again
            done = self.run_program(*arguments, status=2)
            self.assert_one_error(done, 'evidence topics need tables or lists whose items link to pages; of 0 tables and 4 lists here none links to 3 pages', 'build --to automatic')
        self.assertFalse((self.folder / 'w' / 'collection').exists())
        done = self.run_program(*arguments, '--to', 'all')
        self.assertIn('missing  no evidence collection: evidence topics need tables or lists', done.stdout)
        self.run_program(*arguments, '--to', 'groups', status=4)
        write(4)
        self.run_program(*arguments, '--replace', status=4)  # other settings may find something

    def test_commands_that_are_proposed_can_be_pasted(self):
        pages = self.folder / 'my pages.jsonl'
        sections = [{'heading': '', 'level': 0, 'paragraphs': ['Alpha is a rock in the northern sea.']}] + [
            {'heading': f'Part {number}', 'level': 1, 'paragraphs': [f'The part {number} of the rock is old and grey.']} for number in range(2)]
        pages.write_text(json.dumps({'title': 'Alpha', 'sections': sections}) + '\n')
        first = self.run_program('--progress', 'never', 'build', '--to', 'automatic', '--pages', pages, '--work', 'my work', status=4, cwd=self.folder)
        command = next(line for line in first.stdout.splitlines() if line.startswith('next ')).split(None, 2)[2]
        done = subprocess.run(f'{PROGRAM} {command}', shell=True, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('topics        1', done.stdout)
