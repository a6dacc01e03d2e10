#pragma once

#include "common/digest.hpp"
#include "common/ids.hpp"
#include "extractors/document.hpp"
#include "extractors/page_issue.hpp"
#include "extractors/raw_batch.hpp"
#include "extractors/site/site_info.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors {

/// What a source says of a page besides its text.
struct PageHead {
  PageId id;
  Title title;
  RevisionId revision;    ///< 0 where the source numbers no revisions; of two copies of a page the higher one counts
  std::string timestamp;  ///< ISO 8601, UTC; empty where it is not known
  std::string model;      ///< content model, such as "css"; empty for wikitext
  bool is_redirect = false;
  Title redirect;  ///< target, when it is a page of this source
  std::string redirect_fragment;
  bool is_disambiguation = false;
  /// What templates say of the page: "good article", "stub", "disambiguation" ...; ascending. Those that are known for
  /// the language of the wiki.
  std::vector<std::string> page_tags;
  std::string qid;               ///< of the Wikidata item about the page ("Q42"); empty: not known
  std::uint32_t text_bytes = 0;  ///< size of the page's source text
  Digest128 content_digest{};    ///< xxh3_128 of the page's source text
};

struct SourcePage {
  PageHead head;
  std::optional<Document> document;  ///< absent for pages that are known by title only
};

/// An issue that was met.
struct PageRemark {
  PageIssue issue;
  std::string where;   ///< which page or place: "at byte 120", "line 3", a title
  std::string detail;  ///< continues the text of kOtherModel; else empty
};

/// What a raw batch holds.
struct SourceBatch {
  std::vector<SourcePage> pages;    ///< in the order of the source
  std::vector<PageRemark> remarks;  ///< likewise
};

/// The text of a page that other pages may include.
struct IncludedPage {
  Title title;
  std::optional<std::string> text;  ///< absent: the page cannot be included, and only that it exists is of interest
};

/// A file of pages, read once from start to end.
///
/// Reading is in two parts. `next` cuts the bytes of the file into batches; one thread calls it. `read` and
/// `included_pages` turn a batch into pages; they are pure and may be called for several batches at the same time.
class PageSource {
 public:
  virtual ~PageSource() = default;

  /// What the source says of the site that its pages are from; nothing for sources without a site and namespaces.
  /// Throws FormatError when the file is no source of this kind.
  virtual std::optional<site::SiteInfo> site_info() { return std::nullopt; }

  /// What a user should know of the file as a whole, in full sentences. \pre site_info() was called
  virtual std::vector<std::string> warnings() const { return {}; }

  /// Skips everything before `offset`, the `end_offset` of a batch of an earlier run. \pre next() was not called
  virtual void skip_to(std::uint64_t offset) = 0;

  /// The next batch, or nothing at the end. Throws FormatError when the file is damaged or cut short.
  virtual std::optional<RawBatch> next() = 0;

  virtual SourceBatch read(RawBatch batch) const = 0;

  /// The pages of a batch that others may include, for a first pass over the file. Pages that cannot be read are left
  /// to `read`, which reports them.
  virtual std::vector<IncludedPage> included_pages(const RawBatch&) const { return {}; }

  /// Name of the file, for messages.
  virtual const std::string& name() const noexcept = 0;
  /// Bytes of the file that were read so far. May be asked from another thread.
  virtual std::uint64_t raw_offset() const noexcept = 0;
  /// SHA-256 of the raw file. \pre next() returned nothing
  virtual std::string raw_sha256() = 0;
};

}  // namespace touchstone::extractors
