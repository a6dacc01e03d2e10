"""What the statistical property tests share: their options, the input files they write, and the count of values compared.

Each test writes random input from a seed, runs `touchstone ... --format json` on it, and works out the same values a
second time with scipy, or in numpy from the published formulas. The two share no code.
"""
import argparse
import collections
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy
    import scipy  # noqa: F401
except ImportError as missing:
    sys.exit(f"{missing.name} is missing for {sys.executable}: run scripts/install_dependencies.sh and use Debian's /usr/bin/python3")

SHOWN = 20  # differences printed in full


class Tally:
    """Counts the values compared, by quantity, and prints those that differ."""

    def __init__(self, quantities):
        self.defined = collections.Counter({quantity: 0 for quantity in quantities})
        self.undefined = 0
        self.differing = 0

    def close(self, quantity, where, got, expected, tolerance):
        """Compares to a tolerance that is relative above 1; both undefined (null here, NaN there) agree."""
        got = math.nan if got is None else got
        if math.isnan(got) and math.isnan(expected):
            self.undefined += 1
            return
        self._count(quantity, where, got, expected, abs(got - expected) <= tolerance * max(1, abs(expected)))

    def sampled(self, quantity, where, got, share, samples):
        """Compares two shares, each of so many samples: within 5 standard errors of their difference."""
        spread = math.sqrt(2 * max(share * (1 - share), 1e-4) / samples)
        self._count(quantity, where, got, share, abs(got - share) <= 5 * spread)

    def holds(self, quantity, where, got, expected):
        """Compares exactly."""
        self._count(quantity, where, got, expected, got == expected)

    def _count(self, quantity, where, got, expected, agrees):
        if quantity not in self.defined:
            raise KeyError(f"{quantity} is not among the quantities that this test declares")
        self.defined[quantity] += 1
        if not agrees:
            self.differing += 1
            if self.differing <= SHOWN:
                print(f"{where}: {quantity} is {got!r}, expected {expected!r}")

    def status(self, options, least):
        """Prints the counts; exit status 1 if a value differs or a quantity has fewer than `least`, or no, defined values."""
        least = max(1, least)
        for quantity, count in self.defined.items():
            print(f"{count:7} {quantity}")
        scarce = [quantity for quantity, count in self.defined.items() if count < least]
        for quantity in scarce:
            print(f"only {self.defined[quantity]} values of {quantity} were compared, {least} are the least that show anything")
        print(
            f"seeds {options.first_seed} to {options.first_seed + options.seeds - 1}: {sum(self.defined.values())} values compared, "
            f"{self.undefined} more undefined on both sides, {self.differing} differ"
        )
        return 1 if self.differing or scarce else 0


def parse_options(description, seeds):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, help="the touchstone to test")
    parser.add_argument("--seeds", type=int, default=seeds, help="how many seeds, one random input each (default: %(default)s)")
    parser.add_argument("--first-seed", type=int, default=0, help="the first of them (default: %(default)s)")
    return parser.parse_args()


def seeded(options):
    """Yields each seed and its generator of random numbers."""
    for seed in range(options.first_seed, options.first_seed + options.seeds):
        yield seed, numpy.random.default_rng(seed)


def temporary_folder():
    return tempfile.TemporaryDirectory(prefix="touchstone-property-")


def run_json(program, *arguments):
    """What a command prints with --format json; ends the test with the command's message if it fails."""
    command = [str(program), *map(str, arguments), "--format", "json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with status {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def write_matrix(path, scores, order=None):
    """Writes scores of shape [topics][systems], systems down and named s0, s1 and so on; `order` is that of the lines."""
    topics, systems = scores.shape
    lines = ["run\t" + "\t".join(f"t{topic}" for topic in range(topics))]
    for system in range(systems) if order is None else order:
        lines.append(f"s{system}\t" + "\t".join(repr(float(score)) for score in scores[:, system]))
    path.write_text("\n".join(lines) + "\n")


def write_ranking(path, scores):
    """Writes lines `name<TAB>score` from a dict."""
    path.write_text("".join(f"{name}\t{score!r}\n" for name, score in scores.items()))


def ratio(part, whole):
    return part / whole if whole else math.nan


def sign(values):
    """-1, 0 or 1; what is within 1e-12 of 0 is 0, as for the program."""
    return numpy.where(numpy.abs(values) <= 1e-12, 0, numpy.sign(values))
