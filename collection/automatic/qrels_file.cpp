#include "collection/automatic/qrels_file.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>

namespace touchstone::collection::automatic {
namespace {

using formats::fields::quote_for_message;

void check_field(const char* what, const std::string& id, std::string_view page) {
  const bool is_broken = std::any_of(id.begin(), id.end(), [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) == 0x7F;
  });
  if (!id.empty() && !is_broken) return;
  throw FormatError(std::string("the ") + what + " " + quote_for_message(id) + " of page " + quote_for_message(page) +
                    (is_broken ? " holds white space or a control character" : " is empty") +
                    ", which a line of qrels cannot hold; escape the id in the pages file");
}

}  // namespace

std::string checked_qrels_line(const formats::trec::QrelRecord& qrel, const std::string& facet, std::string_view page) {
  check_field("topic", qrel.topic, page);
  check_field("facet", facet, page);
  check_field("docid", qrel.docid, page);
  return qrel.topic + " " + facet + " " + qrel.docid + " " + std::to_string(qrel.grade) + "\n";
}

QrelsFileWriter::QrelsFileWriter(std::filesystem::path path, std::size_t sort_bytes, WriteOptions options)
    : path_(std::move(path)), options_(std::move(options)), lines_(path_.parent_path(), sort_bytes) {}

void QrelsFileWriter::add(const formats::trec::QrelRecord& qrel, std::string_view page) {
  add_lines(checked_qrels_line(qrel, "0", page));
}

void QrelsFileWriter::add_lines(std::string_view lines) {
  lines_.add_lines(lines);
}

QrelsCount QrelsFileWriter::finish() {
  QrelsCount count;
  std::string topic;
  TextWriter file(path_, options_);
  // A blank sorts before everything that a field may hold, so that the order of lines is that of their fields.
  lines_.for_each([&](std::string_view line) {
    file.write(line);
    file.write("\n");
    ++count.judgments;
    const auto of_line = line.substr(0, line.find(' '));
    if (of_line == topic) return;
    topic = of_line;
    ++count.topics;
  });
  file.finish();
  return count;
}

}  // namespace touchstone::collection::automatic
