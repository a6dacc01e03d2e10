"""What scripts/bench_record.py keeps of a benchmark run."""
import json
import subprocess
import sys

from harness import EndToEnd, SOURCE

INDENTED = '''{
  "context": {
    "date": "2026-11-01T10:00:00+00:00",
    "host_name": "a-host",
    "executable": "/a/folder/bench_wikitext",
    "num_cpus": 2
  },
  "benchmarks": [
    {"name": "wikitext/rules", "cpu_time": 21.5, "label": "wiki/a of /a/folder/dump.xml.bz2"}
  ]
}
'''


class Test(EndToEnd):
    def record(self, text):
        done = subprocess.run([sys.executable, '-B', SOURCE / 'scripts' / 'bench_record.py', self.folder / 'build', self.folder / 'runs'],
                              input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
        files = list((self.folder / 'runs').iterdir())
        self.assertEqual(len(files), 1)
        return done.stdout, files[0]

    def test_numbers_are_kept_with_the_machine_and_without_its_name(self):
        (self.folder / 'build').mkdir()
        (self.folder / 'build' / 'CMakeCache.txt').write_text('CMAKE_BUILD_TYPE:STRING=Release\nCMAKE_CXX_FLAGS:STRING=-g1\nCMAKE_CXX_FLAGS_RELEASE:STRING=-O2 -DNDEBUG\n')
        printed, file = self.record('{"bench":"ingest","seconds":4.7}\nno number\n' + INDENTED)
        lines = printed.splitlines()
        self.assertEqual([lines[0], lines[1]], ['{"bench": "ingest", "seconds": 4.7}', 'no number'])
        kept = [json.loads(line) for line in file.read_text().splitlines()]
        self.assertEqual(len(kept), 4)
        run = kept[0]['run']
        self.assertEqual((run['build_type'], run['flags']), ('Release', '-g1 -O2 -DNDEBUG'))
        self.assertGreater(run['memory_bytes'], 1 << 20)
        self.assertEqual(len(run['load_before']), 3)
        self.assertRegex(file.name, r'^\d{4}-\d\d-\d\d-\w+\.jsonl$')
        self.assertEqual(kept[2]['context'], {'date': '2026-11-01T10:00:00+00:00', 'num_cpus': 2})
        self.assertEqual(kept[2]['benchmarks'][0]['label'], 'wiki/a of dump.xml.bz2')
        self.assertEqual(list(kept[3]), ['load_after'])
        for word in ('a-host', '/a/folder', str(self.folder)):
            self.assertNotIn(word, file.read_text())

    def test_a_second_run_is_appended(self):
        self.record('{"a":1}\n')
        _, file = self.record('{"a":2}\n{"cut":')
        self.assertEqual([json.loads(line).get('a') for line in file.read_text().splitlines()], [None, 1, None, None, 2, None])
