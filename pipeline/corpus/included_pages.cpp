#include "pipeline/corpus/included_pages.hpp"

#include "common/records/record_coding.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"

#include <utility>

namespace touchstone::pipeline::corpus {
namespace {

using storage::Family;

// First byte of a value: a page whose text follows, or one that is only known to exist.
constexpr char kText = 't', kExists = 'x';

}  // namespace

void put_included_page(storage::Batch& batch, const extractors::IncludedPage& page) {
  batch.put(Family::kTemplate, storage::title_key(page.title.ns, page.title.text),
            page.text ? kText + *page.text : std::string(1, kExists));
}

std::string IncludedSoFar::encode() const {
  records::Encoder to;
  records::encode(to, *this);
  return to.take();
}

IncludedSoFar included_so_far(const storage::Store& store) {
  std::string bytes;
  return store.get(Family::kMeta, storage::kMetaIncludedProgress, bytes) ? records::decode_all<IncludedSoFar>(bytes)
                                                                         : IncludedSoFar{};
}

std::optional<std::string> StoredPages::load(const Title& title) const {
  std::string key = storage::title_key(title.ns, title.text);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = cache_.find(key); found != cache_.end()) return found->second;
  }
  std::string value;
  std::optional<std::string> text;
  if (store_.get(Family::kTemplate, key, value) && value.starts_with(kText)) text = value.substr(1);
  const std::lock_guard lock(mutex_);
  const std::size_t bytes = key.size() + value.size() + sizeof(std::string) * 4;
  if (used_bytes_ + bytes <= cache_bytes_ && cache_.try_emplace(std::move(key), text).second) used_bytes_ += bytes;
  return text;
}

bool StoredPages::exists(const Title& title) const {
  std::string value;
  return store_.get(Family::kTemplate, storage::title_key(title.ns, title.text), value);
}

}  // namespace touchstone::pipeline::corpus
