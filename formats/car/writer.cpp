#include "formats/car/writer.hpp"

#include "common/error.hpp"
#include "formats/car/reader.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <cbor.h>

namespace touchstone::formats::car {
namespace {

/// Appends CBOR to a text.
class CborText {
 public:
  void array(std::size_t size) { head(cbor_encode_array_start, size); }
  void number(std::uint64_t value) { head(cbor_encode_uint, value); }
  void text(std::string_view value) {
    head(cbor_encode_string_start, value.size());
    out_ += value;
  }
  void bytes(std::string_view value) {
    head(cbor_encode_bytestring_start, value.size());
    out_ += value;
  }
  void open_list() { mark(cbor_encode_indef_array_start); }
  void close() { mark(cbor_encode_break); }

  /// A list of unknown length as the published writers make it: an empty one has length 0, any other ends with a break.
  template <class Elements, class Write>
  void list(const Elements& elements, Write write) {
    if (elements.empty()) {
      array(0);
      return;
    }
    open_list();
    for (const auto& element : elements) write(element);
    close();
  }
  void texts(const std::vector<std::string>& values) {
    list(values, [this](const auto& value) { text(value); });
  }
  void ids(const std::vector<std::string>& values) {
    list(values, [this](const auto& value) { bytes(value); });
  }

  std::string take() { return std::exchange(out_, {}); }

 private:
  template <class Encode>
  void head(Encode encode, std::uint64_t value) {
    const auto size = encode(value, buffer_.data(), buffer_.size());
    out_.append(reinterpret_cast<const char*>(buffer_.data()), size);
  }
  template <class Encode>
  void mark(Encode encode) {
    const auto size = encode(buffer_.data(), buffer_.size());
    out_.append(reinterpret_cast<const char*>(buffer_.data()), size);
  }

  std::array<unsigned char, 16> buffer_{};
  std::string out_;
};

/// [] or [text]
void put_optional(CborText& out, const std::string* value) {
  out.array(value != nullptr ? 1 : 0);
  if (value != nullptr) out.text(*value);
}

void put_link(CborText& out, const Link& link) {
  out.array(6);
  out.number(0);
  out.text(link.page_name);
  put_optional(out, link.section ? &*link.section : nullptr);
  out.bytes(link.page_id);
  out.text(link.anchor);
  put_optional(out, link.qid.empty() ? nullptr : &link.qid);
}

void put_body(CborText& out, const ParagraphBody& body) {
  out.array(2);
  if (const auto* link = std::get_if<Link>(&body)) {
    out.number(1);
    put_link(out, *link);
  } else {
    out.number(0);
    out.text(std::get<std::string>(body));
  }
}

void put_paragraph(CborText& out, const Paragraph& paragraph) {
  out.array(3);
  out.number(0);
  out.bytes(paragraph.id);
  out.list(paragraph.bodies, [&](const auto& body) { put_body(out, body); });
}

/// Writes the elements of a page.
class SkeletonWriter {
 public:
  SkeletonWriter(CborText& out, const Page& page) : out_(out), page_(page) {}

  /// \param depth  arrays around the list
  void put_list(const std::vector<Skeleton>& elements, std::size_t depth) {
    constexpr std::size_t kParagraphDepth = 7;  // list, element, paragraph, bodies, body, link, section of the link
    if (depth + kParagraphDepth > ReadLimits{}.max_depth) {
      throw FormatError("the page \"" + page_.name + "\" is nested more than " +
                        std::to_string(ReadLimits{}.max_depth) +
                        " arrays deep in CBOR; leave it out, because no reader would accept it");
    }
    out_.list(elements, [&](const Skeleton& element) {
      std::visit([&](const auto& content) { put(content, depth + 2); }, element.element);
    });
  }

 private:
  void put(const Section& section, std::size_t depth) {
    out_.array(4);
    out_.number(0);
    out_.text(section.heading);
    out_.bytes(section.heading_id);
    put_list(section.children, depth);
  }
  void put(const Paragraph& paragraph, std::size_t) {
    out_.array(2);
    out_.number(1);
    put_paragraph(out_, paragraph);
  }
  void put(const Image& image, std::size_t depth) {
    out_.array(3);
    out_.number(2);
    out_.text(image.url);
    put_list(image.caption, depth);
  }
  void put(const ListItem& item, std::size_t) {
    out_.array(3);
    out_.number(3);
    out_.number(item.level);
    put_paragraph(out_, item.paragraph);
  }
  void put(const Infobox& infobox, std::size_t depth) {
    out_.array(3);
    out_.number(4);
    out_.text(infobox.name);
    out_.list(infobox.entries, [&](const auto& entry) {
      out_.array(2);
      out_.text(entry.first);
      put_list(entry.second, depth + 2);
    });
  }

  CborText& out_;
  const Page& page_;
};

void put_page_type(CborText& out, const Page& page) {
  const bool has_target = page.type == PageType::kRedirect;
  out.array(has_target ? 2 : 1);
  out.number(static_cast<std::uint64_t>(page.type));
  if (has_target) put_link(out, page.redirect.value_or(Link{}));
}

class MetadataWriter {
 public:
  explicit MetadataWriter(CborText& out) : out_(out) {}

  void put(const PageMetadata& metadata) {
    if (metadata == PageMetadata{}) {
      out_.array(0);
      return;
    }
    out_.open_list();
    for (const auto& list : kMetadataLists) put_texts(list.tag, metadata.*list.texts, list.has_ids);
    put_anchors(metadata.inlink_anchors);
    put_text(8, metadata.qid);
    put_text(9, metadata.site_id);
    put_texts(10, metadata.page_tags);
    out_.close();
  }

 private:
  void put_tag(std::uint64_t tag) {
    out_.array(1);
    out_.number(tag);
  }
  void put_texts(std::uint64_t tag, const std::vector<std::string>& values, bool are_ids = false) {
    if (values.empty()) return;
    put_tag(tag);
    are_ids ? out_.ids(values) : out_.texts(values);
  }
  void put_text(std::uint64_t tag, const std::string& value) {
    if (value.empty()) return;
    put_tag(tag);
    out_.text(value);
  }
  /// An array of known length, which published readers ask for here.
  void put_anchors(const std::vector<AnchorCount>& anchors) {
    if (anchors.empty()) return;
    put_tag(7);
    out_.array(anchors.size());
    for (const auto& anchor : anchors) {
      out_.array(2);
      out_.text(anchor.text);
      out_.number(anchor.count);
    }
  }

  CborText& out_;
};

void put_provenance(CborText& out, const Provenance& provenance) {
  out.array(5);
  out.number(0);
  out.list(provenance.sites, [&](const SiteProvenance& site) {
    out.array(5);
    out.number(0);
    out.text(site.site_id);
    out.text(site.language);
    out.text(site.source);
    out.texts(site.comments);
  });
  out.text(provenance.release_name);
  out.texts(provenance.comments);
  out.list(provenance.transforms, [&](const Transform& transform) {
    out.array(4);
    out.number(0);
    out.text(transform.tool);
    out.text(transform.commit);
    out.text(transform.info);
  });
}

std::vector<Skeleton> sections_of(const std::vector<Skeleton>& elements) {
  std::vector<Skeleton> sections;
  for (const auto& element : elements) {
    const auto* section = std::get_if<Section>(&element.element);
    if (section == nullptr) continue;
    sections.push_back({Section{section->heading, section->heading_id, sections_of(section->children)}});
  }
  return sections;
}

}  // namespace

Page outline_of(const Page& page) {
  Page outline;
  outline.name = page.name;
  outline.id = page.id;
  outline.skeleton = sections_of(page.skeleton);
  outline.type = page.type;
  outline.redirect = page.redirect;
  outline.metadata = page.metadata;
  return outline;
}

std::string encode(const Page& page) {
  constexpr std::size_t kPageDepth = 2;  // the list of records, the page
  CborText cbor;
  cbor.array(6);
  cbor.number(0);
  cbor.text(page.name);
  cbor.bytes(page.id);
  SkeletonWriter(cbor, page).put_list(page.skeleton, kPageDepth);
  put_page_type(cbor, page);
  MetadataWriter(cbor).put(page.metadata);
  return cbor.take();
}

std::string encode(const Paragraph& paragraph) {
  CborText cbor;
  put_paragraph(cbor, paragraph);
  return cbor.take();
}

CarWriter::CarWriter(const std::filesystem::path& path, FileType type, const Provenance& provenance,
                     const WriteOptions& options)
    : file_(path, options), type_(type) {
  CborText cbor;
  cbor.array(3);
  cbor.text("CAR");
  cbor.array(1);
  cbor.number(static_cast<std::uint64_t>(type));
  put_provenance(cbor, provenance);
  cbor.open_list();
  file_.write(cbor.take());
}

void CarWriter::write(const Page& page) {
  TS_CHECK(type_ != FileType::kParagraphs, "a page in a file of paragraphs");
  write_encoded(type_ == FileType::kOutlines ? encode(outline_of(page)) : encode(page));
}

void CarWriter::write(const Paragraph& paragraph) {
  TS_CHECK(type_ == FileType::kParagraphs, "a paragraph in a file of pages");
  write_encoded(encode(paragraph));
}

void CarWriter::finish() {
  CborText cbor;
  cbor.close();
  file_.write(cbor.take());
  file_.finish();
}

}  // namespace touchstone::formats::car
