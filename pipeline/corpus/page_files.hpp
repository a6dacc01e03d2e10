#pragma once

#include "common/stop.hpp"
#include "extractors/page_loader.hpp"
#include "extractors/page_source.hpp"
#include "extractors/site/site_info.hpp"
#include "pipeline/corpus/ingest_options.hpp"
#include "pipeline/flow/source_records.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::corpus {

/// The files that a run reads its pages from, all of one kind.
class PageFiles {
 public:
  virtual ~PageFiles() = default;

  virtual std::size_t count() const = 0;
  virtual std::string name(std::size_t file) const = 0;
  /// Size of a file; 0 where it is not known.
  virtual std::uint64_t bytes(std::size_t file) const = 0;

  /// True when pages include others, so that all files are read twice: first for the pages that others include.
  virtual bool read_twice() const { return false; }

  /// Whether files can be read side by side: what is read of one does not depend on those before it.
  virtual bool can_be_cut() const { return false; }

  /// The current date for pages that show it, in seconds since 1970; nothing if it is not known.
  virtual std::optional<std::int64_t> now() const { return std::nullopt; }

  /// Opens a file.
  /// \param before_first  number of the page before the file's first, for files that number no pages
  /// \param included      the pages that others include; outlives the source
  virtual std::unique_ptr<extractors::PageSource> open(std::size_t file, PageId before_first,
                                                       const extractors::PageLoader& included) const = 0;

  /// The site of pages whose files do not say which they are of.
  /// \param language  that a file declares, used unless the run has one; may be empty
  virtual extractors::site::SiteInfo fallback_site(std::string_view language) const = 0;

  /// What a file of this kind is called: "dump".
  virtual std::string_view noun() const = 0;
  /// What to do about a damaged one, as part of a sentence: "download the dump again".
  virtual std::string_view remedy() const = 0;
};

/// The files of a run with the options that decide how they are read.
struct PageFileSettings {
  std::vector<flow::SourceInput> files;
  const IngestOptions& ingest;
  std::string language;            ///< of the site; empty: as the files say
  int threads = 1;                 ///< for decompression
  const StopFlag* stop = nullptr;  ///< ends the waiting for a pipe
};

/// A kind of file that pages are read from. A new kind is a row of `page_file_kinds()`.
struct PageFileKind {
  std::string_view name;     ///< as the store's list of sources has it
  std::string_view flag;     ///< of the command line, which names files of this kind
  std::string_view summary;  ///< of that flag, for --help

  /// Throws ConfigError for files and options that do not go together. The options outlive the result.
  std::unique_ptr<PageFiles> (*make)(const PageFileSettings& settings) = nullptr;
  /// Name and version of another program that a path is read with, or would be if it was installed; empty: with none.
  /// May be null: with none whatever the path.
  std::string (*other_reader)(const std::filesystem::path& path) = nullptr;
};

/// ONE table: the command line, ingest and the documentation read it.
std::span<const PageFileKind> page_file_kinds();

/// The row of this name. Throws StorageError for a name that this version does not know.
const PageFileKind& page_file_kind(std::string_view name);

}  // namespace touchstone::pipeline::corpus
