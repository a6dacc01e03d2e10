#include "common/number_text.hpp"
#include "extractors/site/moment.hpp"
#include "extractors/wikitext/templates/renderers.hpp"

#include <algorithm>
#include <optional>

namespace touchstone::extractors::wikitext::templates::internal {
using preprocessor::append_trimmed;
using preprocessor::ExpandedText;
using site::full_years;
using site::Moment;
namespace {

struct Date {
  int year = 0;
  int month = 0;  ///< 0 when not given
  int day = 0;
};

/// Three arguments from `first` on: year, month, day; the later ones may be absent.
std::optional<Date> read_date(const RenderCall& call, int first) {
  const auto year = to_number<int>(call.get(first));
  if (!year || *year < 1 || *year > 9999) return std::nullopt;
  Date date;
  date.year = *year;
  const std::string_view month = call.get(first + 1);
  if (month.empty()) return date;
  const auto number = to_number<int>(month);
  if (!number || *number < 1 || *number > 12) return std::nullopt;
  date.month = *number;
  const std::string_view day = call.get(first + 2);
  if (day.empty()) return date;
  const auto in_month = to_number<int>(day);
  if (!in_month || *in_month < 1 || *in_month > 31) return std::nullopt;
  date.day = *in_month;
  return date;
}

/// The name of a month, counted from 1: a word of the rules' list of months.
std::string_view month_name(const RenderCall& call, int month) {
  std::string_view names = call.word("months");
  for (int i = 1; i < month; ++i) {
    const std::size_t blank = names.find(' ');
    names.remove_prefix(blank == std::string_view::npos ? names.size() : blank + 1);
  }
  if (names.empty()) call.certain = false;
  return names.substr(0, names.find(' '));
}

std::string show(const RenderCall& call, const Date& date, bool day_first) {
  const std::string year = std::to_string(date.year);
  if (date.month == 0) return year;
  const std::string_view month = month_name(call, date.month);
  const std::string_view form = call.word(date.day == 0 ? "month-of-year"
                                          : day_first   ? "date-day-first"
                                                        : "date-month-first");
  return phrase(form, {year, month, std::to_string(date.day)});
}

/// The moment that ages are counted to, or nothing.
std::optional<Date> today(const RenderCall& call) {
  const auto seconds = call.page.now();
  if (!seconds) return std::nullopt;
  const Moment now = Moment::from_seconds(*seconds);
  return Date{now.year, now.month, now.day};
}

int years_between(const Date& from, const Date& to) {
  return full_years({from.year, from.month, from.day}, {to.year, to.month, to.day});
}

/// "70", or "69–70" if only the year or month is known; empty for impossible dates.
std::string age_text(const Date& from, const Date& to) {
  constexpr int kOldest = 150;
  Date first = from, last = from;
  if (from.month == 0) first.month = 1, last.month = 12;
  if (from.day == 0) first.day = 1, last.day = 31;
  const int most = years_between(first, to);
  const int least = years_between(last, to);
  if (least < 0 || most > kOldest) return {};
  return least == most ? std::to_string(most) : std::to_string(least) + "\u2013" + std::to_string(most);
}

bool is_set(std::string_view value) {
  return !value.empty() && value[0] != 'n' && value[0] != 'N';
}

}  // namespace

/// {{birth date|1947|4|25|df=y}}: the date; with the age, as of the dump's date, where the template's name asks for it.
/// Without a date of the dump the age is left out.
bool render_date(const RenderCall& call, ExpandedText& out) {
  const auto date = read_date(call, 1);
  if (!date) return false;
  const auto now = today(call);
  std::string behind;
  const bool start = call.name == "Start date and age";
  if (now && (start || call.name == "Bda" || call.name == "Birth date and age" || call.name == "Birth-date and age")) {
    const std::string age = age_text(*date, *now);
    if (age.empty() && !start) return false;
    constexpr int kRecent = 2;
    // Of things that began lately the template tells months or days.
    if (start && years_between({date->year, 1, 1}, *now) < kRecent) return false;
    const std::string years =
        start ? std::to_string(years_between({date->year, std::max(date->month, 1), std::max(date->day, 1)}, *now))
              : std::string();
    behind = start ? phrase(call.word("years-ago"), {years}) : phrase(call.word("age"), {age});
  }
  out.text.append(show(call, *date, is_set(call.get("df")))).append(behind);
  return true;
}

/// {{death date and age|2016|3|24|1947|4|25}}: the date of death and the age it was reached at.
bool render_age_date(const RenderCall& call, ExpandedText& out) {
  const auto death = read_date(call, 1);
  const auto birth = read_date(call, 4);
  if (!death || !birth) return false;
  const std::string age = age_text(*birth, *death);
  if (age.empty()) return false;
  out.text.append(show(call, *death, is_set(call.get("df")))).append(phrase(call.word("aged"), {age}));
  return true;
}

/// {{age|1947|4|25|2016|3|24}}: full years between two days; without the second, to the dump's date.
bool render_age(const RenderCall& call, ExpandedText& out) {
  const auto from = read_date(call, 1);
  const auto to = call.get(4).empty() ? today(call) : read_date(call, 4);
  if (!from || !to || from->day == 0 || to->day == 0) return false;
  const std::string age = age_text(*from, *to);
  out.text.append(age);
  return !age.empty();
}

/// {{film date|2010|7|16|London|2010|7|20}}: dates with places, a line each.
bool render_date_list(const RenderCall& call, ExpandedText& out) {
  ExpandedText text;
  constexpr int kMost = 10;
  for (int i = 0; i < kMost; ++i) {
    const int first = 4 * i + 1;
    if (call.get(first).empty()) break;
    const auto date = read_date(call, first);
    if (!date) return false;
    text.text.append(i > 0 ? "<br />" : "").append(show(call, *date, is_set(call.get("df"))));
    if (!call.shows(first + 3)) continue;
    text.text.append(" (");
    append_value(call, first + 3, text);
    text.text.append(")");
  }
  append_trimmed(text, out);
  return !text.text.empty();
}

/// {{as of|2015|3|4|df=US|lc=y|since=y|pre=late|post=,|alt=text}}.
bool render_as_of(const RenderCall& call, ExpandedText& out) {
  if (call.shows("alt")) {
    append_value(call, "alt", out);
    return true;
  }
  std::string date(call.get(1));
  if (const auto numbers = read_date(call, 1)) {
    const std::string_view format = call.get("df");
    if (!format.empty() && format != "US" && format != "us") return false;
    date = show(call, *numbers, format.empty());
  } else if (date.empty() || !call.get(2).empty()) {
    return false;
  }
  if (!is_set(call.get("bare"))) {
    const bool lower = is_set(call.get("lc"));
    out.text.append(call.word(is_set(call.get("since")) ? (lower ? "since" : "since-upper")
                              : lower                   ? "as-of"
                                                        : "as-of-upper"));
  }
  if (const std::string_view before = call.get("pre"); !before.empty()) out.text.append(before).append(" ");
  out.text.append(date).append(call.get("post"));
  return true;
}

/// {{date|1969-09-11}} as "11 September 1969"; a format other than day or month first is not understood.
bool render_iso_date(const RenderCall& call, ExpandedText& out) {
  const std::string_view written = call.get(1);
  const std::string_view format = call.get(2);
  if (!format.empty() && format != "dmy" && format != "mdy") return false;
  if (const auto year = to_number<int>(written); year && written.size() == 4) {
    out.text.append(written);
    return true;
  }
  if (written.size() != 10 || written[4] != '-' || written[7] != '-') return false;
  const auto year = to_number<int>(written.substr(0, 4));
  const auto month = to_number<int>(written.substr(5, 2));
  const auto day = to_number<int>(written.substr(8, 2));
  if (!year || !month || !day || *month < 1 || *month > 12 || *day < 1 || *day > 31) return false;
  out.text.append(show(call, {*year, *month, *day}, format != "mdy"));
  return true;
}

}  // namespace touchstone::extractors::wikitext::templates::internal
