#include "annotation/summary.hpp"

#include "common/json_writer.hpp"

namespace touchstone::annotation {

std::string summary_json(const Campaign& campaign) {
  JsonWriter json;
  json.begin_object().field("title", campaign.options().title).key("sections").begin_array();
  json.begin_object().field("id", "progress").field("title", "Progress").key("table").begin_object();
  json.key("columns").begin_array();
  for (const auto* name : {"annotator", "answered", "expected"})
    json.begin_object().field("name", name).field("kind", "text").end_object();
  json.end_array().key("rows").begin_array();
  for (std::size_t i = 0; i < campaign.access().annotators().size(); ++i) {
    const auto progress = campaign.progress(i);
    json.begin_array()
        .value(campaign.access().annotators()[i].pseudonym)
        .value(progress.answered)
        .value(progress.total);
    json.end_array();
  }
  return json.end_array().end_object().end_object().end_array().end_object().take();
}

}  // namespace touchstone::annotation
