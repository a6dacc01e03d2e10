#include "pipeline/passages/near_duplicates/groups.hpp"

#include "common/records/sorter.hpp"

namespace touchstone::pipeline::passages::near_duplicates {
namespace {

struct ReplacedId {
  std::uint32_t representative = 0;
  std::string id;

  template <class Fields>
  void fields(Fields& field) {
    field("representative", representative)("id", id);
  }
  friend auto operator<=>(const ReplacedId&, const ReplacedId&) = default;
};

}  // namespace

void Groups::for_each_replaced(const std::function<void(std::string_view, std::string_view)>& replaced) {
  records::Sorter<ReplacedId> sorted(space_.folder, space_.part(4));
  ids_->rewind();
  for (std::uint32_t paragraph = 0; ids_->next(); ++paragraph) {
    if (representatives_[paragraph] != paragraph) sorted.add({representatives_[paragraph], std::move(ids_->head())});
  }
  auto next = sorted.next();
  ids_->rewind();
  for (std::uint32_t paragraph = 0; next && ids_->next(); ++paragraph) {
    for (; next && next->representative == paragraph; next = sorted.next()) replaced(next->id, ids_->head());
  }
}

}  // namespace touchstone::pipeline::passages::near_duplicates
