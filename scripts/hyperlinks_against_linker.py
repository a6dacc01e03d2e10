#!/usr/bin/env python3
"""Compares entity judgments from the links of editors with those from an entity linker, on the same pages.

Usage: hyperlinks_against_linker.py --program TOUCHSTONE --out DIR [--linker own|FILE] [--runs DIR] [--part PART] BUILD-FLAGS...

Builds one automatic collection from the links of the pages and one from those of the linker (docs/entity-linking.md), each
in a folder of DIR, with the same BUILD-FLAGS (--dump FILE, --config FILE, --set KEY=VALUE, ...). Lets the baseline systems
rank entities for the topics of the first, or takes the runs in --runs. Scores the runs with both judgments, and writes
DIR/study.md: both rankings of systems, Kendall's tau and Spearman's rho between them, and on which pairs of topic and
entity both agree. Folders of an earlier run go on where it ended.
"""
import argparse
import json
import pathlib
import subprocess

MEASURES = (('Rprec', 'R-precision'), ('map', 'MAP'), ('ndcg', 'nDCG'))  # those of Dietz and Dalton, table 5
LEVEL = 'hierarchical'


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--program', required=True)
    parser.add_argument('--out', required=True, type=pathlib.Path)
    parser.add_argument('--linker', default='own')
    parser.add_argument('--runs', type=pathlib.Path)
    parser.add_argument('--part', default='test')
    return parser.parse_known_args()


class Study:
    def __init__(self, flags, build_flags):
        self.flags, self.build_flags = flags, build_flags
        self.runs = flags.runs or flags.out / 'runs'

    def call(self, *words):
        done = subprocess.run([self.flags.program, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise SystemExit(f'{self.flags.program} {" ".join(map(str, words))} ended with status {done.returncode}:\n{done.stderr}')
        return done.stdout

    def build(self):
        for name, extra in (('links', []), ('linker', ['--linker', self.flags.linker])):
            self.call('build', '--to', 'automatic', '--work', self.flags.out / name, *self.build_flags, *extra)

    def retrieve(self):
        if not any(self.runs.glob('*.run')):
            self.call('retrieve', self.flags.out / 'links' / 'automatic', '--rank', 'entities', '--part', self.flags.part,
                      '--level', LEVEL, '--out', self.runs)

    def qrels(self, name):
        return self.flags.out / name / 'automatic' / f'{self.flags.part}.pages.cbor-{LEVEL}.entity.qrels'

    def scores(self, name):
        """Measure -> system -> mean over all topics of these judgments; a topic that a run lacks counts as 0."""
        found = {measure: {} for measure, _ in MEASURES}
        text = self.call('evaluate', '--complete', '--format', 'json', '--qrels', self.qrels(name), *sorted(self.runs.glob('*.run')),
                         '-m', *found)
        for row in json.loads(text):
            found[row['measure']][row['run']] = row['value']
        return found

    def correlations(self, measure, scores):
        files = []
        for name, of_systems in scores.items():
            files.append(self.flags.out / f'{measure}.{name}.tsv')
            files[-1].write_text(''.join(f'{system}\t{score}\n' for system, score in sorted(of_systems.items())))
        return json.loads(self.call('correlate', '--format', 'json', *files))

    def pairs(self, name):
        return {tuple(line.split()[::2]) for line in self.qrels(name).read_text().splitlines()}


def table(header, rows):
    lines = [header, ['---'] * len(header), *rows]
    return ''.join('| ' + ' | '.join(map(str, row)) + ' |\n' for row in lines)


def agreement_text(links, linker):
    both = links & linker
    topics = {topic for topic, _ in links} & {topic for topic, _ in linker}
    rows = [[len(links), len(linker), len(both), f'{len(both) / max(1, len(linker)):.3f}', f'{len(both) / max(1, len(links)):.3f}',
             f'{len(both) / max(1, len(links | linker)):.3f}']]
    header = ['relevant by links', 'relevant by the linker', 'by both', 'share of the linker\'s', 'share of the links\'', 'Jaccard']
    return f'{len(topics)} topics have relevant entities by both.\n\n' + table(header, rows)


def report(study):
    links, linker = study.pairs('links'), study.pairs('linker')
    text = '# Hyperlinks against a linker\n\nThe same pages, with entity judgments from the links of their editors and from an entity linker.\n\n'
    text += '## Judged pairs\n\n' + agreement_text(links, linker) + '\n## Rankings of systems\n\n'
    correlations, columns = [], {}
    scores = {name: study.scores(name) for name in ('links', 'linker')}
    for measure, title in MEASURES:
        of_measure = {name: of_name[measure] for name, of_name in scores.items()}
        correlations.append([title, study.correlations(measure, of_measure)])
        columns.update({f'{title}, {name}': systems for name, systems in of_measure.items()})
    text += correlation_table(correlations) + '\n'
    systems = sorted(columns['MAP, links'], key=lambda system: (-columns['MAP, links'][system], system))
    text += table(['system', *columns], [[system, *(f'{column[system]:.4f}' for column in columns.values())] for system in systems])
    return text


def correlation_table(correlations):
    return table(['measure', 'Kendall\'s tau', 'Spearman\'s rho'],
                 [[title, f'{found["kendall_tau_b"]:.3f}', f'{found["spearman_rho"]:.3f}'] for title, found in correlations])


def main():
    flags, build_flags = arguments()
    flags.out.mkdir(parents=True, exist_ok=True)
    study = Study(flags, build_flags)
    study.build()
    study.retrieve()
    text = report(study)
    (flags.out / 'study.md').write_text(text)
    print(text, end='')


if __name__ == '__main__':
    main()
