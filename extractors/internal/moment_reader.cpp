#include "common/unicode.hpp"
#include "extractors/internal/moment.hpp"
#include "extractors/internal/text_scan.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <vector>

namespace touchstone::extractors::internal {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"january",   "february", "march",    "april",
                                                      "may",       "june",     "july",     "august",
                                                      "september", "october",  "november", "december"};
constexpr std::array<std::string_view, 7> kDays = {"sunday",   "monday", "tuesday", "wednesday",
                                                   "thursday", "friday", "saturday"};
constexpr std::array<std::string_view, 12> kOrdinals = {"first",   "second", "third", "fourth", "fifth",    "sixth",
                                                        "seventh", "eighth", "ninth", "tenth",  "eleventh", "twelfth"};
constexpr std::int64_t kDaySeconds = 86400;

template <std::size_t N>
int place_in(const std::array<std::string_view, N>& names, std::string_view word, std::size_t short_size) {
  for (std::size_t i = 0; i < N; ++i) {
    if (word == names[i] || (word.size() == short_size && names[i].starts_with(word))) return static_cast<int>(i);
  }
  return -1;
}

int weekday_of(std::string_view word) {
  return word == "tues" ? 2 : word == "wednes" ? 3 : word == "thur" || word == "thurs" ? 4 : place_in(kDays, word, 3);
}

/// Hours in front of UTC; nothing for words that name no zone.
std::optional<int> zone_of(std::string_view word) {
  constexpr std::pair<std::string_view, int> kZones[] = {
      {"z", 0},    {"utc", 0},  {"gmt", 0},  {"est", -5}, {"edt", -4}, {"cst", -6},
      {"cdt", -5}, {"mst", -7}, {"mdt", -6}, {"pst", -8}, {"pdt", -7}, {"bst", 1},
      {"cet", 1},  {"cest", 2}, {"eet", 2},  {"eest", 3}, {"msk", 3},  {"jst", 9}};
  for (const auto& [name, hours] : kZones) {
    if (word == name) return hours;
  }
  return std::nullopt;
}

/// Years of two digits are those from 1970 to 2069.
int full_year(std::string_view digits) {
  const int year = std::atoi(std::string(digits).c_str());
  return digits.size() > 2 ? year : year < 70 ? 2000 + year : 1900 + year;
}

/// Reads a moment word by word.
class MomentReader {
 public:
  MomentReader(std::string_view text, std::optional<std::int64_t> now) : words_(split_words(text)), now_(now) {}

  std::optional<Moment> read() {
    constexpr std::size_t kMostWords = 40, kYear = 4;
    if (words_.size() > kMostWords) return std::nullopt;
    if (words_.size() == 1 && is_number() && word().size() == kYear) return read_lone_year();
    while (at_ < words_.size()) {
      if (!read_part()) return std::nullopt;
    }
    return finish();
  }

 private:
  const std::string& word(std::size_t ahead = 0) const {
    static const std::string kNone;
    return at_ + ahead < words_.size() ? words_[at_ + ahead] : kNone;
  }
  bool is_number(std::size_t ahead = 0) const {
    return !word(ahead).empty() && std::isdigit(static_cast<unsigned char>(word(ahead)[0])) != 0;
  }
  bool is_number_of(std::size_t ahead, std::size_t most_digits) const {
    return is_number(ahead) && word(ahead).size() <= most_digits;
  }
  int number(std::size_t ahead = 0) const {
    constexpr std::size_t kMostDigits = 8;
    return word(ahead).size() > kMostDigits ? -1 : std::atoi(word(ahead).c_str());
  }

  /// MediaWiki takes four digits alone for a year: this day in it.
  std::optional<Moment> read_lone_year() {
    if (!now_) return std::nullopt;
    const Moment now = Moment::from_seconds(*now_);
    if (!set_date(number(), now.month, now.day) || !set_time(0)) return std::nullopt;
    return finish();
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
    date_ = time_ = true;
    moment_ = Moment::from_seconds(seconds);
    at_ = words_.size();
    return true;
  }

  bool add(std::string unit, int count) {
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

  /// "ago" turns all that was added so far around.
  void take_ago() {
    if (word() != "ago") return;
    months_ = -months_;
    days_ = -days_;
    seconds_ = -seconds_;
    ++at_;
  }

  bool read_offset() {
    const int sign = word() == "-" ? -1 : 1;
    if (!is_number(1) || number(1) < 0 || !add(word(2), sign * number(1))) return false;
    at_ += 3;
    take_ago();
    return true;
  }

  /// "+02:00" or "+0200" right behind a time of day.
  bool read_zone_offset() {
    if (!time_ || zone_ || at_ == 0 || at_ != time_end_ || !is_number(1)) return false;
    const bool colon = word(2) == ":" && is_number_of(3, 2);
    constexpr std::size_t kBoth = 4;
    if (!colon && word(1).size() != kBoth) return false;
    const int hours = colon ? number(1) : number(1) / 100, minutes = colon ? number(3) : number(1) % 100;
    seconds_ -= (word() == "-" ? -1 : 1) * (hours * 3600LL + minutes * 60LL);
    at_ += colon ? 4 : 2;
    return zone_ = true;
  }

  bool read_zone() {
    const auto hours = zone_ ? std::nullopt : zone_of(word());
    if (!hours) return false;
    seconds_ -= *hours * 3600LL;
    ++at_;
    return zone_ = true;
  }

  bool set_date(int year, int month, int day) {
    if (date_ || year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31) return false;
    moment_.year = year;
    moment_.month = month;
    moment_.day = day;
    return date_ = true;
  }

  bool set_time(int hour, int minute = 0, int second = 0) {
    if (time_ || hour < 0 || hour > 24 || minute < 0 || minute > 59 || second < 0 || second > 59) return false;
    moment_.hour = hour;
    moment_.minute = minute;
    moment_.second = second;
    return time_ = true;
  }

  /// "am" or "pm" at word `ahead`; the hour of 24 by it. Nothing when there is none.
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
    if (!set_time(hour, number(2), second)) return false;
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
    if (date_ && digits.size() == kTime && !set_time(part(0, 2), part(2, 2), part(4, 2))) return false;
    if (digits.size() == kDayOfYear && !set_day_of_year(part(0, 4), part(4, 3))) return false;
    if (digits.size() == kDate || digits.size() == kStamp) {
      if (!set_date(part(0, 4), part(4, 2), part(6, 2))) return false;
      if (digits.size() == kStamp && !set_time(part(8, 2), part(10, 2), part(12, 2))) return false;
    }
    ++at_;
    if (word() == "t" && is_number(1)) ++at_;
    return true;
  }

  bool set_day_of_year(int year, int day) {
    if (day < 1 || day > 366 || !set_date(year, 1, 1)) return false;
    days_ += day - 1;
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
    const int year = number();
    if (week < 1 || week > 53 || day < 1 || day > 7 || !set_date(year, 1, 4)) return false;
    // The fourth of January is in the first week.
    days_ += (week - 1) * 7 + day - 1 - (moment_.weekday() + 6) % 7;
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
      return set_time(*hour);
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
      if (!set_day_of_year(number(), number(2))) return false;
      at_ += 3;
      return true;
    }
    const bool day = word(3) == word(1) && is_number_of(4, 2);
    if (!set_date(number(), number(2), day ? number(4) : 1)) return false;
    at_ += day ? 5 : 3;
    if (word() == "t") ++at_;
    return true;
  }

  /// Three numbers: the year is last, but first where only it can be. With slashes the month comes before the day.
  bool read_short_date(char sign) {
    const int first = number(), second = number(2), third = number(4);
    const bool year_last = word(4).size() == 4 || sign == '/';
    if (sign == '.' && !year_last) return false;
    const bool done = sign == '/' ? set_date(full_year(word(4)), first, second)
                      : year_last ? set_date(third, second, first)
                                  : set_date(full_year(word()), second, third);
    at_ += 5;
    return done;
  }

  /// "2001 Jan", "2001-Feb-03"
  bool read_year_and_name() {
    const std::size_t at_month = word(1) == "-" ? 2 : 1;
    const bool day = word(at_month + 1) == "-" && is_number_of(at_month + 2, 2);
    if (at_month == 1 && is_number_of(2, 2)) return false;
    if (!set_date(number(), english_month(word(at_month)), day ? number(at_month + 2) : 1)) return false;
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
    if (word().size() > 4 || !add(word(1), number())) return false;
    at_ += 2;
    take_ago();
    return true;
  }

  /// Four digits behind other things are a time of day where they can be one, and else a year.
  bool read_four_digits() {
    if (word().size() != 4) return false;
    const int hour = number() / 100, minute = number() % 100;
    if (time_ || date_ || hour > 23 || minute > 59) return false;
    ++at_;
    return set_time(hour, minute);
  }

  bool read_year(int month, int day) {
    const bool year = is_number_of(0, 4) && word().size() != 1 && word(1) != ":";
    if (year) {
      const int value = full_year(word());
      ++at_;
      return set_date(value, month, day);
    }
    if (!now_) return false;
    return set_date(Moment::from_seconds(*now_).year, month, day);
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
    } else if (!is_number() && now_) {
      day = Moment::from_seconds(*now_).day;  // a month alone keeps the day
    }
    return read_year(month, day);
  }

  bool read_word() {
    const std::string text = word();
    if (const int month = english_month(text); month != 0) return read_month(month);
    if (time_ && read_zone()) return true;
    if (read_ordinal()) return true;
    ++at_;
    if (text == "now") return true;
    if (text == "today" || text == "midnight") return set_time(0);
    if (text == "noon") return set_time(12);
    if (text == "yesterday" || text == "tomorrow") {
      days_ += text == "tomorrow" ? 1 : -1;
      return set_time(0);
    }
    if (text == "next" || text == "last" || text == "previous" || text == "this") return read_step(text);
    if (const int day = weekday_of(text); day >= 0) return set_weekday(day, 0);
    if (text == "t") return true;
    --at_;
    return read_zone();
  }

  /// "next month", "last monday"
  bool read_step(const std::string& text) {
    const int step = text == "next" ? 1 : text == "this" ? 0 : -1;
    const std::string unit = word();
    ++at_;
    if (const int day = weekday_of(unit); day >= 0) return set_weekday(day, step);
    return add(unit, step);
  }

  bool set_weekday(int day, int step) {
    if (weekday_) return false;
    weekday_ = day;
    weekday_step_ = step;
    return true;
  }

  /// "first day of", "last monday of"
  bool read_ordinal() {
    const bool last = word() == "last";
    const int place = place_in(kOrdinals, word(), 0) + 1;
    if ((!last && place == 0) || word(2) != "of" || of_month_) return false;
    const int day = weekday_of(word(1));
    if (day < 0 && (word(1) != "day" || place > 1)) return false;
    of_month_ = true;
    of_place_ = last ? -1 : place;
    of_weekday_ = day;
    at_ += 3;
    return true;
  }

  std::optional<Moment> finish() {
    if (!date_) {
      if (!now_) return std::nullopt;
      const Moment now = Moment::from_seconds(*now_);
      moment_.year = now.year;
      moment_.month = now.month;
      moment_.day = now.day;
      if (!time_ && !weekday_ && !(of_month_ && of_weekday_ >= 0)) {
        moment_.hour = now.hour;
        moment_.minute = now.minute;
        moment_.second = now.second;
      }
    }
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

  void find_day_of_month() {
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

  /// To the day of the week that is named: this day or a later one, a later one for sure, an earlier one.
  std::int64_t days_to_weekday(const Moment& from) const {
    const int ahead = (*weekday_ - from.weekday() + 7) % 7;
    if (weekday_step_ > 0) return ahead == 0 ? 7 : ahead;
    if (weekday_step_ < 0) return ahead - 7;
    return ahead;
  }

  std::vector<std::string> words_;
  std::optional<std::int64_t> now_;
  std::size_t at_ = 0, time_end_ = 0;
  Moment moment_;
  bool date_ = false, time_ = false, zone_ = false, of_month_ = false;
  std::optional<int> weekday_;
  int weekday_step_ = 0, of_place_ = 0, of_weekday_ = -1;
  std::int64_t months_ = 0, days_ = 0, seconds_ = 0;
};

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    std::size_t end = i + 1;
    if (std::isdigit(c) != 0) {
      while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    } else if (std::isalpha(c) != 0) {
      while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
    } else if (std::isspace(c) != 0 || c == ',') {
      ++i;
      continue;
    }
    words.push_back(lower_case(text.substr(i, end - i)));
    i = end;
  }
  return words;
}

int english_month(std::string_view word) noexcept {
  return word == "sept" ? 9 : place_in(kMonths, word, 3) + 1;
}

std::optional<Moment> read_moment(std::string_view text, std::optional<std::int64_t> now) {
  return MomentReader(text, now).read();
}

}  // namespace touchstone::extractors::internal
