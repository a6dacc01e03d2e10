#pragma once

#include "retrieval/index.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

#include <string>

namespace touchstone::retrieval::testing {

/// A directory in BEIR's form with an index.
class SampleIndex {
 public:
  explicit SampleIndex(const std::string& corpus, const std::string& links = "", const std::string& stemmer = "") {
    touchstone::testing::write_text(folder / "corpus.jsonl", corpus);
    touchstone::testing::write_text(folder / "queries.jsonl", "{\"_id\":\"q\",\"text\":\"apple\"}\n");
    options.stemmer = stemmer;
    if (!links.empty()) {
      touchstone::testing::write_text(folder / "links.tsv", links);
      options.links = folder / "links.tsv";
    }
  }

  Index open() {
    const auto source = open_collection(folder.path(), {});
    return Index::open_or_build(folder / "work", *source, Unit::kPassages, options);
  }

  touchstone::testing::TemporaryFolder folder;
  IndexOptions options;
};

inline std::string passage(const std::string& id, const std::string& text, const std::string& title = "") {
  return R"({"_id":")" + id + R"(","title":")" + title + R"(","text":")" + text + "\"}\n";
}

}  // namespace touchstone::retrieval::testing
