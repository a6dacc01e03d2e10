#pragma once

#include "extractors/document.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The numbers that manuals put in front of titles and headings: "8.4.5. Group List", "Chapter 9. System tips".
namespace touchstone::extractors::textbook {

/// A title or heading with a number in front.
struct Numbered {
  std::vector<int> number;  ///< 8, 4, 5; letters are above all numbers, as appendices come behind chapters
  std::string word;         ///< in front of the number: "Chapter"; may be empty
  bool is_roman = false;    ///< of parts that hold chapters
  std::size_t text = 0;     ///< byte at which the heading itself begins
};

/// Nothing where no number is in front, or nothing but a number is there. What looks like a number need not be one
/// ("3.11 Changes"): only many headings together tell.
std::optional<Numbered> number_of(std::string_view heading);

/// Whether headings in the order of the page are numbered: half of them or more have a number, nearly all another one,
/// and they ascend.
bool are_numbered(const std::vector<std::optional<Numbered>>& headings);

/// How the titles of the pages of one folder are numbered. Many of them may have no number.
enum class TitleNumbers : std::uint8_t {
  kNone,      ///< few, or the titles would not differ without
  kRestart,   ///< the same numbers come again, such as in each chapter
  kDistinct,  ///< each number is that of one page
};
TitleNumbers numbers_of(const std::vector<std::string>& titles);

/// Whether a number is one below another: 8.4.5 is below 8.4 and below 8.
bool is_below(const std::vector<int>& number, const std::vector<int>& above);

/// Removes the numbers of a page's headings if they are numbered.
/// \param title  number of the page's title, if it has one: a heading whose number goes on from it is numbered
void remove_numbers(Document& document, const std::optional<Numbered>& title);

}  // namespace touchstone::extractors::textbook
