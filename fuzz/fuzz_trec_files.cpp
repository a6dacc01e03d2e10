#include "collection/automatic/locators.hpp"
#include "collection/evidence/collection_lines.hpp"
#include "common/error.hpp"
#include "common/result.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/trec/qrels.hpp"
#include "formats/trec/topics.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Every reader of one line of an exchange file: TREC qrels and topics, BEIR lines, and the collection's own lines.
/// None may crash, and what was read and written must read back to the same bytes.
namespace {

namespace beir = touchstone::formats::beir;
namespace collection = touchstone::collection;
namespace trec = touchstone::formats::trec;

std::string_view without_line_end(const std::string& line) {
  return std::string_view(line).substr(0, line.size() - 1);
}

touchstone::Result<collection::automatic::LocatorLine, std::string> read_locators(std::string_view line) {
  using Read = touchstone::Result<collection::automatic::LocatorLine, std::string>;
  try {
    return Read(collection::automatic::read_locator_line(line));
  } catch (const touchstone::FormatError& error) {
    return Read::failure(error.what());
  }
}

template <class Parse, class Write>
void check(std::string_view line, Parse parse, Write write) {
  const auto record = parse(line);
  if (!record) {
    TS_CHECK(!record.error().empty(), "a failure says why");
    return;
  }
  const std::string written = write(*record);
  TS_CHECK(!written.empty() && written.back() == '\n', "a line has its end");
  const auto again = parse(without_line_end(written));
  TS_CHECK(again.has_value(), "a written line can be read");
  TS_CHECK(write(*again) == written, "and reads back to the same bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view line(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (line.find('\n') != std::string_view::npos) return 0;  // readers get lines
  collection::evidence::CollectionLineReader reader;
  beir::LineReader beir_reader;
  switch (data[0] % 10) {
    case 0:
      check(line, trec::parse_qrel, trec::qrel_line);
      break;
    case 1:
      check(line, trec::parse_topic,
            [](const trec::TopicText& topic) { return trec::topic_line(topic.id, topic.text); });
      break;
    case 2:
      check(line, beir::parse_qrel, beir::qrel_line);
      break;
    case 3:
      check(line, collection::evidence::parse_discarded, collection::evidence::discarded_line);
      break;
    case 4:
      check(
          line, [&](std::string_view text) { return reader.query(text); }, collection::evidence::query_line);
      break;
    case 5:
      check(
          line, [&](std::string_view text) { return reader.member(text); }, collection::evidence::member_line);
      break;
    case 6:
      check(
          line, [&](std::string_view text) { return reader.passage(text); }, collection::evidence::passage_line);
      break;
    case 7:
      check(
          line, [&](std::string_view text) { return reader.judgment(text); },
          [](const auto& record) { return collection::evidence::judgment_line(record); });
      break;
    case 9:
      check(
          line, [&](std::string_view text) { return reader.gone(text); }, collection::evidence::gone_line);
      check(
          line, [&](std::string_view text) { return reader.audited(text); }, collection::evidence::audit_line);
      break;
    default:
      check(line, read_locators, [](const collection::automatic::LocatorLine& read) {
        return collection::automatic::locator_line(read.docid, read.places, "");
      });
      static_cast<void>(beir_reader.document(line).has_value());
      static_cast<void>(beir_reader.query(line).has_value());
  }
  return 0;
}
