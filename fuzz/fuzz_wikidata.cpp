// Any bytes as a JSON dump of Wikidata: entities, bad lines or one FormatError, the same ones however the bytes are cut
// into pieces and blocks and whatever the number of threads; offsets of bad lines are those of lines.
#include "common/error.hpp"
#include "common/unicode.hpp"
#include "extractors/wikidata/entity_dump.hpp"
#include "tests/support/memory_source.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace touchstone::extractors::wikidata;

void require(bool condition) {
  if (!condition) std::abort();
}

/// All that can be told of a file, as text.
struct Reading {
  std::vector<std::string> entities, bad;
  bool complete = true;
  std::string error;
  bool operator==(const Reading&) const = default;
};

std::string text_of(const Entity& entity) {
  std::string text = entity.id;
  for (const auto* texts : {&entity.labels, &entity.descriptions, &entity.aliases}) {
    for (const auto& [language, value] : *texts) text += "\n" + language + "\t" + value;
  }
  for (const auto& [site, title] : entity.sitelinks) text += "\n" + site + "\t" + title;
  for (const auto& [property, item] : entity.statements)
    text += "\n" + std::to_string(property) + "\t" + std::to_string(item);
  require(touchstone::is_valid_utf8(text));
  return text;
}

Reading read(const std::string& bytes, std::vector<std::size_t> pieces, std::size_t block_bytes, int threads) {
  Reading reading;
  DumpOptions options;
  options.entities.languages = {"en"};
  options.entities.all_sites = true;
  options.entities.properties = {kInstanceOf, kSubclassOf};
  options.block_bytes = block_bytes;
  options.max_line_bytes = 2000;
  options.threads = threads;
  const touchstone::StopFlag stop;
  try {
    const auto counts =
        read_entities(std::make_unique<touchstone::testing::MemorySource>(bytes, std::move(pieces)), options, stop,
                      [&](Entity&& entity) { reading.entities.push_back(text_of(entity)); });
    require(counts.entities == reading.entities.size() && counts.bad >= counts.bad_lines.size());
    for (const auto& line : counts.bad_lines) {
      require(line.offset == 0 || (line.offset < bytes.size() && bytes[line.offset - 1] == '\n'));
      reading.bad.push_back(std::to_string(line.offset) + line.error.reason());
    }
    reading.complete = counts.complete;
  } catch (const touchstone::FormatError&) {
    reading.error = "no dump";
  }
  return reading;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 3, size - 3);
  const Reading whole = read(bytes, {}, std::size_t{1} << 20, 1);
  const std::vector<std::size_t> pieces = {std::size_t{1} + data[0] * 4U, std::size_t{1} + data[1] % 64};
  require(read(bytes, pieces, std::size_t{1} + data[2], 1 + data[0] % 2) == whole);
  return 0;
}
