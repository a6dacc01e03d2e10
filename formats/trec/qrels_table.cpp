#include "formats/trec/qrels_table.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"
#include "formats/trec/qrels.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace touchstone::formats::trec {

using fields::next_field;
using fields::quote_for_message;

struct QrelsTable::Row {
  const char* line;
  std::string_view docid;
  std::uint32_t topic_number;
  std::int16_t grade;

  /// The first and second field, which are looked up in the line where they are needed.
  std::pair<std::string_view, std::string_view> topic_and_facet() const {
    std::string_view fields(line, static_cast<std::size_t>(docid.data() - line));
    const auto topic = next_field(fields);
    return {topic, next_field(fields)};
  }
  std::string_view facet() const { return topic_and_facet().second; }
};

std::vector<QrelsTable::Row> QrelsTable::read_rows(const QrelsOptions& options) {
  std::vector<Row> rows;
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  const std::string_view text = text_.view();
  rows.reserve(text.size() / 24);
  std::string_view last_topic;
  for (std::size_t offset = 0, next = 0; offset < text.size(); offset = next) {
    const auto end = std::min(text.find('\n', offset), text.size());
    next = end + 1;
    std::string_view line = text.substr(offset, end - offset);
    if (line.starts_with('#')) continue;
    Row row{};
    row.line = line.data();
    const auto topic = next_field(line);
    if (topic.empty()) continue;
    next_field(line);
    row.docid = next_field(line);
    const auto grade = next_field(line);
    int value = 0;
    const bool four = !grade.empty() && next_field(line).empty();
    if (!four || !fields::parse_integer(grade, kMinGrade, kMaxGrade, value)) {
      const auto fault = four ? LineFault::kNumber : LineFault::kFields;
      if (!options.lenient) throw FormatError(describe(fault, offset, 0));
      faults_.add(fault, offset);
      continue;
    }
    row.grade = static_cast<std::int16_t>(value);
    row.topic_number = topic == last_topic
                           ? rows.back().topic_number
                           : numbers.try_emplace(topic, static_cast<std::uint32_t>(numbers.size())).first->second;
    last_topic = topic;
    rows.push_back(row);
  }
  return rows;
}

QrelsTable::QrelsTable(const std::filesystem::path& path, const QrelsOptions& options) : path_(path), text_(path) {
  fields::refuse_byte_order_mark(path, text_.view(), 1);
  auto rows = read_rows(options);
  if (rows.empty()) throw FormatError(path.string() + ": holds no judgment; lines are \"topic 0 docid grade\"");
  const auto by_topic = [](const Row& a, const Row& b) { return a.topic_number < b.topic_number; };
  if (!std::is_sorted(rows.begin(), rows.end(), by_topic)) std::stable_sort(rows.begin(), rows.end(), by_topic);
  judgments_.reserve(rows.size());
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last =
        std::find_if(first, rows.end(), [&](const Row& row) { return row.topic_number != first->topic_number; });
    add_topic({first, last}, options);
    first = last;
  }
  std::sort(topics_.begin(), topics_.end(), [](const Topic& a, const Topic& b) { return a.id < b.id; });
}

void QrelsTable::add_topic(std::span<Row> rows, const QrelsOptions& options) {
  Topic topic;
  topic.id = rows.front().topic_and_facet().first;
  topic.first_judgment = judgments_.size();
  topic.first_slot = slots_.size();
  topic.first_count = counts_.size();
  topic.first_facet_grade = facet_grades_.size();
  std::size_t slots = 4;
  while (slots < rows.size() * 2) slots *= 2;
  topic.slot_mask = slots - 1;
  slots_.resize(slots_.size() + slots);
  if (options.facets) {
    add_facet_judgments(topic, rows);
  } else {
    add_judgments(topic, rows, options.lenient);
  }
  count_grades(topic);
  topics_.push_back(topic);
}

std::uint32_t QrelsTable::add_judgment(const Topic& topic, const Row& row, std::uint64_t hash) {
  const auto index = static_cast<std::uint32_t>(judgments_.size() - topic.first_judgment);
  judgments_.push_back({row.docid, row.grade});
  std::size_t at = hash & topic.slot_mask;
  while (slots_[topic.first_slot + at].judgment != kNone) at = (at + 1) & topic.slot_mask;
  slots_[topic.first_slot + at] = {static_cast<std::uint32_t>(hash >> 32), index};
  return index;
}

void QrelsTable::add_judgments(Topic& topic, std::span<const Row> rows, bool lenient) {
  for (const auto& row : rows) {
    const auto hash = xxh3_64(row.docid);
    if (find(topic, row.docid, hash) == kNone) {
      add_judgment(topic, row, hash);
      continue;
    }
    if (!lenient) {
      const auto before = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.docid == row.docid; });
      throw FormatError(describe(LineFault::kTwice, offset_of(row), offset_of(*before)));
    }
    faults_.add(LineFault::kTwice, offset_of(row));
  }
  topic.judgments = judgments_.size() - topic.first_judgment;
}

void QrelsTable::add_facet_judgments(Topic& topic, std::span<const Row> rows) {
  std::vector<std::string_view> facets;
  for (const auto& row : rows) facets.push_back(row.facet());
  std::sort(facets.begin(), facets.end());
  facets.erase(std::unique(facets.begin(), facets.end()), facets.end());
  topic.facets = facets.size();
  for (const auto& row : rows) {
    const auto hash = xxh3_64(row.docid);
    std::uint32_t index = find(topic, row.docid, hash);
    if (index == kNone) index = add_judgment(topic, row, hash);
    auto& grade = judgments_[topic.first_judgment + index].grade;
    grade = std::max(grade, row.grade);
    const auto facet = std::lower_bound(facets.begin(), facets.end(), row.facet()) - facets.begin();
    facet_grades_.push_back({index, static_cast<std::uint32_t>(facet), row.grade});
  }
  topic.judgments = judgments_.size() - topic.first_judgment;
  const auto begin = facet_grades_.begin() + static_cast<std::ptrdiff_t>(topic.first_facet_grade);
  std::sort(begin, facet_grades_.end(), [](const FacetGrade& a, const FacetGrade& b) {
    return std::tie(a.judgment, a.facet) < std::tie(b.judgment, b.facet);
  });
  const auto same = std::adjacent_find(begin, facet_grades_.end(), [](const FacetGrade& a, const FacetGrade& b) {
    return a.judgment == b.judgment && a.facet == b.facet;
  });
  if (same != facet_grades_.end()) {
    const auto docid = judgments_[topic.first_judgment + same->judgment].docid;
    const auto is_same = [&](const Row& row) { return row.docid == docid && row.facet() == facets[same->facet]; };
    const auto first = std::find_if(rows.begin(), rows.end(), is_same);
    const auto second = std::find_if(first + 1, rows.end(), is_same);
    throw FormatError(describe(LineFault::kTwice, offset_of(*second), offset_of(*first)));
  }
  topic.facet_grades = facet_grades_.size() - topic.first_facet_grade;
}

void QrelsTable::count_grades(Topic& topic) {
  for (std::size_t i = topic.first_judgment; i < judgments_.size(); ++i) {
    const int grade = judgments_[i].grade;
    if (grade < 0) continue;
    if (topic.counts <= static_cast<std::size_t>(grade)) {
      topic.counts = static_cast<std::size_t>(grade) + 1;
      counts_.resize(topic.first_count + topic.counts);
    }
    ++counts_[topic.first_count + static_cast<std::size_t>(grade)];
  }
}

std::size_t QrelsTable::offset_of(const Row& row) const noexcept {
  return static_cast<std::size_t>(row.line - text_.view().data());
}

std::optional<std::size_t> QrelsTable::find_topic(std::string_view id) const {
  const auto at =
      std::lower_bound(topics_.begin(), topics_.end(), id, [](const Topic& t, std::string_view x) { return t.id < x; });
  if (at == topics_.end() || at->id != id) return std::nullopt;
  return static_cast<std::size_t>(at - topics_.begin());
}

std::span<const QrelsTable::Judgment> QrelsTable::judgments(std::size_t topic) const {
  return {judgments_.data() + topics_[topic].first_judgment, topics_[topic].judgments};
}

std::uint32_t QrelsTable::find(const Topic& t, std::string_view docid, std::uint64_t hash) const noexcept {
  const Slot* const slots = slots_.data() + t.first_slot;
  const auto upper = static_cast<std::uint32_t>(hash >> 32);
  for (std::size_t at = hash & t.slot_mask; slots[at].judgment != kNone; at = (at + 1) & t.slot_mask) {
    if (slots[at].hash == upper && judgments_[t.first_judgment + slots[at].judgment].docid == docid) {
      return slots[at].judgment;
    }
  }
  return kNone;
}

std::span<const std::uint32_t> QrelsTable::grade_counts(std::size_t topic) const {
  return {counts_.data() + topics_[topic].first_count, topics_[topic].counts};
}

std::span<const QrelsTable::FacetGrade> QrelsTable::facet_grades(std::size_t topic) const {
  return {facet_grades_.data() + topics_[topic].first_facet_grade, topics_[topic].facet_grades};
}

std::string QrelsTable::describe(LineFault fault, std::size_t offset, std::size_t before) const {
  const std::string_view text = text_.view();
  std::string_view line = text.substr(offset, text.find('\n', offset) - offset);
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::string message = path_.string() + ":" + std::to_string(line_number(text, offset)) + ": ";
  if (fault != LineFault::kTwice) return message + parse_qrel(line).error();
  const auto topic = next_field(line);
  const auto facet = next_field(line);
  const auto docid = next_field(line);
  message += "judges docid " + quote_for_message(docid) + " of topic " + quote_for_message(topic) +
             " a second time after line " + std::to_string(line_number(text, before)) + "; keep one of the two lines";
  std::string_view other = text.substr(before, text.find('\n', before) - before);
  next_field(other);
  if (next_field(other) != facet) {
    message += " (if the second field is a facet, ask for a measure of facets such as alpha_nDCG)";
  }
  return message;
}

}  // namespace touchstone::formats::trec
