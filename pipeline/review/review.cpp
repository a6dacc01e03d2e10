#include "pipeline/review/review.hpp"

#include "common/error.hpp"
#include "common/file_text.hpp"
#include "common/files.hpp"
#include "common/unicode.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include <fmt/format.h>

namespace touchstone::pipeline::review {
namespace {

using formats::fields::one_line;
using formats::fields::quote_for_message;

constexpr std::string_view kHeader = "decision\tkind\tpage\theading\twording\tflags\tpassages";
constexpr std::array<std::string_view, 7> kColumns = {"decision", "kind",  "page",    "heading",
                                                      "wording",  "flags", "passages"};
constexpr std::uint64_t kMaxRows = 10'000'000, kMaxPassages = 1'000'000'000;
constexpr std::size_t kMaxRowBytes = std::size_t{1} << 16, kMaxHeadings = 100;
constexpr std::string_view kTopic = "topic", kHeading = "heading";

/// A heading within a path: `/` is `%2F` and `%` is `%25`.
std::string escaped_heading(std::string_view heading) {
  std::string out;
  for (const char c : heading) {
    if (c == '/')
      out += "%2F";
    else if (c == '%')
      out += "%25";
    else
      out += c;
  }
  return out;
}

std::string heading_path(const std::vector<std::string>& headings) {
  std::string path;
  for (std::size_t i = 0; i < headings.size(); ++i) (path += i == 0 ? "" : "/") += escaped_heading(headings[i]);
  return path;
}

/// The heading, or nothing if a percent sign is not one of the two escapes.
std::optional<std::string> unescaped_heading(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto escape = text.substr(i, 3);
    if (text[i] != '%') {
      out += text[i];
    } else if (escape == "%2F" || escape == "%25") {
      out += escape == "%2F" ? '/' : '%';
      i += 2;
    } else {
      return std::nullopt;
    }
  }
  return out;
}

/// A page and the number of headings tell rows apart whose paths are written alike: a topic, and one empty heading.
std::string key_of(std::string_view page, const std::vector<std::string>& headings) {
  return one_line(page) + '\t' + std::to_string(headings.size()) + '\t' + one_line(heading_path(headings));
}

/// A row as the file has it, with its line end.
std::string line_of(const ReviewRow& row) {
  std::string out(choice_text(row.decision));
  (out += '\t') += row.headings.empty() ? kTopic : kHeading;
  (out += '\t') += one_line(row.page);
  (out += '\t') += one_line(heading_path(row.headings));
  (out += '\t') += one_line(row.wording);
  (out += '\t') += one_line(row.flags);
  (out += '\t') += std::to_string(row.passages);
  return out += '\n';
}

/// Reads one row; knows where it is.
class RowReader {
 public:
  RowReader(const std::string& where, std::uint64_t line, std::string_view text)
      : where_(where), line_(line), columns_(formats::fields::split_at_tabs(text, kColumns.size() + 1)) {
    if (columns_.size() == kColumns.size()) return;
    fail("the row has " + (columns_.size() > kColumns.size() ? "more than 7" : std::to_string(columns_.size())) +
         " columns instead of 7; columns are separated by one tab, and an empty one needs its tab too");
  }

  ReviewRow read() const {
    ReviewRow row;
    row.decision = decision();
    row.page = one_line(columns_[2]);
    if (formats::fields::is_blank(row.page)) fail(2, "is empty; it must be the title of a page");
    row.headings = headings();
    row.wording = wording(row.decision);
    row.flags = one_line(columns_[5]);
    if (!formats::fields::parse_integer<std::uint64_t>(columns_[6], 0, kMaxPassages, row.passages))
      fail(6, "is " + quote_for_message(columns_[6]) + ", which is no count of passages");
    return row;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw FormatError(where_ + ":" + std::to_string(line_) + ": " + problem);
  }
  [[noreturn]] void fail(std::size_t column, const std::string& problem) const {
    fail("column " + std::to_string(column + 1) + " (" + std::string(kColumns.at(column)) + ") " + problem);
  }

  ReviewDecision decision() const {
    for (const auto& choice : Choices<ReviewDecision>::table) {
      if (choice.text == columns_[0]) return choice.value;
    }
    fail(0, "is " + quote_for_message(columns_[0]) + "; it must be keep, drop or reword");
  }

  std::vector<std::string> headings() const {
    if (columns_[1] == kTopic) {
      if (!columns_[3].empty()) fail(3, "must be empty in the row of a topic");
      return {};
    }
    if (columns_[1] != kHeading) fail(1, "is " + quote_for_message(columns_[1]) + "; it must be topic or heading");
    std::vector<std::string> headings;
    std::string_view path = columns_[3];
    for (;;) {
      const auto end = path.find('/');
      const auto heading = unescaped_heading(path.substr(0, end));
      if (!heading) fail(3, "has a % that does not belong to %2F (a slash) or %25 (a percent sign)");
      if (headings.size() == kMaxHeadings) fail(3, "has more than 100 headings");
      headings.push_back(one_line(*heading));
      if (end == std::string_view::npos) return headings;
      path.remove_prefix(end + 1);
    }
  }

  std::string wording(ReviewDecision decision) const {
    const bool empty = formats::fields::is_blank(columns_[4]);
    if (decision == ReviewDecision::kReword && empty)
      fail(4, "is empty, but the decision is reword; write the new wording");
    if (decision != ReviewDecision::kReword && !empty) {
      fail(4, "is " + quote_for_message(columns_[4]) + ", but the decision is " + std::string(columns_[0]) +
                  "; write reword as the decision, or empty the wording");
    }
    return empty ? std::string{} : one_line(columns_[4]);
  }

  const std::string& where_;
  std::uint64_t line_;
  std::vector<std::string_view> columns_;
};

void read_line(Review& review, std::string_view text, const std::string& where, std::uint64_t line) {
  const auto place = [&] { return where + ":" + std::to_string(line) + ": "; };
  if (line == 1) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (text == kHeader) return;
    throw FormatError(place() + "the header is " + quote_for_message(text) +
                      "; a review starts with the columns decision, kind, page, heading, wording, flags and passages, "
                      "separated by tabs");
  }
  if (text.size() > kMaxRowBytes) throw FormatError(place() + "the row is longer than 64 KiB");
  if (line > kMaxRows + 1) throw FormatError(place() + "a review has at most 10,000,000 rows");
  if (!is_valid_utf8(text)) throw FormatError(place() + "the row is not UTF-8; save the file as UTF-8");
  auto row = RowReader(where, line, text).read();
  if (review.add(std::move(row))) return;
  throw FormatError(place() + "an earlier row has the same page and heading; remove one of them");
}

}  // namespace

bool Review::add(ReviewRow row) {
  if (!index_.emplace(key_of(row.page, row.headings), rows_.size()).second) return false;
  row.page = one_line(row.page);
  for (auto& heading : row.headings) heading = one_line(heading);
  rows_.push_back(std::move(row));
  return true;
}

std::optional<std::size_t> Review::find_number(std::string_view page, const std::vector<std::string>& headings) const {
  const auto found = index_.find(key_of(page, headings));
  return found == index_.end() ? std::nullopt : std::optional(found->second);
}

const ReviewRow* Review::find(std::string_view page, const std::vector<std::string>& headings) const {
  const auto number = find_number(page, headings);
  return number ? &rows_[*number] : nullptr;
}

Review read_review_text(std::string_view text, const std::string& where) {
  Review review;
  if (text.empty()) throw FormatError(where + ":1: the file is empty; a review has a header at least");
  for (std::uint64_t line = 1; !text.empty(); ++line) {
    const auto end = text.find('\n');
    auto row = text.substr(0, end);
    if (row.ends_with('\r')) row.remove_suffix(1);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line == 1 || !row.empty()) read_line(review, row, where, line);
  }
  return review;
}

Review read_review(const std::filesystem::path& path) {
  const FileText file(path);
  return read_review_text(file.view(), path.string());
}

std::string review_text(const Review& review) {
  std::string out(kHeader);
  out += '\n';
  for (const auto& row : review.rows()) out += line_of(row);
  return out;
}

ReviewWriter::ReviewWriter(const std::filesystem::path& path, const Review& old)
    : old_(old), file_(path), found_(old.rows().size()) {
  file_.write(std::string(kHeader) + "\n");
}

std::size_t ReviewWriter::DigestHash::operator()(const Digest128& digest) const noexcept {
  std::size_t hash = 0;
  std::memcpy(&hash, digest.data(), sizeof hash);
  return hash;
}

void ReviewWriter::add(ReviewRow row) {
  if (!written_.insert(xxh3_128(key_of(row.page, row.headings))).second) return;
  if (const auto number = old_.find_number(row.page, row.headings)) {
    row.decision = old_.rows()[*number].decision;
    row.wording = old_.rows()[*number].wording;
    found_[*number] = true;
  } else {
    ++appeared_;
  }
  file_.write(line_of(row));
}

void ReviewWriter::finish(flow::StageReport& report) {
  file_.finish();
  if (old_.rows().empty()) return;
  report.counts["rows of the review that are new"] = appeared_;
  const auto vanished = std::count(found_.begin(), found_.end(), false);
  if (vanished == 0) return;
  const auto first = static_cast<std::size_t>(std::find(found_.begin(), found_.end(), false) - found_.begin());
  report.warnings.push_back(
      fmt::format("{} decisions of the review are about pages or headings that are no longer there (first: {})",
                  vanished, old_.rows()[first].page));
}

}  // namespace touchstone::pipeline::review
