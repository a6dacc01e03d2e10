#include "pipeline/corpus/build_record.hpp"

#include "collection/release/license.hpp"
#include "common/json_tree.hpp"
#include "common/version.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/flow/source_records.hpp"
#include "storage/meta_keys.hpp"

#include <utility>

#include <nlohmann/json.hpp>

namespace touchstone::pipeline::corpus {
namespace {

using Json = nlohmann::ordered_json;
using storage::Family;

auto sources_of(const flow::ReadContext& context) {
  std::string bytes;
  context.store.get(Family::kMeta, storage::kMetaSources, bytes);
  return flow::decode_sources(bytes);
}

}  // namespace

collection::release::CollectionFacts collection_facts(const flow::ReadContext& context,
                                                      const extractors::site::SiteInfo& site, std::string_view kind,
                                                      std::string name) {
  collection::release::CollectionFacts facts;
  facts.wiki = wiki_name(context.options<NameOptions>(), site);
  facts.site_name = site.site_name;
  facts.base_url = site.base_url;
  facts.language = site.language;
  facts.license = context.options<LicenseOptions>().license;
  if (facts.license.empty()) facts.license = collection::release::named_license(site.license);
  context.store.get(Family::kMeta, storage::kMetaNewestTimestamp, facts.dump_date);
  for (const auto& dump : sources_of(context)) facts.dump_names.push_back(dump.name);
  facts.program_version = program_version();
  facts.name = std::move(name);
  if (!facts.name.empty()) return facts;
  std::string day = facts.dump_date.substr(0, 10);
  std::erase(day, '-');
  facts.name = facts.wiki + (day.empty() ? "" : "-" + day) + "-" + std::string(kind);
  return facts;
}

nlohmann::ordered_json build_record(const flow::ReadContext& context) {
  Json record;
  record["dumps"] = Json::array();
  for (const auto& dump : sources_of(context))
    record["dumps"].push_back({{"name", dump.name}, {"bytes", dump.bytes}, {"sha256", dump.sha256}});
  std::string previous;
  if (context.store.get(Family::kMeta, storage::kMetaPrevious, previous)) record["previous"] = parse_json(previous);
  Json config = Json::object();
  for (const auto& [key, text] : context.provenance().options) config[key] = text;
  record["config"] = std::move(config);
  Json stages = Json::object();
  for (const auto& [stage, report] : context.provenance().stages)
    stages[stage] = {{"counts", report.counts}, {"rejected", report.rejected}};
  record["stages"] = std::move(stages);
  return record;
}

}  // namespace touchstone::pipeline::corpus
