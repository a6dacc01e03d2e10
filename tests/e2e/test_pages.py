"""Pages as JSON lines fill the same store as a dump: whatever the threads and batches, and after any kill."""
import json
import signal

from harness import EndToEnd, compressed


def page(title, *sections):
    return json.dumps({'title': title, 'sections': list(sections)}, ensure_ascii=False)


def paragraph(before, target, after):
    """A paragraph that links to `target`."""
    return {'text': before + target + after, 'links': [{'begin': len(before), 'end': len(before + target), 'target': target}]}


def lines():
    """Three hundred pages that link to each other, with a bad line and a blank one among them."""
    out = ['', 'no page']
    for number in range(300):
        lead = {'heading': '', 'level': 0, 'paragraphs': [paragraph('Über 🚢 ', f'Page {number * 7 % 300}', '.'), 'Text. ' * 20]}
        part = {'heading': 'Part', 'level': 2, 'paragraphs': [paragraph('See ', f'Page {number * 11 % 330}', ' too.')]}
        out.append(page(f'Page {number}', lead, part))
    return '\n'.join(out) + '\n'


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        self.pages = self.folder / 'pages.jsonl'
        self.pages.write_text(lines())

    def read(self, work, *arguments, pages=None, **options):
        return self.run_program('--progress', 'never', 'build', '--to', 'link', '--pages', pages or self.pages, '--work',
                                self.folder / work, *arguments, **options)

    def shown(self, work):
        """What the store says of some of the pages, and all links."""
        out = []
        for title in ('Page 0', 'Page 7', 'Page 299'):
            for what in ('page', 'outline', 'passages', 'backlinks'):
                out.append(self.run_program('show', what, title, '--work', self.folder / work, '--format', 'json').stdout)
        links = self.folder / f'{work}.tsv'
        self.run_program('links', '--resolved', '--work', self.folder / work, '--out', links)
        return out + [links.read_text()]

    def test_threads_batches_and_compression_do_not_show(self):
        self.read('one', '--threads', '1')
        expected = self.shown('one')
        self.assertEqual(expected[-1].count('\n'), 578)
        self.read('small', '--threads', '4', '--set', 'ingest.batch_bytes=4096', '--set', 'ingest.slots=2')
        self.assertEqual(self.shown('small'), expected)
        for kind in ('gz', 'bz2', 'xz', 'zst'):
            self.read(kind, pages=compressed(kind, self.pages, self.folder / f'pages.{kind}'))
            self.assertEqual(self.shown(kind), expected, kind)

    def test_a_killed_read_goes_on_and_gives_the_same(self):
        self.read('whole')
        expected = self.shown('whole')
        small = ('--set', 'ingest.batch_bytes=4096', '--threads', '2')
        for place in ('ingest.batch:1', 'ingest.batch:9', 'runner.before_done:1', 'link.read:1', 'link.before_commit:1'):
            work = place.replace(':', '-')
            self.read(work, *small, status=-signal.SIGKILL, environment={'TOUCHSTONE_KILL_AT': place})
            self.read(work, *small)
            self.assertEqual(self.shown(work), expected, place)

    def test_bad_lines_are_told_with_their_number(self):
        self.read('work')
        status = json.loads(self.run_program('status', '--work', self.folder / 'work', '--format', 'json').stdout)
        ingest = status['stages'][0]
        self.assertEqual(ingest['rejected'], {'malformed JSON': 1})
        self.assertTrue(ingest['samples']['malformed JSON'][0].startswith('line 2: '), ingest['samples'])

    def test_two_files_are_numbered_one_after_the_other(self):
        half = self.folder / 'half.jsonl'
        text = self.pages.read_text().splitlines(keepends=True)
        self.pages.write_text(''.join(text[:100]))
        half.write_text(''.join(text[100:]))
        self.run_program('--progress', 'never', 'build', '--to', 'link', '--pages', self.pages, half, '--work', self.folder / 'two')
        self.pages.write_text(''.join(text))
        self.read('one')
        self.assertEqual(self.shown('two'), self.shown('one'))

    def test_a_dump_and_pages_do_not_mix(self):
        done = self.read('work', '--dump', self.pages, status=2)
        self.assertIn('--pages', done.stderr)
