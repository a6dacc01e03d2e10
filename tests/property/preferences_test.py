#!/usr/bin/env python3
"""`touchstone evaluate --judgments prefs`, `qrels_prefs` and `qrels_jg` on random judgments, against the definitions in Python.

preferences_test.py PROGRAM [--seeds N] [--first-seed S]

The definitions are those of trec_eval's m_prefs_*.c and m_*_avgjg.c, written with sets of preferences. check_suite() compares them with the
expected output of trec_eval's own test suite where that is at hand (in ../shared/data or $TOUCHSTONE_DATA).
"""
import collections
import itertools
import os
import sys
from pathlib import Path

import support

TOLERANCE = 1e-12
SUITE = Path(os.environ.get("TOUCHSTONE_DATA", Path(__file__).resolve().parents[3] / "shared" / "data")) / "stats" / "trec_eval-cases"
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
SHARES = (.2, .4, .6, .8, 1, 1.2, 1.4, 1.6, 1.8, 2)

Line = collections.namedtuple("Line", "group part docid level")


def composed(preferences):
    """The preferences with those that follow from them."""
    closed = set(preferences)
    while True:
        below = collections.defaultdict(set)
        for better, worse in closed:
            below[better].add(worse)
        more = {(better, worst) for better, worse in closed for worst in below[worse]} - closed
        if not more:
            return closed
        closed |= more


class Group:
    def __init__(self, lines):
        self.levels = {line.docid: line.level for line in lines}
        parts = collections.defaultdict(list)
        for line in lines:
            parts[line.part].append(line)
        stated = {(a.docid, b.docid) for part in parts.values() for a in part for b in part if a.level > b.level}
        self.is_ranking = len(parts) == 1
        self.preferences = stated if self.is_ranking else composed(stated)

    def docids(self, relevant):
        return [docid for docid, level in self.levels.items() if (level > 0) == relevant]


class Topic:
    def __init__(self, lines, ranking):
        by_group = collections.defaultdict(list)
        for line in lines:
            by_group[line.group].append(line)
        self.groups = [Group(by_group[name]) for name in sorted(by_group)]
        judged = {line.docid for line in lines}
        self.retrieved = [docid for docid in ranking if docid in judged]
        order = self.retrieved + sorted(judged - set(self.retrieved))
        self.place = {docid: place for place, docid in enumerate(order)}

    def scoped(self, preferences, scope):
        """The preferences that count: all, those with a retrieved docid (imp), or those with two (ret)."""
        least = {"all": 0, "imp": 1, "ret": 2}[scope]
        retrieved = set(self.retrieved)
        return [pair for pair in preferences if sum(docid in retrieved for docid in pair) >= least]

    def is_fulfilled(self, preference):
        better, worse = preference
        return better in self.retrieved and self.place[better] < self.place[worse]

    def counts(self, preferences, scope):
        scoped = self.scoped(preferences, scope)
        return sum(map(self.is_fulfilled, scoped)), len(scoped)

    def simple(self, scope):
        counts = [self.counts(group.preferences, scope) for group in self.groups]
        return sum(ful for ful, _ in counts), sum(possible for _, possible in counts)

    def pair(self, scope):
        shares = collections.defaultdict(list)
        for group in self.groups:
            for preference in self.scoped(group.preferences, scope):
                shares[frozenset(preference)].append(self.is_fulfilled(preference))
        return sum(sum(each) / len(each) for each in shares.values()) / len(shares) if shares else 0

    def mean_of_groups(self, scope):
        counts = [self.counts(group.preferences, scope) for group in self.groups]
        return sum(ful / possible for ful, possible in counts if possible) / len(counts)

    def balanced(self, scope):
        shares = []
        for group in self.groups:
            retrieved = set(self.retrieved)
            relevant, others = group.docids(True), group.docids(False)
            found = [docid for docid in relevant if docid in retrieved]
            if scope == "ret":
                others = [docid for docid in others if docid in retrieved]
            wanted = len(found if scope == "ret" else relevant)
            if wanted >= len(others):
                ful, possible = self.counts(group.preferences, scope)
                ful += len(found) * (wanted - len(others))
                possible += len(relevant) * (wanted - len(others))
            else:
                others.sort(key=self.place.get)
                if group.is_ranking:
                    kept = others[:wanted]
                    among = [pair for pair in group.preferences if pair[1] in relevant]
                    among += itertools.product(group.levels, kept)  # trec_eval counts non-relevant docids here too
                else:
                    left_out = set(others[len(relevant):])
                    among = [pair for pair in group.preferences if not left_out & {*pair}]
                ful, possible = self.counts(among, scope)
            if not possible:
                return 0
            shares.append(ful / possible)
        return sum(shares) / len(shares)

    def values(self):
        ful, possible = self.simple("all")
        values = {"prefs_num_prefs_poss": possible, "prefs_num_prefs_ful": ful, "prefs_num_prefs_ful_ret": self.simple("ret")[0]}
        for scope, ending in (("all", ""), ("ret", "_ret"), ("imp", "_imp")):
            ful, possible = self.simple(scope)
            values["prefs_simp" + ending] = ful / possible if possible else 0
            values["prefs_pair" + ending] = self.pair(scope)
            values["prefs_avgjg" + ending] = self.mean_of_groups(scope)
            if scope != "imp":
                values["prefs_avgjg_Rnonrel" + ending] = self.balanced(scope)
        return values


def ranked(scores, ascending):
    """Docids by descending score; equal scores by docid."""
    return sorted(sorted(scores, reverse=not ascending), key=lambda docid: -scores[docid])


def grouped_values(lines, ranking):
    by_group = collections.defaultdict(dict)
    for line in lines:
        by_group[line.group][line.docid] = line.level
    sums = collections.defaultdict(float)
    for grades in by_group.values():
        relevant = {docid for docid, grade in grades.items() if grade >= 1}
        found = list(itertools.accumulate(docid in relevant for docid in ranking))

        def in_first(depth):
            return found[min(depth, len(found)) - 1] if depth and found else 0

        precisions = [in_first(rank) / rank for rank, docid in enumerate(ranking, 1) if docid in relevant]
        sums["map_avgjg"] += sum(precisions) / len(relevant) if relevant else 0
        for cutoff in CUTOFFS:
            sums[f"P_avgjg_{cutoff}"] += in_first(cutoff) / cutoff
        for share in SHARES:
            depth = int(share * len(relevant) + .9)
            sums[f"Rprec_mult_avgjg_{share:.2f}"] += in_first(depth) / depth if depth else 0
    return {name: total / len(by_group) for name, total in sums.items()}


def read_columns(path):
    return [line.split() for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]


def check_suite(tally):
    """The definitions here against trec_eval's expected output."""
    for expected, judgments, run, fields in (
        ("out.test.prefs", "prefs.test", "prefs.results.test", 5),
        ("out.test.qrels_prefs", "qrels.test", "results.test", 4),
        ("out.test.qrels_jg", "qrels.123", "results.test", 4),
    ):
        lines, scores = collections.defaultdict(list), collections.defaultdict(dict)
        for topic, group, *part, docid, level in read_columns(SUITE / judgments):
            lines[topic].append(Line(group, part[0] if fields == 5 else "0", docid, float(level)))
        for topic, _, docid, _, score, *_ in read_columns(SUITE / run):
            scores[topic][docid] = float(score)
        if expected.endswith("_jg"):
            values = {topic: grouped_values(lines[topic], ranked(scores[topic], ascending=False)) for topic in scores}
        else:
            values = {topic: Topic(lines[topic], ranked(scores[topic], ascending=True)).values() for topic in scores}
        for name, topic, value in read_columns(SUITE / expected):
            if topic != "all":
                tally.close("trec_eval's suite", f"{expected} {topic} {name}", float(value), values[topic][name], .00005001)


def draw_lines(chance, form):
    """Judgments of one topic; with several sub-groups only for prefs."""
    docids = [f"d{i:02}" for i in range(int(chance.integers(1, 14)))]
    lines = []
    for group in range(int(chance.integers(1, 4))):
        truth = {docid: int(chance.integers(0, 4)) for docid in docids}  # sub-groups of one truth do not contradict each other
        for part in range(int(chance.integers(1, 4)) if form == "prefs" else 1):
            chosen = [docid for docid in docids if chance.random() < .7] or docids[:1]
            lines += [Line(f"g{group}", f"p{part}", docid, truth[docid]) for docid in chosen]
    return docids, lines


def check(tally, options, folder, seed, chance):
    form = ("prefs", "qrels_prefs", "qrels_jg")[seed % 3]
    text, run, expected = [], [], {}
    for topic in range(int(chance.integers(1, 5))):
        docids, lines = draw_lines(chance, form)
        scores = {docid: int(chance.integers(0, 8)) for docid in [*docids, "x1", "x2", "x3"] if chance.random() < .6} or {"x1": 1}
        text += [" ".join((f"t{topic}", line.group, *([line.part] if form == "prefs" else []), line.docid, str(line.level))) for line in lines]
        run += [f"t{topic} Q0 {docid} 0 {score} tag" for docid, score in scores.items()]
        ranking = ranked(scores, ascending=form != "qrels_jg")
        expected[f"t{topic}"] = grouped_values(lines, ranking) if form == "qrels_jg" else Topic(lines, ranking).values()
    chance.shuffle(text)
    (folder / "judgments").write_text("\n".join(text) + "\n")
    (folder / "run").write_text("\n".join(run) + "\n")
    measures = "qrels_jg" if form == "qrels_jg" else "all_prefs"
    rows = support.run_json(options.program, "evaluate", "--qrels", folder / "judgments", "--judgments", form, "-q", "-n", "-m", measures, folder / "run")
    tally.holds("values of a topic", f"seed {seed}", len(rows), sum(map(len, expected.values())))
    for row in rows:
        tally.close(form, f"seed {seed}, {row['topic']}, {row['measure']}", row["value"], expected[row["topic"]][row["measure"]], TOLERANCE)


def main():
    options = support.parse_options(__doc__, seeds=60)
    has_suite = SUITE.exists()
    tally = support.Tally(("prefs", "qrels_prefs", "qrels_jg", "values of a topic", *(["trec_eval's suite"] if has_suite else [])))
    if has_suite:
        check_suite(tally)
    with support.temporary_folder() as folder:
        for seed, chance in support.seeded(options):
            check(tally, options, Path(folder), seed, chance)
    return tally.status(options, least=options.seeds // 4)


if __name__ == "__main__":
    sys.exit(main())
