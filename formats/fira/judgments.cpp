#include "formats/fira/judgments.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

namespace touchstone::formats::fira {
namespace {

using fields::parse_integer;
using fields::quote_for_message;

constexpr std::size_t kMaxLineBytes = std::size_t{1} << 24, kMaxColumns = 1000;
constexpr std::uint32_t kMaxCharacter = std::uint32_t{1} << 30;
constexpr std::string_view kNoRanges = "<no ranges selected>";
constexpr std::size_t kAbsent = std::numeric_limits<std::size_t>::max();

// The columns that a kind of file needs come first.
enum Column : std::size_t { kTopic, kDocid, kRanges, kLevel, kUser, kRotate, kId, kDuration, kJudgedAt, kColumns };
constexpr std::array<std::string_view, kColumns> kNames = {
    "queryId", "documentId", "relevanceCharacterRanges", "relevanceLevel", "userId",
    "rotate",  "id",         "durationUsedToJudgeMs",    "judgedAtUnixTS"};
constexpr std::array<std::string_view, 4> kLevels = {"0_NOT_RELEVANT", "1_TOPIC_RELEVANT_DOES_NOT_ANSWER",
                                                     "2_GOOD_ANSWER", "3_PERFECT_ANSWER"};

std::size_t needed_columns(LinesOf lines) {
  return lines == LinesOf::kPeople ? kRotate : lines == LinesOf::kJudges ? kUser : kLevel;
}

/// Reads the lines of one file.
class JudgmentReader {
 public:
  JudgmentReader(const std::filesystem::path& file, LinesOf lines) : file_(file), needed_(needed_columns(lines)) {}

  std::vector<Judgment> read() {
    for_each_line(
        file_,
        [&](std::string_view line, std::uint64_t number) {
          line_ = number;
          fields::refuse_byte_order_mark(file_, line, number);
          if (!line.empty()) read_line(fields::split_at_tabs(line, kMaxColumns));
          return true;
        },
        kMaxLineBytes);
    if (judgments_.empty()) {
      throw FormatError(fmt::format("{} has no line below a header; give the TSV file that the annotation tool exports",
                                    file_.string()));
    }
    return std::move(judgments_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw FormatError(fmt::format("{}:{}: {}", file_.string(), line_, what));
  }

  void read_line(const std::vector<std::string_view>& columns) {
    if (width_ == 0) {
      read_header(columns);
    } else {
      read_judgment(columns);
    }
  }

  void read_header(const std::vector<std::string_view>& columns) {
    width_ = columns.size();
    for (std::size_t i = 0; i < kColumns; ++i) {
      const auto at = std::find(columns.begin(), columns.end(), kNames[i]);
      column_[i] = at == columns.end() ? kAbsent : static_cast<std::size_t>(at - columns.begin());
      if (i < needed_ && column_[i] == kAbsent) {
        refuse(fmt::format("the header has no column {}; it must name {}, parted by tabs", kNames[i],
                           fmt::join(kNames.begin(), kNames.begin() + static_cast<std::ptrdiff_t>(needed_), ", ")));
      }
    }
  }

  void read_judgment(const std::vector<std::string_view>& columns) {
    if (columns.size() != width_)
      refuse(fmt::format("there are {} columns and the header has {}; part columns by single tabs", columns.size(),
                         width_));
    auto& judgment = judgments_.emplace_back();
    judgment.line = line_;
    judgment.topic = columns[column_[kTopic]];
    judgment.docid = columns[column_[kDocid]];
    if (judgment.topic.empty() || judgment.docid.empty()) refuse("queryId or documentId is empty; name both");
    if (column_[kLevel] != kAbsent) judgment.grade = level(columns[column_[kLevel]]);
    if (column_[kRotate] != kAbsent) judgment.rotated = is_rotated(columns[column_[kRotate]]);
    if (column_[kId] != kAbsent) judgment.id = columns[column_[kId]];
    if (column_[kUser] != kAbsent) judgment.user = columns[column_[kUser]];
    if (judgment.user.empty() && needed_ > kUser) refuse("userId is empty; name the judge");
    judgment.duration_ms = number(columns, kDuration);
    judgment.judged_at_s = number(columns, kJudgedAt);
    read_ranges(columns[column_[kRanges]], judgment.ranges);
  }

  /// A number that may be absent. Some exports have a fraction, which is cut off.
  std::uint64_t number(const std::vector<std::string_view>& columns, Column column) const {
    if (column_[column] == kAbsent || columns[column_[column]].empty()) return 0;
    const auto text = columns[column_[column]];
    double value = 0;
    if (!fields::parse_real(text, value) || !(value >= 0 && value < 1e15))
      refuse(fmt::format("{} is {}, which is no number; correct it", kNames[column], quote_for_message(text)));
    return static_cast<std::uint64_t>(value);
  }

  int level(std::string_view text) const {
    int grade = 0;
    if (!parse_integer(text.substr(0, text.find('_')), -127, 127, grade)) {
      refuse(fmt::format("relevanceLevel {} does not begin with a grade such as 2 or 2_GOOD_ANSWER",
                         quote_for_message(text)));
    }
    return grade;
  }

  bool is_rotated(std::string_view text) const {
    if (text == "true") return true;
    if (text != "false") refuse(fmt::format("rotate is {}; write true or false", quote_for_message(text)));
    return false;
  }

  void read_ranges(std::string_view text, std::vector<CharacterRange>& ranges) const {
    if (text.empty() || text == kNoRanges) return;
    for (bool more = true; more;) {
      const auto end = text.find(';');
      const auto written = text.substr(0, end);
      more = end != std::string_view::npos;
      if (more) text.remove_prefix(end + 1);
      const auto dash = written.find('-');
      CharacterRange range;
      if (dash == std::string_view::npos ||
          !parse_integer(written.substr(0, dash), std::uint32_t{0}, kMaxCharacter, range.first) ||
          !parse_integer(written.substr(dash + 1), range.first, kMaxCharacter, range.last)) {
        refuse(fmt::format("the range {} is not FIRST-LAST; write ranges of characters from 0 such as 0-4;6-9",
                           quote_for_message(written)));
      }
      if (!ranges.empty() && range.first <= ranges.back().last) {
        refuse(
            fmt::format("the range {} begins before the end of the range before it; sort ranges and join those "
                        "that overlap",
                        quote_for_message(written)));
      }
      if (ranges.size() == kMaxRanges) refuse(fmt::format("there are more than {} ranges; join them", kMaxRanges));
      ranges.push_back(range);
    }
  }

  std::filesystem::path file_;
  std::size_t needed_;  ///< columns that the header must name, the first of kNames
  std::size_t width_ = 0;
  std::uint64_t line_ = 0;
  std::array<std::size_t, kColumns> column_{};
  std::vector<Judgment> judgments_;
};

}  // namespace

std::vector<Judgment> read_judgments(const std::filesystem::path& file, LinesOf lines) {
  return JudgmentReader(file, lines).read();
}

std::string judgments_header(bool with_rotate) {
  return fmt::format(
      "id\trelevanceLevel\trelevanceCharacterRanges\t{}durationUsedToJudgeMs\tjudgedAtUnixTS\tdocumentId"
      "\tqueryId\tuserId\n",
      with_rotate ? "rotate\t" : "");
}

std::string judgment_line(const Judgment& judgment, bool with_rotate) {
  std::string ranges;
  for (const auto& [first, last] : judgment.ranges)
    ranges += fmt::format("{}{}-{}", ranges.empty() ? "" : ";", first, last);
  const std::string_view rotate = !with_rotate ? "" : judgment.rotated.value_or(false) ? "true\t" : "false\t";
  return fmt::format("{}\t{}\t{}\t{}{}\t{}\t{}\t{}\t{}\n", fields::one_line(judgment.id), level_name(judgment.grade),
                     ranges.empty() ? kNoRanges : std::string_view(ranges), rotate, judgment.duration_ms,
                     judgment.judged_at_s, fields::one_line(judgment.docid), fields::one_line(judgment.topic),
                     fields::one_line(judgment.user));
}

std::string_view level_name(int grade) {
  return kLevels[static_cast<std::size_t>(grade)];
}

std::unordered_map<std::string, std::string> read_texts(const std::filesystem::path& file,
                                                        const std::vector<std::string>& wanted) {
  const std::unordered_set<std::string> docids(wanted.begin(), wanted.end());
  std::unordered_map<std::string, std::string> texts;
  for_each_line(
      file,
      [&](std::string_view line, std::uint64_t number) {
        fields::refuse_byte_order_mark(file, line, number);
        if (line.empty()) return true;
        const auto tab = line.find('\t');
        if (tab == std::string_view::npos) {
          throw FormatError(
              fmt::format("{}:{}: there is no tab between a docid and its text; write DOCID, a tab and "
                          "the text in each line",
                          file.string(), number));
        }
        const std::string docid(line.substr(0, tab));
        if (docids.contains(docid)) texts.emplace(docid, line.substr(tab + 1));
        return true;
      },
      kMaxLineBytes);
  return texts;
}

}  // namespace touchstone::formats::fira
