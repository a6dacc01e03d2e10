#include "pipeline/passages/boilerplate.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "pipeline/passages/sentences.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

#include <fmt/format.h>

namespace touchstone::pipeline::passages {

std::uint64_t sentence_hash(std::string_view sentence) {
  return xxh3_64(without_blanks(sentence));
}

Boilerplate read_boilerplate(const std::filesystem::path& file) {
  Boilerplate sentences;
  for_each_line(file, [&](std::string_view line, std::uint64_t number) {
    std::uint64_t hash = 0;
    const std::size_t tab = line.find('\t');
    const auto [end, error] = std::from_chars(line.data(), line.data() + std::min(tab, line.size()), hash, 16);
    if (tab == std::string_view::npos || error != std::errc() || end != line.data() + tab) {
      throw FormatError(
          fmt::format("{} line {} is not as the stage boilerplate writes it; run touchstone boilerplate again",
                      file.string(), number));
    }
    sentences.insert(hash);
    return true;
  });
  return sentences;
}

void strip_boilerplate(const Boilerplate& boilerplate, storage::ParagraphRecord& paragraph,
                       const std::function<void(std::uint64_t hash)>& asked,
                       const std::function<void(std::string_view sentence)>& taken) {
  if (boilerplate.empty()) return;
  strip_sentences(paragraph, [&](std::string_view sentence, std::uint32_t, std::uint32_t) {
    const auto hash = sentence_hash(sentence);
    if (asked) asked(hash);
    const bool goes = boilerplate.contains(hash);
    if (goes) taken(without_blanks(sentence));
    return goes;
  });
}

}  // namespace touchstone::pipeline::passages
