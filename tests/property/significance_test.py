#!/usr/bin/env python3
"""`touchstone compare` on random matrices, against scipy and published formulas.

significance_test.py PROGRAM [--seeds N] [--first-seed S]

Exact to 1e-8 (studentised range 1e-6): the t test (scipy.stats.ttest_1samp), the sign test (scipy.stats.binomtest), Wilcoxon's signed
ranks (distribution of the rank sum by convolution, with ties; above 50 differences the normal approximation of Wilcoxon 1945 with
corrections for ties and continuity, as in Hollander and Wolfe, section 3.1), the sign-flip permutation test over all signs, Tukey's HSD
(scipy.stats.studentized_range); the corrections of Bonferroni, Holm (1979) and Benjamini and Hochberg (1995); the two-way ANOVA;
effect sizes, intervals (also those of Benjamini and Yekutieli 2005), critical differences; the t test against a baseline, with wins, losses and ties.
Sampled, within 5 standard errors of a second sample: randomised Tukey HSD (Carterette, TOIS 2012), the permutation test with
random signs, the bootstrap of studentised means (Efron and Tibshirani 1993, algorithm 16.2; Sakai, SIGIR 2006).
"""
import itertools
import math
import sys
from pathlib import Path

import support
import numpy
from scipy import stats

ALPHA = .05
EXACT_WILCOXON = 50  # differences
ALL_SIGNS = 14  # topics up to which all 2^topics signs are tried
SAMPLES = 20000
TOLERANCE, RANGE_TOLERANCE = 1e-8, 1e-6
CORRECTIONS = ("none", "bonferroni", "holm", "bh")
QUANTITIES = (
    "mean square", "F of systems", "p of F", "parametric Tukey p", "parametric critical difference", "raw p", "corrected p",
    "effect size", "interval", "permutation p, all signs", "permutation p, sampled", "randomised Tukey p",
    "randomised critical difference", "bootstrap p", "baseline p", "baseline wins, losses, ties",
)


def draw_scores(chance, seed):
    """Scores [topics][systems]: without ties, with many ties, with some, or correlated by topic; every fifth has two equal systems."""
    systems = int(chance.integers(2, 7))
    topics = int(chance.integers(3, 70)) if seed % 3 else int(chance.integers(3, ALL_SIGNS))
    shape = (topics, systems)
    if seed % 4 == 0:
        scores = chance.random(shape)
    elif seed % 4 == 1:
        scores = chance.integers(0, 4, shape) / 4
    elif seed % 4 == 2:
        scores = numpy.round(chance.random(shape), 1)
    else:
        scores = numpy.clip(chance.random((topics, 1)) + .2 * chance.normal(size=shape) + .05 * numpy.arange(systems), 0, 1)
    if seed % 5 == 4 and systems > 2:
        scores[:, 1] = scores[:, 0]
    return scores


def t_test(differences):
    if differences.std() < 1e-12:
        return 1.0 if abs(differences.mean()) < 1e-12 else 0.0
    return float(stats.ttest_1samp(differences, 0).pvalue)


def sign_test(differences):
    signs = support.sign(differences)
    if not signs.any():
        return 1.0
    return float(stats.binomtest(int((signs > 0).sum()), int((signs != 0).sum())).pvalue)


def wilcoxon(differences):
    differences = differences[support.sign(differences) != 0]
    count = len(differences)
    if count == 0:
        return 1.0
    ranks = stats.rankdata(numpy.round(numpy.abs(differences), 12))
    smaller = min(ranks[differences > 0].sum(), ranks[differences < 0].sum())
    if count <= EXACT_WILCOXON:
        return exact_signed_rank(ranks, smaller)
    ties = numpy.unique(ranks, return_counts=True)[1]
    variance = count * (count + 1) * (2 * count + 1) / 24 - (ties ** 3 - ties).sum() / 48
    z = (ranks.sum() / 2 - smaller - .5) / math.sqrt(variance)
    return min(1.0, 2 * float(stats.norm.sf(max(z, 0))))


def exact_signed_rank(ranks, smaller):
    """Twice the chance of a rank sum as small, when each rank's sign is a coin. Ranks are multiples of one half."""
    doubled = numpy.rint(2 * ranks).astype(int)
    chances = numpy.zeros(doubled.sum() + 1)
    chances[0] = 1
    for rank in doubled:
        shifted = numpy.roll(chances, rank)
        shifted[:rank] = 0
        chances = (chances + shifted) / 2
    return min(1.0, 2 * float(chances[: int(round(2 * smaller)) + 1].sum()))


PAIRED_TESTS = {"t-test": t_test, "wilcoxon": wilcoxon, "sign": sign_test}


def corrected(p_values, correction):
    """Adjusted p-values: the least alpha at which the procedure rejects each."""
    count = len(p_values)
    rank = stats.rankdata(p_values, "ordinal")
    if correction == "bonferroni":
        return numpy.minimum(1, p_values * count)
    if correction == "holm":
        steps = numpy.minimum(1, p_values * (count - rank + 1))
        return numpy.array([steps[rank <= own].max() for own in rank])
    if correction == "bh":
        steps = p_values * count / rank
        return numpy.array([min(1, steps[rank >= own].min()) for own in rank])
    return p_values


class Case:
    """One random matrix and the program's comparisons of its systems."""

    def __init__(self, options, folder, seed, chance):
        self.program = options.program
        self.name = f"seed {seed}"
        self.chance = chance
        self.scores = draw_scores(chance, seed)
        self.topics, self.systems = self.scores.shape
        self.path = folder / "scores.tsv"
        support.write_matrix(self.path, self.scores)
        means = self.scores.mean(axis=0)
        self.residuals = self.scores - self.scores.mean(axis=1, keepdims=True) - means + self.scores.mean()

    def compare(self, *arguments):
        return support.run_json(self.program, "compare", "--matrix", self.path, *arguments)

    def pairs(self, comparison):
        """Each compared pair, where it is, and its differences by topic."""
        for pair in comparison["comparisons"]:
            better, worse = int(pair["better"][1:]), int(pair["worse"][1:])
            yield pair, f"{self.name}, {pair['better']} and {pair['worse']}", self.scores[:, better] - self.scores[:, worse]

    def residual_mean_square(self):
        return (self.residuals ** 2).sum() / self.residual_freedom()

    def residual_freedom(self):
        return (self.systems - 1) * (self.topics - 1)


def check_anova(tally, case, anova):
    overall = case.scores.mean()
    by_systems = case.topics * ((case.scores.mean(axis=0) - overall) ** 2).sum() / (case.systems - 1)
    by_topics = case.systems * ((case.scores.mean(axis=1) - overall) ** 2).sum() / (case.topics - 1)
    residual = case.residual_mean_square()
    for key, expected in (("systems", by_systems), ("topics", by_topics), ("residual", residual)):
        tally.close("mean square", f"{case.name}, {key}", anova[f"mean_square_{key}"], expected, TOLERANCE)
    tally.close("F of systems", case.name, anova["f_systems"], by_systems / residual, TOLERANCE)
    p = stats.f.sf(by_systems / residual, case.systems - 1, case.residual_freedom())
    tally.close("p of F", case.name, anova["p_systems"], p, TOLERANCE)


def check_parametric_tukey(tally, case):
    comparison = case.compare("--test", "tukey-hsd-parametric")
    check_anova(tally, case, comparison["anova"])
    residual, freedom = case.residual_mean_square(), case.residual_freedom()
    error = math.sqrt(residual / case.topics)
    critical = stats.studentized_range.ppf(1 - ALPHA, case.systems, freedom) * error
    tally.close("parametric critical difference", case.name, comparison["critical_difference"], critical, RANGE_TOLERANCE)
    for pair, where, differences in case.pairs(comparison):
        p = stats.studentized_range.sf(abs(differences.mean()) / error, case.systems, freedom)
        tally.close("parametric Tukey p", where, pair["p_value"], p, RANGE_TOLERANCE)
        tally.close("effect size", f"{where}, Tukey", pair["effect_size"], differences.mean() / math.sqrt(residual), TOLERANCE)


def check_pair_alone(tally, case, where, pair, differences, alpha):
    deviation = differences.std(ddof=1)
    if deviation < 1e-12:
        return
    tally.close("effect size", where, pair["effect_size"], differences.mean() / deviation, TOLERANCE)
    check_interval(tally, case, where, (pair["low"], pair["high"]), differences, alpha)


def check_interval(tally, case, where, interval, differences, alpha):
    half = stats.t.ppf(1 - alpha / 2, case.topics - 1) * differences.std(ddof=1) / math.sqrt(case.topics)
    tally.close("interval", f"{where}, low", interval[0], differences.mean() - half, TOLERANCE)
    tally.close("interval", f"{where}, high", interval[1], differences.mean() + half, TOLERANCE)


def check_paired_tests(tally, case):
    for (test, p_of), correction in itertools.product(PAIRED_TESTS.items(), CORRECTIONS):
        comparison = case.compare("--test", test, "--correction", correction)
        raw, adjusted = [], []
        alpha = ALPHA if correction == "none" else ALPHA / len(comparison["comparisons"])  # Bonferroni's for all corrections
        for pair, where, differences in case.pairs(comparison):
            raw.append(p_of(differences))
            adjusted.append(pair["p_value"])
            tally.close("raw p", f"{where}, {test}", pair["raw_p_value"], raw[-1], TOLERANCE)
            check_pair_alone(tally, case, f"{where}, {test}", pair, differences, alpha)
            if correction == "bh" and differences.std() > 1e-12:  # Benjamini and Yekutieli (2005)
                adjusted_alpha = ALPHA * max(1, comparison["significant"]) / len(comparison["comparisons"])
                check_interval(tally, case, f"{where}, {test}, FCR", (pair["fcr_low"], pair["fcr_high"]), differences, adjusted_alpha)
        for got, expected in zip(adjusted, corrected(numpy.array(raw), correction), strict=True):
            tally.close("corrected p", f"{case.name}, {test}, {correction}", got, expected, TOLERANCE)


def check_baseline(tally, case):
    for correction in CORRECTIONS:
        comparison = case.compare("--baseline", "s0", "--test", "t-test", "--correction", correction)
        raw, adjusted = [], []
        for row in comparison["comparisons"]:
            differences = case.scores[:, int(row["system"][1:])] - case.scores[:, 0]
            raw.append(t_test(differences))
            adjusted.append(row["p_value"])
            signs = support.sign(differences)
            wins = [int((signs == sign).sum()) for sign in (1, -1, 0)]
            tally.holds("baseline wins, losses, ties", case.name, [row["wins"], row["losses"], row["ties"]], wins)
        for got, expected in zip(adjusted, corrected(numpy.array(raw), correction), strict=True):
            tally.close("baseline p", f"{case.name}, {correction}", got, expected, TOLERANCE)


def check_permutation(tally, case):
    exact = case.topics <= ALL_SIGNS
    comparison = case.compare("--test", "permutation", "--permutations", 2 ** ALL_SIGNS if exact else SAMPLES)
    if exact:
        signs = numpy.array(list(itertools.product((1, -1), repeat=case.topics)))
    else:
        signs = case.chance.choice((1.0, -1.0), size=(SAMPLES, case.topics))
    for pair, where, differences in case.pairs(comparison):
        share = float((numpy.abs(signs @ differences) >= abs(differences.sum()) - 1e-9).mean())
        if exact:
            tally.close("permutation p, all signs", where, pair["p_value"], share, TOLERANCE)
        else:
            tally.sampled("permutation p, sampled", where, pair["p_value"], share, SAMPLES)


def permuted_ranges(case):
    """Largest less smallest mean when each topic's scores are dealt to the systems at random."""
    sums = numpy.zeros((SAMPLES, case.systems))
    for row in case.scores:
        sums += case.chance.permuted(numpy.broadcast_to(row, sums.shape), axis=1)
    return (sums.max(axis=1) - sums.min(axis=1)) / case.topics


def check_randomised_tukey(tally, case):
    comparison = case.compare("--permutations", SAMPLES)
    ranges = permuted_ranges(case)
    for pair, where, _ in case.pairs(comparison):
        share = float((ranges >= pair["difference"] - 1e-9).mean())
        tally.sampled("randomised Tukey p", where, pair["p_value"], share, SAMPLES)
    # The 1 - alpha quantile: alpha of the ranges reach it, and no more lie above it. With ties both are inequalities.
    critical = comparison["critical_difference"]
    reach, above = float((ranges >= critical - 1e-9).mean()), float((ranges > critical + 1e-9).mean())
    nearest = min(max(ALPHA, above), reach)
    tally.sampled("randomised critical difference", case.name, nearest, ALPHA, SAMPLES)


def check_bootstrap(tally, case):
    if case.topics < 8:  # with so few, many a resample has no deviation, and what then counts is a convention
        return
    comparison = case.compare("--test", "bootstrap", "--permutations", SAMPLES)
    for pair, where, differences in case.pairs(comparison):
        if differences.std() < 1e-12:
            continue
        resamples = (differences - differences.mean())[case.chance.integers(0, case.topics, (SAMPLES, case.topics))]
        means, deviations = numpy.abs(resamples.mean(axis=1)), resamples.std(axis=1, ddof=1)
        constant = deviations < 1e-12
        studentised = numpy.where(constant, numpy.where(means < 1e-12, 0, numpy.inf), means / numpy.where(constant, 1, deviations))
        observed = abs(differences.mean()) / differences.std(ddof=1)
        share = float((studentised >= observed - 1e-9).mean())
        tally.sampled("bootstrap p", where, pair["p_value"], share, SAMPLES)


def main():
    options = support.parse_options(__doc__, seeds=10)
    tally = support.Tally(QUANTITIES)
    with support.temporary_folder() as folder:
        for seed, chance in support.seeded(options):
            case = Case(options, Path(folder), seed, chance)
            if case.residual_mean_square() > 1e-12:
                check_parametric_tukey(tally, case)
            check_paired_tests(tally, case)
            check_baseline(tally, case)
            check_permutation(tally, case)
            check_randomised_tukey(tally, case)
            check_bootstrap(tally, case)
    return tally.status(options, least=options.seeds // 2)


if __name__ == "__main__":
    sys.exit(main())
