#include "extractors/scan/text_scan.hpp"
#include "extractors/site/moment.hpp"
#include "extractors/site/moment_parts.hpp"
#include "extractors/site/moment_words.hpp"

#include <cstdlib>
#include <vector>

namespace touchstone::extractors::site {
using namespace internal;
namespace {

/// Reads a moment word by word.
class MomentReader {
 public:
  MomentReader(std::string_view text, std::optional<std::int64_t> now) : words_(split_words(text)), parts_(now) {}

  std::optional<Moment> read() {
    constexpr std::size_t kMostWords = 40, kYear = 4;
    if (words_.size() > kMostWords) return std::nullopt;
    if (words_.size() == 1 && is_number() && word().size() == kYear) return read_lone_year();
    while (at_ < words_.size()) {
      if (!read_part()) return std::nullopt;
    }
    return parts_.finish();
  }

 private:
  const std::string& word(std::size_t ahead = 0) const {
    static const std::string none;
    return at_ + ahead < words_.size() ? words_[at_ + ahead] : none;
  }
  bool is_number(std::size_t ahead = 0) const { return !word(ahead).empty() && scan::is_digit(word(ahead)[0]); }
  bool is_number_of(std::size_t ahead, std::size_t most_digits) const {
    return is_number(ahead) && word(ahead).size() <= most_digits;
  }
  int number(std::size_t ahead = 0) const {
    constexpr std::size_t kMostDigits = 8;
    return word(ahead).size() > kMostDigits ? -1 : std::atoi(word(ahead).c_str());
  }

  /// MediaWiki takes four digits alone for a year: this day in it.
  std::optional<Moment> read_lone_year() {
    const std::optional<Moment>& now = parts_.now();
    if (!now || !parts_.set_date(number(), now->month, now->day) || !parts_.set_time(0)) return std::nullopt;
    return parts_.finish();
  }

  bool read_part() {
    if (word() == "@" && (is_number(1) || (word(1) == "-" && is_number(2)))) return read_unix_time();
    if (word() == "+" || word() == "-") return read_zone_offset() || read_offset();
    if (is_number()) return read_digits();
    return read_word();
  }

  bool read_unix_time() {
    const bool negative = word(1) == "-";
    const std::string& digits = word(negative ? 2 : 1);
    constexpr std::size_t kMostDigits = 11;
    if (digits.size() > kMostDigits || words_.size() != (negative ? 3U : 2U)) return false;
    const std::int64_t seconds = std::strtoll(digits.c_str(), nullptr, 10) * (negative ? -1 : 1);
    parts_.set_seconds(seconds);
    at_ = words_.size();
    return true;
  }

  void take_ago() {
    if (word() != "ago") return;
    parts_.turn_around();
    ++at_;
  }

  bool read_offset() {
    const int sign = word() == "-" ? -1 : 1;
    if (!is_number(1) || number(1) < 0 || !parts_.add(word(2), sign * number(1))) return false;
    at_ += 3;
    take_ago();
    return true;
  }

  /// "+02:00" or "+0200" right behind a time of day.
  bool read_zone_offset() {
    if (!parts_.has_time() || parts_.has_zone() || at_ == 0 || at_ != time_end_ || !is_number(1)) return false;
    const bool colon = word(2) == ":" && is_number_of(3, 2);
    constexpr std::size_t kBoth = 4;
    if (!colon && word(1).size() != kBoth) return false;
    const int hours = colon ? number(1) : number(1) / 100, minutes = colon ? number(3) : number(1) % 100;
    const int sign = word() == "-" ? -1 : 1;
    at_ += colon ? 4 : 2;
    return parts_.set_zone(sign * (hours * 3600LL + minutes * 60LL));
  }

  bool read_zone() {
    const auto hours = zone_of(word());
    if (!hours || !parts_.set_zone(*hours * 3600LL)) return false;
    ++at_;
    return true;
  }

  /// The hour of 24 by "am" or "pm" at word `ahead`; nothing without these words.
  std::optional<int> hour_by_half(int hour, std::size_t ahead) const {
    if ((word(ahead) != "am" && word(ahead) != "pm") || hour < 1 || hour > 12) return std::nullopt;
    return hour % 12 + (word(ahead) == "pm" ? 12 : 0);
  }

  bool read_time() {
    const bool seconds = word(3) == ":" && is_number(4);
    std::size_t size = seconds ? 5 : 3;
    const int second = seconds ? number(4) : 0;
    if (seconds && word(5) == "." && is_number(6)) size += 2;  // parts of a second
    int hour = number();
    if (const auto by_half = hour_by_half(hour, size)) {
      hour = *by_half;
      ++size;
    }
    if (!parts_.set_time(hour, number(2), second)) return false;
    at_ += size;
    time_end_ = at_;
    read_zone();
    return true;
  }

  /// Dates and times without signs between their parts.
  bool read_run() {
    const std::string& digits = word();
    const auto part = [&](std::size_t begin, std::size_t size) {
      return std::atoi(digits.substr(begin, size).c_str());
    };
    constexpr std::size_t kTime = 6, kDayOfYear = 7, kDate = 8, kStamp = 14;
    if (parts_.has_date() && digits.size() == kTime && !parts_.set_time(part(0, 2), part(2, 2), part(4, 2)))
      return false;
    if (digits.size() == kDayOfYear && !parts_.set_day_of_year(part(0, 4), part(4, 3))) return false;
    if (digits.size() == kDate || digits.size() == kStamp) {
      if (!parts_.set_date(part(0, 4), part(4, 2), part(6, 2))) return false;
      if (digits.size() == kStamp && !parts_.set_time(part(8, 2), part(10, 2), part(12, 2))) return false;
    }
    ++at_;
    if (word() == "t" && is_number(1)) ++at_;
    return true;
  }

  /// "2001W05" and "2001-W05-6".
  bool read_week() {
    const std::size_t w = word(1) == "-" ? 2 : 1;
    if (word(w) != "w" || !is_number_of(w + 1, 3)) return false;
    constexpr std::size_t kWithDay = 3;
    const bool joined = word(w + 1).size() == kWithDay;
    const bool dashed = !joined && word(w + 2) == "-" && is_number_of(w + 3, 1);
    const int week = joined ? number(w + 1) / 10 : number(w + 1);
    const int day = joined ? number(w + 1) % 10 : dashed ? number(w + 3) : 1;
    if (!parts_.set_week(number(), week, day)) return false;
    at_ += w + (dashed ? 4 : 2);
    return true;
  }

  bool is_one_of(std::string_view signs, std::size_t ahead) const {
    return word(ahead).size() == 1 && signs.find(word(ahead)[0]) != std::string_view::npos;
  }

  bool read_digits() {
    constexpr std::size_t kYear = 4;
    const std::string digits = word();
    if (word(1) == ":" && is_number(2)) return read_time();
    if (const auto hour = hour_by_half(number(), 1)) {
      at_ += 2;
      return parts_.set_time(*hour);
    }
    if (digits.size() >= 6) return (digits.size() <= 8 || digits.size() == 14) && read_run();
    if (digits.size() == kYear && read_week()) return true;
    if (digits.size() == kYear && (word(1) == "-" || word(1) == "/" || word(1) == ".") && is_number(2))
      return read_year_first();
    if (digits.size() <= 2 && is_one_of("/-.", 1) && is_number_of(2, 2) && word(3) == word(1) && is_number_of(4, kYear))
      return read_short_date(word(1)[0]);
    if (digits.size() == kYear && english_month(word(word(1) == "-" ? 2 : 1)) != 0) return read_year_and_name();
    return read_day_and_name() || read_count() || read_four_digits();
  }

  bool read_year_first() {
    constexpr std::size_t kDayOfYear = 3;
    if (word(1) == "-" && word(2).size() == kDayOfYear) {
      if (!parts_.set_day_of_year(number(), number(2))) return false;
      at_ += 3;
      return true;
    }
    const bool day = word(3) == word(1) && is_number_of(4, 2);
    if (!parts_.set_date(number(), number(2), day ? number(4) : 1)) return false;
    at_ += day ? 5 : 3;
    if (word() == "t") ++at_;
    return true;
  }

  /// Three numbers: the year is last, but first where only it can be. With slashes the month comes before the day.
  bool read_short_date(char sign) {
    const int first = number(), second = number(2), third = number(4);
    const bool year_last = word(4).size() == 4 || sign == '/';
    if (sign == '.' && !year_last) return false;
    const bool done = sign == '/' ? parts_.set_date(full_year(word(4)), first, second)
                      : year_last ? parts_.set_date(third, second, first)
                                  : parts_.set_date(full_year(word()), second, third);
    at_ += 5;
    return done;
  }

  /// "2001 Jan", "2001-Feb-03"
  bool read_year_and_name() {
    const std::size_t at_month = word(1) == "-" ? 2 : 1;
    const bool day = word(at_month + 1) == "-" && is_number_of(at_month + 2, 2);
    if (at_month == 1 && is_number_of(2, 2)) return false;
    if (!parts_.set_date(number(), english_month(word(at_month)), day ? number(at_month + 2) : 1)) return false;
    at_ += at_month + (day ? 3 : 1);
    return true;
  }

  /// "3 February 2001", "3rd-Feb-01"
  bool read_day_and_name() {
    if (word().size() > 2) return false;
    std::size_t ahead = is_ending(word(1)) ? 2 : 1;
    if (word(ahead) == "-") ++ahead;
    const int month = english_month(word(ahead));
    if (month == 0) return false;
    const int day = number();
    at_ += ahead + 1;
    if (word() == "." && is_number(1)) ++at_;
    if (word() == "-" && is_number(1)) ++at_;
    return read_year(month, day);
  }

  static bool is_ending(std::string_view word) { return word == "st" || word == "nd" || word == "rd" || word == "th"; }

  /// "3 days"
  bool read_count() {
    if (word().size() > 4 || !parts_.add(word(1), number())) return false;
    at_ += 2;
    take_ago();
    return true;
  }

  /// Four digits behind other things are a time of day where they can be one, and else a year.
  bool read_four_digits() {
    if (word().size() != 4) return false;
    const int hour = number() / 100, minute = number() % 100;
    if (parts_.has_time() || parts_.has_date() || hour > 23 || minute > 59) return false;
    ++at_;
    return parts_.set_time(hour, minute);
  }

  bool read_year(int month, int day) {
    const bool year = is_number_of(0, 4) && word().size() != 1 && word(1) != ":";
    if (year) {
      const int value = full_year(word());
      ++at_;
      return parts_.set_date(value, month, day);
    }
    return parts_.now() && parts_.set_date(parts_.now()->year, month, day);
  }

  /// "February 3, 2001", "Feb-03-2001", "February 2001", "February"
  bool read_month(int month) {
    ++at_;
    if (word() == "." && is_number(1)) ++at_;
    if (word() == "-" && is_number_of(1, 2)) ++at_;
    int day = 1;
    if (is_number_of(0, 2) && word(1) != ":") {
      day = number();
      at_ += is_ending(word(1)) ? 2 : 1;
      if (word() == "-" && is_number(1)) ++at_;
    } else if (!is_number() && parts_.now()) {
      day = parts_.now()->day;  // a month alone keeps the day
    }
    return read_year(month, day);
  }

  bool read_word() {
    const std::string text = word();
    if (const int month = english_month(text); month != 0) return read_month(month);
    if (parts_.has_time() && read_zone()) return true;
    if (read_ordinal()) return true;
    ++at_;
    if (text == "now") return true;
    if (text == "today" || text == "midnight") return parts_.set_time(0);
    if (text == "noon") return parts_.set_time(12);
    if (text == "yesterday" || text == "tomorrow") {
      parts_.add_days(text == "tomorrow" ? 1 : -1);
      return parts_.set_time(0);
    }
    if (text == "next" || text == "last" || text == "previous" || text == "this") return read_step(text);
    if (const int day = english_weekday(text); day >= 0) return parts_.set_weekday(day, 0);
    if (text == "t") return true;
    --at_;
    return read_zone();
  }

  /// "next month", "last monday"
  bool read_step(const std::string& text) {
    const int step = text == "next" ? 1 : text == "this" ? 0 : -1;
    const std::string unit = word();
    ++at_;
    if (const int day = english_weekday(unit); day >= 0) return parts_.set_weekday(day, step);
    return parts_.add(unit, step);
  }

  /// "first day of", "last monday of"
  bool read_ordinal() {
    const bool last = word() == "last";
    const int place = english_ordinal(word());
    if ((!last && place == 0) || word(2) != "of") return false;
    const int day = english_weekday(word(1));
    if (day < 0 && (word(1) != "day" || place > 1)) return false;
    if (!parts_.set_day_of_month(last ? -1 : place, day)) return false;
    at_ += 3;
    return true;
  }

  std::vector<std::string> words_;
  std::size_t at_ = 0, time_end_ = 0;
  MomentParts parts_;
};

}  // namespace

std::optional<Moment> read_moment(std::string_view text, std::optional<std::int64_t> now) {
  return MomentReader(text, now).read();
}

}  // namespace touchstone::extractors::site
