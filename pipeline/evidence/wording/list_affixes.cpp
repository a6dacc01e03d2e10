#include "pipeline/evidence/wording/list_affixes.hpp"

#include "common/title.hpp"
#include "common/unicode.hpp"
#include "storage/keys.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>

namespace touchstone::pipeline::evidence::wording {
namespace {

constexpr std::size_t kLeastLists = 3, kMostStartWords = 2;

/// Calls `take` with each affix of a title that may be a word for "list".
template <class Take>
void for_each_affix(const std::string& title, const Take& take) {
  auto end = title.find(' ');
  if (end == std::string::npos) {
    constexpr std::size_t kLeast = 2, kMost = 4;
    const auto letters = count_code_points(title);
    ByteCounter bytes(title);
    for (std::size_t left = std::max(letters, kMost + 1) - kMost; left + kLeast <= letters; ++left)
      take("*" + title.substr(bytes.at_code_point(static_cast<std::uint32_t>(left))));
    return;
  }
  const auto last = title.substr(title.rfind(' '));
  if (last == lower_case(last)) take("*" + last);
  for (std::size_t words = 0; words < kMostStartWords && end != std::string::npos;
       ++words, end = title.find(' ', end + 1))
    take(title.substr(0, end));
}

bool has_affix(std::string_view title, const std::string& affix) {
  return affix[0] == '*' ? title.ends_with(std::string_view(affix).substr(1)) : title.starts_with(affix + " ");
}

}  // namespace

std::vector<std::string> list_affixes(const storage::Store& store, const std::vector<std::string>& list_titles) {
  std::map<std::string, std::size_t> lists, titles;
  for (const auto& title : list_titles) for_each_affix(title, [&](std::string affix) { ++lists[std::move(affix)]; });
  std::erase_if(lists, [](const auto& entry) { return entry.second < kLeastLists; });
  if (lists.empty()) return {};
  auto cursor = store.cursor(storage::Family::kTitle);
  for (cursor.seek(storage::title_key(kNamespaceMain, "")); cursor.valid(); cursor.next()) {
    const auto key = storage::read_title_key(cursor.key());
    if (!key || key->ns != kNamespaceMain) break;
    for (const auto& [affix, count] : lists) titles[affix] += has_affix(key->text, affix) ? 1 : 0;
  }
  // Two of three titles that have it are of lists.
  std::vector<std::string> affixes;
  for (const auto& [affix, count] : lists) {
    if (2 * titles[affix] <= 3 * count) affixes.push_back(affix);
  }
  return affixes;
}

}  // namespace touchstone::pipeline::evidence::wording
