#include "extractors/site/moment.hpp"

#include "extractors/scan/text_scan.hpp"

#include <chrono>

namespace touchstone::extractors::site {
using std::chrono::days;
using std::chrono::sys_days;
namespace {

constexpr std::int64_t kDaySeconds = 86400;

/// Days behind the end of a month are those of the next one.
sys_days day_at(int year, int month, int day) noexcept {
  return sys_days(std::chrono::year(year) / std::chrono::month(static_cast<unsigned>(month)) / 1) + days(day - 1);
}

}  // namespace

Moment Moment::from_seconds(std::int64_t seconds) noexcept {
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const sys_days day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return {static_cast<int>(date.year()),
          static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day())),
          static_cast<int>(clock.hours().count()),
          static_cast<int>(clock.minutes().count()),
          static_cast<int>(clock.seconds().count())};
}

std::int64_t Moment::seconds() const noexcept {
  return day_at(year, month, day).time_since_epoch().count() * kDaySeconds + hour * 3600LL + minute * 60LL + second;
}

int Moment::weekday() const noexcept {
  return static_cast<int>(std::chrono::weekday(day_at(year, month, day)).c_encoding());
}

int Moment::day_of_year() const noexcept {
  return static_cast<int>((day_at(year, month, day) - day_at(year, 1, 1)).count());
}

int Moment::days_in_month() const noexcept {
  const auto last_day = std::chrono::year(year) / std::chrono::month(static_cast<unsigned>(month)) / std::chrono::last;
  return static_cast<int>(static_cast<unsigned>(last_day.day()));
}

Moment::IsoWeek Moment::iso_week() const noexcept {
  // The week belongs to the year of its Thursday.
  const int from_monday = (weekday() + 6) % 7;
  const Moment thursday = from_seconds(Moment{year, month, day - from_monday + 3}.seconds());
  return {thursday.year, thursday.day_of_year() / 7 + 1};
}

int full_years(const Moment& from, const Moment& to) noexcept {
  const bool had_birthday = to.month > from.month || (to.month == from.month && to.day >= from.day);
  return to.year - from.year - (had_birthday ? 0 : 1);
}

std::optional<std::int64_t> read_fixed_moment(std::string_view text) {
  const auto moment = read_moment(text, std::nullopt);
  return moment ? std::optional(moment->seconds()) : std::nullopt;
}

std::optional<std::int64_t> moment_of_dump(std::string_view file_name) {
  constexpr std::size_t kDigits = 8;
  file_name.remove_prefix(file_name.rfind('/') + 1);
  for (std::size_t i = 0; i + kDigits < file_name.size(); ++i) {
    const std::string_view digits = file_name.substr(i + 1, kDigits);
    const bool alone =
        file_name[i] == '-' && (i + 1 + kDigits == file_name.size() || !scan::is_digit(file_name[i + 1 + kDigits]));
    if (alone && scan::all_digits(digits)) return read_fixed_moment(digits);
  }
  return std::nullopt;
}

}  // namespace touchstone::extractors::site
