#pragma once

#include "formats/car/records.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// Where the passages of a collection stand in what it was made from, for people who cite or check them. They are in a
/// file of their own, because they name the pages and headings that topics are made of.
namespace touchstone::collection::automatic {

/// A place where a passage stands. Empty: not known.
struct Locator {
  std::string book;
  std::vector<std::string> chapters;  ///< parts of the book around the page, the outermost first
  std::string page;                   ///< its title
  std::vector<std::string> section;   ///< headings, the outermost first; none in the lead
  /// Where the section begins: the address on the web of the page as it was read, or in a book `file#id`.
  std::string place;
  std::string license;  ///< that the source declares

  template <class Fields>
  void fields(Fields& field) {
    field("book", book)("chapters", chapters)("page", page)("section", section)("place", place)("license", license);
  }
  friend bool operator==(const Locator&, const Locator&) = default;
};

/// What the source of a page says of it as a whole. Empty: not known.
struct PageOrigin {
  std::string book, license;
  std::vector<std::string> chapters;
  std::vector<std::string> anchors;  ///< where the lead and each section of the skeleton begin, in page order
  std::uint64_t revision = 0;

  template <class Fields>
  void fields(Fields& field) {
    field("book", book)("license", license)("chapters", chapters)("anchors", anchors)("revision", revision);
  }
};

/// Tells the places of the paragraphs of a page, which must outlive this. Const members are thread-safe.
class PageLocators {
 public:
  /// \param page      before any of its sections is left out
  /// \param base_url  of the wiki, see release/page_address.hpp; may be empty
  PageLocators(const formats::car::Page& page, const PageOrigin& origin, std::string_view base_url);

  /// \pre the paragraph is one of the page: by itself, as a list item, or in a caption
  Locator of(const formats::car::Paragraph& paragraph) const;

 private:
  struct Section {
    std::vector<std::string> headings;
    std::string place;
  };
  void read(const std::vector<formats::car::Skeleton>& elements, std::size_t section);
  std::string place_of(const std::string& heading);

  const PageOrigin& origin_;
  Locator of_page_;
  std::string address_;
  std::vector<Section> sections_;
  std::unordered_map<const formats::car::Paragraph*, std::size_t> section_of_;
  std::unordered_map<std::string, std::size_t> uses_;  ///< of headings in lower case
};

/// All places of one passage.
struct PassagePlaces {
  static constexpr std::size_t kMostListed = 1000;

  std::vector<Locator> listed;
  std::uint64_t not_listed = 0;  ///< further places

  /// Lists the place, or counts it if there are many.
  void add(Locator locator);
};

/// A line of the file of locators.
struct LocatorLine {
  std::string docid;
  PassagePlaces places;
};

/// The line of a passage, with its end.
/// \param license  of the collection, for places whose source declares none
std::string locator_line(std::string_view docid, const PassagePlaces& places, std::string_view license);

/// Throws FormatError with the end of a sentence for a line of another form.
LocatorLine read_locator_line(std::string_view line);

}  // namespace touchstone::collection::automatic
