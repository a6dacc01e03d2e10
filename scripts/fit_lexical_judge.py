#!/usr/bin/env python3
"""Fit the weights of the lexical judge on gold labels, and test them on topics left out.

fit_lexical_judge.py WORK GOLD.tsv [PROGRAM]
   WORK   a work directory built with the lexical judge; the replies in it contain the features
Prints the weights for pipeline/judging/lexical/lexical_judge.cpp. Prints precision, recall, F1 and kappa on the labels used
for fitting, and with one list page left out at a time (quote the latter). The method is ridge-penalised logistic regression
by Newton's method. Needs only the standard library.
"""
import json, math, subprocess, sys
from collections import defaultdict

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

def measure(pairs):
    tp = sum(1 for y, p in pairs if y and p); fp = sum(1 for y, p in pairs if not y and p)
    fn = sum(1 for y, p in pairs if y and not p); tn = len(pairs) - tp - fp - fn
    n = len(pairs); agree = (tp + tn) / n
    chance = ((tp + fn) * (tp + fp) + (fp + tn) * (fn + tn)) / n / n
    return 'precision %.3f recall %.3f F1 %.3f accuracy %.3f kappa %.3f (%d pairs)' % (
        tp / max(1, tp + fp), tp / max(1, tp + fn), 2 * tp / max(1, 2 * tp + fp + fn), agree, (agree - chance) / (1 - chance), n)

work, gold_file = sys.argv[1:3]
program = sys.argv[3] if len(sys.argv) > 3 else "build/release/touchstone"
gold = {}
with open(gold_file, encoding='utf-8') as f:
    next(f)
    for line in f:
        page, section, column, member, passage, grade = line.rstrip('\n').split('\t')[:6]
        gold[' » '.join(x for x in (page, section, column) if x), member, passage] = int(grade)
data = defaultdict(list)
names = None
shown = subprocess.run([program, 'show', 'judgments', '--work', work, '--format', 'json'], check=True, stdout=subprocess.PIPE)
for j in json.loads(shown.stdout):
    label = gold.get((j['structured'], j['member'], j['passage']))
    if label is None: continue
    features = json.loads(j['reply'])['features']
    names = list(features)
    data[j['structured'].split(' » ')[0]].append((list(features.values()) + [1.0], label))
rows = [row for part in data.values() for row in part]
w = fit(rows)
said = lambda weights, x: sum(a * b for a, b in zip(weights, x)) >= 0
for name, weight in zip(names + ['bias'], w): print('%-22s %6.2f' % (name, weight))
print('{' + ', '.join('%.1f' % x for x in w) + '}')
print('fitted on itself:          ' + measure([(y, said(w, x)) for x, y in rows]))
left_out = []
for page in data:
    part = fit([row for other, part in data.items() if other != page for row in part])
    left_out += [(y, said(part, x)) for x, y in data[page]]
print('lists left out one by one: ' + measure(left_out))
