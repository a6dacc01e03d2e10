#include "extractors/json_pages/json_pages_source.hpp"

#include "common/error.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

namespace touchstone::extractors::json_pages {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t kMaxTitleBytes = 1024;
constexpr std::uint32_t kMaxLevel = 6;

/// Thrown within this file only, to leave nested fields at the first thing that is wrong.
struct BadField {
  PageLineError error;
};

/// What is being read, for messages. Both count from 1; 0 represents the line as a whole.
struct Place {
  std::size_t section = 0, paragraph = 0;
};

[[noreturn]] void fail(PageIssue issue, const Place& place, std::string_view what) {
  std::string where;
  if (place.section > 0) where += fmt::format("section {}, ", place.section);
  if (place.paragraph > 0) where += fmt::format("paragraph {}, ", place.paragraph);
  throw BadField{{issue, where + std::string(what)}};
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

/// Control characters become blanks, so that the text stays one line; the number of code points stays.
std::string without_controls(std::string_view text) {
  std::string out(text);
  std::replace_if(out.begin(), out.end(), is_control, ' ');
  return out;
}

/// White space folded to single blanks, none at the ends.
std::string folded(std::string_view text) {
  std::string out;
  bool blank = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(text, at);
    if (is_unicode_space(c) || (c < 0x80 && is_control(static_cast<char>(c)))) {
      blank = !out.empty();
      continue;
    }
    if (blank) out.push_back(' ');
    blank = false;
    out.append(text.substr(begin, at - begin));
  }
  return out;
}

bool has(object fields, std::string_view name) {
  return fields.at_key(name).error() == simdjson::SUCCESS;
}

std::string_view text_field(object fields, std::string_view name, PageIssue issue, const Place& place) {
  std::string_view text;
  if (fields.at_key(name).get(text) != simdjson::SUCCESS) {
    fail(issue, place, fmt::format("\"{}\" is missing or not a string", name));
  }
  return text;
}

/// The whole number of a field, at most `most`.
std::uint32_t number_field(object fields, std::string_view name, std::uint32_t most, PageIssue issue,
                           const Place& place) {
  std::uint64_t value = 0;
  if (fields.at_key(name).get(value) != simdjson::SUCCESS || value > most) {
    fail(issue, place, fmt::format("\"{}\" is not a whole number from 0 to {}", name, most));
  }
  return static_cast<std::uint32_t>(value);
}

simdjson::dom::array list_field(object fields, std::string_view name, PageIssue issue, const Place& place) {
  simdjson::dom::array list;
  if (fields.at_key(name).get(list) != simdjson::SUCCESS) {
    fail(issue, place, fmt::format("\"{}\" is missing or not a list", name));
  }
  return list;
}

Title title_field(object fields, std::string_view name, PageIssue issue, const Place& place) {
  Title title{kNamespaceMain, nfc(folded(text_field(fields, name, issue, place)))};
  if (title.text.empty() || title.text.size() > kMaxTitleBytes) {
    fail(issue, place, fmt::format("\"{}\" is empty or longer than {} bytes", name, kMaxTitleBytes));
  }
  return title;
}

/// A Wikidata id such as "Q42"; empty if the page has none, or null.
std::string qid_field(object fields) {
  constexpr std::size_t kMaxDigits = 19;
  element value;
  if (fields.at_key("qid").get(value) != simdjson::SUCCESS || value.is_null()) return {};
  std::string_view text;
  const bool is_text = value.get(text) == simdjson::SUCCESS && text.starts_with('Q') && text.size() <= 1 + kMaxDigits;
  const auto digits = is_text ? text.substr(1) : std::string_view();
  const bool is_qid = !digits.empty() && digits.front() != '0' &&
                      std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!is_qid) fail(PageIssue::kBadQid, {}, "\"qid\" is not a Wikidata id such as \"Q42\"");
  return std::string(text);
}

Link read_link(element value, std::uint32_t text_length, const Place& place) {
  object fields;
  if (value.get(fields) != simdjson::SUCCESS) fail(PageIssue::kBadLink, place, "a link is not an object");
  Link link;
  link.begin = number_field(fields, "begin", text_length, PageIssue::kBadLink, place);
  link.end = number_field(fields, "end", text_length, PageIssue::kBadLink, place);
  if (link.begin > link.end) fail(PageIssue::kBadLink, place, "a link ends before it begins");
  link.target = title_field(fields, "target", PageIssue::kBadLink, place);
  return link;
}

/// A paragraph: its text, or an object of text and links.
RichText read_paragraph(element value, const Place& place) {
  RichText content;
  if (std::string_view text; value.get(text) == simdjson::SUCCESS) {
    content.text = without_controls(text);
    return content;
  }
  object fields;
  if (value.get(fields) != simdjson::SUCCESS) fail(PageIssue::kBadSection, place, "neither a string nor an object");
  content.text = without_controls(text_field(fields, "text", PageIssue::kBadSection, place));
  if (!has(fields, "links")) return content;
  const auto length = static_cast<std::uint32_t>(count_code_points(content.text));
  for (const auto link : list_field(fields, "links", PageIssue::kBadLink, place)) {
    content.links.push_back(read_link(link, length, place));
  }
  std::stable_sort(content.links.begin(), content.links.end(),
                   [](const Link& a, const Link& b) { return a.begin < b.begin; });
  return content;
}

/// Adds the section to the document. The lead is in every document already.
void read_heading(object fields, const Place& place, Document& document) {
  const auto heading =
      has(fields, "heading") ? folded(text_field(fields, "heading", PageIssue::kBadSection, place)) : std::string();
  const auto level = static_cast<std::uint8_t>(
      has(fields, "level") ? number_field(fields, "level", kMaxLevel, PageIssue::kBadSection, place) : 0);
  if (level > 0) {
    Section section;
    section.level = level;
    section.parent = enclosing_section(document.sections, level);
    section.heading.text = heading;
    document.sections.push_back(std::move(section));
  } else if (place.section != 1) {
    fail(PageIssue::kBadSection, place, "only the first section, the lead, can have level 0");
  } else if (!heading.empty()) {
    fail(PageIssue::kBadSection, place, "a section with a heading needs a level from 1 to 6");
  }
}

void read_section(element value, Place place, Document& document) {
  object fields;
  if (value.get(fields) != simdjson::SUCCESS) fail(PageIssue::kBadSection, place, "not an object");
  read_heading(fields, place, document);
  for (const auto content : list_field(fields, "paragraphs", PageIssue::kBadSection, place)) {
    ++place.paragraph;
    Block block;
    block.section = static_cast<std::uint32_t>(document.sections.size() - 1);
    block.content = read_paragraph(content, place);
    document.blocks.push_back(std::move(block));
  }
}

constexpr const char* kModel = "text";  // MediaWiki's name for plain text

}  // namespace

LineReader::LineReader(std::unique_ptr<dump::ByteSource> source, LineReaderOptions options)
    : source_(std::move(source)), options_(options) {}

bool LineReader::fill() {
  if (ended_) return false;
  window_.erase(0, at_);
  window_offset_ += at_;
  at_ = 0;
  const std::size_t held = window_.size();
  window_.resize(held + options_.read_bytes);
  const std::size_t got = source_->read(window_.data() + held, options_.read_bytes);
  window_.resize(held + got);
  ended_ = got == 0;
  return !ended_;
}

void LineReader::skip_to(std::uint64_t offset) {
  while (window_offset_ + at_ < offset) {
    if (at_ == window_.size() && !fill()) {
      throw FormatError(
          fmt::format("{}: shorter than at the last run, which had read {} bytes of its lines; was it "
                      "replaced while in use?",
                      source_->name(), offset));
    }
    const auto step = std::min<std::uint64_t>(window_.size() - at_, offset - (window_offset_ + at_));
    const auto end = at_ + static_cast<std::size_t>(step);
    lines_ += static_cast<std::uint64_t>(std::count(window_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                    window_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }
}

bool LineReader::take_line(RawBatch& batch) {
  std::size_t searched = 0;  // bytes behind `at_` that hold no line end
  bool too_large = false;
  auto end = std::string::npos;
  while ((end = window_.find('\n', at_ + searched)) == std::string::npos) {
    searched = window_.size() - at_;
    if (searched > options_.max_line_bytes) {
      // The line is left out: its bytes go as they come.
      too_large = true;
      at_ = window_.size();
      searched = 0;
    }
    if (fill()) continue;
    if (searched == 0 && !too_large) return false;
    end = window_.size();
    break;
  }
  std::string_view line = std::string_view(window_).substr(at_, end - at_);
  too_large = too_large || line.size() > options_.max_line_bytes;
  at_ = std::min(end + 1, window_.size());
  if (++lines_ == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (too_large) {
    batch.too_large.push_back(lines_);
  } else if (!is_blank(line)) {
    batch.records.push_back({batch.bytes.size(), line.size(), lines_});
    batch.bytes.append(line);
  }
  batch.end_offset = window_offset_ + at_;
  return true;
}

std::optional<RawBatch> LineReader::next() {
  RawBatch batch;
  batch.bytes.reserve(options_.batch_bytes + options_.batch_bytes / 4);
  while (batch.bytes.size() < options_.batch_bytes && take_line(batch)) {
  }
  if (batch.records.empty() && batch.too_large.empty()) return std::nullopt;
  return batch;
}

std::size_t padding() noexcept {
  return simdjson::SIMDJSON_PADDING;
}

struct PageLineReader::Impl {
  simdjson::dom::parser parser;
};

PageLineReader::PageLineReader() : impl_(std::make_unique<Impl>()) {}
PageLineReader::~PageLineReader() = default;

Result<PageLine, PageLineError> PageLineReader::read(std::string_view line) {
  using Outcome = Result<PageLine, PageLineError>;
  element root;
  if (const auto error = impl_->parser.parse(line.data(), line.size(), false).get(root)) {
    return Outcome::failure({PageIssue::kMalformedJson, simdjson::error_message(error)});
  }
  try {
    object fields;
    if (root.get(fields) != simdjson::SUCCESS) fail(PageIssue::kMalformedJson, {}, "not an object");
    PageLine page;
    page.title = title_field(fields, "title", PageIssue::kBadTitle, {});
    page.qid = qid_field(fields);
    page.document.sections.resize(1);
    Place place;
    for (const auto section : list_field(fields, "sections", PageIssue::kBadSection, {})) {
      ++place.section;
      read_section(section, place, page.document);
    }
    return page;
  } catch (BadField& bad) {
    return Outcome::failure(std::move(bad.error));
  }
}

SourceBatch JsonPagesSource::read(RawBatch batch) const {
  SourceBatch out;
  for (const auto line : batch.too_large) {
    out.remarks.push_back({PageIssue::kTooLarge, fmt::format("line {}", line), ""});
  }
  batch.bytes.append(padding(), ' ');
  PageLineReader reader;
  for (const auto& record : batch.records) {
    const auto text = std::string_view(batch.bytes).substr(record.begin, record.size);
    auto page = reader.read(text);
    if (!page) {
      const auto& error = page.error();
      out.remarks.push_back({error.issue, fmt::format("line {}: {}", record.place, error.detail), ""});
      continue;
    }
    if (record.place > std::numeric_limits<std::uint32_t>::max() - before_first_.value) {
      out.remarks.push_back({PageIssue::kBadNumber, fmt::format("line {}", record.place), ""});
      continue;
    }
    SourcePage entry;
    entry.head.id.value = before_first_.value + static_cast<std::uint32_t>(record.place);
    entry.head.title = std::move(page->title);
    entry.head.model = kModel;
    entry.head.qid = std::move(page->qid);
    entry.head.text_bytes = static_cast<std::uint32_t>(record.size);
    entry.head.content_digest = xxh3_128(text);
    entry.document = std::move(page->document);
    out.pages.push_back(std::move(entry));
  }
  return out;
}

}  // namespace touchstone::extractors::json_pages
