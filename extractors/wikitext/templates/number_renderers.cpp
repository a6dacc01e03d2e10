#include "common/unicode.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/site/language_data.hpp"
#include "extractors/site/number_style.hpp"
#include "extractors/wikitext/templates/renderers.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace touchstone::extractors::wikitext::templates::internal {
using preprocessor::ExpandedText;
using site::group_digits;
namespace {

/// Digits and points, with a sign or without.
bool is_number(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("0123456789.", text[0] == '-' || text[0] == '+' ? 1 : 0) == std::string_view::npos;
}

}  // namespace

/// {{frac|1|2|3}} as "1 2/3", {{frac|2|3}} as "2/3", {{frac|3}} as "1/3".
bool render_fraction(const RenderCall& call, ExpandedText& out) {
  const std::string_view a = call.get(1), b = call.get(2), c = call.get(3);
  if (!c.empty()) {
    out.text.append(a).append(" ").append(b).append("\xE2\x81\x84").append(c);
  } else if (!b.empty()) {
    out.text.append(a).append("\xE2\x81\x84").append(b);
  } else if (!a.empty()) {
    out.text.append("1\xE2\x81\x84").append(a);
  } else {
    return false;
  }
  return true;
}

/// {{val|1234567|0.5|u=km}}: number, uncertainty, and units whose code is what is shown; anything else is not
/// understood.
bool render_value(const RenderCall& call, ExpandedText& out) {
  if (!knows_units(call)) return false;
  constexpr std::string_view kUnits[] = {"m",   "km",  "cm",  "mm",  "nm",  "kg",  "g",   "mg",  "s",  "ms",
                                         "K",   "Hz",  "kHz", "MHz", "GHz", "W",   "kW",  "MW",  "GW", "V",
                                         "kV",  "A",   "eV",  "keV", "MeV", "GeV", "TeV", "J",   "kJ", "Pa",
                                         "kPa", "MPa", "GPa", "N",   "mol", "bar", "pc",  "kpc", "Mpc"};
  const std::string_view number = call.get(1);
  const std::string_view uncertainty = call.get(2);
  if (!is_number(number) || (!uncertainty.empty() && !is_number(uncertainty)) || !call.get(3).empty()) return false;
  for (const char* refused : {"e", "upl", "up", "p", "s", "fmt", "end", "errend", "long", "+errend", "-errend"}) {
    if (!call.get(refused).empty()) return false;
  }
  const std::string_view unit = call.get(call.get("u").empty() ? "ul" : "u");
  if (!unit.empty() && std::find(std::begin(kUnits), std::end(kUnits), unit) == std::end(kUnits)) return false;
  if (number[0] == '-') {
    out.text.append("\xE2\x88\x92").append(number.substr(1));
  } else {
    out.text.append(number);
  }
  if (!uncertainty.empty()) out.text.append("\xC2\xB1").append(uncertainty);
  if (!unit.empty()) out.text.append("\xC2\xA0").append(unit);
  return true;
}

/// A letter for a half of the globe: N, S, E or W in English.
static std::string_view half_of_globe(const RenderCall& call, char half) {
  return call.word(half == 'N' ? "north" : half == 'S' ? "south" : half == 'E' ? "east" : "west");
}

/// {{coord|35|41|22|N|139|41|30|E|...}} as degrees, minutes and seconds, {{coord|35.69|-139.7}} as decimal degrees.
bool render_coordinates(const RenderCall& call, ExpandedText& out) {
  const std::string_view display = call.get("display");
  if (display == "title" || display == "t") return true;
  const std::string_view format = call.get("format");
  constexpr std::array<std::string_view, 3> kMarks = {"\u00B0", "\u2032", "\u2033"};
  const std::string_view third = call.get(3);
  if (is_number(call.get(1)) && is_number(call.get(2)) && !is_number(third) && (third.empty() || third.size() > 1)) {
    if (!format.empty() && format != "dec") return false;
    const auto degrees = [&](std::string_view number, char positive, char negative) {
      const bool south = number[0] == '-';
      if (south || number[0] == '+') number.remove_prefix(1);
      return std::string(number).append("\u00B0").append(half_of_globe(call, south ? negative : positive));
    };
    out.text.append(degrees(call.get(1), 'N', 'S')).append(" ").append(degrees(call.get(2), 'E', 'W'));
    return true;
  }
  std::vector<std::string_view> numbers;
  std::string shown;
  int halves = 0;
  constexpr int kMaxParts = 8;
  bool decimal = false;
  for (int i = 1; i <= kMaxParts && halves < 2; ++i) {
    const std::string_view value = call.get(i);
    if (value == "N" || value == "S" || value == "E" || value == "W") {
      if (numbers.empty() || numbers.size() > kMarks.size()) return false;
      decimal = decimal || numbers.size() == 1;
      if (halves++ > 0) shown += " ";
      for (std::size_t k = 0; k < numbers.size(); ++k) shown.append(numbers[k]).append(kMarks[k]);
      shown += half_of_globe(call, value[0]);
      numbers.clear();
    } else if (is_number(value)) {
      numbers.push_back(value);
    } else {
      return false;
    }
  }
  if (halves != 2 || (!format.empty() && format != (decimal ? "dec" : "dms"))) return false;
  out.text.append(shown);
  return true;
}

/// {{nts|1234567}}: a number with its thousands apart.
bool render_number(const RenderCall& call, ExpandedText& out) {
  std::string number(call.get(1));
  number.erase(std::remove(number.begin(), number.end(), ','), number.end());
  const std::size_t sign = !number.empty() && number[0] == '-' ? 1 : 0;
  if (number.size() == sign || number.find_first_not_of("0123456789.", sign) != std::string::npos ||
      std::count(number.begin(), number.end(), '.') > 1)
    return false;
  for (const auto& argument : call.arguments.all()) {
    if (argument.named && argument.name != 1 && !call.get(argument.name).empty()) return false;
  }
  const std::string_view digits = std::string_view(number).substr(sign);
  const auto& language = call.page.site.language;
  const bool english = site::language_chain(language).front() == "en";
  out.text.append(sign == 1 ? "\u2212" : "")
      .append(english ? group_digits(digits) : site::write_number(digits, site::number_style(language)));
  return true;
}

/// {{reign|1837|1901}}: "r. 1837–1901", with blanks around the dash where a date has some.
bool render_years(const RenderCall& call, ExpandedText& out) {
  const std::string_view from = call.get(1), to = call.get(2);
  if (from.empty()) return false;
  out.text.append(call.word("reigned")).append(from);
  if (to.empty()) return true;
  const bool blanks = from.find(' ') != std::string::npos || to.find(' ') != std::string::npos;
  out.text.append(blanks ? " \u2013 " : "\u2013").append(to);
  return true;
}

}  // namespace touchstone::extractors::wikitext::templates::internal
