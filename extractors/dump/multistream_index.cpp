#include "extractors/dump/multistream_index.hpp"

#include "common/number_text.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace touchstone::extractors::dump {
namespace {

constexpr std::size_t kIndexReadBytes = std::size_t{1} << 18, kMaxLineBytes = std::size_t{1} << 16;

}  // namespace

std::filesystem::path MultistreamIndex::beside(const std::filesystem::path& dump) {
  constexpr std::string_view kMark = "-multistream", kXml = ".xml";
  auto name = dump.filename().string();
  const auto mark = name.rfind(kMark);
  const auto xml = mark == std::string::npos ? mark : name.find(kXml, mark);
  if (xml == std::string::npos) return {};
  name.replace(xml, kXml.size(), ".txt");
  name.insert(mark + kMark.size(), "-index");
  auto path = dump.parent_path() / name;
  return std::filesystem::is_regular_file(path) ? path : std::filesystem::path();
}

std::optional<MultistreamIndex::Entry> MultistreamIndex::read_entry() {
  for (;;) {
    auto end = window_.find('\n', at_);
    if (end == std::string::npos) {
      window_.erase(0, std::exchange(at_, 0));
      const auto held = window_.size() > kMaxLineBytes ? 0 : window_.size();
      window_.resize(held + kIndexReadBytes);
      const auto got = source_->read(window_.data() + held, kIndexReadBytes);
      window_.resize(held + got);
      if (got > 0) continue;
      if (window_.empty()) return std::nullopt;
      end = window_.size();
    }
    const auto line = std::string_view(window_).substr(at_, end - at_);
    at_ = std::min(end + 1, window_.size());
    const auto first = line.find(':'), second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const auto stream = to_number<std::uint64_t>(line.substr(0, first));
    const auto id = to_number<std::uint32_t>(line.substr(first + 1, second - first - 1));
    if (stream && id) return Entry{*stream, PageId{*id}, std::string(line.substr(second + 1))};
  }
}

std::vector<std::string> MultistreamIndex::between(PageId before, PageId next) {
  std::vector<std::string> pages;
  if (!ahead_) ahead_ = read_entry();
  for (; ahead_ && (next.value == 0 || ahead_->id.value < next.value); ahead_ = read_entry()) {
    if (ahead_->id.value > before.value)
      pages.push_back(fmt::format("page {} \"{}\"", ahead_->id.value, ahead_->title));
  }
  return pages;
}

std::optional<std::uint64_t> MultistreamIndex::stream_of(PageId page) {
  while (const auto entry = read_entry()) {
    if (entry->id == page) return entry->stream;
  }
  return std::nullopt;
}

}  // namespace touchstone::extractors::dump
