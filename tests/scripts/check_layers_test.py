"""scripts/check_layers.py on made-up trees."""
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'scripts'))
import check_layers  # noqa: E402

PLAN = '''
the root:
  common
  formats  common
  pipeline common formats
pipeline:
  files
  corpus   files
  judging  files corpus
'''


class Test(unittest.TestCase):
    def problems(self, files, verbose=False):
        """What is printed for a tree of {path: text}, without the last line."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            out = io.StringIO()
            count = check_layers.check(root, check_layers.read_plan(PLAN), verbose, out)
            *lines, summary = out.getvalue().splitlines()
            self.assertTrue(summary.endswith(f' {count} problems'), summary)
            self.assertEqual(count, len([line for line in lines if line.split(':')[0] in ('arrow', 'circle', 'name', 'crowd', 'length', 'clash')]))
            return lines

    def test_arrows_of_the_plan_pass(self):
        self.assertEqual(self.problems({
            'common/a.hpp': '#include <string>\n', 'formats/trec/b.cpp': '#include "common/a.hpp"\n', 'formats/trec/b.hpp': '',
            'pipeline/stage.hpp': '#include "common/a.hpp"\n', 'pipeline/corpus/c.hpp': '#include "pipeline/stage.hpp"\n#include "formats/trec/b.hpp"\n',
            'pipeline/judging/d.cpp': '#include "pipeline/corpus/c.hpp"\n'}), [])

    def test_an_arrow_against_the_plan_is_named_with_file_line_include_and_rule(self):
        self.assertEqual(self.problems({'common/a.hpp': '', 'common/b.cpp': '#include "common/a.hpp"\n\n#include "formats/x.hpp"\n', 'formats/x.hpp': ''}),
                         ['arrow: common/b.cpp:3: "formats/x.hpp": common may not include formats; it may include no other room'])

    def test_rooms_of_one_folder_have_their_own_order(self):
        self.assertEqual(self.problems({'pipeline/corpus/a.cpp': '#include "pipeline/judging/x.hpp"\n', 'pipeline/judging/x.hpp': ''}),
                         ['arrow: pipeline/corpus/a.cpp:1: "pipeline/judging/x.hpp": corpus in pipeline may not include judging; it may include files'])

    def test_files_of_a_folder_are_a_room_of_it(self):
        self.assertEqual(self.problems({'pipeline/runner.cpp': '#include "pipeline/corpus/x.hpp"\n', 'pipeline/corpus/x.hpp': ''}),
                         ['arrow: pipeline/runner.cpp:1: "pipeline/corpus/x.hpp": files in pipeline may not include corpus; it may include no other room'])

    def test_a_room_that_the_plan_lacks_is_named(self):
        lines = self.problems({'news/a.cpp': '#include "common/x.hpp"\n', 'common/x.hpp': '', 'pipeline/extra/a.cpp': '#include "pipeline/x.hpp"\n', 'pipeline/x.hpp': ''})
        self.assertEqual(len(lines), 2)
        self.assertIn('"news" is not in the plan', lines[0])
        self.assertIn('"extra" in pipeline is not in the plan', lines[1])

    def test_an_include_of_a_test_is_an_arrow_against_the_plan(self):
        lines = self.problems({'common/a.cpp': '#include "tests/support/x.hpp"\n', 'tests/support/x.hpp': '', 'tests/unit/a_test.cpp': '#include "common/a.hpp"\n', 'common/a.hpp': ''})
        self.assertEqual(len(lines), 1)
        self.assertIn('"tests" is not in the plan', lines[0])

    def test_a_circle_of_two_rooms_lists_the_includes_of_its_weakest_arrow(self):
        lines = self.problems({
            'formats/json/a.cpp': '#include "formats/text/x.hpp"\n', 'formats/json/b.cpp': '#include "formats/text/x.hpp"\n', 'formats/json/y.hpp': '',
            'formats/text/x.hpp': '', 'formats/text/a.cpp': '\n#include "formats/json/y.hpp"\n'})
        self.assertEqual(lines, ['circle: formats/json -> formats/text -> formats/json; fewest includes: formats/text -> formats/json',
                                 '    formats/text/a.cpp:2: "formats/json/y.hpp"'])

    def test_a_circle_of_three_rooms_is_found_once(self):
        lines = self.problems({'formats/a/x.hpp': '#include "formats/b/x.hpp"\n', 'formats/b/x.hpp': '#include "formats/c/x.hpp"\n', 'formats/c/x.hpp': '#include "formats/a/x.hpp"\n'})
        self.assertEqual([line for line in lines if line.startswith('circle')],
                         ['circle: formats/a -> formats/b -> formats/c -> formats/a; fewest includes: formats/a -> formats/b'])

    def test_a_folder_and_a_room_in_it_are_two_rooms(self):
        lines = self.problems({'formats/x.hpp': '#include "formats/trec/y.hpp"\n', 'formats/trec/y.hpp': '#include "formats/x.hpp"\n'})
        self.assertTrue(lines[0].startswith('circle: formats -> formats/trec -> formats'), lines)

    def test_includes_are_named_from_the_root(self):
        self.assertEqual(self.problems({'common/a.hpp': '', 'common/a.cpp': '#include "a.hpp"\n#include "common/gone.hpp"\n#include "httplib.h"\n'}),
                         ['name: common/a.cpp:1: "a.hpp": no such file from the root', 'name: common/a.cpp:2: "common/gone.hpp": no such file from the root'])

    def test_a_crowd_is_more_than_25_sources_in_one_folder_and_headers_do_not_count(self):
        files = {f'formats/trec/{number}.cpp': '' for number in range(25)} | {f'formats/trec/{number}.hpp': '' for number in range(25)}
        self.assertEqual(self.problems(files), [])
        self.assertEqual(self.problems(files | {'formats/trec/more.cpp': ''}), ['crowd: formats/trec has 26 .cpp files side by side; more than 25 need rooms'])

    def test_a_long_file_needs_its_reason(self):
        text = 'int x;\n' * 401
        self.assertEqual(self.problems({'common/a.cpp': text[:-7]}), [])
        self.assertEqual(self.problems({'common/a.cpp': text}),
                         ['length: common/a.cpp has 401 lines; split it, or say in it: "This file is long because ..."'])
        self.assertEqual(self.problems({'common/a.cpp': '// This file is long because its table has a row for each unit.\n' + text}), [])

    def test_verbose_lists_rooms_and_long_functions_but_no_classes_and_tables(self):
        body = '  x();\n' * 60
        lines = self.problems({'common/a.cpp': f'namespace n {{\n\nint f() {{\n  x();\n}}\n\nvoid g(int a,\n       int b) {{\n{body}}}\n\nstruct S {{\n{body}}};\n\nconst int kTable[] = {{\n{body}}};\n\n}}\n',
                               'formats/b.cpp': '#include "common/c.hpp"\n', 'common/c.hpp': ''}, verbose=True)
        self.assertEqual(lines, ['common: no other room', 'formats: common (1)', 'common/a.cpp:7: a function of 63 lines'])

    def test_one_name_in_the_unnamed_namespaces_of_two_sources_of_a_room_is_a_clash(self):
        source = 'namespace n {\nnamespace {\n\n%s\n\n}  // namespace\n}  // namespace n\n'
        clash = 'clash: common/b.cpp and common/a.cpp both define {}; names in unnamed namespaces of a room must differ'
        for a, b, name in [('struct Row {\n};', 'class Row : public Base {\n};', 'Row'),
                           ('constexpr int kMost = 3;', 'const std::string kMost[] = {"a"};', 'kMost'),
                           ('int add(int a,\n        int b) {\n  return a + b;\n}', 'int add(int x, int y = 1) {\n  return x;\n}', 'add')]:
            self.assertEqual(self.problems({'common/a.cpp': source % a, 'common/b.cpp': source % b}), [clash.format(name)])
            self.assertEqual(self.problems({'common/a.cpp': source % a, 'formats/b.cpp': source % b}), [])
            self.assertEqual(self.problems({'common/a.cpp': source % a, 'common/b.cpp': f'namespace n {{\n{b}\n}}  // namespace n\n'}), [])

    def test_overloads_are_no_clash(self):
        source = 'namespace n {\nnamespace {\nint add(%s a) {\n  return 1;\n}\n}  // namespace\n}  // namespace n\n'
        self.assertEqual(self.problems({'common/a.cpp': source % 'int', 'common/b.cpp': source % 'const std::string&'}), [])

    def test_builds_and_hidden_folders_are_no_sources(self):
        self.assertEqual(self.problems({'build/dev/a.cpp': '#include "x.hpp"\n', '.cache/a.cpp': '#include "gone/x.hpp"\n', 'common/a.cpp': ''}), [])

    def test_a_plan_with_a_circle_is_refused(self):
        with self.assertRaisesRegex(ValueError, 'lists a before b'):
            check_layers.read_plan('the root:\n  a b\n  b a\n')

    def test_the_plan_of_the_repository_is_one(self):
        plan = check_layers.read_plan(check_layers.PLAN)
        self.assertEqual(plan['']['common'], set())
        self.assertIn('pipeline', plan['']['cli'])


if __name__ == '__main__':
    unittest.main()
