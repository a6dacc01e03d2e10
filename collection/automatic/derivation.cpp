#include "collection/automatic/derivation.hpp"

#include "common/unicode.hpp"
#include "formats/car/ids.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <variant>

namespace touchstone::collection::automatic {
namespace {

namespace car = formats::car;

bool is_site(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.' || c == '~';
  });
}

/// The wiki of a page: the one that its metadata and its id name, or its id alone. Empty if the id names none, as in
/// releases up to v1.5.
std::string site_of(const car::Page& page) {
  const std::string& known = page.metadata.site_id;
  if (!known.empty() && is_site(known) && (page.id.empty() || page.id.starts_with(known + ":"))) return known;
  std::string site = page.id.substr(0, page.id.find(':'));
  const bool names_site = is_site(site) && page.id == car::page_id(site, page.name);
  return names_site ? site : "";
}

std::vector<Entity> entities_of(const car::Paragraph& paragraph) {
  std::vector<Entity> entities;
  for (const auto& body : paragraph.bodies) {
    const auto* link = std::get_if<car::Link>(&body);
    if (link == nullptr || link->page_id.empty()) continue;
    const auto known = std::find_if(entities.begin(), entities.end(),
                                    [&](const Entity& entity) { return entity.page_id == link->page_id; });
    if (known == entities.end()) {
      entities.push_back({link->page_id, link->qid});
    } else if (known->qid.empty()) {
      known->qid = link->qid;
    }
  }
  return entities;
}

/// Walks over one page and collects what it gives.
class PageWalk {
 public:
  PageWalk(const car::Page& page, const DerivationOptions& options) : options_(options) {
    name_.site = site_of(page);
    name_.title = is_invisible(page.name) ? page.id : page.name;
    auto& topic = derivation_.topic;
    topic.title = name_.title;
    topic.car_id = page.id.empty() ? car::page_id(name_.site, name_.title) : page.id;
    topic.id = car::unambiguous_id(name_);
    topic.qid = page.metadata.qid;
    add_all(page.skeleton, kNoFacet);
  }

  Derivation take() { return std::move(derivation_); }

 private:
  void add_all(const std::vector<car::Skeleton>& skeletons, std::size_t facet) {
    for (const auto& skeleton : skeletons)
      std::visit([&](const auto& element) { add(element, facet); }, skeleton.element);
  }

  void add(const car::Section& section, std::size_t parent) {
    add_all(section.children, is_invisible(section.heading) ? parent : facet_of(section, parent));
  }

  void add(const car::Paragraph& paragraph, std::size_t facet) {
    if (is_invisible(car::paragraph_text(paragraph))) return;
    std::string id = paragraph.id.empty() ? car::paragraph_id(paragraph.bodies) : paragraph.id;
    if (options_.representative) id = options_.representative(id);
    derivation_.passages.push_back({std::move(id), facet, entities_of(paragraph), &paragraph});
  }

  void add(const car::ListItem& item, std::size_t facet) {
    if (options_.list_items) add(item.paragraph, facet);
  }

  void add(const car::Image& image, std::size_t facet) {
    if (options_.captions) add_all(image.caption, facet);
  }

  void add(const car::Infobox&, std::size_t) {}

  std::size_t facet_of(const car::Section& section, std::size_t parent) {
    auto& facets = derivation_.facets;
    const auto [known, is_new] = known_.try_emplace(std::to_string(parent) + "/" + section.heading, facets.size());
    if (!is_new) return known->second;
    Facet facet;
    if (parent != kNoFacet) {
      facet.headings = facets[parent].headings;
      facet.heading_ids = facets[parent].heading_ids;
    }
    facet.headings.push_back(section.heading);
    facet.heading_ids.push_back(section.heading_id.empty() ? car::heading_id(section.heading) : section.heading_id);
    facet.car_id = car::section_path_id(derivation_.topic.car_id, facet.heading_ids);
    name_.headings = facet.headings;
    facet.id = car::unambiguous_id(name_);
    facet.parent = parent;
    facets.push_back(std::move(facet));
    return known->second;
  }

  const DerivationOptions& options_;
  car::SectionName name_;
  Derivation derivation_;
  std::unordered_map<std::string, std::size_t> known_;  // parent and heading -> facet
};

}  // namespace

std::size_t Derivation::top_level(std::size_t facet) const {
  while (facets[facet].parent != kNoFacet) facet = facets[facet].parent;
  return facet;
}

Derivation derive(const formats::car::Page& page, const DerivationOptions& options) {
  return PageWalk(page, options).take();
}

}  // namespace touchstone::collection::automatic
