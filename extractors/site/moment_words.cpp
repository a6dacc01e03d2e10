#include "extractors/site/moment_words.hpp"

#include "common/unicode.hpp"

#include <array>
#include <cctype>
#include <cstdlib>
#include <utility>

namespace touchstone::extractors::site::internal {
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

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    std::size_t end = i + 1;
    if (std::isdigit(c) != 0) {
      while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    } else if (std::isalpha(c) != 0) {
      while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
    } else if (std::isspace(c) != 0 || c == ',') {
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
  for (const auto& [name, hours] : kZones) {
    if (word == name) return hours;
  }
  return std::nullopt;
}

int full_year(std::string_view digits) {
  const int year = std::atoi(std::string(digits).c_str());
  return digits.size() > 2 ? year : year < 70 ? 2000 + year : 1900 + year;
}

}  // namespace touchstone::extractors::site::internal
