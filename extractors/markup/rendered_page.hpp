#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

/// Turns light markup into HTML, which the reader of HTML reads: structure is read in one place.
namespace touchstone::extractors::markup {

/// A page as HTML.
struct RenderedPage {
  std::string html;   ///< with all of the page inside <main>
  std::string title;  ///< as the page's metadata have it; empty where its heading is the title
  std::string label;  ///< what menus call it, for pages without any other title
  std::map<std::string_view, std::uint64_t> left_out;  ///< what was left out -> how often, for messages
};

/// Appends text with the characters of markup escaped.
inline void append_escaped(std::string& html, std::string_view text) {
  for (const char c : text) {
    if (c == '<') {
      html += "&lt;";
    } else if (c == '&') {
      html += "&amp;";
    } else if (c == '"') {
      html += "&quot;";
    } else {
      html += c;
    }
  }
}

}  // namespace touchstone::extractors::markup
