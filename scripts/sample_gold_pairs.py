#!/usr/bin/env python3
"""Draw pairs of a judged work directory for people to label.

sample_gold_pairs.py WORK [PROGRAM] [--pairs 300] [--seed 14]
   WORK     a work directory after `touchstone build` with the lexical judge
   PROGRAM  default build/release/touchstone
Prints one JSON object a line: the pair's key (docs/gold.md), its stratum, and the texts a person reads. The
judge's answer is left out on purpose. The same build and seed give the same pairs in the same order.

Strata are five equal ranges of the judge's probability. Each gives the same number of pairs. Within a stratum, list
pages take turns, so that long lists do not crowd out short ones; within a list page the order is that of a hash.
Needs only the standard library.
"""
import argparse, hashlib, itertools, json, pathlib, subprocess
from collections import defaultdict

STRATA = 5


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def read_lines(file):
    with open(file, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def judged_pairs(work, program):
    """Every judged pair whose passage is in the collection, as (key, probability, texts)."""
    groups = {group["topic"]: group for group in read_lines(work / "stages/groups.jsonl")}
    passages = {line["_id"]: line for line in read_lines(work / "collection/corpus.jsonl")}
    for judgment in read_lines(work / "stages/judgments.jsonl"):
        group, passage = groups[judgment["topic"]], passages.get(judgment["docid"])
        if passage is None:
            continue
        path = group["section"] + [group["column"]]
        key = {"list_page": group["page_id"], "path_sha256": sha256("\n".join(path)),
               "member_page": judgment["member_page_id"], "passage_page": int(judgment["docid"].split("-")[1]),
               "text_sha256": sha256(passage["text"])}
        texts = {"list": group["page"], "path": path, "member": judgment["member"], "title": passage["title"],
                 "text": passage["text"]}
        yield key, judgment["probability"], texts


def stratum_of(probability):
    return min(STRATA - 1, int(probability * STRATA))


def draw(pairs, count, seed):
    by_stratum = defaultdict(lambda: defaultdict(list))
    for key, probability, texts in pairs:
        order = sha256(str(seed) + json.dumps(key, sort_keys=True))
        by_stratum[stratum_of(probability)][key["list_page"]].append((order, key, texts))
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
    parser.add_argument("program", nargs="?", default="build/release/touchstone")
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=14)
    options = parser.parse_args()
    for _, key, texts in draw(judged_pairs(options.work, options.program), options.pairs, options.seed):
        print(json.dumps(key | texts, ensure_ascii=False))


if __name__ == "__main__":
    main()
