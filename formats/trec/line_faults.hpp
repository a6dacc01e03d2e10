#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace touchstone::formats::trec {

/// Why a line of a run or of qrels is not used.
enum class LineFault : std::uint8_t { kFields, kNumber, kTwice };
inline constexpr std::size_t kLineFaults = 3;

/// "lines with the wrong number of fields", ...
std::string_view line_fault_name(LineFault fault) noexcept;

/// Lines that were not used, by reason, and where the first one starts. The order of adding does not matter.
struct LineFaults {
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
  std::array<std::uint64_t, kLineFaults> count{};
  LineFault first_fault = LineFault::kFields;
  std::size_t first_offset = kNowhere;
  std::uint64_t with_more_fields = 0;  ///< used, but with words behind the tag
  std::size_t first_with_more = kNowhere;

  void add(LineFault fault, std::size_t offset) noexcept;
  void add(const LineFaults& other) noexcept;
  std::uint64_t total() const noexcept;
};

}  // namespace touchstone::formats::trec
