#pragma once

#include "common/digest.hpp"
#include "common/ids.hpp"
#include "common/title.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::storage {

// The values of the store. `encode` gives bytes that depend on the record alone; `decode_...` throws StorageError on
// bytes that no version of `encode` wrote, and never reads outside them. Layouts: docs/store.md.

/// What happened to a page's text.
enum class PageContent : std::uint8_t {
  kNotRead,     ///< a namespace whose pages are only known by title
  kRead,        ///< parsed: outline, paragraphs, tables and links are in the store
  kOtherModel,  ///< of a content model that is not read (css, json, Scribunto, ...): known by title
};

struct PageRecord {
  Title title;
  bool is_redirect = false;
  Title redirect;  ///< target as written, when is_redirect and it is on this wiki
  std::string redirect_fragment;
  RevisionId revision;
  std::string timestamp;  ///< ISO 8601
  PageContent content = PageContent::kNotRead;
  std::string model;             ///< content model; empty for wikitext
  std::uint32_t text_bytes = 0;  ///< of the source text, such as the wikitext
  bool is_disambiguation = false;
  /// `xxh3_128` of the source text: tells unchanged pages of two editions apart from changed ones, also where the
  /// source numbers no revisions. All zeros: not known.
  Digest128 content_digest{};

  /// True for an article: a page of the main namespace whose text was read, and no redirect.
  bool is_article() const noexcept {
    return title.ns == kNamespaceMain && content == PageContent::kRead && !is_redirect;
  }
  friend bool operator==(const PageRecord&, const PageRecord&) = default;
};

/// Section tree in page order; sections[0] is the lead.
struct OutlineRecord {
  struct Section {
    std::uint8_t level = 0;
    std::uint32_t parent = 0;
    std::string heading;
    std::uint32_t first_paragraph = 0, paragraph_count = 0;  ///< ordinals within the page
    friend bool operator==(const Section&, const Section&) = default;
  };
  std::vector<Section> sections;
  std::uint32_t table_count = 0;
  friend bool operator==(const OutlineRecord&, const OutlineRecord&) = default;
};

/// A link within a text. `target` is an index into the page's LinkRecord::targets.
struct TextLink {
  std::uint32_t begin = 0, end = 0;  ///< code points of the anchor text
  std::uint32_t target = 0;
  bool from_template = false;
  friend bool operator==(const TextLink&, const TextLink&) = default;
};

/// A note leads to other pages and says nothing itself: "Main article: ...".
enum class ParagraphKind : std::uint8_t { kParagraph, kListItem, kPreformatted, kNote };

struct ParagraphRecord {
  ParagraphKind kind = ParagraphKind::kParagraph;
  std::string list_marker;
  std::string text;
  std::vector<TextLink> links;
  std::vector<std::uint32_t> gaps;  ///< code points at which a sentence lacks words, ascending
  friend bool operator==(const ParagraphRecord&, const ParagraphRecord&) = default;
};

/// The paragraphs of one section, in order; their ordinals start at the outline's first_paragraph.
struct SectionTextRecord {
  std::vector<ParagraphRecord> paragraphs;
  friend bool operator==(const SectionTextRecord&, const SectionTextRecord&) = default;
};

/// All links of a page: distinct targets in order of first appearance, and where they are.
struct LinkRecord {
  struct Place {
    std::uint32_t target = 0;     ///< index into targets
    std::uint32_t paragraph = 0;  ///< ordinal + 1; 0: elsewhere on the page (table, reference, caption, ...)
    bool from_template = false;
    friend bool operator==(const Place&, const Place&) = default;
  };
  std::vector<Title> targets;
  std::vector<Place> places;  ///< distinct, ascending by (paragraph, target, from_template)
  friend bool operator==(const LinkRecord&, const LinkRecord&) = default;
};

/// What a page has besides its outline, paragraphs, tables and links.
struct AttributeRecord {
  /// An image that the page shows, with its caption.
  struct Image {
    std::uint32_t section = 0;
    std::uint32_t paragraph = 0;  ///< number of paragraphs of the page in front of it
    std::string file;             ///< title of the file, without namespace
    std::string caption;
    std::vector<TextLink> links;  ///< of the caption
    friend bool operator==(const Image&, const Image&) = default;
  };
  std::vector<Title> categories;  ///< in page order
  std::vector<std::string> tags;  ///< names of what marks the page, such as "good article"; sorted
  std::vector<Image> images;      ///< in page order
  /// Number of paragraphs in front of each table of the page, by the table's number.
  std::vector<std::uint32_t> table_places;
  /// A link of a paragraph that leads to a section of its target: `[[Target#Section]]`.
  struct SectionLink {
    std::uint32_t paragraph = 0;  ///< ordinal within the page
    std::uint32_t link = 0;       ///< index into the paragraph's links
    std::string section;
    friend bool operator==(const SectionLink&, const SectionLink&) = default;
  };
  std::vector<SectionLink> section_links;  ///< ascending by (paragraph, link)
  std::string qid;                         ///< of the Wikidata item about the page ("Q42"); empty: not known
  /// Where the page is in a book, and what the source says of its licence. Empty: not known.
  struct Origin {
    std::string book, license;
    std::vector<std::string> chapters;  ///< titles of the parts of the book around the page, the outermost first
    std::vector<std::string> anchors;   ///< by section of the outline: Section::anchor; empty if no section has one
    bool empty() const { return book.empty() && license.empty() && chapters.empty() && anchors.empty(); }
    friend bool operator==(const Origin&, const Origin&) = default;
  };
  Origin origin;
  bool empty() const {
    return categories.empty() && tags.empty() && images.empty() && table_places.empty() && section_links.empty() &&
           qid.empty() && origin.empty();
  }
  friend bool operator==(const AttributeRecord&, const AttributeRecord&) = default;
};

/// The pages that the targets of a page's LinkRecord lead to, one for each target, redirects followed.
struct LinkTargetRecord {
  std::vector<PageId> pages;  ///< 0: not a page of the store, or a circle of redirects
  friend bool operator==(const LinkTargetRecord&, const LinkTargetRecord&) = default;
};

struct CellRecord {
  std::string text;
  std::vector<TextLink> links;
  std::uint32_t row_span = 1, column_span = 1;
  bool header = false, repeated = false, missing = false;
  friend bool operator==(const CellRecord&, const CellRecord&) = default;
};

/// A table as a rectangular grid, row-major, spans written out: a position that a span covers holds a copy of the cell
/// that covers it, with `repeated` set.
struct TableRecord {
  std::uint32_t section = 0;
  std::uint16_t depth = 0;
  std::string css_class, caption;
  std::uint32_t columns = 0;
  std::vector<CellRecord> cells;
  std::uint32_t rows() const noexcept { return columns == 0 ? 0 : static_cast<std::uint32_t>(cells.size() / columns); }
  const CellRecord& cell(std::uint32_t row, std::uint32_t column) const { return cells.at(row * columns + column); }
  friend bool operator==(const TableRecord&, const TableRecord&) = default;
};

/// Redirects that lead to a page, ascending.
struct AliasRecord {
  struct Alias {
    PageId page;
    bool to_section = false;  ///< the redirect has a fragment: another name of a part, not of the page
    friend bool operator==(const Alias&, const Alias&) = default;
  };
  std::vector<Alias> aliases;
  friend bool operator==(const AliasRecord&, const AliasRecord&) = default;
};

/// A statement of an item whose value is an item.
struct ItemStatement {
  std::uint32_t property = 0;
  std::uint64_t item = 0;
  friend auto operator<=>(const ItemStatement&, const ItemStatement&) = default;
};

/// What a dump of Wikidata says of an item.
struct ItemFacts {
  std::vector<std::string> labels;             ///< in the languages that were asked for, in their order; distinct
  std::vector<std::string> aliases;            ///< likewise, in the order of the dump; none is a label
  std::vector<std::uint64_t> types;            ///< numbers of the items that it is an instance of, ascending
  std::vector<ItemStatement> statements = {};  ///< of properties that topics name, ascending
  friend bool operator==(const ItemFacts&, const ItemFacts&) = default;
};

/// The Wikidata item that a page is about.
struct EntityRecord {
  std::uint64_t item = 0;          ///< 42 for "Q42"
  std::optional<ItemFacts> facts;  ///< only where a dump of Wikidata was read
  std::string qid() const { return "Q" + std::to_string(item); }
  friend bool operator==(const EntityRecord&, const EntityRecord&) = default;
};

/// A class of Wikidata: an item that is a subclass of others.
struct ClassRecord {
  std::string label;                        ///< in the first language that it has one in; may be empty
  std::vector<std::uint64_t> superclasses;  ///< numbers of their items, ascending
  friend bool operator==(const ClassRecord&, const ClassRecord&) = default;
};

/// What SQL dumps of the wiki say of a page that its text does not.
struct SqlPageRecord {
  std::vector<Title> categories;   ///< that templates give it, sorted
  std::vector<std::string> names;  ///< its titles in wikis of other languages, sorted; none is its own title
  friend bool operator==(const SqlPageRecord&, const SqlPageRecord&) = default;
};

std::string encode(const PageRecord& record);
std::string encode(const OutlineRecord& record);
std::string encode(const SectionTextRecord& record);
std::string encode(const LinkRecord& record);
std::string encode(const LinkTargetRecord& record);
std::string encode(const TableRecord& record);
std::string encode(const AliasRecord& record);
std::string encode(const AttributeRecord& record);
std::string encode(const EntityRecord& record);
std::string encode(const ClassRecord& record);
std::string encode(const SqlPageRecord& record);

PageRecord decode_page(std::string_view bytes);
OutlineRecord decode_outline(std::string_view bytes);
SectionTextRecord decode_section_text(std::string_view bytes);
LinkRecord decode_links(std::string_view bytes);
LinkTargetRecord decode_link_targets(std::string_view bytes);
TableRecord decode_table(std::string_view bytes);
AliasRecord decode_aliases(std::string_view bytes);
AttributeRecord decode_attributes(std::string_view bytes);
EntityRecord decode_entity(std::string_view bytes);
ClassRecord decode_class(std::string_view bytes);
SqlPageRecord decode_sql_page(std::string_view bytes);

/// The targets of an encoded LinkRecord, without decoding its places.
std::vector<Title> decode_link_titles(std::string_view bytes);

/// Passes namespace and text of each target of an encoded LinkRecord on, without a copy, and returns what follows them:
/// the encoded places.
using LinkTargetVisitor = std::function<void(std::int32_t ns, std::string_view text)>;
std::string_view visit_link_targets(std::string_view bytes, const LinkTargetVisitor& visit);
/// \param targets  number of targets of the record
std::vector<LinkRecord::Place> decode_link_places(std::string_view places, std::size_t targets);

}  // namespace touchstone::storage
