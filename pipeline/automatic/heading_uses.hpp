#pragma once

#include "formats/car/records.hpp"
#include "pipeline/automatic/selection/automatic_options.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace touchstone::pipeline::automatic {

/// On how many pages a heading is, and how many moulds the texts below it are made in.
struct HeadingUse {
  std::string heading;                    ///< as comparable_heading() folds it
  std::uint64_t pages = 0, of_pages = 0;  ///< articles with the heading, and with any
  std::uint64_t texts = 0;                ///< paragraphs and list items below it, all levels
  std::vector<std::uint64_t> moulds;  ///< the least hashes of their moulds, ascending, distinct; at most kMostMoulds

  static constexpr std::size_t kMostMoulds = 128;

  template <class Fields>
  void fields(Fields& field) {
    field("heading", heading)("pages", pages)("of_pages", of_pages)("texts", texts)("moulds", moulds);
  }
  friend bool operator<(const HeadingUse& a, const HeadingUse& b) { return a.heading < b.heading; }

  /// Adds what another part of the wiki says of the same heading.
  void add(const HeadingUse& other);
  /// How many moulds there are: the number of hashes, or, where some were left out, what their density tells.
  double distinct_moulds() const;
};

/// Counts the headings of pages. Not thread-safe.
class HeadingUses {
 public:
  void add(const formats::car::Page& page);
  std::uint64_t pages() const noexcept { return pages_; }
  /// All headings, ascending.
  std::vector<HeadingUse> take();

 private:
  std::map<std::string, HeadingUse> uses_;
  std::uint64_t pages_ = 0;  ///< with a heading
};

/// The headings of the file (flow::kHeadingUsesFile) that are boilerplate: on more pages than
/// `automatic.boilerplate_share` allows, with texts of few moulds. Throws StorageError and FormatError if the file
/// cannot be read.
std::vector<std::string> boilerplate_headings(const std::filesystem::path& file,
                                              const selection::AutomaticOptions& options);

}  // namespace touchstone::pipeline::automatic
