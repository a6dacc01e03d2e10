#pragma once

#include "common/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// topics.tsv: `id<TAB>text`, one topic a line, no header.
namespace touchstone::formats::trec {

struct TopicText {
  std::string id;
  std::string text;
};

/// Reads one line: exactly two columns, an id without white space, a text that is not blank. The failure is the end of
/// a sentence that starts with file and line.
Result<TopicText, std::string> parse_topic(std::string_view line);

/// `id<TAB>text` and a line end; the text is made one line.
std::string topic_line(std::string_view id, std::string_view text);

/// The whole file (plain or gzip), in file order; blank lines are skipped. Throws FormatError with file, line and
/// remedy at the first line that is not a topic or whose id came before, StorageError if the file is unreadable.
std::vector<TopicText> read_topics(const std::filesystem::path& path);

}  // namespace touchstone::formats::trec
