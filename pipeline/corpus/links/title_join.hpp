#pragma once

#include "common/digest.hpp"
#include "common/title.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace touchstone::pipeline::corpus::links {

/// By which titles are joined.
inline std::uint64_t title_hash(std::int32_t ns, std::string_view text) {
  return xxh3_64(text, static_cast<std::uint64_t>(static_cast<std::int64_t>(ns)));
}
inline std::uint64_t title_hash(const Title& title) {
  return title_hash(title.ns, title.text);
}

/// A page by its title.
struct TitledPage {
  std::uint64_t hash = 0;
  std::uint32_t page = 0;
  bool is_read = false;  ///< its text was read

  template <class Fields>
  void fields(Fields& field) {
    field("title_hash", hash)("page_id", page)("is_read", is_read);
  }
  friend auto operator<=>(const TitledPage&, const TitledPage&) = default;
};

/// Finds the pages that titles name, for more titles than fit in memory. Of two pages with one title the one with the
/// lower id counts.
/// \param next_page      gives the TitledPages, ascending, then nothing
/// \param next_question  gives what asks for a page by `hash`, ascending by it, then nothing
/// \param answer         gets each question once, with the id of the page; 0 if no page has the title
/// \param double_title   gets each page whose title another page has
template <class NextPage, class NextQuestion, class Answer, class DoubleTitle>
void join_titles(NextPage next_page, NextQuestion next_question, const Answer& answer,
                 const DoubleTitle& double_title) {
  auto asked = next_question();
  std::optional<std::uint64_t> last;
  while (const auto page = next_page()) {
    if (page->hash == last) {
      double_title(page->page);
      continue;
    }
    last = page->hash;
    for (; asked && asked->hash < page->hash; asked = next_question()) answer(*asked, 0);
    for (; asked && asked->hash == page->hash; asked = next_question()) answer(*asked, page->page);
  }
  for (; asked; asked = next_question()) answer(*asked, 0);
}

}  // namespace touchstone::pipeline::corpus::links
