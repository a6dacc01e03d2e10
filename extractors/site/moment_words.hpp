#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::site::internal {

/// Splits a text into numbers, lower-case words and signs; blanks and commas are dropped.
std::vector<std::string> split_words(std::string_view text);

// What words in lower case mean. English names of months and days may be cut to their first three letters.

/// 1 is January; 0 for words that name no month.
int english_month(std::string_view word) noexcept;

/// 0 is Sunday; -1 for words that name no day.
int english_weekday(std::string_view word) noexcept;

/// 1 for "first", up to 12; 0 for all else.
int english_ordinal(std::string_view word) noexcept;

/// Hours in front of UTC; nothing for words that name no zone.
std::optional<int> zone_of(std::string_view word) noexcept;

/// Years of two digits are those from 1970 to 2069.
int full_year(std::string_view digits);

enum class CalendarName : unsigned char {
  kMonth,
  kMonthGenitive,
  kMonthShort,
  kDay,
  kDayShort,
  kPersianMonth,
  kIslamicMonth,
  kHebrewMonth
};

/// The name of a month (0 is January, or the first of another calendar) or a day of the week (0 is Sunday) in a
/// language; in English where the language is not known.
std::string_view calendar_name(std::string_view language, CalendarName kind, int number);

}  // namespace touchstone::extractors::site::internal
