#pragma once

#include "common/result.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::zim {

/// An entry of a ZIM file that is a page: an article of HTML, or a redirect to one.
struct ZimEntry {
  std::string path;                     ///< within the file, with the namespace in front in files of version 5
  std::string title;                    ///< NFC, white space folded; that of the file, or the path where it has none
  std::optional<std::uint32_t> target;  ///< of a redirect: the index of the article at its end
};

/// The pages of a ZIM file, read through libzim (openzim.org/wiki/ZIM_file_format). Titles differ: where pages share
/// one, the later ones get a number behind it. Const members are thread-safe. What libzim says is wrong becomes
/// FormatError.
class ZimArchive {
 public:
  /// Opens a file and checks that its lists of entries and clusters are sound. Throws FormatError when they are not.
  /// \param compare_sum  compares the checksum first; libzim may crash at files that were damaged
  ZimArchive(const std::filesystem::path& path, bool compare_sum);
  ~ZimArchive();

  /// Entries are numbered in the order of their paths, from 0 on; those that are no pages too.
  std::uint32_t count() const noexcept;
  /// Nothing for entries that are no pages, such as images.
  /// \param lost  set if the entry is a redirect that leads nowhere
  std::optional<ZimEntry> entry(std::uint32_t index, bool& lost) const;
  /// The index of the page that a path names; of a redirect with the title of its article, that of the article.
  std::optional<std::uint32_t> find(const std::string& path) const;

  /// Bytes of the HTML of an article.
  std::uint64_t size(std::uint32_t index) const;
  /// The HTML of an article.
  std::string html(std::uint32_t index) const;

  /// An entry of the metadata, such as "Language"; empty where it is missing.
  std::string metadata(const std::string& name) const;
  /// The title of the page that a reader opens first; empty where the file names none.
  std::string main_title() const;

  /// Reads the titles of all pages, to tell which of them several pages have. \pre of title(). Not thread-safe.
  void number_titles();
  /// The title of a page, with its number if it has one.
  std::string title(std::uint32_t index, const ZimEntry& entry) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::extractors::zim
