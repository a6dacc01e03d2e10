#pragma once

#include "common/digest.hpp"
#include "common/options.hpp"
#include "extractors/page_loader.hpp"
#include "extractors/page_source.hpp"
#include "pipeline/corpus/ingest_options.hpp"
#include "pipeline/corpus/page_files.hpp"
#include "pipeline/corpus/page_records.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "storage/store.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <oneapi/tbb/enumerable_thread_specific.h>

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
    /// How the page was read, as bytes; empty if that is not known. Quickest for ascending pages, as all of these.
    const std::string& reading(PageId id);
    /// What reading the page gave, without the entries. \pre find()
    PageRecords summary(PageId id);
    /// All of it.
    PageRecords records(PageId id);
    /// All entries of any page but its title.
    std::vector<storage::Entry> entries(PageId id);

   private:
    struct Family {
      storage::Family family;
      storage::Cursor cursor;
      PageId last;
    };
    static void find(Family& family, PageId id, std::vector<storage::Entry>& entries);
    static PageRecords read(PageId id, std::vector<storage::Entry> entries);

    std::vector<Family> families_;
    std::pair<PageId, std::string> reading_;  ///< the last one
  };
  /// The walk of this thread.
  Walk& walk() const { return walks_.local(); }

  /// Of all that its pages follow from: the files that were read, and how.
  Digest128 digest() const { return digest_of(*store_); }
  static Digest128 digest_of(const storage::Store& store);

 private:
  const std::unique_ptr<storage::Store> store_;
  mutable oneapi::tbb::enumerable_thread_specific<Walk> walks_;
  const extractors::PageLoader& included_;
  bool same_date_ = false;
};

}  // namespace touchstone::pipeline::corpus
