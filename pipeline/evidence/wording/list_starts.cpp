#include "pipeline/evidence/wording/list_starts.hpp"

#include "common/title.hpp"
#include "storage/keys.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

namespace touchstone::pipeline::evidence::wording {
namespace {

constexpr std::size_t kLeastLists = 3, kMostWords = 2;

/// Titles that begin so, redirects among them, as far as they are of interest.
std::size_t count_titles(const storage::Store& store, const std::string& start, std::size_t most) {
  std::size_t count = 0;
  auto cursor = store.cursor(storage::Family::kTitle);
  for (cursor.seek(storage::title_key(kNamespaceMain, start)); cursor.valid() && count <= most; cursor.next()) {
    const auto key = storage::read_title_key(cursor.key());
    if (!key || key->ns != kNamespaceMain || !key->text.starts_with(start)) break;
    ++count;
  }
  return count;
}

}  // namespace

std::vector<std::string> list_starts(const storage::Store& store, const std::vector<std::string>& list_titles) {
  std::map<std::string, std::size_t> lists;
  for (const auto& title : list_titles) {
    auto end = title.find(' ');
    for (std::size_t words = 0; words < kMostWords && end != std::string::npos; ++words, end = title.find(' ', end + 1))
      ++lists[title.substr(0, end)];
  }
  std::vector<std::string> starts;
  for (const auto& [start, count] : lists) {
    // Two of three titles that begin so are of lists.
    const auto most = count + count / 2;
    if (count >= kLeastLists && count_titles(store, start + " ", most) <= most) starts.push_back(start);
  }
  return starts;
}

}  // namespace touchstone::pipeline::evidence::wording
