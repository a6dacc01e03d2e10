#pragma once

#include "formats/car/records.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Ids of TREC CAR files, and ids for all other files. All functions are pure.
namespace touchstone::formats::car {

/// `<site>:<title>` with everything percent-escaped that may not be in a URI: blanks, quotes, `\ ^ { | } < >` and
/// the backtick, controls, and all that is not ASCII. `/` and `%` stay as they are, so "A B" and "A%20B" have one id.
/// \param site  the wiki, such as "enwiki"; empty gives the ids of releases up to v1.5, which have no site
/// Source: the `escapeURIString isAllowedInURI` of Network.URI, with which all releases were made.
std::string page_id(std::string_view site, std::string_view title);

/// The heading, escaped as in `page_id`. An empty heading has an empty id.
std::string heading_id(std::string_view heading);

/// Page id and heading ids from the outermost heading inwards, joined by `/`: the id of a facet in CAR's own files.
/// Ambiguous if a title or a heading has a `/`.
std::string section_path_id(std::string_view page_id, std::span<const std::string> heading_ids);

/// Lower-case hexadecimal SHA-1 of the texts of the bodies (plain text and link anchors), one after the other.
std::string paragraph_id(std::span<const ParagraphBody> bodies);

/// The text of a paragraph as its reader sees it: plain texts and link anchors, one after the other.
std::string paragraph_text(const Paragraph& paragraph);

/// What an unambiguous id is made of.
struct SectionName {
  std::string site;
  std::string title;
  std::vector<std::string> headings;  ///< from the outermost inwards; empty: the page itself
  friend bool operator==(const SectionName&, const SectionName&) = default;
};

/// The id of a page or section in files that are not CAR's: as `section_path_id`, but everything except ASCII letters,
/// digits and `- _ . ~` is escaped, a colon of the title excepted. It has no white space, no quotes, and a `/` only
/// between title and headings. Different names have different ids.
/// \pre the site has only ASCII letters, digits and `- _ . ~`; an empty site is left out together with its colon, and
///      the colons of the title are escaped then
std::string unambiguous_id(const SectionName& name);

}  // namespace touchstone::formats::car
