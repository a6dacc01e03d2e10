#include "common/archive_signature.hpp"

#include "tests/support/tar_header.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone {
namespace {

TEST(ArchiveSignature, KnowsArchivesByTheirFirstBytes) {
  EXPECT_EQ(archive_kind("PK\x03\x04 and more"), "zip");
  EXPECT_EQ(archive_kind("PK\x05\x06"), "zip");
  EXPECT_EQ(archive_kind("7z\xBC\xAF\x27\x1C"), "7z");
  EXPECT_EQ(archive_kind("Rar!\x1A\x07"), "rar");
  EXPECT_EQ(archive_kind("070701000"), "cpio");
  EXPECT_EQ(archive_kind("!<arch>\n"), "ar");
  EXPECT_EQ(archive_kind(testing::tar_header("a.xml", 12)), "tar");
  EXPECT_EQ(archive_kind(testing::tar_header("a.xml", 12, false)), "tar");
  EXPECT_EQ(archive_kind(testing::tar_header("a.xml", 12) + "<mediawiki>"), "tar");
}

TEST(ArchiveSignature, TextIsNone) {
  EXPECT_EQ(archive_kind(""), "");
  EXPECT_EQ(archive_kind("<mediawiki xmlns=\"http://www.mediawiki.org/xml/export-0.11/\">"), "");
  EXPECT_EQ(archive_kind(std::string(512, '0')), "");
  EXPECT_EQ(archive_kind(std::string(512, '\0')), "");
  auto broken = testing::tar_header("a.xml", 12);
  broken[0] = 'b';
  EXPECT_EQ(archive_kind(broken), "") << "the checksum is wrong";
  EXPECT_EQ(archive_kind(testing::tar_header("a.xml", 12).substr(0, 511)), "");
}

}  // namespace
}  // namespace touchstone
