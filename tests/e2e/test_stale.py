"""How much of a collection still holds in a newer dump: `touchstone stale`."""
import gzip
import json
import subprocess
import sys

from harness import DUMP, SOURCE, EndToEnd


class Test(EndToEnd):
    def setUp(self):
        super().setUp()
        self.build('w0')
        self.collection = self.folder / 'w0' / 'collection'
        self.dump, self.truth = self.folder / 'next.xml', self.folder / 'truth.tsv'
        with open(self.dump, 'wb') as out:
            subprocess.run([sys.executable, SOURCE / 'bench' / 'next_month.py', DUMP, '--share', '0.3', '--seed', '3', '--truth', self.truth], stdout=out, check=True)

    def stale(self, *arguments, status=0):
        return self.run_program('stale', self.collection, *arguments, status=status)

    def numbers(self, *arguments):
        return json.loads(self.stale(*arguments, '--format', 'json').stdout)

    def changes(self):
        """What happened to pages, by id: from the script that made the dump."""
        rows = [line.split('\t') for line in self.truth.read_text().splitlines()[1:]]
        return {what: {int(row[0]) for row in rows if row[3] == what} for what in ('edited', 'moved', 'merged', 'deleted')}

    def evidence(self):
        """(page, member) of each label that is evidence."""
        with gzip.open(self.collection / 'judgments.jsonl.gz', 'rt') as lines:
            return [(int(line['docid'].split('-')[-2]), line['member_page_id']) for line in map(json.loads, lines) if line['grade']]

    def test_the_counts_are_those_of_the_changes_that_were_made(self):
        evidence, changed = self.evidence(), self.changes()
        gone = changed['merged'] | changed['deleted']
        pages = {page for page, _ in evidence}
        found = self.numbers('--dump', self.dump)
        self.assertEqual(found['evidence'], len(evidence))
        self.assertEqual(found['pages']['pages'], len(pages))
        for what in ('merged', 'deleted'):
            self.assertEqual(found['pages'][what], len(pages & changed[what]), what)
        self.assertEqual(found['pages']['moved'], len((pages & changed['moved']) - gone))
        # A move of a page is a revision too.
        certain = sum(page in gone | changed['edited'] or member in gone for page, member in evidence)
        possible = sum(page in gone | changed['edited'] | changed['moved'] or member in gone for page, member in evidence)
        self.assertLessEqual(certain, found['stale'])
        self.assertLessEqual(found['stale'], possible)
        self.assertGreater(certain, 0)
        self.assertEqual(found['share'], found['stale'] / found['evidence'])
        self.build('w1', '--to', 'link', dump=self.dump)
        self.assertEqual(self.numbers('--work', self.folder / 'w1'), found)

    def test_one_line_and_a_status_for_scripts(self):
        same = self.stale('--dump', DUMP, '--at-most', '0')
        self.assertRegex(same.stdout, r'^miniwiki-\d+-evidence: 0.0 % of the evidence is stale \(0 of \d+ labels\) between .*\n$')
        share = self.numbers('--dump', self.dump)['share']
        self.assertGreater(share, 0)
        self.stale('--dump', self.dump, '--at-most', f'{100 * share + .01}%')
        self.stale('--dump', self.dump, '--at-most', f'{100 * share - .01}%', status=5)

    def test_what_cannot_be_compared_is_one_sentence(self):
        self.assert_one_error(self.stale(status=2), 'name the newer pages', '--dump', '--work')
        self.assert_one_error(self.stale('--dump', self.dump, '--at-most', '12x', status=2), 'no share', 'write 10% or 0.1')
        self.assert_one_error(self.stale('--dump', self.folder / 'none.xml', status=1), 'none.xml')
        other = self.folder / 'other.xml'
        other.write_text(DUMP.read_text().replace('<title>', '<title>Another '))
        self.assert_one_error(self.stale('--dump', other, status=2), 'different wikis', 'name a dump of the wiki "miniwiki"')
        self.build('w1', dump=self.dump)
        self.collection = self.folder / 'w1' / 'collection'
        self.assert_one_error(self.stale('--dump', DUMP, status=2), 'are older than', 'name a later dump')
        self.collection = self.folder / 'w1'
        self.assert_one_error(self.stale('--dump', DUMP, status=1), 'it is a work directory', 'name the collection in it')


if __name__ == '__main__':
    import unittest
    unittest.main()
