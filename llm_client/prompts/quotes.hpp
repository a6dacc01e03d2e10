#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::llm_client::prompts {

/// Where `quote` is in `passage` letter for letter, white space folded (any run of it equals one blank; none at the
/// ends): code points [begin, end) of the first place. Nothing when it is not there, or holds nothing but white space.
/// Both are well-formed UTF-8. Pure and thread-safe.
std::optional<std::pair<std::uint32_t, std::uint32_t>> find_quote(std::string_view passage, std::string_view quote);

/// Spans in order, with those that overlap or touch made one.
std::vector<std::pair<std::uint32_t, std::uint32_t>> merge_spans(
    std::vector<std::pair<std::uint32_t, std::uint32_t>> spans);

}  // namespace touchstone::llm_client::prompts
