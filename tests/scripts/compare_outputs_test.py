"""scripts/compare_outputs.py with shell scripts as the programs."""
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'scripts'))
import compare_outputs  # noqa: E402
from compare_outputs import Comparison  # noqa: E402

WRITES = '''echo text >"$2/a.txt"; mkdir "$2/store" "$2/c"; echo $$ >"$2/store/any"
echo "touchstone {version} at $2" >"$2/c/manifest.json"; sha256sum <"$2/c/manifest.json" >"$2/c/sums"
echo packed | gzip >"$2/b.gz"; echo printed'''


class Test(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='touchstone-compare-test-'))
        self.addCleanup(shutil.rmtree, self.folder)

    def program(self, version, body):
        path = self.folder / f'program-{version}'
        path.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "touchstone {version}" && exit\n{body}\n')
        path.chmod(0o755)
        return path

    def compared(self, base, new):
        return compare_outputs.compared(Comparison('x', lambda folder: [['run', folder]]), base, new, None)

    def writer(self, version, more=''):
        return self.program(version, WRITES.replace('{version}', version) + '\n' + more)

    def test_versions_folders_and_their_digests_do_not_count(self):
        verdict, lines, sums = self.compared(self.writer('1.0'), self.writer('2.0+abc'))
        self.assertEqual((verdict, lines), ('same', []))
        self.assertEqual(sorted(sums), ['a.txt', 'b.gz', 'c/manifest.json', 'c/sums', 'exit status', 'printed by 1: run'])

    def test_another_byte_in_a_file_is_named_with_its_line(self):
        verdict, lines, _ = self.compared(self.writer('1.0'), self.writer('2.0', 'echo other | gzip >"$2/b.gz"'))
        self.assertEqual(verdict, 'DIFFERENT')
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], "^b.gz: line 1: b'packed'\n +now: b'other'$")

    def test_a_new_file_a_lost_file_and_another_status_are_differences(self):
        _, lines, _ = self.compared(self.writer('1.0'), self.writer('2.0', 'rm "$2/a.txt"; touch "$2/d"; exit 3'))
        self.assertEqual([line.split('\n')[0] for line in lines[:2]], ['a.txt: no longer written', 'd: new'])
        self.assertIn('exit status 3', lines[2])

    def test_a_program_that_crashes_has_failed(self):
        verdict, lines, _ = self.compared(self.writer('1.0'), self.program('2.0', 'kill -SEGV $$'))
        self.assertEqual(verdict, 'failed')
        self.assertIn('signal 11', lines[0])

    def test_checksums_that_were_kept_are_compared_like_a_program(self):
        _, _, sums = self.compared(None, self.writer('1.0'))
        self.assertEqual(self.compared({'x': sums}, self.writer('2.0'))[:2], ('same', []))
        self.assertEqual(self.compared({'x': sums}, self.writer('2.1', 'echo more >>"$2/a.txt"'))[:2], ('DIFFERENT', ['a.txt']))
        self.assertEqual(self.compared({}, self.writer('2.2'))[0], 'DIFFERENT')


if __name__ == '__main__':
    unittest.main()
