#include "pipeline/corpus/template_pages.hpp"

#include "pipeline/corpus/page_records.hpp"
#include "storage/keys.hpp"

namespace touchstone::pipeline::corpus {
namespace {

using storage::Family;

// First byte of a value: a page whose text follows, or one that is only known to exist.
constexpr char kText = 't', kExists = 'x';

}  // namespace

TemplateBatch read_template_batch(const extractors::SiteInfo& site, const extractors::PageBatch& batch) {
  TemplateBatch out;
  out.end_offset = batch.end_offset;
  for (const auto& extent : batch.pages) {
    const auto raw = extractors::parse_page(std::string_view(batch.bytes).substr(extent.begin, extent.size));
    if (!raw) continue;
    const auto title = title_of(site, *raw);
    const bool is_template = title.ns == kNamespaceTemplate && raw->model == "wikitext";
    out.templates += is_template ? 1 : 0;
    out.batch.put(Family::kTemplate, storage::title_key(title.ns, title.text),
                  is_template ? kText + raw->text : std::string(1, kExists));
  }
  return out;
}

std::optional<std::string> StoredTemplates::load(const Title& title) const {
  if (title.ns != kNamespaceTemplate) return std::nullopt;
  const std::string key = storage::title_key(title.ns, title.text);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = cache_.find(key); found != cache_.end()) return found->second;
  }
  std::string value;
  std::optional<std::string> text;
  if (store_.get(Family::kTemplate, key, value) && value.starts_with(kText)) text = value.substr(1);
  const std::lock_guard lock(mutex_);
  const std::size_t bytes = key.size() + value.size() + sizeof(std::string) * 4;
  if (used_bytes_ + bytes <= cache_bytes_ && cache_.try_emplace(key, text).second) used_bytes_ += bytes;
  return text;
}

bool StoredTemplates::exists(const Title& title) const {
  std::string value;
  return store_.get(Family::kTemplate, storage::title_key(title.ns, title.text), value);
}

}  // namespace touchstone::pipeline::corpus
