#include "extractors/site/moment_parts.hpp"

#include <cstdlib>
#include <string_view>

namespace touchstone::extractors::site::internal {
namespace {

constexpr std::int64_t kDaySeconds = 86400;

}  // namespace

MomentParts::MomentParts(std::optional<std::int64_t> now) {
  if (now) now_ = Moment::from_seconds(*now);
}

void MomentParts::set_seconds(std::int64_t seconds) noexcept {
  date_ = time_ = true;
  moment_ = Moment::from_seconds(seconds);
}

bool MomentParts::set_date(int year, int month, int day) noexcept {
  if (date_ || year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31) return false;
  moment_.year = year;
  moment_.month = month;
  moment_.day = day;
  return date_ = true;
}

bool MomentParts::set_day_of_year(int year, int day) noexcept {
  if (day < 1 || day > 366 || !set_date(year, 1, 1)) return false;
  days_ += day - 1;
  return true;
}

bool MomentParts::set_week(int year, int week, int day) noexcept {
  if (week < 1 || week > 53 || day < 1 || day > 7 || !set_date(year, 1, 4)) return false;
  // The fourth of January is in the first week.
  days_ += (week - 1) * 7 + day - 1 - (moment_.weekday() + 6) % 7;
  return true;
}

bool MomentParts::set_time(int hour, int minute, int second) noexcept {
  if (time_ || hour < 0 || hour > 24 || minute < 0 || minute > 59 || second < 0 || second > 59) return false;
  moment_.hour = hour;
  moment_.minute = minute;
  moment_.second = second;
  return time_ = true;
}

bool MomentParts::set_zone(std::int64_t seconds_ahead_of_utc) noexcept {
  if (zone_) return false;
  seconds_ -= seconds_ahead_of_utc;
  return zone_ = true;
}

bool MomentParts::set_weekday(int day, int step) noexcept {
  if (weekday_) return false;
  weekday_ = day;
  weekday_step_ = step;
  return true;
}

bool MomentParts::set_day_of_month(int place, int weekday) noexcept {
  if (of_month_) return false;
  of_place_ = place;
  of_weekday_ = weekday;
  return of_month_ = true;
}

bool MomentParts::add(std::string unit, int count) {
  if (unit.size() > 1 && unit.back() == 's') unit.pop_back();
  struct Unit {
    std::string_view name;
    int months, days, seconds;
  };
  constexpr Unit kUnits[] = {{"second", 0, 0, 1},  {"sec", 0, 0, 1},  {"minute", 0, 0, 60}, {"min", 0, 0, 60},
                             {"hour", 0, 0, 3600}, {"day", 0, 1, 0},  {"week", 0, 7, 0},    {"fortnight", 0, 14, 0},
                             {"month", 1, 0, 0},   {"year", 12, 0, 0}};
  for (const Unit& known : kUnits) {
    if (known.name != unit) continue;
    months_ += std::int64_t{known.months} * count;
    days_ += std::int64_t{known.days} * count;
    seconds_ += std::int64_t{known.seconds} * count;
    return true;
  }
  return false;
}

void MomentParts::turn_around() noexcept {
  months_ = -months_;
  days_ = -days_;
  seconds_ = -seconds_;
}

bool MomentParts::take_from_now() {
  if (!now_) return false;
  moment_.year = now_->year;
  moment_.month = now_->month;
  moment_.day = now_->day;
  if (!time_ && !weekday_ && !(of_month_ && of_weekday_ >= 0)) {
    moment_.hour = now_->hour;
    moment_.minute = now_->minute;
    moment_.second = now_->second;
  }
  return true;
}

std::optional<Moment> MomentParts::finish() {
  if (!date_ && !take_from_now()) return std::nullopt;
  constexpr std::int64_t kMost = 400000LL * 366;
  if (std::abs(months_) > 120000 || std::abs(days_) > kMost || std::abs(seconds_) > kMost * kDaySeconds)
    return std::nullopt;
  const std::int64_t month = moment_.year * 12LL + moment_.month - 1 + months_;
  if (month < 12) return std::nullopt;
  moment_.year = static_cast<int>(month / 12);
  moment_.month = static_cast<int>(month % 12) + 1;
  if (of_month_) find_day_of_month();
  Moment result = Moment::from_seconds(moment_.seconds() + days_ * kDaySeconds + seconds_);
  if (weekday_) result = Moment::from_seconds(result.seconds() + days_to_weekday(result) * kDaySeconds);
  return result.year < 1 || result.year > 9999 ? std::nullopt : std::optional(result);
}

void MomentParts::find_day_of_month() noexcept {
  moment_.day = 1;
  const int days = moment_.days_in_month();
  if (of_weekday_ < 0) {
    moment_.day = of_place_ < 0 ? days : 1;
    return;
  }
  if (of_place_ < 0) {
    moment_.day = days;
    moment_.day -= (moment_.weekday() - of_weekday_ + 7) % 7;
  } else {
    moment_.day += (of_weekday_ - moment_.weekday() + 7) % 7 + (of_place_ - 1) * 7;
  }
}

std::int64_t MomentParts::days_to_weekday(const Moment& from) const noexcept {
  const int ahead = (*weekday_ - from.weekday() + 7) % 7;
  if (weekday_step_ > 0) return ahead == 0 ? 7 : ahead;
  if (weekday_step_ < 0) return ahead - 7;
  return ahead;
}

}  // namespace touchstone::extractors::site::internal
