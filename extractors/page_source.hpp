#pragma once

#include "common/digest.hpp"
#include "common/ids.hpp"
#include "common/reject_reason.hpp"
#include "extractors/document.hpp"
#include "extractors/site/site_info.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors {

/// What can be wrong with a page of a source. Stores hold the numbers (family reading).
enum class PageIssue : std::uint8_t {
  kMalformedXml,
  kMissingField,
  kBadNumber,
  kTooLarge,
  kTextDeleted,
  kMalformedJson,
  kBadTitle,
  kBadSection,
  kBadLink,
  kChecksumMismatch,
  kOtherModel,
  kLimitsHit,
  kOlderCopy,
  kUnescapedMarkup,
  kBadQid,
  kLostToDamage,
  kLostAtPlace,
  kNoText,
  kOtherFormat,
  kNotConverted,
};

namespace internal {

/// By the number of the issue.
inline constexpr std::array<RejectReason, 20> kPageIssues = {{
    {"malformed XML"},
    {"missing title, id or revision"},
    {"bad page or revision number"},
    {"larger than max_page_bytes"},
    {"text hidden from the public"},
    {"malformed JSON"},
    {"bad title"},
    {"bad section or paragraph"},
    {"bad link"},
    {"kept, but its text does not match its SHA-1", RejectSeverity::kKept},
    {"kept by title only: content model ", RejectSeverity::kKept},
    {"kept, but nested or large beyond the bounds in places", RejectSeverity::kKept},
    {"older copy of a page that is there already", RejectSeverity::kSuperseded},
    {"kept, but its text holds tags that are not escaped", RejectSeverity::kKept},
    {"bad QID"},
    {"lost where the file is damaged"},
    {"lost where the file is damaged, at least one at each place"},
    {"page without text", RejectSeverity::kNotMeant},
    {"file of a format that is not read", RejectSeverity::kNotMeant},
    {"page that could not be converted"},
}};

}  // namespace internal

/// Text and severity of an issue. The text of kOtherModel goes on with the name of the model.
constexpr const RejectReason& describe(PageIssue issue) noexcept {
  return internal::kPageIssues[static_cast<std::size_t>(issue)];
}

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
  std::string qid;  ///< of the Wikidata item about the page ("Q42"); empty: not known
  /// Where a page is that is part of a book, and what the book says of its licence. Empty: not known.
  std::string book, license;
  std::vector<std::string> chapters;  ///< titles of the parts of the book around the page, the outermost first
  std::uint32_t text_bytes = 0;       ///< size of the page's source text
  Digest128 content_digest{};         ///< xxh3_128 of the page's source text
};

/// What the document of a page depends on besides its own text and title.
struct ReadingInputs {
  /// A page that was included, or asked for.
  struct Inclusion {
    Title title;
    bool existence = false;  ///< only whether it exists was of interest
    Digest128 content{};     ///< digest_of_inclusion
    friend auto operator<=>(const Inclusion&, const Inclusion&) = default;
  };
  bool date = false;                  ///< the current date
  std::vector<Inclusion> inclusions;  ///< ascending, distinct
};

/// The digest of the text of an included page, or of whether a page exists; all zeros if it does not.
inline Digest128 digest_of_inclusion(const std::optional<std::string>& text) {
  return text ? xxh3_128(*text) : Digest128{};
}
inline Digest128 digest_of_existence(bool exists) {
  return exists ? xxh3_128("exists") : Digest128{};
}

/// An issue that was met.
struct PageRemark {
  PageIssue issue;
  std::string where;   ///< which page or place: "at byte 120", "line 3", a title
  std::string detail;  ///< continues the text of kOtherModel; else empty
};

/// Whole records of a source, one record a page, as bytes: what the serial part of reading cuts off and the parallel
/// part reads.
struct RawBatch {
  struct Record {
    std::size_t begin = 0, size = 0;  ///< within `bytes`
    std::uint64_t place = 0;          ///< of the record in the source: a byte offset or a line number
  };
  std::string bytes;
  std::vector<Record> records;
  std::vector<std::uint64_t> too_large;  ///< places of records that were left out because of their size
  std::vector<PageRemark> remarks;       ///< on records that are not there
  std::uint64_t end_offset = 0;          ///< for `PageSource::skip_to`: everything up to the end of this batch is read
  PageId last_page;                      ///< for it too: the number of the last page; 0 if the source does not say it
};

struct SourcePage {
  PageHead head;
  std::optional<Document> document;  ///< absent for pages that are known by title only
  ReadingInputs inputs = {};
  bool is_known = false;  ///< a KnownPages has what it says: of all else only the number of the page is given
  /// xxh3_128 of the page's record, from which all of the above follows but for `inputs`. All zeros: not noted, and a
  /// later reading must read the record again.
  Digest128 record_digest{};
  std::vector<PageRemark> remarks;  ///< those of SourceBatch that are about this page, if `record_digest` is noted
};

/// Pages that an earlier reading of the same site has read. Const members are thread-safe.
class KnownPages {
 public:
  virtual ~KnownPages() = default;
  /// The remarks of the earlier reading of a record, if reading it again would give what it gave then.
  /// \param page    number of the page that the record seems to hold
  /// \param record  SourcePage::record_digest
  virtual std::optional<std::vector<PageRemark>> find(PageId page, const Digest128& record) const = 0;
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
  /// Throws FormatError when the file is not a source of this kind.
  virtual std::optional<site::SiteInfo> site_info() { return std::nullopt; }

  /// What the source calls itself, such as the title of a book. Empty: it does not say.
  virtual std::string title() const { return {}; }
  /// Under which licence the texts are, in the words of the source. Empty: it does not say.
  virtual std::string license() const { return {}; }

  /// The code of the language of the texts, as the source declares it ("de", "pt-BR"). Empty: it does not say.
  virtual std::string language() const { return {}; }

  /// What a user should know of the file as a whole, in full sentences. \pre site_info() was called
  virtual std::vector<std::string> warnings() const { return {}; }

  /// Skips everything before `offset`, the `end_offset` of a batch of an earlier run. \pre next() was not called
  /// \param last_page  of that batch, by which some sources find the place sooner; 0: not known
  virtual void skip_to(std::uint64_t offset, PageId last_page) = 0;

  /// The next batch, or nothing at the end. Throws FormatError when the file is damaged or cut short.
  virtual std::optional<RawBatch> next() = 0;

  virtual SourceBatch read(RawBatch batch) const = 0;

  /// Pages that need not be read again; they outlive this object. Sources may read them nevertheless.
  virtual void use(const KnownPages& /*known*/) {}
  /// No text is of interest. Sources may read texts nevertheless.
  virtual void read_heads_only() {}

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
