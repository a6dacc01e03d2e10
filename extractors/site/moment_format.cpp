#include "common/unicode.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/site/moment.hpp"
#include "extractors/site/moment_words.hpp"
#include "extractors/site/number_style.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <tuple>

#include <fmt/format.h>
#include <unicode/calendar.h>
#include <unicode/locid.h>

namespace touchstone::extractors::site {
using namespace internal;
namespace {

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

/// A letter for a number, with zeros in front up to a width.
struct NumberLetter {
  char letter;
  int width;
  int (*number)(const Moment&);
};

constexpr NumberLetter kNumberLetters[] = {
    {'Y', 4, [](const Moment& m) { return m.year; }},
    {'y', 2, [](const Moment& m) { return m.year % 100; }},
    {'o', 4, [](const Moment& m) { return m.iso_week().year; }},
    {'L', 1,
     [](const Moment& m) {
       return Moment{m.year, 2, 1}.days_in_month() == 29 ? 1 : 0;
     }},
    {'n', 1, [](const Moment& m) { return m.month; }},
    {'m', 2, [](const Moment& m) { return m.month; }},
    {'W', 2, [](const Moment& m) { return m.iso_week().week; }},
    {'j', 1, [](const Moment& m) { return m.day; }},
    {'d', 2, [](const Moment& m) { return m.day; }},
    {'z', 1, [](const Moment& m) { return m.day_of_year(); }},
    {'t', 1, [](const Moment& m) { return m.days_in_month(); }},
    {'N', 1, [](const Moment& m) { return m.weekday() == 0 ? 7 : m.weekday(); }},
    {'w', 1, [](const Moment& m) { return m.weekday(); }},
    {'g', 1, [](const Moment& m) { return (m.hour + 11) % 12 + 1; }},
    {'h', 2, [](const Moment& m) { return (m.hour + 11) % 12 + 1; }},
    {'G', 1, [](const Moment& m) { return m.hour; }},
    {'H', 2, [](const Moment& m) { return m.hour; }},
    {'i', 2, [](const Moment& m) { return m.minute; }},
    {'s', 2, [](const Moment& m) { return m.second; }},
};

constexpr std::pair<char, CalendarName> kNameLetters[] = {{'M', CalendarName::kMonthShort},
                                                          {'F', CalendarName::kMonth},
                                                          {'D', CalendarName::kDayShort},
                                                          {'l', CalendarName::kDay}};

/// Letters that represent a text or another format.
constexpr std::pair<char, std::string_view> kTextLetters[] = {{'e', "UTC"}, {'T', "UTC"},   {'I', "0"},
                                                              {'Z', "0"},   {'O', "+0000"}, {'P', "+00:00"}};

/// What one letter of a format represents.
std::string formatted_letter(const Moment& m, char letter, const std::string& language) {
  for (const NumberLetter& known : kNumberLetters) {
    if (known.letter == letter) return fmt::format("{:0{}}", known.number(m), known.width);
  }
  for (const auto& [known, kind] : kNameLetters) {
    const bool day = kind == CalendarName::kDay || kind == CalendarName::kDayShort;
    if (known == letter) return std::string(calendar_name(language, kind, day ? m.weekday() : m.month - 1));
  }
  for (const auto& [known, text] : kTextLetters) {
    if (known == letter) return std::string(text);
  }
  if (letter == 'a') return m.hour < 12 ? "am" : "pm";
  if (letter == 'A') return m.hour < 12 ? "AM" : "PM";
  if (letter == 'U') return std::to_string(m.seconds());
  if (letter == 'c') return format_moment(m, "Y-m-d\\TH:i:sP", language);
  if (letter == 'r') return format_moment(m, "D, d M Y H:i:s O", "en");
  return std::string(1, letter);
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

/// A day in another calendar; the month from 1, the day of the year from 0.
struct ForeignDay {
  int year = 0, month = 0, day = 0, days_in_month = 0, day_of_year = 0;
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

/// What one letter represents in another calendar.
std::string foreign_letter(const ForeignDay& day, char letter, CalendarName months) {
  if (letter == 'j') return std::to_string(day.day);
  if (letter == 'n') return std::to_string(day.month);
  if (letter == 'Y') return std::to_string(day.year);
  if (letter == 'y') return fmt::format("{:02}", day.year % 100);
  if (letter == 'z') return std::to_string(day.day_of_year);
  if (letter == 't') return std::to_string(day.days_in_month);
  return std::string(calendar_name("en", months, day.month - 1));  // as wikis in English call them, in all languages
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
    if (std::tie(moment.year, moment.month, moment.day) < std::tie(era.year, era.month, era.day)) continue;
    const int year = moment.year - era.year + 1;
    return std::string(era.name) + (year == 1 ? "元" : std::to_string(year));
  }
  return std::to_string(moment.year);
}

/// A letter of {{#time:}} in another calendar, as in "xiY"; nothing for letters that it does not have.
std::optional<std::string> calendar_letter(const Moment& moment, char calendar, char letter) {
  const auto has = [&](std::string_view letters) { return letters.find(letter) != std::string_view::npos; };
  constexpr int kThai = 543, kMinguo = 1911;
  if (calendar == 'i' && has("jFnYyzt"))
    return foreign_letter(foreign_day(moment, "persian"), letter, CalendarName::kPersianMonth);
  if (calendar == 'm' && has("jFnY"))
    return foreign_letter(foreign_day(moment, "islamic-civil"), letter, CalendarName::kIslamicMonth);
  if (calendar == 'j' && has("jFxntY"))
    return foreign_letter(foreign_day(moment, "hebrew"), letter, CalendarName::kHebrewMonth);
  if (calendar == 'k' && letter == 'Y') return std::to_string(moment.year + kThai);
  if (calendar == 'o' && letter == 'Y') return std::to_string(moment.year - kMinguo);
  if (calendar == 't' && letter == 'Y') return japanese_year(moment);
  return std::nullopt;
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
      out_ += calendar_name(language_, CalendarName::kMonthGenitive, moment_.month - 1);
    } else {
      out_.push_back(code);
    }
  }

  void add(const std::string& piece) {
    if (!scan::all_digits(piece)) {
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
  const auto is_digits = [&](std::size_t i) { return i < words.size() && scan::is_digit(words[i][0]); };
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
  const std::string name(calendar_name("en", CalendarName::kMonth, month - 1));
  const std::string digits = std::to_string(day);
  const std::string in_front = year.empty() ? "" : year + " ", behind = year.empty() ? "" : " " + year;
  if (order == "dmy") return digits + " " + name + behind;
  if (order == "mdy") return name + " " + digits + (year.empty() ? "" : ", " + year);
  if (order == "ymd") return in_front + name + " " + digits;
  if (order == "iso 8601" && !year.empty()) return fmt::format("{}-{:02}-{:02}", year, month, day);
  return {};
}

}  // namespace touchstone::extractors::site
