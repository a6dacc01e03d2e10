#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace touchstone::extractors::scan::internal {

/// The searches of byte_scan.hpp as one kind of processor makes them.
struct ScanFunctions {
  using Find = std::size_t (*)(std::string_view text, std::size_t from) noexcept;

  Find markup_open, page_stop, call_stop, flat_stop, link_stop, target_stop, title_stop, unclean;
  /// Sets a bit of `words`, which are 0, for each stop of the tokenizer.
  void (*mark_token_stops)(std::string_view text, std::uint64_t* words) noexcept;
  std::size_t (*copy_words)(std::string_view text, char* out, bool& other_than_ascii) noexcept;
};

/// With AVX2. Only in programs for x86-64, and to be called only where the processor has it.
extern const ScanFunctions kScanBy32;

/// With SSSE3, or with the vectors that every aarch64 processor has. Only in programs for these two, and to be called
/// only where the processor has it.
extern const ScanFunctions kScanBy16;

}  // namespace touchstone::extractors::scan::internal
