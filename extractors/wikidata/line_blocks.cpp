#include "extractors/wikidata/line_blocks.hpp"

#include "common/display_text.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace touchstone::extractors::wikidata {

LineBlockReader::LineBlockReader(std::unique_ptr<dump::ByteSource> source, LineBlockOptions options)
    : source_(std::move(source)), options_(options) {}

void LineBlockReader::grow(LineBlock& block, std::size_t capacity) const {
  auto larger = std::make_unique_for_overwrite<char[]>(capacity + options_.padding);
  if (block.size > 0) std::memcpy(larger.get(), block.bytes.get(), block.size);
  block.bytes = std::move(larger);
}

void LineBlockReader::check_begin(std::string_view bytes) {
  constexpr std::string_view kSkipped = " \t\r\n\xef\xbb\xbf";  // blanks, and bytes of a byte order mark
  constexpr std::size_t kShownBytes = 40;
  const auto begin = bytes.find_first_not_of(kSkipped);
  if (begin == std::string_view::npos) return;
  begun_ = true;
  if (bytes[begin] == '[' || bytes[begin] == '{') return;
  throw FormatError(source_->name() + ": is no JSON dump of Wikidata, because it begins with \"" +
                    display_excerpt(bytes.substr(begin, kShownBytes), kShownBytes) +
                    "\"; give a file such as wikidata-20240101-all.json.bz2, which has one entity a line");
}

bool LineBlockReader::fill(LineBlock& block, std::size_t capacity) {
  while (block.size < capacity && !ended_) {
    const std::size_t got = source_->read(block.bytes.get() + block.size, capacity - block.size);
    if (!begun_) check_begin({block.bytes.get() + block.size, got});
    block.size += got;
    ended_ = got == 0;
  }
  return !ended_;
}

void LineBlockReader::skip_line(LineBlock& block, std::size_t capacity) {
  block.too_long.push_back(block.offset);
  for (;;) {
    block.offset += block.size;
    block.size = 0;
    fill(block, capacity);
    const auto* const end = static_cast<const char*>(std::memchr(block.bytes.get(), '\n', block.size));
    if (end != nullptr) {
      const auto skipped = static_cast<std::size_t>(end + 1 - block.bytes.get());
      std::memmove(block.bytes.get(), end + 1, block.size - skipped);
      block.offset += skipped;
      block.size -= skipped;
      return;
    }
    if (ended_) {
      block.offset += block.size;
      block.size = 0;
      return;
    }
  }
}

std::optional<LineBlock> LineBlockReader::next() {
  if (ended_ && carried_.empty()) return std::nullopt;
  LineBlock block;
  block.offset = offset_;
  std::size_t capacity = std::max(options_.block_bytes, carried_.size() + options_.block_bytes / 2);
  grow(block, capacity);
  std::copy(carried_.begin(), carried_.end(), block.bytes.get());
  block.size = carried_.size();
  carried_.clear();
  std::size_t whole = 0;  // bytes up to the last line end
  while (fill(block, capacity)) {
    const auto* const end = static_cast<const char*>(::memrchr(block.bytes.get(), '\n', block.size));
    if (end != nullptr) {
      whole = static_cast<std::size_t>(end + 1 - block.bytes.get());
      break;
    }
    if (block.size > options_.max_line_bytes) {
      skip_line(block, capacity);
      continue;
    }
    capacity = std::min(capacity * 2, std::max(capacity, options_.max_line_bytes) + options_.block_bytes);
    grow(block, capacity);
  }
  if (whole == 0) {
    block.ends_file = true;
    whole = block.size;
  }
  carried_.assign(block.bytes.get() + whole, block.bytes.get() + block.size);
  offset_ = block.offset + whole;
  block.size = whole;
  if (block.size == 0 && block.too_long.empty()) return std::nullopt;
  std::memset(block.bytes.get() + block.size, 0, options_.padding);
  return block;
}

}  // namespace touchstone::extractors::wikidata
