#pragma once

#include "common/options.hpp"
#include "extractors/page_loader.hpp"
#include "extractors/page_source.hpp"
#include "pipeline/corpus/ingest_options.hpp"
#include "pipeline/corpus/page_files.hpp"
#include "pipeline/corpus/page_records.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "storage/store.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::pipeline::corpus {

/// The work directory of an earlier dump of the same wiki, whose results are taken over where nothing changed.
struct PreviousOptions {
  std::string work;            ///< empty: there is none
  bool freeze_topics = false;  ///< its topics are kept, and no others are made

  static std::vector<Option<PreviousOptions>> options();
  static std::vector<std::string> problems(const Settings& settings);
};

/// How a run reads pages, a line for each thing that decides what a page becomes besides the page itself and those that
/// it includes. Only the first line, the current date, may differ between two runs that read most pages alike.
std::string reader_text(const IngestOptions& ingest, const LanguageOptions& language, const PageFiles& files,
                        std::string_view site_json);

/// Opens the store of a previous work directory for reading. Throws ConfigError, with what to do, if there is none, or
/// if its pages were not read to the end.
std::unique_ptr<storage::Store> open_previous(const std::filesystem::path& work);

/// Whether there is a previous work directory in which a stage is done.
bool previous_is_done(const std::filesystem::path& work, std::string_view stage);

/// The dumps of a previous work directory and those before it, the last one first, as JSON: names, SHA-256 and the date
/// of the newest revision of each. Throws as open_previous.
std::string previous_dumps(const std::filesystem::path& work);

/// The pages of a previous work directory. Thread-safe.
class PreviousPages : public extractors::KnownPages {
 public:
  /// Throws as open_previous, and ConfigError if they were read in another way.
  /// \param reader    reader_text of this run
  /// \param included  the pages of this dump that others include; outlives this object
  PreviousPages(const std::filesystem::path& work, std::string_view reader, const extractors::PageLoader& included);

  /// A page is the same if its bytes in the source are, and so is all that its reading depended on.
  std::optional<std::vector<extractors::PageRemark>> find(PageId page, const Digest128& record) const override;

  /// Walks over the records of pages. Not thread-safe.
  class Walk {
   public:
    explicit Walk(const storage::Store& store);
    /// What reading the page gave. Quickest for ascending pages. \pre find()
    PageRecords records(PageId id);

   private:
    std::vector<std::pair<storage::Family, storage::Cursor>> cursors_;
    PageId last_;
  };
  Walk walk() const { return Walk(*store_); }

 private:
  const std::unique_ptr<storage::Store> store_;
  const extractors::PageLoader& included_;
  bool same_date_ = false;
};

}  // namespace touchstone::pipeline::corpus
