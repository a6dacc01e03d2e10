#include "common/unicode.hpp"
#include "extractors/site/calendar_names.hpp"
#include "extractors/site/moment.hpp"
#include "extractors/site/moment_words.hpp"
#include "extractors/site/number_style.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

#include <unicode/calendar.h>
#include <unicode/locid.h>

namespace touchstone::extractors::site {
using namespace internal;
namespace {

std::string two_digits(int number) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "%02d", number);
  return buffer;
}

std::string year_of(int year) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "%04d", year);
  return buffer;
}

std::string name_in(const std::string& language, CalendarName kind, int number) {
  return std::string(calendar_name(language, kind, number));
}

/// As digits where MediaWiki knows no Roman numeral.
std::string roman(std::int64_t number) {
  constexpr std::int64_t kMost = 10'000;
  if (number < 1 || number > kMost) return std::to_string(number);
  constexpr std::pair<int, std::string_view> kSteps[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"},
                                                         {90, "XC"},  {50, "L"},   {40, "XL"}, {10, "X"},   {9, "IX"},
                                                         {5, "V"},    {4, "IV"},   {1, "I"}};
  std::string out;
  for (const auto& [value, letters] : kSteps) {
    for (; number >= value; number -= value) out += letters;
  }
  return out;
}

/// What one letter of a format stands for. Long, since there is a case for each letter.
std::string formatted_letter(const Moment& m, char letter, const std::string& language) {
  int iso_year = 0;
  switch (letter) {
    case 'Y':
      return year_of(m.year);
    case 'y':
      return two_digits(m.year % 100);
    case 'L':
      return Moment{m.year, 2, 1}.days_in_month() == 29 ? "1" : "0";
    case 'n':
      return std::to_string(m.month);
    case 'm':
      return two_digits(m.month);
    case 'M':
      return name_in(language, CalendarName::kMonthShort, m.month - 1);
    case 'F':
      return name_in(language, CalendarName::kMonth, m.month - 1);
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
      return year_of(iso_year);
    case 'N':
      return std::to_string(m.weekday() == 0 ? 7 : m.weekday());
    case 'w':
      return std::to_string(m.weekday());
    case 'D':
      return name_in(language, CalendarName::kDayShort, m.weekday());
    case 'l':
      return name_in(language, CalendarName::kDay, m.weekday());
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

/// Numbers by Hebrew letters, up to 9999, with the mark that says so.
std::string hebrew_numeral(std::int64_t number) {
  constexpr std::array<std::string_view, 10> kOnes = {"", "א", "ב", "ג", "ד", "ה", "ו", "ז", "ח", "ט"};
  constexpr std::array<std::string_view, 10> kTens = {"", "י", "כ", "ל", "מ", "נ", "ס", "ע", "פ", "צ"};
  constexpr std::array<std::string_view, 10> kHundreds = {"", "ק", "ר", "ש", "ת", "תק", "תר", "תש", "תת", "תתק"};
  if (number < 1 || number > 9999) return std::to_string(number);
  constexpr int kThousand = 1000, kHundred = 100, kTen = 10;
  const std::int64_t thousands = number / kThousand, hundreds = number / kHundred % kTen, rest = number % kHundred;
  std::string out;
  if (thousands > 0) out.append(kOnes[static_cast<std::size_t>(thousands)]).append("'");
  std::string letters(kHundreds[static_cast<std::size_t>(hundreds)]);
  if (rest == 15 || rest == 16) {  // which would spell a holy name
    letters.append(kOnes[9]).append(kOnes[static_cast<std::size_t>(rest - 9)]);
  } else {
    letters.append(kTens[static_cast<std::size_t>(rest / kTen)]).append(kOnes[static_cast<std::size_t>(rest % kTen)]);
  }
  constexpr std::size_t kLetterBytes = 2;
  if (letters.size() == kLetterBytes) return out + letters + "'";
  if (letters.size() > kLetterBytes) letters.insert(letters.size() - kLetterBytes, "\"");
  return out + letters;
}

/// A day in another calendar.
struct ForeignDay {
  int year = 0, month = 0, day = 0, days_in_month = 0,
      day_of_year = 0;  ///< the month from 1, the day of the year from 0
};

ForeignDay compute_foreign_day(const Moment& moment, const char* calendar) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::Calendar> reader(icu::Calendar::createInstance(
      *icu::TimeZone::getGMT(), icu::Locale((std::string("en@calendar=") + calendar).c_str()), status));
  if (U_FAILURE(status) || reader == nullptr) return {};
  constexpr double kMilliseconds = 1000;
  reader->setTime(static_cast<double>(moment.seconds()) * kMilliseconds, status);
  ForeignDay day{reader->get(UCAL_YEAR, status), reader->get(UCAL_MONTH, status) + 1, reader->get(UCAL_DATE, status),
                 reader->getActualMaximum(UCAL_DATE, status), reader->get(UCAL_DAY_OF_YEAR, status) - 1};
  if (std::string_view(calendar) != "hebrew") return day;
  // Wikis number both months of Adar behind all others.
  constexpr int kAdarOne = 6, kAdarTwo = 7, kBehind = 13, kLeapCycle = 19;
  const bool leap = (7 * day.year + 1) % kLeapCycle < 7;
  if (day.month == kAdarOne) {
    day.month = kBehind;
  } else if (day.month == kAdarTwo) {
    day.month = leap ? kBehind + 1 : kAdarOne;
  } else if (day.month > kAdarTwo) {
    --day.month;
  }
  return day;
}

/// Caches the last day of a calendar, since one format asks for it several times.
const ForeignDay& foreign_day(const Moment& moment, const char* calendar) {
  thread_local std::map<std::string_view, std::pair<std::int64_t, ForeignDay>> known;
  auto& [seconds, day] = known[calendar];
  if (day.day == 0 || seconds != moment.seconds()) {
    day = compute_foreign_day(moment, calendar);
    seconds = moment.seconds();
  }
  return day;
}

// As wikis in English call them; other languages have no names here and show these, too.
constexpr std::array<std::string_view, 12> kPersianMonths = {"Farvardin", "Ordibehesht", "Khordad", "Tir",
                                                             "Mordad",    "Shahrivar",   "Mehr",    "Aban",
                                                             "Azar",      "Dey",         "Bahman",  "Esfand"};
constexpr std::array<std::string_view, 12> kIslamicMonths = {
    "Muharram", "Safar",    "Rabi' al-awwal", "Rabi' al-thani", "Jumada al-awwal", "Jumada al-thani",
    "Rajab",    "Sha'aban", "Ramadan",        "Shawwal",        "Dhu al-Qi'dah",   "Dhu al-Hijjah"};
constexpr std::array<std::string_view, 14> kHebrewMonths = {"Tishrei", "Cheshvan", "Kislev", "Tevet",  "Shevat",
                                                            "Adar",    "Nisan",    "Iyar",   "Sivan",  "Tamuz",
                                                            "Av",      "Elul",     "Adar I", "Adar II"};

template <std::size_t N>
std::string foreign_letter(const ForeignDay& day, char letter, const std::array<std::string_view, N>& months) {
  switch (letter) {
    case 'j':
      return std::to_string(day.day);
    case 'n':
      return std::to_string(day.month);
    case 'Y':
      return std::to_string(day.year);
    case 'y':
      return two_digits(day.year % 100);
    case 'z':
      return std::to_string(day.day_of_year);
    case 't':
      return std::to_string(day.days_in_month);
    case 'F':
    case 'x':
      return std::string(months[static_cast<std::size_t>(day.month - 1) % N]);
    default:
      return {};
  }
}

/// The year of the Japanese era, the first one with a sign of its own.
std::string japanese_year(const Moment& moment) {
  struct Era {
    std::string_view name;
    int year, month, day;
  };
  constexpr Era kEras[] = {
      {"令和", 2019, 5, 1}, {"平成", 1989, 1, 8}, {"昭和", 1926, 12, 25}, {"大正", 1912, 7, 31}, {"明治", 1868, 1, 1}};
  for (const Era& era : kEras) {
    const bool later =
        moment.year > era.year ||
        (moment.year == era.year && (moment.month > era.month || (moment.month == era.month && moment.day >= era.day)));
    if (!later) continue;
    const int year = moment.year - era.year + 1;
    return std::string(era.name) + (year == 1 ? "元" : std::to_string(year));
  }
  return std::to_string(moment.year);
}

/// A letter of {{#time:}} in another calendar, as in "xiY"; nothing for letters that it does not have.
std::optional<std::string> calendar_letter(const Moment& moment, char calendar, char letter) {
  const auto has = [&](std::string_view letters) { return letters.find(letter) != std::string_view::npos; };
  constexpr int kThai = 543, kMinguo = 1911;
  if (calendar == 'i' && has("jFnYyzt")) return foreign_letter(foreign_day(moment, "persian"), letter, kPersianMonths);
  if (calendar == 'm' && has("jFnY"))
    return foreign_letter(foreign_day(moment, "islamic-civil"), letter, kIslamicMonths);
  if (calendar == 'j' && has("jFxntY")) return foreign_letter(foreign_day(moment, "hebrew"), letter, kHebrewMonths);
  if (calendar == 'k' && letter == 'Y') return std::to_string(moment.year + kThai);
  if (calendar == 'o' && letter == 'Y') return std::to_string(moment.year - kMinguo);
  if (calendar == 't' && letter == 'Y') return japanese_year(moment);
  return std::nullopt;
}

bool is_all_digits(std::string_view text) noexcept {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Writes a moment letter by letter. Numbers are in the language's digits unless "xn" (once) or "xN" (always) asks for
/// plain ones, "xr" makes the next one Roman.
class MomentWriter {
 public:
  MomentWriter(const Moment& moment, std::string_view format, const std::string& language)
      : moment_(moment), format_(format), language_(language), style_(number_style(language)) {}

  std::string write() {
    for (std::size_t i = 0; i < format_.size();) i += write_part(i);
    return std::move(out_);
  }

 private:
  /// Gives the bytes of the format that were used.
  std::size_t write_part(std::size_t i) {
    const char c = format_[i];
    const bool more = i + 1 < format_.size();
    if (c == '\\' && more) {
      out_.push_back(format_[i + 1]);
      return 2;
    }
    if (c == '"') {
      const std::size_t end = format_.find('"', i + 1);
      if (end == std::string_view::npos) {
        out_.push_back('"');
        return 1;
      }
      out_.append(format_.substr(i + 1, end - i - 1));
      return end - i + 1;
    }
    if (c != 'x' || !more) {
      add(formatted_letter(moment_, c, language_));
      return 1;
    }
    if (i + 2 < format_.size()) {
      if (const auto text = calendar_letter(moment_, format_[i + 1], format_[i + 2])) {
        add(*text);
        return 3;
      }
    }
    write_code(format_[i + 1]);
    return 2;
  }

  void write_code(char code) {
    if (code == 'n') {
      plain_ = true;
    } else if (code == 'N') {
      always_plain_ = !always_plain_;
    } else if (code == 'r') {
      roman_ = true;
    } else if (code == 'h') {
      hebrew_ = true;
    } else if (code == 'g') {
      out_ += name_in(language_, CalendarName::kMonthGenitive, moment_.month - 1);
    } else {
      out_.push_back(code);
    }
  }

  void add(const std::string& piece) {
    if (!is_all_digits(piece)) {
      out_ += piece;
      return;
    }
    const std::int64_t number = std::strtoll(piece.c_str(), nullptr, 10);
    if (roman_) {
      out_ += roman(number);
    } else if (hebrew_) {
      out_ += hebrew_numeral(number);
    } else {
      out_ += plain_ || always_plain_ ? piece : write_digits(piece, style_);
    }
    roman_ = hebrew_ = plain_ = false;
  }

  const Moment& moment_;
  std::string_view format_;
  const std::string& language_;
  const NumberStyle& style_;
  std::string out_;
  bool plain_ = false, always_plain_ = false, roman_ = false, hebrew_ = false;
};

}  // namespace

std::string format_moment(const Moment& moment, std::string_view format, const std::string& language) {
  return MomentWriter(moment, format, language).write();
}

std::string reorder_date(std::string_view text, std::string_view order) {
  const std::vector<std::string> words = split_words(text);
  const auto is_digits = [&](std::size_t i) {
    return i < words.size() && std::isdigit(static_cast<unsigned char>(words[i][0]));
  };
  int day = 0, month = 0;
  std::string year;
  if (words.size() == 5 && words[1] == "-" && words[3] == "-" && words[0].size() == 4 && is_digits(0) && is_digits(2) &&
      is_digits(4)) {
    year = words[0];
    month = std::atoi(words[2].c_str());
    day = std::atoi(words[4].c_str());
    if (order.empty()) return {};
  } else if (words.size() >= 2 && words.size() <= 3) {
    const std::size_t at_month = is_digits(0) ? 1 : 0;
    month = english_month(words[at_month]);
    day = is_digits(1 - at_month) ? std::atoi(words[1 - at_month].c_str()) : 0;
    if (words.size() == 3 && !is_digits(2)) return {};
    if (words.size() == 3) year = words[2];
  }
  if (month < 1 || month > 12 || day < 1 || day > 31) return {};
  const std::string name(name_in("en", CalendarName::kMonth, month - 1));
  const std::string digits = std::to_string(day);
  const std::string in_front = year.empty() ? "" : year + " ", behind = year.empty() ? "" : " " + year;
  if (order == "dmy") return digits + " " + name + behind;
  if (order == "mdy") return name + " " + digits + (year.empty() ? "" : ", " + year);
  if (order == "ymd") return in_front + name + " " + digits;
  if (order == "iso 8601" && !year.empty())
    return year + (month < 10 ? "-0" : "-") + std::to_string(month) + (day < 10 ? "-0" : "-") + digits;
  return {};
}

}  // namespace touchstone::extractors::site
