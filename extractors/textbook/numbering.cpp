#include "extractors/textbook/numbering.hpp"

#include "common/unicode.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <unicode/uchar.h>

namespace touchstone::extractors::textbook {
namespace {

constexpr std::size_t kMostDigits = 3, kMostWordBytes = 24;
constexpr double kShareOfHeadings = 0.5, kShareOfTitles = 0.2, kShareInOrder = 0.8;
constexpr std::size_t kFewestTitles = 3, kManyTitles = 20;
constexpr int kLetters = 1000;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The value of a roman number of capital letters, below 90; nothing for other texts.
std::optional<int> roman(std::string_view text) {
  constexpr std::pair<int, std::string_view> kParts[] = {{50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"},
                                                         {5, "V"},  {4, "IV"},  {1, "I"}};
  int value = 0;
  for (const auto& [worth, letters] : kParts) {
    for (int times = worth == 10 || worth == 1 ? 3 : 1; times > 0 && text.starts_with(letters); --times) {
      value += worth;
      text.remove_prefix(letters.size());
    }
  }
  return text.empty() && value > 0 ? std::optional(value) : std::nullopt;
}

/// One part of a number, as it stands between points: 12, F, IV.
std::optional<int> part_of(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (std::all_of(text.begin(), text.end(), is_digit)) {
    if (text.size() > kMostDigits) return std::nullopt;
    int value = 0;
    for (const char c : text) value = 10 * value + (c - '0');
    return value;
  }
  if (text.size() == 1 && text[0] >= 'A' && text[0] <= 'Z') return kLetters + (text[0] - 'A');
  return std::nullopt;
}

struct Written {
  std::vector<int> number;
  bool is_roman = false;
  bool ends_in_mark = false;  ///< with a point or the like behind it
  std::size_t end = 0;
};

/// The number that a text begins with, up to the blank behind it.
std::optional<Written> written_number(std::string_view text) {
  Written written;
  written.end = text.find(' ');
  if (written.end == std::string_view::npos) return std::nullopt;
  auto word = text.substr(0, written.end);
  if (word.ends_with('.') || word.ends_with(':') || word.ends_with(')')) {
    written.ends_in_mark = true;
    word.remove_suffix(1);
  }
  if (const auto value = roman(word)) {
    written.number.push_back(*value);
    written.is_roman = true;
    return written;
  }
  for (;;) {
    const auto point = word.find('.');
    const auto part = part_of(word.substr(0, point));
    if (!part) return std::nullopt;
    written.number.push_back(*part);
    if (point == std::string_view::npos) return written;
    word.remove_prefix(point + 1);
  }
}

/// Whether a heading begins here: with a letter, or a quotation mark or bracket in front of one.
bool begins_text(std::string_view text) {
  for (std::size_t at = 0, signs = 0; at < text.size() && signs < 3; ++signs) {
    const char32_t c = next_code_point(text, at);
    if (u_isalpha(static_cast<UChar32>(c)) != 0) return true;
    if (u_isalnum(static_cast<UChar32>(c)) != 0 || c == U' ') return false;
  }
  return false;
}

/// Whether the letters that number headings are the first ones: "A. Notes", "B. Tables" and not "J. Adams", "K. Brown".
/// One may be missing, since I is a roman number.
class Letters {
 public:
  void add(const std::vector<int>& number) {
    if (number.size() == 1 && number[0] >= kLetters) seen_.insert(number[0]);
  }
  bool are_first() const {
    return seen_.empty() ||
           (*seen_.begin() == kLetters && *seen_.rbegin() - kLetters <= static_cast<int>(seen_.size()));
  }

 private:
  std::set<int> seen_;
};

bool is_share(std::size_t count, std::size_t of, double least) {
  return static_cast<double>(count) >= least * static_cast<double>(of);
}

void remove_number(RichText& heading, std::size_t bytes) {
  const auto removed = static_cast<std::uint32_t>(count_code_points(std::string_view(heading.text).substr(0, bytes)));
  heading.text.erase(0, bytes);
  for (auto& link : heading.links) {
    link.begin -= std::min(link.begin, removed);
    link.end -= std::min(link.end, removed);
  }
}

}  // namespace

std::optional<Numbered> number_of(std::string_view heading) {
  Numbered numbered;
  std::size_t at = 0;
  auto written = written_number(heading);
  if (!written) {
    // "Chapter 9. Tips": a number behind one word needs a mark.
    const auto blank = heading.find(' ');
    if (blank > kMostWordBytes) return std::nullopt;  // npos too
    written = written_number(heading.substr(blank + 1));
    if (!written || !written->ends_in_mark) return std::nullopt;
    numbered.word = heading.substr(0, blank);
    at = blank + 1;
  } else if (written->number.size() == 1 && !written->ends_in_mark) {
    return std::nullopt;  // "7 wonders"
  }
  numbered.text = at + written->end + 1;
  if (!begins_text(heading.substr(numbered.text))) return std::nullopt;
  numbered.number = std::move(written->number);
  numbered.is_roman = written->is_roman;
  return numbered;
}

bool are_numbered(const std::vector<std::optional<Numbered>>& headings) {
  std::set<std::vector<int>> seen;
  const std::vector<int>* last = nullptr;
  std::size_t numbered = 0, ascending = 0;
  Letters letters;
  for (const auto& heading : headings) {
    if (!heading) continue;
    ++numbered;
    letters.add(heading->number);
    seen.insert(heading->number);
    if (last == nullptr || *last < heading->number) ++ascending;
    last = &heading->number;
  }
  return numbered >= 2 && letters.are_first() && is_share(numbered, headings.size(), kShareOfHeadings) &&
         is_share(seen.size(), numbered, kShareInOrder) && is_share(ascending, numbered, kShareInOrder);
}

TitleNumbers numbers_of(const std::vector<std::string>& titles) {
  std::set<std::pair<std::string, std::vector<int>>> numbers;
  std::set<std::string> rests;
  std::size_t numbered = 0;
  Letters letters;
  for (const auto& title : titles) {
    auto number = number_of(title);
    if (!number) continue;
    ++numbered;
    if (number->word.empty()) letters.add(number->number);
    rests.insert(title.substr(number->text));
    numbers.emplace(std::move(number->word), std::move(number->number));
  }
  const bool many = numbered >= kManyTitles || is_share(numbered, titles.size(), kShareOfTitles);
  if (numbered < kFewestTitles || !many || !letters.are_first() || !is_share(rests.size(), numbered, kShareInOrder))
    return TitleNumbers::kNone;
  return is_share(numbers.size(), numbered, kShareInOrder) ? TitleNumbers::kDistinct : TitleNumbers::kRestart;
}

bool is_below(const std::vector<int>& number, const std::vector<int>& above) {
  return number.size() > above.size() && std::equal(above.begin(), above.end(), number.begin());
}

void remove_numbers(Document& document, const std::optional<Numbered>& title) {
  std::vector<std::optional<Numbered>> headings;
  for (std::size_t i = 1; i < document.sections.size(); ++i)
    headings.push_back(number_of(document.sections[i].heading.text));
  const bool all = are_numbered(headings);
  for (std::size_t i = 0; i < headings.size(); ++i) {
    if (headings[i] && (all || (title && is_below(headings[i]->number, title->number))))
      remove_number(document.sections[i + 1].heading, headings[i]->text);
  }
}

}  // namespace touchstone::extractors::textbook
