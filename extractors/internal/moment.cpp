#include "extractors/internal/moment.hpp"

#include "common/unicode.hpp"
#include "extractors/internal/text_scan.hpp"
#include "extractors/wikitext_parser.hpp"

#include <array>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <unicode/dtfmtsym.h>
#include <unicode/locid.h>

namespace touchstone::extractors::internal {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"january",   "february", "march",    "april",
                                                      "may",       "june",     "july",     "august",
                                                      "september", "october",  "november", "december"};
constexpr std::array<std::string_view, 7> kDays = {"sunday",   "monday", "tuesday", "wednesday",
                                                   "thursday", "friday", "saturday"};
constexpr std::int64_t kDaySeconds = 86400;

std::int64_t days_of(int year, int month, int day) noexcept {
  return std::chrono::sys_days(std::chrono::year(year) / std::chrono::month(static_cast<unsigned>(month)) /
                               std::chrono::day(1))
             .time_since_epoch()
             .count() +
         day - 1;
}

std::string two_digits(int number) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "%02d", number);
  return buffer;
}

/// Month by its English name or the first three letters of it; 0 for all else.
int month_of(std::string_view word) {
  constexpr std::size_t kShort = 3;
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (word == kMonths[i] || (word.size() == kShort && kMonths[i].starts_with(word)) || (word == "sept" && i == 8))
      return static_cast<int>(i) + 1;
  }
  return 0;
}

/// Cuts a text into numbers, words and signs.
std::vector<std::string> words_of(std::string_view text) {
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

/// Reads a moment word by word.
class MomentReader {
 public:
  MomentReader(std::string_view text, std::optional<std::int64_t> now) : words_(words_of(text)), now_(now) {}

  std::optional<Moment> read() {
    constexpr std::size_t kMostWords = 40;
    if (words_.size() > kMostWords) return std::nullopt;
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
  int number(std::size_t ahead = 0) const {
    constexpr std::size_t kMostDigits = 8;
    return word(ahead).size() > kMostDigits ? -1 : std::atoi(word(ahead).c_str());
  }

  bool read_part() {
    if (word() == "@" && (is_number(1) || (word(1) == "-" && is_number(2)))) return read_unix_time();
    if (word() == "+" || word() == "-") return read_offset();
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
    if (unit == "second" || unit == "sec")
      seconds_ += count;
    else if (unit == "minute" || unit == "min")
      seconds_ += 60LL * count;
    else if (unit == "hour")
      seconds_ += 3600LL * count;
    else if (unit == "day")
      days_ += count;
    else if (unit == "week")
      days_ += 7LL * count;
    else if (unit == "fortnight")
      days_ += 14LL * count;
    else if (unit == "month")
      months_ += count;
    else if (unit == "year")
      months_ += 12LL * count;
    else
      return false;
    relative_ = true;
    return true;
  }

  bool read_offset() {
    const int sign = word() == "-" ? -1 : 1;
    if (!is_number(1) || number(1) < 0 || !add(word(2), sign * number(1))) return false;
    at_ += 3;
    if (word() == "ago") {
      months_ = -months_;
      days_ = -days_;
      seconds_ = -seconds_;
      ++at_;
    }
    return true;
  }

  bool set_date(int year, int month, int day) {
    if (date_ || year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31) return false;
    moment_.year = year;
    moment_.month = month;
    moment_.day = day;
    return date_ = true;
  }

  bool read_time() {
    const int hour = number(), minute = number(2);
    const bool seconds = word(3) == ":" && is_number(4);
    const int second = seconds ? number(4) : 0;
    if (time_ || hour < 0 || hour > 24 || minute < 0 || minute > 59 || second < 0 || second > 59) return false;
    at_ += seconds ? 5 : 3;
    moment_.hour = hour;
    moment_.minute = minute;
    moment_.second = second;
    if ((word() == "am" || word() == "pm") && hour >= 1 && hour <= 12) {
      moment_.hour = hour % 12 + (word() == "pm" ? 12 : 0);
      ++at_;
    }
    if (word() == "z" || word() == "utc" || word() == "gmt") ++at_;
    return time_ = true;
  }

  bool read_digits() {
    constexpr std::size_t kYear = 4, kDate = 8, kStamp = 14;
    const std::string& digits = word();
    if (digits.size() == kStamp) {
      const auto part = [&](std::size_t begin, std::size_t size) {
        return std::atoi(digits.substr(begin, size).c_str());
      };
      if (time_ || !set_date(part(0, 4), part(4, 2), part(6, 2))) return false;
      moment_.hour = part(8, 2);
      moment_.minute = part(10, 2);
      moment_.second = part(12, 2);
      ++at_;
      return time_ = moment_.hour < 24 && moment_.minute < 60 && moment_.second < 60;
    }
    if (word(1) == ":" && is_number(2)) return read_time();
    if (digits.size() == kDate) {
      if (!set_date(std::atoi(digits.substr(0, 4).c_str()), std::atoi(digits.substr(4, 2).c_str()),
                    std::atoi(digits.substr(6, 2).c_str())))
        return false;
      ++at_;
      return true;
    }
    if (digits.size() == kYear && (word(1) == "-" || word(1) == "/") && is_number(2)) {
      const bool day = word(3) == word(1) && is_number(4);
      if (!set_date(number(), number(2), day ? number(4) : 1)) return false;
      at_ += day ? 5 : 3;
      if (word() == "t") ++at_;
      return true;
    }
    if (digits.size() <= 2 && word(1) == "/" && is_number(2) && word(3) == "/" && is_number(4)) {  // American
      if (!set_date(number(4), number(), number(2))) return false;
      at_ += 5;
      return true;
    }
    std::size_t ahead = 1;
    if (word(ahead) == "st" || word(ahead) == "nd" || word(ahead) == "rd" || word(ahead) == "th") ++ahead;
    if (word(ahead) == "-") ++ahead;
    if (const int month = month_of(word(ahead)); month != 0 && digits.size() <= 2) {
      const int day = number();
      at_ += ahead + 1;
      if (word() == "-") ++at_;
      return read_year(month, day);
    }
    if (digits.size() <= 4 && add(word(1), number())) {  // "3 days"
      at_ += 2;
      if (word() == "ago") {
        days_ = -days_;
        months_ = -months_;
        seconds_ = -seconds_;
        ++at_;
      }
      return true;
    }
    // Four digits alone are a time of day where they can be one.
    if (digits.size() != kYear) return false;
    const int hour = number() / 100, minute = number() % 100;
    ++at_;
    if (!time_ && !date_ && hour < 24 && minute < 60) {
      moment_.hour = hour;
      moment_.minute = minute;
      return time_ = true;
    }
    return false;
  }

  bool read_year(int month, int day) {
    if (is_number() && word().size() >= 3 && word().size() <= 4 && word(1) != ":") {
      const int year = number();
      ++at_;
      return set_date(year, month, day);
    }
    if (!now_) return false;
    return set_date(Moment::from_seconds(*now_).year, month, day);
  }

  bool read_word() {
    const std::string text = word();
    if (const int month = month_of(text); month != 0) {
      ++at_;
      int day = 1;
      if (is_number() && word().size() <= 2 && word(1) != ":") {
        day = number();
        ++at_;
        if (word() == "st" || word() == "nd" || word() == "rd" || word() == "th") ++at_;
      }
      return read_year(month, day);
    }
    ++at_;
    if (text == "now") return relative_ = true;
    if (text == "today" || text == "midnight") return set_time(0);
    if (text == "noon") return set_time(12);
    if (text == "yesterday" || text == "tomorrow") {
      days_ += text == "tomorrow" ? 1 : -1;
      relative_ = true;
      return set_time(0);
    }
    if (text == "next" || text == "last" || text == "previous") {
      const std::string unit = word();
      ++at_;
      return add(unit, text == "next" ? 1 : -1);
    }
    // A day of the week beside a date says nothing new.
    for (const std::string_view day : kDays) {
      if (text == day || text == day.substr(0, 3)) return weekday_ = true;
    }
    return text == "t" || text == "z" || text == "utc" || text == "gmt";
  }

  bool set_time(int hour) {
    if (time_) return false;
    moment_.hour = hour;
    moment_.minute = moment_.second = 0;
    return time_ = true;
  }

  std::optional<Moment> finish() {
    if (weekday_ && !date_) return std::nullopt;
    if (!date_) {
      if (!now_) return std::nullopt;
      const Moment now = Moment::from_seconds(*now_);
      moment_.year = now.year;
      moment_.month = now.month;
      moment_.day = now.day;
      if (!time_) {
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
    const Moment result = Moment::from_seconds(moment_.seconds() + days_ * kDaySeconds + seconds_);
    return result.year < 1 || result.year > 9999 ? std::nullopt : std::optional(result);
  }

  std::vector<std::string> words_;
  std::optional<std::int64_t> now_;
  std::size_t at_ = 0;
  Moment moment_;
  bool date_ = false, time_ = false, relative_ = false, weekday_ = false;
  std::int64_t months_ = 0, days_ = 0, seconds_ = 0;
};

std::string name_in(const std::string& language, int index, bool month, icu::DateFormatSymbols::DtContextType context,
                    icu::DateFormatSymbols::DtWidthType width) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::DateFormatSymbols symbols(icu::Locale(language == "simple" ? "en" : language.c_str()), status);
  if (U_FAILURE(status)) return {};
  // ICU answers for a language that it does not know with the names of none.
  if (language != "en" && symbols.getLocale(ULOC_VALID_LOCALE, status).getLanguage()[0] == '\0')
    return name_in("en", index, month, context, width);
  std::int32_t count = 0;
  const icu::UnicodeString* names =
      month ? symbols.getMonths(count, context, width) : symbols.getWeekdays(count, context, width);
  std::string out;
  if (index < count) names[index].toUTF8String(out);
  return out;
}

std::string roman(int number) {
  constexpr std::pair<int, std::string_view> kSteps[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"},
                                                         {90, "XC"},  {50, "L"},   {40, "XL"}, {10, "X"},   {9, "IX"},
                                                         {5, "V"},    {4, "IV"},   {1, "I"}};
  std::string out;
  for (const auto& [value, letters] : kSteps) {
    for (; number >= value; number -= value) out += letters;
  }
  return out;
}

std::string formatted_letter(const Moment& m, char letter, const std::string& language) {
  using Symbols = icu::DateFormatSymbols;
  int iso_year = 0;
  switch (letter) {
    case 'Y':
      return std::to_string(m.year);
    case 'y':
      return two_digits(m.year % 100);
    case 'L':
      return Moment{m.year, 2, 1}.days_in_month() == 29 ? "1" : "0";
    case 'n':
      return std::to_string(m.month);
    case 'm':
      return two_digits(m.month);
    case 'M':
      return name_in(language, m.month - 1, true, Symbols::STANDALONE, Symbols::ABBREVIATED);
    case 'F':
      return name_in(language, m.month - 1, true, Symbols::STANDALONE, Symbols::WIDE);
    case 'j':
      return std::to_string(m.day);
    case 'd':
      return two_digits(m.day);
    case 'z':
      return std::to_string(m.day_of_year());
    case 't':
      return std::to_string(m.days_in_month());
    case 'W':
      return two_digits(m.iso_week(iso_year));
    case 'o':
      m.iso_week(iso_year);
      return std::to_string(iso_year);
    case 'N':
      return std::to_string(m.weekday() == 0 ? 7 : m.weekday());
    case 'w':
      return std::to_string(m.weekday());
    case 'D':
      return name_in(language, m.weekday() + 1, false, Symbols::STANDALONE, Symbols::ABBREVIATED);
    case 'l':
      return name_in(language, m.weekday() + 1, false, Symbols::STANDALONE, Symbols::WIDE);
    case 'a':
      return m.hour < 12 ? "am" : "pm";
    case 'A':
      return m.hour < 12 ? "AM" : "PM";
    case 'g':
      return std::to_string((m.hour + 11) % 12 + 1);
    case 'h':
      return two_digits((m.hour + 11) % 12 + 1);
    case 'G':
      return std::to_string(m.hour);
    case 'H':
      return two_digits(m.hour);
    case 'i':
      return two_digits(m.minute);
    case 's':
      return two_digits(m.second);
    case 'U':
      return std::to_string(m.seconds());
    case 'e':
    case 'T':
      return "UTC";
    case 'I':
    case 'Z':
      return "0";
    case 'O':
      return "+0000";
    case 'P':
      return "+00:00";
    case 'c':
      return format_moment(m, "Y-m-d\\TH:i:sP", language);
    case 'r':
      return format_moment(m, "D, d M Y H:i:s O", "en");
    default:
      return std::string(1, letter);
  }
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

std::optional<Moment> read_moment(std::string_view text, std::optional<std::int64_t> now) {
  return MomentReader(text, now).read();
}

std::string format_moment(const Moment& moment, std::string_view format, const std::string& language) {
  std::string out;
  bool in_roman = false;
  for (std::size_t i = 0; i < format.size(); ++i) {
    const char c = format[i];
    if (c == '\\' && i + 1 < format.size()) {
      out.push_back(format[++i]);
    } else if (c == '"') {
      const std::size_t end = format.find('"', i + 1);
      if (end == std::string_view::npos) {
        out.push_back('"');
      } else {
        out.append(format.substr(i + 1, end - i - 1));
        i = end;
      }
    } else if (c == 'x' && i + 1 < format.size()) {
      const char code = format[++i];
      if (code == 'n' || code == 'N') continue;  // numbers are plain digits anyway
      if (code == 'r')
        in_roman = true;
      else if (code == 'x')
        out.push_back('x');
      else if (code == 'g')
        out += name_in(language, moment.month - 1, true, icu::DateFormatSymbols::FORMAT, icu::DateFormatSymbols::WIDE);
      else
        out.append("x").push_back(code);
    } else {
      std::string piece = formatted_letter(moment, c, language);
      if (in_roman && !piece.empty() && piece.find_first_not_of("0123456789") == std::string::npos) {
        piece = roman(std::atoi(piece.c_str()));
        in_roman = false;
      }
      out += piece;
    }
  }
  return out;
}

}  // namespace touchstone::extractors::internal

namespace touchstone::extractors {

std::optional<std::int64_t> read_fixed_moment(std::string_view text) {
  const auto moment = internal::read_moment(text, std::nullopt);
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

}  // namespace touchstone::extractors
