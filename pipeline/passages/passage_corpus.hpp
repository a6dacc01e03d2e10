#pragma once

#include "common/records/record_file.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/flow/stage.hpp"
#include "pipeline/passages/passage.hpp"
#include "pipeline/passages/passage_repeats.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <oneapi/tbb/enumerable_thread_specific.h>

namespace touchstone::pipeline::passages {

/// Where a block of articles begins: a record of the index of the artifact.
struct PassageBlock {
  PageId first;              ///< page
  std::uint32_t part = 0;    ///< number of the file
  std::uint64_t offset = 0;  ///< in it

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", first)("part", part)("offset", offset);
  }
};

/// The passages that the stage `passages` composed, by page and in order. Thread-safe. Memory: 16 bytes for each 64 KiB
/// of passages, that of the repeats, and a block for each thread that reads.
class PassageCorpus {
 public:
  using PartFile = records::RecordFile<PagePassages>;

  /// Of a stage that declares `passage_artifacts()`, and reads or inherits the name of the wiki.
  explicit PassageCorpus(const flow::ReadContext& context);
  /// As the files are. Throws StorageError if there are none, and FormatError if they are damaged.
  PassageCorpus(const storage::Store& store, const flow::WorkPaths& paths, const corpus::NameOptions& name);

  /// An article with its passages; nothing for other pages.
  std::optional<PagePassages> article(PageId page) const;
  /// Its passages, repeats among them; none for other pages.
  std::vector<Passage> passages(PageId page) const;
  /// The same without those that another passage replaces: the corpus.
  std::vector<Passage> corpus_passages(PageId page) const;
  void drop_repeats(PagePassages& article) const;

  /// The files of all articles, ascending by page.
  const std::vector<std::filesystem::path>& parts() const noexcept { return parts_; }
  /// The first page behind those of a file.
  std::uint64_t end_of_part(std::size_t part) const;

  const PassageRepeats& repeats() const noexcept { return repeats_; }
  /// `<wiki>-<page id>-<ordinal>`
  std::string docid(PageId page, std::uint32_t ordinal) const;

 private:
  /// The file that a thread read last.
  struct OpenPart {
    std::uint32_t number = 0;
    std::optional<PartFile::Reader> reader;
  };

  std::string wiki_;
  std::vector<std::filesystem::path> parts_;
  std::vector<PassageBlock> blocks_;
  PassageRepeats repeats_;
  mutable oneapi::tbb::enumerable_thread_specific<OpenPart> open_;
};

/// The passages of a work directory, for readers that are not stages. Throws StorageError if there are none yet, and as
/// `flow::checked_file`.
PassageCorpus checked_passages(const storage::Store& store, const flow::WorkPaths& paths,
                               const corpus::NameOptions& name);

/// What the stage passages writes.
std::vector<flow::Artifact> passage_artifacts();
/// What a stage declares that reads the passages and `others`.
std::vector<flow::Artifact> with_passages(std::vector<flow::Artifact> others);

}  // namespace touchstone::pipeline::passages
