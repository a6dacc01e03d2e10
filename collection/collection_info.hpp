#pragma once

#include "common/candidate_source.hpp"

#include <string>
#include <vector>

namespace touchstone::collection {

/// How the collection describes itself in manifest.json, README.md and croissant.json.
struct CollectionInfo {
  std::string name;  ///< "shintowiki-20260531-evidence"
  std::string wiki;  ///< database name
  std::string site_name, base_url, language;
  std::string license;         ///< of the texts, e.g. "unknown: see the wiki"; SPDX where known
  std::string judge;           ///< judge id
  bool baseline_judge = true;  ///< labels by the embedded judge; every file for readers says so
  int evidence_grade = 1;      ///< lowest grade of a judgment that is evidence; below it the qrels have 0
  bool copies = true;          ///< the corpus is also there as other readers want it
  std::string mode;            ///< "strict" or "lenient"
  std::string corpus_scope;    ///< e.g. "lead section of every article, one passage each"
  std::vector<CandidateSource> candidate_sources = {CandidateSource::kLink};  ///< besides the members' own articles
  std::vector<std::string> dump_names;
  std::string dump_date;  ///< newest revision time in the dumps, ISO 8601 (artifacts hold no wall-clock time)
  std::string program_version;
  std::string manifest_json;  ///< effective config, stage counts, dump digests: merged into manifest.json
};

}  // namespace touchstone::collection
