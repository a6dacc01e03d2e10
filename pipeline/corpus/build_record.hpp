#pragma once

#include "extractors/site/site_info.hpp"
#include "pipeline/flow/stage.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// What every released collection says of its source and of its making.
namespace touchstone::pipeline::corpus {

/// The wiki and its dumps. Empty texts are not known.
struct WikiFacts {
  std::string name;  ///< as docids carry it
  std::string site_name, base_url, language;
  std::string dump_date;  ///< newest revision time, ISO 8601
  std::vector<std::string> dump_names;

  /// "ltgwiki-20170120-automatic": name, day of the newest revision, and the kind of collection.
  std::string collection_name(std::string_view kind) const;
};

/// \pre the stage reads NameOptions and the meta keys of sources and of the newest timestamp
WikiFacts wiki_facts(const flow::ReadContext& context, const extractors::site::SiteInfo& site);

/// `{dumps, config, stages}` for manifest.json: the files that were read, all options that output depends on, and what
/// the stages before counted. \pre as wiki_facts
nlohmann::ordered_json build_record(const flow::ReadContext& context);

}  // namespace touchstone::pipeline::corpus
