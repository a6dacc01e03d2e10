#pragma once

#include "linking/dictionary.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::linking {

/// The parts of a dictionary as arrays, for its file. Entities are numbered from 0 in the order in which they are
/// added, and so are anchors. Memory: that of the file. Not thread-safe.
class DictionaryWriter {
 public:
  /// \param sources  pages that link to it, ascending and distinct
  void add_entity(std::string_view title, std::uint32_t qid, const std::vector<std::uint32_t>& sources);

  /// Adds a phrase. \pre phrases ascend; an anchor has meanings, the most frequent first
  /// \param linked_pages, pages  with which counting begins
  void add_phrase(std::uint64_t phrase, bool continues, const std::vector<Meaning>& meanings,
                  std::uint32_t linked_pages, std::uint32_t pages);

  /// The phrase as the dictionary will give it, with `pages` as counted so far. For counting; call after the last
  /// `add_phrase`. Thread-safe while nothing is added or counted.
  PhraseFinding find(std::uint64_t phrase) const;
  /// Counts further pages with an anchor, on some of which it is a link.
  void add_pages(std::uint32_t anchor, std::uint32_t pages, std::uint32_t linked_pages);

  std::size_t anchors() const noexcept { return anchors_.size(); }

  /// Writes the file, which gets its name when it is complete. Call once, last.
  /// \param source_pages  pages that links were counted on
  /// \param facts         names and values without tabs and line ends
  void write(const std::filesystem::path& path, std::uint32_t source_pages,
             const std::map<std::string, std::string>& facts);

 private:
  std::vector<std::uint64_t> phrases_;
  std::vector<std::uint32_t> values_, sources_;
  std::vector<internal::AnchorRow> anchors_;
  std::vector<Meaning> meanings_;
  std::vector<internal::EntityRow> entities_;
  std::string titles_;
};

}  // namespace touchstone::linking
