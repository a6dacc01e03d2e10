#include "extractors/wikitext/preprocessor/holes.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/preprocessor/markers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <unicode/uchar.h>

namespace touchstone::extractors::wikitext::preprocessor {
namespace {

/// What is next to a call on one side, markup apart.
struct Side {
  UChar32 letter = 0;  ///< the nearest character; 0: the line begins or ends here
  bool blank = false;  ///< there are blanks in between
  bool bold = false;   ///< bold text ends or begins in between
};

/// A mark of any kind: of an extension tag or of an unknown value.
bool is_any_mark(std::string_view text) noexcept {
  return text.size() >= kMarkerSize && text.front() == kMarkerByte;
}

/// Bytes of apostrophe runs, tags, brackets of links and markers of extension tags that begin `text`; 0 for none.
std::size_t leading_markup(std::string_view text) noexcept {
  if (is_any_mark(text)) return kMarkerSize;
  if (text.starts_with("''")) return std::min(text.find_first_not_of('\''), text.size());
  if (text.starts_with("[[")) return 2;
  if (text.starts_with('<')) {
    const std::size_t end = text.find('>');
    return end == std::string_view::npos ? 0 : end + 1;
  }
  return 0;
}

std::size_t trailing_markup(std::string_view text) noexcept {
  if (text.size() >= kMarkerSize && is_any_mark(text.substr(text.size() - kMarkerSize))) return kMarkerSize;
  if (text.ends_with("''")) return text.size() - (text.find_last_not_of('\'') + 1);
  if (text.ends_with("]]")) return 2;
  if (text.ends_with('>')) {
    const std::size_t begin = text.rfind('<');
    return begin == std::string_view::npos ? 0 : text.size() - begin;
  }
  return 0;
}

/// \param ahead  looks from the begin of the text on, else from its end back
Side look_at(std::string_view text, bool ahead) {
  Side side;
  while (!text.empty()) {
    std::size_t size = ahead ? leading_markup(text) : trailing_markup(text);
    side.bold = side.bold || (ahead ? text.starts_with("'''") : text.ends_with("'''"));
    if (size == 0) {
      std::size_t begin = ahead ? 0 : text.size() - 1;
      while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) --begin;
      std::size_t end = begin;
      const auto c = static_cast<UChar32>(next_code_point(text, end));
      if (!u_isUWhiteSpace(c)) {
        side.letter = c;
        return side;
      }
      side.blank = true;
      size = ahead ? end : text.size() - begin;
    }
    text = ahead ? text.substr(size) : text.substr(0, text.size() - size);
  }
  return side;
}

bool is_one_of(UChar32 c, std::u32string_view set) noexcept {
  return set.find(static_cast<char32_t>(c)) != std::u32string_view::npos;
}
bool ends_sentence(UChar32 c) noexcept {
  return is_one_of(c, U".!?:。！？：।؟");
}
bool opens(UChar32 c) noexcept {
  return is_one_of(c, U"([{（「『【《〈«“");
}
bool separates(UChar32 c) noexcept {
  return is_one_of(c, U",;、，；،؛·•–—-/|=");
}
bool closes_phrase(UChar32 c) noexcept {
  return is_one_of(c, U".,;)!?。、，；）");
}
/// Words of Japanese and Chinese that follow a name or noun at once.
bool follows_name(UChar32 c) noexcept {
  return is_one_of(c, U"はがをにので的");
}
bool has_case(UChar32 c) noexcept {
  return u_isULowercase(c) || u_isUUppercase(c);
}

/// Whether a sentence of running text lacks words where a call shows nothing: `{{x}} is a shrine`, `in {{x}}, where`,
/// `about {{x}}.`. False where the text reads well without them: for a call that is alone on its line or between two
/// sentences, that is attached to a word as notes and icons are, that is set off by brackets, or that follows a bold
/// name. A guess by what is written on both sides, which knows no language.
///
/// \param before, after  wikitext on both sides of the call, on the same line; more than a few words are not needed
bool loses_words(std::string_view before, std::string_view after) {
  const std::size_t markers = std::min(before.find_first_not_of("*#:; "), before.size());
  const bool item = before.substr(0, markers).find_first_of("*#:;") != std::string_view::npos;
  const Side left = look_at(before.substr(markers), false), right = look_at(after, true);
  const bool start = left.letter == 0;
  if (start && right.letter == 0) return false;
  if (start) return u_isULowercase(right.letter) || closes_phrase(right.letter) || is_one_of(right.letter, U"–—");
  if (is_one_of(left.letter, U"。、，") && follows_name(right.letter) && !right.blank) return true;
  if (left.letter == U'。' && is_one_of(right.letter, U"、，")) return true;
  if (ends_sentence(left.letter)) return left.blank && u_isULowercase(right.letter);
  if (opens(left.letter)) return false;
  if (separates(left.letter)) return left.blank && right.blank && u_isalnum(right.letter);
  if (right.letter == 0) return !item && left.blank && !left.bold && u_isalnum(left.letter);
  if (!left.blank) {
    // Scripts without blanks and case: the call is between two words.
    return u_isalpha(left.letter) && !has_case(left.letter) && u_isalpha(right.letter) && !has_case(right.letter) &&
           !right.blank && !left.bold;
  }
  if (left.bold) return false;
  return closes_phrase(right.letter) || (right.blank && u_isalnum(right.letter));
}

constexpr std::size_t kNoPlace = std::string_view::npos;
constexpr std::size_t kMaxLookBack = 1024;  // within a line, for an open link or tag
constexpr std::size_t kMaxBlanks = 64;      // bytes of one gap

constexpr std::string_view kBlanks[] = {" ", "\t", "\u00A0", "\u3000", "&nbsp;", "&#160;"};
constexpr std::string_view kOpeningBrackets[] = {"(", "（"};
constexpr std::string_view kClosingBrackets[] = {")", "）"};
constexpr std::string_view kSeparators[] = {",", ";", "、", "，", "；", "،", "؛"};
constexpr std::string_view kSentenceEnds[] = {".", "。", "．"};

/// Size of the one of `marks` that begins `text`; 0 for none.
template <std::size_t Count>
std::size_t leads(std::string_view text, const std::string_view (&marks)[Count]) noexcept {
  for (const auto mark : marks) {
    if (text.starts_with(mark)) return mark.size();
  }
  return 0;
}

/// Size of the one of `marks` that ends `text`; 0 for none.
template <std::size_t Count>
std::size_t trails(std::string_view text, const std::string_view (&marks)[Count]) noexcept {
  for (const auto mark : marks) {
    if (text.ends_with(mark)) return mark.size();
  }
  return 0;
}

std::size_t leading_blanks(std::string_view text) noexcept {
  std::size_t size = 0;
  for (std::size_t blank = 1; blank > 0 && size < kMaxBlanks; size += blank) blank = leads(text.substr(size), kBlanks);
  return size;
}

/// Size of the separator that begins `text`; 0 for none, and for marks inside of numbers.
std::size_t leading_separator(std::string_view text) noexcept {
  const std::size_t size = leads(text, kSeparators);
  return size == 1 && text.size() > 1 && text[1] >= '0' && text[1] <= '9' ? 0 : size;
}

/// The same for the end of a sentence.
std::size_t leading_stop(std::string_view text) noexcept {
  const std::size_t size = leads(text, kSentenceEnds);
  return size == 1 && text.size() > 1 && std::string_view(" \n\t<'\"\x7F").find(text[1]) == kNoPlace ? 0 : size;
}

/// Follows a text through ascending places: where the line of a place begins, and what is open there. Goes from line to
/// line, and looks into a line only at the places that are asked about.
class Surroundings {
 public:
  explicit Surroundings(std::string_view text) noexcept : text_(text) { enter(0); }

  void go_to(std::size_t place) noexcept {
    place_ = place;
    for (std::size_t end = line_end_; end < place; end = line_end_) enter(end + 1);
  }
  bool in_table_or_heading() const noexcept {
    return tables_ > 0 || (begin_ < text_.size() && std::string_view("=|!").find(text_[begin_]) != kNoPlace);
  }
  /// What the line has on both sides of the place, as far as it matters.
  std::string_view behind() const noexcept {
    const std::size_t from = std::max(begin_, place_ - std::min(place_, kMaxLookBack));
    return text_.substr(from, place_ - from);
  }
  std::string_view ahead() const noexcept { return text_.substr(place_, std::min(line_end_ - place_, kMaxLookBack)); }
  /// In a link, a tag or an address of the line.
  bool in_markup() const noexcept {
    const std::string_view behind = this->behind();
    return is_open(behind, '[', ']') || is_open(behind, '<', '>') || in_address(behind);
  }

 private:
  static std::size_t last_of(std::string_view text, char byte) noexcept {
    const void* const found = text.empty() ? nullptr : ::memrchr(text.data(), byte, text.size());
    return found == nullptr ? kNoPlace : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
  }
  static bool is_open(std::string_view behind, char open, char close) noexcept {
    const std::size_t opened = last_of(behind, open);
    return opened != kNoPlace && behind.find(close, opened) == kNoPlace;
  }
  static bool in_address(std::string_view behind) noexcept {
    std::size_t colon = last_of(behind, ':');
    while (colon != kNoPlace && !behind.substr(colon).starts_with("://")) colon = last_of(behind.substr(0, colon), ':');
    return colon != kNoPlace && behind.find_first_of(" \t", colon) == kNoPlace;
  }

  void enter(std::size_t begin) noexcept {
    begin_ = begin;
    line_end_ = std::min(text_.find('\n', begin), text_.size());
    const std::string_view line = text_.substr(begin_, 200);
    const std::size_t first = std::min(line.find_first_not_of(" \t:"), line.size());
    if (line.substr(first, 2) == "{|") ++tables_;
    if (line.substr(first, 2) == "|}" && tables_ > 0) --tables_;
  }

  std::string_view text_;
  std::size_t place_ = 0, begin_ = 0, line_end_ = 0, tables_ = 0;
};

/// Copies a text, and leaves out what is taken away around its holes.
class Mender {
 public:
  explicit Mender(std::string_view source) : source_(source) { out_.reserve(source.size()); }

  void copy_to(std::size_t place) {
    if (place <= read_) return;
    pieces_.push_back({read_, out_.size()});
    out_.append(source_.substr(read_, place - read_));
    read_ = place;
  }

  /// \pre copy_to reached the hole
  void mend() {
    while (step()) {
    }
  }

  std::string take() { return std::move(out_); }

  /// Where a byte of the source went, or would have gone. \pre the whole source was copied
  std::size_t moved(std::size_t at) const noexcept {
    const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), at,
                                        [](std::size_t place, const Piece& piece) { return place < piece.source; });
    if (after == pieces_.begin()) return 0;
    const Piece& piece = *std::prev(after);
    const std::size_t end = after == pieces_.end() ? out_size_ : after->out;
    return std::min(piece.out + (at - piece.source), end);
  }
  void finish() {
    copy_to(source_.size());
    out_size_ = out_.size();
  }

 private:
  struct Piece {
    std::size_t source, out;  // where it begins
  };

  std::string_view ahead() const noexcept { return source_.substr(read_); }

  void drop_behind(std::size_t bytes) {
    out_.resize(out_.size() - bytes);
    for (auto piece = pieces_.rbegin(); piece != pieces_.rend() && piece->out > out_.size(); ++piece)
      piece->out = out_.size();
  }

  std::size_t blanks_behind() const noexcept {
    const std::string_view text = out_;
    std::size_t size = 0;
    for (std::size_t blank = 1; blank > 0 && size < kMaxBlanks; size += blank)
      blank = trails(text.substr(0, text.size() - size), kBlanks);
    return size;
  }

  /// True if a line that starts here would begin with markup, or be empty.
  bool may_not_start_line(std::size_t place) const noexcept {
    return place >= source_.size() || std::string_view("\n*#:;=|!{- \t").find(source_[place]) != kNoPlace;
  }

  /// Brackets around the hole, which hold nothing. \param before, after  bytes from the hole over the bracket
  bool take_brackets(std::size_t before, std::size_t after) {
    const std::size_t left = out_.size() - before;
    if (left == 0 || out_[left - 1] == '\n') {
      const std::size_t next = read_ + after + leading_blanks(source_.substr(read_ + after));
      if (may_not_start_line(next)) return false;
      drop_behind(before);
      read_ = next;
      return false;
    }
    drop_behind(before);
    read_ += after;
    return true;
  }

  /// Looks at the marks on both sides. Returns true if the hole has new neighbours.
  bool step() {
    const std::size_t blanks = blanks_behind(), gap = leading_blanks(ahead());
    const std::string_view behind = std::string_view(out_).substr(0, out_.size() - blanks);
    const std::string_view next = ahead().substr(gap);
    const bool line_start = behind.empty() || behind.back() == '\n';
    const std::size_t open = trails(behind, kOpeningBrackets), close = leads(next, kClosingBrackets);
    const std::size_t left = trails(behind, kSeparators), right = leading_separator(next);
    if (line_start) return false;
    if (open > 0 && close > 0) return take_brackets(blanks + open, gap + close);
    if (open > 0) {
      drop_behind(blanks);
      read_ += gap + right;
      return right > 0;
    }
    if (close > 0) {
      drop_behind(blanks + left);
      read_ += gap;
      return left > 0;
    }
    if (left > 0 && right > 0) {
      drop_behind(blanks);
      read_ += gap + right;
      return true;
    }
    if (trails(behind, kSentenceEnds) > 0 && leading_stop(next) > 0) {
      drop_behind(blanks);
      read_ += gap + leading_stop(next);
      return true;
    }
    if (left > 0 && leading_stop(next) > 0) {
      drop_behind(blanks + left);
      read_ += gap;
      return true;
    }
    if (blanks > 0 && gap == 0 && (right > 0 || leading_stop(next) > 0)) drop_behind(blanks);
    if (blanks > 0 && gap > 0) read_ += gap;
    return false;
  }

  std::string_view source_;
  std::string out_;
  std::size_t out_size_ = 0;
  std::size_t read_ = 0;
  std::vector<Piece> pieces_;
};

}  // namespace

void mend_holes(ExpandedText& expanded) {
  if (expanded.holes.empty()) return;
  std::vector<Hole>& holes = expanded.holes;
  std::ranges::sort(holes, {}, &Hole::at);
  const std::string_view text = expanded.text;
  Surroundings surroundings(text);
  Mender mender(text);
  for (const Hole& hole : holes) {
    if (hole.at > text.size()) break;
    surroundings.go_to(hole.at);
    if (surroundings.in_table_or_heading() || surroundings.in_markup()) continue;
    if (hole.loses_text && loses_words(surroundings.behind(), surroundings.ahead())) expanded.gaps.push_back(hole.at);
    mender.copy_to(hole.at);
    mender.mend();
  }
  mender.finish();
  for (std::size_t& gap : expanded.gaps) gap = mender.moved(gap);
  for (MadeRange& range : expanded.made) range = {mender.moved(range.begin), mender.moved(range.end)};
  std::erase_if(expanded.made, [](const MadeRange& range) { return range.begin >= range.end; });
  expanded.text = mender.take();
  holes.clear();
}

}  // namespace touchstone::extractors::wikitext::preprocessor
