#include "collection/release/page_address.hpp"

#include <gtest/gtest.h>

namespace touchstone::collection::release {
namespace {

TEST(PageAddress, FollowsTheAddressOfTheMainPage) {
  EXPECT_EQ(page_address("https://en.wikipedia.org/wiki/Main_Page", "Café: a/b?", 12),
            "https://en.wikipedia.org/wiki/Caf%C3%A9:_a/b%3F?oldid=12");
  EXPECT_EQ(page_address("http://wiki.example/index.php?title=Main_Page", "A & B", 3),
            "http://wiki.example/index.php?title=A_%26_B&oldid=3");
  EXPECT_EQ(page_address("https://wiki.example/w/Start", "X", 0), "https://wiki.example/w/X");
}

TEST(PageAddress, IsEmptyWhereTheWikiHasNone) {
  EXPECT_EQ(page_address("", "X", 1), "");
  EXPECT_EQ(page_address("javascript:alert(1)//", "X", 1), "");
  EXPECT_EQ(page_address("https://wiki.example/?curid=1", "X", 1), "");
}

}  // namespace
}  // namespace touchstone::collection::release
