#include "collection/evidence/report/topic_contents.hpp"

#include "collection/evidence/collection_lines.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace touchstone::collection::evidence::report::internal {

using namespace release::report;
namespace {

constexpr std::size_t kSortBytes = std::size_t{64} << 20;
constexpr std::string_view kPassageRow = "1", kJudgmentsRow = "2";  // by docid: a passage sorts before its judgments
constexpr std::string_view kMemberRow = "1", kShownRow = "2";       // by topic

/// JSON has tabs between its tokens only.
std::string without_tabs(std::string_view line) {
  std::string text(line);
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

/// Takes the next column off a row.
std::string_view next_column(std::string_view& row) {
  const auto end = std::min(row.find('\t'), row.size());
  const auto column = row.substr(0, end);
  row.remove_prefix(std::min(end + 1, row.size()));
  return column;
}

std::uint64_t next_number(std::string_view& row) {
  const auto column = next_column(row);
  std::uint64_t number = 0;
  std::from_chars(column.data(), column.data() + column.size(), number);
  return number;
}

/// Takes a line that was read before.
template <class Record>
Record known(Result<Record, std::string> parsed) {
  TS_CHECK(parsed.has_value(), "a line that was read before");
  return std::move(*parsed);
}

/// Makes the contents of topics from sorted rows.
class RowReader {
 public:
  void add(std::string_view row, TopicContents& contents) {
    if (next_column(row) == kMemberRow) {
      next_column(row);
      contents.members.push_back(known(reader_.member(row)));
      return;
    }
    const auto part = static_cast<PassagePart>(next_number(row));
    next_column(row);
    ShownPassage shown;
    shown.passage.docid = next_column(row);
    shown.judgment_count = next_number(row);
    const auto passage = next_column(row);
    shown.found = !passage.empty();
    if (shown.found) shown.passage = known(reader_.passage(passage));
    while (!row.empty()) shown.judgments.push_back(known(reader_.judgment(next_column(row))));
    auto& list = part == PassagePart::kEvidence      ? contents.evidence
                 : part == PassagePart::kNotEvidence ? contents.not_evidence
                                                     : contents.unjudged;
    list.push_back(std::move(shown));
  }

 private:
  CollectionLineReader reader_;
};

}  // namespace

TopicContentsJoin::TopicContentsJoin(const std::filesystem::path& folder)
    : by_docid_(folder, kSortBytes), by_topic_(folder, kSortBytes) {}

void TopicContentsJoin::add_member(std::size_t topic, std::size_t rank, std::string_view line) {
  by_topic_.add(fmt::format("{:010}\t{}\t{:010}\t{}", topic, kMemberRow, rank, without_tabs(line)));
}

void TopicContentsJoin::add(const JudgedPassage& passage) {
  std::string row =
      fmt::format("{}\t{}\t{:010}\t{}\t{}\t{:010}\t{}\t{}", passage.docid, kJudgmentsRow, passage.topic, kShownRow,
                  static_cast<int>(passage.part), passage.rank, passage.docid, passage.judgment_count);
  for (const auto& line : passage.judgments) row += "\t" + without_tabs(line);
  docids_.insert(xxh3_64(passage.docid));
  by_docid_.add(row);
}

void TopicContentsJoin::add_passages(const std::filesystem::path& corpus, const StopFlag& stop) {
  CollectionLineReader reader;
  for_each_line(
      corpus,
      [&](std::string_view line, std::uint64_t number) {
        stop.check();
        const auto passage = reader.passage(line);
        if (!passage) {
          throw FormatError(fmt::format("{}:{}: {}; touchstone validate lists all that is wrong", corpus.string(),
                                        number, passage.error()));
        }
        if (docids_.contains(xxh3_64(passage->docid)))
          by_docid_.add(fmt::format("{}\t{}\t{}", passage->docid, kPassageRow, without_tabs(line)));
        return true;
      },
      kMaxCollectionLineBytes);
}

void TopicContentsJoin::for_each_topic(std::size_t topics, const std::filesystem::path& corpus, const StopFlag& stop,
                                       const std::function<void(std::size_t, const TopicContents&)>& use) {
  if (!docids_.empty()) add_passages(corpus, stop);
  std::string docid, passage;
  by_docid_.for_each([&](std::string_view row) {
    stop.check();
    const auto id = next_column(row);
    if (id != docid) {
      docid = id;
      passage.clear();
    }
    if (next_column(row) == kPassageRow) {
      passage = row;
      return;
    }
    // topic, kind, part, rank, docid, count | passage | judgments
    std::size_t end = 0;
    for (int column = 0; column < 6; ++column) end = row.find('\t', end) + 1;
    by_topic_.add(fmt::format("{}{}\t{}", row.substr(0, end), passage, row.substr(end)));
  });
  RowReader reader;
  TopicContents contents;
  std::size_t topic = 0;
  const auto finish_until = [&](std::size_t next) {
    for (; topic < next; ++topic) {
      use(topic, contents);
      contents = {};
    }
  };
  by_topic_.for_each([&](std::string_view row) {
    stop.check();
    finish_until(next_number(row));
    reader.add(row, contents);
  });
  finish_until(topics);
}

}  // namespace touchstone::collection::evidence::report::internal
