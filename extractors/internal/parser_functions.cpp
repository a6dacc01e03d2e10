#include "extractors/internal/parser_functions.hpp"

namespace touchstone::extractors::internal {

bool expand_parser_function(Expander& expander, const MarkupTree&, const Call& call, std::string_view title, const Frame*,
                            ExpandedText& out) {
  if (call.part_count == 0) {
    if (title == "PAGENAME") {
      out.text.append(expander.context().page.text);
      return true;
    }
    if (title == "!" || title == "=") {
      out.text.append(title == "!" ? "|" : "=");
      return true;
    }
    if (title == "FULLPAGENAME") {
      out.text.append(expander.context().site.prefixed(expander.context().page));
      return true;
    }
  }
  const std::size_t colon = title.find(':');
  return colon != std::string_view::npos && title.front() == '#';
}

}  // namespace touchstone::extractors::internal
