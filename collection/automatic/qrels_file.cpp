#include "collection/automatic/qrels_file.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <memory>
#include <utility>

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

QrelsWriter::QrelsWriter(std::vector<std::filesystem::path> paths, WriteOptions options, std::size_t sort_bytes)
    : paths_(std::move(paths)),
      options_(std::move(options)),
      lines_(paths_.at(0).parent_path(), sort_bytes, records::Repeats::kDrop) {
  TS_CHECK(paths_.size() <= 64, "each file has a bit");
}

void QrelsWriter::add_lines(std::string_view lines, std::uint64_t files) {
  while (!lines.empty()) {
    const auto size = lines.find('\n') + 1;
    lines_.add({std::string(lines.substr(0, size)), files});
    lines.remove_prefix(size);
  }
}

QrelsCount QrelsWriter::finish() {
  std::vector<std::unique_ptr<TextWriter>> files;
  for (const auto& path : paths_) files.push_back(std::make_unique<TextWriter>(path, options_));
  QrelsCount count;  // of the first file
  std::string text, topic;
  std::uint64_t written = 0;
  // A blank sorts before everything that a field may hold, so that the order of lines is that of their fields.
  while (const auto line = lines_.next()) {
    if (line->text != text) written = 0;
    text = line->text;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const auto file = std::uint64_t{1} << i;
      if ((line->files & ~written & file) == 0) continue;
      files[i]->write(text);
      if (i > 0) continue;
      ++count.judgments;
      const auto of_line = std::string_view(text).substr(0, text.find(' '));
      count.topics += topic == of_line ? 0 : 1;
      topic = of_line;
    }
    written |= line->files;
  }
  for (auto& file : files) file->finish();
  return count;
}

}  // namespace touchstone::collection::automatic
