"""What the end-to-end tests share: the program, the bundled wiki, work directories, and how results are compared.

Every test is a method of a class `Test` in a file `test_*.py` or `slow_*.py`; tests/e2e/CMakeLists.txt makes one ctest
test of each. Python's standard library only.
"""
import ctypes
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ['TOUCHSTONE_PROGRAM']
SOURCE = pathlib.Path(os.environ['TOUCHSTONE_SOURCE'])
DATA = pathlib.Path(os.environ.get('TOUCHSTONE_DATA') or SOURCE.parent / 'shared' / 'data')
DUMP = SOURCE / 'examples' / 'miniwiki' / 'miniwiki-20250101-pages-articles.xml'
CONFIG = SOURCE / 'configs' / 'miniwiki.toml'
SMALL_BATCHES = ['--set', 'ingest.batch_bytes=4096']
LISTING = subprocess.run([PROGRAM, 'build', '--list-stages'], check=True, stdout=subprocess.PIPE).stdout.decode()
NEEDS = {stage: needs.split() for stage, needs in re.findall(r'^([\w-]+) .*\n +needs (.*)', LISTING.split('\n\n')[0], re.MULTILINE)}
STAGES = list(NEEDS)


def closure(stage):
    """The stages that `build --to` runs for a stage, in the order of the table."""
    found = {stage}.union(*(closure(other) for other in NEEDS[stage] if other in NEEDS))
    return [other for other in STAGES if other in found]


DEFAULT_STAGES = closure('report')  # of a build without --to


class EndToEnd(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='touchstone-e2e-'))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    # Running the program.

    def run_program(self, *arguments, status=0, environment=None, stdin=None, cwd=SOURCE):
        """Runs the program and checks its exit status (None: any); returns what it wrote."""
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=cwd, stdin=stdin if stdin else subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600,
                              env={**os.environ, **(environment or {})})
        done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
        if status is not None and done.returncode != status:
            self.fail(f'{" ".join(map(str, arguments))}: exit status {done.returncode}, not {status}\n{done.stderr}')
        return done

    def build(self, work, *arguments, dump=DUMP, **options):
        return self.run_program('--progress', 'never', 'build', '--config', CONFIG, '--dump', dump, '--work', self.folder / work, *arguments, **options)

    def plan(self, work, *arguments, dump=DUMP):
        """Stage -> (runs, why) of --dry-run."""
        lines = [line for line in self.build(work, '--dry-run', *arguments, dump=dump).stdout.splitlines() if line.split(' ')[0] in STAGES]
        return {line.split()[0]: (line.split()[1] == 'run', line.split(None, 2)[2]) for line in lines}

    def to_run(self, work, *arguments, dump=DUMP):
        return [stage for stage, (runs, _) in self.plan(work, *arguments, dump=dump).items() if runs]

    # Looking at results.

    def results(self, work):
        """Name -> bytes of everything a build leaves for people."""
        root = self.folder / work
        files = [*(root / 'collection').rglob('*'), *(root / 'stages').rglob('*'), *(root / 'report').rglob('*'), root / 'report.html']
        return {str(path.relative_to(root)): path.read_bytes() for path in files if path.is_file()}

    def assert_same_results(self, work, expected, message=''):
        found = self.results(work)
        self.assertEqual(sorted(found), sorted(expected), message)
        for name in expected:
            if found[name] != expected[name]:
                self.fail(f'{message} {name} differs: {first_difference(found[name], expected[name])}')

    def assert_one_error(self, done, *words):
        """The last thing said is one sentence that starts with "error: "; nothing looks like a crash."""
        errors = [line for line in done.stderr.splitlines() if line.startswith('error: ')]
        self.assertEqual(len(errors), 1, done.stderr)
        self.assertTrue(done.stderr.endswith(errors[0] + '\n'), done.stderr)
        for crash in ('terminate called', 'Segmentation', 'Aborted', 'Sanitizer', 'std::'):
            self.assertNotIn(crash, done.stderr)
        for word in words:
            self.assertIn(word, errors[0])
        return errors[0]

    def records(self, work, name):
        """The records of a file in the folder of the stages, such as 'queries'."""
        shown = self.run_program('show', self.folder / work / 'stages' / f'{name}.records').stdout
        return [json.loads(line) for line in shown.split('\n') if line]

    def groups(self, work):
        return json.loads(self.run_program('show', 'groups', '--work', self.folder / work, '--format', 'json').stdout)

    def manifest(self, work):
        return json.loads((self.folder / work / 'collection' / 'manifest.json').read_text())

    def put_into_store(self, work, key, value):
        """Writes into the store as another version of the program would, by the library that the program uses."""
        found = re.search(r'librocksdb\S* => (\S+)', subprocess.run(['ldd', PROGRAM], stdout=subprocess.PIPE, text=True).stdout)
        if not found:
            self.skipTest('the program has RocksDB built in')
        library = ctypes.CDLL(found[1])
        for name in ('rocksdb_options_create', 'rocksdb_writeoptions_create', 'rocksdb_list_column_families', 'rocksdb_open_column_families'):
            getattr(library, name).restype = ctypes.c_void_p
        failure, count = ctypes.c_char_p(), ctypes.c_size_t()
        path, options = str(self.folder / work / 'store').encode(), ctypes.c_void_p(library.rocksdb_options_create())
        names = ctypes.c_void_p(library.rocksdb_list_column_families(options, path, ctypes.byref(count), ctypes.byref(failure)))
        pointers = ctypes.c_void_p * count.value
        handles = pointers()
        store = ctypes.c_void_p(library.rocksdb_open_column_families(options, path, ctypes.c_int(count.value), names, pointers(*[options.value] * count.value), handles,
                                                                     ctypes.byref(failure)))
        self.assertIsNone(failure.value)
        written = ctypes.c_void_p(library.rocksdb_writeoptions_create())
        library.rocksdb_put(store, written, key, ctypes.c_size_t(len(key)), value, ctypes.c_size_t(len(value)), ctypes.byref(failure))
        self.assertIsNone(failure.value)
        for handle in handles:
            library.rocksdb_column_family_handle_destroy(ctypes.c_void_p(handle))
        library.rocksdb_close(store)


def first_difference(a, b):
    if a[:2] == b'\x1f\x8b' and b[:2] == b'\x1f\x8b':
        a, b = gzip.decompress(a), gzip.decompress(b)
    for number, (left, right) in enumerate(zip(a.splitlines(), b.splitlines()), 1):
        if left != right:
            return f'line {number}: {left[:300]!r} is not {right[:300]!r}'
    return f'{len(a)} bytes are not {len(b)} bytes'


def compressed(kind, source, target):
    """Writes `source` to `target` in the form that `kind`, a file ending, names; returns `target`."""
    commands = {'bz2': ['bzip2', '-c'], 'gz': ['gzip', '-nc'], 'xz': ['xz', '-c'], 'zst': ['zstd', '-qc']}
    if kind == 'xml':
        shutil.copyfile(source, target)
    elif kind == '7z':
        subprocess.run(['7z', 'a', '-bso0', '-bsp0', str(target), str(source)], check=True)
    else:
        with open(target, 'wb') as out:
            subprocess.run([*commands[kind], str(source)], check=True, stdout=out)
    return target


def need_data(test, *names):
    """The real files of those names; skips the test with a clear line where they are not."""
    paths = [DATA / 'dumps' / name for name in names]
    for path in paths:
        if not path.exists():
            test.skipTest(f'real data is not here: {path} (set TOUCHSTONE_DATA to its folder)')
    return paths if len(paths) > 1 else paths[0]


def agreement(output):
    """(precision, recall) that a build prints."""
    found = re.search(r'precision ([\d.]+), recall ([\d.]+)', output)
    return float(found[1]), float(found[2])
