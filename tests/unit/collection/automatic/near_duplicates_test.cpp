#include "collection/automatic/near_duplicates.hpp"

#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace touchstone::collection::automatic {
namespace {

using ::testing::HasSubstr;
using touchstone::testing::message_of;
using touchstone::testing::TemporaryFolder;

std::string id(const std::string& first, char rest) {
  return first + std::string(40 - first.size(), rest);
}

TEST(NearDuplicates, NamesTheRepresentativeOfEachLine) {
  const TemporaryFolder folder;
  // Two of the ids begin with the same digits.
  touchstone::testing::write_text(folder / "duplicates.tsv",
                                  near_duplicate_line(id("00", '1'), id("f", 'a')) +
                                      near_duplicate_line(id("12345678", '0'), id("e", 'b')) +
                                      near_duplicate_line(id("12345678", 'd'), id("c", 'c')));
  const auto duplicates = NearDuplicates::read(folder / "duplicates.tsv");
  EXPECT_EQ(duplicates.size(), 3U);
  EXPECT_EQ(duplicates.representative(id("00", '1')), id("f", 'a'));
  EXPECT_EQ(duplicates.representative(id("12345678", '0')), id("e", 'b'));
  EXPECT_EQ(duplicates.representative(id("12345678", 'd')), id("c", 'c'));
  for (const auto& other : {id("12345678", '5'), id("f", 'a'), std::string("p1"), std::string()})
    EXPECT_EQ(duplicates.representative(other), other);
}

TEST(NearDuplicates, EveryParagraphRepresentsItselfWithoutLines) {
  const TemporaryFolder folder;
  touchstone::testing::write_text(folder / "duplicates.tsv", "");
  EXPECT_EQ(NearDuplicates::read(folder / "duplicates.tsv").representative(id("a", 'b')), id("a", 'b'));
  EXPECT_EQ(NearDuplicates().representative("p"), "p");
}

TEST(NearDuplicates, OtherLinesAreRefused) {
  const TemporaryFolder folder;
  const auto failure = [&](const std::string& text) {
    touchstone::testing::write_text(folder / "duplicates.tsv", text);
    return message_of([&] { NearDuplicates::read(folder / "duplicates.tsv"); });
  };
  const auto line = near_duplicate_line(id("b", '0'), id("1", '0'));
  EXPECT_THAT(failure(line + "p1\tp2\n"), HasSubstr("duplicates.tsv line 2 is no pair of paragraph ids"));
  EXPECT_THAT(failure(id("b", '0') + "\n"), HasSubstr("line 1 is no pair"));
  EXPECT_THAT(failure(id("b", '0') + " " + id("1", '0') + "\n"), HasSubstr("line 1 is no pair"));
  EXPECT_THAT(failure(line + line), HasSubstr("line 2 is not behind the line before"));
  EXPECT_THAT(failure(line + near_duplicate_line(id("a", '0'), id("1", '0'))), HasSubstr("line 2 is not behind"));
}

}  // namespace
}  // namespace touchstone::collection::automatic
