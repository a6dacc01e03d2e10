"""`--pages` tells the format of a file from its content, and says of everything that it does not read what it is and
what to do."""
import gzip
import io
import json
import re
import shutil
import tarfile
import unittest
import zipfile

from harness import EndToEnd, SOURCE

PAGE = '<html><head><title>Amber</title></head><body><h1>Amber Light</h1><p>It is on Ostra.</p><h2>History</h2><p>Built in 1900.</p></body></html>'


class Test(EndToEnd):
    def ingest(self, source, status=0, **options):
        """Reads pages into a new work directory; returns what ingest says of them, or the error."""
        work = self.folder / f'work{len(list(self.folder.glob("work*")))}'
        done = self.run_program('--progress', 'never', 'build', '--to', 'ingest', '--pages', source, '--work', work, status=status, **options)
        if status != 0:
            return done.stderr
        self.work = work
        return json.loads(self.run_program('status', '--work', work, '--format', 'json').stdout)['stages'][0]

    def show(self, what, title):
        return self.run_program('show', what, title, '--work', self.work).stdout

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def path_with(self, *programs):
        """An environment whose PATH holds only these scripts, (name, text)."""
        folder = self.folder / f'bin{len(list(self.folder.glob("bin*")))}'
        folder.mkdir()
        for name, text in programs:
            (folder / name).write_text(f'#!/bin/sh\n{text}')
            (folder / name).chmod(0o755)
        return {'PATH': str(folder)}

    def without_pandoc(self):
        return self.path_with()

    def assert_one_page(self, source, title='Amber Light'):
        ingest = self.ingest(source)
        self.assertEqual((ingest['counts']['pages'], ingest['counts']['paragraphs']), (1, 2), source)
        self.show('page', title)

    def test_html_is_told_in_any_encoding_and_compression(self):
        self.assert_one_page(self.write('mark.dat', '\ufeff'.encode('utf-16-le') + PAGE.encode('utf-16-le')))
        self.assert_one_page(self.write('little.dat', PAGE.encode('utf-16-le')))
        self.assert_one_page(self.write('big.dat', PAGE.encode('utf-16-be')))
        self.assert_one_page(self.write('comment.dat', '<!-- ' + 'licence ' * 300 + '-->\n' + PAGE))
        self.assert_one_page(self.write('fragment', '<h1>Amber Light</h1><p>It is on Ostra.</p><p>Built in 1900.</p>'))
        self.assert_one_page(self.write('page.html.gz', gzip.compress(PAGE.encode())))

    def test_tar_and_zip_archives_are_opened(self):
        for kind in ('', ':gz', ':bz2', ':xz'):
            path = self.folder / f'book.tar{kind.replace(":", ".")}'
            with tarfile.open(path, f'w{kind}') as archive:
                for name in ('book/a.html', '../evil.html'):
                    member = tarfile.TarInfo(name)
                    member.size = len(PAGE)
                    archive.addfile(member, io.BytesIO(PAGE.encode()))
            self.assert_one_page(path)
        with zipfile.ZipFile(self.folder / 'book.zip', 'w') as archive:
            archive.writestr('a.html', PAGE)
        self.assert_one_page(self.folder / 'book.zip')

    def test_what_is_not_read_is_named(self):
        with zipfile.ZipFile(self.folder / 'sheet.xlsx', 'w') as archive:
            archive.writestr('xl/workbook.xml', '<workbook/>')
        for path, what in ((self.write('book.dat', b'%PDF-1.4\n'), 'is a PDF, which is not read; convert it to HTML'),
                           (self.write('a.rtf', '{\\rtf1 x}'), 'is rich text (RTF), which is read with pandoc, which is not installed; apt-get install pandoc'),
                           (self.write('old', bytes.fromhex('d0cf11e0a1b11ae1')), 'is a file of Microsoft Office before 2007'),
                           (self.folder / 'sheet.xlsx', 'is a spreadsheet, which is not read'),
                           (self.write('d.xml', '<mediawiki><page></page></mediawiki>'), 'is a MediaWiki dump, which is not read; give it with --dump'),
                           (self.write('words', 'Only words.\n'), 'begins like no format that is known; --pages reads')):
            error = self.ingest(path, status=1, environment=self.without_pandoc())
            self.assertIn(what, error)
            self.assertNotIn('malformed JSON', error)

    def test_a_folder_counts_what_it_does_not_read(self):
        self.write('book/a.html', PAGE)
        self.write('book/a.css', 'p {}')
        for name in ('b.pdf', 'c.pdf', 'd.doc'):
            self.write(f'book/{name}', 'x')
        ingest = self.ingest(self.folder / 'book')
        self.assertEqual(ingest['counts']['pages'], 1)
        self.assertEqual(ingest['rejected'], {'file of a format that is not read': 3})
        self.assertTrue(ingest['samples']['file of a format that is not read'][0].startswith('b.pdf: is a PDF, which is not read; '), ingest['samples'])
        (self.folder / 'book/a.html').unlink()
        self.assertIn('no pages were found among 3 files of other formats: b.pdf: is a PDF', self.ingest(self.folder / 'book', status=1))

    def test_a_source_without_a_page_that_can_be_read_fails_with_the_reason(self):
        error = self.ingest(self.write('one.jsonl', '[]\n'), status=1)
        self.assertIn('no page of the file of pages could be used (1 pages left out: malformed JSON (first: line 1: not an object))', error)
        error = self.ingest(self.write('empty.html', '<div></div>'), status=1)
        self.assertIn('page without text (first: empty.html: it shows neither text nor pictures)', error)
        large = self.write('large.html', PAGE + '<p>' + 'word ' * 7_000_000)
        self.assertIn('larger than max_page_bytes (first: large.html: a page may have 33554432 bytes; split it', self.ingest(large, status=1))

    def test_a_dump_of_wikimedia_enterprise_is_a_wiki_with_redirects(self):
        def article(number, name, html, **more):
            return json.dumps({'name': name, 'identifier': number, 'date_modified': '2024-01-02T03:04:05Z', 'version': {'identifier': number + 100},
                               'url': 'https://en.wikipedia.org/wiki/A', 'namespace': {'identifier': 0}, 'in_language': {'identifier': 'en'},
                               'is_part_of': {'name': 'Wikipedia', 'identifier': 'enwiki'}, 'license': [{'identifier': 'CC-BY-SA-3.0'}], **more,
                               'article_body': {'html': html}}) + '\n'
        first = article(7, 'Amber Light', '<p>It is near <a rel="mw:WikiLink" href="./Basil">Basil Light</a>.</p><h2>History</h2><p>Built in 1900.</p>',
                        main_entity={'identifier': 'Q42'}, redirects=[{'name': 'Amber'}])
        second = article(3, 'Basil Light', '<p>It is near <a rel="mw:WikiLink" href="./Amber">Amber</a>.</p>', redirects=[{'name': 'Basil'}])
        lines = self.write('wiki.json', first + '{\n' + second)
        packed = self.write('wiki.ndjson.gz', gzip.compress((first + second).encode()))
        for kind in ('', ':gz'):
            with tarfile.open(self.folder / f'wiki.tar{kind.replace(":", ".")}', f'w{kind}') as archive:
                for name, text in (('wiki_0.ndjson', first.rstrip()), ('readme.txt', 'x'), ('wiki_1.ndjson', second)):
                    member = tarfile.TarInfo(name)
                    member.size = len(text)
                    archive.addfile(member, io.BytesIO(text.encode()))
        for source in (lines, packed, self.folder / 'wiki.tar', self.folder / 'wiki.tar.gz'):
            ingest = self.ingest(source)
            self.assertEqual({name: ingest['counts'][name] for name in ('pages', 'redirects', 'paragraphs', 'links')},
                             {'pages': 4, 'redirects': 2, 'paragraphs': 3, 'links': 4}, source)
            self.assertEqual(ingest['rejected'], {'malformed JSON': 1} if source == lines else {}, source)
            self.run_program('--progress', 'never', 'build', '--to', 'link', '--pages', source, '--work', self.work)
            self.assertIn('Amber Light', self.show('backlinks', 'Basil Light'))
            self.assertRegex(self.show('page', 'Amber Light'), 'redirected_from +Amber\n')

    def test_a_zim_file_is_a_site_with_redirects(self):
        zim = self.folder / 'lights.zim'
        # Written by libzim: the pages A and B with a link between them, a redirect C to B, and a picture.
        shutil.copy(SOURCE / 'fuzz/corpus/fuzz_zim/packed', zim)
        ingest = self.ingest(zim)
        self.assertEqual({name: ingest['counts'][name] for name in ('pages', 'redirects', 'paragraphs', 'links')}, {'pages': 3, 'redirects': 1, 'paragraphs': 2, 'links': 2})
        self.run_program('--progress', 'never', 'build', '--to', 'link', '--pages', zim, '--work', self.work)
        self.assertIn('A', self.show('backlinks', 'B'))
        self.assertRegex(self.show('page', 'B'), 'redirected_from +C\n')
        whole = zim.read_bytes()
        cut = self.write('cut.zim', whole[:-100])
        flipped = self.write('flipped.zim', whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:])
        for path, what in ((cut, 'this ZIM file is damaged or cut short: it is not as long as its header says; download it again'),
                           (flipped, 'its bytes do not match its checksum; download it again'),
                           (self.write('lights.zimaa', whole), 'is the first part of a split ZIM file; join the parts'),
                           (self.write('lights.zim.gz', gzip.compress(whole)), 'is a ZIM file, which is read only as a file of its own; name the file itself, not compressed')):
            self.assertIn(what, self.ingest(path, status=1))
        with zim.open('rb') as file:
            self.assertIn('name the file itself', self.ingest('-', status=1, stdin=file))
        self.write('book/a.html', PAGE)
        self.write('book/b.zim', whole)
        self.assertIn('b.zim: is a ZIM file, which is read only as', self.ingest(self.folder / 'book')['samples']['file of a format that is not read'][0])

    def test_a_folder_of_markdown_is_a_book(self):
        self.write('docs/SUMMARY.md', '- [Amber Light](amber.md)\n    - [Basil Light](basil/index.md)\n')
        self.write('docs/amber.md', '---\ntitle: ignored\n---\n# Amber\n\nIt is on Ostra.\n\n## History\n\nBuilt[^1] before [Basil](basil/#past).\n\n[^1]: Note.\n')
        self.write('docs/basil/index.md', '# Basil\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n~~Old~~ text.\n')
        with tarfile.open(self.folder / 'docs.tar.gz', 'w:gz') as archive:
            archive.add(self.folder / 'docs', 'docs')
        for source in (self.folder / 'docs', self.folder / 'docs.tar.gz'):
            ingest = self.ingest(source)
            self.assertEqual({name: ingest['counts'][name] for name in ('pages', 'paragraphs', 'tables', 'links')},
                             {'pages': 2, 'paragraphs': 3, 'tables': 1, 'links': 1})
            self.assertIn('History', self.show('outline', 'Amber Light'))
            self.assertIn('markdown', self.show('page', 'Basil Light'))
        self.assertEqual(self.ingest(self.folder / 'docs/amber.md')['counts']['pages'], 1)
        self.show('page', 'ignored')

    def test_a_dokuwiki_is_read_with_its_namespaces(self):
        self.write('wiki/pages/lights/start.txt', '====== Lights ======\nSee [[amber|Amber]].((note))\n===== Old =====\n  * one\n  * two\n')
        self.write('wiki/pages/lights/amber.txt', '====== Amber Light ======\n^ a ^ b ^\n| 1 | 2 |\n\nBack to [[lights:|all]].\n')
        ingest = self.ingest(self.folder / 'wiki')
        self.assertEqual({name: ingest['counts'][name] for name in ('pages', 'tables', 'links')}, {'pages': 2, 'tables': 1, 'links': 2})
        self.assertIn('Old', self.show('outline', 'Lights'))
        self.assertEqual(self.ingest(self.folder / 'wiki/pages/lights/amber.txt')['counts']['pages'], 1)

    def test_files_of_json_lines_in_a_folder_are_named(self):
        for name in ('a', 'b'):
            self.write(f'lines/{name}.jsonl', json.dumps({'title': name, 'sections': [{'paragraphs': ['It is on Ostra.']}]}))
        self.assertIn('among 2 files of other formats: a.jsonl: holds JSON lines, which are read only as files of their own; name each of them after --pages',
                      self.ingest(self.folder / 'lines', status=1))

    def test_what_pandoc_reads_is_read_again_when_pandoc_is_another_one(self):
        self.write('book/a.md', '# Amber Light\n\nIt is on Ostra.\n')
        self.write('book/b.rst', 'Basil Light\n')
        self.write('plain/a.md', '# Amber Light\n\nIt is on Ostra.\n')
        none, program = self.without_pandoc(), 'case $1 in --version) echo pandoc %s; exit;; esac\nfor a; do case $a in --output=*) out=${a#--output=};; esac; done\necho "<main><h1>Basil Light</h1><p>Of %s.</p></main>" >$out\n'
        first, second = self.path_with(('pandoc', program.replace('%s', '1'))), self.path_with(('pandoc', program.replace('%s', '2')))
        def build(source, environment):
            done = self.run_program('--progress', 'never', 'build', '--to', 'ingest', '--pages', self.folder / source, '--work', self.folder / f'{source}-work', environment=environment)
            pages = re.search('ingest: done in .* ([0-9]+) pages', done.stderr)
            return int(pages[1]) if pages else None
        self.assertEqual([build('book', path) for path in (none, none, first, first, second, none)], [1, None, 2, None, 2, 1])
        self.assertEqual([build('plain', path) for path in (none, first, second)], [1, None, None])

    def test_lessons_of_tqa_are_pages(self):
        def topic(name, text):
            return {'topicName': name, 'content': {'text': text, 'figures': [], 'mediaLinks': []}}

        lessons = [{'adjunctTopics': {'Introduction': {'content': {'text': 'It is on Ostra.'}, 'orderID': 't_01'}, 'Vocabulary': {'lamp': 'a light'}},
                    'globalID': 'L_0001', 'lessonName': 'Amber Light', 'topics': {'T_2': topic('Today', 'It is dark.'), 'T_1': topic('History', 'Built in 1900.')},
                    'questions': {'diagramQuestions': {'Q_1': {'text': 'Why?'}}}}, {'lessonName': 'Basil Light', 'globalID': 'L_0002', 'topics': {'T_3': topic('Past', 'Built in 1910.')}}]
        for indent in (None, 4):
            ingest = self.ingest(self.write('tqa.json', json.dumps(lessons, indent=indent)))
            self.assertEqual((ingest['counts']['pages'], ingest['counts']['paragraphs']), (2, 6))
            outline = self.show('outline', 'Amber Light')
            self.assertLess(outline.index('History'), outline.index('Today'))
            self.assertIn('Vocabulary', outline)
        self.write('lessons/2.json', json.dumps(lessons[1:]))
        self.write('lessons/1.json', json.dumps(lessons[:1]))
        self.write('lessons/3.json', json.dumps(lessons)[:-9])
        with tarfile.open(self.folder / 'lessons.tar.gz', 'w:gz') as archive:
            archive.add(self.folder / 'lessons', 'lessons')
        for source in (self.folder / 'lessons', self.folder / 'lessons.tar.gz'):
            ingest = self.ingest(source)
            self.assertEqual((ingest['counts']['pages'], ingest['counts']['paragraphs']), (2, 6), source)
            self.assertRegex(self.show('page', 'Amber Light'), 'page_id +1\n')
        self.assertIn('is a JSON array without lessons of TQA, which is not read; write each page as a line', self.ingest(self.write('none.json', '[]'), status=1))

    def test_other_documents_are_converted_with_pandoc(self):
        # A program in its place, which tells how it was asked.
        pandoc = self.path_with(('pandoc', 'for a; do case $a in --output=*) out=${a#--output=};; --from=*) from=${a#--from=};; esac; done\n'
                                 'for a; do last2=$last1; last1=$a; [ "$a" = +RTS ] && read -r first <"$last2"; done\n'
                                 'case $first in bad) echo "cannot convert" >&2; exit 64;; esac\n'
                                 'echo "<main><h1>$first</h1><p>Format $from with $*</p></main>" >$out\n'))
        self.write('book/a.rst', 'Amber Light\n')
        self.write('book/b.org', 'Basil Light\n')
        self.write('book/c.textile', 'bad\n')
        with zipfile.ZipFile(self.folder / 'book/d.docx', 'w') as archive:
            archive.writestr('word/document.xml', '<w/>')
        ingest = self.ingest(self.folder / 'book/a.rst', environment=pandoc)
        self.assertEqual(ingest['counts']['pages'], 1)
        self.assertIn('pandoc', self.show('page', 'Amber Light'))
        ingest = self.ingest(self.folder / 'book', environment=pandoc)
        self.assertEqual((ingest['counts']['pages'], ingest['rejected']), (3, {'page that could not be converted': 1}))
        self.assertEqual(ingest['samples']['page that could not be converted'], ['c.textile: pandoc: cannot convert'])
        self.assertEqual(self.ingest(self.folder / 'book/d.docx', environment=pandoc)['counts']['pages'], 1)
        self.write('book/e.md', '# E\n\nText.\n')
        ingest = self.ingest(self.folder / 'book', environment=self.without_pandoc())
        self.assertEqual((ingest['counts']['pages'], ingest['rejected']), (1, {'file of a format that is not read': 4}))
        self.assertIn('a.rst: is reStructuredText, which is read with pandoc, which is not installed', ingest['samples']['file of a format that is not read'][0])

    @unittest.skipUnless(shutil.which('pandoc'), 'pandoc is not installed')
    def test_restructured_text_and_org_are_read_as_pandoc_converts_them(self):
        self.write('book/a.rst', 'Amber Light\n===========\n\nIt is [1]_ on `Ostra <b.org>`_.\n\nHistory\n-------\n\nBuilt.\n\n.. [1] Note.\n\n.. toctree::\n   b\n')
        self.write('book/b.org', '#+TITLE: Basil Light\n\n* Past\nSee [[file:a.rst][Amber]].\n')
        ingest = self.ingest(self.folder / 'book')
        self.assertEqual({name: ingest['counts'][name] for name in ('pages', 'paragraphs', 'links')}, {'pages': 2, 'paragraphs': 3, 'links': 2})
        self.assertIn('History', self.show('outline', 'Amber Light'))
        self.assertIn('Past', self.show('outline', 'Basil Light'))

    def test_a_book_from_standard_input_is_refused(self):
        with self.write('a.html', PAGE).open() as file:
            self.assertIn('is HTML, of which only files and folders are read', self.ingest('-', status=1, stdin=file))
