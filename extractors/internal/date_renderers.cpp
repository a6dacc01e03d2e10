#include <array>
#include <charconv>
#include <optional>

#include "extractors/internal/renderers.hpp"

namespace touchstone::extractors::internal {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"January", "February", "March",     "April",   "May",      "June",
                                                      "July",    "August",   "September", "October", "November", "December"};

struct Date {
  int year = 0;
  int month = 0;  ///< 0 when not given
  int day = 0;
};

std::optional<int> read_number(const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Three arguments from `first` on: year, month, day; the later ones may be absent.
std::optional<Date> read_date(const RenderCall& call, int first) {
  const auto year = read_number(call.get(first));
  if (!year || *year < 1 || *year > 9999) return std::nullopt;
  Date date;
  date.year = *year;
  const std::string month = call.get(first + 1);
  if (month.empty()) return date;
  const auto number = read_number(month);
  if (!number || *number < 1 || *number > 12) return std::nullopt;
  date.month = *number;
  const std::string day = call.get(first + 2);
  if (day.empty()) return date;
  const auto in_month = read_number(day);
  if (!in_month || *in_month < 1 || *in_month > 31) return std::nullopt;
  date.day = *in_month;
  return date;
}

std::string show(const Date& date, bool day_first) {
  const std::string year = std::to_string(date.year);
  if (date.month == 0) return year;
  const std::string month(kMonths[static_cast<std::size_t>(date.month - 1)]);
  if (date.day == 0) return month + " " + year;
  const std::string day = std::to_string(date.day);
  return day_first ? day + " " + month + " " + year : month + " " + day + ", " + year;
}

bool is_set(const std::string& value) { return !value.empty() && value[0] != 'n' && value[0] != 'N'; }

}  // namespace

/// {{birth date|1947|4|25|df=y}}: the date alone, without the age that changes from day to day.
bool render_date(const RenderCall& call, ExpandedText& out) {
  const auto date = read_date(call, 1);
  if (!date) return false;
  out.text.append(show(*date, is_set(call.get("df"))));
  return true;
}

/// {{death date and age|2016|3|24|1947|4|25}}: the date of death and the age it was reached at.
bool render_age_date(const RenderCall& call, ExpandedText& out) {
  const auto death = read_date(call, 1);
  if (!death || death->day == 0) return false;
  const auto birth = read_date(call, 4);
  if (!birth || birth->day == 0) return false;
  const bool had_birthday = death->month > birth->month || (death->month == birth->month && death->day >= birth->day);
  const int age = death->year - birth->year - (had_birthday ? 0 : 1);
  if (age < 0 || age > 150) return false;
  out.text.append(show(*death, is_set(call.get("df")))).append(" (aged ").append(std::to_string(age)).append(")");
  return true;
}

}  // namespace touchstone::extractors::internal
