"""A file that a stage left for others is used only as the stage wrote it."""
import re

from harness import EndToEnd


def flip(file):
    """Another bit in the middle of a file."""
    middle = len(file) // 2
    return file[:middle] + bytes([file[middle] ^ 1]) + file[middle + 1:]


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        self.build('w')
        self.stages = self.folder / 'w' / 'stages'

    def edit(self, name, change):
        """Changes a file without changing its size; returns what it held."""
        path = self.stages / name
        before = path.read_bytes()
        after = change(before)
        self.assertEqual(len(after), len(before))
        self.assertNotEqual(after, before)
        path.write_bytes(after)
        return before

    def test_an_edited_file_of_the_same_size_is_refused_by_what_reads_it(self):
        for name, stage, reader in (('judgments.records', 'judge', 'export'), ('groups.records', 'groups', 'candidates'),
                                    ('candidates.records', 'candidates', 'judge'), ('queries.records', 'phrase', 'export')):
            with self.subTest(name=name):
                collection = self.results('w')
                before = self.edit(name, flip)
                said = self.assert_one_error(self.run_program(reader, '--work', self.folder / 'w', '--force', status=1),
                                             f'stages/{name} is not as stage {stage} wrote it', f'touchstone {stage} --work', '--force')
                self.assertNotIn('please report', said)
                (self.stages / name).write_bytes(before)
                self.build('w')
                self.assert_same_results('w', collection)

    def test_the_command_of_the_message_mends_it(self):
        expected = self.results('w')
        self.edit('judgments.records', flip)
        said = self.assert_one_error(self.run_program('export', '--work', self.folder / 'w', '--force', status=1))
        command = re.search(r'touchstone (judge --work \S+ --force)', said)[1].split()
        self.run_program(*command)
        self.build('w')
        self.assert_same_results('w', expected)

    def test_show_does_not_show_an_edited_file(self):
        self.edit('judgments.records', flip)
        for what in ('judgments', 'groups'):
            self.assert_one_error(self.run_program('show', what, '--work', self.folder / 'w', status=1), 'is not as stage judge wrote it')

    def test_an_edited_manifest_of_the_collection_is_refused_by_the_report(self):
        path = self.folder / 'w' / 'collection' / 'manifest.json'
        path.write_text(path.read_text().replace('"baseline_judge": true', '"baseline_judge":false'))
        self.assert_one_error(self.run_program('report', '--work', self.folder / 'w', '--force', status=2),
                              'stage report needs stage export', 'collection/manifest.json is missing or changed', 'touchstone export')
