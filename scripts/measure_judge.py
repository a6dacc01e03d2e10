#!/usr/bin/env python3
"""Measure a judge against labels that people made: errors, and how far its probabilities can be believed.

measure_judge.py WORK GOLD [--half fit|report] [--format text|json]
   WORK  a work directory after `touchstone build`
   GOLD  labels: .tsv by titles, or .jsonl by ids and digests (docs/gold.md)
   --half    only the lists of one half of a .jsonl file; weights were fitted on "fit"

Precision, recall, F1 and kappa are of the grades; a judge that is unsure has not said yes. Brier score and expected calibration error (ECE, ten bins of equal
width) are of the probabilities; 0 is perfect. In a .jsonl file pairs were drawn by strata; "weighted" counts each pair as
many times as it stands for pairs of its stratum, which estimates the rates of the whole build.
Needs only the standard library.
"""
import argparse, json, pathlib, sys
from collections import Counter

from gold_pairs import labelled_pairs

BINS = 10


def measure(pairs):
    """Numbers for pairs (label, grade, probability, weight)."""
    tp, fp, fn, tn = (sum(w for y, g, _, w in pairs if (y, g) == case) for case in ((1, 1), (0, 1), (1, 0), (0, 0)))
    n = tp + fp + fn + tn
    bins = [[] for _ in range(BINS)]
    for y, _, p, w in pairs:
        bins[min(BINS - 1, int(p * BINS))].append((y, p, w))
    table = []
    for index, part in enumerate(bins):
        if part:
            mass = sum(w for *_, w in part)
            table.append({"from": index / BINS, "to": (index + 1) / BINS, "pairs": len(part), "share": mass / n,
                          "probability": sum(p * w for _, p, w in part) / mass, "evidence": sum(y * w for y, _, w in part) / mass})
    agree = (tp + tn) / n
    chance = ((tp + fn) * (tp + fp) + (fp + tn) * (fn + tn)) / n / n
    return {"pairs": len(pairs), "true_yes": tp, "false_yes": fp, "false_no": fn, "true_no": tn,
            "precision": tp / (tp + fp) if tp + fp else 0, "recall": tp / (tp + fn) if tp + fn else 0,
            "f1": 2 * tp / (2 * tp + fp + fn) if tp else 0, "accuracy": agree,
            "kappa": (agree - chance) / (1 - chance) if chance < 1 else 0,
            "brier": sum(w * (p - y) ** 2 for y, _, p, w in pairs) / n,
            "ece": sum(row["share"] * abs(row["probability"] - row["evidence"]) for row in table), "bins": table}


def measure_gold(work, gold, half=None):
    labels = [pair for pair in labelled_pairs(work, gold) if half is None or pair["half"] == half]
    found = [pair for pair in labels if pair["judgment"] and (pair["judgment"]["grade"] is not None or pair["judgment"]["state"] == "unsure")]
    unsure = [pair["label"] for pair in found if pair["judgment"]["grade"] is None]
    result = {"labels": len(labels), "judged": len(found), "unsure": len(unsure), "unsure_evidence": sum(unsure)}
    if not found:
        return result
    drawn = Counter(pair.get("stratum") for pair in labels)
    rows = [(pair["label"], min(1, pair["judgment"]["grade"] or 0), pair["judgment"]["probability"],
             pair.get("stratum_pairs", 1) / drawn[pair.get("stratum")]) for pair in found]
    result["plain"] = measure([(y, g, p, 1) for y, g, p, _ in rows])
    if "stratum" in found[0]:
        result["weighted"] = measure(rows)
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("gold", type=pathlib.Path)
    parser.add_argument("--half", choices=["fit", "report"])
    parser.add_argument("--format", choices=["text", "json"], default="text")
    options = parser.parse_args()
    if options.half and options.gold.suffix != ".jsonl":
        parser.error("--half needs labels in a .jsonl file; a .tsv file has no halves")
    result = measure_gold(options.work, options.gold, options.half)
    if options.format == "json":
        print(json.dumps(result))
        return
    print(f"{result['judged']} of {result['labels']} labels are of pairs that were judged")
    if result["unsure"]:
        print(f"unsure about {result['unsure']}, of which {result['unsure_evidence']} are evidence; they count as not yes")
    if not result["judged"]:
        sys.exit("nothing can be measured: build with the settings that the labels were made for (docs/gold.md)")
    for name in ("plain", "weighted"):
        if name not in result:
            continue
        m = result[name]
        print(f"{name}: precision {m['precision']:.3f} recall {m['recall']:.3f} F1 {m['f1']:.3f} kappa {m['kappa']:.3f} "
              f"Brier {m['brier']:.3f} ECE {m['ece']:.3f}")
        print(f"  yes and right {m['true_yes']:.0f}, yes and wrong {m['false_yes']:.0f}, "
              f"no and wrong {m['false_no']:.0f}, no and right {m['true_no']:.0f}")
    print("probability  pairs   mean  evidence")
    for row in result["plain"]["bins"]:
        print(f"  {row['from']:.1f}-{row['to']:.1f}    {row['pairs']:5}   {row['probability']:.2f}      {row['evidence']:.2f}")


if __name__ == "__main__":
    main()
