#pragma once

#include "collection/release/collection_facts.hpp"
#include "extractors/site/site_info.hpp"
#include "pipeline/flow/stage.hpp"

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

/// What every released collection says of its source and of its making.
namespace touchstone::pipeline::corpus {

/// The facts of a collection, without `manifest_json`.
/// \param kind  "automatic"
/// \param name  of the collection; empty: wiki, day of the newest revision and kind, "ltgwiki-20170120-automatic"
/// \pre the stage reads NameOptions, LicenseOptions and the meta keys of sources and of the newest timestamp
collection::release::CollectionFacts collection_facts(const flow::ReadContext& context,
                                                      const extractors::site::SiteInfo& site, std::string_view kind,
                                                      std::string name);

/// `{dumps, config, stages}` for manifest.json: the files that were read, all options that output depends on, and what
/// the stages before counted. \pre as collection_facts
nlohmann::ordered_json build_record(const flow::ReadContext& context);

}  // namespace touchstone::pipeline::corpus
