#pragma once

#include "common/ids.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace touchstone::pipeline::passages {

/// A passage of a page.
struct PassagePlace {
  PageId page;
  std::uint32_t ordinal = 0;

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", page)("ordinal", ordinal);
  }
  friend auto operator<=>(const PassagePlace&, const PassagePlace&) = default;
};

/// A passage that repeats another one.
struct PassageCopy {
  PassagePlace place, representative;
  bool exact = false;  ///< the texts are equal byte by byte
};

/// Which passages repeat others. 20 bytes a copy. Thread-safe for reading.
class PassageCopies {
 public:
  /// \param copies  in any order, each place once
  explicit PassageCopies(std::vector<PassageCopy> copies);

  /// Reads the file of the stage passages. Throws StorageError, and FormatError at the first line that the stage did
  /// not write.
  static PassageCopies read(const std::filesystem::path& file);

  /// The copy at this place; null for a passage that represents itself.
  const PassageCopy* at(const PassagePlace& place) const noexcept;
  /// All places where a representative is repeated, ascending.
  std::vector<PassagePlace> of(const PassagePlace& representative) const;

 private:
  std::vector<PassageCopy> copies_;               // by place
  std::vector<std::uint32_t> by_representative_;  // numbers of copies, by (representative, place)
};

}  // namespace touchstone::pipeline::passages
