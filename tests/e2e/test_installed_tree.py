"""The installed tree is complete and works from where it is, and so is the Debian package."""
import os
import pathlib
import re
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

    def test_the_debian_package_has_the_installed_files_and_names_its_libraries(self):
        if os.environ.get('TOUCHSTONE_SANITIZER'):
            self.skipTest('nobody packages a program with a sanitizer')
        subprocess.run(['cpack', '-G', 'DEB', '-B', self.folder], cwd=os.environ['TOUCHSTONE_BUILD'], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, umask=0o022)
        package, = self.folder.glob('touchstone_*.deb')
        ask = lambda *question: subprocess.run(['dpkg-deb', *question], check=True, stdout=subprocess.PIPE, text=True).stdout
        lines = [line.split() for line in ask('--contents', package).splitlines()]
        self.assertEqual({owner for _, owner, *_ in lines}, {'root/root'})
        self.assertEqual({mode for mode, *_ in lines}, {'drwxr-xr-x', '-rwxr-xr-x', '-rw-r--r--'})
        self.assertEqual([line[-1] for line in lines if line[0] == '-rwxr-xr-x'], ['./usr/bin/touchstone'])
        as_debian_wants = {'share/doc/touchstone/CHANGELOG.md': 'share/doc/touchstone/changelog.gz', 'share/doc/touchstone/LICENSE': 'share/doc/touchstone/copyright'}
        expected = (pathlib.Path(__file__).parent / 'installed_files.txt').read_text().split()
        expected = ['./usr/' + as_debian_wants.get(name, name + '.gz' if name.endswith('.1') else name) for name in expected]
        self.assertEqual(sorted(line[-1] for line in lines if line[0][0] == '-'), sorted(expected))
        libraries = [name.split()[0] for name in ask('--field', package, 'Depends').split(',')]
        subprocess.run(['dpkg-deb', '--extract', package, self.folder / 'tree'], check=True)
        needed = subprocess.run(['objdump', '-p', self.folder / 'tree/usr/bin/touchstone'], check=True, stdout=subprocess.PIPE, text=True).stdout
        for soname in re.findall(r'NEEDED +(lib\S+)', needed):
            found = subprocess.run(['dpkg-query', '--search', '*/' + soname], check=True, stdout=subprocess.PIPE, text=True).stdout
            owners = {line.split(': ')[0] for line in found.splitlines()}
            named = subprocess.run(['dpkg-query', '--show', '-f=${Package} ${Provides} ', *owners], check=True, stdout=subprocess.PIPE, text=True).stdout
            self.assertTrue(set(named.replace(',', ' ').split()) & set(libraries), f'{soname} of {owners} is in none of {libraries}')
        subprocess.run([self.folder / 'tree/usr/bin/touchstone', '--version'], check=True, stdout=subprocess.DEVNULL)
