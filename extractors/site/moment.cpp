#include "extractors/site/moment.hpp"

#include <cctype>
#include <chrono>

namespace touchstone::extractors::site {
namespace {

constexpr std::int64_t kDaySeconds = 86400;

std::int64_t days_of(int year, int month, int day) noexcept {
  return std::chrono::sys_days(std::chrono::year(year) / std::chrono::month(static_cast<unsigned>(month)) /
                               std::chrono::day(1))
             .time_since_epoch()
             .count() +
         day - 1;
}

}  // namespace

Moment Moment::from_seconds(std::int64_t seconds) noexcept {
  std::int64_t days = seconds / kDaySeconds;
  std::int64_t rest = seconds % kDaySeconds;
  if (rest < 0) {
    rest += kDaySeconds;
    --days;
  }
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(days))};
  return {static_cast<int>(date.year()),
          static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day())),
          static_cast<int>(rest / 3600),
          static_cast<int>(rest / 60 % 60),
          static_cast<int>(rest % 60)};
}

std::int64_t Moment::seconds() const noexcept {
  return days_of(year, month, day) * kDaySeconds + hour * 3600LL + minute * 60LL + second;
}

int Moment::weekday() const noexcept {
  constexpr int kThursday = 4;  // 1 January 1970
  const std::int64_t days = days_of(year, month, day);
  return static_cast<int>(((days + kThursday) % 7 + 7) % 7);
}

int Moment::day_of_year() const noexcept {
  return static_cast<int>(days_of(year, month, day) - days_of(year, 1, 1));
}

int Moment::days_in_month() const noexcept {
  const bool december = month == 12;
  return static_cast<int>(days_of(december ? year + 1 : year, december ? 1 : month + 1, 1) - days_of(year, month, 1));
}

int Moment::iso_week(int& iso_year) const noexcept {
  // The week belongs to the year of its Thursday.
  const int from_monday = (weekday() + 6) % 7;
  const Moment thursday = from_seconds((days_of(year, month, day) - from_monday + 3) * kDaySeconds);
  iso_year = thursday.year;
  return thursday.day_of_year() / 7 + 1;
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
        file_name[i] == '-' && (i + 1 + kDigits == file_name.size() ||
                                std::isdigit(static_cast<unsigned char>(file_name[i + 1 + kDigits])) == 0);
    if (alone && digits.find_first_not_of("0123456789") == std::string_view::npos) return read_fixed_moment(digits);
  }
  return std::nullopt;
}

}  // namespace touchstone::extractors::site
