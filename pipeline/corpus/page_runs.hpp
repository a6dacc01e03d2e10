#pragma once

#include "common/digest.hpp"
#include "pipeline/corpus/page_issues.hpp"
#include "pipeline/corpus/page_records.hpp"
#include "pipeline/flow/parts.hpp"
#include "storage/bulk_loader.hpp"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::pipeline::corpus {

/// What a batch of a source became.
struct PageBatch {
  std::vector<PageRecords> pages;
  PageIssues issues;
  std::uint64_t end_offset = 0;
  PageId last_page;  ///< RawBatch::last_page
};

/// How far the reading of pages came, and what it met up to there.
struct ReadSoFar {
  /// A file that was read to its end.
  struct File {
    std::uint64_t bytes = 0;
    std::string sha256;
    template <class Fields>
    void fields(Fields& field) {
      field("bytes", bytes)("sha256", sha256);
    }
  };
  std::vector<File> files;         ///< those at their end
  std::uint64_t offset = 0;        ///< of the source of the file after them: everything before was read
  std::uint32_t last_page = 0;     ///< in front of that place; 0: not known
  std::uint32_t before_file = 0;   ///< highest page number in the files before it
  std::uint32_t highest_page = 0;  ///< in all that was read
  std::uint32_t lowest_page = 0;   ///< likewise; 0 before the first
  std::string newest_timestamp;    ///< of the pages in order
  std::string site;                ///< of the first file, as JSON
  std::map<std::string, std::uint64_t> counts;
  PageIssues issues;

  template <class Fields>
  void fields(Fields& field) {
    field("files", files)("offset", offset)("last_page", last_page)("before_file", before_file)(
        "highest_page", highest_page)("lowest_page", lowest_page);
    field("newest_timestamp", newest_timestamp)("site", site)("counts", counts)("issues", issues);
  }
};

/// A run of pages: sorted tables of the pages in order, and the pages out of order. A page is in order if its number is
/// higher than all before it. All pages of most dumps are.
struct PageRun {
  std::bitset<storage::kFamilyCount> tables;  ///< the families of which it has one
  bool has_late_pages = false;                ///< it has a file of pages out of order, in the order of the source
  ReadSoFar read;                             ///< up to its end
  Digest128 previous{};                       ///< PreviousPages::digest() of the store that has the pages taken over
  std::vector<std::uint32_t> kept;  ///< numbers of pages in order that are taken over: no table has their records

  template <class Fields>
  void fields(Fields& field) {
    field("tables", tables)("has_late_pages", has_late_pages)("read", read)("previous", previous)("kept", kept);
  }
};

/// Names of the files of run number `run`, as parts: its table of a family, its late pages, and its PageRun, which is
/// written last.
std::string run_table_name(std::size_t run, storage::Family family);
std::string late_pages_name(std::size_t run);
std::string run_name(std::size_t run);

/// Adds what a page holds to the counts, or takes it back when a newer revision replaces the page.
/// \param sign  1 or -1
void count_page(const PageRecords& page, std::int64_t sign, std::map<std::string, std::uint64_t>& counts);

/// Writes pages as runs, in the order of their source. Goes on behind the last run that an earlier writer of the same
/// parts finished. Not thread-safe. Throws StorageError.
class PageRunWriter {
 public:
  /// Gives all records of a page that is taken over.
  using Recall = std::function<PageRecords(PageId)>;

  /// \param run_bytes  of keys and values that end a run; a kill costs at most the reading of one run
  PageRunWriter(const flow::PartWriter& parts, std::uint64_t run_bytes);

  const ReadSoFar& read() const noexcept { return run_.read; }
  void write(PageBatch&& batch);
  void set_site(std::string json) { run_.read.site = std::move(json); }
  /// Pages that are taken over come from now on, without their entries. \param digest  PreviousPages::digest()
  void take_over(const Digest128& digest, Recall recall);
  /// The file that was being read is at its end.
  void end_file(ReadSoFar::File file);
  /// Makes what was written durable.
  void finish_run();

 private:
  std::filesystem::path partial_table(storage::Family family) const;
  void add(const PageRecords& page);

  const flow::PartWriter& parts_;
  const std::uint64_t run_bytes_;
  std::size_t number_ = 0;
  PageRun run_;
  std::map<storage::Family, storage::TableWriter> tables_;
  std::optional<records::RecordFile<PageRecords>::Writer> late_pages_;
  std::uint64_t bytes_ = 0;
  bool changed_ = false;
  Recall recall_;
};

}  // namespace touchstone::pipeline::corpus
