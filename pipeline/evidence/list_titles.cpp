#include "pipeline/evidence/list_titles.hpp"

#include <cctype>

namespace touchstone::pipeline::evidence {

bool is_list_title(std::string_view title, std::string_view prefix) {
  if (prefix.starts_with('*')) return title.ends_with(prefix.substr(1));
  if (!title.starts_with(prefix)) return false;
  // "List of" must not take "List office": a prefix that ends in a letter ends at a word's end.
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0; };
  return prefix.empty() || !letter(prefix.back()) || title.size() == prefix.size() || !letter(title[prefix.size()]);
}

}  // namespace touchstone::pipeline::evidence
