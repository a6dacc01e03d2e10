#include "common/number_text.hpp"
#include "extractors/dump/dump_reader.hpp"
#include "extractors/dump/page_scanner.hpp"
#include "extractors/dump/sax_reader.hpp"

#include <algorithm>
#include <charconv>

namespace touchstone::extractors::dump {
using namespace internal;
namespace {

/// Appends the reference or byte at the start of `text`, and gives its size.
std::size_t append_character(std::string_view text, std::string& out) {
  const std::size_t size = append_reference(text, out);
  if (size == 0) out.push_back(text.front());
  return std::max<std::size_t>(size, 1);
}

/// libxml2 gives attribute values of a push parser with ampersands as references where the value was not normalised;
/// `title` is the one attribute that needs them resolved.
std::string unescaped(std::string_view value) {
  std::string text;
  while (!value.empty()) value.remove_prefix(append_character(value, text));
  return text;
}

/// The text of the last revision of a `<page>` element, with the tags that are in it as they are written. An export
/// writes tags with references (`&lt;b>`); other programs leave them as they are, and an XML parser then takes them for
/// elements. \pre  the XML is well-formed
std::string text_as_written(std::string_view page) {
  constexpr std::string_view kClose = "</text", kData = "<![CDATA[", kDataEnd = "]]>";
  const std::size_t revision = page.rfind("<revision");
  const std::size_t tag = page.find("<text", revision == std::string_view::npos ? 0 : revision);
  const std::size_t begin = tag == std::string_view::npos ? tag : page.find('>', tag);
  const std::size_t end = page.rfind(kClose);
  if (begin == std::string_view::npos || end == std::string_view::npos || end <= begin) return {};
  std::string_view rest = page.substr(begin + 1, end - begin - 1);
  std::string out;
  out.reserve(rest.size());
  while (!rest.empty()) {
    std::size_t used = 1;
    if (rest.starts_with(kData)) {
      const std::size_t data_end = std::min(rest.find(kDataEnd), rest.size());
      out.append(rest.substr(kData.size(), data_end - kData.size()));
      used = std::min(rest.size(), data_end + kDataEnd.size());
    } else if (rest.front() == '\r') {
      if (!rest.starts_with("\r\n")) out.push_back('\n');
    } else {
      used = append_character(rest, out);
    }
    rest.remove_prefix(used);
  }
  return out;
}

/// Collects the fields of one `<page>`. Within `<revision>` and `<contributor>` the same names mean other things, so
/// the depth decides.
class PageHandler : public SaxHandler {
 public:
  RawPage page;
  std::string id, ns, revision_id;
  bool have_title = false, have_revision = false, have_text = false;
  bool broken_field = false;  ///< a field other than the text holds elements

  void start(std::string_view name, Attributes attributes) override {
    ++depth_;
    // Elements in a field end the text that the parser gives for it.
    if (in_text_) page.unescaped_markup = true;
    if (target_ != nullptr && !in_text_) broken_field = true;
    target_ = nullptr;
    if (depth_ == 2) {
      if (name == "title") have_title = true, target_ = &page.title;
      if (name == "ns") target_ = &ns;
      if (name == "id") target_ = &id;
      if (name == "redirect") page.redirect_title = unescaped(attribute_value("title", attributes));
      in_revision_ = name == "revision";
      if (in_revision_) start_revision();
    } else if (depth_ == 3 && in_revision_) {
      if (name == "id") target_ = &revision_id;
      if (name == "timestamp") target_ = &page.timestamp;
      if (name == "model") page.model.clear(), target_ = &page.model;
      if (name == "sha1") target_ = &page.sha1;
      if (name == "text") {
        have_text = in_text_ = true;
        target_ = &page.text;
        page.text_deleted = attribute_value("deleted", attributes) == "deleted";
        const auto bytes = attribute_value("bytes", attributes);
        std::size_t size = 0;
        if (std::from_chars(bytes.data(), bytes.data() + bytes.size(), size).ec == std::errc{} && size < (1U << 28)) {
          page.text.reserve(size);
        }
      }
    }
    if (target_ != nullptr) target_->clear();
  }
  void text(std::string_view piece) override {
    if (target_ != nullptr) target_->append(piece);
  }
  void end(std::string_view) override {
    --depth_;
    target_ = nullptr;
    if (depth_ < 3) in_text_ = false;
    if (depth_ < 2) in_revision_ = false;
  }
  void other() override {
    if (in_text_) page.unescaped_markup = true;
  }

 private:
  void start_revision() {
    have_revision = true;
    have_text = false;
    revision_id.clear();
    page.timestamp.clear();
    page.text.clear();
    page.sha1.clear();
    page.model = "wikitext";
    page.text_deleted = false;
    page.unescaped_markup = false;
  }

  int depth_ = 0;
  bool in_revision_ = false, in_text_ = false;
  std::string* target_ = nullptr;
};

template <class Number>
bool read_number(const std::string& text, Number& number) {
  const auto read = to_number<Number>(text);
  number = read.value_or(0);
  return read.has_value();
}

}  // namespace

PageId page_number(std::string_view xml) noexcept {
  constexpr std::string_view kOpen = "<id>";
  constexpr std::size_t kHeadBytes = 2048;
  PageId id;
  const auto at = xml.substr(0, kHeadBytes).find(kOpen);
  if (at != std::string_view::npos) std::from_chars(xml.data() + at + kOpen.size(), xml.data() + xml.size(), id.value);
  return id;
}

Result<RawPage, PageIssue> parse_page(std::string_view xml) {
  using Outcome = Result<RawPage, PageIssue>;
  // Nothing may be before the element, and so no document type either: libxml2 keeps what that declares.
  if (!xml.starts_with("<page")) return Outcome::failure(PageIssue::kMalformedXml);
  PageHandler handler;
  if (!scan_page(xml, handler)) {
    handler = {};
    if (!read_xml(xml, handler)) return Outcome::failure(PageIssue::kMalformedXml);
  }
  if (handler.broken_field) return Outcome::failure(PageIssue::kMalformedXml);
  RawPage& page = handler.page;
  if (page.unescaped_markup) page.text = text_as_written(xml);
  if (!handler.have_title || page.title.empty() || !handler.have_revision || handler.id.empty()) {
    return Outcome::failure(PageIssue::kMissingField);
  }
  if (!read_number(handler.id, page.id.value) || page.id.value == 0) return Outcome::failure(PageIssue::kBadNumber);
  if (!handler.ns.empty() && !read_number(handler.ns, page.ns)) return Outcome::failure(PageIssue::kBadNumber);
  if (!handler.revision_id.empty() && !read_number(handler.revision_id, page.revision.value)) {
    return Outcome::failure(PageIssue::kBadNumber);
  }
  if (page.text_deleted) return Outcome::failure(PageIssue::kTextDeleted);
  return std::move(page);
}

}  // namespace touchstone::extractors::dump
