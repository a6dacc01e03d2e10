"""The real edits of a wiki: the dumps of some days, each built from the work directory of the one before, have the bytes of builds from nothing."""
import subprocess
import sys

from harness import SOURCE, EndToEnd, need_data

DAYS = ('2006-12-31', '2007-06-30', '2007-12-31', '2008-12-31', '2010-12-31', '2015-06-30', '2025-12-31')


class Test(EndToEnd):
    def dump_of(self, history, day):
        made = self.folder / f'{day}.xml'
        made.write_bytes(subprocess.run([sys.executable, SOURCE / 'bench' / 'history_snapshot.py', history, '--at', day], stdout=subprocess.PIPE, check=True).stdout)
        return made

    def build_of(self, work, dump, *arguments):
        """What two readers of the store make of all pages."""
        for stage in ('passages', 'pages'):
            self.run_program('--progress', 'never', 'build', '--to', stage, '--dump', dump, '--work', self.folder / work, *arguments)
        stages = self.folder / work / 'stages'
        return {str(path.relative_to(stages)): path.read_bytes() for folder in ('passages', 'pages') for path in (stages / folder).rglob('*')}

    def test_each_day_has_the_bytes_of_a_build_from_nothing(self):
        history = need_data(self, 'aawiki-20260101-pages-meta-history.xml.7z')
        before, sizes = None, []
        for day in DAYS:
            dump = self.dump_of(history, day)
            sizes.append(dump.stat().st_size)
            expected = self.build_of(f'{day}-alone', dump)
            found = self.build_of(day, dump, *(['--previous', self.folder / before] if before else []))
            self.assertEqual([name for name in expected if found[name] != expected[name]], [], day)
            self.assertEqual(found.keys(), expected.keys(), day)
            before = day
        self.assertEqual(sizes, sorted(sizes), 'the wiki grew')
        counts = self.run_program('status', '--work', self.folder / before, '--format', 'json').stdout
        self.assertIn('pages taken over from the previous dump', counts)
