#include "collection/automatic/benchmarks.hpp"

#include "common/json_writer.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/json_lines.hpp"

#include <map>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace touchstone::collection::automatic {
namespace {

namespace car = formats::car;

constexpr JsonStyle kLineStyle{.escapes = JsonEscapes::kLineBreaks};

JsonWriter benchmark_writer(const Derivation& derivation) {
  JsonWriter out(kLineStyle);
  out.begin_object().field("query_id", derivation.topic.car_id).field("query_text", derivation.topic.title);
  return out;
}

/// Entities, each once, in the order in which they come. They outlive this.
class LabelList {
 public:
  void add(const Entity& entity) {
    if (ids_.insert(entity.page_id).second) entities_.push_back(&entity);
  }
  void add_all(const std::vector<Entity>& entities) {
    for (const auto& entity : entities) add(entity);
  }

  std::string page_ids() const {
    JsonWriter out(kLineStyle);
    out.begin_array();
    for (const auto* entity : entities_) out.value(entity->page_id);
    return out.end_array().take();
  }
  /// Of those whose QID is known.
  std::string qids() const {
    JsonWriter out(kLineStyle);
    out.begin_array();
    for (const auto* entity : entities_)
      if (!entity->qid.empty()) out.value(entity->qid);
    return out.end_array().take();
  }

 private:
  std::vector<const Entity*> entities_;
  std::unordered_set<std::string_view> ids_;
};

}  // namespace

std::string cluster_line(const Derivation& derivation) {
  std::map<std::string_view, const Facet*> labels;     // passage -> its top-level section
  std::map<std::string_view, std::size_t> cluster_of;  // section -> its cluster
  for (const auto& passage : derivation.passages) {
    if (passage.facet == kNoFacet) continue;
    const Facet& top = derivation.facets[derivation.top_level(passage.facet)];
    labels[passage.id] = &top;
  }
  for (const auto& [passage, label] : labels) cluster_of.emplace(label->car_id, 0);
  if (cluster_of.size() < 2) return "";
  std::size_t next = 0;
  for (auto& [section, cluster] : cluster_of) cluster = next++;

  JsonWriter out = benchmark_writer(derivation);
  out.key("elements").begin_array();
  for (const auto& [passage, label] : labels) out.value(passage);
  out.end_array().key("true_cluster_idx").begin_array();
  for (const auto& [passage, label] : labels) out.value(cluster_of.at(label->car_id));
  out.end_array().key("true_cluster_labels").begin_array();
  for (const auto& [passage, label] : labels) {
    out.begin_object()
        .field("section_path_id", label->car_id)
        .field("section_path_headings", label->heading_ids)
        .end_object();
  }
  return out.end_array().end_object().take_line();
}

void for_each_entity_linking_line(const Derivation& derivation, const std::function<void(std::string_view)>& take) {
  const Entity page{derivation.topic.car_id, derivation.topic.qid};
  LabelList acceptable;
  acceptable.add(page);
  for (const auto& passage : derivation.passages) acceptable.add_all(passage.entities);
  // They are in every line, and are most of it.
  const std::string acceptable_ids = acceptable.page_ids(), acceptable_qids = acceptable.qids();

  for (const auto& passage : derivation.passages) {
    if (passage.entities.empty()) continue;
    LabelList labels;
    labels.add_all(passage.entities);
    const car::ParagraphBody text = car::paragraph_text(*passage.paragraph);
    JsonWriter out = benchmark_writer(derivation);
    out.field("paragraph_id", passage.id);
    out.key("text_only_paragraph").raw(car::paragraph_json(passage.id, {&text, 1}));
    out.key("true_linked_paragraph").raw(car::paragraph_json(passage.id, passage.paragraph->bodies));
    out.key("true_label_page_ids").raw(labels.page_ids()).key("true_label_qids").raw(labels.qids());
    out.key("acceptable_label_page_ids").raw(acceptable_ids).key("acceptable_label_qids").raw(acceptable_qids);
    take(out.end_object().take_line());
  }
}

}  // namespace touchstone::collection::automatic
