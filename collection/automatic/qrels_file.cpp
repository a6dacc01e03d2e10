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

namespace {

constexpr char kEndOfLine = '\x01';  // sorts before all that a field may hold, and stands in none
constexpr char kFirstNumber = '!';

}  // namespace

PartedQrelsWriter::PartedQrelsWriter(std::vector<std::filesystem::path> paths, WriteOptions options,
                                     std::size_t sort_bytes)
    : paths_(std::move(paths)), options_(std::move(options)), lines_(paths_.at(0).parent_path(), sort_bytes) {}

void PartedQrelsWriter::add_lines(std::string_view lines, const Files& files) {
  const auto [known, is_new] = number_.try_emplace(files, static_cast<char>(kFirstNumber + lists_.size()));
  if (is_new) lists_.push_back(files);
  TS_CHECK(lists_.size() <= 90, "each list has a printable character");
  std::string line;
  while (!lines.empty()) {
    const auto end = lines.find('\n');
    line.assign(lines.substr(0, end));
    line += kEndOfLine;
    line += known->second;
    lines_.add(line);
    lines.remove_prefix(end + 1);
  }
}

void PartedQrelsWriter::finish() {
  std::vector<std::unique_ptr<TextWriter>> files;
  for (const auto& path : paths_) files.push_back(std::make_unique<TextWriter>(path, options_));
  std::string last;  // with its line end
  std::vector<bool> written(files.size());
  lines_.for_each([&](std::string_view marked) {
    const auto line = marked.substr(0, marked.size() - 2);
    if (last.size() != line.size() + 1 || !last.starts_with(line)) {
      last.assign(line);
      last += '\n';
      written.assign(files.size(), false);
    }
    for (const auto file : lists_.at(static_cast<std::size_t>(marked.back() - kFirstNumber))) {
      if (!written[file]) files[file]->write(last);
      written[file] = true;
    }
  });
  for (auto& file : files) file->finish();
}

}  // namespace touchstone::collection::automatic
