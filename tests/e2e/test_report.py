"""The report of an evidence collection: every topic and all that was left out, on pages that are small and whole."""
import gzip
import html
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys

from harness import SOURCE, EndToEnd

VOID = {'meta', 'input', 'br', 'hr', 'img', 'line', 'rect'}


class Page(html.parser.HTMLParser):
    """Checks that elements are closed in order; collects links, anchors and headings."""

    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.ids, self.problems, self.headings = [], [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if 'href' in attributes:
            self.links.append(attributes['href'])
        if 'id' in attributes:
            self.ids.append(attributes['id'])
        if re.fullmatch('h[1-6]', tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        if tag in VOID:
            self.handle_starttag(tag, attributes)
        else:
            self.problems.append(f'<{tag}/>')

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f'</{tag}> at {self.getpos()}')


class Test(EndToEnd):
    def pages(self, work):
        """The texts of the report's pages by name."""
        root = self.folder / work
        return {str(path.relative_to(root)): path.read_text() for path in [root / 'report.html', *(root / 'report').iterdir()]}

    def collection(self, work, name):
        content = (self.folder / work / 'collection' / name).read_bytes()
        return [json.loads(line) for line in (gzip.decompress(content) if name.endswith('.gz') else content).splitlines()]

    def check_report(self, work):
        """Every link leads somewhere, every topic stands in the index and on the pages once; returns the pages."""
        texts = self.pages(work)
        pages = {name: Page(text) for name, text in texts.items()}
        for name, page in pages.items():
            self.assertEqual((page.problems, page.open), ([], []), name)
            self.assertEqual(len(page.ids), len(set(page.ids)), f'{name}: an id occurs twice')
            self.assertEqual(page.headings.count(1), 1, name)
            for before, after in zip(page.headings, page.headings[1:]):
                self.assertLessEqual(after, before + 1, f'{name}: a level of headings is skipped')
            self.assertLess(len(texts[name]), 400 << 10, name)
            self.assertIsNone(re.search(r'<link|@import|url\(|<[a-z]+ [^>]*(src|action)=', texts[name]), name)
            for target in page.links:
                if target.startswith(('http://', 'https://')):
                    continue
                file, _, anchor = target.partition('#')
                place = os.path.normpath(os.path.join(os.path.dirname(name), file)) if file else name
                self.assertIn(place, pages, f'{name}: {target}')
                if anchor:
                    self.assertIn(anchor, pages[place].ids, f'{name}: {target}')
        topics = self.collection(work, 'queries.jsonl')
        shown = [found for text in texts.values() for found in re.findall(r'<article class="topic-page" id="t\d+"><header><h3 dir="auto">([^<]*)</h3>.*?<dt>topic</dt><dd dir="auto"><code>([^<]*)</code>', text, re.DOTALL)]
        self.assertEqual(sorted((html.unescape(query), id) for query, id in shown), sorted((topic['text'], topic['_id']) for topic in topics))
        listed = [target for name, page in pages.items() if name == 'report.html' or name.startswith('report/lists-') for target in page.links if re.search(r'topics-\d+\.html#t\d+$', target)]
        self.assertEqual(len(listed), len(topics))
        self.assertEqual(len(listed), len({target.removeprefix('report/') for target in listed}))
        return texts

    def search(self, texts):
        return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', texts['report.html'], re.DOTALL)[1])

    def test_all_of_a_small_collection_is_there(self):
        self.build('w')
        texts = self.check_report('w')
        said = ''.join(text for name, text in texts.items() if name.startswith('report/topics-'))
        for judgment in self.collection('w', 'judgments.jsonl.gz'):
            self.assertTrue(f'>{judgment["docid"]}</code>' in said, judgment)
            self.assertTrue(html.escape(judgment['reason'], quote=False).replace("'", '&#39;') in said, judgment)
        for member in self.collection('w', 'members.jsonl'):
            self.assertTrue(html.escape(member['title'], quote=False).replace("'", '&#39;') in said, member)
        left_out = ''.join(text for name, text in texts.items() if name.startswith('report/left-out-'))
        rows = [line.split('\t') for line in (self.folder / 'w' / 'collection' / 'discarded.tsv').read_text().splitlines()[1:]]
        self.assertEqual(left_out.count('<tr><td'), len(rows))
        for row in rows:
            self.assertTrue(f'<td dir="auto">{html.escape(row[1], quote=False)}</td>' in left_out, row)
        numbers = self.manifest('w')['numbers']
        self.assertTrue(f'<th scope="row">topics</th><td class="n">{numbers["topics"]}</td><td class="n paper">1,196</td>' in texts['report.html'])

    def test_reasons_are_sentences(self):
        self.build('w')
        for judgment in self.collection('w', 'judgments.jsonl.gz'):
            self.assertRegex(judgment['reason'], r"^Near the member, the passage has .* for what is listed; it has .* for where, and .* of the section(; it is from the member's own article)?\.$")

    def test_the_search_leads_to_the_topics(self):
        self.build('w')
        texts = self.pages('w')
        data = self.search(texts)
        topics = {topic['_id']: topic for topic in self.collection('w', 'queries.jsonl')}
        found = {entry[5]: (title, entry) for title, entries in data['lists'] for entry in entries}
        self.assertEqual(sorted(found), sorted(topics))
        for id, (title, (query, _, place, members, _, _, names)) in found.items():
            self.assertEqual((query, title), (topics[id]['text'], topics[id]['metadata']['page']))
            file, anchor = place.split('#')
            part = texts[data['folder'] + file].split(f'id="{anchor}"', 1)[1]
            self.assertIn(f'<code>{id}</code>', part[:3000])
            titles = [member['title'] for member in self.collection('w', 'members.jsonl') if member['topic'] == id]
            self.assertEqual(members, len(titles))
            for member in titles:
                self.assertIn(member, names)

    def test_thousands_of_topics_have_an_index_of_several_pages(self):
        dump = self.folder / 'many.xml'
        subprocess.run([sys.executable, SOURCE / 'bench' / 'many_topics.py', '320', '5', '5', str(dump)], check=True)
        self.run_program('--progress', 'never', 'build', '--dump', dump, '--work', self.folder / 'w')
        texts = self.check_report('w')
        self.assertEqual(len(self.collection('w', 'queries.jsonl')), 1600)
        self.assertIn('report/lists-2.html', texts)
        self.assertRegex(texts['report.html'], r'<a href="report/lists-\d+\.html#letter-\d+">M</a>')
        self.assertEqual(sum(len(entries) for _, entries in self.search(texts)['lists']), 1600)
        before = self.pages('w')
        self.run_program('report', '--work', self.folder / 'w', '--force', '--threads', '1')
        self.assertEqual(self.pages('w'), before)

    def test_pages_of_a_larger_collection_do_not_remain(self):
        self.build('w')
        (self.folder / 'w' / 'report' / 'topics-77.html').write_text('old')
        self.build('w', '--set', 'topics.min_evidence=20')
        self.check_report('w')
        self.assertNotIn('report/topics-77.html', self.pages('w'))

    def test_a_missing_report_is_written_again_alone(self):
        self.build('w')
        expected = self.pages('w')
        for damage in (lambda root: (root / 'report.html').unlink(), lambda root: shutil.rmtree(root / 'report'), lambda root: (root / 'report' / 'topics-1.html').unlink()):
            damage(self.folder / 'w')
            done = self.build('w')
            self.assertIn('export: done before', done.stderr)
            self.assertEqual(self.pages('w'), expected)
        self.assertIn('report: done before', self.build('w').stderr)

    def test_killed_at_any_point_the_next_run_gives_the_same(self):
        self.build('calm')
        expected = self.pages('calm')
        for point in ('report.topics', 'report.before_finish'):
            with self.subTest(point):
                self.build('calm')
                done = self.run_program('report', '--work', self.folder / 'calm', '--force', environment={'TOUCHSTONE_KILL_AT': point}, status=None)
                self.assertNotEqual(done.returncode, 0)
                self.build('calm')
                self.assertEqual(self.pages('calm'), expected)
                self.assertFalse((self.folder / 'calm' / 'report.partial').exists())

    def test_a_folder_that_the_program_did_not_write_stays(self):
        self.build('w')
        (self.folder / 'w' / 'report' / 'my-notes.txt').write_text('mine')
        done = self.run_program('report', '--work', self.folder / 'w', '--force', status=1)
        self.assert_one_error(done, 'my-notes.txt')

    def test_an_empty_collection_has_a_report(self):
        self.build('w', '--set', 'topics.min_evidence=1000', status=None)
        texts = self.check_report('w')
        self.assertIn('The collection has no topics.', texts['report.html'])
        self.assertIn('report/left-out-1.html', texts)

    def test_texts_of_the_wiki_cannot_become_markup(self):
        hostile = self.folder / 'hostile.xml'
        dump = (SOURCE / 'examples' / 'miniwiki' / 'miniwiki-20250101-pages-articles.xml').read_text()
        evil = '&lt;nowiki&gt;&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;\u202e&quot;\' {{text}}&lt;/nowiki&gt;'
        hostile.write_text(dump.replace('is a lighthouse', f'is a lighthouse {evil}').replace('List of lighthouses of Ostrand', 'List of lighthouses of Ostrand &quot;onclick&quot; &amp; Co'))
        self.run_program('--progress', 'never', 'build', '--set', 'ingest.checksum=warn', '--set', 'passages.keep_markup=true', '--dump', hostile, '--work', self.folder / 'w')
        texts = self.check_report('w')
        self.assertTrue(any('&lt;/script&gt;&lt;img' in text for text in texts.values()))
        for name, text in texts.items():
            self.assertFalse('<img' in text or '\u202e' in text, name)
