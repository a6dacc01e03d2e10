#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace touchstone::extractors::site {

/// A day of the Gregorian calendar with a time of day, UTC.
struct Moment {
  int year = 1970, month = 1, day = 1;
  int hour = 0, minute = 0, second = 0;

  static Moment from_seconds(std::int64_t seconds) noexcept;
  std::int64_t seconds() const noexcept;
  int weekday() const noexcept;      ///< 0 is Sunday
  int day_of_year() const noexcept;  ///< 0 is 1 January
  int days_in_month() const noexcept;

  struct IsoWeek {
    int year, week;
  };
  IsoWeek iso_week() const noexcept;
};

/// Full years between two moments, as ages are counted.
int full_years(const Moment& from, const Moment& to) noexcept;

/// Reads what {{#time:}} takes: dates in the usual orders, times of day, "now", "+1 month", "yesterday", "@0".
/// Nothing if the text is not understood, or if it needs `now` and that is unknown.
/// Source: mediawiki.org Help:Extension:ParserFunctions (read 2025-01), MediaWiki 1.39 as oracle.
std::optional<Moment> read_moment(std::string_view text, std::optional<std::int64_t> now);

/// The moment that a text such as "2026-05-31", "20260531" or "2026-05-31T12:00:00Z" names, in seconds since 1970 UTC;
/// nothing for texts that name none, or one that depends on the present ("yesterday").
std::optional<std::int64_t> read_fixed_moment(std::string_view text);

/// The date in the name of a dump's file ("enwiki-20260101-pages-articles.xml.bz2"), in seconds since 1970 UTC; nothing
/// for names without one.
std::optional<std::int64_t> moment_of_dump(std::string_view file_name);

/// An English date in another order: "dmy", "mdy", "ymd" or "iso 8601". Empty when the text is no such date.
std::string reorder_date(std::string_view text, std::string_view order);

/// Writes a moment by the letters of {{#time:}}; digits, names of months and days in `language`.
std::string format_moment(const Moment& moment, std::string_view format, const std::string& language);

}  // namespace touchstone::extractors::site
