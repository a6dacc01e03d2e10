#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace touchstone::extractors::wikitext::templates::internal {

struct MetricPrefix;

/// A line of units.tsv, which says what its fields mean.
struct UnitEntry {
  std::string_view code, kind;
  double scale = 1, offset = 0;
  std::string_view symbol, singular, plural, american, partner, traits;
  int power = 0;
};

/// What a unit measures, by itself or per another: units convert within a kind.
struct UnitKind {
  std::string_view of, per;
  friend bool operator==(const UnitKind&, const UnitKind&) = default;
};

/// A unit of measurement as {{convert}} knows it. Value in base units of its kind = (value - offset) * scale.
struct Unit {
  std::string_view code;  ///< as the page names it: a view of that
  const UnitEntry* entry = nullptr;
  const MetricPrefix* prefix = nullptr;
  const UnitEntry* per = nullptr;  ///< the one below the stroke in "m3/s"
  const MetricPrefix* per_prefix = nullptr;
  UnitKind kind;
  double scale = 1;
  double offset = 0;               ///< temperatures: where their scale begins
  std::string_view partner;        ///< units it is converted to when none is named; empty: not known
  std::string_view other_symbol;   ///< shown in place of its own when not empty
  int power_of_ten = 0;            ///< of codes like "e6acre", shown as a word or power with the number
  bool always_name = false;        ///< shown by its name also where symbols are wanted: acres
  bool symbol_by_default = false;  ///< shown by its symbol also where names are: degrees Celsius
  bool no_blank = false;           ///< the symbol follows the number at once: 39/km2
  bool metric = false;             ///< takes the prefixes of the metric system
  bool integers_exact = false;     ///< whole numbers are converted to it with more digits: feet, pounds
};

/// The unit that a code represents: one of the table, with a prefix ("Gm", "e6acre"), or one per another ("m3/s").
/// \param value  the number that is converted; what a metre is converted to depends on it
std::optional<Unit> find_unit(std::string_view code, double value = 0);

/// Whether it is known what symbol the unit has.
bool has_symbol(const Unit& unit) noexcept;

/// "km", in the American form "U.S. gal" for "US gal".
std::string symbol_of(const Unit& unit, bool american);

/// "kilometre", "kilometres"; in American spelling "kilometer".
std::string name_of(const Unit& unit, bool singular, bool american);

/// How many of `smaller` make one `larger` where the two may be together (5 ft 6 in), and what they are converted
/// to.
struct Subdivision {
  std::string_view larger, smaller;
  double count = 0;
  std::string_view partner;
  std::string_view symbol;  ///< of the smaller unit in such company, where it differs
};
const Subdivision* find_subdivision(std::string_view larger, std::string_view smaller) noexcept;

/// Units that are shown as a larger and a smaller one ("ftin").
struct MixedUnit {
  std::string_view code, larger, smaller;
  double count = 0;
};
const MixedUnit* find_mixed_unit(std::string_view code) noexcept;

}  // namespace touchstone::extractors::wikitext::templates::internal
