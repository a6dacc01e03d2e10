#!/usr/bin/env python3
"""Random conversions against decimal arithmetic of 60 digits and the rounding rules as Help:Convert states them.

convert_test.py PROGRAM [--count N] [--seed S]

Factors, names and rules are written down here a second time, from their definitions, and share nothing with the program.
A value whose exact result lies too close to the middle between two roundings is not compared.
"""
import argparse
import decimal
import json
import math
import random
import subprocess
import sys

D = decimal.Decimal
decimal.getcontext().prec = 60

# Length in metres, area in square metres, mass in kilograms, volume in cubic metres, speed in metres a second.
INCH, POUND, GALLON = D("0.0254"), D("0.45359237"), 231 * D("0.0254") ** 3
UNITS = {
    "km": ("length", D(1000), "km"), "m": ("length", D(1), "m"), "cm": ("length", D("0.01"), "cm"), "mm": ("length", D("0.001"), "mm"),
    "mi": ("length", 63360 * INCH, "mi"), "yd": ("length", 36 * INCH, "yd"), "ft": ("length", 12 * INCH, "ft"), "in": ("length", INCH, "in"),
    "nmi": ("length", D(1852), "nmi"),
    "km2": ("area", D(10) ** 6, "km2"), "ha": ("area", D(10) ** 4, "ha"), "m2": ("area", D(1), "m2"), "sqmi": ("area", (63360 * INCH) ** 2, "sq mi"),
    "sqft": ("area", (12 * INCH) ** 2, "sq ft"),
    "kg": ("mass", D(1), "kg"), "g": ("mass", D("0.001"), "g"), "lb": ("mass", POUND, "lb"), "oz": ("mass", POUND / 16, "oz"),
    "st": ("mass", POUND * 14, "st"),
    "L": ("volume", D("0.001"), "L"), "m3": ("volume", D(1), "m3"), "cuft": ("volume", (12 * INCH) ** 3, "cu ft"),
    "USgal": ("volume", GALLON, "US gal"), "impgal": ("volume", D("0.00454609"), "imp gal"),
    "km/h": ("speed", D(1000) / 3600, "km/h"), "mph": ("speed", 63360 * INCH / 3600, "mph"), "kn": ("speed", D(1852) / 3600, "kn"),
    "m/s": ("speed", D(1), "m/s"),
    "C": ("temperature", D(1), "\u00b0C"), "F": ("temperature", D(5) / 9, "\u00b0F"), "K": ("temperature", D(1), "K"),
}
ZERO_POINT = {"C": D("-273.15"), "F": D("-459.67"), "K": D(0)}
MORE_FOR_INTEGERS = ("ft", "lb")


def log10(value):
    return float(value.log10())


def exact(value, source, target):
    if UNITS[source][0] == "temperature":
        return (value - ZERO_POINT[source]) * UNITS[source][1] / UNITS[target][1] + ZERO_POINT[target]
    return value * UNITS[source][1] / UNITS[target][1]


def places(written, value, result, source, target):
    """Digits behind the point by default; None when a logarithm is too close to call."""
    digits = written.lstrip("-")
    exactness = len(digits.split(".")[1]) if "." in digits else -(len(digits) - len(digits.rstrip("0")))
    if UNITS[source][0] == "temperature":
        kelvins = abs((value - ZERO_POINT[source]) * UNITS[source][1])
        if kelvins < D("1e-6"):
            return None
        gain, least = 0.0, 2 - math.floor(log10(kelvins))
    else:
        if value == 0:
            return 0
        if target in MORE_FOR_INTEGERS and value == value.to_integral_value():
            gain = -log10(UNITS[source][1])
        else:
            gain = log10(abs(value / result))
        gain += math.log10(2)
        least = 1 - math.floor(log10(abs(result)))
        if abs(exactness + gain - round(exactness + gain)) < 1e-9:
            return None
    return max(math.floor(exactness + gain), least)


def rounded(result, decimals):
    """Text of the rounded number; None when it is too close to the middle, or so large or small that it takes a power of ten."""
    scaled = abs(result).scaleb(decimals)
    if abs(scaled - scaled.to_integral_value(decimal.ROUND_FLOOR) - D("0.5")) < D("1e-6"):
        return None
    number = scaled.to_integral_value(decimal.ROUND_HALF_EVEN).scaleb(-decimals)
    if number >= D(10) ** 9 or decimals > 8 or (number != 0 and number < D("0.0001")):
        return None
    text = f"{number:,.{max(decimals, 0)}f}"
    return ("\u2212" if result < 0 and number != 0 else "") + text


def cases(count, seed):
    chance = random.Random(seed)
    for _ in range(count):
        source = chance.choice(list(UNITS))
        target = chance.choice([unit for unit in UNITS if UNITS[unit][0] == UNITS[source][0] and unit != source])
        whole = chance.randrange(0, 10 ** chance.randrange(1, 6))
        written = str(whole) if chance.random() < 0.6 else f"{whole}.{chance.randrange(0, 10 ** 2):0{chance.choice((2, 3))}d}"
        if UNITS[source][0] == "temperature" and chance.random() < 0.3 and whole < 200:
            written = "-" + written
        value = D(written)
        result = exact(value, source, target)
        asked = chance.choice((None, None, None, 0, 1, 2, -1))
        decimals = asked if asked is not None else places(written, value, result, source, target)
        shown = None if decimals is None else rounded(result, decimals)
        if shown is None:
            continue
        call = f"{{{{cvt|{written}|{source}|{target}" + (f"|{asked}" if asked is not None else "") + "}}"
        left = f"{value:,f}".replace("-", "\u2212")
        yield call, f"{left} {UNITS[source][2]} ({shown} {UNITS[target][2]})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    wanted = list(cases(arguments.count, arguments.seed))
    lines = "".join(json.dumps({"wikitext": call}) + "\n" for call, _ in wanted)
    done = subprocess.run([arguments.program, "parse", "--batch"], input=lines.encode(), stdout=subprocess.PIPE, check=True)
    wrong = 0
    for (call, expected), line in zip(wanted, done.stdout.decode().splitlines(), strict=True):
        got = " ".join(json.loads(line)["text"].split())
        if got != " ".join(expected.split()):
            wrong += 1
            if wrong <= 20:
                print(f"{call}\n  expected {expected}\n  got      {got}")
    print(f"seed {arguments.seed}: {len(wanted)} conversions, {wrong} differ")
    return 1 if wrong or len(wanted) < arguments.count // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
