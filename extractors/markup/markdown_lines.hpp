#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace touchstone::extractors::markup::internal {

/// Rewrites the lines of a page that generators of sites read before Markdown does: shortcodes and includes of mdBook,
/// Hugo, Jekyll and Docusaurus, admonitions, ids of headings, hidden lines of examples in Rust. What a site would fill
/// in is left out and counted. Pure; O(bytes).
/// \param is_mdx    lines that import and export are left out
/// \param left_out  grows by what was left out
std::string prepare_lines(std::string_view text, bool is_mdx, std::map<std::string_view, std::uint64_t>& left_out);

}  // namespace touchstone::extractors::markup::internal
