#include "pipeline/automatic/page_links.hpp"

#include "common/error.hpp"
#include "formats/car/ids.hpp"
#include "storage/keys.hpp"

#include <algorithm>

namespace touchstone::pipeline::automatic::internal {

using formats::car::Link;
using formats::car::Paragraph;
using formats::car::ParagraphBody;
using storage::AttributeRecord;
using storage::Family;

PageLinks::PageLinks(const storage::Store& store, const corpus::TitleIndex& titles, std::string_view wiki, PageId page,
                     const PageItems* items)
    : titles_(titles), wiki_(wiki), items_(items) {
  if (items_ == nullptr) return;
  std::string bytes;
  const auto key = storage::page_key(page);
  if (store.get(Family::kLink, key, bytes)) written_ = storage::decode_link_titles(bytes);
  if (store.get(Family::kLinkTarget, key, bytes)) pages_ = storage::decode_link_targets(bytes).pages;
  pages_.resize(written_.size());
  known_.resize(written_.size());
}

const Link& PageLinks::target(std::uint32_t index) {
  if (index >= known_.size())
    throw StorageError("the store holds a text with a link that its page does not have; build it again from the dump");
  auto& known = known_[index];
  if (known) return *known;
  known.emplace();
  Title title = written_[index];
  if (pages_[index].value != 0) {
    if (auto page = titles_.page(pages_[index])) title = std::move(page->title);
    known->qid = items_->qid(pages_[index]);
  }
  known->page_name = titles_.prefixed(title);
  if (title.ns == kNamespaceMain) known->page_id = formats::car::page_id(wiki_, known->page_name);
  return *known;
}

std::vector<ParagraphBody> PageLinks::bodies(std::string_view text, const std::vector<storage::TextLink>& links,
                                             std::span<const AttributeRecord::SectionLink> sections) {
  std::vector<ParagraphBody> bodies;
  if (items_ == nullptr) {
    bodies.emplace_back(std::string(text));
    return bodies;
  }
  std::size_t done = 0;
  for_each_anchor(text, links, [&](std::size_t index, std::size_t begin, std::size_t end) {
    if (begin > done) bodies.emplace_back(std::string(text.substr(done, begin - done)));
    Link body = target(links[index].target);
    body.anchor = text.substr(begin, end - begin);
    const auto section =
        std::find_if(sections.begin(), sections.end(), [&](const auto& of_link) { return of_link.link == index; });
    if (section != sections.end()) body.section = section->section;
    bodies.emplace_back(std::move(body));
    done = end;
  });
  if (done < text.size()) bodies.emplace_back(std::string(text.substr(done)));
  return bodies;
}

Paragraph PageLinks::paragraph(std::string_view text, const std::vector<storage::TextLink>& links,
                               std::span<const AttributeRecord::SectionLink> sections) {
  Paragraph paragraph;
  paragraph.bodies = bodies(text, links, sections);
  paragraph.id = formats::car::paragraph_id(paragraph.bodies);
  return paragraph;
}

}  // namespace touchstone::pipeline::automatic::internal
