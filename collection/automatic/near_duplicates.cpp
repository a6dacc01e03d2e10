#include "collection/automatic/near_duplicates.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/system_failure.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace touchstone::collection::automatic {
namespace {

constexpr std::size_t kIdBytes = 40;                    ///< of a SHA-1 in hexadecimal digits
constexpr std::size_t kLineBytes = 2 * (kIdBytes + 1);  ///< with the tab and the line end
constexpr std::size_t kFirstDigits = 8;

bool is_id(std::string_view text) {
  return text.size() == kIdBytes &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_line(std::string_view line) {
  return line.size() + 1 == kLineBytes && line[kIdBytes] == '\t' && is_id(line.substr(0, kIdBytes)) &&
         is_id(line.substr(kIdBytes + 1));
}

/// \pre is_id(id)
std::uint32_t first_digits(std::string_view id) {
  std::uint32_t digits = 0;
  std::from_chars(id.data(), id.data() + kFirstDigits, digits, 16);
  return digits;
}

}  // namespace

std::string near_duplicate_line(std::string_view id, std::string_view representative) {
  return fmt::format("{}\t{}\n", id, representative);
}

NearDuplicates NearDuplicates::read(const std::filesystem::path& path) {
  NearDuplicates duplicates;
  duplicates.path_ = path;
  std::string last;
  for_each_line(path, [&](std::string_view line, std::uint64_t number) {
    const auto fail = [&](std::string_view what) {
      throw FormatError(fmt::format("{} line {} {}; write the file again", path.string(), number, what));
    };
    if (!is_line(line)) fail("is no pair of paragraph ids, parted by a tab");
    const auto id = line.substr(0, kIdBytes);
    if (id <= last) fail("is not behind the line before in the order of ids");
    duplicates.digits_.push_back(first_digits(id));
    last = id;
    return true;
  });
  duplicates.digits_.shrink_to_fit();
  duplicates.file_ = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!duplicates.file_.is_open()) throw StorageError(failure_text("open", path.string(), errno));
  return duplicates;
}

std::string NearDuplicates::representative(std::string_view id) const {
  if (digits_.empty() || !is_id(id)) return std::string(id);
  const auto [first, last] = std::equal_range(digits_.begin(), digits_.end(), first_digits(id));
  for (auto line = first; line != last; ++line) {
    std::array<char, kLineBytes - 1> text{};
    const auto offset = static_cast<std::size_t>(line - digits_.begin()) * kLineBytes;
    if (read_at(file_, text.data(), text.size(), offset) != static_cast<ssize_t>(text.size()))
      throw StorageError("cannot read " + path_.string() + "; it changed while it was read, so run again");
    const std::string_view read(text.data(), text.size());
    if (read.starts_with(id)) return std::string(read.substr(kIdBytes + 1));
  }
  return std::string(id);
}

}  // namespace touchstone::collection::automatic
