#include "storage/records.hpp"

#include "common/error.hpp"
#include "storage/record_coding.hpp"

namespace touchstone::storage {

using internal::Decoder;
using internal::Encoder;
namespace {

/// Set in the kind of a paragraph that lacks words somewhere.
constexpr std::uint64_t kHasGaps = 4;

}  // namespace

std::string encode(const PageRecord& record) {
  Encoder out;
  out.title(record.title);
  out.number((record.is_redirect ? 1U : 0U) | (record.is_disambiguation ? 2U : 0U));
  if (record.is_redirect) {
    out.title(record.redirect);
    out.text(record.redirect_fragment);
  }
  out.number(record.revision.value);
  out.text(record.timestamp);
  out.number(static_cast<std::uint64_t>(record.content));
  out.text(record.model);
  out.number(record.text_bytes);
  out.digest(record.content_digest);
  return out.take();
}

PageRecord decode_page(std::string_view bytes) {
  Decoder in(bytes, "page");
  PageRecord record;
  record.title = in.title();
  const auto flags = in.number();
  record.is_redirect = (flags & 1) != 0;
  record.is_disambiguation = (flags & 2) != 0;
  if (record.is_redirect) {
    record.redirect = in.title();
    record.redirect_fragment = in.text();
  }
  record.revision.value = in.number();
  record.timestamp = in.text();
  record.content = static_cast<PageContent>(in.number());
  record.model = in.text();
  record.text_bytes = in.number32();
  if (!in.at_end()) record.content_digest = in.digest();  // older records have none
  in.end();
  return record;
}

std::string encode(const OutlineRecord& record) {
  Encoder out;
  out.number(record.sections.size());
  for (const auto& section : record.sections) {
    out.number(section.level);
    out.number(section.parent);
    out.text(section.heading);
    out.number(section.paragraph_count);
  }
  out.number(record.table_count);
  return out.take();
}

OutlineRecord decode_outline(std::string_view bytes) {
  Decoder in(bytes, "outline");
  OutlineRecord record;
  record.sections.resize(in.count());
  std::uint32_t ordinal = 0;
  for (auto& section : record.sections) {
    section.level = static_cast<std::uint8_t>(in.number());
    section.parent = in.number32();
    section.heading = in.text();
    section.first_paragraph = ordinal;
    section.paragraph_count = in.number32();
    ordinal += section.paragraph_count;
  }
  record.table_count = in.number32();
  in.end();
  return record;
}

std::string encode(const SectionTextRecord& record) {
  Encoder out;
  out.number(record.paragraphs.size());
  for (const auto& paragraph : record.paragraphs) {
    out.number(static_cast<std::uint64_t>(paragraph.kind) | (paragraph.gaps.empty() ? 0 : kHasGaps));
    if (paragraph.kind == ParagraphKind::kListItem) out.text(paragraph.list_marker);
    out.text(paragraph.text);
    out.links(paragraph.links);
    if (paragraph.gaps.empty()) continue;
    out.number(paragraph.gaps.size());
    std::uint32_t last = 0;
    for (const auto gap : paragraph.gaps) {
      out.number(gap - last);
      last = gap;
    }
  }
  return out.take();
}

SectionTextRecord decode_section_text(std::string_view bytes) {
  Decoder in(bytes, "paragraph");
  SectionTextRecord record;
  record.paragraphs.resize(in.count());
  for (auto& paragraph : record.paragraphs) {
    const auto kind = in.number();
    paragraph.kind = static_cast<ParagraphKind>(kind & ~kHasGaps);
    if (paragraph.kind == ParagraphKind::kListItem) paragraph.list_marker = in.text();
    paragraph.text = in.text();
    paragraph.links = in.links();
    if ((kind & kHasGaps) == 0) continue;
    paragraph.gaps.resize(in.count());
    std::uint32_t last = 0;
    for (auto& gap : paragraph.gaps) gap = last += in.number32();
  }
  in.end();
  return record;
}

std::string encode(const LinkRecord& record) {
  Encoder out;
  out.number(record.targets.size());
  for (const auto& target : record.targets) out.title(target);
  out.number(record.places.size());
  std::uint32_t last = 0;
  for (const auto& place : record.places) {
    out.number(place.paragraph - last);
    out.number(std::uint64_t{place.target} << 1 | (place.from_template ? 1 : 0));
    last = place.paragraph;
  }
  return out.take();
}

namespace {

std::vector<Title> read_titles(Decoder& in) {
  std::vector<Title> titles(in.count());
  for (auto& title : titles) title = in.title();
  return titles;
}

/// Reads to the end of the record.
std::vector<LinkRecord::Place> read_places(Decoder& in, std::size_t targets) {
  std::vector<LinkRecord::Place> places(in.count());
  std::uint32_t last = 0;
  for (auto& place : places) {
    place.paragraph = last += in.number32();
    const auto target = in.number();
    place.target = static_cast<std::uint32_t>(target >> 1);
    place.from_template = (target & 1) != 0;
    if (place.target >= targets) throw StorageError("the store holds a damaged link record; build it again");
  }
  in.end();
  return places;
}

}  // namespace

LinkRecord decode_links(std::string_view bytes) {
  Decoder in(bytes, "link");
  LinkRecord record;
  record.targets = read_titles(in);
  record.places = read_places(in, record.targets.size());
  return record;
}

std::vector<Title> decode_link_titles(std::string_view bytes) {
  Decoder in(bytes, "link");
  return read_titles(in);
}

std::string_view visit_link_targets(std::string_view bytes, const LinkTargetVisitor& visit) {
  Decoder in(bytes, "link");
  for (auto targets = in.count(); targets > 0; --targets) {
    const auto ns = static_cast<std::int32_t>(in.signed_number());
    visit(ns, in.text_view());
  }
  return bytes.substr(static_cast<std::size_t>(in.raw(0).data() - bytes.data()));
}

std::vector<LinkRecord::Place> decode_link_places(std::string_view bytes, std::size_t targets) {
  Decoder in(bytes, "link");
  return read_places(in, targets);
}

std::string encode(const LinkTargetRecord& record) {
  Encoder out;
  out.number(record.pages.size());
  for (const PageId page : record.pages) out.number(page.value);
  return out.take();
}

LinkTargetRecord decode_link_targets(std::string_view bytes) {
  Decoder in(bytes, "link target");
  LinkTargetRecord record;
  record.pages.resize(in.count());
  for (PageId& page : record.pages) page.value = in.number32();
  in.end();
  return record;
}

std::string encode(const TableRecord& record) {
  Encoder out;
  out.number(record.section);
  out.number(record.depth);
  out.text(record.css_class);
  out.text(record.caption);
  out.number(record.columns);
  out.number(record.cells.size());
  for (const auto& cell : record.cells) {
    const bool spans = cell.row_span != 1 || cell.column_span != 1;
    out.number((cell.header ? 1U : 0U) | (cell.repeated ? 2U : 0U) | (cell.missing ? 4U : 0U) | (spans ? 8U : 0U));
    if (cell.missing) continue;
    if (spans) {
      out.number(cell.row_span);
      out.number(cell.column_span);
    }
    out.text(cell.text);
    out.links(cell.links);
  }
  return out.take();
}

TableRecord decode_table(std::string_view bytes) {
  Decoder in(bytes, "table");
  TableRecord record;
  record.section = in.number32();
  record.depth = static_cast<std::uint16_t>(in.number());
  record.css_class = in.text();
  record.caption = in.text();
  record.columns = in.number32();
  record.cells.resize(in.count());
  for (auto& cell : record.cells) {
    const auto flags = in.number();
    cell.header = (flags & 1) != 0;
    cell.repeated = (flags & 2) != 0;
    cell.missing = (flags & 4) != 0;
    if (cell.missing) continue;
    if ((flags & 8) != 0) {
      cell.row_span = in.number32();
      cell.column_span = in.number32();
    }
    cell.text = in.text();
    cell.links = in.links();
  }
  in.end();
  if (record.columns == 0 ? !record.cells.empty() : record.cells.size() % record.columns != 0) {
    throw StorageError("the store holds a damaged table record; build it again from the dump");
  }
  return record;
}

std::string encode(const AttributeRecord& record) {
  Encoder out;
  out.number(record.categories.size());
  for (const Title& category : record.categories) out.title(category);
  out.number(record.tags.size());
  for (const std::string& tag : record.tags) out.text(tag);
  out.number(record.images.size());
  for (const AttributeRecord::Image& image : record.images) {
    out.number(image.section);
    out.number(image.paragraph);
    out.text(image.file);
    out.text(image.caption);
    out.links(image.links);
  }
  out.number(record.table_places.size());
  for (const std::uint32_t place : record.table_places) out.number(place);
  const auto& origin = record.origin;
  if (record.section_links.empty() && record.qid.empty() && origin.empty()) return out.take();
  out.number(record.section_links.size());
  std::uint32_t last = 0;
  for (const AttributeRecord::SectionLink& link : record.section_links) {
    out.number(link.paragraph - last);
    out.number(link.link);
    out.text(link.section);
    last = link.paragraph;
  }
  if (record.qid.empty() && origin.empty()) return out.take();
  out.text(record.qid);
  if (origin.empty()) return out.take();
  out.text(origin.book);
  out.text(origin.license);
  for (const auto* texts : {&origin.chapters, &origin.anchors}) {
    out.number(texts->size());
    for (const std::string& text : *texts) out.text(text);
  }
  return out.take();
}

AttributeRecord decode_attributes(std::string_view bytes) {
  Decoder in(bytes, "attribute");
  AttributeRecord record;
  record.categories.resize(in.count());
  for (Title& category : record.categories) category = in.title();
  record.tags.resize(in.count());
  for (std::string& tag : record.tags) tag = in.text();
  record.images.resize(in.count());
  for (AttributeRecord::Image& image : record.images) {
    image.section = in.number32();
    image.paragraph = in.number32();
    image.file = in.text();
    image.caption = in.text();
    image.links = in.links();
  }
  record.table_places.resize(in.count());
  for (std::uint32_t& place : record.table_places) place = in.number32();
  if (in.at_end()) return record;
  record.section_links.resize(in.count());
  std::uint32_t last = 0;
  for (AttributeRecord::SectionLink& link : record.section_links) {
    link.paragraph = last += in.number32();
    link.link = in.number32();
    link.section = in.text();
  }
  if (in.at_end()) return record;
  record.qid = in.text();
  if (in.at_end()) return record;
  record.origin.book = in.text();
  record.origin.license = in.text();
  for (auto* texts : {&record.origin.chapters, &record.origin.anchors}) {
    texts->resize(in.count());
    for (std::string& text : *texts) text = in.text();
  }
  in.end();
  return record;
}

std::string encode(const AliasRecord& record) {
  Encoder out;
  out.number(record.aliases.size());
  std::uint32_t last = 0;
  for (const auto& alias : record.aliases) {
    out.number(std::uint64_t{alias.page.value - last} << 1 | (alias.to_section ? 1 : 0));
    last = alias.page.value;
  }
  return out.take();
}

AliasRecord decode_aliases(std::string_view bytes) {
  Decoder in(bytes, "alias");
  AliasRecord record;
  record.aliases.resize(in.count());
  std::uint32_t last = 0;
  for (auto& alias : record.aliases) {
    const auto value = in.number();
    alias.page.value = last += static_cast<std::uint32_t>(value >> 1);
    alias.to_section = (value & 1) != 0;
  }
  in.end();
  return record;
}

}  // namespace touchstone::storage
