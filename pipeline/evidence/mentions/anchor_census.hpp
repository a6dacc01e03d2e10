#pragma once

#include "common/ids.hpp"
#include "pipeline/evidence/mentions/member_names.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <vector>

namespace touchstone::pipeline::evidence::mentions {

/// Counts where the links of the wiki lead whose text is a name. What a wiki calls "Ise Shrine" is often told by its
/// links alone. Memory: 8 bytes a name.
class AnchorCensus {
 public:
  /// \param names  outlives this object; not changed until `leave_out_ambiguous`
  explicit AnchorCensus(const MemberNames& names) : names_(names), counts_(names.names.size()) {}

  /// A link whose text is a name.
  struct Use {
    std::uint32_t name = 0;  ///< its number
    bool elsewhere = false;  ///< it leads to another page than the name's member, or to none
  };
  /// The links in the paragraphs of a page. Thread-safe.
  std::vector<Use> uses(const storage::Store& store, PageId page) const;

  void add(const std::vector<Use>& uses);

  /// Leaves out the names of which a quarter of the links, or more, lead elsewhere. Call once, as the last thing.
  /// \param names  those that are counted here
  void leave_out_ambiguous(MemberNames& names) const;

 private:
  struct Count {
    std::uint32_t to_member = 0, elsewhere = 0;
  };
  const MemberNames& names_;
  std::vector<Count> counts_;
};

}  // namespace touchstone::pipeline::evidence::mentions
