#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace touchstone::formats::car {

// The records of TREC CAR files (also called Wikimarks), in whichever form a file holds them: CBOR of any version, or
// JSON lines. All texts and ids are UTF-8. `fields` lists the fields for files of records (common/records).

/// A link to a page of the same wiki.
struct Link {
  std::string page_name;
  std::string page_id;  ///< empty: not known; such a link makes no entity
  std::optional<std::string> section;
  std::string anchor;
  std::string qid;  ///< of the target ("Q42"); empty: not known
  template <class Fields>
  void fields(Fields& field) {
    field("page_name", page_name)("page_id", page_id)("section", section)("anchor", anchor)("qid", qid);
  }
  friend bool operator==(const Link&, const Link&) = default;
};

/// A piece of a paragraph: plain text or a link.
using ParagraphBody = std::variant<std::string, Link>;

struct Paragraph {
  std::string id;  ///< `paragraph_id` of the bodies, if this program made it
  std::vector<ParagraphBody> bodies;
  template <class Fields>
  void fields(Fields& field) {
    field("id", id)("bodies", bodies);
  }
  friend bool operator==(const Paragraph&, const Paragraph&) = default;
};

struct Skeleton;

struct Section {
  std::string heading;
  std::string heading_id;
  std::vector<Skeleton> children;
  template <class Fields>
  void fields(Fields& field) {
    field("heading", heading)("heading_id", heading_id)("children", children);
  }
  friend bool operator==(const Section&, const Section&) = default;
};

struct Image {
  std::string url;
  std::vector<Skeleton> caption;
  template <class Fields>
  void fields(Fields& field) {
    field("url", url)("caption", caption);
  }
  friend bool operator==(const Image&, const Image&) = default;
};

struct ListItem {
  std::uint32_t level = 1;
  Paragraph paragraph;
  template <class Fields>
  void fields(Fields& field) {
    field("level", level)("paragraph", paragraph);
  }
  friend bool operator==(const ListItem&, const ListItem&) = default;
};

struct Infobox {
  std::string name;
  std::vector<std::pair<std::string, std::vector<Skeleton>>> entries;  ///< key and value
  template <class Fields>
  void fields(Fields& field) {
    field("name", name)("entries", entries);
  }
  friend bool operator==(const Infobox&, const Infobox&) = default;
};

/// An element of a page, in page order.
struct Skeleton {
  std::variant<Section, Paragraph, Image, ListItem, Infobox> element;
  template <class Fields>
  void fields(Fields& field) {
    field("element", element);
  }
  friend bool operator==(const Skeleton&, const Skeleton&) = default;
};

enum class PageType : std::uint8_t { kArticle, kCategory, kDisambiguation, kRedirect };

struct AnchorCount {
  std::string text;
  std::uint64_t count = 0;
  template <class Fields>
  void fields(Fields& field) {
    field("text", text)("count", count);
  }
  friend bool operator==(const AnchorCount&, const AnchorCount&) = default;
};

/// Empty fields are not known or have no value.
struct PageMetadata {
  std::vector<std::string> redirect_names;
  std::vector<std::string> disambiguation_names, disambiguation_ids;
  std::vector<std::string> category_names, category_ids;
  std::vector<std::string> inlink_ids;
  std::vector<AnchorCount> inlink_anchors;
  std::string qid;
  std::string site_id;
  std::vector<std::string> page_tags;
  template <class Fields>
  void fields(Fields& field) {
    field("redirect_names", redirect_names)("disambiguation_names", disambiguation_names)(
        "disambiguation_ids", disambiguation_ids)("category_names", category_names)("category_ids", category_ids)(
        "inlink_ids", inlink_ids)("inlink_anchors", inlink_anchors)("qid", qid)("site_id", site_id)("page_tags",
                                                                                                    page_tags);
  }
  friend bool operator==(const PageMetadata&, const PageMetadata&) = default;
};

/// A list of texts of the metadata in all forms of files.
struct MetadataList {
  std::uint64_t tag;      ///< in CBOR
  std::string_view name;  ///< in JSON lines
  const char* words;      ///< in messages
  bool has_ids;           ///< byte strings in CBOR
  std::vector<std::string> PageMetadata::*texts;
};
/// All of them but the page tags, which come last.
inline constexpr MetadataList kMetadataLists[] = {
    {0, "redirect_names", "list of redirect names", false, &PageMetadata::redirect_names},
    {1, "disambiguation_names", "list of disambiguation names", false, &PageMetadata::disambiguation_names},
    {2, "disambiguation_ids", "list of disambiguation ids", true, &PageMetadata::disambiguation_ids},
    {3, "category_names", "list of category names", false, &PageMetadata::category_names},
    {4, "category_ids", "list of category ids", true, &PageMetadata::category_ids},
    {5, "inlink_ids", "list of ids of linking pages", true, &PageMetadata::inlink_ids}};

/// A page, or the outline of one: its sections without paragraphs.
struct Page {
  std::string name;
  std::string id;
  std::vector<Skeleton> skeleton;
  PageType type = PageType::kArticle;
  std::optional<Link> redirect;  ///< target, of a page of type kRedirect
  PageMetadata metadata;
  template <class Fields>
  void fields(Fields& field) {
    field("name", name)("id", id)("skeleton", skeleton)("type", type)("redirect", redirect)("metadata", metadata);
  }
  friend bool operator==(const Page&, const Page&) = default;
};

/// What the records of a file are. Pages and outlines have the same form.
enum class FileType : std::uint8_t { kPages, kOutlines, kParagraphs };

/// A wiki that pages were taken from.
struct SiteProvenance {
  std::string site_id;   ///< such as "enwiki"
  std::string language;  ///< RFC 5646, such as "en"
  std::string source;    ///< name of the dump
  std::vector<std::string> comments;
  friend bool operator==(const SiteProvenance&, const SiteProvenance&) = default;
};

/// A program that made or changed the file.
struct Transform {
  std::string tool;
  std::string commit;
  std::string info;  ///< free text; readers drop what an old file has here if it is not text
  friend bool operator==(const Transform&, const Transform&) = default;
};

/// Where a file comes from, as its header tells it.
struct Provenance {
  std::vector<SiteProvenance> sites;
  std::string release_name;
  std::vector<std::string> comments;
  std::vector<Transform> transforms;
  friend bool operator==(const Provenance&, const Provenance&) = default;
};

/// The names of page types in JSON lines and in outputs.
inline constexpr std::pair<std::string_view, PageType> kPageTypes[] = {{"article", PageType::kArticle},
                                                                       {"category", PageType::kCategory},
                                                                       {"disambiguation", PageType::kDisambiguation},
                                                                       {"redirect", PageType::kRedirect}};

/// The names of file types in outputs.
inline constexpr std::pair<std::string_view, FileType> kFileTypes[] = {
    {"pages", FileType::kPages}, {"outlines", FileType::kOutlines}, {"paragraphs", FileType::kParagraphs}};

/// Whether visit_skeleton walks over captions of images and values of infoboxes. Their paragraphs are not passages.
enum class Insides : std::uint8_t { kVisited, kLeftOut };

/// Walks over the elements of a page in page order. `visitor.enter(section, level)` is called before the content of
/// each section (level 1: outermost), `visitor.leave(section)` behind it, and `visitor.element(content)` for every
/// paragraph, image, list item and infobox, before what is in it.
template <Insides insides = Insides::kVisited, class Visitor>
void visit_skeleton(const std::vector<Skeleton>& elements, Visitor& visitor, std::size_t level = 1) {
  for (const auto& element : elements) {
    if (const auto* section = std::get_if<Section>(&element.element)) {
      visitor.enter(*section, level);
      visit_skeleton<insides>(section->children, visitor, level + 1);
      visitor.leave(*section);
    } else if (const auto* paragraph = std::get_if<Paragraph>(&element.element)) {
      visitor.element(*paragraph);
    } else if (const auto* item = std::get_if<ListItem>(&element.element)) {
      visitor.element(*item);
    } else if (const auto* image = std::get_if<Image>(&element.element)) {
      visitor.element(*image);
      if constexpr (insides == Insides::kVisited) visit_skeleton<insides>(image->caption, visitor, level);
    } else if (const auto* infobox = std::get_if<Infobox>(&element.element)) {
      visitor.element(*infobox);
      if constexpr (insides == Insides::kVisited) {
        for (const auto& [key, value] : infobox->entries) visit_skeleton<insides>(value, visitor, level);
      }
    }
  }
}

}  // namespace touchstone::formats::car
