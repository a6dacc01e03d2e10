#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace touchstone {

/// Parts that a TOML key may have (`a.b.c` has three). The TOML library bounds nested values, but makes a table of each
/// part of a key, and deep tables overflow the stack when they are walked or removed.
inline constexpr std::size_t kMaxTomlKeyParts = 16;

/// The 1-based line of the first key with more parts; 0 if there is none. To be asked before a text is parsed. Pure;
/// O(size).
std::uint64_t line_of_deep_toml_key(std::string_view text) noexcept;

/// What is wrong with such a key, as the end of a sentence.
std::string deep_toml_key_text();

}  // namespace touchstone
