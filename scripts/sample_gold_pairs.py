#!/usr/bin/env python3
"""Draw pairs of a judged work directory for people to label.

sample_gold_pairs.py WORK [--pairs 300] [--seed 14]
   WORK     a work directory after `touchstone build` with the lexical judge
Prints one JSON object a line: the pair's key (docs/gold.md), its stratum, and the texts a person reads. The
judge's answer is left out on purpose. The same build and seed give the same pairs in the same order.

Strata are five equal ranges of the judge's probability. Each gives the same number of pairs. Within a stratum, list
pages take turns, so that long lists do not crowd out short ones; within a list page the order is that of a hash.
Needs only the standard library.
"""
import argparse, itertools, json, pathlib
from collections import defaultdict

from gold_pairs import judged_pairs, sha256

STRATA = 5


def stratum_of(probability):
    return min(STRATA - 1, int(probability * STRATA))


def draw(pairs, count, seed):
    by_stratum = defaultdict(lambda: defaultdict(list))
    for key, judgment, texts in pairs:
        order = sha256(str(seed) + json.dumps(key, sort_keys=True))
        by_stratum[stratum_of(judgment["probability"])][key["list_page"]].append((order, key, texts))
    drawn = []
    for stratum in sorted(by_stratum):
        lists = [sorted(part, key=lambda item: item[0]) for part in by_stratum[stratum].values()]
        lists.sort(key=lambda part: part[0][0])
        turns = (item for turn in itertools.zip_longest(*lists) for item in turn if item)
        size = sum(map(len, lists))
        drawn += [(order, dict(key, stratum=stratum, stratum_pairs=size), texts)
                  for order, key, texts in itertools.islice(turns, count // STRATA)]
    return sorted(drawn, key=lambda item: item[0])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=14)
    options = parser.parse_args()
    for _, key, texts in draw(judged_pairs(options.work), options.pairs, options.seed):
        print(json.dumps(key | texts, ensure_ascii=False))


if __name__ == "__main__":
    main()
