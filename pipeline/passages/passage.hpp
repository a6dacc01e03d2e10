#pragma once

#include "common/ids.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::pipeline::passages {

/// A link within a passage's text.
struct PassageLink {
  std::uint32_t begin = 0, end = 0;  ///< code points of the anchor text
  std::uint32_t target = 0;          ///< index into the targets of the page's LinkRecord
  PageId page;                       ///< where it leads, redirects followed; 0: to no page of the store

  template <class Fields>
  void fields(Fields& field) {
    field("begin", begin)("end", end)("target", target)("page_id", page);
  }
};

/// The unit that is judged and released, composed from a page's paragraphs.
struct Passage {
  std::uint32_t ordinal = 0;  ///< within the page, for these settings
  std::vector<std::string> section_path;
  /// Paragraphs joined by blanks; code, list items and what follows a text without an end have lines of their own.
  std::string text;
  std::vector<PassageLink> links;

  template <class Fields>
  void fields(Fields& field) {
    field("ordinal", ordinal)("section", section_path)("text", text)("links", links);
  }
};

/// An article and its passages: a record of the artifact of the stage `passages`.
struct PagePassages {
  PageId page;
  std::string title;
  RevisionId revision;
  std::vector<Passage> passages;  ///< ascending by ordinal; repeats are among them

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", page)("title", title)("revision", revision)("passages", passages);
  }
};

}  // namespace touchstone::pipeline::passages
