#include "formats/trec/preferences.hpp"

#include "common/error.hpp"
#include "formats/fields/byte_order_mark.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

namespace touchstone::formats::trec {
namespace {

using fields::next_field;
using fields::quote_for_message;

constexpr std::string_view kOneSubgroup = "0";  ///< of the form kQrels

/// The fields that a line must have.
std::string_view fields_of(PreferenceForm form) noexcept {
  return form == PreferenceForm::kQrels ? "topic group docid level" : "topic group subgroup docid level";
}

std::size_t count_fields(std::string_view line) noexcept {
  std::size_t count = 0;
  while (!next_field(line).empty()) ++count;
  return count;
}

bool parse_level(std::string_view text, double& level) noexcept {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), level);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(level) && level >= 0;
}

/// The line of `text` that starts at `offset`, without its end.
std::string_view line_at(std::string_view text, std::size_t offset) noexcept {
  auto line = text.substr(offset, text.find('\n', offset) - offset);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

struct PreferenceTable::Row {
  PreferenceLine line;
  std::size_t offset = 0;  ///< of the line in the file

  auto place() const { return std::tie(line.topic, line.group, line.subgroup, line.docid); }
};

Result<PreferenceLine, LineFault> parse_preference(std::string_view line, PreferenceForm form) noexcept {
  using Parsed = Result<PreferenceLine, LineFault>;
  PreferenceLine preference;
  preference.topic = next_field(line);
  preference.group = next_field(line);
  preference.subgroup = form == PreferenceForm::kQrels ? kOneSubgroup : next_field(line);
  preference.docid = next_field(line);
  const auto level = next_field(line);
  if (level.empty() || !next_field(line).empty()) return Parsed::failure(LineFault::kFields);
  if (!parse_level(level, preference.level)) return Parsed::failure(LineFault::kNumber);
  return preference;
}

PreferenceTable::PreferenceTable(const std::filesystem::path& path, PreferenceForm form, bool lenient)
    : path_(path), text_(path), form_(form) {
  fields::refuse_byte_order_mark(path, text_.view(), 1);
  auto rows = read_rows();
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.place() != b.place() ? a.place() < b.place() : a.offset < b.offset;
  });
  remove_repeated(rows);
  if (!lenient && faults_.total() > 0) throw FormatError(describe(rows, faults_.first_fault, faults_.first_offset));
  if (rows.empty())
    throw FormatError(fmt::format("{}: holds no preference; lines are \"{}\"", path.string(), fields_of(form)));
  for (const Row *begin = rows.data(), *const all = begin + rows.size(), *end = begin; begin != all; begin = end) {
    end = std::find_if(begin, all, [&](const Row& row) { return row.line.topic != begin->line.topic; });
    add_topic(begin, end);
  }
}

std::vector<PreferenceTable::Row> PreferenceTable::read_rows() {
  std::vector<Row> rows;
  const std::string_view text = text_.view();
  for (std::size_t offset = 0, next = 0; offset < text.size(); offset = next) {
    const auto end = std::min(text.find('\n', offset), text.size());
    next = end + 1;
    const auto line = text.substr(offset, end - offset);
    auto rest = line;
    if (line.starts_with('#') || next_field(rest).empty()) continue;
    if (const auto preference = parse_preference(line, form_)) {
      rows.push_back({*preference, offset});
    } else {
      faults_.add(preference.error(), offset);
    }
  }
  return rows;
}

/// Removes the lines that judge a docid of a sub-group again, and counts them. \pre rows are sorted
void PreferenceTable::remove_repeated(std::vector<Row>& rows) {
  std::size_t kept = 0;
  for (const Row& row : rows) {
    if (kept > 0 && rows[kept - 1].place() == row.place()) {
      faults_.add(LineFault::kTwice, row.offset);
    } else {
      rows[kept++] = row;
    }
  }
  rows.resize(kept);
}

void PreferenceTable::add_topic(const Row* begin, const Row* end) {
  Topic topic;
  topic.id = begin->line.topic;
  for (const Row* row = begin; row != end; ++row) topic.docids.push_back(row->line.docid);
  std::sort(topic.docids.begin(), topic.docids.end());
  topic.docids.erase(std::unique(topic.docids.begin(), topic.docids.end()), topic.docids.end());
  if (topic.docids.size() > kMaxDocids) {
    throw FormatError(
        fmt::format("{}: topic {} has {} docids, but preferences are compared pair by pair for at most {}; keep fewer "
                    "passages of it",
                    path_.string(), quote_for_message(topic.id), topic.docids.size(), kMaxDocids));
  }
  const PreferenceLine* before = nullptr;
  for (const Row* row = begin; row != end; ++row) {
    const auto& line = row->line;
    const bool same_group = before != nullptr && before->group == line.group;
    if (!same_group) topic.groups.push_back({line.group, {}});
    auto& subgroups = topic.groups.back().subgroups;
    if (!same_group || before->subgroup != line.subgroup) subgroups.emplace_back();
    const auto docid = std::lower_bound(topic.docids.begin(), topic.docids.end(), line.docid) - topic.docids.begin();
    subgroups.back().push_back({static_cast<std::uint32_t>(docid), line.level});
    before = &line;
  }
  topics_.push_back(std::move(topic));
}

std::optional<std::size_t> PreferenceTable::find_topic(std::string_view id) const {
  const auto at =
      std::lower_bound(topics_.begin(), topics_.end(), id, [](const Topic& t, std::string_view x) { return t.id < x; });
  if (at == topics_.end() || at->id != id) return std::nullopt;
  return static_cast<std::size_t>(at - topics_.begin());
}

/// The sentence about a bad line. \pre `rows` are the good lines
std::string PreferenceTable::describe(const std::vector<Row>& rows, LineFault fault, std::size_t offset) const {
  const std::string_view text = text_.view();
  const auto line = line_at(text, offset);
  const auto start = fmt::format("{}:{}: ", path_.string(), line_number(text, offset));
  const auto wanted = fields_of(form_);
  if (fault == LineFault::kFields) {
    const auto found = count_fields(line);
    return fmt::format("{}has {} {} instead of the {} of \"{}\"; repair the line {}", start, found,
                       found == 1 ? "field" : "fields", count_fields(wanted), wanted, quote_for_message(line));
  }
  if (fault == LineFault::kNumber) {
    auto rest = line;
    std::string_view level;
    for (std::size_t i = 0; i < count_fields(wanted); ++i) level = next_field(rest);
    return fmt::format("{}has the level {}, which is not a number of at least 0; correct the level", start,
                       quote_for_message(level));
  }
  const auto again = parse_preference(line, form_);
  TS_CHECK(again.has_value(), "a repeated line can be read");
  const Row repeated{*again, offset};
  const auto first =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.place() == repeated.place(); });
  TS_CHECK(first != rows.end(), "the first of two equal lines is kept");
  return fmt::format(
      "{}judges docid {} of topic {} a second time in the same group after line {}; keep one of the two lines", start,
      quote_for_message(again->docid), quote_for_message(again->topic), line_number(text, first->offset));
}

}  // namespace touchstone::formats::trec
