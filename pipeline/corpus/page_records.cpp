#include "pipeline/corpus/page_records.hpp"

#include "storage/keys.hpp"
#include "storage/reading_record.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace touchstone::pipeline::corpus {
namespace {

using extractors::Document;
using extractors::Link;
using extractors::RichText;
using storage::Family;

/// Gives every distinct link target of a page its number, in order of first appearance, and collects where it is.
class LinkCollector {
 public:
  std::vector<storage::TextLink> text_links(const RichText& text, std::uint32_t place) {
    std::vector<storage::TextLink> links;
    links.reserve(text.links.size());
    for (const auto& link : text.links) {
      const bool from_template = link.origin == extractors::LinkOrigin::kTemplate;
      links.push_back({link.begin, link.end, note(link, place), from_template});
    }
    return links;
  }
  std::uint32_t note(const Link& link, std::uint32_t place) {
    const auto [at, added] = number_of_.try_emplace(Target{link.target.ns, link.target.text},
                                                    static_cast<std::uint32_t>(record_.targets.size()));
    if (added) record_.targets.push_back(link.target);
    record_.places.push_back({at->second, place, link.origin == extractors::LinkOrigin::kTemplate});
    return at->second;
  }
  storage::LinkRecord take() {
    auto& places = record_.places;
    const auto order = [](const auto& place) { return std::tuple(place.paragraph, place.target, place.from_template); };
    std::sort(places.begin(), places.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return std::move(record_);
  }

 private:
  struct Target {
    std::int32_t ns;
    std::string_view text;  // of the Document
    bool operator==(const Target&) const = default;
  };
  struct TargetHash {
    std::size_t operator()(const Target& target) const noexcept {
      return static_cast<std::size_t>(xxh3_64(target.text)) ^ static_cast<std::size_t>(target.ns);
    }
  };

  storage::LinkRecord record_;
  std::unordered_map<Target, std::uint32_t, TargetHash> number_of_;
};

storage::ParagraphKind kind_of(extractors::BlockKind kind) {
  switch (kind) {
    case extractors::BlockKind::kParagraph:
      return storage::ParagraphKind::kParagraph;
    case extractors::BlockKind::kListItem:
      return storage::ParagraphKind::kListItem;
    case extractors::BlockKind::kPreformatted:
      return storage::ParagraphKind::kPreformatted;
    case extractors::BlockKind::kNote:
      return storage::ParagraphKind::kNote;
  }
  return storage::ParagraphKind::kParagraph;
}

storage::OutlineRecord outline_of(const Document& document, LinkCollector& links) {
  storage::OutlineRecord outline;
  for (const auto& section : document.sections) {
    storage::OutlineRecord::Section entry;
    entry.level = section.level;
    entry.parent = section.parent;
    entry.heading = section.heading.text;
    outline.sections.push_back(std::move(entry));
    for (const auto& link : section.heading.links) links.note(link, 0);
  }
  outline.table_count = static_cast<std::uint32_t>(document.tables.size());
  return outline;
}

/// Adds the paragraphs, section by section, and tells the outline which are whose. Moves their texts.
void add_paragraphs(PageRecords& out, Document& document, LinkCollector& links, storage::OutlineRecord& outline) {
  std::vector<storage::SectionTextRecord> texts(outline.sections.size());
  std::uint32_t ordinal = 0;
  for (auto& block : document.blocks) {
    storage::ParagraphRecord paragraph;
    paragraph.kind = kind_of(block.kind);
    paragraph.list_marker = std::move(block.list_marker);
    paragraph.text = std::move(block.content.text);
    paragraph.links = links.text_links(block.content, ordinal + 1);
    paragraph.gaps = std::move(block.gaps);
    texts.at(block.section).paragraphs.push_back(std::move(paragraph));
    ++ordinal;
  }
  out.paragraphs = ordinal;
  std::uint32_t first = 0;
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    outline.sections[i].first_paragraph = first;
    outline.sections[i].paragraph_count = static_cast<std::uint32_t>(texts[i].paragraphs.size());
    first += outline.sections[i].paragraph_count;
    if (!texts[i].paragraphs.empty())
      out.entries.push_back({Family::kParagraph, storage::page_part_key(out.id, i), encode(texts[i])});
  }
}

/// Moves the texts of the cells.
storage::TableRecord table_of(extractors::Table& table, LinkCollector& links) {
  storage::TableRecord record;
  record.section = table.section;
  record.depth = table.depth;
  record.css_class = table.css_class;
  record.caption = table.caption.text;
  record.columns = static_cast<std::uint32_t>(table.column_count());
  for (const auto& link : table.caption.links) links.note(link, 0);
  for (auto& row : table.cells) {
    for (auto& cell : row) {
      storage::CellRecord entry;
      entry.text = std::move(cell.content.text);
      entry.links = links.text_links(cell.content, 0);
      entry.row_span = cell.row_span;
      entry.column_span = cell.column_span;
      entry.header = cell.header;
      entry.repeated = cell.repeated;
      entry.missing = cell.missing;
      record.cells.push_back(std::move(entry));
    }
  }
  return record;
}

/// To be called after all links of the page were noted, so that those of captions are numbered already.
storage::AttributeRecord attributes_of(const extractors::PageHead& head, const Document& document,
                                       LinkCollector& links) {
  storage::AttributeRecord record;
  record.tags = head.page_tags;
  record.qid = head.qid;
  record.categories = document.categories;
  record.origin = {head.book, head.license, head.chapters, {}};
  const auto& sections = document.sections;
  if (std::any_of(sections.begin(), sections.end(), [](const auto& section) { return !section.anchor.empty(); })) {
    for (const auto& section : sections) record.origin.anchors.push_back(section.anchor);
  }
  for (const auto& image : document.images) {
    record.images.push_back(
        {image.section, image.block, image.file, image.caption.text, links.text_links(image.caption, 0)});
  }
  for (const auto& table : document.tables) record.table_places.push_back(table.block);
  for (std::uint32_t i = 0; i < document.blocks.size(); ++i) {
    const auto& in_text = document.blocks[i].content.links;
    for (std::uint32_t k = 0; k < in_text.size(); ++k) {
      if (!in_text[k].fragment.empty()) record.section_links.push_back({i, k, in_text[k].fragment});
    }
  }
  return record;
}

/// The counters as a list, in the order of the fields of DocumentCounters.
template <class Counters, class Use>
void each_counter(Counters& counters, const Use& use) {
  use(counters.templates_rendered);
  use(counters.templates_silent);
  use(counters.templates_dropped);
  use(counters.limits_hit);
  use(counters.cells_left_out);
  for (auto& unknown : counters.unknown) use(unknown);
  use(counters.call_errors);
}

storage::ReadingRecord reading_of(const extractors::SourcePage& source, const PageRecords& page) {
  storage::ReadingRecord record;
  record.date = source.inputs.date;
  each_counter(page.counters, [&](auto value) { record.counters.push_back(value); });
  while (!record.counters.empty() && record.counters.back() == 0) record.counters.pop_back();
  for (const auto& inclusion : source.inputs.inclusions)
    record.inclusions.push_back({inclusion.title, inclusion.existence, inclusion.content});
  record.source = source.record_digest;
  if (record.source != Digest128{}) {
    record.links = page.links;
    record.paragraphs = page.paragraphs;
    record.tables = page.tables;
    for (const auto& [issue, where, detail] : source.remarks)
      record.remarks.push_back({static_cast<std::uint64_t>(issue), where, detail});
  }
  return record;
}

void add_document(PageRecords& out, const extractors::PageHead& head, Document& document) {
  LinkCollector links;
  auto outline = outline_of(document, links);
  add_paragraphs(out, document, links, outline);
  out.entries.push_back({Family::kOutline, storage::page_key(out.id), encode(outline)});
  for (std::uint32_t i = 0; i < document.tables.size(); ++i)
    out.entries.push_back(
        {Family::kTable, storage::page_part_key(out.id, i), encode(table_of(document.tables[i], links))});
  for (const auto& link : document.other_links) links.note(link, 0);
  extractors::Link redirect_link;  // MediaWiki counts a redirect as a link to its target
  if (document.redirect) {
    redirect_link.target = *document.redirect;
    links.note(redirect_link, 0);
  }
  const auto attributes = attributes_of(head, document, links);
  if (!attributes.empty()) out.entries.push_back({Family::kAttribute, storage::page_key(out.id), encode(attributes)});
  const auto record = links.take();
  out.links = record.places.size();
  if (!record.targets.empty()) out.entries.push_back({Family::kLink, storage::page_key(out.id), encode(record)});
  out.tables = document.tables.size();
  out.counters = document.counters;
}

}  // namespace

PageRecords make_page_records(extractors::SourcePage source) {
  const auto& head = source.head;
  PageRecords out;
  out.id = head.id;
  storage::PageRecord& page = out.page;
  page.title = head.title;
  page.is_redirect = head.is_redirect;
  page.redirect = head.redirect;
  page.redirect_fragment = head.redirect_fragment;
  page.revision = head.revision;
  page.timestamp = head.timestamp;
  page.model = head.model;
  page.text_bytes = head.text_bytes;
  page.is_disambiguation = head.is_disambiguation;
  page.content_digest = head.content_digest;
  page.content = storage::PageContent::kNotRead;
  if (!head.model.empty()) page.content = storage::PageContent::kOtherModel;
  if (source.document) {
    page.content = storage::PageContent::kRead;
    add_document(out, head, *source.document);
  }
  const auto reading = reading_of(source, out);
  if (!reading.empty()) out.entries.push_back({Family::kReading, storage::page_key(out.id), encode(reading)});
  out.entries.push_back({Family::kPage, storage::page_key(head.id), encode(page)});
  return out;
}

extractors::DocumentCounters counters_of(const storage::ReadingRecord& record) {
  extractors::DocumentCounters counters;
  std::size_t next = 0;
  each_counter(counters, [&](auto& value) {
    if (next < record.counters.size())
      value = static_cast<std::remove_reference_t<decltype(value)>>(record.counters[next++]);
  });
  return counters;
}

storage::Entry title_entry(const Title& title, PageId id) {
  return {Family::kTitle, storage::title_key(title.ns, title.text), storage::page_key(id)};
}

void erase_page(storage::Batch& batch, PageId id, const storage::PageRecord& page) {
  const std::string key = storage::page_key(id), part_begin = storage::page_part_key(id, 0);
  std::string part_end = storage::page_part_key(id, UINT32_MAX);
  part_end.push_back('\0');
  for (const Family family : {Family::kPage, Family::kOutline, Family::kLink, Family::kAttribute, Family::kReading})
    batch.erase(family, key);
  for (const Family family : {Family::kParagraph, Family::kTable}) batch.erase_range(family, part_begin, part_end);
  batch.erase(Family::kTitle, storage::title_key(page.title.ns, page.title.text));
}

}  // namespace touchstone::pipeline::corpus
