#pragma once

#include "collection/automatic/derivation.hpp"
#include "collection/automatic/format_directories.hpp"
#include "collection/automatic/locators.hpp"
#include "collection/automatic/manifest.hpp"
#include "collection/automatic/release_writer.hpp"
#include "formats/car/records.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the files of an automatic collection hold of one page or passage. Each text is made once, whatever the number
/// of files that it is in. The functions are pure and thread-safe.
namespace touchstone::collection::automatic {

/// A query page with what follows from it.
struct QueryPageRecord {
  const formats::car::Page* page = nullptr;  ///< after all filters
  const Derivation* derivation = nullptr;
  bool test = false;
  std::uint32_t fold = 0;
  /// The text of a topic: of the page for no headings.
  std::function<std::string(const std::vector<std::string>& headings)> wording;
};

/// The same as bytes.
struct EncodedQueryPage {
  bool test = false;
  std::uint32_t fold = 0;
  std::string cbor, outline_cbor, json_line;
  std::vector<std::pair<std::string, std::string>> passages;  ///< id and CBOR, each passage once
  ReleaseLines release;
  IndexLines index;
  FormatLabels formats;
  PartNumbers numbers;

  template <class Fields>
  void fields(Fields& field) {
    field("test", test)("fold", fold)("cbor", cbor)("outline_cbor", outline_cbor)("json_line", json_line)(
        "passages", passages)("release", release)("index", index)("formats", formats)("numbers", numbers);
  }
};

/// Throws FormatError for an id that breaks readers, and for a page that is nested too deeply.
EncodedQueryPage encode_query_page(const QueryPageRecord& record);

/// A page of the knowledge base.
struct EncodedPage {
  std::string cbor, json_line;

  template <class Fields>
  void fields(Fields& field) {
    field("cbor", cbor)("json_line", json_line);
  }
};

/// Throws FormatError for a page that is nested too deeply.
EncodedPage encode_page(const formats::car::Page& page);

/// A passage of the corpus.
struct EncodedPassage {
  std::string cbor, json_line;  ///< CAR's
  FormatPassage formats;
  std::string locators;  ///< the line of its places
};

/// \param license  of the collection, for places whose source declares none
EncodedPassage encode_passage(const formats::car::Paragraph& passage, const PassagePlaces& places,
                              std::string_view license);

}  // namespace touchstone::collection::automatic
