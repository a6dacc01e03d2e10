#include "collection/evidence/mentions.hpp"

#include "common/digest.hpp"
#include "common/unicode.hpp"

#include <algorithm>

namespace touchstone::collection::evidence::internal {
namespace {

constexpr std::size_t kLeastAsciiCharacters = 4, kLeastOtherCharacters = 3;

/// Without " (village)" at the end.
std::string_view without_qualifier(std::string_view title) {
  const auto open = title.rfind(" (");
  return open != std::string_view::npos && open > 0 && title.ends_with(')') ? title.substr(0, open) : title;
}

bool is_searchable(std::string_view name) {
  const bool has_letter = name.find_first_not_of("0123456789 .,-/:") != std::string_view::npos;
  return has_letter && count_code_points(name) >= (is_ascii(name) ? kLeastAsciiCharacters : kLeastOtherCharacters);
}

}  // namespace

void MentionFinder::add_member(std::uint64_t page_id, std::string_view title) {
  const std::string_view whole = without_qualifier(title);
  std::vector<health::Word> words;
  health::split_words(whole, words);
  if (words.empty() || words.size() > kMaxNameWords) return;
  const std::string_view name = whole.substr(words.front().begin, words.back().end - words.front().begin);
  if (!is_searchable(name)) return;
  const auto [entry, fresh] = names_.emplace(xxh3_64(name), page_id);
  if (!fresh && entry->second != page_id) entry->second = 0;
  auto& longest = first_words_[xxh3_64(whole.substr(words.front().begin, words.front().end - words.front().begin))];
  longest = std::max(longest, words.size());
}

void MentionFinder::add_other(std::uint64_t page_id, std::string_view title) {
  const auto name = names_.find(xxh3_64(without_qualifier(title)));
  if (name != names_.end() && name->second != 0 && name->second != page_id) ambiguous_.insert(name->second);
}

std::vector<std::uint64_t> MentionFinder::find(std::string_view text, const std::vector<health::Word>& words) const {
  std::vector<std::uint64_t> pages;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto first = first_words_.find(xxh3_64(text.substr(words[i].begin, words[i].end - words[i].begin)));
    if (first == first_words_.end()) continue;
    const std::size_t last = std::min(words.size(), i + first->second);
    for (std::size_t j = i; j < last; ++j) {
      const auto name = names_.find(xxh3_64(text.substr(words[i].begin, words[j].end - words[i].begin)));
      if (name != names_.end() && name->second != 0) pages.push_back(name->second);
    }
  }
  std::sort(pages.begin(), pages.end());
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  return pages;
}

}  // namespace touchstone::collection::evidence::internal
