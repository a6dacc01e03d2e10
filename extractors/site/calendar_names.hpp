#pragma once

#include <string_view>

namespace touchstone::extractors::site::internal {

enum class CalendarName : unsigned char { kMonth, kMonthGenitive, kMonthShort, kDay, kDayShort };

/// The name of a month (0 is January) or a day of the week (0 is Sunday) in a language; in English where the language
/// is not known.
std::string_view calendar_name(std::string_view language, CalendarName kind, int number);

}  // namespace touchstone::extractors::site::internal
