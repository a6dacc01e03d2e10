#pragma once

#include <string>
#include <string_view>

namespace touchstone::formats::fields {

/// Why `id` may not stand in a column of a TREC or BEIR file, as the end of a sentence ("holds white space"); empty if
/// it may. Ids are 1 to 200 bytes of ASCII letters, digits and `- _ . : ~`, and start with a letter or a digit: no
/// quotes (CSV readers remove them), no slashes (ids become names of files), no white space (it ends the column).
std::string why_unsafe_id(std::string_view id);

}  // namespace touchstone::formats::fields
