#pragma once

#include "common/ids.hpp"
#include "pipeline/corpus/boilerplate.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::corpus {

/// A passage of a page.
struct PassagePlace {
  PageId page;
  std::uint32_t ordinal = 0;
  friend auto operator<=>(const PassagePlace&, const PassagePlace&) = default;
};

/// A passage that repeats another one.
struct PassageCopy {
  PassagePlace place, representative;
  bool exact = false;  ///< the texts are equal byte by byte
};

/// What is known of passages only when all of them were seen: which sentences are boilerplate, and which passages
/// repeat others. 20 bytes a copy. Thread-safe for reading.
class PassageFindings {
 public:
  PassageFindings() = default;
  /// \param copies  in any order, each place once
  PassageFindings(Boilerplate boilerplate, std::vector<PassageCopy> copies);

  /// Reads the files that the stage candidates wrote; without them nothing is known. Throws FormatError at the first
  /// line that it did not write.
  static PassageFindings read(const std::filesystem::path& boilerplate, const std::filesystem::path& copies);

  const Boilerplate& boilerplate() const noexcept { return boilerplate_; }
  /// The copy at this place; null for a passage that stands for itself.
  const PassageCopy* copy_at(const PassagePlace& place) const noexcept;
  /// All places where a representative is repeated, ascending.
  std::vector<PassagePlace> copies_of(const PassagePlace& representative) const;
  std::span<const PassageCopy> copies() const noexcept { return copies_; }

 private:
  Boilerplate boilerplate_;
  std::vector<PassageCopy> copies_;               // by place
  std::vector<std::uint32_t> by_representative_;  // numbers of copies, by (representative, place)
};

}  // namespace touchstone::pipeline::corpus
