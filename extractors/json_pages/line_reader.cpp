#include "extractors/json_pages/line_reader.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace touchstone::extractors::json_pages {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

LineReader::LineReader(std::unique_ptr<dump::ByteSource> source, LineReaderOptions options)
    : source_(std::move(source)), options_(options) {}

bool LineReader::fill() {
  if (ended_) return false;
  window_.erase(0, at_);
  window_offset_ += at_;
  at_ = 0;
  const std::size_t held = window_.size();
  window_.resize(held + options_.read_bytes);
  const std::size_t got = source_->read(window_.data() + held, options_.read_bytes);
  window_.resize(held + got);
  ended_ = got == 0;
  return !ended_;
}

void LineReader::skip_to(std::uint64_t offset) {
  while (window_offset_ + at_ < offset) {
    if (at_ == window_.size() && !fill()) {
      throw FormatError(
          fmt::format("{}: shorter than at the last run, which had read {} bytes of its lines; was it "
                      "replaced while in use?",
                      source_->name(), offset));
    }
    const auto step = std::min<std::uint64_t>(window_.size() - at_, offset - (window_offset_ + at_));
    const auto end = at_ + static_cast<std::size_t>(step);
    lines_ += static_cast<std::uint64_t>(std::count(window_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                    window_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }
}

bool LineReader::take_line(RawBatch& batch) {
  std::size_t searched = 0;  // bytes behind `at_` that hold no line end
  bool too_large = false;
  auto end = std::string::npos;
  while ((end = window_.find('\n', at_ + searched)) == std::string::npos) {
    searched = window_.size() - at_;
    if (searched > options_.max_line_bytes) {
      // The line is left out: its bytes go as they come.
      too_large = true;
      at_ = window_.size();
      searched = 0;
    }
    if (fill()) continue;
    if (searched == 0 && !too_large) return false;
    end = window_.size();
    break;
  }
  std::string_view line = std::string_view(window_).substr(at_, end - at_);
  too_large = too_large || line.size() > options_.max_line_bytes;
  at_ = std::min(end + 1, window_.size());
  if (++lines_ == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (too_large) {
    batch.too_large.push_back(lines_);
  } else if (!is_blank(line)) {
    batch.records.push_back({batch.bytes.size(), line.size(), lines_});
    batch.bytes.append(line);
  }
  batch.end_offset = window_offset_ + at_;
  return true;
}

std::optional<RawBatch> LineReader::next() {
  RawBatch batch;
  batch.bytes.reserve(options_.batch_bytes + options_.batch_bytes / 4);
  while (batch.bytes.size() < options_.batch_bytes && take_line(batch)) {
  }
  if (batch.records.empty() && batch.too_large.empty()) return std::nullopt;
  return batch;
}

}  // namespace touchstone::extractors::json_pages
