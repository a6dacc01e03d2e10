#include "collection/release/license.hpp"

#include <gtest/gtest.h>

namespace touchstone::collection::release {
namespace {

TEST(License, AddressesOfCreativeCommonsHaveTheirNames) {
  EXPECT_EQ(named_license("Creative Commons Attribution-NonCommercial-ShareAlike License "
                          "http://creativecommons.org/licenses/by-nc-sa/4.0/"),
            "CC-BY-NC-SA-4.0");
  EXPECT_EQ(named_license("https://creativecommons.org/licenses/by/3.0"), "CC-BY-3.0");
  EXPECT_EQ(named_license("https://creativecommons.org/publicdomain/zero/1.0/"), "CC0-1.0");
}

TEST(License, OtherTextsStay) {
  for (const char* text : {"", "Public domain in the USA.", "MIT", "http://creativecommons.org/licenses/",
                           "http://creativecommons.org/licenses/by-sa", "creativecommons.org/licenses/by-sa/"})
    EXPECT_EQ(named_license(text), text);
}

}  // namespace
}  // namespace touchstone::collection::release
