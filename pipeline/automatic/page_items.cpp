#include "pipeline/automatic/page_items.hpp"

#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <charconv>

namespace touchstone::pipeline::automatic::internal {

PageItems::PageItems(const storage::Store& store) {
  for (auto cursor = store.cursor(storage::Family::kAttribute); cursor.valid(); cursor.next()) {
    const auto page = storage::read_page_key(cursor.key());
    const std::string qid = storage::decode_attributes(cursor.value()).qid;
    std::uint64_t number = 0;
    if (!page || qid.size() < 2) continue;
    const auto [end, error] = std::from_chars(qid.data() + 1, qid.data() + qid.size(), number);
    if (error == std::errc() && end == qid.data() + qid.size()) items_.emplace_back(page->value, number);
  }
}

std::string PageItems::qid(PageId page) const {
  const auto found = std::lower_bound(items_.begin(), items_.end(), std::pair{page.value, std::uint64_t{0}});
  return found == items_.end() || found->first != page.value ? "" : "Q" + std::to_string(found->second);
}

}  // namespace touchstone::pipeline::automatic::internal
