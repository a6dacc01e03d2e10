#pragma once

#include "common/options.hpp"
#include "common/settings.hpp"
#include "storage/records.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::pipeline::corpus {

/// A topic that conditions on Wikidata's items describe, as an option has it.
struct WikidataTopic {
  std::string name;                     ///< the query
  std::string of_class;                 ///< "Q39715"; empty: any
  std::vector<std::string> properties;  ///< "P131=Q22" each

  static std::vector<Option<WikidataTopic>> options();
};

/// The same with numbers instead of texts.
struct WikidataConditions {
  std::string name;
  std::uint64_t of_class = 0;                      ///< the item or one of its types is below it; 0: any
  std::vector<storage::ItemStatement> statements;  ///< all of which the item has
};

/// Topics whose members are the pages of items that meet conditions.
struct WikidataTopicsOptions {
  std::vector<Overrides<WikidataTopic>> topics;

  static std::vector<Option<WikidataTopicsOptions>> options();
  static std::vector<std::string> problems(const Settings& settings);

  /// \pre the settings have no problems
  std::vector<WikidataConditions> conditions() const;
  /// Numbers of the properties that the conditions name, ascending.
  std::vector<std::uint32_t> properties() const;
};

}  // namespace touchstone::pipeline::corpus
