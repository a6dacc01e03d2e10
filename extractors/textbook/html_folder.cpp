#include "common/unicode.hpp"
#include "extractors/textbook/book.hpp"

namespace touchstone::extractors::textbook {

Book read_html_folder(const BookFiles& files, bool any_name) {
  Book book;
  for (const auto& name : files.names()) {
    const auto lower = lower_case(name);
    if (any_name || lower.ends_with(".html") || lower.ends_with(".htm") || lower.ends_with(".xhtml")) {
      book.pages.push_back({name, "", ""});
    }
  }
  return book;
}

}  // namespace touchstone::extractors::textbook
