#include "formats/trec/topics.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"

#include <unordered_map>

namespace touchstone::formats::trec {
namespace {

constexpr std::size_t kMaxTopicLineBytes = 1 << 20;

}  // namespace

Result<TopicText, std::string> parse_topic(std::string_view line) {
  using Parsed = Result<TopicText, std::string>;
  const auto columns = fields::split_at_tabs(line, 3);
  if (columns.size() == 1) {
    return Parsed::failure("has no tab between id and text; write \"id<TAB>text\" instead of " +
                           fields::quote_for_message(line));
  }
  if (columns.size() > 2) {
    return Parsed::failure("has more than 2 columns; replace the tabs inside the text of topic " +
                           fields::quote_for_message(columns[0]) + " by spaces");
  }
  if (columns[0].empty() || columns[0].find_first_of(" \r\v\f") != std::string_view::npos) {
    return Parsed::failure("has the topic id " + fields::quote_for_message(columns[0]) +
                           ", which is empty or holds white space; give the topic an id without spaces");
  }
  if (fields::is_blank(columns[1])) {
    return Parsed::failure("has no text for topic " + fields::quote_for_message(columns[0]) +
                           "; write its query or remove the line");
  }
  return TopicText{std::string(columns[0]), std::string(columns[1])};
}

std::string topic_line(std::string_view id, std::string_view text) {
  std::string line(id);
  line += '\t';
  line += fields::one_line(text);
  line += '\n';
  return line;
}

std::vector<TopicText> read_topics(const std::filesystem::path& path) {
  std::vector<TopicText> topics;
  std::unordered_map<std::string, std::uint64_t> seen;
  for_each_line(
      path,
      [&](std::string_view line, std::uint64_t number) {
        fields::refuse_byte_order_mark(path, line, number);
        if (fields::is_blank(line)) return true;
        auto parsed = parse_topic(line);
        const std::string place = path.string() + ":" + std::to_string(number) + ": ";
        if (!parsed) throw FormatError(place + parsed.error());
        const auto [before, inserted] = seen.emplace(parsed->id, number);
        if (!inserted) {
          throw FormatError(place + "has topic " + fields::quote_for_message(parsed->id) +
                            " a second time after line " + std::to_string(before->second) +
                            "; give each topic its own id");
        }
        topics.push_back(std::move(*parsed));
        return true;
      },
      kMaxTopicLineBytes);
  return topics;
}

}  // namespace touchstone::formats::trec
