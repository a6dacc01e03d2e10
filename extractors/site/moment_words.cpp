#include "extractors/site/moment_words.hpp"

#include "common/named_values.hpp"
#include "common/unicode.hpp"
#include "extractors/data/data_table.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/site/language_data.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <utility>

namespace touchstone::extractors::site::internal {
using namespace data;
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"january",   "february", "march",    "april",
                                                      "may",       "june",     "july",     "august",
                                                      "september", "october",  "november", "december"};
constexpr std::array<std::string_view, 7> kDays = {"sunday",   "monday", "tuesday", "wednesday",
                                                   "thursday", "friday", "saturday"};
constexpr std::array<std::string_view, 12> kOrdinals = {"first",   "second", "third", "fourth", "fifth",    "sixth",
                                                        "seventh", "eighth", "ninth", "tenth",  "eleventh", "twelfth"};

template <std::size_t N>
int place_in(const std::array<std::string_view, N>& names, std::string_view word, std::size_t short_size) noexcept {
  for (std::size_t i = 0; i < N; ++i) {
    if (word == names[i] || (short_size != 0 && word.size() == short_size && names[i].starts_with(word)))
      return static_cast<int>(i);
  }
  return -1;
}

/// Names separated by '|', from January and from Sunday on; empty where those of the fallback language hold.
struct CalendarNames {
  std::string_view code;
  std::array<std::string_view, 8> kinds;  ///< in the order of CalendarName
};

std::vector<CalendarNames> read_names() {
  constexpr std::array<std::string_view, 8> kKinds = {"month",     "month-genitive", "month-short",   "day",
                                                      "day-short", "persian-month",  "islamic-month", "hebrew-month"};
  const DataTable& table = data_table("calendar_names");
  std::vector<CalendarNames> read;
  for_each_row<3>(table, [&](const DataRow<3>& row) {
    const auto& [language, kind, names] = row;
    const auto found = std::find(kKinds.begin(), kKinds.end(), kind);
    if (found == kKinds.end()) throw_bad_row(table, kind, "no kind of names is \"" + std::string(kind) + '"');
    if (read.empty() || read.back().code != language) read.push_back({language, {}});
    read.back().kinds[static_cast<std::size_t>(found - kKinds.begin())] = names;
  });
  return read;
}

const CalendarNames* find_names(std::string_view code) {
  static const std::vector<CalendarNames> all_names = read_names();
  const auto found =
      std::lower_bound(all_names.begin(), all_names.end(), code,
                       [](const CalendarNames& one, std::string_view value) { return one.code < value; });
  return found != all_names.end() && found->code == code ? &*found : nullptr;
}

std::string_view pick(std::string_view names, int number) {
  for (; number > 0; --number) names.remove_prefix(std::min(names.size(), names.find('|') + 1));
  return names.substr(0, names.find('|'));
}

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    std::size_t end = i + 1;
    if (scan::is_alphanumeric(c)) {
      while (end < text.size() && (scan::is_digit(c) ? scan::is_digit(text[end]) : scan::is_letter(text[end]))) ++end;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == ',') {
      ++i;
      continue;
    }
    words.push_back(lower_case(text.substr(i, end - i)));
    i = end;
  }
  return words;
}

int english_month(std::string_view word) noexcept {
  return word == "sept" ? 9 : place_in(kMonths, word, 3) + 1;
}

int english_weekday(std::string_view word) noexcept {
  return word == "tues" ? 2 : word == "wednes" ? 3 : word == "thur" || word == "thurs" ? 4 : place_in(kDays, word, 3);
}

int english_ordinal(std::string_view word) noexcept {
  return place_in(kOrdinals, word, 0) + 1;
}

std::optional<int> zone_of(std::string_view word) noexcept {
  constexpr std::pair<std::string_view, int> kZones[] = {
      {"z", 0},    {"utc", 0},  {"gmt", 0},  {"est", -5}, {"edt", -4}, {"cst", -6},
      {"cdt", -5}, {"mst", -7}, {"mdt", -6}, {"pst", -8}, {"pdt", -7}, {"bst", 1},
      {"cet", 1},  {"cest", 2}, {"eet", 2},  {"eest", 3}, {"msk", 3},  {"jst", 9}};
  const int* hours = find_value(kZones, word);
  return hours == nullptr ? std::nullopt : std::optional(*hours);
}

int full_year(std::string_view digits) {
  const int year = std::atoi(std::string(digits).c_str());
  return digits.size() > 2 ? year : year < 70 ? 2000 + year : 1900 + year;
}

std::string_view calendar_name(std::string_view language, CalendarName kind, int number) {
  const auto place = static_cast<std::size_t>(kind);
  for (const std::string_view code : language_chain(language)) {
    const CalendarNames* names = find_names(code);
    if (names != nullptr && !names->kinds[place].empty()) return pick(names->kinds[place], number);
  }
  return pick(find_names("en")->kinds[place], number);
}

}  // namespace touchstone::extractors::site::internal
