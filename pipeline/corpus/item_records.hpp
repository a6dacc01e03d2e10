#pragma once

#include "common/settings.hpp"
#include "pipeline/corpus/links/sql_tables.hpp"
#include "pipeline/corpus/links/title_join.hpp"
#include "pipeline/corpus/redirect_map.hpp"
#include "pipeline/flow/stage.hpp"
#include "storage/bulk_loader.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::pipeline::corpus {

/// Which dumps of Wikidata are read, and what of them.
struct WikidataOptions {
  std::vector<std::string> files;
  std::string site;
  std::vector<std::string> languages;

  static std::vector<Option<WikidataOptions>> options();
  static std::vector<std::string> problems(const Settings& settings);
};

/// Throws ConfigError if dumps of Wikidata are given and neither the options nor the pages name the wiki.
void check_wikidata_site(const flow::ReadContext& context);

/// Writes the Wikidata items of the pages in the store, from page_props and from dumps of Wikidata, and the classes of
/// Wikidata. Throws FormatError for a file that is no dump of it.
/// \param titles  begins a walk over the pages, for join_titles
void write_items(flow::WriteContext& context, const links::SqlTables& tables, std::size_t memory_bytes,
                 const std::function<std::function<std::optional<links::TitledPage>()>()>& titles,
                 const RedirectMap& redirects, storage::BulkLoader& loader, flow::StageReport& report);

}  // namespace touchstone::pipeline::corpus
