#pragma once

#include "pipeline/download/dump_listing.hpp"
#include "pipeline/download/transfer.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::download {

/// The mirror that is read unless another is named.
inline constexpr std::string_view kWikimedia = "https://dumps.wikimedia.org";

/// What a file is for.
enum class FileUse : std::uint8_t {
  kDump,      ///< pages: build --dump
  kIndex,     ///< lists the pages of a multistream dump; is read where it lies beside the dump
  kSqlDump,   ///< a table: build --sql-dump
  kWikidata,  ///< build --wikidata
};
std::string_view name_of(FileUse use) noexcept;

/// What to fetch and where from.
struct Wanted {
  std::string mirror{kWikimedia};  ///< address of the folder that has the folders of the wikis
  std::string wiki;                ///< database name, such as simplewiki; empty if only Wikidata's dump is wanted
  std::string date = "latest";     ///< "20261101", or "latest"
  bool xml = false, multistream = false, sql = false, wikidata = false;

  bool of_wiki() const noexcept { return xml || multistream || sql; }
  /// Throws ConfigError with all that is wrong.
  void check() const;
};

struct PlannedFile {
  FileUse use = FileUse::kDump;
  ListedFile listed;
  std::string url;
};

struct DownloadPlan {
  std::string mirror;  ///< without a slash at its end
  std::string wiki, date;
  std::string wikidata_date;  ///< day of the chosen dump of Wikidata; empty without one
  std::vector<PlannedFile> files;
};

/// Asks the mirror what there is, and chooses the files. The latest date is the newest whose jobs are all done. The
/// dump of Wikidata is the one nearest to it in time, since it has dates of its own; the earlier one of two. Throws
/// Error if the mirror does not have it, or not yet.
DownloadPlan plan_download(const Wanted& wanted, Downloader& downloader);

}  // namespace touchstone::pipeline::download
