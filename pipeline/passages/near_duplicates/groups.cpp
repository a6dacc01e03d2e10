#include "pipeline/passages/near_duplicates/groups.hpp"

#include <algorithm>
#include <numeric>

namespace touchstone::pipeline::passages::near_duplicates {

std::string_view Groups::id(std::size_t paragraph) const noexcept {
  const std::uint64_t begin = paragraph == 0 ? 0 : id_ends_[paragraph - 1];
  return std::string_view(ids_).substr(begin, id_ends_[paragraph] - begin);
}

std::optional<std::size_t> Groups::find(std::string_view wanted) const noexcept {
  const auto found =
      std::lower_bound(by_id_.begin(), by_id_.end(), wanted,
                       [&](std::uint32_t paragraph, std::string_view other) { return id(paragraph) < other; });
  if (found == by_id_.end() || id(*found) != wanted) return std::nullopt;
  return *found;
}

std::string_view Groups::representative_of(std::string_view wanted) const noexcept {
  const auto found = find(wanted);
  return found ? id(representatives_[*found]) : wanted;
}

void Groups::for_each_group(const std::function<void(std::span<const std::uint32_t>)>& group) const {
  std::vector<std::uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0U);
  // Representatives come before their groups, so a stable sort keeps them first.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return representatives_[a] < representatives_[b]; });
  for (auto begin = order.begin(), end = begin; begin != order.end(); begin = end) {
    end = std::find_if(begin, order.end(), [&](std::uint32_t paragraph) {
      return representatives_[paragraph] != representatives_[*begin];
    });
    if (end - begin >= 2) group({begin, end});
  }
}

}  // namespace touchstone::pipeline::passages::near_duplicates
