#include "collection/automatic/validation/page_rules.hpp"

#include "common/digest.hpp"
#include "common/json_writer.hpp"
#include "common/unicode.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/json_lines.hpp"
#include "formats/car/writer.hpp"
#include "formats/fields/one_line.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include <fmt/format.h>

namespace touchstone::collection::automatic::validation {
namespace {

namespace car = formats::car;
using formats::fields::one_line;

/// The page, or a section of it.
struct Place {
  std::vector<std::string> headings, heading_ids;
  std::string car_id, id;
  std::vector<std::size_t> way;  ///< places from the page to this one
};

/// Link target and QID.
using Entity = std::pair<std::string, std::string>;

struct Passage {
  std::string id;
  std::size_t place = 0;
  std::vector<Entity> entities;
  const car::Paragraph* paragraph = nullptr;
};

using Pairs = std::set<std::pair<std::string, std::string>>;  ///< topic and docid

class PageReading {
 public:
  PageReading(const car::Page& page, const PassageRules& rules) : page_(page), rules_(rules) {
    title_ = is_invisible(page.name) ? page.id : page.name;
    const auto colon = page.id.find(':');
    std::string site = page.metadata.site_id;
    // The site of the metadata counts if the id agrees, else that of the id, if it is made of site and title.
    if (!is_site(site) || (!page.id.empty() && !page.id.starts_with(site + ":"))) {
      site = page.id.substr(0, colon);
      if (!is_site(site) || car::page_id(site, page.name) != page.id) site.clear();
    }
    site_ = site;
    places_.push_back({{}, {}, page.id.empty() ? car::page_id(site, title_) : page.id, "", {0}});
    places_[0].id = car::unambiguous_id({site_, title_, {}});
    read(page.skeleton, 0);
  }

  PageLines lines() const {
    PageLines lines;
    lines.title = title_of(page_);
    lines.page = record_hash(page_);
    lines.outline = record_hash(outline_of(page_));
    add_judgments(lines);
    add_benchmarks(lines);
    add_index(lines);
    std::set<std::string_view> seen;
    for (const auto& passage : passages_) {
      lines.docids.push_back(passage.id);
      if (passage.id == passage.paragraph->id)
        lines.places.emplace_back(place_hash(passage.id, page_.name), passage.id);
      if (seen.insert(passage.paragraph->id).second)
        lines.paragraphs.emplace_back(xxh3_64(passage.paragraph->id), record_hash(*passage.paragraph));
    }
    return lines;
  }

 private:
  static bool is_site(std::string_view text) {
    constexpr std::string_view kMarks = "-_.~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return !text.empty() && text.find_first_not_of(kMarks) == std::string_view::npos;
  }

  void read(const std::vector<car::Skeleton>& elements, std::size_t place) {
    for (const auto& [element] : elements) {
      if (const auto* section = std::get_if<car::Section>(&element)) {
        read(section->children, is_invisible(section->heading) ? place : place_of(*section, place));
      } else if (const auto* paragraph = std::get_if<car::Paragraph>(&element)) {
        read(*paragraph, place);
      } else if (const auto* item = std::get_if<car::ListItem>(&element); item != nullptr && rules_.list_items) {
        read(item->paragraph, place);
      } else if (const auto* image = std::get_if<car::Image>(&element); image != nullptr && rules_.captions) {
        read(image->caption, place);
      }
    }
  }

  /// Sections with the same headings on the way are one place, with the ids of the first of them.
  std::size_t place_of(const car::Section& section, std::size_t around) {
    const auto [known, is_new] = known_.try_emplace({around, section.heading}, places_.size());
    if (!is_new) return known->second;
    Place place = places_[around];
    place.headings.push_back(section.heading);
    place.heading_ids.push_back(section.heading_id.empty() ? car::heading_id(section.heading) : section.heading_id);
    place.car_id = car::section_path_id(places_[0].car_id, place.heading_ids);
    place.id = car::unambiguous_id({site_, title_, place.headings});
    place.way.push_back(places_.size());
    places_.push_back(std::move(place));
    return places_.size() - 1;
  }

  void read(const car::Paragraph& paragraph, std::size_t place) {
    if (is_invisible(car::paragraph_text(paragraph))) return;
    Passage passage{paragraph.id.empty() ? car::paragraph_id(paragraph.bodies) : paragraph.id, place, {}, &paragraph};
    passage.id = rules_.representative(passage.id);
    std::map<std::string_view, std::size_t> known;  // page id -> number of the entity
    for (const auto& body : paragraph.bodies) {
      const auto* link = std::get_if<car::Link>(&body);
      if (link == nullptr || link->page_id.empty()) continue;
      const auto [entity, is_new] = known.try_emplace(link->page_id, passage.entities.size());
      if (is_new) passage.entities.emplace_back(link->page_id, link->qid);
      if (auto& qid = passage.entities[entity->second].second; qid.empty()) qid = link->qid;
    }
    passages_.push_back(std::move(passage));
  }

  /// The places that a passage is relevant to.
  std::vector<const Place*> topics_of(const Passage& passage, QrelsLevel level) const {
    const auto& way = places_[passage.place].way;
    std::vector<const Place*> topics;
    for (std::size_t i = 0; i < way.size(); ++i) {
      const bool is_topic = level == QrelsLevel::kTree || (level == QrelsLevel::kArticle && i == 0) ||
                            (level == QrelsLevel::kToplevel && i == std::min<std::size_t>(1, way.size() - 1)) ||
                            (level == QrelsLevel::kHierarchical && i == way.size() - 1);
      if (is_topic) topics.push_back(&places_[way[i]]);
    }
    return topics;
  }

  static void add(const Pairs& pairs, Hashes& hashes) {
    for (const auto& [topic, docid] : pairs) hashes.push_back(xxh3_64(fmt::format("{} 0 {} 1", topic, docid)));
  }

  void add_judgments(PageLines& lines) const {
    lines.numbers.pages = 1;
    lines.numbers.facets = places_.size() - 1;
    for (const auto& place : places_) lines.numbers.toplevel_facets += place.way.size() == 2 ? 1 : 0;
    for (const auto& [name, level] : kQrelsLevels) {
      Pairs passages, entities, unambiguous, support;
      for (const auto& passage : passages_) {
        for (const auto* topic : topics_of(passage, level)) {
          passages.emplace(topic->car_id, passage.id);
          unambiguous.emplace(topic->id, passage.id);
          for (const auto& [entity, qid] : passage.entities) {
            entities.emplace(topic->car_id, entity);
            support.emplace(topic->car_id, passage.id + "/" + entity);
          }
        }
      }
      const auto index = static_cast<std::size_t>(level);
      lines.numbers.passages.at(index) = passages.size();
      lines.numbers.entities.at(index) = entities.size();
      add(passages, lines.passages.at(index));
      add(unambiguous, lines.qrels.at(index));
      add(level == QrelsLevel::kTree ? support : entities,
          level == QrelsLevel::kTree ? lines.support_passages : lines.entities.at(index));
    }
    for (const auto& passage : passages_) {
      for (const auto at : places_[passage.place].way) {
        if (at > 0)
          lines.faceted.push_back(xxh3_64(fmt::format("{} {} {} 1", places_[0].id, places_[at].id, passage.id)));
      }
    }
  }

  JsonWriter benchmark_line() const {
    JsonWriter out({.escapes = JsonEscapes::kLineBreaks});
    out.begin_object().field("query_id", places_[0].car_id).field("query_text", title_);
    return out;
  }

  void add_benchmarks(PageLines& lines) const {
    std::map<std::string, const Place*> labels;  // of passages below a heading: its top-level section
    for (const auto& passage : passages_)
      if (passage.place > 0) labels[passage.id] = &places_[places_[passage.place].way[1]];
    std::map<std::string, std::size_t> clusters;
    for (const auto& [passage, label] : labels) clusters.emplace(label->car_id, 0);
    for (std::size_t next = 0; auto& [section, number] : clusters) number = next++;
    if (clusters.size() > 1) {
      JsonWriter out = benchmark_line();
      out.key("elements").begin_array();
      for (const auto& [passage, label] : labels) out.value(passage);
      out.end_array().key("true_cluster_idx").begin_array();
      for (const auto& [passage, label] : labels) out.value(clusters.at(label->car_id));
      out.end_array().key("true_cluster_labels").begin_array();
      for (const auto& [passage, label] : labels)
        out.begin_object()
            .field("section_path_id", label->car_id)
            .field("section_path_headings", label->heading_ids)
            .end_object();
      lines.clusters.push_back(xxh3_64(out.end_array().end_object().take()));
    }
    std::vector<Entity> acceptable{{places_[0].car_id, page_.metadata.qid}};
    std::set<std::string_view> seen{places_[0].car_id};
    for (const auto& passage : passages_)
      for (const auto& entity : passage.entities)
        if (seen.insert(entity.first).second) acceptable.push_back(entity);  // the first QID counts
    for (const auto& passage : passages_) {
      if (passage.entities.empty()) continue;
      const car::ParagraphBody text = car::paragraph_text(*passage.paragraph);
      JsonWriter out = benchmark_line();
      out.field("paragraph_id", passage.id);
      out.key("text_only_paragraph").raw(car::paragraph_json(passage.id, {&text, 1}));
      out.key("true_linked_paragraph").raw(car::paragraph_json(passage.id, passage.paragraph->bodies));
      using Labels = std::pair<const char*, const std::vector<Entity>*>;
      for (const auto& [kind, entities] : {Labels("true", &passage.entities), Labels("acceptable", &acceptable)}) {
        std::vector<std::string> ids, qids;
        for (const auto& [id, qid] : *entities) {
          ids.push_back(id);
          if (!qid.empty()) qids.push_back(qid);
        }
        out.field(fmt::format("{}_label_page_ids", kind), ids).field(fmt::format("{}_label_qids", kind), qids);
      }
      lines.entity_linking.push_back(xxh3_64(out.end_object().take()));
    }
  }

  void add_index(PageLines& lines) const {
    std::map<std::string_view, std::set<QrelsLevel>> judging;
    for (const auto& passage : passages_) {
      for (const auto& [name, level] : kQrelsLevels)
        for (const auto* topic : topics_of(passage, level)) judging[topic->id].insert(level);
    }
    std::set<std::string_view> seen;
    for (const auto& place : places_) {
      lines.topics.push_back(xxh3_64(place.car_id));
      lines.id_map.push_back(xxh3_64(place.car_id + "\t" + place.id));
      if (seen.insert(place.id).second) lines.format_topics.emplace_back(place.id, judging[place.id]);
    }
    lines.topic_texts.push_back(xxh3_64(places_[0].id + "\t" + one_line(title_)));
    if (!page_.metadata.qid.empty()) lines.qids.push_back(xxh3_64(one_line(page_.metadata.qid)));
    for (const auto& passage : passages_)
      for (const auto& [id, qid] : passage.entities)
        if (!qid.empty()) lines.entity_qids.push_back(xxh3_64(one_line(id) + "\t" + one_line(qid)));
  }

  const car::Page& page_;
  const PassageRules& rules_;
  std::string title_, site_;
  std::vector<Place> places_;                                         ///< in page order; the first is the page
  std::map<std::pair<std::size_t, std::string>, std::size_t> known_;  ///< place around and heading -> place
  std::vector<Passage> passages_;
};

}  // namespace

std::uint64_t record_hash(const car::Page& page) {
  const auto line = page_json_line(page);
  return xxh3_64(std::string_view(line).substr(0, line.size() - 1));
}

std::uint64_t record_hash(const car::Paragraph& paragraph) {
  const auto line = paragraph_json_line(paragraph);
  return xxh3_64(std::string_view(line).substr(0, line.size() - 1));
}

std::string title_of(const car::Page& page) {
  return one_line(is_invisible(page.name) ? page.id : page.name);
}

std::uint64_t place_hash(std::string_view docid, std::string_view page) {
  return xxh3_64(fmt::format("{}\t{}", docid, page));
}

PageLines lines_of(const formats::car::Page& page, const PassageRules& rules) {
  return PageReading(page, rules).lines();
}

void append(Hashes& all, const Hashes& more) {
  all.insert(all.end(), more.begin(), more.end());
}

void PartLines::add(const PageLines& page) {
  for (std::size_t level = 0; level < page.passages.size(); ++level) {
    append(lines.passages.at(level), page.passages.at(level));
    append(lines.entities.at(level), page.entities.at(level));
    append(lines.qrels.at(level), page.qrels.at(level));
  }
  append(lines.support_passages, page.support_passages);
  append(lines.faceted, page.faceted);
  append(lines.clusters, page.clusters);
  append(lines.entity_linking, page.entity_linking);
  lines.numbers += page.numbers;
  pages.push_back(page.page);
  outlines.push_back(page.outline);
  for (const auto& [id, record] : page.paragraphs)
    if (paragraph_ids.insert(id).second) paragraphs.push_back(record);
}

}  // namespace touchstone::collection::automatic::validation
