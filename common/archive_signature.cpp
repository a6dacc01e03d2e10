#include "common/archive_signature.hpp"

#include <cstdint>

namespace touchstone {
namespace {

/// Whether the sum of a tar header's bytes is the one that it states, with its own field taken as blanks.
bool is_tar(std::string_view head) noexcept {
  constexpr std::size_t kSumAt = 148, kSumBytes = 8;
  if (head.size() < kArchiveHeadBytes || head.front() == '\0') return false;
  std::uint32_t stated = 0, sum = 0;
  bool any_digit = false;
  for (const char c : head.substr(kSumAt, kSumBytes)) {
    if (c >= '0' && c <= '7') {
      stated = stated * 8 + static_cast<std::uint32_t>(c - '0');
      any_digit = true;
    } else if (c != ' ' && c != '\0') {
      return false;
    }
  }
  for (std::size_t i = 0; i < kArchiveHeadBytes; ++i) {
    const bool blank = i >= kSumAt && i < kSumAt + kSumBytes;
    sum += blank ? std::uint32_t{' '} : static_cast<unsigned char>(head[i]);
  }
  return any_digit && sum == stated;
}

}  // namespace

std::string_view archive_kind(std::string_view head) noexcept {
  using namespace std::string_view_literals;
  if (head.starts_with("PK\x03\x04"sv) || head.starts_with("PK\x05\x06"sv) || head.starts_with("PK\x07\x08"sv))
    return "zip";
  if (head.starts_with("7z\xBC\xAF\x27\x1C"sv)) return "7z";
  if (head.starts_with("Rar!\x1A\x07"sv)) return "rar";
  if (head.starts_with("070701"sv) || head.starts_with("070707"sv) || head.starts_with("070702"sv)) return "cpio";
  if (head.starts_with("!<arch>\n"sv)) return "ar";
  return is_tar(head.substr(0, kArchiveHeadBytes)) ? "tar" : "";
}

}  // namespace touchstone
