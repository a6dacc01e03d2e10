// Any bytes as a page of a book in each markup: the document is well-formed whatever they are. Any bytes as the head of
// a file: what is said of its format is UTF-8.
#include "common/error.hpp"
#include "common/unicode.hpp"
#include "extractors/file_format/file_format.hpp"
#include "extractors/html/html_page.hpp"
#include "extractors/markup/tqa.hpp"
#include "extractors/textbook/book.hpp"
#include "extractors/textbook/book_units.hpp"
#include "extractors/textbook/numbering.hpp"
#include "extractors/textbook/page_reading.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

namespace {

using namespace touchstone;
using namespace touchstone::extractors;

void require(bool condition) {
  if (!condition) std::abort();
}

/// Some texts take time that grows with the square of their size.
constexpr std::size_t kMaxMarkup = 20'000;

class AllPages : public html::LinkResolver {
 public:
  std::optional<Link> resolve(std::string_view href) const override {
    Link link;
    link.target.text = textbook::path_within("a/b", href).value_or("out");
    return link;
  }
};

void check(const RichText& content) {
  require(is_valid_utf8(content.text));
  const auto length = count_code_points(content.text);
  std::uint32_t begin = 0;
  for (const auto& link : content.links) {
    require(begin <= link.begin && link.begin <= link.end && link.end <= length);
    begin = link.begin;
  }
}

void check(const Document& document) {
  require(!document.sections.empty() && document.sections.front().level == 0);
  for (std::size_t i = 1; i < document.sections.size(); ++i) {
    const auto& section = document.sections[i];
    require(section.level > 0 && section.parent < i && document.sections[section.parent].level < section.level);
    check(section.heading);
  }
  for (const auto& block : document.blocks) {
    require(block.section < document.sections.size() && !block.content.text.empty());
    check(block.content);
  }
  for (const auto& table : document.tables) {
    require(table.section < document.sections.size() && table.block <= document.blocks.size());
    for (const auto& row : table.cells) {
      require(row.size() == table.column_count());
      for (const auto& cell : row) check(cell.content);
    }
  }
  for (const auto& image : document.images) {
    require(image.section < document.sections.size() && image.block <= document.blocks.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const std::string_view name : {"a", "a.html", "a.md.gz"}) {
    const auto* format = file_format::format_of(name, bytes);
    require(format == nullptr || is_valid_utf8(file_format::refusal(name, *format)));
  }
  file_format::format_of_name(bytes);
  try {
    markup::split_tqa(bytes);
  } catch (const FormatError&) {
  }
  for (const auto markup :
       {textbook::PageMarkup::kMarkdown, textbook::PageMarkup::kDokuWiki, textbook::PageMarkup::kTqa}) {
    const auto page = textbook::read_page(bytes.substr(0, kMaxMarkup), {"a/b.mdx", "", {}, markup}, {}, AllPages(), {});
    require(is_valid_utf8(page.title));
    check(page.document);
  }
  html::HtmlReading reading;
  reading.terms = true;
  auto page = html::read_html(bytes, AllPages(), reading);
  for (const auto& entry : page.index) require(is_valid_utf8(entry.term) && entry.term.size() <= html::kMaxTermBytes);
  require(is_valid_utf8(page.title));
  check(page.document);
  textbook::remove_numbers(page.document, textbook::number_of(page.title));
  check(page.document);
  const textbook::Unit unit{"Book", {}, {0}};
  textbook::UnitWriter whole(unit);
  textbook::BookPage file;
  file.file = "a.html";
  file.chapters = {"Part"};
  for (const char* title : {"One", "Two"}) whole.add(file, title, page.document);
  check(std::move(whole).take());
  check(textbook::read_cnxml(bytes, AllPages(), {.exercises = true, .solutions = true, .summaries = true}).document);
  return 0;
}
