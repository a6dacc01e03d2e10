#!/usr/bin/env python3
"""Fit the weights of the lexical judge on gold labels, and test them on lists that were not used for fitting.

fit_lexical_judge.py WORK GOLD [WORK GOLD]... [--program FILE] [--without FEATURE]...
   WORK   a work directory built with the lexical judge; the replies in it contain the features
   GOLD   labels: .tsv by titles, or .jsonl by ids and digests (docs/gold.md)
All labels of a .tsv file are fitted on; of a .jsonl file, those of the half "fit" (scripts/gold_pairs.py).
Prints the weights for pipeline/judging/lexical/lexical_scorer.cpp. Then, for each file, precision, recall, F1 and kappa on
the labels used for fitting and, to be quoted, on labels that were not: of a .jsonl file the half "report", of a .tsv file
each list with weights fitted on all the others. The method is ridge-penalised logistic regression by Newton's method.
Needs only the standard library.
"""
import argparse, math, pathlib
from collections import defaultdict

from gold_pairs import features_by_digest, labelled_pairs

RIDGE = 1.0

def solve(a, b):
    """Gaussian elimination with pivoting."""
    n = len(b)
    m = [row[:] + [b[i]] for i, row in enumerate(a)]
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(m[r][i]))
        m[i], m[p] = m[p], m[i]
        for r in range(n):
            if r != i:
                f = m[r][i] / m[i][i]
                m[r] = [x - f * y for x, y in zip(m[r], m[i])]
    return [m[i][n] / m[i][i] for i in range(n)]

def fit(rows):
    n = len(rows[0][0])
    w = [0.0] * n
    for _ in range(30):
        gradient = [-RIDGE * w[i] if i < n - 1 else 0.0 for i in range(n)]
        hessian = [[(RIDGE if i == j and i < n - 1 else 0.0) for j in range(n)] for i in range(n)]
        for x, y in rows:
            p = 1 / (1 + math.exp(-sum(a * b for a, b in zip(w, x))))
            for i in range(n):
                gradient[i] += (y - p) * x[i]
                for j in range(n):
                    hessian[i][j] += p * (1 - p) * x[i] * x[j]
        w = [a + b for a, b in zip(w, solve(hessian, gradient))]
    return w

def sentence(pairs):
    """Agreement of pairs (label, judged evidence, probability) as one line."""
    tp = sum(1 for y, p, _ in pairs if y and p); fp = sum(1 for y, p, _ in pairs if not y and p)
    fn = sum(1 for y, p, _ in pairs if y and not p); tn = len(pairs) - tp - fp - fn
    n = len(pairs); agree = (tp + tn) / n
    chance = ((tp + fn) * (tp + fp) + (fp + tn) * (fn + tn)) / n / n
    brier = sum((y - p) ** 2 for y, _, p in pairs) / n
    return 'precision %.3f recall %.3f F1 %.3f accuracy %.3f kappa %.3f Brier %.3f (%d pairs: %d right yes, %d wrong yes, %d missed)' % (
        tp / max(1, tp + fp), tp / max(1, tp + fn), 2 * tp / max(1, 2 * tp + fp + fn), agree, (agree - chance) / (1 - chance), brier, n, tp, fp, fn)


def judge(weights, rows):
    told = []
    for x, y in rows:
        p = 1 / (1 + math.exp(-sum(a * b for a, b in zip(weights, x))))
        told.append((y, p >= 0.5, p))
    return told


def read_rows(work, gold, program, without):
    """Names of the features; (list, half, features with the bias, label) of each judged label."""
    features = features_by_digest(work, program)
    names, rows = None, []
    for pair in labelled_pairs(work, gold):
        if pair['judgment'] is None:
            continue
        of_pair = {name: value for name, value in features[pair['judgment']['digest']].items() if name not in without}
        names = list(of_pair)
        rows.append((pair['list'], pair.get('half', 'fit'), (list(of_pair.values()) + [1.0], pair['label'])))
    return names, rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('files', nargs='+', type=pathlib.Path, metavar='WORK GOLD')
    parser.add_argument('--program', default='build/release/touchstone')
    parser.add_argument('--without', action='append', default=[])
    options = parser.parse_args()
    if len(options.files) % 2:
        parser.error('each work directory needs its file of labels')
    sets = []
    for work, gold in zip(options.files[::2], options.files[1::2]):
        names, rows = read_rows(work, gold, options.program, options.without)
        sets.append((gold, rows))
    fitted_on = [row for _, rows in sets for _, half, row in rows if half == 'fit']
    weights = fit(fitted_on)
    for name, weight in zip(names + ['bias'], weights): print('%-22s %6.2f' % (name, weight))
    for gold, rows in sets:
        print(gold.name)
        print('  used for fitting:       ' + sentence(judge(weights, [row for _, half, row in rows if half == 'fit'])))
        kept = [row for _, half, row in rows if half == 'report']
        if kept:
            print('  not used for fitting:   ' + sentence(judge(weights, kept)))
            continue
        left_out = []
        for page in dict.fromkeys(page for page, _, _ in rows):
            others = [row for _, all_rows in sets for other, half, row in all_rows if half == 'fit' and not (all_rows is rows and other == page)]
            left_out += judge(fit(others), [row for other, _, row in rows if other == page])
        print('  lists left out in turn: ' + sentence(left_out))


if __name__ == '__main__':
    main()
