#include "pipeline/automatic/page_items.hpp"

#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace touchstone::pipeline::automatic::internal {

using storage::Family;

PageItems::PageItems(const storage::Store& store) {
  std::vector<Item> known;
  for (auto cursor = store.cursor(Family::kAttribute); cursor.valid(); cursor.next()) {
    const auto page = storage::read_page_key(cursor.key());
    const std::string qid = storage::decode_attributes(cursor.value()).qid;
    std::uint64_t number = 0;
    if (!page || qid.size() < 2) continue;
    const auto [end, error] = std::from_chars(qid.data() + 1, qid.data() + qid.size(), number);
    if (error == std::errc() && end == qid.data() + qid.size()) known.emplace_back(page->value, number);
  }
  std::vector<Item> by_table;
  for (auto cursor = store.cursor(Family::kEntity); cursor.valid(); cursor.next()) {
    const auto page = storage::read_page_key(cursor.key());
    if (page) by_table.emplace_back(page->value, storage::decode_entity(cursor.value()).item);
  }
  // Of two items of a page the first counts: what the pages say, before what page_props and Wikidata say.
  std::merge(known.begin(), known.end(), by_table.begin(), by_table.end(), std::back_inserter(items_),
             [](const Item& a, const Item& b) { return a.first < b.first; });
  items_.erase(
      std::unique(items_.begin(), items_.end(), [](const Item& a, const Item& b) { return a.first == b.first; }),
      items_.end());
  items_.shrink_to_fit();
}

std::string PageItems::qid(PageId page) const {
  const auto found = std::lower_bound(items_.begin(), items_.end(), std::pair{page.value, std::uint64_t{0}});
  return found == items_.end() || found->first != page.value ? "" : "Q" + std::to_string(found->second);
}

}  // namespace touchstone::pipeline::automatic::internal
