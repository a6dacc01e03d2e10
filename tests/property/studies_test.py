#!/usr/bin/env python3
"""`touchstone study partial` and `study coverage` on random runs and qrels, against their definitions in Python.

studies_test.py PROGRAM [--seeds N] [--first-seed S]

Partial labels: D-MERIT, section 3 and appendix D. Each selection scores recall@k with one label for each topic; tau, discordant
pairs, concordance and buckets come from scipy's paired t test. Coverage: appendix E, where the expected coverage is the mean over
all subsets of systems, listed one by one; the logarithmic curve is numpy's least squares.
"""
import itertools
import json
import math
import sys
import warnings
from pathlib import Path

import support
import numpy
from scipy import stats

TOLERANCE = 1e-9
EDGES = ((0, .01), (.01, .05), (.05, 1))
SELECTION = ("kendall_tau_a", "kendall_tau_b", "discordant", "error_rate", "concordance")
BUCKET = ("bucket pairs", "bucket partial_tau", "bucket error_rate", "bucket concordance")
COVERAGE = ("coverage", "expected", "fit", "pool", "unjudged", "depths", "found", "chao2")
QUANTITIES = ("relevant", *SELECTION, *BUCKET, *COVERAGE)


class Sample:
    """Random qrels, runs, lengths and popularity; docids and system names compare in byte order as Python's strings do."""

    def __init__(self, random):
        self.systems = [f"s{i}" for i in range(random.integers(3, 8))]
        self.topics = [f"t{i:02}" for i in range(random.integers(3, 12))]
        self.docids = [f"d{i}" for i in range(25)]
        self.cutoff = int(random.integers(2, 12))
        self.qrels = {}
        for topic in self.topics:
            judged = random.permutation(self.docids)[: random.integers(2, 20)]
            grades = {str(docid): int(random.integers(0, 3)) for docid in judged}
            grades[str(judged[0])] = 1
            self.qrels[topic] = grades
        self.runs = {
            system: {
                topic: [str(docid) for docid in random.permutation(self.docids)[: random.integers(3, 20)]] for topic in self.topics
            }
            for system in self.systems
        }
        self.words = {docid: int(random.integers(1, 6)) for docid in self.docids}
        self.popularity = {docid: int(random.integers(0, 4)) for docid in self.docids}

    def write(self, folder):
        lines = [f"{t} 0 {d} {g}" for t, grades in self.qrels.items() for d, g in grades.items()]
        (folder / "qrels").write_text("\n".join(lines) + "\n")
        for system, rankings in self.runs.items():
            lines = [f"{t} Q0 {d} {i + 1} {100 - i} {system}" for t, docids in rankings.items() for i, d in enumerate(docids)]
            (folder / system).write_text("\n".join(lines) + "\n")
        corpus = [json.dumps({"_id": d, "text": " ".join(["w"] * n)}) for d, n in self.words.items()]
        (folder / "corpus.jsonl").write_text("\n".join(corpus) + "\n")
        (folder / "popularity.tsv").write_text("".join(f"{d}\t{n}\n" for d, n in self.popularity.items()))

    def evidence(self, topic):
        return sorted(docid for docid, grade in self.qrels[topic].items() if grade >= 1)

    def recall(self, system, topic, labels):
        return len(set(self.runs[system][topic][: self.cutoff]) & set(labels)) / len(labels)


def t_test(differences):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if numpy.ptp(differences) <= 1e-12:
            return 1.0 if abs(differences[0]) <= 1e-12 else 0.0
        return float(stats.ttest_1samp(differences, 0).pvalue)


def relations(sample, labels_of, systems):
    """(difference of means, p-value) of all pairs by the labels of some topics."""
    topics = list(labels_of)
    rows = {s: numpy.array([sample.recall(s, t, labels_of[t]) for t in topics]) for s in systems}
    pairs = []
    for first, second in itertools.combinations(systems, 2):
        differences = rows[first] - rows[second]
        pairs.append((float(support.sign(numpy.array([differences.mean()]))[0]), t_test(differences) if len(topics) > 1 else 1.0))
    return pairs


def agreement(reference, other):
    """The numbers of one set of pairs."""
    count = len(reference)
    signs = [(r[0], o[0]) for r, o in zip(reference, other)]
    concordant = sum(a * b > 0 for a, b in signs)
    discordant = sum(a * b < 0 for a, b in signs)
    untied = math.sqrt(sum(a != 0 for a, _ in signs) * sum(b != 0 for _, b in signs))
    agreeing = 0
    for order in (1, -1):
        agreeing += sum((r[0] == order and r[1] <= .05) == (o[0] == order and o[1] <= .05) for r, o in zip(reference, other))
    return {
        "kendall_tau_a": support.ratio(concordant - discordant, count),
        "kendall_tau_b": support.ratio(concordant - discordant, untied),
        "discordant": discordant,
        "error_rate": support.ratio(100 * discordant, count),
        "concordance": support.ratio(agreeing, 2 * count),
    }


def selections(sample):
    """Name -> list of (labels by topic, system that is left out)."""
    pick = lambda key: {t: [min(sample.evidence(t), key=key)] for t in sample.topics}
    based = []
    for system in sample.systems:
        labels = {}
        for topic in sample.topics:
            found = [d for d in sample.runs[system][topic] if d in set(sample.evidence(topic))]
            if found:
                labels[topic] = found[:1]
        based.append((labels, system))
    return {
        "longest": [(pick(lambda d: (-sample.words[d], d)), None)],
        "shortest": [(pick(lambda d: (sample.words[d], d)), None)],
        "most-popular": [(pick(lambda d: (-sample.popularity[d], d)), None)],
        "system-based": based,
    }


def check_partial(sample, folder, program, tally, where):
    runs = [folder / s for s in sample.systems]
    result = support.run_json(
        program, "study", "partial", "--qrels", folder / "qrels", *runs, "-m", f"R@{sample.cutoff}", "--random", 5, "--fractions", "0,50,100",
        "--random-curves", 2, "--corpus", folder / "corpus.jsonl", "--popularity", folder / "popularity.tsv")
    tally.holds("relevant", where, result["relevant"], sum(len(sample.evidence(t)) for t in sample.topics))
    full = {t: sample.evidence(t) for t in sample.topics}
    rows = {row["selection"]: row for row in result["selections"]}
    for name, cases in selections(sample).items():
        outcomes, buckets = [], [[] for _ in EDGES]
        for labels, left_out in cases:
            systems = [s for s in sample.systems if s != left_out]
            reference, other = relations(sample, full, systems), relations(sample, labels, systems) if labels else None
            if other is None:
                other = [(0.0, 1.0)] * len(reference)
            outcomes.append(agreement(reference, other))
            for b, (low, high) in enumerate(EDGES):
                chosen = [i for i, r in enumerate(reference) if low <= r[1] and (r[1] < high or high == 1)]
                buckets[b].append(([reference[i] for i in chosen], [other[i] for i in chosen]))
        for quantity in SELECTION:
            tally.close(quantity, f"{where} {name}", rows[name][quantity], mean([o[quantity] for o in outcomes]), TOLERANCE)
        for b, got in enumerate(rows[name]["buckets"]):
            place = f"{where} {name} bucket {b}"
            # Rates are over the pairs of all samples together, so that they agree with the number of pairs.
            tally.close("bucket pairs", place, got["pairs"], mean([len(pairs[0]) for pairs in buckets[b]]), TOLERANCE)
            together = agreement(*([pair for pairs in buckets[b] for pair in pairs[side]] for side in (0, 1)))
            tally.close("bucket partial_tau", place, got["partial_tau"], together["kendall_tau_a"], TOLERANCE)
            tally.close("bucket error_rate", place, got["error_rate"], together["error_rate"], TOLERANCE)
            tally.close("bucket concordance", place, got["concordance"], together["concordance"], TOLERANCE)
    for curve in result["curves"]:
        last = curve["points"][-1]
        tally.holds("discordant", f"{where} all labels, {curve['order']}", last["discordant"], 0.0)


def mean(values):
    defined = [value for value in values if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else math.nan


def pool_of(sample, systems, topic, depth):
    return set().union(*(sample.runs[s][topic][:depth] for s in systems))


def coverage_of(sample, systems, depth):
    return float(numpy.mean([
        len(pool_of(sample, systems, t, depth) & set(sample.evidence(t))) / len(sample.evidence(t)) for t in sample.topics
    ]))


def check_coverage(sample, folder, program, tally, where):
    runs = [folder / s for s in sample.systems]
    depth, count = sample.cutoff, len(sample.systems)
    got = support.run_json(program, "study", "coverage", "--qrels", folder / "qrels", *runs, "--depth", depth, "--fit-depth", 5)
    tally.close("coverage", where, got["coverage"], coverage_of(sample, sample.systems, depth), TOLERANCE)
    expected = [
        float(numpy.mean([coverage_of(sample, subset, depth) for subset in itertools.combinations(sample.systems, t)]))
        for t in range(1, count + 1)
    ]
    for t, value in enumerate(expected):
        tally.close("expected", f"{where} {t + 1} systems", got["expected"][t], value, TOLERANCE)
    b, a = numpy.polyfit(numpy.log(numpy.arange(1, count + 1)), expected, 1)
    tally.close("fit", where, got["fit"]["a"], float(a), 1e-7)
    tally.close("fit", where, got["fit"]["b"], float(b), 1e-7)
    pools = {t: pool_of(sample, sample.systems, t, depth) for t in sample.topics}
    tally.holds("pool", where, got["pool"], sum(len(pool) for pool in pools.values()))
    tally.holds("unjudged", where, got["unjudged"], sum(len(pool - set(sample.qrels[t])) for t, pool in pools.items()))
    for point in got["depths"]:
        tally.close("depths", where, point["coverage"], coverage_of(sample, sample.systems, point["depth"]), TOLERANCE)
    times = [sum(d in sample.runs[s][t][:depth] for s in sample.systems) for t in sample.topics for d in sample.evidence(t)]
    found, once, twice = sum(c > 0 for c in times), times.count(1), times.count(2)
    share = (count - 1) / count
    unseen = share * (once * once / (2 * twice) if twice else once * (once - 1) / 2)
    tally.holds("found", where, got["found"], found)
    tally.close("chao2", where, got["capture_recapture"]["total"]["value"], found + unseen if found else math.nan, TOLERANCE)


def main():
    options = support.parse_options(__doc__, seeds=25)
    tally = support.Tally(QUANTITIES)
    for seed, random in support.seeded(options):
        sample = Sample(random)
        with support.temporary_folder() as name:
            sample.write(Path(name))
            check_partial(sample, Path(name), options.program, tally, f"seed {seed}")
            check_coverage(sample, Path(name), options.program, tally, f"seed {seed}")
    return tally.status(options, least=options.seeds)


if __name__ == "__main__":
    sys.exit(main())
