"""What tests of judging by language models have in common."""
import json

from harness import EndToEnd
from judge_server import JudgeServer

QUESTIONS = 479  # of the bundled wiki
PROBES = 2  # questions by which a server is tried
LABELS = ('collection/judgments.jsonl.gz', 'collection/qrels.txt', 'collection/unjudged.jsonl', 'stages/judgments.records')


class JudgingTest(EndToEnd):
    def labels(self, work):
        return {name: (self.folder / work / name).read_bytes() for name in LABELS}

    def judgments(self, work):
        return self.records(work, 'judgments')

    def states(self, work):
        states = {}
        for judgment in self.judgments(work):
            states[judgment['state']] = states.get(judgment['state'], 0) + 1
            self.assertEqual(judgment['grade'] is not None, judgment['state'] == 'judged', judgment)
        return states

    def judge(self, work, *arguments, **options):
        return self.run_program('--progress', 'never', 'judge', '--work', self.folder / work, *arguments, **options)

    def calm(self):
        """The labels of an undisturbed run."""
        self.build('calm', *JudgeServer(self).settings())
        return self.labels('calm')
