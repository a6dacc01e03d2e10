#include "extractors/wikidata/entity_dump.hpp"

#include "extractors/wikidata/line_blocks.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::extractors::wikidata {
namespace {

constexpr std::string_view kBlanks = " \t\r", kByteOrderMark = "\xef\xbb\xbf";

/// What a block holds.
struct BlockEntities {
  std::vector<Entity> entities;
  std::vector<BadLine> bad;
  std::uint64_t end_offset = 0;
  std::optional<bool> open;  ///< whether the last bracket of an array opens it; nothing without one
};

std::string_view trimmed(std::string_view line) {
  const auto begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kBlanks) - begin + 1);
}

void read_line(std::string_view line, std::uint64_t offset, bool has_end, std::size_t max_bytes, EntityReader& reader,
               BlockEntities& out) {
  if (line.size() > max_bytes) {
    out.bad.push_back({offset, {LineIssue::kTooLong, {}}});
    return;
  }
  if (offset == 0 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  line = trimmed(line);
  if (line.ends_with(',')) line.remove_suffix(1);
  std::optional<bool> open;
  if (line.starts_with('[') != line.ends_with(']')) {  // the array's bracket, alone or beside an entity
    open = line.starts_with('[');
    *open ? line.remove_prefix(1) : line.remove_suffix(1);
    line = trimmed(line);
  }
  if (line.empty() || line == "[]") {
    if (open) out.open = open;
    return;
  }
  auto entity = reader.read(line);
  if (entity) {
    out.entities.push_back(std::move(*entity));
    if (open) out.open = open;
  } else if (!has_end && entity.error().issue == LineIssue::kMalformedJson) {
    out.bad.push_back({offset, {LineIssue::kCut, {}}});
  } else {
    out.bad.push_back({offset, entity.error()});
  }
}

BlockEntities read_block(const LineBlock& block, std::size_t max_line_bytes, EntityReader& reader) {
  BlockEntities out;
  for (const auto offset : block.too_long) out.bad.push_back({offset, {LineIssue::kTooLong, {}}});
  const auto text = block.text();
  for (std::size_t at = 0; at < text.size();) {
    const auto* const end = static_cast<const char*>(std::memchr(text.data() + at, '\n', text.size() - at));
    const auto size = end == nullptr ? text.size() - at : static_cast<std::size_t>(end - text.data()) - at;
    read_line(text.substr(at, size), block.offset + at, end != nullptr, max_line_bytes, reader, out);
    at += size + 1;
  }
  out.end_offset = block.offset + block.size;
  return out;
}

}  // namespace

DumpCounts read_entities(std::unique_ptr<dump::ByteSource> source, const DumpOptions& options, const StopFlag& stop,
                         const EntityVisitor& visit) {
  LineBlockReader blocks(std::move(source), {options.block_bytes, options.max_line_bytes, EntityReader::padding()});
  tbb::enumerable_thread_specific<EntityReader> readers([&] { return EntityReader(options.entities); });
  DumpCounts counts;
  bool is_open = false;
  const auto cut = [&](tbb::flow_control& control) -> LineBlock {
    stop.check();
    auto block = blocks.next();
    if (!block) {
      control.stop();
      return {};
    }
    return std::move(*block);
  };
  const auto take = [&](BlockEntities found) {
    for (auto& entity : found.entities) {
      ++counts.entities;
      counts.labels += entity.label_count;
      counts.sitelinks += entity.sitelink_count;
      visit(std::move(entity));
    }
    counts.bad += found.bad.size();
    for (auto& line : found.bad) {
      if (counts.bad_lines.size() < DumpCounts::kMostBadLines) counts.bad_lines.push_back(std::move(line));
    }
    counts.bytes = found.end_offset;
    is_open = found.open.value_or(is_open);
  };
  const auto parse = [&](const LineBlock& block) { return read_block(block, options.max_line_bytes, readers.local()); };
  tbb::task_arena arena(options.threads);
  arena.execute([&] {
    using tbb::filter_mode;
    tbb::parallel_pipeline(static_cast<std::size_t>(options.threads) * 2,
                           tbb::make_filter<void, LineBlock>(filter_mode::serial_in_order, cut) &
                               tbb::make_filter<LineBlock, BlockEntities>(filter_mode::parallel, parse) &
                               tbb::make_filter<BlockEntities, void>(filter_mode::serial_in_order, take));
  });
  counts.complete = !is_open;
  return counts;
}

}  // namespace touchstone::extractors::wikidata
