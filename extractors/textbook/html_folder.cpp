#include "common/unicode.hpp"
#include "extractors/textbook/book.hpp"

namespace touchstone::extractors::textbook {

Book read_html_folder(const BookFiles& files) {
  Book book;
  for (const auto& name : files.names()) {
    const auto lower = lower_case(name);
    const bool single = files.names().size() == 1;
    if (single || lower.ends_with(".html") || lower.ends_with(".htm") || lower.ends_with(".xhtml")) {
      book.pages.push_back({name, "", ""});
    }
  }
  return book;
}

}  // namespace touchstone::extractors::textbook
