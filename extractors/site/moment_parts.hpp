#pragma once

#include "extractors/site/moment.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace touchstone::extractors::site::internal {

/// Collects what a text says about a moment, part by part, and computes the moment. Setters return false for a part
/// that is impossible or was set before.
class MomentParts {
 public:
  /// \param now  gives the parts that the text does not mention; nothing if unknown
  explicit MomentParts(std::optional<std::int64_t> now);

  bool has_date() const noexcept { return date_; }
  bool has_time() const noexcept { return time_; }
  bool has_zone() const noexcept { return zone_; }
  const std::optional<Moment>& now() const noexcept { return now_; }

  /// Date and time, as seconds since 1970.
  void set_seconds(std::int64_t seconds) noexcept;
  bool set_date(int year, int month, int day) noexcept;
  /// \param day  1 is the first of January
  bool set_day_of_year(int year, int day) noexcept;
  /// \param day  1 is Monday
  bool set_week(int year, int week, int day) noexcept;
  bool set_time(int hour, int minute = 0, int second = 0) noexcept;
  bool set_zone(std::int64_t seconds_ahead_of_utc) noexcept;

  /// That day of the week (0 is Sunday): the nearest from the date on for `step` 0, behind the date for 1, in front of
  /// it for -1.
  bool set_weekday(int day, int step) noexcept;
  /// The first, second, ... such day of the month, or with place -1 the last. \param weekday  -1 is any day
  bool set_day_of_month(int place, int weekday) noexcept;

  /// \param unit  "day", "weeks", ...; false for one that is not known
  bool add(std::string unit, int count);
  void add_days(int days) noexcept { days_ += days; }
  /// "ago": reverses the sign of everything added so far.
  void turn_around() noexcept;

  /// Nothing if `now` is needed but unknown, or if the moment is outside the years 1 to 9999.
  std::optional<Moment> finish();

 private:
  bool take_from_now();
  void find_day_of_month() noexcept;
  std::int64_t days_to_weekday(const Moment& from) const noexcept;

  std::optional<Moment> now_;
  Moment moment_;
  bool date_ = false, time_ = false, zone_ = false, of_month_ = false;
  std::optional<int> weekday_;
  int weekday_step_ = 0, of_place_ = 0, of_weekday_ = -1;
  std::int64_t months_ = 0, days_ = 0, seconds_ = 0;
};

}  // namespace touchstone::extractors::site::internal
