#include "extractors/wikitext/templates/convert_input.hpp"

#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/templates/renderers.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace touchstone::extractors::wikitext::templates::internal {
using scan::trim;
namespace {

constexpr Joint kJoints[] = {
    {"-", "\u2013", "\u2013"},
    {"\u2013", "\u2013", "\u2013"},
    {"&ndash;", "\u2013", "\u2013"},
    {"to", " to ", " to "},
    {"and", " and ", " and "},
    {"or", " or ", " or "},
    {"by", " by ", " by "},
    {"to about", " to about ", " to about "},
    {"+", " + ", " + "},
    {",", ",\u00A0", ",\u00A0"},
    {", and", ", and ", ", and "},
    {", or", ", or ", ", or "},
    {"to(-)", "\u00A0to ", "\u00A0to ", "\u2013"},
    {"and(-)", " and ", " and ", "\u2013"},
    {"by(x)", " by ", " by ", " \u00D7\u00A0", false, true},
    {"x", " by ", " \u00D7\u00A0", {}, true},
    {"\u00D7", " by ", " \u00D7\u00A0", {}, true},
    {"&times;", " by ", " \u00D7\u00A0", {}, true},
    {"xx", "\u00A0\u00D7\u00A0", "\u00A0\u00D7\u00A0"},
    {"*", "\u00D7", "\u00D7"},
    {"+/-", "\u00A0\u00B1\u00A0", "\u00A0\u00B1\u00A0", {}, false, false, true},
    {"\u00B1", "\u00A0\u00B1\u00A0", "\u00A0\u00B1\u00A0", {}, false, false, true},
    {"&plusmn;", "\u00A0\u00B1\u00A0", "\u00A0\u00B1\u00A0", {}, false, false, true},
};

const Joint* find_joint(std::string_view word) {
  const auto* const found =
      std::find_if(std::begin(kJoints), std::end(kJoints), [&](const Joint& j) { return j.word == word; });
  return found == std::end(kJoints) ? nullptr : found;
}

/// Number, word and number of "5 x 6" or "1-2", which stand in one argument.
std::optional<std::array<std::string_view, 3>> split_range(std::string_view text) {
  const std::size_t blank = text.find(' ');
  const std::size_t second =
      blank == std::string_view::npos ? blank : text.find(' ', text.find_first_not_of(' ', blank));
  if (second != std::string_view::npos) {
    const std::string_view word = trim(text.substr(blank, second - blank)), behind = trim(text.substr(second));
    if (word.find_first_of("0123456789") != std::string_view::npos ||
        (word == "-" && behind.find('/') != std::string_view::npos))
      return std::nullopt;
    return {{text.substr(0, blank), word, behind}};
  }
  if (text.find('/') != std::string_view::npos) return std::nullopt;
  for (const std::string_view word : {"-", "\u2013", "xx", "x", "*"}) {
    const std::size_t begin = text.find(word, 1);
    if (begin != std::string_view::npos) return {{text.substr(0, begin), word, text.substr(begin + word.size())}};
  }
  return std::nullopt;
}

using Words = std::vector<std::string_view>;

/// Reads numbers and the words between them; `next` ends at the unit.
bool read_values(Words& words, std::size_t& next, const NumberFormat& format, Input& input) {
  constexpr std::size_t kMaxValues = 12;
  bool change = false;
  while (input.numbers.size() < kMaxValues) {
    if (next >= words.size()) return false;
    auto number = read_written(words[next], format);
    while (!number && words.size() < 4 * kMaxValues) {
      const auto parts = split_range(words[next]);
      if (!parts) break;
      words[next] = parts->back();
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(next), parts->begin(), std::prev(parts->end()));
      number = read_written(words[next], format);
    }
    if (!number) return false;
    number->is_change = change;
    input.numbers.push_back(*std::move(number));
    const Joint* joint = ++next < words.size() ? find_joint(words[next]) : nullptr;
    if (joint == nullptr) return true;
    ++next;
    change = joint->is_change;
    input.joints.push_back(joint);
  }
  return false;
}

/// Reads "|6|in" behind "|5|ft", as often as it comes.
bool read_company(const Words& words, std::size_t& next, const NumberFormat& format, Input& input) {
  std::string_view partner;
  while (next + 1 < words.size()) {
    const Subdivision* step = find_subdivision(input.unit.code, words[next + 1]);
    auto unit = step == nullptr ? std::nullopt : find_unit(step->smaller);
    if (!unit) break;
    const auto number = read_written(words[next], format);
    if (!number || number->value < 0 || input.numbers[0].value < 0) return false;
    if (input.company.empty()) input.company.emplace_back(input.numbers[0], input.unit);
    const double total = input.numbers[0].value * step->count + number->value;
    if (partner.empty()) partner = step->partner;
    if (!step->symbol.empty()) {
      unit->other_symbol = step->symbol;
      unit->always_name = false;
    }
    input.company.emplace_back(*number, *unit);
    input.numbers[0] = *number;
    input.numbers[0].value = total;
    input.unit = *unit;
    next += 2;
  }
  if (input.company.empty()) return true;
  input.kind = input.unit.code == "in" ? Company::kEndsInInches : Company::kOthers;
  input.unit.partner = partner;
  return true;
}

}  // namespace

bool read_convert_input(const RenderCall& call, ConvertOptions& options, Input& input, std::string& target) {
  Words words;
  constexpr std::size_t kUsual = 8;
  words.reserve(kUsual);
  for (int i = 1; call.arguments.find(i) != nullptr; ++i) words.push_back(call.get(i));
  std::size_t next = 0;
  if (!read_values(words, next, options.numbers, input) || next >= words.size()) return false;
  const auto unit = find_unit(words[next++], input.numbers[0].value);
  if (!unit) return false;
  input.unit = *unit;
  if (input.joints.empty() && !read_company(words, next, options.numbers, input)) return false;
  constexpr int kMostDecimals = 12;
  const auto rounding = [&] {
    if (next >= words.size() || words[next].empty()) return false;
    const auto decimals = small_number(words[next], -kMostDecimals, kMostDecimals);
    if (decimals) options.numbers.decimals = decimals;
    return decimals.has_value();
  };
  if (rounding()) {
    ++next;
  } else {
    if (next < words.size()) target = words[next++];
    std::replace(target.begin(), target.end(), '_', ' ');
    if (rounding()) ++next;
  }
  if (options.middle_word) {
    if (next >= words.size() || words[next].empty()) return false;
    options.middle.assign(words[next].starts_with('-') ? "" : " ").append(words[next]);
    ++next;
    if (rounding()) ++next;
  }
  if (target.empty()) target = input.unit.partner;
  return std::all_of(words.begin() + static_cast<std::ptrdiff_t>(std::min(next, words.size())), words.end(),
                     [](std::string_view word) { return word.empty(); });
}

}  // namespace touchstone::extractors::wikitext::templates::internal
