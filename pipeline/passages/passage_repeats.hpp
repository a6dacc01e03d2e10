#pragma once

#include "common/ids.hpp"
#include "common/records/record_file.hpp"

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
struct PassageRepeat {
  PassagePlace place, representative;
  bool exact = false;  ///< the texts are equal byte by byte

  template <class Fields>
  void fields(Fields& field) {
    field("passage", place)("representative", representative)("exact", exact);
  }
};

/// Which passages repeat others. 20 bytes a repeat. Thread-safe for reading.
class PassageRepeats {
 public:
  /// \param repeats  in any order, each place once
  explicit PassageRepeats(std::vector<PassageRepeat> repeats);

  /// Reads the file of the stage passages. Throws StorageError and FormatError.
  static PassageRepeats read(const std::filesystem::path& file) {
    return PassageRepeats(records::RecordFile<PassageRepeat>::read(file));
  }

  /// The repeat at this place; null for a passage that represents itself.
  const PassageRepeat* at(const PassagePlace& place) const noexcept;
  /// All places where a representative is repeated, ascending.
  std::vector<PassagePlace> of(const PassagePlace& representative) const;

 private:
  std::vector<PassageRepeat> repeats_;            // by place
  std::vector<std::uint32_t> by_representative_;  // numbers of repeats, by (representative, place)
};

}  // namespace touchstone::pipeline::passages
