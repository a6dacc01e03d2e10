// This file is long because it holds the table of units.
#include "extractors/wikitext/templates/units.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>

namespace touchstone::extractors::wikitext::templates::internal {
namespace {

enum Flags : unsigned {
  kPlain = 0,
  kAlwaysName = 1,
  kSymbol = 2,
  kNoBlank = 4,
  kIntegersExact = 8,
  kMetric = 16,  ///< also without taking a prefix
};

}  // namespace

struct UnitEntry {
  std::string_view code, kind;
  double scale;
  std::string_view symbol;         ///< empty: not known
  std::string_view singular;       ///< '%' is the place of a metric prefix; without it the prefix goes to the front
  std::string_view plural = {};    ///< empty: the singular and "s"
  std::string_view american = {};  ///< American spelling of the singular; empty if it is the same
  std::string_view partner = {};
  unsigned flags = kPlain;
  int metric = 0;  ///< power that a metric prefix is raised to; 0: takes none
  double offset = 0;
};

struct MetricPrefix {
  std::string_view letters, name;
  int exponent;
};

namespace {

// Exact factors by definition (NIST Special Publication 811, appendix B, read 2025-01); names, symbols and default
// partners as the English Wikipedia's Help:Convert units shows them. A partner that is not sure is left out.
constexpr UnitEntry kUnits[] = {
    // length, in metres
    {"m", "length", 1, "m", "%metre", "", "%meter", "?", kPlain, 1},
    {"km", "length", 1000, "km", "kilometre", "", "kilometer", "mi", kMetric},
    {"cm", "length", 0.01, "cm", "centimetre", "", "centimeter", "in", kMetric},
    {"mm", "length", 0.001, "mm", "millimetre", "", "millimeter", "in", kMetric},
    {"mi", "length", 1609.344, "mi", "mile", "", "", "km"},
    {"smi", "length", 1609.344, "", "statute mile", "", "", ""},
    {"ft", "length", 0.3048, "ft", "foot", "feet", "", "m", kIntegersExact},
    {"foot", "length", 0.3048, "ft", "foot", "foot", "", "m", kIntegersExact},
    {"in", "length", 0.0254, "in", "inch", "inches", "", "mm"},
    {"yd", "length", 0.9144, "yd", "yard", "", "", "m"},
    {"nmi", "length", 1852, "nmi", "nautical mile", "", "", "km mi"},
    {"fathom", "length", 1.8288, "fathom", "fathom", "", "", "ft m", kAlwaysName},
    {"chain", "length", 20.1168, "chain", "chain", "", "", "ft m", kAlwaysName},
    {"furlong", "length", 201.168, "furlong", "furlong", "", "", "ft m", kAlwaysName},
    {"AU", "length", 149597870700, "AU", "astronomical unit", "", "", "km mi"},
    // area, in square metres
    {"m2", "area", 1, "m<sup>2</sup>", "square %metre", "", "square %meter", "sqft", kPlain, 2},
    {"km2", "area", 1e6, "km<sup>2</sup>", "square kilometre", "", "square kilometer", "sqmi"},
    {"cm2", "area", 1e-4, "cm<sup>2</sup>", "square centimetre", "", "square centimeter", "sqin"},
    {"mm2", "area", 1e-6, "mm<sup>2</sup>", "square millimetre", "", "square millimeter", "sqin"},
    {"ha", "area", 1e4, "ha", "hectare", "", "", "acre"},
    {"acre", "area", 4046.8564224, "acre", "acre", "", "", "ha", kAlwaysName},
    {"sqmi", "area", 2589988.110336, "sq mi", "square mile", "", "", "km2"},
    {"sqft", "area", 0.09290304, "sq ft", "square foot", "square feet", "", "m2"},
    {"sqyd", "area", 0.83612736, "sq yd", "square yard", "", "", "m2"},
    {"sqin", "area", 0.00064516, "sq in", "square inch", "square inches", "", "cm2"},
    // mass, in kilograms
    {"g", "mass", 0.001, "g", "%gram", "", "", "oz", kPlain, 1},
    {"kg", "mass", 1, "kg", "kilogram", "", "", "lb", kMetric},
    {"mg", "mass", 1e-6, "mg", "milligram", "", "", "gr"},
    {"t", "mass", 1000, "t", "tonne", "", "metric ton", "LT ST"},
    {"MT", "mass", 1000, "", "metric ton", "", "", ""},
    {"lb", "mass", 0.45359237, "lb", "pound", "", "", "kg", kIntegersExact},
    {"oz", "mass", 0.028349523125, "oz", "ounce", "", "", "g"},
    {"gr", "mass", 0.00006479891, "gr", "grain", "", "", "mg"},
    {"carat", "mass", 0.0002, "carat", "carat", "", "", "g", kAlwaysName},
    {"ozt", "mass", 0.0311034768, "ozt", "troy ounce", "", "", "oz g"},
    {"ST", "mass", 907.18474, "short ton", "short ton", "", "", "LT t", kAlwaysName},
    {"LT", "mass", 1016.0469088, "long ton", "long ton", "", "", "ST t", kAlwaysName},
    {"st", "mass", 6.35029318, "st", "stone", "stone", "", "lb kg"},
    // volume, in cubic metres
    {"L", "volume", 0.001, "L", "%litre", "", "%liter", "impgal USgal", kPlain, 1},
    {"l", "volume", 0.001, "L", "%litre", "", "%liter", "impgal USgal", kPlain, 1},
    {"mL", "volume", 1e-6, "mL", "millilitre", "", "milliliter", "impoz USoz"},
    {"ml", "volume", 1e-6, "mL", "millilitre", "", "milliliter", "impoz USoz"},
    {"m3", "volume", 1, "m<sup>3</sup>", "cubic %metre", "", "cubic %meter", "cuft", kPlain, 3},
    {"km3", "volume", 1e9, "km<sup>3</sup>", "cubic kilometre", "", "cubic kilometer", "cumi"},
    {"cm3", "volume", 1e-6, "cm<sup>3</sup>", "cubic centimetre", "", "cubic centimeter", "cuin"},
    {"cc", "volume", 1e-6, "cc", "cubic centimetre", "", "cubic centimeter", "cuin"},
    {"cumi", "volume", 4168181825.440579584, "cu mi", "cubic mile", "", "", "km3"},
    {"cuft", "volume", 0.028316846592, "cu ft", "cubic foot", "cubic feet", "", "m3"},
    {"cuyd", "volume", 0.764554857984, "cu yd", "cubic yard", "", "", "m3"},
    {"cuin", "volume", 0.000016387064, "cu in", "cubic inch", "cubic inches", "", "cm3"},
    {"USgal", "volume", 0.003785411784, "US gal", "US gallon", "", "U.S. gallon", "L impgal"},
    {"MUSgal", "volume", 3785.411784, "", "million US gallons", "million US gallons", "million U.S. gallons", ""},
    {"impgal", "volume", 0.00454609, "imp gal", "imperial gallon", "", "", "L USgal"},
    {"USoz", "volume", 0.0000295735295625, "US fl oz", "US fluid ounce", "", "U.S. fluid ounce", "ml"},
    {"impoz", "volume", 0.0000284130625, "imp fl oz", "imperial fluid ounce", "", "", "ml USoz"},
    {"oilbbl", "volume", 0.158987294928, "bbl", "barrel", "", "", "m3"},
    {"koilbbl", "volume", 158.987294928, "kbbl", "thousand barrels", "thousand barrels", "", ""},
    {"Moilbbl", "volume", 158987.294928, "Mbbl", "million barrels", "million barrels", "", ""},
    {"Goilbbl", "volume", 158987294.928, "Gbbl", "billion barrels", "billion barrels", "", ""},
    {"Tcuft", "volume", 28316846592.0, "Tcuft", "trillion cubic foot", "trillion cubic feet", "", ""},
    {"Gcuft", "volume", 28316846.592, "Gcuft", "billion cubic foot", "billion cubic feet", "", ""},
    {"Mcuft", "volume", 28316.846592, "Mcuft", "million cubic foot", "million cubic feet", "", ""},
    // time, in seconds: for what is measured per time
    {"s", "time", 1, "s", "second", "", "", ""},
    {"min", "time", 60, "min", "minute", "", "", ""},
    {"h", "time", 3600, "h", "hour", "", "", ""},
    {"d", "time", 86400, "d", "day", "", "", ""},
    // speed, in metres a second
    {"mph", "speed", 0.44704, "mph", "mile per hour", "miles per hour", "", "km/h"},
    {"kn", "speed", 1852.0 / 3600, "kn", "knot", "", "", "km/h mph"},
    {"knot", "speed", 1852.0 / 3600, "kn", "knot", "", "", "km/h mph"},
    // temperature, in kelvins, and differences of it
    {"C", "temperature", 1, "\u00B0C", "degree Celsius", "degrees Celsius", "", "F", kSymbol, 0, -273.15},
    {"F", "temperature", 5.0 / 9, "\u00B0F", "degree Fahrenheit", "degrees Fahrenheit", "", "C", kSymbol, 0,
     32 - 273.15 * 9 / 5},
    {"K", "temperature", 1, "K", "kelvin", "", "", "C F", kSymbol},
    {"C-change", "temperature change", 1, "\u00B0C", "degree Celsius change", "degrees Celsius change", "", "F-change",
     kSymbol},
    {"F-change", "temperature change", 5.0 / 9, "\u00B0F", "degree Fahrenheit change", "degrees Fahrenheit change", "",
     "C-change", kSymbol},
    // power, in watts; energy, in joules; pressure, in pascals; force, in newtons
    {"W", "power", 1, "W", "%watt", "", "", "hp", kPlain, 1},
    {"hp", "power", 745.69987158227022, "hp", "horsepower", "horsepower", "", "kW"},
    {"bhp", "power", 745.69987158227022, "bhp", "brake horsepower", "brake horsepower", "", "kW"},
    {"PS", "power", 735.49875, "PS", "metric horsepower", "metric horsepower", "", "kW hp"},
    {"J", "energy", 1, "J", "%joule", "", "", "", kPlain, 1},
    {"Wh", "energy", 3600, "Wh", "%watt-hour", "", "", "", kPlain, 1},
    {"cal", "energy", 4.184, "cal", "calorie", "", "", "J"},
    {"kcal", "energy", 4184, "kcal", "kilocalorie", "", "", "kJ"},
    {"Pa", "pressure", 1, "Pa", "%pascal", "", "", "", kPlain, 1},
    {"kPa", "pressure", 1000, "kPa", "kilopascal", "", "", "psi"},
    {"MPa", "pressure", 1e6, "MPa", "megapascal", "", "", "psi"},
    {"bar", "pressure", 1e5, "bar", "bar", "", "", "kPa"},
    {"psi", "pressure", 6894.757293168361, "psi", "pound per square inch", "pounds per square inch", "", "kPa"},
    {"atm", "pressure", 101325, "atm", "standard atmosphere", "", "", "kPa"},
    {"N", "force", 1, "N", "%newton", "", "", "lbf", kPlain, 1},
    {"lbf", "force", 4.4482216152605, "lbf", "pound-force", "pounds-force", "", "N"},
    {"Hz", "frequency", 1, "Hz", "%hertz", "%hertz", "", "", kPlain, 1},
    // people on an area, a square metre
    {"PD/km2", "1/area", 1e-6, "/km<sup>2</sup>", "inhabitant per square kilometre", "inhabitants per square kilometre",
     "inhabitant per square kilometer", "PD/sqmi", kNoBlank},
    {"PD/sqmi", "1/area", 1 / 2589988.110336, "/sq mi", "inhabitant per square mile", "inhabitants per square mile", "",
     "PD/km2", kNoBlank},
    {"/km2", "1/area", 1e-6, "/km<sup>2</sup>", "per square kilometre", "per square kilometre", "per square kilometer",
     "/sqmi", kNoBlank},
    {"/sqmi", "1/area", 1 / 2589988.110336, "/sq mi", "per square mile", "per square mile", "", "/km2", kNoBlank},
};

constexpr std::pair<std::string_view, std::string_view> kSynonyms[] = {
    {"metre", "m"},
    {"metres", "m"},
    {"meter", "m"},
    {"meters", "m"},
    {"kilometre", "km"},
    {"kilometres", "km"},
    {"kilometer", "km"},
    {"kilometers", "km"},
    {"centimetre", "cm"},
    {"centimetres", "cm"},
    {"mile", "mi"},
    {"miles", "mi"},
    {"feet", "ft"},
    {"inch", "in"},
    {"inches", "in"},
    {"yard", "yd"},
    {"yards", "yd"},
    {"nautical mile", "nmi"},
    {"nautical miles", "nmi"},
    {"fathoms", "fathom"},
    {"chains", "chain"},
    {"furlongs", "furlong"},
    {"acres", "acre"},
    {"hectare", "ha"},
    {"hectares", "ha"},
    {"sqm", "m2"},
    {"m\u00B2", "m2"},
    {"sqkm", "km2"},
    {"km\u00B2", "km2"},
    {"sq mi", "sqmi"},
    {"mi2", "sqmi"},
    {"sq ft", "sqft"},
    {"ft2", "sqft"},
    {"yd2", "sqyd"},
    {"in2", "sqin"},
    {"ft3", "cuft"},
    {"cu ft", "cuft"},
    {"mi3", "cumi"},
    {"yd3", "cuyd"},
    {"in3", "cuin"},
    {"gram", "g"},
    {"grams", "g"},
    {"kilogram", "kg"},
    {"kilograms", "kg"},
    {"pound", "lb"},
    {"pounds", "lb"},
    {"lbs", "lb"},
    {"ounce", "oz"},
    {"ounces", "oz"},
    {"stone", "st"},
    {"tonne", "t"},
    {"tonnes", "t"},
    {"litre", "L"},
    {"litres", "L"},
    {"liter", "L"},
    {"liters", "L"},
    {"kph", "km/h"},
    {"knots", "knot"},
    {"\u00B0C", "C"},
    {"\u00B0F", "F"},
    {"USfloz", "USoz"},
    {"impfloz", "impoz"},
    {"day", "d"},
    {"hour", "h"},
    {"second", "s"},
};

/// What units made of two others are converted to.
constexpr std::pair<std::string_view, std::string_view> kPartnersOfRatios[] = {
    {"km/h", "mph"},  {"m/s", "ft/s"},    {"ft/s", "m/s"},    {"km/s", "mi/s"},
    {"mi/s", "km/s"}, {"m3/s", "cuft/s"}, {"cuft/s", "m3/s"}, {"oilbbl/d", "m3/d"},
};

constexpr MetricPrefix kPrefixes[] = {
    {"T", "tera", 12},       {"G", "giga", 9},   {"M", "mega", 6},   {"k", "kilo", 3},   {"h", "hecto", 2},
    {"d", "deci", -1},       {"c", "centi", -2}, {"m", "milli", -3}, {"u", "micro", -6}, {"\u03BC", "micro", -6},
    {"\u00B5", "micro", -6}, {"n", "nano", -9},  {"p", "pico", -12},
};

constexpr Subdivision kSubdivisions[] = {
    {"ft", "in", 12, "m", ""},       {"foot", "in", 12, "m", ""},  {"yd", "ft", 3, "m", ""},
    {"mi", "chain", 80, "km", "ch"}, {"mi", "yd", 1760, "km", ""}, {"mi", "ft", 5280, "km", ""},
    {"st", "lb", 14, "kg", ""},      {"lb", "oz", 16, "kg", ""},
};

constexpr MixedUnit kMixedUnits[] = {
    {"ftin", "ft", "in", 12},
    {"ft in", "ft", "in", 12},
    {"stlb", "st", "lb", 14},
    {"lboz", "lb", "oz", 16},
};

Unit make_unit(const UnitEntry& entry, const MetricPrefix* prefix) {
  Unit unit;
  unit.entry = &entry;
  unit.prefix = prefix;
  unit.kind.of = entry.kind;
  unit.scale = prefix == nullptr ? entry.scale : entry.scale * std::pow(10.0, prefix->exponent * entry.metric);
  unit.offset = entry.offset;
  // What other multiples are converted to depends on the multiple.
  if (prefix == nullptr || entry.kind == "power" || entry.kind == "force") unit.partner = entry.partner;
  unit.always_name = (entry.flags & kAlwaysName) != 0;
  unit.symbol_by_default = (entry.flags & kSymbol) != 0;
  unit.no_blank = (entry.flags & kNoBlank) != 0;
  unit.integers_exact = (entry.flags & kIntegersExact) != 0;
  unit.metric = entry.metric != 0 || (entry.flags & kMetric) != 0;
  return unit;
}

/// All codes of the table, and their synonyms; those of ratios ("kph") have no entry.
std::unordered_map<std::string_view, const UnitEntry*> index_units() {
  std::unordered_map<std::string_view, const UnitEntry*> units;
  for (const UnitEntry& entry : kUnits) units.emplace(entry.code, &entry);
  for (const auto& [name, known] : kSynonyms) {
    if (const auto found = units.find(known); found != units.end()) units.emplace(name, found->second);
  }
  return units;
}

const UnitEntry* find_entry(std::string_view code) {
  static const auto units = index_units();
  const auto found = units.find(code);
  return found == units.end() ? nullptr : found->second;
}

/// One of the table, with a metric prefix or without.
std::optional<Unit> find_simple(std::string_view code) {
  if (const UnitEntry* entry = find_entry(code)) return make_unit(*entry, nullptr);
  for (const MetricPrefix& prefix : kPrefixes) {
    if (!code.starts_with(prefix.letters)) continue;
    const UnitEntry* entry = find_entry(code.substr(prefix.letters.size()));
    if (entry != nullptr && entry->metric != 0 && code.substr(prefix.letters.size()) == entry->code)
      return make_unit(*entry, &prefix);
  }
  return std::nullopt;
}

/// "m3/s": one unit per another.
std::optional<Unit> find_ratio(std::string_view code) {
  if (code == "kph") code = "km/h";
  const std::size_t slash = code.rfind('/');
  if (slash == std::string_view::npos || slash == 0) return std::nullopt;
  auto unit = find_simple(code.substr(0, slash));
  const auto bottom = find_simple(code.substr(slash + 1));
  if (!unit || !bottom || unit->offset != 0 || bottom->offset != 0) return std::nullopt;
  // A unit that is shown by its name alone would be so on one side of the stroke only.
  if (unit->always_name || bottom->always_name) return std::nullopt;
  unit->per = bottom->entry;
  unit->per_prefix = bottom->prefix;
  unit->kind.per = bottom->kind.of;
  if (unit->kind == UnitKind{"length", "time"}) unit->kind = {"speed", {}};
  unit->scale /= bottom->scale;
  unit->integers_exact = false;
  unit->partner = {};
  for (const auto& [ratio, partner] : kPartnersOfRatios) {
    if (ratio == code) unit->partner = partner;
  }
  return unit;
}

/// "e6acre": millions of acres.
std::optional<Unit> find_power(std::string_view code) {
  constexpr std::pair<std::string_view, int> kPowers[] = {{"e3", 3}, {"e6", 6}, {"e9", 9}, {"e12", 12}, {"e15", 15}};
  for (const auto& [letters, power] : kPowers) {
    if (!code.starts_with(letters)) continue;
    auto unit = find_simple(code.substr(letters.size()));
    if (!unit) unit = find_ratio(code.substr(letters.size()));
    if (!unit || unit->kind == UnitKind{"temperature", {}}) continue;
    unit->power_of_ten = power;
    unit->scale *= std::pow(10.0, power);
    unit->partner = {};
    return unit;
  }
  return std::nullopt;
}

void append_with_prefix(std::string_view name, const MetricPrefix* prefix, std::string& out) {
  const std::size_t at = std::min(name.find('%'), name.size());
  out.append(name.substr(0, at));
  if (at == name.size()) return;
  if (prefix != nullptr) out.append(prefix->name);
  out.append(name.substr(at + 1));
}

void append_symbol(const UnitEntry& entry, const MetricPrefix* prefix, std::string& out) {
  constexpr int kMicro = -6;
  if (prefix != nullptr) out.append(prefix->exponent == kMicro ? "\u03BC" : prefix->letters);
  out.append(entry.symbol);
}

void append_singular(const UnitEntry& entry, const MetricPrefix* prefix, bool american, std::string& out) {
  append_with_prefix(american && !entry.american.empty() ? entry.american : entry.singular, prefix, out);
}

void append_plural(const UnitEntry& entry, const MetricPrefix* prefix, bool american, std::string& out) {
  if (american && !entry.american.empty()) {
    // The 's' goes to what is counted: "inhabitants per square kilometer", but "per square kilometer" has none.
    const std::size_t per = entry.american.find("per ");
    const std::size_t counted =
        per == std::string_view::npos ? entry.american.size() : per - std::min<std::size_t>(per, 1);
    append_with_prefix(entry.american.substr(0, counted), prefix, out);
    if (per != 0 && entry.american[counted - 1] != 's') out.append("s");
    out.append(entry.american.substr(counted));
  } else if (entry.plural.empty()) {
    append_with_prefix(entry.singular, prefix, out);
    out.append("s");
  } else {
    append_with_prefix(entry.plural, prefix, out);
  }
}

}  // namespace

std::optional<Unit> find_unit(std::string_view code, double value) {
  auto unit = find_simple(code);
  if (!unit) unit = find_power(code);
  if (!unit) unit = find_ratio(code);
  if (!unit) return unit;
  unit->code = code;
  if (unit->partner == "?") unit->partner = value > 0 && value < 3 ? "ftin" : "ft";
  return unit;
}

bool has_symbol(const Unit& unit) noexcept {
  return !unit.entry->symbol.empty() && (unit.per == nullptr || !unit.per->symbol.empty());
}

std::string symbol_of(const Unit& unit, bool american) {
  if (!unit.other_symbol.empty()) return std::string(unit.other_symbol);
  std::string out;
  append_symbol(*unit.entry, unit.prefix, out);
  if (unit.per != nullptr) append_symbol(*unit.per, unit.per_prefix, out.append("/"));
  if (american && out.starts_with("US ")) out.replace(0, 2, "U.S.");
  return out;
}

std::string name_of(const Unit& unit, bool singular, bool american) {
  std::string out;
  (singular ? append_singular : append_plural)(*unit.entry, unit.prefix, american, out);
  if (unit.per != nullptr) append_singular(*unit.per, unit.per_prefix, american, out.append(" per "));
  return out;
}

const Subdivision* find_subdivision(std::string_view larger, std::string_view smaller) noexcept {
  const UnitEntry* unit = find_entry(smaller);
  if (unit == nullptr) return nullptr;
  for (const Subdivision& known : kSubdivisions) {
    if (known.larger == larger && known.smaller == unit->code) return &known;
  }
  return nullptr;
}

const MixedUnit* find_mixed_unit(std::string_view code) noexcept {
  const auto* const found =
      std::find_if(std::begin(kMixedUnits), std::end(kMixedUnits), [&](const MixedUnit& u) { return u.code == code; });
  return found == std::end(kMixedUnits) ? nullptr : found;
}

}  // namespace touchstone::extractors::wikitext::templates::internal
