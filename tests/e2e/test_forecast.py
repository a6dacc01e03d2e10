"""What `build --forecast` tells, and that it leaves nothing behind."""
import os
import re

from harness import CONFIG, DEFAULT_STAGES, DUMP, EndToEnd


class Test(EndToEnd):
    def forecast(self, *arguments, status=0, **options):
        temporary = self.folder / 'tmp'
        temporary.mkdir(exist_ok=True)
        done = self.run_program('build', '--forecast', '--work', self.folder / 'w', *arguments, status=status,
                                environment={'TMPDIR': str(temporary)}, **options)
        self.assertEqual(os.listdir(temporary), [])
        self.assertFalse((self.folder / 'w').exists())
        return done

    def test_it_tells_time_memory_and_disk_of_each_stage_and_makes_nothing(self):
        told = self.forecast('--config', CONFIG, '--dump', DUMP, '--core-hour-price', '1000').stdout
        rows = re.findall(r'(?m)^([\w-]+) +[\d.]+ (?:s|min|h) +[\d.]+ (?:s|min|h) +[\d.]+ (?:MB|GB)$', told)
        self.assertEqual(rows, DEFAULT_STAGES)
        self.assertRegex(told, r'(?m)^in all .* MB$')
        self.assertIn('measured by building all 158 KB of text once', told)
        self.assertRegex(told, r'machines: \d+\.\d+ USD for \d+\.\d+ core hours')
        self.assertNotIn('judge:', told)

    def test_of_a_language_model_it_tells_requests_and_price_and_asks_nothing(self):
        told = self.forecast('--dump', DUMP, '--set', 'judge.kind=openai', '--set', 'judge.base_url=http://127.0.0.1:9/v1', '--set', 'judge.model=m',
                             '--set', 'judge.price_prompt=1', '--set', 'judge.price_reply=1').stdout
        requests, dollars = re.search(r'judge: about (\d+) requests with \d+ prompt tokens, at most (\d+\.\d+) USD', told).groups()
        self.assertGreater(int(requests), 100)
        self.assertGreater(float(dollars), 0)

    def test_what_cannot_be_looked_at_is_said(self):
        self.assert_one_error(self.forecast('--dump', '-', status=2), 'a pipe does not allow')
        self.assert_one_error(self.forecast(status=2), '--dump')
        (self.folder / 'no.xml').write_text('<html>no wiki</html>')
        said = self.assert_one_error(self.forecast('--dump', self.folder / 'no.xml', status=1), 'no.xml')
        self.assertEqual(said.count('error'), 1)
