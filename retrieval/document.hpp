#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// Baseline retrieval systems over a collection.
namespace touchstone::retrieval {

/// What is ranked: a passage, or a page that represents an entity. All texts are UTF-8.
struct Document {
  std::string id;
  std::string title;  ///< page title and headings; of a bare paragraph, the pages it links to
  std::string lead;   ///< the beginning of a page; empty for passages, whose first words count instead
  std::string text;
  std::string anchors;               ///< texts of links to the page
  std::string page;                  ///< name of the page it belongs to or is; empty if not known
  std::vector<std::string> links;    ///< names of pages it links to
  std::vector<std::string> inlinks;  ///< names of pages that link to it, where the collection lists them
};

/// An information need.
struct Topic {
  std::string id;
  std::string text;
};

/// One retrieved document.
struct Hit {
  std::uint32_t document = 0;  ///< number in the order of the corpus
  double score = 0;
};

/// Of one topic, best first; documents differ.
using Ranking = std::vector<Hit>;

}  // namespace touchstone::retrieval
