#!/usr/bin/env python3
"""The peer of scripts/bench.sh tukey: randomised Tukey HSD in numpy.

Usage: bench_tukey.py MATRIX PERMUTATIONS      MATRIX: a line `TOPICS SYSTEMS`, then one line of scores for each topic
       bench_tukey.py --make MATRIX            writes such a file of 50 topics and 71 systems, from a fixed seed
Prints the number of significant pairs at .05.
"""
import sys

import numpy as np

BLOCK = 2000  # permutations in memory at once


def make(path):
    random = np.random.default_rng(1)
    ability = random.normal(0, .07, 71)
    scores = np.clip(.25 + random.normal(0, .12, (50, 1)) + ability + random.normal(0, .12, (50, 71)), 0, 1)
    np.savetxt(path, scores, fmt='%.4f', header='50 71', comments='')


def significant_pairs(path, permutations):
    scores = np.loadtxt(path, skiprows=1)
    topics, systems = scores.shape
    random = np.random.default_rng(1)
    ranges = []
    for first in range(0, permutations, BLOCK):
        count = min(BLOCK, permutations - first)
        means = np.zeros((count, systems))
        for row in scores:
            means += random.permuted(np.broadcast_to(row, (count, systems)), axis=1)
        ranges.append((means.max(axis=1) - means.min(axis=1)) / topics)
    ranges = np.sort(np.concatenate(ranges))
    means = scores.mean(axis=0)
    difference = np.abs(means[:, None] - means)[np.triu_indices(systems, 1)]
    p = 1 - np.searchsorted(ranges, difference - 1e-12) / permutations
    return int((p <= .05).sum())


if __name__ == '__main__':
    if sys.argv[1] == '--make':
        make(sys.argv[2])
    else:
        print(significant_pairs(sys.argv[1], int(sys.argv[2])))
