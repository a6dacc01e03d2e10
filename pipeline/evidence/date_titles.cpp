#include "pipeline/evidence/date_titles.hpp"

#include "common/title.hpp"
#include "storage/keys.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <utility>

namespace touchstone::pipeline::evidence {
namespace {

constexpr int kDaysOfMonth = 25;             ///< numbers from 1 to 31 that make a month
constexpr std::size_t kMonths = 6;           ///< such series that make a calendar
constexpr std::uint32_t kYears = 30;         ///< titles that make a series of years
constexpr std::size_t kMostWordsOfYear = 3;  ///< beside the number of a year: "1815-ӧд во", "1815 in Ostrand"

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// A title without its one number, and the number; nothing for titles with none or several.
std::optional<std::pair<std::string, std::uint32_t>> without_number(std::string_view title) {
  const auto begin = static_cast<std::size_t>(std::find_if(title.begin(), title.end(), is_digit) - title.begin());
  if (begin == title.size()) return std::nullopt;
  std::uint32_t number = 0;
  const auto parsed = std::from_chars(title.data() + begin, title.data() + title.size(), number);
  const auto end = static_cast<std::size_t>(parsed.ptr - title.data());
  if (parsed.ec != std::errc() || std::any_of(title.begin() + static_cast<std::ptrdiff_t>(end), title.end(), is_digit))
    return std::nullopt;
  return std::pair(std::string(title.substr(0, begin)) + "#" + std::string(title.substr(end)), number);
}

}  // namespace

DateTitles::DateTitles(const storage::Store& store) {
  for (auto cursor = store.cursor(storage::Family::kTitle); cursor.valid(); cursor.next()) {
    const auto key = storage::read_title_key(cursor.key());
    if (!key || key->ns != kNamespaceMain) continue;
    const auto found = without_number(key->text);
    if (!found) continue;
    auto& series = series_[found->first];
    ++series.titles;
    if (found->second >= 1 && found->second <= 31) series.days |= 1U << (found->second - 1);
    if (found->second >= 1000 && found->second <= 2100) ++series.years;
  }
  std::erase_if(series_, [](const auto& entry) {
    const auto& [name, series] = entry;
    const auto words = static_cast<std::size_t>(std::count(name.begin(), name.end(), ' ')) + 1;
    const bool years = series.years >= kYears && 2 * series.years > series.titles && words <= kMostWordsOfYear;
    return !years && std::popcount(series.days) < kDaysOfMonth;
  });
  months_ = static_cast<std::size_t>(std::count_if(series_.begin(), series_.end(), [](const auto& entry) {
    return std::popcount(entry.second.days) >= kDaysOfMonth;
  }));
}

bool DateTitles::is_date(std::string_view title) const {
  const auto found = without_number(title);
  const auto series = found ? series_.find(found->first) : series_.end();
  if (series == series_.end()) return false;
  return series->second.years >= kYears || months_ >= kMonths;
}

}  // namespace touchstone::pipeline::evidence
