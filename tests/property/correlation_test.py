#!/usr/bin/env python3
"""`touchstone correlate` on random rankings with ties, and `touchstone reliability` on random matrices, against scipy and published formulas.

correlation_test.py PROGRAM [--seeds N] [--first-seed S]

Kendall's tau b and Spearman's rho are scipy's; tau a and the error rate count pairs. tau_AP (Yilmaz, Aslam, Robertson, SIGIR 2008)
with ties by variants a and b of Urbano and Marrero (ICTIR 2017). Rank-biased overlap (Webber, Moffat, Zobel, TOIS 2010) for
rankings of different lengths with ties, variants a, b and w: Corsi and Urbano (SIGIR 2024). Generalisability as in Brennan (2001), with the
intervals of Feldt (1965) and of Arteaga, Jeyaratnam and Franklin (1982), as Urbano, Marrero and Martin (SIGIR 2013) write them.
Each seed gives two pairs of rankings and, for every second one, a matrix.
"""
import math
import sys
from pathlib import Path

import support
import numpy
from scipy import stats

TOLERANCE, INTERVAL_TOLERANCE = 1e-9, 1e-7
PERSISTENCE = .9
MORE_TOPICS = 77
CORRELATIONS = ("kendall_tau_a", "kendall_tau_b", "tau_ap_a", "tau_ap_b", "spearman_rho", "error_rate")
OVERLAPS = tuple(f"rbo_{variant}_{score}" for variant in "abw" for score in ("ext", "min", "max", "res"))
VARIANCES = ("variance_systems", "variance_topics", "variance_interaction", "cronbach_alpha")
COEFFICIENTS = ("e_rho_squared", "phi")
QUANTITIES = (*CORRELATIONS, *OVERLAPS, "systems kept", *VARIANCES, *COEFFICIENTS, *(f"interval of {name}" for name in COEFFICIENTS))


def concordant(truth, estimate, item, rivals):
    """How many of the rivals stand to the item in the estimate as they do in the truth; tied in one only counts as not."""
    return sum(
        numpy.sign(truth[item] - truth[rival]) == numpy.sign(estimate[item] - estimate[rival]) for rival in rivals
    )


def above(scores, item):
    return [rival for rival in range(len(scores)) if scores[rival] > scores[item]]


def tau_ap_a(truth, estimate):
    """Expected tau_AP over all ways to break the estimate's ties.

    An item of a group of k ties below m items stands at each of the ranks m + 1 to m + k alike. At rank m + j it has above it
    the m items and j - 1 of its group, half of them in the right order on average.
    """
    count = len(truth)
    if len(set(truth)) < count:
        return math.nan
    total = 0.0
    for item in range(count):
        rivals = above(estimate, item)
        tied = int((estimate == estimate[item]).sum())
        right = concordant(truth, estimate, item, rivals)
        shares = [(right + j / 2) / (len(rivals) + j) for j in range(tied) if len(rivals) + j > 0]
        total += sum(shares) / tied
    return 2 * total / (count - 1) - 1


def tau_ap_half(truth, estimate):
    """tau_AP where each item of a group of ties is compared with the items above the group; the topmost group with none."""
    shares = []
    for item in range(len(truth)):
        rivals = above(estimate, item)
        if rivals:
            shares.append(concordant(truth, estimate, item, rivals) / len(rivals))
    return 2 * sum(shares) / len(shares) - 1 if shares else math.nan


def expected_correlations(truth, estimate):
    count = len(truth)
    products = numpy.sign(truth[:, None] - truth) * numpy.sign(estimate[:, None] - estimate)
    constant = len(set(truth)) == 1 or len(set(estimate)) == 1
    return {
        "kendall_tau_a": products.sum() / (count * (count - 1)),
        "kendall_tau_b": math.nan if constant else stats.kendalltau(truth, estimate).statistic,
        "tau_ap_a": tau_ap_a(truth, estimate),
        "tau_ap_b": (tau_ap_half(truth, estimate) + tau_ap_half(estimate, truth)) / 2,
        "spearman_rho": math.nan if constant else stats.spearmanr(truth, estimate).statistic,
        "error_rate": 100 * (products < 0).sum() / (count * (count - 1)),
    }


def check_correlations(tally, options, folder, seed, chance):
    count = int(chance.integers(2, 40))
    truth = chance.permutation(count).astype(float) if seed % 2 else chance.integers(0, 6, count).astype(float)
    if seed % 3:
        estimate = chance.integers(0, 8, count).astype(float)
    else:
        estimate = numpy.round(truth + chance.normal(size=count) * 3, 3)
    got = correlate(options, folder, *({f"s{i}": float(score) for i, score in enumerate(scores)} for scores in (truth, estimate)))
    for name, expected in expected_correlations(truth, estimate).items():
        tally.close(name, f"seed {seed}", got[name], expected, TOLERANCE)


def correlate(options, folder, first, second):
    for name, scores in (("first.tsv", first), ("second.tsv", second)):
        support.write_ranking(folder / name, scores)
    return support.run_json(options.program, "correlate", folder / "first.tsv", folder / "second.tsv", "-p", PERSISTENCE)


def membership(scores, variant, depth):
    """How far each item is among the first 1, 2, ... depth ranks: a row of shares for each item.

    An item whose group of ties holds the ranks t to b is in wholly from b on. Within the group, at rank d, it is in by the chance
    (d - t + 1) / (b - t + 1), or wholly from t on by variant w.
    """
    ranks = numpy.arange(1, depth + 1)
    rows = {}
    for item, score in scores.items():
        top = 1 + sum(other > score for other in scores.values())
        tied = sum(other == score for other in scores.values())
        rows[item] = (ranks >= top) * 1.0 if variant == "w" else numpy.clip((ranks - top + 1) / tied, 0, 1)
    return rows


class TiedOverlap:
    """Rank-biased overlap of two rankings given as scores; see Corsi and Urbano for the symbols S, L, X, A of the comments."""

    def __init__(self, first, second, variant):
        short, long = sorted((first, second), key=len)
        self.s, self.l = len(short), len(long)
        self.variant = variant
        self.depths = numpy.arange(1, self.l + 1)
        self.in_short = membership(short, variant, self.l)
        self.in_long = membership(long, variant, self.l)
        nothing = numpy.zeros(self.l)
        self.overlap = sum((self.in_short.get(item, nothing) * row for item, row in self.in_long.items()), nothing)  # X
        self.only_long = numpy.array([row for item, row in self.in_long.items() if item not in self.in_short]).reshape(-1, self.l)

    def agreement(self, overlap):
        """A at every depth. Below s the short ranking is unseen, and goes on without ties."""
        if self.variant == "a":
            return overlap / self.depths
        power = 1 if self.variant == "w" else 2
        sizes = [sum(row ** power for row in rows.values()) for rows in (self.in_short, self.in_long)]
        sizes[0] = numpy.where(self.depths > self.s, self.depths, sizes[0])
        return 2 * overlap / (sizes[0] + sizes[1]) if self.variant == "w" else overlap / numpy.sqrt(sizes[0] * sizes[1])

    def unseen(self, gain):
        """The overlap plus, at each depth below s, what `gain(depth)` gives."""
        return self.overlap + numpy.array([gain(depth) if depth > self.s else 0.0 for depth in self.depths])

    def most(self, depth):
        """Largest overlap that the unseen ranks s + 1 to depth can add: the items of L best placed, one for each."""
        return numpy.sort(self.only_long[:, depth - 1])[::-1][: depth - self.s].sum()

    def extrapolated(self, depth):
        """The same if the unseen items meet L as often as the agreement at s says, each with the mean share of those seen in L."""
        shares = self.only_long[:, depth - 1]
        return (depth - self.s) * self.agreement(self.overlap)[self.s - 1] * shares[shares > 0].mean()

    def scores(self, p):
        weights, odds = p ** self.depths.astype(float), (1 - p) / p
        last = self.overlap[-1]
        rest_least = last * (math.log(1 / (1 - p)) - (weights / self.depths).sum())
        full = round(self.l + self.s - last)  # depth at which both rankings can hold all the same items
        between = numpy.arange(self.l + 1, full + 1)
        rest_most = ((2 * between - self.l - self.s + last) / between * p ** between.astype(float)).sum() + p ** (full + 1) / (1 - p)
        at_s = self.agreement(self.overlap)[self.s - 1]
        rest_extrapolated = (last + (self.l - self.s) * at_s) / self.l * p ** (self.l + 1) / (1 - p)
        least = odds * ((self.agreement(self.overlap) * weights).sum() + rest_least)
        most = odds * ((self.agreement(self.unseen(self.most)) * weights).sum() + rest_most)
        extrapolated = odds * ((self.agreement(self.unseen(self.extrapolated)) * weights).sum() + rest_extrapolated)
        return {"ext": extrapolated, "min": least, "max": most, "res": most - least}


def draw_tied_ranking(chance, domain, levels):
    items = chance.permutation(domain)[: int(chance.integers(2, domain + 1))]
    return {f"s{item:02d}": int(chance.integers(0, levels)) for item in items}


def check_overlaps(tally, options, folder, seed, chance):
    domain = int(chance.integers(3, 14))
    first, second = (draw_tied_ranking(chance, domain, 3 if seed % 2 else 40) for _ in range(2))
    if len(first.keys() & second.keys()) < 2:  # the program refuses them
        return
    got = correlate(options, folder, first, second)
    for variant in "abw":
        for score, expected in TiedOverlap(first, second, variant).scores(PERSISTENCE).items():
            name = f"rbo_{variant}_{score}"
            tally.close(name, f"seed {seed}", got[name], expected, TOLERANCE)


class Generalisability:
    """Mean squares of systems, topics and what is left in a crossed design, and what follows from them."""

    def __init__(self, scores):
        self.topics, self.systems = scores.shape
        by_system, by_topic, overall = scores.mean(axis=0), scores.mean(axis=1, keepdims=True), scores.mean()
        self.freedom = self.systems - 1, self.topics - 1, (self.systems - 1) * (self.topics - 1)
        self.of_systems = self.topics * ((by_system - overall) ** 2).sum() / self.freedom[0]
        self.of_topics = self.systems * ((by_topic - overall) ** 2).sum() / self.freedom[1]
        self.residual = ((scores - by_system - by_topic + overall) ** 2).sum() / self.freedom[2]

    def variances(self):
        return {
            "variance_systems": max(0, (self.of_systems - self.residual) / self.topics),
            "variance_topics": max(0, (self.of_topics - self.residual) / self.systems),
            "variance_interaction": self.residual,
            "cronbach_alpha": 1 - self.residual / self.of_systems,
        }

    def coefficients(self, topics):
        variances = self.variances()
        systems, residual = variances["variance_systems"], self.residual
        error = residual + variances["variance_topics"]
        return {"e_rho_squared": systems / (systems + residual / topics), "phi": systems / (systems + error / topics)}

    def e_rho_bound(self, tail, topics):
        quantile = stats.f.ppf(1 - tail, self.freedom[0], self.freedom[2])
        one_topic = max(0, (self.of_systems / (self.residual * quantile) - 1) / self.topics)
        return topics * one_topic / (1 + topics * one_topic)

    def phi_bound(self, tail, topics):
        """Bound by the approximation of Arteaga and others; undefined where it is below 0."""
        above_all = stats.chi2.ppf(1 - tail, self.freedom[0]) / self.freedom[0]
        above_residual, above_topics = (stats.f.ppf(1 - tail, self.freedom[0], freedom) for freedom in (self.freedom[2], self.freedom[1]))
        left = self.of_systems ** 2 - above_all * self.of_systems * self.residual
        left += (above_all - above_residual) * above_residual * self.residual ** 2
        right = self.freedom[0] * above_all * self.of_systems * self.residual + above_topics * self.of_systems * self.of_topics
        share = left / right
        one_topic = self.systems * share / (self.systems * share + self.topics)
        return topics * one_topic / (1 + (topics - 1) * one_topic) if one_topic > 0 else math.nan


def check_reliability(tally, options, folder, seed, chance):
    systems, topics, drop = int(chance.integers(4, 46)), int(chance.integers(3, 60)), float(chance.choice((0, .1, .25, .5)))
    shape = topics, systems
    scores = .3 + .1 * chance.normal(size=systems) + .2 * chance.normal(size=(topics, 1)) + .15 * chance.normal(size=shape)
    support.write_matrix(folder / "scores.tsv", scores)
    got = support.run_json(
        options.program, "reliability", "--matrix", folder / "scores.tsv", "--drop", drop, "--topics", MORE_TOPICS, "--target", .9
    )
    means = scores.mean(axis=0)
    design = Generalisability(scores[:, means >= numpy.quantile(means, drop)])
    where = f"seed {seed}, drop {drop}"
    tally.holds("systems kept", where, got["systems"], design.systems)
    for name, expected in design.variances().items():
        tally.close(name, where, got[name], expected, TOLERANCE)
    for topics_then, study in zip((topics, MORE_TOPICS), got["d_study"], strict=True):
        check_study(tally, f"{where}, {topics_then} topics", study, design, topics_then)


def check_study(tally, where, study, design, topics):
    for name, expected in design.coefficients(topics).items():
        tally.close(name, where, study[name]["expected"], expected, TOLERANCE)
    for side, tail in (("low", .025), ("high", .975)):
        bound = design.e_rho_bound(tail, topics)
        tally.close("interval of e_rho_squared", f"{where}, {side}", study["e_rho_squared"][side], bound, INTERVAL_TOLERANCE)
        bound = design.phi_bound(tail, topics)
        if not math.isnan(bound):
            tally.close("interval of phi", f"{where}, {side}", study["phi"][side], bound, INTERVAL_TOLERANCE)


def main():
    options = support.parse_options(__doc__, seeds=120)
    tally = support.Tally(QUANTITIES)
    with support.temporary_folder() as folder:
        for seed, chance in support.seeded(options):
            check_correlations(tally, options, Path(folder), seed, chance)
            check_overlaps(tally, options, Path(folder), seed, chance)
            if seed % 2 == 0:
                check_reliability(tally, options, Path(folder), seed, chance)
    return tally.status(options, least=options.seeds // 4)


if __name__ == "__main__":
    sys.exit(main())
