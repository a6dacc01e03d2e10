#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// What a released collection says of its source and of itself.
namespace touchstone::collection::release {

/// The wiki that a collection is made from, and its dumps. Empty texts are not known.
struct WikiFacts {
  std::string wiki;  ///< database name, as docids carry it
  std::string site_name, base_url, language;
  std::string license;                  ///< of the texts, e.g. "unknown: see the wiki"; SPDX where known
  std::vector<std::string> dump_names;  ///< in the order in which they were read
  std::string dump_date;  ///< newest revision time in the dumps, ISO 8601 (artifacts hold no wall-clock time)

  /// The wiki's name for people.
  const std::string& title() const { return site_name.empty() ? wiki : site_name; }
};

/// What collections of both kinds say in manifest.json and README.md.
struct CollectionFacts : WikiFacts {
  std::string name;  ///< "shintowiki-20260531-evidence"
  std::string program_version;
  std::string manifest_json;  ///< effective config, stage counts, dump digests: merged into manifest.json
};

enum class CollectionKind : std::uint8_t { kEvidence, kAutomatic };

}  // namespace touchstone::collection::release
