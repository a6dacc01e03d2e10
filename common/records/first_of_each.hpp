#pragma once

#include "common/records/sorter.hpp"
#include "common/records/spool.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace touchstone::records {

/// Hands texts on in the order in which they came, of each key the first one alone. Bounded memory: the texts are on
/// the disk until all have come. Not thread-safe. Throws StorageError if they cannot be written or read.
class FirstOfEach {
 public:
  /// \param folder        on the disk that holds the texts
  /// \param memory_bytes  limit for what is sorted
  FirstOfEach(const std::filesystem::path& folder, std::size_t memory_bytes)
      : texts_(folder), places_(folder, memory_bytes / 2), repeats_(folder, memory_bytes / 2) {}

  void add(std::uint64_t key, std::string_view text) {
    texts_.add(std::string(text));
    places_.add({key, count_++});
  }

  /// Calls `take(text)` for the first text of each key. Returns how many keys have several texts. Call once, last.
  template <class Take>
  std::uint64_t finish(const Take& take) {
    const auto repeated = find_repeats();
    texts_.rewind();
    auto repeat = repeats_.next();
    for (std::uint64_t place = 0; texts_.next(); ++place) {
      if (repeat && *repeat == place) {
        repeat = repeats_.next();
      } else {
        take(std::string_view(texts_.head()));
      }
    }
    return repeated;
  }

 private:
  struct Place {
    std::uint64_t key = 0, place = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  std::uint64_t find_repeats() {
    std::uint64_t repeated = 0, of_key = 0;
    Place last;
    while (const auto place = places_.next()) {
      of_key = of_key > 0 && place->key == last.key ? of_key + 1 : 1;
      repeated += of_key == 2 ? 1 : 0;
      if (of_key > 1) repeats_.add(place->place);
      last = *place;
    }
    return repeated;
  }

  Spool<std::string> texts_;
  Sorter<Place> places_;
  Sorter<std::uint64_t> repeats_;  ///< places of all but the first texts
  std::uint64_t count_ = 0;
};

}  // namespace touchstone::records
