#include "extractors/internal/renderers.hpp"

#include <array>
#include <charconv>
#include <optional>

namespace touchstone::extractors::internal {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};

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

bool is_set(const std::string& value) {
  return !value.empty() && value[0] != 'n' && value[0] != 'N';
}

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

/// {{as of|2015|3|4|df=US|lc=y|since=y|pre=late|post=,|alt=text}}.
bool render_as_of(const RenderCall& call, ExpandedText& out) {
  if (const std::string alternative = call.get("alt"); !alternative.empty()) {
    out.text.append(alternative);
    return true;
  }
  std::string date = call.get(1);
  if (const auto numbers = read_date(call, 1)) {
    const std::string format = call.get("df");
    if (!format.empty() && format != "US" && format != "us") return false;
    date = show(*numbers, format.empty());
  } else if (date.empty() || !call.get(2).empty()) {
    return false;
  }
  if (!is_set(call.get("bare"))) {
    const bool lower = is_set(call.get("lc"));
    out.text.append(is_set(call.get("since")) ? (lower ? "since " : "Since ") : (lower ? "as of " : "As of "));
  }
  if (const std::string before = call.get("pre"); !before.empty()) out.text.append(before).append(" ");
  out.text.append(date).append(call.get("post"));
  return true;
}

/// {{date|1969-09-11}} as "11 September 1969"; a format other than day or month first is not understood.
bool render_iso_date(const RenderCall& call, ExpandedText& out) {
  const std::string written = call.get(1);
  const std::string format = call.get(2);
  if (!format.empty() && format != "dmy" && format != "mdy") return false;
  if (const auto year = read_number(written); year && written.size() == 4) {
    out.text.append(written);
    return true;
  }
  if (written.size() != 10 || written[4] != '-' || written[7] != '-') return false;
  const auto year = read_number(written.substr(0, 4));
  const auto month = read_number(written.substr(5, 2));
  const auto day = read_number(written.substr(8, 2));
  if (!year || !month || !day || *month < 1 || *month > 12 || *day < 1 || *day > 31) return false;
  out.text.append(show({*year, *month, *day}, format != "mdy"));
  return true;
}

}  // namespace touchstone::extractors::internal
