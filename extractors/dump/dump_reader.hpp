#pragma once

#include "common/ids.hpp"
#include "common/result.hpp"
#include "extractors/dump/byte_source.hpp"
#include "extractors/page_source.hpp"
#include "extractors/site/site_info.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::dump {

/// One page as the dump holds it; of several revisions the last.
struct RawPage {
  PageId id;
  std::int32_t ns = 0;
  std::string title;           ///< with namespace prefix, as written in the dump
  std::string redirect_title;  ///< `<redirect title="..">`; empty if the page is not a redirect
  RevisionId revision;
  std::string timestamp;  ///< ISO 8601, UTC
  std::string model = "wikitext";
  std::string text;
  std::string sha1;               ///< of the text, base 36; empty if the dump has no checksums
  bool text_deleted = false;      ///< hidden from the public
  bool unescaped_markup = false;  ///< `text` holds elements, as written, which an export writes with references
};

struct DumpReaderOptions {
  std::size_t batch_bytes = std::size_t{1} << 20;       ///< a batch ends with the page that reaches this size
  std::size_t max_page_bytes = std::size_t{256} << 20;  ///< larger pages are left out and counted
  std::size_t read_bytes = std::size_t{1} << 20;        ///< asked from the source at a time
  /// Passes over zero bytes, and what is missing at the end. Pages that are cut there are left out, with a remark for
  /// each place, or for each page that `lost` knows.
  bool skip_damage = false;
  /// The pages whose numbers are between two, a text for each; 0 as the second one is the end of the dump. Called with
  /// ascending numbers. May be null, or give none.
  std::function<std::vector<std::string>(PageId, PageId)> lost;
  /// Opens the dump at a place of its file in front of a page, near to it, where the text is between two pages. Null if
  /// no such place is known. May be null itself.
  std::function<std::unique_ptr<ByteSource>(PageId)> open_before;
};

/// Cuts a MediaWiki XML dump (export-0.10 and 0.11) into batches of pages, in one pass and bounded memory.
/// Older revisions of a page are dropped while reading, so that a history dump costs no more than its current text.
/// Not thread-safe: one thread reads; batches may be parsed anywhere (`parse_page`).
/// Source: mediawiki.org Help:Export and export-0.11.xsd (read 2025-01).
class DumpReader {
 public:
  DumpReader(std::unique_ptr<ByteSource> source, DumpReaderOptions options = {});

  /// Siteinfo at the head of the dump. Throws FormatError when the file is not a MediaWiki dump.
  /// A dump without siteinfo gets MediaWiki's namespaces for the language it names.
  const site::SiteInfo& site_info() { return read_head(), site_; }
  /// True if the dump has no siteinfo of its own.
  bool site_info_assumed() { return read_head(), site_assumed_; }
  /// True if the dump does not name the language of its wiki.
  bool language_assumed() { return read_head(), language_assumed_; }

  /// Skips to `offset` (a former `end_offset`) without returning batches, to continue an earlier run.
  /// \param last_page  in front of it; with `open_before`, what comes before need not be read. 0: not known
  void skip_to(std::uint64_t offset, PageId last_page);

  /// The next batch, or nothing at the end of a complete dump; the place of a page is the offset of its `<page>` in the
  /// decompressed dump. Throws FormatError on a truncated or damaged file, unless damage is skipped. Zero bytes are
  /// damage: no XML has them.
  std::optional<RawBatch> next();

  ByteSource& source() { return *source_; }
  const ByteSource& source() const { return *source_; }

 private:
  enum class Found : std::uint8_t { kPage, kTooLarge, kDamaged, kEnd };
  static constexpr std::uint64_t kNoOffset = std::numeric_limits<std::uint64_t>::max();

  bool fill();
  bool seek_behind(PageId last_page, std::uint64_t offset);
  void find_zero(std::size_t from);
  void look_for_zeros();
  /// Notes that the end of the dump is missing, or throws FormatError.
  void miss_end(const std::string& what);
  void close_gap(PageId next, RawBatch& batch);
  void cut_out(std::size_t begin, std::size_t end);
  std::string where() const;
  bool next_tag();
  void read_head();
  Found next_page(std::string& bytes, std::uint64_t& offset);
  void remember_title(std::string_view head);
  std::uint64_t position() const { return window_offset_ + at_; }
  std::string_view rest() const { return std::string_view(window_).substr(at_); }

  // The window holds bytes [window_offset_, window_offset_ + window_.size()) of the decompressed dump. Bytes before
  // `floor_` are done with and are removed when more is read; the page being read starts at `floor_`; scanning is
  // at `at_`. Within a page that outgrows the limit, bytes from `shed_from_` (counted from floor) on are thrown away.
  std::unique_ptr<ByteSource> source_;
  DumpReaderOptions options_;
  std::string window_;
  std::uint64_t window_offset_ = 0;
  std::size_t floor_ = 0, at_ = 0, shed_from_ = 0;
  bool shed_ = false;
  bool source_ended_ = false;
  bool open_document_ = false;  ///< between <mediawiki> and </mediawiki>
  bool head_read_ = false;
  bool site_assumed_ = false, language_assumed_ = false;
  std::uint64_t zero_at_ = kNoOffset;  ///< the first zero byte
  site::SiteInfo site_;
  std::string last_title_;  ///< for messages
  PageId last_page_;        ///< 0 in front of the first one; noted only if damage is skipped
  bool damaged_ = false;    ///< there was damage since the last tag that was looked at
  bool in_gap_ = false;     ///< pages since the last one are lost
};

/// The number in the first `<id>` of a `<page>` element. Looks only at the beginning of the element, and gives 0 if no
/// `<id>` is there.
PageId page_number(std::string_view xml) noexcept;

/// Reads one `<page>` element. Pure and thread-safe; no entities or external files are loaded.
Result<RawPage, PageIssue> parse_page(std::string_view xml);

}  // namespace touchstone::extractors::dump
