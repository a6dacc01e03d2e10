#include "pipeline/corpus/links/link_parts.hpp"

namespace touchstone::pipeline::corpus::links {
namespace {

constexpr std::size_t kRecentTitles = std::size_t{1} << 15U;
constexpr std::uint32_t kNoNumber = UINT32_MAX;

template <class Record>
void write_sorted(records::Sorter<Record>& sorter, const flow::PartWriter& parts, std::string_view name) {
  auto part = parts.records<Record>(name);
  while (const auto record = sorter.next()) part.add(*record);
  part.finish();
}

}  // namespace

LinkPartWriter::LinkPartWriter(const flow::PartWriter& parts, const std::filesystem::path& folder,
                               std::size_t memory_bytes)
    : parts_(parts),
      titles_(folder, memory_bytes / 4),
      targets_(folder, memory_bytes - memory_bytes / 4),
      redirects_(parts.records<RedirectPage>(kRedirectsPart)),
      links_(parts.records<PageLinks>(kLinksPart)),
      recent_(kRecentTitles, {0, kNoNumber}) {}

void LinkPartWriter::add_page(PageId id, const storage::PageRecord& page) {
  titles_.add({title_hash(page.title), id.value, page.content == storage::PageContent::kRead});
  if (!page.is_redirect) return;
  RedirectPage redirect{id.value, {}, {}, !page.redirect_fragment.empty()};
  if (page.redirect.text.empty())
    redirect.title = page.title.text;
  else
    redirect.target = title_hash(page.redirect);
  redirects_.add(redirect);
}

void LinkPartWriter::add_links(PageId id, std::string_view links) {
  page_links_.page = id.value;
  page_links_.targets.clear();
  page_links_.places = storage::visit_link_targets(links, [&](std::int32_t ns, std::string_view text) {
    page_links_.targets.push_back(number_of(title_hash(ns, text)));
  });
  links_.add(page_links_);
}

std::uint32_t LinkPartWriter::number_of(std::uint64_t hash) {
  auto& recent = recent_[hash % kRecentTitles];
  if (recent.hash != hash || recent.number == kNoNumber) {
    recent = {hash, next_number_++};
    targets_.add(recent);
  }
  return recent.number;
}

void LinkPartWriter::finish() {
  write_sorted(titles_, parts_, kTitlesPart);
  write_sorted(targets_, parts_, kTargetsPart);
  redirects_.finish();
  links_.finish();
}

}  // namespace touchstone::pipeline::corpus::links
