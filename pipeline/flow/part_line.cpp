#include "pipeline/flow/part_line.hpp"

#include <cstddef>
#include <utility>

namespace touchstone::pipeline::flow {
namespace {

/// Bytes that end fields and lines, with the letters that stand for them behind a backslash.
constexpr std::pair<char, char> kEscapes[] = {{'\\', '\\'}, {'\t', 't'}, {'\n', 'n'}, {'\r', 'r'}};

void append_escaped(std::string& line, char byte) {
  for (const auto& [raw, letter] : kEscapes) {
    if (byte != raw) continue;
    line += '\\';
    line += letter;
    return;
  }
  line += byte;
}

char unescaped(char letter) {
  for (const auto& [raw, written] : kEscapes) {
    if (letter == written) return raw;
  }
  return letter;
}

}  // namespace

std::string part_line(std::span<const std::string_view> fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += '\t';
    for (const char byte : fields[i]) append_escaped(line, byte);
  }
  line += '\n';
  return line;
}

std::vector<std::string> read_part_line(std::string_view line) {
  std::vector<std::string> fields(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\t') {
      fields.emplace_back();
    } else if (line[i] == '\\' && i + 1 < line.size()) {
      fields.back() += unescaped(line[++i]);
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

}  // namespace touchstone::pipeline::flow
