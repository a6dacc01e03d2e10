#!/usr/bin/env python3
"""`touchstone agree` on random grades, some of them missing, against the textbook formulas.

agreement_test.py PROGRAM [--seeds N] [--first-seed S]

Overlap; Cohen's kappa (1960), mean over pairs of assessors; Fleiss' kappa (1971); Krippendorff's alpha as 1 less observed over
expected disagreement (Content Analysis, 2004, chapter 11) with nominal, ordinal and interval differences. All grades and two
grades, pooled and as the mean over topics.
"""
import collections
import itertools
import math
import sys
from pathlib import Path

import support
import numpy

TOLERANCE = 1e-9
DISTANCES = ("nominal", "ordinal", "interval")
VIEWS = ("all_grades", "two_grades")


def chance_corrected(observed, expected):
    return (observed - expected) / (1 - expected) if 1 - expected > 1e-12 else math.nan


def overlap(items):
    return support.ratio(sum(len(set(grades)) == 1 for grades in items), len(items))


def cohen_of_two(first, second):
    observed = numpy.mean(first == second)
    expected = sum(numpy.mean(first == grade) * numpy.mean(second == grade) for grade in {*first, *second})
    return chance_corrected(observed, expected)


def cohen(items):
    """Mean over pairs of assessors; undefined as soon as one pair's kappa is."""
    columns = numpy.array(items).T
    return float(numpy.mean([cohen_of_two(first, second) for first, second in itertools.combinations(columns, 2)]))


def fleiss(items):
    grades, assessors = numpy.array(items), len(items[0])
    counts = numpy.stack([(grades == grade).sum(axis=1) for grade in numpy.unique(grades)], axis=1)
    observed = (counts * (counts - 1)).sum(axis=1) / (assessors * (assessors - 1))
    shares = counts.sum(axis=0) / counts.sum()
    return chance_corrected(observed.mean(), (shares ** 2).sum())


COEFFICIENTS = {"overlap": overlap, "Cohen kappa": cohen, "Fleiss kappa": fleiss}
QUANTITIES = (
    *COEFFICIENTS, *(f"{name}, mean over topics" for name in COEFFICIENTS), *(f"Krippendorff alpha, {distance}" for distance in DISTANCES)
)


def squared_distance(distance, counts, first, second):
    if first == second:
        return 0.0
    if distance == "nominal":
        return 1.0
    if distance == "interval":
        return float((first - second) ** 2)
    low, high = sorted((first, second))
    between = sum(count for grade, count in counts.items() if low <= grade <= high)
    return (between - (counts[low] + counts[high]) / 2) ** 2


def krippendorff(items, distance):
    """Items are lists of grades, None where an assessor gave none; those with one grade pair with nothing."""
    pairable = [grades for grades in ([grade for grade in item if grade is not None] for item in items) if len(grades) > 1]
    counts = collections.Counter(itertools.chain.from_iterable(pairable))
    total = sum(counts.values())
    if total == 0:
        return math.nan
    observed = sum(
        sum(squared_distance(distance, counts, first, second) for first, second in itertools.permutations(grades, 2)) / (len(grades) - 1)
        for grades in pairable
    )
    expected = sum(
        counts[first] * counts[second] * squared_distance(distance, counts, first, second)
        for first, second in itertools.product(counts, repeat=2)
    ) / (total - 1)
    return 1 - observed / expected if expected else math.nan


def draw_grades(chance, seed):
    """Grades of each (topic, passage) by each assessor, None where missing. Each assessor gives at least one."""
    assessors, topics, passages = int(chance.integers(2, 5)), int(chance.integers(1, 5)), int(chance.integers(2, 25))
    missing = chance.choice((0, .3))
    scale = (0, 1, 2, 3) if seed % 3 else (-2, 0, 1, 7)
    items = {}
    for item in itertools.product(range(topics), range(passages)):
        truth = chance.choice(scale)
        given = [int(truth if chance.random() < .6 else chance.choice(scale)) for _ in range(assessors)]
        items[item] = [grade if chance.random() >= missing else None for grade in given]
    for assessor in range(assessors):
        if all(grades[assessor] is None for grades in items.values()):
            items[0, 0][assessor] = 0
    return items


def write_qrels(folder, items):
    paths = []
    for assessor in range(len(items[0, 0])):
        paths.append(folder / f"assessor{assessor}.qrels")
        lines = (f"t{topic} 0 p{passage} {grades[assessor]}\n" for (topic, passage), grades in items.items() if grades[assessor] is not None)
        paths[-1].write_text("".join(lines))
    return paths


def complete_by_topic(items):
    by_topic = collections.defaultdict(list)
    for (topic, _), grades in items.items():
        if None not in grades:
            by_topic[topic].append(grades)
    return by_topic


def check_view(tally, where, rows, items):
    got = {row["coefficient"]: row["value"] for row in rows}
    by_topic = complete_by_topic(items)
    pooled = list(itertools.chain.from_iterable(by_topic.values()))
    for name, coefficient in COEFFICIENTS.items():
        tally.close(name, where, got[name], coefficient(pooled), TOLERANCE)
        defined = [value for value in map(coefficient, by_topic.values()) if not math.isnan(value)]
        macro = f"{name}, mean over topics"
        tally.close(macro, where, got[macro], support.ratio(sum(defined), len(defined)), TOLERANCE)
    for distance in DISTANCES:
        name = f"Krippendorff alpha, {distance}"
        tally.close(name, where, got[name], krippendorff(items.values(), distance), TOLERANCE)


def check(tally, options, folder, seed, chance):
    items = draw_grades(chance, seed)
    least_grade = int(chance.integers(1, 3))
    if not complete_by_topic(items):  # the program refuses assessors with no passage in common
        return
    got = support.run_json(options.program, "agree", *write_qrels(folder, items), "--min-grade", least_grade, "--resamples", 20)
    two_grades = {
        item: [None if grade is None else int(grade >= least_grade) for grade in grades] for item, grades in items.items()
    }
    for view, seen in zip(VIEWS, (items, two_grades), strict=True):
        check_view(tally, f"seed {seed}, {view}", got[view], seen)


def main():
    options = support.parse_options(__doc__, seeds=120)
    tally = support.Tally(QUANTITIES)
    with support.temporary_folder() as folder:
        for seed, chance in support.seeded(options):
            check(tally, options, Path(folder), seed, chance)
    return tally.status(options, least=options.seeds)


if __name__ == "__main__":
    sys.exit(main())
