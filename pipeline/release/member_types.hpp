#pragma once

#include "pipeline/corpus/item_classes.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::pipeline::release {

/// What the members of a topic are by Wikidata: the items that their items are instances of, with all superclasses.
///
/// A class is common if it is one of at least 80 % of the other members whose types are known. A member is of another
/// kind if it has less than half of the common classes: a painter among lighthouses shares at most "entity" with them,
/// a town among cities nearly all. Nothing is said of a topic with fewer than five such members.
/// Not thread-safe. Memory: the superclasses of each type that was asked for.
class MemberTypes {
 public:
  /// \param titles  outlives this object, as the store does
  MemberTypes(const storage::Store& store, const corpus::TitleIndex& titles) : classes_(store), titles_(titles) {}

  struct OfMember {
    std::vector<std::string> types;  ///< "Q39715", ascending by number; empty: not known
    bool other_kind = false;
  };
  /// In the order of the members.
  std::vector<OfMember> of(const std::vector<evidence::GroupMember>& members);

 private:
  using Classes = std::vector<std::uint64_t>;  ///< ascending

  Classes classes_of(const Classes& types);

  corpus::ItemClasses classes_;
  const corpus::TitleIndex& titles_;
};

}  // namespace touchstone::pipeline::release
