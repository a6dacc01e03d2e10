#pragma once

#include "pipeline/difference/matching.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace touchstone::pipeline::difference {

/// Pairs parts by keys, one way to make a key after the other. Both vectors must outlive this. Not thread-safe.
template <class Part>
class KeyMatcher {
 public:
  KeyMatcher(const std::vector<Part>& before, const std::vector<Part>& after)
      : before_(before), after_(after), new_of_old_(before.size(), kNoPart), old_of_new_(after.size(), kNoPart) {}

  /// Pairs free parts with equal keys, in their order. `key_of` gives nothing for parts that it cannot tell.
  template <class Key>
  void pair_by(const Key& key_of) {
    pair_by(key_of, key_of);
  }
  /// The same where the key of a part before is made in another way than that of one after.
  template <class OldKey, class NewKey>
  void pair_by(const OldKey& old_key_of, const NewKey& new_key_of) {
    using KeyValue = typename decltype(new_key_of(after_.front()))::value_type;
    std::map<KeyValue, std::vector<std::uint32_t>> waiting;
    for (std::uint32_t i = 0; i < after_.size(); ++i) {
      if (old_of_new_[i] != kNoPart) continue;
      if (auto key = new_key_of(after_[i])) waiting[std::move(*key)].push_back(i);
    }
    std::map<KeyValue, std::size_t> used;
    for (std::uint32_t i = 0; i < before_.size(); ++i) {
      if (new_of_old_[i] != kNoPart) continue;
      const auto key = old_key_of(before_[i]);
      if (!key) continue;
      const auto found = waiting.find(*key);
      if (found == waiting.end()) continue;
      std::size_t& next = used[*key];
      if (next < found->second.size()) pair(i, found->second[next++]);
    }
  }
  void pair(std::uint32_t old_part, std::uint32_t new_part) {
    new_of_old_[old_part] = new_part;
    old_of_new_[new_part] = old_part;
  }
  bool is_free_before(std::uint32_t part) const { return new_of_old_[part] == kNoPart; }
  bool is_free_after(std::uint32_t part) const { return old_of_new_[part] == kNoPart; }

  /// The part before that a part after is; kNoPart if there is none.
  std::uint32_t old_of(std::uint32_t new_part) const { return old_of_new_[new_part]; }

  /// \param change_of  what a pair is
  template <class Change, class Judge>
  Matching<Change> take(Change added, Change gone, const Judge& change_of) {
    Matching<Change> matching;
    for (std::uint32_t i = 0; i < before_.size(); ++i) {
      const auto found = new_of_old_[i];
      matching.pairs.push_back({i, found, found == kNoPart ? gone : change_of(before_[i], after_[found])});
    }
    for (std::uint32_t i = 0; i < after_.size(); ++i) {
      if (old_of_new_[i] == kNoPart) matching.pairs.push_back({kNoPart, i, added});
    }
    matching.new_of_old = std::move(new_of_old_);
    matching.old_of_new = std::move(old_of_new_);
    return matching;
  }

 private:
  const std::vector<Part>& before_;
  const std::vector<Part>& after_;
  std::vector<std::uint32_t> new_of_old_, old_of_new_;
};

}  // namespace touchstone::pipeline::difference
