#include "pipeline/automatic/page_composer.hpp"

#include "collection/health/damage.hpp"
#include "common/unicode.hpp"
#include "formats/car/ids.hpp"
#include "pipeline/automatic/page_links.hpp"
#include "pipeline/automatic/table_rows.hpp"
#include "pipeline/passages/passage_rules.hpp"
#include "pipeline/passages/sentences.hpp"
#include "storage/keys.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace touchstone::pipeline::automatic {
namespace {

using formats::car::Image;
using formats::car::ListItem;
using formats::car::PageMetadata;
using formats::car::Section;
using formats::car::Skeleton;
using internal::PageLinks;
using storage::AttributeRecord;
using storage::Family;
using storage::OutlineRecord;

constexpr std::int32_t kNamespaceFile = 6;

/// Builds the skeleton of one page: what is in its sections first, then the tree of the sections.
class SkeletonBuilder {
 public:
  SkeletonBuilder(const storage::Store& store, const corpus::TitleIndex& titles, PageId page,
                  const OutlineRecord& outline, const AttributeRecord& attributes, PageLinks& links,
                  const PageComposer::Options& options)
      : store_(store),
        titles_(titles),
        page_(page),
        outline_(outline),
        attributes_(attributes),
        links_(links),
        pieces_(outline.sections.size()),
        list_items_(options.list_items),
        min_words_(options.min_words) {}

  void add_paragraphs() {
    std::string bytes;
    for (std::uint32_t i = 0; i < outline_.sections.size(); ++i) {
      const auto& section = outline_.sections[i];
      if (section.paragraph_count == 0 || !store_.get(Family::kParagraph, storage::page_part_key(page_, i), bytes))
        continue;
      auto text = storage::decode_section_text(bytes);
      for (auto& paragraph : text.paragraphs) {
        passages::strip_damage(paragraph, [&](auto, std::string_view) { ++damaged_; });
      }
      passages::strip_announcements(text, list_items_);
      join_short(text);
      if (list_items_) join_short_items(text);
      join_parts(text);
      std::uint32_t ordinal = section.first_paragraph;
      for (const auto& paragraph : text.paragraphs) add(i, ordinal++, paragraph);
    }
  }

  void add_images() {
    for (const auto& image : attributes_.images) {
      Image element;
      element.url = titles_.prefixed({kNamespaceFile, image.file});
      if (!is_invisible(image.caption)) element.caption.push_back({links_.paragraph(image.caption, image.links)});
      put(image.section, image.paragraph, {std::move(element)});
    }
  }

  void add_table_rows() {
    const auto& places = attributes_.table_places;
    std::string bytes;
    for (std::uint32_t i = 0; i < outline_.table_count && i < places.size(); ++i) {
      if (!store_.get(Family::kTable, storage::page_part_key(page_, i), bytes)) continue;
      const auto table = storage::decode_table(bytes);
      if (table.depth > 0) continue;  // what is in an inner table is text of the outer one's cell
      for (const auto& row : internal::rows_of(table))
        put(table.section, places[i], {links_.paragraph(row.text, row.links)});
    }
  }

  /// The children of the page. Call once, last.
  std::vector<Skeleton> take() {
    const auto count = static_cast<std::uint32_t>(outline_.sections.size());
    std::vector<std::vector<Skeleton>> children(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      std::stable_sort(pieces_[i].begin(), pieces_[i].end(),
                       [](const Piece& a, const Piece& b) { return a.at < b.at; });
      for (auto& piece : pieces_[i]) children[i].push_back(std::move(piece.element));
    }
    // From the last to the first, so that a section is whole when its parent takes it; its place is behind the parent's
    // own elements and in front of the sections that were moved before.
    std::vector<std::vector<std::vector<Skeleton>>> below(count);
    for (std::uint32_t i = count; i-- > 1;) {
      for (auto part = below[i].rbegin(); part != below[i].rend(); ++part)
        std::move(part->begin(), part->end(), std::back_inserter(children[i]));
      const auto& section = outline_.sections[i];
      const std::uint32_t parent = section.parent < i ? section.parent : 0;
      if (is_invisible(section.heading)) {
        ++empty_headings_;
        below[parent].push_back(std::move(children[i]));
        continue;
      }
      std::vector<Skeleton> one;
      one.push_back({Section{section.heading, formats::car::heading_id(section.heading), std::move(children[i])}});
      below[parent].push_back(std::move(one));
    }
    if (count == 0) return {};
    std::for_each(below[0].rbegin(), below[0].rend(),
                  [&](auto& part) { std::move(part.begin(), part.end(), std::back_inserter(children[0])); });
    return std::move(children[0]);
  }

  std::uint32_t damaged() const noexcept { return damaged_; }
  std::uint32_t empty_headings() const noexcept { return empty_headings_; }

 private:
  struct Piece {
    std::uint64_t at;  ///< twice the number of paragraphs in front; a paragraph is behind what is in front of it
    Skeleton element;
  };

  /// Moves a text behind a paragraph, and empties where it was.
  static void append(storage::ParagraphRecord& before, std::string_view between, storage::ParagraphRecord& moved) {
    const auto by = static_cast<std::uint32_t>(count_code_points(before.text) + between.size());
    before.text.append(between).append(moved.text);
    for (auto link : moved.links) {
      link.begin += by;
      link.end += by;
      before.links.push_back(link);
    }
    moved = {};
  }

  /// Makes paragraphs that are too short to be passages part of the one in front of them, or else of the next. What is
  /// alone in its section and too short is left out.
  void join_short(storage::SectionTextRecord& text) {
    storage::ParagraphRecord* before = nullptr;
    for (auto& paragraph : text.paragraphs) {
      if (paragraph.kind != storage::ParagraphKind::kParagraph || is_invisible(paragraph.text)) continue;
      if (is_fragment(paragraph)) continue;
      if (before != nullptr && (is_short(*before) || is_short(paragraph)))
        append(*before, " ", paragraph);
      else
        before = &paragraph;
    }
    if (before == nullptr || !is_short(*before)) return;
    *before = {};
    ++damaged_;
  }

  /// The same for the items of each list, until they have the words of a passage: a list of names is some passages.
  /// What is left over at the end becomes part of the items in front of it.
  void join_short_items(storage::SectionTextRecord& text) {
    storage::ParagraphRecord *before = nullptr, *last = nullptr;
    const auto end_list = [&] {
      if (last != nullptr && is_short(*last)) {
        if (before != nullptr) {
          append(*before, "\n", *last);
        } else {
          *last = {};
          ++damaged_;
        }
      }
      before = last = nullptr;
    };
    for (auto& item : text.paragraphs) {
      if (is_invisible(item.text)) continue;
      if (item.kind != storage::ParagraphKind::kListItem) {
        end_list();
      } else if (last != nullptr && is_short(*last)) {
        append(*last, "\n", item);
      } else {
        before = std::exchange(last, &item);
      }
    }
    end_list();
  }

  bool is_short(const storage::ParagraphRecord& paragraph) const {
    return text::count_words(paragraph.text) < min_words_;
  }

  /// Moves behind a paragraph what belongs to it: code, and the rest of a sentence that code or an image interrupts.
  static void join_parts(storage::SectionTextRecord& text) {
    using storage::ParagraphKind;
    storage::ParagraphRecord* before = nullptr;
    bool ends_in_code = false;
    for (auto& paragraph : text.paragraphs) {
      if (is_invisible(paragraph.text)) continue;
      const bool code = paragraph.kind == ParagraphKind::kPreformatted;
      const bool rest = paragraph.kind == ParagraphKind::kParagraph && before != nullptr &&
                        passages::begins_in_lower_case(paragraph.text) &&
                        (ends_in_code || passages::ends_in_letter(before->text));
      if (before == nullptr || (!code && !rest)) {
        before = paragraph.kind == ParagraphKind::kParagraph ? &paragraph : nullptr;
        ends_in_code = false;
        continue;
      }
      append(*before, code || ends_in_code ? "\n" : " ", paragraph);
      ends_in_code = code;
    }
  }

  /// Whether a text is left out. List items that are not passages stay: their links belong to the page.
  bool is_damaged(const storage::ParagraphRecord& record) const {
    if (record.kind == storage::ParagraphKind::kListItem && !list_items_) return false;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
    for (const auto& link : record.links) links.emplace_back(link.begin, link.end);
    const bool only_code =
        record.kind == storage::ParagraphKind::kPreformatted && !collection::health::has_prose(record.text);
    return only_code || is_fragment(record) || collection::health::find_damage(record.text, links).has_value();
  }

  /// Whether a paragraph is a label or the rest of a sentence: it holds no whole sentence, and has fewer words than a
  /// passage needs or begins in lower case or with a dash.
  static bool is_fragment(const storage::ParagraphRecord& record) {
    if (record.kind != storage::ParagraphKind::kParagraph) return false;
    if (collection::health::has_sentence(record.text)) return false;
    const std::string_view text = record.text;
    return text::count_words(text) < static_cast<std::size_t>(passages::PassagesOptions{}.min_words) ||
           passages::begins_in_lower_case(text) || text.starts_with("- ") || text.starts_with("– ") ||
           text.starts_with("— ");
  }

  void add(std::uint32_t section, std::uint32_t ordinal, const storage::ParagraphRecord& record) {
    if (is_invisible(record.text) || record.kind == storage::ParagraphKind::kNote) return;
    const bool property =
        section < outline_.sections.size() && passages::names_property(outline_.sections[section].heading);
    if (property || is_damaged(record)) {
      ++damaged_;
      return;
    }
    auto paragraph = links_.paragraph(record.text, record.links, section_links(ordinal));
    const std::uint64_t at = 2 * std::uint64_t{ordinal} + 1;
    Skeleton& element = pieces_[section].emplace_back(Piece{at, {}}).element;
    if (record.kind == storage::ParagraphKind::kListItem) {
      const auto level = static_cast<std::uint32_t>(std::max<std::size_t>(1, record.list_marker.size()));
      element.element.emplace<ListItem>(ListItem{level, std::move(paragraph)});
    } else {
      element.element.emplace<formats::car::Paragraph>(std::move(paragraph));
    }
  }

  /// Those of the links of a paragraph that lead to sections.
  std::span<const AttributeRecord::SectionLink> section_links(std::uint32_t paragraph) const {
    const auto& links = attributes_.section_links;
    const auto of = &AttributeRecord::SectionLink::paragraph;
    return {std::ranges::lower_bound(links, paragraph, {}, of), std::ranges::upper_bound(links, paragraph, {}, of)};
  }

  void put(std::uint32_t section, std::uint32_t paragraphs_in_front, Skeleton element) {
    if (section >= pieces_.size()) section = 0;
    pieces_[section].push_back({2 * std::uint64_t{paragraphs_in_front}, std::move(element)});
  }

  const storage::Store& store_;
  const corpus::TitleIndex& titles_;
  PageId page_;
  const OutlineRecord& outline_;
  const AttributeRecord& attributes_;
  PageLinks& links_;
  std::vector<std::vector<Piece>> pieces_;  // by section
  bool list_items_;
  std::size_t min_words_;
  std::uint32_t damaged_ = 0;
  std::uint32_t empty_headings_ = 0;
};

collection::automatic::PageOrigin origin_of(const storage::PageRecord& page, const OutlineRecord& outline,
                                            AttributeRecord::Origin origin) {
  collection::automatic::PageOrigin made{
      std::move(origin.book), std::move(origin.license), std::move(origin.chapters), {}, page.revision.value};
  for (std::size_t i = 0; i < std::min(origin.anchors.size(), outline.sections.size()); ++i) {
    if (i == 0 || !is_invisible(outline.sections[i].heading)) made.anchors.push_back(std::move(origin.anchors[i]));
  }
  return made;
}

}  // namespace

PageComposer::PageComposer(const storage::Store& store, std::string wiki, Options options)
    : store_(store), graph_(store), titles_(store), wiki_(std::move(wiki)), options_(options) {
  if (options_.links) items_.emplace(store);
}

std::string PageComposer::page_id(const Title& title) const {
  return formats::car::page_id(wiki_, titles_.prefixed(title));
}

std::optional<ComposedPage> PageComposer::compose(PageId id, const storage::PageRecord& record) const {
  if (!record.is_article() || titles_.find(record.title) != id) return std::nullopt;
  const auto key = storage::page_key(id);
  std::string bytes;
  if (!store_.get(Family::kOutline, key, bytes)) return std::nullopt;
  const auto outline = storage::decode_outline(bytes);
  AttributeRecord attributes;
  if (store_.get(Family::kAttribute, key, bytes)) attributes = storage::decode_attributes(bytes);

  PageLinks links(store_, titles_, wiki_, id, items_ ? &*items_ : nullptr);
  SkeletonBuilder builder(store_, titles_, id, outline, attributes, links, options_);
  builder.add_paragraphs();
  builder.add_images();
  if (options_.table_rows) builder.add_table_rows();

  ComposedPage composed;
  composed.id = id;
  composed.is_disambiguation = record.is_disambiguation;
  composed.page.name = titles_.prefixed(record.title);
  composed.page.id = page_id(record.title);
  composed.page.type =
      record.is_disambiguation ? formats::car::PageType::kDisambiguation : formats::car::PageType::kArticle;
  composed.page.skeleton = builder.take();
  composed.damaged = builder.damaged();
  composed.empty_headings = builder.empty_headings();
  composed.page.metadata = metadata_of(id, attributes);
  composed.origin = origin_of(record, outline, std::move(attributes.origin));
  return composed;
}

PageMetadata PageComposer::metadata_of(PageId id, const AttributeRecord& attributes) const {
  PageMetadata metadata;
  metadata.site_id = wiki_;
  metadata.qid = attributes.qid.empty() ? titles_.qid(id) : attributes.qid;
  metadata.page_tags = attributes.tags;
  for (const Title& category : titles_.categories(id, attributes.categories)) {
    metadata.category_names.push_back(titles_.prefixed(category));
    metadata.category_ids.push_back(page_id(category));
  }
  for (const Title& redirect : titles_.redirects_to(id, false))
    metadata.redirect_names.push_back(titles_.prefixed(redirect));
  return metadata;
}

void PageComposer::add_inlinks(PageId id, const std::function<bool(PageId)>& left_out, PageMetadata& metadata) const {
  std::vector<std::string> names, disambiguations;
  for (const PageId source : graph_.sources(id)) {
    if (source == id || left_out(source)) continue;
    const auto page = titles_.page(source);
    if (!page || !page->is_article()) continue;
    (page->is_disambiguation ? disambiguations : names).push_back(titles_.prefixed(page->title));
  }
  std::sort(names.begin(), names.end());
  std::sort(disambiguations.begin(), disambiguations.end());
  for (const auto& name : names) metadata.inlink_ids.push_back(formats::car::page_id(wiki_, name));
  for (auto& name : disambiguations) {
    metadata.disambiguation_ids.push_back(formats::car::page_id(wiki_, name));
    metadata.disambiguation_names.push_back(std::move(name));
  }
}

}  // namespace touchstone::pipeline::automatic
