"""tests/golden/run.py on made-up cases, with a shell script as the program."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

RUN = pathlib.Path(__file__).resolve().parents[1] / 'golden' / 'run.py'
PRINTED = '[1, {"a": 2}]\n'


class Test(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='touchstone-golden-run-'))
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copy(RUN, self.folder)  # cases are beside the script
        self.program = self.folder / 'program'
        self.program.write_text('#!/bin/sh\necho "[1, {\\"a\\": 2}]"\necho first >one.txt\nmkdir w\necho packed | gzip >w/two.gz\necho touchstone 1.2.3+abc >w/version\n')
        self.program.chmod(0o755)

    def case(self, files):
        """Writes the case x/y."""
        for name, text in {'cmd': 'touchstone\n', **files}.items():
            path = self.folder / 'x/y' / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def run_cases(self, *arguments):
        done = subprocess.run([sys.executable, '-B', self.folder / 'run.py', self.program, self.folder, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout.decode()

    def test_files_that_are_as_expected_pass(self):
        self.case({'stdout': PRINTED, 'files/one.txt': 'first\n', 'files/w/two.gz.unpacked': 'packed\n', 'files/w/version': 'touchstone <version>\n'})
        self.assertEqual(self.run_cases(), (0, ''))

    def test_a_file_with_other_content_fails(self):
        self.case({'stdout': PRINTED, 'files/w/two.gz.unpacked': 'other\n'})
        status, printed = self.run_cases()
        self.assertEqual(status, 1)
        self.assertIn('x/y/files/w/two.gz.unpacked expected', printed)
        self.assertIn('+packed', printed)

    def test_a_file_that_is_not_written_fails_even_with_update(self):
        self.case({'stdout': PRINTED, 'files/gone.txt': ''})
        for arguments in ([], ['--update']):
            status, printed = self.run_cases(*arguments)
            self.assertEqual(status, 1)
            self.assertIn('x/y/files/gone.txt was not written', printed)

    def test_update_fills_files_that_were_created_empty(self):
        self.case({'stdout.json': '', 'files/one.txt': '', 'files/w/two.gz.unpacked': ''})
        self.assertEqual(self.run_cases('--update')[0], 0)
        self.assertEqual((self.folder / 'x/y/files/one.txt').read_text(), 'first\n')
        self.assertEqual((self.folder / 'x/y/files/w/two.gz.unpacked').read_text(), 'packed\n')
        self.assertEqual((self.folder / 'x/y/stdout.json').read_text(), '[\n  1,\n  {\n    "a": 2\n  }\n]\n')
        self.assertFalse((self.folder / 'x/y/stdout').exists())
        self.assertEqual(self.run_cases(), (0, ''))

    def test_output_that_should_be_json_and_is_not_fails(self):
        self.case({'stdout.json': '[]\n'})
        self.program.write_text('#!/bin/sh\necho "[1,"\n')
        status, printed = self.run_cases()
        self.assertEqual(status, 1)
        self.assertIn('+[1,', printed)


if __name__ == '__main__':
    unittest.main()
