"""The installed tree is complete and works from where it is."""
import os
import pathlib
import subprocess

from harness import EndToEnd


class Test(EndToEnd):
    def test_the_installed_program_builds_the_example(self):
        subprocess.run(['cmake', '--install', os.environ['TOUCHSTONE_BUILD'], '--prefix', self.folder / 'usr'], check=True, stdout=subprocess.DEVNULL)
        share = self.folder / 'usr' / 'share' / 'touchstone'
        dump = share / 'examples' / 'miniwiki' / 'miniwiki-20250101-pages-articles.xml'
        done = subprocess.run([self.folder / 'usr' / 'bin' / 'touchstone', 'build', '--config', share / 'configs' / 'miniwiki.toml', '--dump', dump,
                               '--work', self.folder / 'w'], cwd=share, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('precision', done.stdout)
        self.run_program('validate', self.folder / 'w' / 'collection')

    def test_the_list_of_installed_files_holds(self):
        subprocess.run(['cmake', '--install', os.environ['TOUCHSTONE_BUILD'], '--prefix', self.folder / 'usr'], check=True, stdout=subprocess.DEVNULL)
        found = sorted(str(path.relative_to(self.folder / 'usr')) for path in (self.folder / 'usr').rglob('*') if path.is_file())
        expected = (pathlib.Path(__file__).parent / 'installed_files.txt').read_text().split()
        self.assertEqual(found, expected, 'if the change is meant, change tests/e2e/installed_files.txt')
