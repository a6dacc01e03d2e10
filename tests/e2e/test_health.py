"""`health` tells how usable a collection is; `build --require-health` fails if it is not."""
import gzip
import json
import re
import shutil

from harness import DUMP, EndToEnd
from test_topics import dump_of


class Test(EndToEnd):
    def health(self, directory, status=None):
        return json.loads(self.run_program('health', directory, '--format', 'json', status=status).stdout)

    def copy(self, name):
        target = self.folder / name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.folder / 'w' / 'collection', target)
        return target

    def failed(self, directory):
        return [check['name'] for check in self.health(directory)['checks'] if not check['ok']]

    def test_require_health_fails_with_the_checks_that_failed(self):
        done = self.build('w', '--require-health', status=1)
        error = self.assert_one_error(done, 'topics 13 (should be at least 25)', 'touchstone health')
        failed = self.failed(self.folder / 'w' / 'collection')
        self.assertIn('topics', failed)
        for name in failed:
            self.assertIn(f' {name} ', error)
        self.assertTrue((self.folder / 'w' / 'report.html').exists(), 'the collection and the report are made')
        self.build('w', '--require-health', status=1)  # nothing left to run; it is no healthier for that
        self.build('w')
        self.build('dry', '--require-health', '--dry-run')
        self.build('w', '--require-health', '--to', 'groups')  # writes no collection

    def test_summary_card_report_and_manifest_say_the_same(self):
        done = self.build('w')
        collection = self.folder / 'w' / 'collection'
        checks = self.health(collection, status=1)['checks']
        self.assertEqual(self.manifest('w')['health'], checks)
        passed = sum(check['ok'] for check in checks)
        self.assertIn(f'health      {passed} of {len(checks)} checks passed', done.stdout)
        self.assertIn(f'{passed} of {len(checks)} checks passed.', (self.folder / 'w' / 'report.html').read_text())
        card = (collection / 'README.md').read_text()
        for check in checks:
            self.assertIn('| ' + check['name'].replace('_', '\\_') + ' | ' + ('ok' if check['ok'] else '**failed**') + ' |', card)
        warnings = json.loads(self.run_program('validate', collection, '--format', 'json').stdout)['warnings']
        self.assertEqual([warning.split(' ')[0] for warning in warnings], [check['name'] for check in checks if not check['ok']])

    def test_each_remedy_for_passages_mends_what_it_is_for(self):
        def text(start, words):
            return ' '.join(f'{start}{number}' for number in range(words))

        mould = 'is a stone of the museum in Westmere that was found by a farmer ' + text('w', 60) + '.'
        paragraphs = [[f'Stone {number} {mould}'] for number in range(10)]
        paragraphs += [[f'Short note {number} of {number} things'] for number in range(10)]
        paragraphs += [['. '.join(text(f'long{number}x', 20) for number in range(100)) + '.'], [f'Stray }}}} braces {text("b", 10)}'], [f'Twice the same {text("s", 10)}'], [f'Twice the same {text("s", 10)}']]
        table = '{|\n! Stone\n' + ''.join(f'|-\n| [[Stone {number}]]\n' for number in range(3)) + '|}'  # too short for a topic
        dump = self.folder / 'wiki.xml'
        dump.write_text(dump_of([(f'Stone {number}', '\n\n'.join(texts)) for number, texts in enumerate(paragraphs)] + [('List of stones', table)]), encoding='utf-8')
        bad = {'repeats': 'keep', 'max_words': 10000, 'min_words': 5, 'keep_markup': 'true'}

        def state(**options):
            settings = [word for key, value in {**bad, **options}.items() for word in ('--set', f'passages.{key}={value}')]
            self.run_program('--progress', 'never', 'build', '--dump', dump, '--work', self.folder / 'w', '--to', 'export', *settings, status=4)
            return {check['name']: (check['ok'], check['remedy']) for check in self.health(self.folder / 'w' / 'collection')['checks']}

        before = state()
        for check, key, value in (('exact_repeats', 'repeats', 'near'), ('near_repeats', 'repeats', 'similar'), ('short_passages', 'min_words', 8), ('long_passages', 'max_words', 500),
                                  ('damaged_texts', 'keep_markup', 'false')):
            with self.subTest(check):
                self.assertFalse(before[check][0])
                self.assertIn(f'passages.{key} = ' + (f'"{value}"' if isinstance(value, str) and value != 'false' else str(value)), before[check][1])
                self.assertTrue(state(**{key: value})[check][0])
        self.assertFalse(state(repeats='near')['near_repeats'][0], 'texts of one mould about different pages are kept')

    def test_remedies_for_topics_mend_what_they_are_for(self):
        names = [f'Person {letter}' for letter in 'ABCDEFGHIJKL']
        table = '{|\n! Champion\n' + ''.join(f'|-\n| [[{name}]]\n' for name in names) + '|}'
        unlinked = [(f'Cup of {2000 + number}', f'The Cup of {2000 + number} was played in Ostrand. {name} became champion of Ostrand there.') for number, name in enumerate(names)]
        dump = self.folder / 'wiki.xml'
        dump.write_text(dump_of([(name, f'{name} was a champion of Ostrand and kept bees for many years.') for name in names] + unlinked
                                + [(f'Mill {number}', f'Mill {number} ground corn for the villages beside a river.') for number in range(90)]
                                + [('List of champions of Ostrand', table)]), encoding='utf-8')

        def checks(source, *settings):
            shutil.rmtree(self.folder / 'w', ignore_errors=True)
            self.build('w', '--to', 'export', *(word for setting in settings for word in ('--set', setting)), dump=source)
            return {check['name']: check for check in self.health(self.folder / 'w' / 'collection')['checks']}

        some, all_topics = 'candidates.max_per_member=1', 'topics.min_evidence=0'
        for check, source, before, words, after in (
                ('members_per_topic', DUMP, [], 'groups.min_members = 5', ['groups.min_members=5']),
                ('evidence_per_topic', DUMP, [some, all_topics], 'topics.min_evidence = 5', [some, 'topics.min_evidence=5']),
                ('unlinked_mentions', DUMP, [some, all_topics], 'candidates.max_per_member = 0', [all_topics]),
                ('unlinked_mentions', dump, [all_topics], 'add "mention" to candidates.sources', [all_topics, 'candidates.sources=link,mention']),
                ('outside_own_article', dump, [all_topics], 'add "mention" to candidates.sources', [all_topics, 'candidates.sources=link,mention']),
                ('members_without_candidates', dump, [all_topics, 'candidates.own_article=false'], 'candidates.own_article = true', [all_topics])):
            with self.subTest(check, settings=before):
                bad = checks(source, *before)[check]
                self.assertFalse(bad['ok'], bad)
                self.assertIn(words, bad['remedy'])
                good = checks(source, *after)[check]
                self.assertTrue(good['ok'], good)
                self.assertNotIn(words, good['remedy'], 'health advises what was done already')

    def test_stubs_of_one_pattern_that_stand_for_each_other_are_seen(self):
        pages = self.folder / 'pages.jsonl'
        rest = 'is a village in the northern hills of the old province, and is known for its market and the wool that is sold there.'
        lines = [{'title': f'{name}dale', 'sections': [{'heading': '', 'level': 0, 'paragraphs': [f'{name}dale {rest}']},
                                                       {'heading': 'Church', 'level': 1, 'paragraphs': [f'The church of {name}dale was built by masons from {name}ford in the reign of {name}bert the Old.']},
                                                       {'heading': 'Market', 'level': 1, 'paragraphs': [f'On each {name}day sheep from {name}more are sold where the {name}brook meets the road to {name}ton.']}]}
                 for name in ('Al', 'Bir', 'Cor', 'Dun', 'Elm', 'Fen', 'Gor', 'Hal')]
        pages.write_text(''.join(json.dumps(line) + '\n' for line in lines))

        def check(keep):
            work = f'keep-{keep}'
            self.run_program('build', '--pages', pages, '--work', self.folder / work, '--to', 'automatic', '--set', 'automatic.min_sections=1', '--set', f'near_duplicates.keep_facts={keep}')
            [found] = [check for check in self.health(self.folder / work / 'automatic')['checks'] if check['name'] == 'passages_about_other_pages']
            return found

        self.assertTrue(check('true')['ok'])
        merged = check('false')
        self.assertFalse(merged['ok'], merged)
        self.assertIn('near_duplicates.keep_facts = true', merged['remedy'])

    def test_an_automatic_collection_is_examined(self):
        done = self.build('w', '--to', 'automatic', '--set', 'automatic.min_sections=1')
        directory = self.folder / 'w' / 'automatic'
        report = self.health(directory)
        names = [check['name'] for check in report['checks']]
        self.assertEqual(names[:3], ['topics', 'facets_with_one_passage', 'common_facets'])
        self.assertIn('damaged_texts', names)
        self.assertLess({'passages_per_topic', 'topic_overlap'}, set(names))
        self.assertEqual(report['ok'], all(check['ok'] for check in report['checks']))
        self.assertEqual(json.loads((directory / 'manifest.json').read_text())['health'], report['checks'])
        passed = f'{sum(check["ok"] for check in report["checks"])} of {len(names)} checks passed'
        self.assertIn(f'health      {passed}', done.stdout)
        page = (self.folder / 'w' / 'automatic-report.html').read_text()
        self.assertIn(f'{passed}.', page)
        self.assertIn('<h2 id="health">', page)
        card = (directory / 'README.md').read_text()
        for check in report['checks']:
            self.assertIn('| ' + check['name'].replace('_', '\\_') + ' | ' + ('ok' if check['ok'] else '**failed**') + ' |', card)
            self.assertIn(check['name'], page)
        self.run_program('validate', directory)
        manifest = (directory / 'manifest.json').read_text()
        (directory / 'manifest.json').write_text(manifest.replace('"value": 0.0', '"value": 0.5', 1))
        self.run_program('validate', directory, status=1)

    def test_two_copies_of_a_query_page_are_seen(self):
        dump = self.folder / 'copied.xml'
        text = DUMP.read_text()
        page = next(page for page in re.findall(r'  <page>.*?</page>\n', text, re.DOTALL) if '<title>Hook Lighthouse</title>' in page)
        copy = page.replace('<title>Hook Lighthouse</title>', '<title>Hook Lighthouse draft</title>').replace('<id>529</id>', '<id>99529</id>')
        self.assertNotEqual(copy.count('99529'), 0)
        dump.write_text(text.replace('</mediawiki>', copy + '</mediawiki>'))
        self.build('w', '--to', 'automatic', '--set', 'automatic.min_sections=1', dump=dump)
        check = next(check for check in self.health(self.folder / 'w' / 'automatic')['checks'] if check['name'] == 'topic_overlap')
        self.assertFalse(check['ok'])
        self.assertIn('"Hook Lighthouse draft"', check['verdict'])

    def test_hostile_files_give_one_error_or_an_answer(self):
        self.build('w')
        deep = b'[' * 100000
        for file in ('queries.jsonl', 'members.jsonl', 'judgments.jsonl.gz', 'corpus.jsonl.gz', 'manifest.json'):
            for bytes_ in (b'', b'\x00\xff\xfe', b'{}\n', deep, b'null\n' * 3, b'{"_id":1e999}\n'):
                copy = self.copy('hostile')
                (copy / file).write_bytes(gzip.compress(bytes_) if file.endswith('.gz') else bytes_)
                done = self.run_program('health', copy, status=1)
                if 'error: ' in done.stderr:
                    self.assert_one_error(done, file if bytes_ else '')
            copy = self.copy('hostile')
            (copy / file).unlink()
            self.assert_one_error(self.run_program('health', copy, status=1), file)

    def test_texts_of_strangers_are_escaped(self):
        self.build('w')
        copy = self.copy('hostile')
        lines = gzip.decompress((copy / 'corpus.jsonl.gz').read_bytes()).decode().splitlines()
        passage = json.loads(lines[0])
        passage['text'] = '{{x \u001b[31m'
        passage['_id'] = 'x\u001b]0;owned\u0007'
        lines[0] = json.dumps(passage)
        (copy / 'corpus.jsonl.gz').write_bytes(gzip.compress(('\n'.join(lines) + '\n').encode()))
        done = self.run_program('health', copy, status=1)
        self.assertNotIn('\x1b', done.stdout + done.stderr)
