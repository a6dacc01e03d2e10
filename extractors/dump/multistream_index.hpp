#pragma once

#include "common/ids.hpp"
#include "extractors/dump/byte_source.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::extractors::dump {

/// The list of pages that is published beside a multistream dump: lines of `place of the stream:page id:title`, in the
/// order of the dump. Read once, forward. Not thread-safe. Reading throws as ByteSource::read does.
class MultistreamIndex {
 public:
  /// The index that lies beside a dump: `X-multistream-index.txt.bz2` for `X-multistream.xml.bz2`, `...index1.txt...`
  /// for `...multistream1.xml...`. An empty path if that file is not there.
  static std::filesystem::path beside(const std::filesystem::path& dump);

  explicit MultistreamIndex(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  /// The pages whose ids are above `before` and below `next` (0: up to the end), as `page 12 "Title"`. Lines up to
  /// there are gone afterwards. Lines that are none of an index are passed over.
  std::vector<std::string> between(PageId before, PageId next);

  /// Where in the dump the stream begins that holds a page; nothing if the page is not listed. Lines up to there are
  /// gone afterwards.
  std::optional<std::uint64_t> stream_of(PageId page);

 private:
  struct Entry {
    std::uint64_t stream = 0;
    PageId id;
    std::string title;
  };
  std::optional<Entry> read_entry();

  std::unique_ptr<ByteSource> source_;
  std::string window_;
  std::size_t at_ = 0;
  std::optional<Entry> ahead_;  ///< the first one behind what was asked for
};

}  // namespace touchstone::extractors::dump
