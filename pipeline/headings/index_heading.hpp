#pragma once

#include <string_view>

namespace touchstone::pipeline::headings {

/// Whether a heading only says where in the order of a list its part is: a letter ("A", "Ж", "あ行"), several or a
/// range of them ("A–C", "X, Y, Z", "A to C"), numbers below 1,000 ("1–100", "0–9") or signs alone ("#"). Years are not
/// among these, nor is a single Han character, which is a word. Pure.
bool is_index_heading(std::string_view heading);

}  // namespace touchstone::pipeline::headings
