#include "extractors/wikitext/templates/units.hpp"

#include "common/named_values.hpp"
#include "common/number_text.hpp"
#include "extractors/data/data_table.hpp"
#include "extractors/scan/text_scan.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>

namespace touchstone::extractors::wikitext::templates::internal {
struct MetricPrefix {
  std::string_view letters, name;
  int exponent;
};

namespace {

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
  unit.scale = prefix == nullptr ? entry.scale : entry.scale * std::pow(10.0, prefix->exponent * entry.power);
  unit.offset = entry.offset;
  // What other multiples are converted to depends on the multiple.
  if (prefix == nullptr || entry.kind == "power" || entry.kind == "force") unit.partner = entry.partner;
  unit.always_name = entry.traits == "name";
  unit.symbol_by_default = entry.traits == "symbol";
  unit.no_blank = entry.traits == "tight";
  unit.integers_exact = entry.traits == "exact";
  unit.metric = entry.power != 0 || entry.traits == "metric";
  return unit;
}

double read_double(std::string_view text) {
  return to_number<double>(text).value_or(0);
}

/// All codes of the table, and their synonyms.
std::unordered_map<std::string_view, UnitEntry> read_units() {
  std::unordered_map<std::string_view, UnitEntry> units;
  data::for_each_row<12>(data::data_table("units"), [&](const data::DataRow<12>& row) {
    const auto& [code, synonyms, kind, scale, offset, symbol, singular, plural, american, partner, traits, power] = row;
    const std::size_t stroke = std::min(scale.find('/'), scale.size());
    const double divisor = stroke < scale.size() ? read_double(scale.substr(stroke + 1)) : 1;
    const UnitEntry entry{code,
                          kind,
                          read_double(scale.substr(0, stroke)) / divisor,
                          read_double(offset),
                          symbol,
                          singular,
                          plural,
                          american,
                          partner,
                          traits,
                          static_cast<int>(read_double(power))};
    units.emplace(code, entry);
    scan::for_each_part(synonyms, '|', [&](std::string_view synonym) { units.emplace(synonym, entry); });
  });
  return units;
}

const UnitEntry* find_entry(std::string_view code) {
  static const auto units = read_units();
  const auto found = units.find(code);
  return found == units.end() ? nullptr : &found->second;
}

/// One of the table, with a metric prefix or without.
std::optional<Unit> find_simple(std::string_view code) {
  if (const UnitEntry* entry = find_entry(code)) return make_unit(*entry, nullptr);
  for (const MetricPrefix& prefix : kPrefixes) {
    if (!code.starts_with(prefix.letters)) continue;
    const UnitEntry* entry = find_entry(code.substr(prefix.letters.size()));
    if (entry != nullptr && entry->power != 0 && code.substr(prefix.letters.size()) == entry->code)
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
  if (const std::string_view* partner = find_value(kPartnersOfRatios, code)) unit->partner = *partner;
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
