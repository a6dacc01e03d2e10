#pragma once

#include "common/stop.hpp"
#include "extractors/dump/byte_source.hpp"
#include "extractors/wikidata/entity_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace touchstone::extractors::wikidata {

/// A line that is not an entity.
struct BadLine {
  std::uint64_t offset = 0;  ///< of its first byte in the decompressed file
  LineError error;
};

/// What was in a dump.
struct DumpCounts {
  static constexpr std::size_t kMostBadLines = 10'000;  ///< that are kept one by one

  std::uint64_t entities = 0;
  std::uint64_t labels = 0, sitelinks = 0;  ///< of all languages, of all wikis
  std::uint64_t bad = 0;                    ///< lines
  std::vector<BadLine> bad_lines;           ///< the first of them, in the order of the file
  std::uint64_t bytes = 0;                  ///< of the decompressed file
  bool complete = true;                     ///< an array that the file begins is closed
};

struct DumpOptions {
  EntityOptions entities;
  std::size_t block_bytes = std::size_t{1} << 20;      ///< that a thread reads at a time; a longer line is one block
  std::size_t max_line_bytes = std::size_t{32} << 20;  ///< longer lines are bad lines; the longest known have some 5 MB
  int threads = 1;
};

using EntityVisitor = std::function<void(Entity&&)>;

/// Reads Wikidata's JSON dump: `[`, one entity a line with a comma behind it, `]`; or lines of entities alone. Lines
/// are read by `threads` threads; `visit` gets the entities in the order of the file, one after the other. Bad lines
/// are counted, and reading goes on. Memory: two blocks and two lines a thread, and some twice its longest line each
/// for the parser. Throws FormatError for a file that begins with neither `[` nor `{`, Interrupted if `stop` is
/// set, and what the source throws.
DumpCounts read_entities(std::unique_ptr<dump::ByteSource> source, const DumpOptions& options, const StopFlag& stop,
                         const EntityVisitor& visit);

}  // namespace touchstone::extractors::wikidata
