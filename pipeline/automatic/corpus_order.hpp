#pragma once

#include "common/digest.hpp"
#include "common/records/sorter.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace touchstone::pipeline::automatic {

/// Brings the passages of a corpus into an order that looks random and depends on their ids and a seed alone: by the
/// hash of the id. Memory is bounded; the rest is sorted on disk. Not thread-safe. Throws StorageError as
/// records::Sorter does.
class CorpusOrder {
 public:
  static constexpr std::size_t kSortBytes = std::size_t{32} << 20;

  CorpusOrder(std::filesystem::path folder, std::uint64_t seed, std::size_t sort_bytes = kSortBytes)
      : passages_(std::move(folder), sort_bytes), seed_(seed) {}

  /// Of several passages with one id, the first one is kept.
  void add(std::string id, std::string passage) {
    const auto hash = xxh3_64(id, seed_);
    passages_.add({hash, std::move(id), count_++, std::move(passage)});
  }

  /// Gives the passages in their order. Call once, after the last `add`.
  template <class Take>
  void for_each(const Take& take) {
    std::optional<std::string> last;  // id
    while (auto next = passages_.next()) {
      if (next->id == last) continue;
      last = std::move(next->id);
      take(std::move(next->passage));
    }
  }

 private:
  struct Passage {
    std::uint64_t hash = 0;
    std::string id;
    std::uint64_t number = 0;
    std::string passage;
    template <class Fields>
    void fields(Fields& field) {
      field("hash", hash)("id", id)("number", number)("passage", passage);
    }
    friend bool operator<(const Passage& a, const Passage& b) {
      return std::tie(a.hash, a.id, a.number) < std::tie(b.hash, b.id, b.number);
    }
  };

  records::Sorter<Passage> passages_;
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

}  // namespace touchstone::pipeline::automatic
