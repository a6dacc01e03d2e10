"""No input takes all memory or the stack, and none is taken for another one without a word."""
import gzip
import os
import resource
import shutil
import subprocess
import tarfile
import zipfile

from harness import DUMP, EndToEnd, PROGRAM, SOURCE, compressed

MEMORY = 6 << 30  # address space that must do


class Test(EndToEnd):
    def bounded(self, *arguments, status=1):
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=SOURCE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=300, preexec_fn=None if os.environ.get('TOUCHSTONE_SANITIZER') else limit)
        done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
        self.assertEqual(done.returncode, status, done.stderr[:1000])
        return done

    def test_a_deep_key_of_a_config_file(self):
        for number, text in enumerate(('.'.join(['a'] * 450_000) + ' = 1\n', '[' + '.'.join(['a'] * 450_000) + ']\n', 'x = ' + '[' * 900_000,
                                       'x = ' + '{a=' * 200_000, '[[' + '.'.join(['a'] * 450_000) + ']]\n')):
            with self.subTest(number):
                (self.folder / 'deep.toml').write_text(text)
                self.assert_one_error(self.bounded('config', '--show', '--config', self.folder / 'deep.toml', status=2), 'deep.toml')
                self.assert_one_error(self.bounded('build', '--config', self.folder / 'deep.toml', '--dump', DUMP, '--work', self.folder / 'w', status=2))

    def test_evaluate_on_endless_lines(self):
        (self.folder / 'q').write_text('1 0 d 1\n')
        (self.folder / 'r').write_text('1 Q0 d 1 1 t\n')
        with gzip.open(self.folder / 'zeros.gz', 'wb') as out:
            out.write(bytes(200 << 20))
        for file in ('/dev/zero', self.folder / 'zeros.gz'):
            self.assert_one_error(self.bounded('evaluate', '--qrels', self.folder / 'q', file), 'is longer than')
            self.assert_one_error(self.bounded('evaluate', '--qrels', file, self.folder / 'r'), 'is longer than')

    def test_evaluate_on_a_gzip_bomb_of_short_lines(self):
        (self.folder / 'q').write_text('1 0 d 1\n')
        with gzip.open(self.folder / 'bomb.gz', 'wb') as out:
            lines = b'1 Q0 d 1 1 t\n' * 100_000
            for _ in range(400):
                out.write(lines)
        self.assert_one_error(self.bounded('evaluate', '--qrels', self.folder / 'q', self.folder / 'bomb.gz'), 'bomb.gz', 'times its size')

    def test_an_archive_with_several_files_is_not_read_as_its_first(self):
        first, second = self.folder / 'a.xml', self.folder / 'b.xml'
        shutil.copy(DUMP, first)
        shutil.copy(DUMP, second)
        subprocess.run(['7z', 'a', '-bso0', '-bsp0', str(self.folder / 'two.7z'), str(first), str(second)], check=True)
        with tarfile.open(self.folder / 'two.tar', 'w') as out:
            out.add(first, 'a.xml')
            out.add(second, 'b.xml')
        with zipfile.ZipFile(self.folder / 'two.zip', 'w') as out:
            out.write(first, 'a.xml')
            out.write(second, 'b.xml')
        archives = [self.folder / 'two.7z', self.folder / 'two.tar', self.folder / 'two.zip']
        archives += [compressed(kind, self.folder / 'two.tar', self.folder / f'two.tar.{kind}') for kind in ('gz', 'bz2', 'xz', 'zst')]
        for archive in archives:
            with self.subTest(archive.name):
                self.assert_one_error(self.build(archive.name + '.w', dump=archive, status=1), archive.name, 'archive')
                self.assertFalse((self.folder / (archive.name + '.w') / 'collection').exists())
                said = self.assert_one_error(self.run_program('evaluate', '--qrels', archive, archive, status=1), archive.name)
                self.assertRegex(said, 'archive|compressed with')

    def test_a_7z_with_a_folder_and_one_file_is_read(self):
        (self.folder / 'x').mkdir()
        shutil.copy(DUMP, self.folder / 'x' / DUMP.name)
        subprocess.run(['7z', 'a', '-bso0', '-bsp0', str(self.folder / 'one.7z'), 'x'], check=True, cwd=self.folder)
        self.build('w', dump=self.folder / 'one.7z')
        self.build('plain')
        self.assertEqual(self.results('w')['collection/qrels.txt'], self.results('plain')['collection/qrels.txt'])

    def test_a_dump_replaced_by_one_of_the_same_size_and_time_is_noticed(self):
        dump = self.folder / 'd.xml'
        shutil.copy(DUMP, dump)
        self.build('w', dump=dump)
        before = self.results('w')['collection/corpus.jsonl.gz']
        times = os.stat(dump)
        other = self.folder / 'other.xml'
        other.write_bytes(DUMP.read_bytes().replace(b'lighthouse', b'lightmouse'))
        os.replace(other, dump)
        os.utime(dump, ns=(times.st_atime_ns, times.st_mtime_ns))
        self.assertEqual(os.stat(dump).st_size, times.st_size)
        self.assertIn('ingest', self.to_run('w', dump=dump))
        self.build('w', '--set', 'ingest.checksum=warn', dump=dump)
        self.assertNotEqual(self.results('w')['collection/corpus.jsonl.gz'], before)
        self.assertEqual(self.to_run('w', '--set', 'ingest.checksum=warn', dump=dump), [])

    def test_one_that_was_rewritten_in_place_with_its_time_set_back_is_noticed(self):
        dump = self.folder / 'd.xml'
        shutil.copy(DUMP, dump)
        self.build('w', dump=dump)
        times = os.stat(dump)
        with open(dump, 'r+b') as out:
            text = out.read()
            out.seek(0)
            out.write(text.replace(b'lighthouse', b'lightmouse'))
        os.utime(dump, ns=(times.st_atime_ns, times.st_mtime_ns))
        self.assertIn('ingest', self.to_run('w', dump=dump))

    def test_the_same_bytes_moved_copied_or_linked_run_nothing(self):
        dump = self.folder / 'd.xml'
        shutil.copy2(DUMP, dump)
        self.build('w', dump=dump)
        copy = self.folder / 'copy'
        copy.mkdir()
        shutil.copy2(dump, copy / 'd.xml')
        os.link(dump, self.folder / 'link.xml')
        for path in (copy / 'd.xml', dump):
            self.assertEqual(self.to_run('w', dump=path), [])
            self.build('w', dump=path)
