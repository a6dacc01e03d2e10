#!/usr/bin/env python3
"""`touchstone compare --against` on random matrices, against the definitions in numpy.

judgments_comparison_test.py PROGRAM [--seeds N] [--first-seed S]

Decisions on pairs, precision, recall and publication bias as in Otero, Parapar and Ferro (CIKM 2023), section 3.1; concordance as in
D-MERIT (2024), appendix D; error rate and partial tau as in its sections 3.1 and 3.3; Kendall's tau a and b of the means. The paired t test is scipy's.
"""
import collections
import itertools
import math
import sys
from pathlib import Path

import support
from scipy import stats

ALPHA = .05
TOLERANCE = 1e-9
DECISIONS = (
    "active_agreements", "active_disagreements", "mixed_agreements_reference", "mixed_agreements_other",
    "mixed_disagreements_reference", "mixed_disagreements_other", "passive_agreements", "passive_disagreements",
)
SHARES = ("precision", "recall", "publication_bias", "concordance", "error_rate", "kendall_tau_a", "kendall_tau_b")
BUCKETS = ((0, .01), (.01, .05), (.05, 1))
QUANTITIES = (*DECISIONS, *SHARES, "pairs of a bucket", "partial tau", "error rate of a bucket", "concordance of a bucket")

Pair = collections.namedtuple("Pair", "first_sign other_sign first_p other_p")


def draw_scores(chance, seed):
    """Scores [topics][systems] by two sets of judgments; with ties for odd seeds."""
    shape = int(chance.integers(4, 30)), int(chance.integers(2, 10))
    if seed % 2:
        first = chance.integers(0, 5, shape) / 4
        return first, first + chance.integers(-1, 2, shape) / 4
    first = chance.random((shape[0], 1)) + .3 * chance.normal(size=shape)
    return first, first + .3 * chance.normal(size=shape)


def p_value(differences):
    if differences.std() < 1e-12:
        return 1.0 if abs(differences.mean()) < 1e-12 else 0.0
    return float(stats.ttest_1samp(differences, 0).pvalue)


def tested_pairs(first, other):
    for left, right in itertools.combinations(range(first.shape[1]), 2):
        by_first, by_other = first[:, left] - first[:, right], other[:, left] - other[:, right]
        yield Pair(
            int(support.sign(by_first.mean())), int(support.sign(by_other.mean())), p_value(by_first), p_value(by_other)
        )


def decision(pair):
    order = "agreements" if pair.first_sign * pair.other_sign >= 0 else "disagreements"
    by_first, by_other = pair.first_p <= ALPHA, pair.other_p <= ALPHA
    if by_first != by_other:
        return f"mixed_{order}_{'reference' if by_first else 'other'}"
    return f"{'active' if by_first else 'passive'}_{order}"


def signs_in(pairs):
    """Pairs ordered alike, and pairs ordered the other way."""
    products = [pair.first_sign * pair.other_sign for pair in pairs]
    return products.count(1), products.count(-1)


def concordance(pairs):
    """XNOR of "significantly better" over ordered pairs of systems: both orders of each pair."""
    agreeing = 0
    for pair in pairs:
        for order in (1, -1):
            by_first = pair.first_sign == order and pair.first_p <= ALPHA
            by_other = pair.other_sign == order and pair.other_p <= ALPHA
            agreeing += by_first == by_other
    return support.ratio(agreeing, 2 * len(pairs))


def expected_shares(pairs, counts):
    active = counts["active_agreements"]
    by_first = [pair for pair in pairs if pair.first_p <= ALPHA]
    by_other = [pair for pair in pairs if pair.other_p <= ALPHA]
    alike, swapped = signs_in(pairs)
    untied = [sum(signs != 0 for signs in column) for column in list(zip(*pairs))[:2]]
    return {
        "precision": support.ratio(active, len(by_other)),
        "recall": support.ratio(active, len(by_first)),
        "publication_bias": 1 - support.ratio(active, len(by_other)),
        "concordance": concordance(pairs),
        "error_rate": 100 * swapped / len(pairs),
        "kendall_tau_a": (alike - swapped) / len(pairs),
        "kendall_tau_b": support.ratio(alike - swapped, math.sqrt(untied[0] * untied[1])),
    }


def check_buckets(tally, where, got, pairs):
    tally.holds("pairs of a bucket", where, [(bucket["p_min"], bucket["p_max"]) for bucket in got], list(BUCKETS))
    for bucket, (low, high) in zip(got, BUCKETS, strict=True):
        within = [pair for pair in pairs if low <= pair.first_p and (pair.first_p < high or high == 1)]
        alike, swapped = signs_in(within)
        place = f"{where}, [{low}, {high})"
        tally.holds("pairs of a bucket", place, bucket["pairs"], len(within))
        tally.close("partial tau", place, bucket["partial_tau"], support.ratio(alike - swapped, len(within)), TOLERANCE)
        tally.close("error rate of a bucket", place, bucket["error_rate"], 100 * support.ratio(swapped, len(within)), TOLERANCE)
        tally.close("concordance of a bucket", place, bucket["concordance"], concordance(within), TOLERANCE)


def check(tally, options, folder, seed, chance):
    first, other = draw_scores(chance, seed)
    support.write_matrix(folder / "first.tsv", first)
    support.write_matrix(folder / "other.tsv", other, order=chance.permutation(other.shape[1]))
    got = support.run_json(
        options.program, "compare", "--matrix", folder / "first.tsv", "--against", folder / "other.tsv", "--test", "t-test"
    )["against"]
    pairs = list(tested_pairs(first, other))
    counts = collections.Counter(map(decision, pairs))
    where = f"seed {seed}"
    for name in DECISIONS:
        tally.holds(name, where, got[name], counts[name])
    for name, expected in expected_shares(pairs, counts).items():
        tally.close(name, where, got[name], expected, TOLERANCE)
    check_buckets(tally, where, got["buckets"], pairs)


def main():
    options = support.parse_options(__doc__, seeds=60)
    tally = support.Tally(QUANTITIES)
    with support.temporary_folder() as folder:
        for seed, chance in support.seeded(options):
            check(tally, options, Path(folder), seed, chance)
    return tally.status(options, least=options.seeds // 4)


if __name__ == "__main__":
    sys.exit(main())
