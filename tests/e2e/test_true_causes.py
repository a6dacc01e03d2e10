"""What went wrong is said as it is: a killed program, a limit, a name, a permission are no damaged dump and no crash."""
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import time

from harness import DUMP, EndToEnd, PROGRAM, SOURCE, compressed

# A user without rights and without other processes: the limit of processes counts all that the user has.
NOBODY = 20_000 + os.getpid() % 40_000


def program_of(script):
    return '#!/bin/sh\n' + script + '\n'


class Test(EndToEnd):
    def with_lbzip2(self, script, **options):
        """A build from a .bz2 with another program in the place of lbzip2."""
        tools = self.folder / 'tools'
        tools.mkdir(exist_ok=True)
        (tools / 'lbzip2').write_text(program_of(script))
        (tools / 'lbzip2').chmod(0o755)
        dump = compressed('bz2', DUMP, self.folder / 'd.xml.bz2')
        return self.build('w', dump=dump, environment={'PATH': f'{tools}:{os.environ["PATH"]}'}, **options)

    def start(self, *arguments, environment=None):
        return subprocess.Popen([PROGRAM, '--progress', 'never', *map(str, arguments)], cwd=SOURCE, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})

    def assert_obeys_the_first_signal(self, process, number):
        try:
            deadline = time.time() + 30
            while b'ingest: Read' not in process.stderr.readline() and time.time() < deadline:
                pass
            time.sleep(0.3)
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=10), 3)
            self.assertIn(b'stopped: run the same command again', process.stderr.read())
        finally:
            process.kill()
            process.wait()
            process.stderr.close()

    # The decompressor.

    def test_a_killed_decompressor_is_no_damaged_dump(self):
        for name in ('KILL', 'TERM', 'XCPU', 'PIPE'):
            with self.subTest(name):
                number = int(getattr(signal, 'SIG' + name))
                said = self.assert_one_error(self.with_lbzip2(f'head -c 100 >/dev/null; kill -{name} $$', status=1), f'signal {number} ', 'd.xml.bz2')
                self.assertNotIn('download', said)
                self.assertNotIn('damaged', said)

    def test_a_decompressor_that_cannot_run_is_no_damaged_dump(self):
        for script, words in (('exit 127', 'exit status 127'), ('echo "lbzip2: malloc(): Cannot allocate memory." >&2; exit 1', 'Cannot allocate memory'),
                              ('echo "lbzip2: unable to create a POSIX thread: Resource temporarily unavailable" >&2; exit 1', 'POSIX thread'),
                              ('cat >/dev/null; exit 4', 'exit status 4')):
            with self.subTest(script):
                said = self.assert_one_error(self.with_lbzip2(script, status=1), words, 'use_lbzip2=false')
                self.assertNotIn('download', said)

    def test_damaged_data_is_still_called_damaged(self):
        said = self.assert_one_error(self.with_lbzip2('cat >/dev/null; echo "lbzip2: stdin: compressed data error: block CRC mismatch" >&2; exit 1', status=1), 'd.xml.bz2: damaged')
        self.assertIn('download it again', said)

    def test_a_real_decompressor_under_a_limit(self):
        if not shutil.which('lbzip2'):
            self.skipTest('lbzip2 is not installed')
        said = self.assert_one_error(self.with_lbzip2('ulimit -v 1000; exec /usr/bin/lbzip2 "$@"', status=1))
        self.assertNotIn('download', said)

    def test_a_stopped_decompressor_obeys_the_first_signal(self):
        tools = self.folder / 'tools'
        tools.mkdir()
        (tools / 'lbzip2').write_text(program_of('kill -STOP $$'))
        (tools / 'lbzip2').chmod(0o755)
        dump = compressed('bz2', DUMP, self.folder / 'd.xml.bz2')
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start('ingest', '--dump', dump, '--work', self.folder / 'w', environment={'PATH': f'{tools}:{os.environ["PATH"]}'})
            self.assert_obeys_the_first_signal(process, number)

    def test_one_that_is_stopped_in_the_middle_obeys_it_too(self):
        tools = self.folder / 'tools'
        tools.mkdir()
        (tools / 'lbzip2').write_text(program_of('bzip2 -dc | head -c 30000; exec >&-; kill -STOP $$'))
        (tools / 'lbzip2').chmod(0o755)
        dump = compressed('bz2', DUMP, self.folder / 'd.xml.bz2')
        process = self.start('ingest', '--dump', dump, '--work', self.folder / 'w', environment={'PATH': f'{tools}:{os.environ["PATH"]}'})
        self.assert_obeys_the_first_signal(process, signal.SIGINT)

    # Pipes.

    def test_a_fifo_without_a_writer_obeys_the_first_signal(self):
        fifo = self.folder / 'dump.fifo'
        os.mkfifo(fifo)
        for number in (signal.SIGINT, signal.SIGTERM):
            self.assert_obeys_the_first_signal(self.start('ingest', '--dump', fifo, '--work', self.folder / 'w'), number)

    def test_a_fifo_whose_writer_is_silent_obeys_it_too_and_goes_on_later(self):
        fifo = self.folder / 'dump.fifo'
        os.mkfifo(fifo)
        process = self.start('ingest', '--dump', fifo, '--work', self.folder / 'w', '--set', 'ingest.batch_bytes=4096')
        writer = os.open(fifo, os.O_WRONLY)
        os.write(writer, DUMP.read_bytes()[:60_000])
        try:
            self.assert_obeys_the_first_signal(process, signal.SIGINT)
        finally:
            os.close(writer)
        self.run_program('ingest', '--dump', DUMP, '--work', self.folder / 'w')

    def test_a_dump_from_a_fifo_is_read(self):
        fifo = self.folder / DUMP.name
        os.mkfifo(fifo)
        writer = subprocess.Popen(['sh', '-c', f'cat {DUMP} > {fifo}'])
        try:
            self.build('w', dump=fifo)
        finally:
            writer.kill()
            writer.wait()
        self.build('file')
        self.assertEqual(self.results('w')['collection/qrels.txt'], self.results('file')['collection/qrels.txt'])

    # Names, permissions, limits.

    def test_names_that_are_too_long(self):
        name = 'x' * 300
        for arguments in (['build', '--dump', DUMP, '--work', self.folder / name], ['build', '--dump', self.folder / name, '--work', self.folder / 'w'],
                          ['status', '--work', self.folder / name], ['validate', self.folder / name], ['evaluate', '--qrels', name, name],
                          ['judge', '--work', self.folder / name, '--export', 'x'], ['build', '--config', name, '--dump', DUMP, '--work', self.folder / 'w']):
            with self.subTest(arguments=str(arguments)[:60]):
                done = self.run_program(*arguments, status=None)
                self.assertIn(done.returncode, (1, 2), done.stderr)
                said = self.assert_one_error(done, 'File name too long')
                self.assertNotIn('please report', said)

    def test_a_part_of_the_path_is_a_file(self):
        (self.folder / 'file').write_text('x')
        said = self.assert_one_error(self.build('file/w', status=1), 'Not a directory')
        self.assertNotIn('please report', said)

    def as_nobody(self, *arguments, limits=(), status=1):
        """Runs the program as a user without rights, if that is possible here. Without the search for leaks, which starts a process."""
        if os.geteuid() != 0:
            self.skipTest('needs root, to become another user')
        def become():
            for limit, value in limits:
                resource.setrlimit(limit, (value, value))
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        try:
            done = subprocess.run([PROGRAM, *map(str, arguments)], cwd='/', stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  timeout=120, preexec_fn=become, env={**os.environ, 'ASAN_OPTIONS': os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'})
        except PermissionError:
            self.skipTest('another user may not run the program')
        done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
        if status is not None:
            self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_a_folder_that_may_not_be_entered(self):
        closed = self.folder / 'closed'
        closed.mkdir(mode=0o700)
        os.chmod(self.folder, 0o755)
        shutil.copy(DUMP, self.folder / 'd.xml')
        (closed / 'w').mkdir()
        for arguments in (['build', '--dump', self.folder / 'd.xml', '--work', closed / 'w'], ['build', '--dump', closed / 'd.xml', '--work', '/tmp/none-of-it'],
                          ['status', '--work', closed / 'w'], ['validate', closed / 'w'], ['build', '--dump', self.folder / 'd.xml', '--work', self.folder / 'new']):
            with self.subTest(arguments=[str(word) for word in arguments]):
                said = self.assert_one_error(self.as_nobody(*arguments), 'Permission denied')
                self.assertNotIn('please report', said)

    def test_threads_that_cannot_be_created(self):
        work = self.folder / 'mine'
        work.mkdir()
        os.chown(work, NOBODY, NOBODY) if os.geteuid() == 0 else None
        os.chmod(self.folder, 0o755)
        shutil.copy(DUMP, self.folder / 'd.xml')
        for limit in (1, 5, 20):
            for command in (['build', '--dump', self.folder / 'd.xml', '--work', work / str(limit), '-j', '32'],
                            ['evaluate', '--qrels', self.folder / 'q', self.folder / 'r', '-j', '64']):
                (self.folder / 'q').write_text('1 0 d 1\n')
                (self.folder / 'r').write_text('1 Q0 d 1 1 t\n')
                with self.subTest(limit=limit, command=command[0]):
                    said = self.assert_one_error(self.as_nobody(*command, limits=[(resource.RLIMIT_NPROC, limit)]), 'cannot start another thread', '--threads')
                    self.assertNotIn('please report', said)

    def small_disk(self, size):
        """An empty disk of this size, until the end of the test."""
        if os.geteuid() != 0:
            self.skipTest('needs root, to mount a small disk')
        disk = self.folder / f'disk-{size}'
        disk.mkdir()
        if subprocess.run(['mount', '-t', 'tmpfs', '-o', f'size={size}', 'none', str(disk)], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest('nothing can be mounted here')
        self.addCleanup(subprocess.run, ['umount', '-l', disk])
        return disk

    def test_a_disk_that_is_too_full_for_a_store(self):
        for size in ('4k', '16k', '128k', '1m', '7m'):
            with self.subTest(size):
                done = self.run_program('--progress', 'never', 'build', '--dump', DUMP, '--work', self.small_disk(size) / 'w', status=1)
                said = self.assert_one_error(done, 'No space left on device', 'free some space')
                self.assertNotIn('please report', said)

    def test_a_disk_that_is_nearly_full_is_left_to_others(self):
        """The run ends while there is still some space, and goes on when there is more."""
        disk, fifo = self.small_disk('1200m'), self.folder / DUMP.name
        os.mkfifo(fifo)
        process = self.start('build', '--dump', fifo, '--work', disk / 'w')
        with open(fifo, 'wb') as writer:  # the stage runs now
            space = os.statvfs(disk)
            with open(disk / 'filler', 'wb') as filler:
                os.posix_fallocate(filler.fileno(), 0, space.f_bavail * space.f_frsize - 10_000_000)
            time.sleep(1)  # a reader that waits sees it too
        said = process.stderr.read().decode().splitlines()[-1]
        process.stderr.close()
        self.assertEqual(process.wait(timeout=60), 1, said)
        self.assertRegex(said, r'^error: the disk of \S+/w is nearly full: [\d,]+ bytes are free, and a run leaves [\d,]+ to others \(run.keep_free_mb\); free some space and run again$')
        self.run_program('--progress', 'never', 'build', '--work', disk / 'w', '--dump', DUMP, '--set', 'run.keep_free_mb=0')
        (disk / 'filler').unlink()
        self.run_program('--progress', 'never', 'build', '--work', disk / 'w', '--dump', DUMP, '--set', 'run.keep_free_mb=256')

    def test_a_disk_that_becomes_full_while_judgments_are_written(self):
        disk, fifo = self.small_disk('9m'), self.folder / DUMP.name
        os.mkfifo(fifo)
        process = self.start('build', '--dump', fifo, '--work', disk / 'w')
        with open(fifo, 'wb') as writer:  # the store is open now
            space = os.statvfs(disk)
            (disk / 'filler').write_bytes(bytes(space.f_bavail * space.f_frsize - 400_000))
            writer.write(DUMP.read_bytes())
        said = process.stderr.read().decode()
        self.assertEqual(process.wait(timeout=60), 1, said)
        process.stderr.close()
        self.assertIn('No space left on device', said.splitlines()[-1])

    def test_a_disk_that_becomes_full_at_any_step_of_a_store(self):
        """One sentence, and what was stored before is kept, also if the disk is full when a table is flushed."""
        if os.environ.get('TOUCHSTONE_SANITIZER'):
            self.skipTest('a sanitizer must be loaded before all others')
        replies = self.folder / 'replies.jsonl'
        noise = random.Random(1)
        with open(replies, 'w') as out:
            for number in range(24_000):
                reply = {'digest': f'{number * 2_654_435_761 % 2**32:08x}' * 8, 'judge': 'j', 'status': 200, 'prompt_tokens': 1, 'cached_tokens': 0, 'reply_tokens': 1,
                         'attempts': 1, 'cost': 0, 'latency_us': 1, 'reply': noise.randbytes(800).hex()}
                out.write(json.dumps(reply) + '\n')
        cases = [('sync', '.sst', 1), ('open', '.sst', 1), ('write', '.sst', 1), ('write', 'MANIFEST', 16), ('write', 'MANIFEST', 18), ('sync', 'MANIFEST', 14),
                 ('sync', 'MANIFEST', 15), ('write', '.log', 12)]
        for call, files, first in cases * 3:  # threads differ in their order
            with self.subTest(call=call, files=files):
                shutil.rmtree(self.folder / 'w', ignore_errors=True)
                full = {'LD_PRELOAD': os.environ['TOUCHSTONE_FULL_DISK'], 'FULL_DISK_CALL': call, 'FULL_DISK_FILES': files, 'FULL_DISK_FROM': str(first)}
                done = self.run_program('judge', '--work', self.folder / 'w', '--import', replies, status=1, environment=full)
                self.assert_one_error(done, 'No space left on device', 'free some space')
        kept = self.run_program('judge', '--work', self.folder / 'w', '--export', self.folder / 'kept.jsonl').stdout
        self.assertGreater(int(kept.split()[1]), 1_000)
        self.run_program('judge', '--work', self.folder / 'w', '--import', replies)
        for call in ('write', 'open'):
            with self.subTest(log=call):
                full = {'LD_PRELOAD': os.environ['TOUCHSTONE_FULL_DISK'], 'FULL_DISK_CALL': call, 'FULL_DISK_FILES': 'store/LOG', 'FULL_DISK_FROM': '1'}
                self.run_program('judge', '--work', self.folder / 'w', '--import', replies, environment=full)
