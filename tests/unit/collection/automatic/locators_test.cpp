#include "collection/automatic/locators.hpp"

#include "common/error.hpp"
#include "tests/unit/collection/automatic/sample_page.hpp"

#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::collection::automatic {
namespace {

namespace car = formats::car;
using Texts = std::vector<std::string>;

const car::Paragraph& paragraph(const car::Skeleton& skeleton) {
  return std::get<car::Paragraph>(skeleton.element);
}

const car::Section& section(const car::Skeleton& skeleton) {
  return std::get<car::Section>(skeleton.element);
}

/// A lead, and two sections of one name, the second inside of another.
car::Page sample() {
  return testing::page("Ise shrine",
                       {testing::para("p0"), testing::section("Main hall", {testing::para("p1")}),
                        testing::section("100% new", {testing::section("Main hall", {testing::para("p2")})})});
}

TEST(PageLocators, NameTheAddressOnTheWikiAtItsRevision) {
  const auto page = sample();
  PageOrigin origin;
  origin.revision = 7;
  const PageLocators locators(page, origin, "https://wiki.example/wiki/Main_Page");
  const std::string address = "https://wiki.example/wiki/Ise_shrine?oldid=7";
  const auto lead = locators.of(paragraph(page.skeleton[0]));
  EXPECT_EQ(lead.page, "Ise shrine");
  EXPECT_EQ(lead.section, Texts{});
  EXPECT_EQ(lead.place, address);
  EXPECT_EQ(locators.of(paragraph(section(page.skeleton[1]).children[0])).place, address + "#Main_hall");
  const auto inner = locators.of(paragraph(section(section(page.skeleton[2]).children[0]).children[0]));
  EXPECT_EQ(inner.section, (Texts{"100% new", "Main hall"}));
  EXPECT_EQ(inner.place, address + "#Main_hall_2") << "MediaWiki numbers headings that repeat";
}

TEST(PageLocators, NameThePlaceInABook) {
  const auto page = sample();
  const PageOrigin origin{"Shrines", "CC-BY-4.0", {"Part 1"}, {"a.html", "a.html#hall", "b.html", "b.html#hall"}, 0};
  const PageLocators locators(page, origin, "");
  const auto inner = locators.of(paragraph(section(section(page.skeleton[2]).children[0]).children[0]));
  EXPECT_EQ(inner,
            (Locator{"Shrines", {"Part 1"}, "Ise shrine", {"100% new", "Main hall"}, "b.html#hall", "CC-BY-4.0"}));
}

TEST(LocatorLine, HoldsWhatIsKnown) {
  PassagePlaces places;
  places.add({"", {}, "Ise", {}, "", ""});
  EXPECT_EQ(locator_line("d1", places, "unknown: see the wiki"),
            "{\"docid\":\"d1\",\"locators\":[{\"page\":\"Ise\",\"section\":[]}]}\n");
  places.add({"Shrines", {"Part 1"}, "Ise", {"Hall"}, "a.html#hall", "https://creativecommons.org/licenses/by/4.0"});
  const auto line = locator_line("d1", places, "CC0-1.0");
  EXPECT_NE(line.find("\"license\":\"CC0-1.0\""), std::string::npos) << "that of the collection";
  const auto read = read_locator_line(line);
  EXPECT_EQ(read.docid, "d1");
  ASSERT_EQ(read.places.listed.size(), 2U);
  EXPECT_EQ(read.places.listed[1], (Locator{"Shrines", {"Part 1"}, "Ise", {"Hall"}, "a.html#hall", "CC-BY-4.0"}));
}

TEST(LocatorLine, CountsPlacesBeyondABound) {
  PassagePlaces places;
  for (std::size_t i = 0; i < PassagePlaces::kMostListed + 5; ++i) places.add({"", {}, "Ise", {}, "", ""});
  const auto read = read_locator_line(locator_line("d1", places, ""));
  EXPECT_EQ(read.places.listed.size(), PassagePlaces::kMostListed);
  EXPECT_EQ(read.places.not_listed, 5U);
}

TEST(LocatorLine, OtherLinesAreRefused) {
  for (const char* line : {"", "[]", "{\"docid\":\"d\"}", "{\"docid\":1,\"locators\":[]}",
                           "{\"docid\":\"d\",\"locators\":[{\"page\":\"P\"}]}"}) {
    EXPECT_THROW(read_locator_line(line), FormatError) << line;
  }
}

}  // namespace
}  // namespace touchstone::collection::automatic
