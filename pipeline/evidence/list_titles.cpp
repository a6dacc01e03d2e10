#include "pipeline/evidence/list_titles.hpp"

#include "pipeline/headings/index_heading.hpp"
#include "text/words.hpp"

#include <cctype>

namespace touchstone::pipeline::evidence {
namespace {}  // namespace

bool is_list_title(std::string_view title, std::string_view prefix) {
  if (prefix.starts_with('*')) return title.ends_with(prefix.substr(1));
  if (!title.starts_with(prefix)) return false;
  // "List of" must not take "List office": a prefix that ends in a letter ends at a word's end.
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0; };
  return prefix.empty() || !letter(prefix.back()) || title.size() == prefix.size() || !letter(title[prefix.size()]);
}

std::string_view without_list_words(std::string_view title, const std::vector<std::string>& prefixes) {
  std::string_view best;
  std::size_t longest = 0;
  for (const auto& prefix : prefixes) {
    if (prefix.empty() || prefix == "*" || prefix.size() <= longest || !is_list_title(title, prefix)) continue;
    longest = prefix.size();
    best = prefix.starts_with('*') ? title.substr(0, title.size() - (prefix.size() - 1)) : title.substr(prefix.size());
  }
  return text::trimmed(best);
}

std::string_view without_index_letters(std::string_view title) {
  // A range may be behind a blank; one letter needs a sign in front of it ("Vitamin A" is not a part of a list).
  for (const std::string_view sign : {": ", ":", " (", "/", ", ", " – ", " - "}) {
    const auto at = title.rfind(sign);
    if (at == std::string_view::npos || at == 0) continue;
    auto letters = title.substr(at + sign.size());
    if (sign == " (") {
      if (!letters.ends_with(')')) continue;
      letters.remove_suffix(1);
    }
    if (!letters.empty() && headings::is_index_heading(letters)) return text::trimmed(title.substr(0, at));
  }
  const auto blank = title.rfind(' ');
  if (blank == std::string_view::npos) return title;
  const auto range = title.substr(blank + 1);
  const bool joined = range.find("–") != std::string_view::npos || range.find('-') != std::string_view::npos;
  const bool digits = range.find_first_of("0123456789") != std::string_view::npos;
  return joined && !digits && headings::is_index_heading(range) ? text::trimmed(title.substr(0, blank)) : title;
}

}  // namespace touchstone::pipeline::evidence
