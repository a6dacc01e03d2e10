#pragma once

#include "collection/automatic/automatic_writer.hpp"
#include "collection/automatic/locators.hpp"
#include "formats/car/records.hpp"
#include "pipeline/flow/stage.hpp"

#include <initializer_list>
#include <string>
#include <string_view>

namespace touchstone::pipeline::automatic::internal {

/// A passage at one of its places.
struct LocatedPassage {
  formats::car::Paragraph paragraph;
  collection::automatic::Locator locator;

  template <class Fields>
  void fields(Fields& field) {
    field("paragraph", paragraph)("locator", locator);
  }
};

/// Writes the passages of the corpus, each once and with all its places, in an order that looks random and depends on
/// the ids and a seed alone.
/// \param names    of the parts that hold LocatedPassages; of passages with one id, the first one is written
/// \param license  of the collection
void write_corpus(flow::WriteContext& context, const flow::Parts& parts, std::initializer_list<std::string_view> names,
                  const std::string& license, collection::automatic::AutomaticWriter& writer);

}  // namespace touchstone::pipeline::automatic::internal
