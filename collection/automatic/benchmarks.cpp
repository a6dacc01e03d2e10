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

JsonWriter benchmark_writer(const Derivation& derivation) {
  JsonWriter out({.escapes = JsonEscapes::kLineBreaks});
  out.begin_object().field("query_id", derivation.topic.car_id).field("query_text", derivation.topic.title);
  return out;
}

/// The paragraph under the id of its representative.
void write_paragraph(JsonWriter& out, std::string_view name, const car::Paragraph& paragraph) {
  std::string line = car::paragraph_json_line(paragraph);
  line.pop_back();  // its line end
  out.key(name).raw(line);
}

/// Entities, each once, in the order in which they come.
class LabelList {
 public:
  void add(const Entity& entity) {
    if (ids_.insert(entity.page_id).second) entities_.push_back(entity);
  }
  void add_all(const std::vector<Entity>& entities) {
    for (const auto& entity : entities) add(entity);
  }

  /// \param kind  "true" or "acceptable"
  void write(JsonWriter& out, const std::string& kind) const {
    out.key(kind + "_label_page_ids").begin_array();
    for (const auto& entity : entities_) out.value(entity.page_id);
    out.end_array().key(kind + "_label_qids").begin_array();
    for (const auto& entity : entities_)
      if (!entity.qid.empty()) out.value(entity.qid);
    out.end_array();
  }

 private:
  std::vector<Entity> entities_;
  std::unordered_set<std::string> ids_;
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

std::string entity_linking_lines(const Derivation& derivation) {
  LabelList acceptable;
  acceptable.add({derivation.topic.car_id, derivation.topic.qid});
  for (const auto& passage : derivation.passages) acceptable.add_all(passage.entities);

  std::string lines;
  for (const auto& passage : derivation.passages) {
    if (passage.entities.empty()) continue;
    LabelList labels;
    labels.add_all(passage.entities);
    JsonWriter out = benchmark_writer(derivation);
    out.field("paragraph_id", passage.id);
    write_paragraph(out, "text_only_paragraph", {passage.id, {car::paragraph_text(*passage.paragraph)}});
    write_paragraph(out, "true_linked_paragraph", {passage.id, passage.paragraph->bodies});
    labels.write(out, "true");
    acceptable.write(out, "acceptable");
    lines += out.end_object().take_line();
  }
  return lines;
}

}  // namespace touchstone::collection::automatic
