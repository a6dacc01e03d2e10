#include "formats/car/json_lines.hpp"

#include "common/json_writer.hpp"
#include "common/named_values.hpp"
#include "formats/car/records.hpp"
#include "formats/fields/quote.hpp"
#include "formats/json/field_reader.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace touchstone::formats::car {
namespace {

using json::FieldReader;

constexpr JsonStyle kLineStyle{.escapes = JsonEscapes::kLineBreaks};

void put_link_fields(JsonWriter& out, const Link& link) {
  out.field("text", link.anchor).field("target_page", link.page_name).field("target_page_id", link.page_id);
  if (link.section) out.field("target_section", *link.section);
  if (!link.qid.empty()) out.field("target_qid", link.qid);
}

void put_json(JsonWriter& out, std::string_view id, std::span<const ParagraphBody> bodies) {
  out.begin_object().field("para_id", id).key("para_body").begin_array();
  for (const auto& body : bodies) {
    out.begin_object();
    if (const auto* link = std::get_if<Link>(&body)) {
      put_link_fields(out, *link);
    } else {
      out.field("text", std::get<std::string>(body));
    }
    out.end_object();
  }
  out.end_array().end_object();
}

void put_json(JsonWriter& out, const Paragraph& paragraph) {
  put_json(out, paragraph.id, paragraph.bodies);
}

void put_json(JsonWriter& out, const std::vector<Skeleton>& elements);

void put_fields(JsonWriter& out, const Section& section) {
  out.field("type", "section").field("heading_text", section.heading).field("heading_id", section.heading_id);
  put_json(out.key("content"), section.children);
}
void put_fields(JsonWriter& out, const Paragraph& paragraph) {
  put_json(out.field("type", "paragraph").key("paragraph"), paragraph);
}
void put_fields(JsonWriter& out, const Image& image) {
  put_json(out.field("type", "image").field("image_file", image.url).key("image_caption"), image.caption);
}
void put_fields(JsonWriter& out, const ListItem& item) {
  put_json(out.field("type", "list").field("indent", item.level).key("entry"), item.paragraph);
}
void put_fields(JsonWriter& out, const Infobox& infobox) {
  out.field("type", "infobox").field("infobox_name", infobox.name).key("infobox_entries").begin_array();
  for (const auto& [key, value] : infobox.entries) {
    put_json(out.begin_object().field("key", key).key("value"), value);
    out.end_object();
  }
  out.end_array();
}

void put_json(JsonWriter& out, const std::vector<Skeleton>& elements) {
  out.begin_array();
  for (const auto& element : elements) {
    out.begin_object();
    std::visit([&](const auto& content) { put_fields(out, content); }, element.element);
    out.end_object();
  }
  out.end_array();
}

std::optional<std::string> text_or_null(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

void put_json(JsonWriter& out, const PageMetadata& metadata) {
  out.begin_object();
  for (const auto& list : kMetadataLists) out.field(list.name, metadata.*list.texts);
  out.key("inlink_anchors").begin_array();
  for (const auto& anchor : metadata.inlink_anchors)
    out.begin_object().field("text", anchor.text).field("freq", anchor.count).end_object();
  out.end_array().field("wiki_data_qid", text_or_null(metadata.qid));
  out.field("wiki_site_id", text_or_null(metadata.site_id)).field("page_tags", metadata.page_tags).end_object();
}

std::string optional_text(FieldReader& fields, std::string_view name) {
  return fields.has(name) ? fields.text_or_null(name) : "";
}

std::vector<std::string> optional_texts(FieldReader& fields, std::string_view name) {
  return fields.has(name) ? fields.texts(name) : std::vector<std::string>();
}

Link read_link(FieldReader& fields) {
  Link link;
  link.anchor = fields.text("text");
  link.page_name = fields.text("target_page");
  link.page_id = fields.text("target_page_id");
  if (fields.has("target_section")) link.section = fields.text("target_section");
  link.qid = optional_text(fields, "target_qid");
  return link;
}

Paragraph read_paragraph(FieldReader fields) {
  Paragraph paragraph;
  paragraph.id = fields.text("para_id");
  for (auto& body : fields.objects("para_body")) {
    if (body.has("target_page")) {
      paragraph.bodies.emplace_back(read_link(body));
    } else {
      paragraph.bodies.emplace_back(body.text("text"));
    }
  }
  return paragraph;
}

std::vector<Skeleton> read_skeleton(FieldReader& fields, std::string_view name);

Infobox read_infobox(FieldReader& fields) {
  Infobox infobox;
  infobox.name = fields.text("infobox_name");
  for (auto& entry : fields.objects("infobox_entries")) {
    auto key = entry.text("key");
    infobox.entries.emplace_back(std::move(key), read_skeleton(entry, "value"));
  }
  return infobox;
}

Skeleton read_element(FieldReader& fields) {
  const auto type = fields.text("type");
  if (type == "section") {
    Section section;
    section.heading = fields.text("heading_text");
    section.heading_id = fields.text("heading_id");
    section.children = read_skeleton(fields, "content");
    return {std::move(section)};
  }
  if (type == "paragraph") return {read_paragraph(fields.object("paragraph"))};
  if (type == "list") {
    const auto level = fields.number("indent", std::numeric_limits<std::uint32_t>::max());
    return {ListItem{static_cast<std::uint32_t>(level), read_paragraph(fields.object("entry"))}};
  }
  if (type == "image") return {Image{fields.text("image_file"), read_skeleton(fields, "image_caption")}};
  if (type == "infobox") return {read_infobox(fields)};
  fields.fail("has an element of the unknown type " + fields::quote_for_message(type) +
              "; known are section, paragraph, list, image and infobox");
  return {};
}

std::vector<Skeleton> read_skeleton(FieldReader& fields, std::string_view name) {
  std::vector<Skeleton> elements;
  for (auto& element : fields.objects(name)) elements.push_back(read_element(element));
  return elements;
}

PageMetadata read_metadata(FieldReader fields) {
  PageMetadata metadata;
  for (const auto& list : kMetadataLists) metadata.*list.texts = optional_texts(fields, list.name);
  for (auto& text : optional_texts(fields, "old_inlink_anchors")) metadata.inlink_anchors.push_back({text, 1});
  if (fields.has("inlink_anchors")) {
    for (auto& anchor : fields.objects("inlink_anchors"))
      metadata.inlink_anchors.push_back({anchor.text("text"), anchor.number("freq")});
  }
  metadata.qid = optional_text(fields, "wiki_data_qid");
  metadata.site_id = optional_text(fields, "wiki_site_id");
  metadata.page_tags = optional_texts(fields, "page_tags");
  return metadata;
}

PageType read_page_type(FieldReader& fields) {
  const auto name = fields.text("page_type");
  const auto* found =
      std::find_if(std::begin(kPageTypes), std::end(kPageTypes), [&](const auto& row) { return row.first == name; });
  if (found != std::end(kPageTypes)) return found->second;
  fields.fail("has the unknown page type " + fields::quote_for_message(name) +
              "; known are article, category, disambiguation and redirect");
  return PageType::kArticle;
}

Page read_page(FieldReader& fields) {
  Page page;
  page.name = fields.text("page_name");
  page.id = fields.text("page_id");
  page.type = read_page_type(fields);
  if (page.type == PageType::kRedirect) {
    auto target = fields.object("redirect_target");
    page.redirect = read_link(target);
  }
  if (fields.has("metadata")) page.metadata = read_metadata(fields.object("metadata"));
  page.skeleton = read_skeleton(fields, "content");
  return page;
}

}  // namespace

std::string page_json_line(const Page& page) {
  JsonWriter out(kLineStyle);
  out.begin_object()
      .field("page_name", page.name)
      .field("page_id", page.id)
      .field("page_type", name_in(kPageTypes, page.type));
  if (page.type == PageType::kRedirect) {
    put_link_fields(out.key("redirect_target").begin_object(), page.redirect.value_or(Link{}));
    out.end_object();
  }
  put_json(out.key("metadata"), page.metadata);
  put_json(out.key("content"), page.skeleton);
  return out.end_object().take_line();
}

std::string paragraph_json_line(const Paragraph& paragraph) {
  JsonWriter out(kLineStyle);
  put_json(out, paragraph);
  return out.take_line();
}

std::string paragraph_json(std::string_view id, std::span<const ParagraphBody> bodies) {
  JsonWriter out(kLineStyle);
  put_json(out, id, bodies);
  return out.take();
}

struct JsonLineReader::Impl {
  simdjson::dom::parser parser;
};

JsonLineReader::JsonLineReader() : impl_(std::make_unique<Impl>()) {
  constexpr std::size_t kCapacity = 1 << 16;
  constexpr std::size_t kMaxDepth = ReadLimits{}.max_depth + 8;  // of what can be read from CBOR, nothing is too deep
  const auto code = impl_->parser.allocate(kCapacity, kMaxDepth);
  if (code != simdjson::SUCCESS) throw std::bad_alloc();
}
JsonLineReader::~JsonLineReader() = default;
JsonLineReader::JsonLineReader(JsonLineReader&&) noexcept = default;
JsonLineReader& JsonLineReader::operator=(JsonLineReader&&) noexcept = default;

Result<Record, std::string> JsonLineReader::record(std::string_view line) {
  using Parsed = Result<Record, std::string>;
  std::string error;
  simdjson::dom::object object;
  if (!json::parse_object(impl_->parser, line, object, error)) return Parsed::failure(std::move(error));
  FieldReader fields(object, error);
  Record record;
  if (fields.has("para_id")) {
    record = read_paragraph(fields);
  } else {
    record = read_page(fields);
  }
  if (!error.empty()) return Parsed::failure(std::move(error));
  return record;
}

}  // namespace touchstone::formats::car
