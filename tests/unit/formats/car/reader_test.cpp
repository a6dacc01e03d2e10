#include "formats/car/reader.hpp"

#include "common/files.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/formats/car/bytes.hpp"

#include <gtest/gtest.h>

namespace touchstone::formats::car {
namespace {

using namespace testing;
using touchstone::testing::message_of;

/// All pages of the file; the test fails at a record that is none.
std::vector<Page> pages_of(std::string bytes, std::size_t piece_bytes = 7) {
  auto reader = reader_of(std::move(bytes), piece_bytes);
  std::vector<Page> pages;
  while (auto read = reader.next()) {
    EXPECT_TRUE(read->record.has_value()) << read->record.error();
    if (read->record) pages.push_back(std::get<Page>(*read->record));
  }
  return pages;
}

std::string error_of(std::string bytes, const ReadLimits& limits = {}) {
  return message_of<FormatError>([&] {
    auto reader = reader_of(std::move(bytes), 7, limits);
    while (reader.next()) {
    }
  });
}

/// The failure of the first record.
std::string failure_of(std::string bytes) {
  auto reader = reader_of(std::move(bytes));
  const auto read = reader.next();
  if (!read) return "no record";
  return read->record ? "a good record" : read->record.error();
}

TEST(CarReader, RecordsComeFromArraysOfAnyFormAndFromABareSequence) {
  const auto two = bare_page("a") + bare_page("b");
  for (const auto& bytes :
       {header(0) + from_hex("9f") + two + from_hex("ff"), header(0) + from_hex("82") + two, header(0) + two, two,
        from_hex("9f") + two + from_hex("ff"), from_hex("82") + two, from_hex("d9d9f7") + from_hex("82") + two}) {
    for (const std::size_t piece : {1, 3, 1000}) {
      const auto pages = pages_of(bytes, piece);
      ASSERT_EQ(pages.size(), 2U);
      EXPECT_EQ(pages[0].name, "a");
      EXPECT_EQ(pages[1].id, "b");
    }
  }
}

TEST(CarReader, AListMayBeEmpty) {
  for (const auto& bytes :
       {header(2) + from_hex("9f ff"), header(2) + from_hex("80"), from_hex("80"), from_hex("9f ff")})
    EXPECT_FALSE(reader_of(bytes).next().has_value());
  EXPECT_FALSE(reader_of(from_hex("80")).type().has_value());
}

TEST(CarReader, TheTypeIsThatOfTheHeaderOrOfTheFirstRecord) {
  EXPECT_EQ(reader_of(header(1) + from_hex("80")).type(), FileType::kOutlines);
  EXPECT_TRUE(reader_of(header(1) + from_hex("80")).has_header());
  EXPECT_EQ(reader_of(bare_page("a")).type(), FileType::kPages);
  EXPECT_FALSE(reader_of(bare_page("a")).has_header());
  EXPECT_EQ(reader_of(from_hex("83 00 41 61 80")).type(), FileType::kParagraphs);
}

TEST(CarReader, BothFormsOfProvenanceAreRead) {
  const auto old = reader_of(from_hex("83 63 434152 81 00 86 00 63 646179 62 6161 63 72656c 61 63 63 763132 80"));
  EXPECT_EQ(old.provenance(), (Provenance{{{"aa", "", "day", {}}}, "rel", {"c"}, {{"", "v12", ""}}}));
  const auto now = reader_of(from_hex(
      "83 63 434152 81 00 85 00 81 85 00 62 6161 62 656e 61 73 81 61 78 63 72656c 80 81 84 00 61 74 61 76 a1 61 "
      "61 f5 80"));
  EXPECT_EQ(now.provenance(), (Provenance{{{"aa", "en", "s", {"x"}}}, "rel", {}, {{"t", "v", ""}}}));
}

TEST(CarReader, OldPagesHaveTypeAndMetadataInOneArray) {
  const auto pages =
      pages_of(from_hex("85 00 61 61 41 61 80 88 00 82 03 41 62 81 82 61 78 61 79 80 81 81 41 69 80 80 80"));
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_EQ(pages[0].type, PageType::kRedirect);
  EXPECT_EQ(pages[0].redirect, (Link{"", "b", std::nullopt, "", ""}));
  EXPECT_EQ(pages[0].metadata.redirect_names, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(pages[0].metadata.disambiguation_ids, (std::vector<std::string>{"i"}));
}

TEST(CarReader, MetadataAlternateOrComeInPairs) {
  const auto alternating =
      pages_of(from_hex("86 00 61 61 41 61 80 81 00 9f 81 00 81 61 78 81 08 62 5137 81 06 81 61 7a ff"));
  const auto in_pairs = pages_of(from_hex("86 00 61 61 41 61 80 81 00 83 82 00 81 61 78 82 08 62 5137 82 06 81 61 7a"));
  ASSERT_EQ(alternating.size(), 1U);
  EXPECT_EQ(alternating[0].metadata.redirect_names, (std::vector<std::string>{"x"}));
  EXPECT_EQ(alternating[0].metadata.qid, "Q7");
  EXPECT_EQ(alternating[0].metadata.inlink_anchors, (std::vector<AnchorCount>{{"z", 1}}));
  EXPECT_EQ(in_pairs, alternating);
}

TEST(CarReader, MetadataOfNewerVersionsAreLeftOut) {
  EXPECT_EQ(pages_of(from_hex("86 00 61 61 41 61 80 81 00 82 81 18 63 a0"))[0].metadata, PageMetadata{});
}

TEST(CarReader, LinksHaveFiveOrSixElements) {
  const auto five = pages_of(from_hex("84 00 61 61 41 61 81 82 01 83 00 41 70 81 82 01 85 00 61 74 81 61 73 40 61 78"));
  const auto six =
      pages_of(from_hex("84 00 61 61 41 61 81 82 01 83 00 41 70 81 82 01 86 00 61 74 80 41 69 61 78 81 62 5137"));
  const auto link = [](const Page& page) {
    return std::get<Link>(std::get<Paragraph>(page.skeleton.at(0).element).bodies.at(0));
  };
  EXPECT_EQ(link(five.at(0)), (Link{"t", "", "s", "x", ""}));
  EXPECT_EQ(link(six.at(0)), (Link{"t", "i", std::nullopt, "x", "Q7"}));
}

TEST(CarReader, TextsMayComeInPieces) {
  const auto pages = pages_of(from_hex("84 00 7f 61 61 60 61 62 ff 5f 41 63 ff 80"));
  EXPECT_EQ(pages.at(0).name, "ab");
  EXPECT_EQ(pages.at(0).id, "c");
}

TEST(CarReader, GzipIsReadAndTruncatedGzipRefused) {
  const touchstone::testing::TemporaryFolder folder;
  std::string bytes = header(0) + from_hex("9f");
  for (int i = 0; i < 5000; ++i) bytes += bare_page("page " + std::to_string(i * 7919));
  TextWriter writer(folder / "a.gz");
  writer.write(bytes + from_hex("ff"));
  writer.finish();
  CarReader reader(folder / "a.gz");
  int count = 0;
  while (reader.next()) ++count;
  EXPECT_EQ(count, 5000);
  const auto packed = read_file(folder / "a.gz");
  write_file_atomically(folder / "b.gz", packed.substr(0, packed.size() / 2));
  const auto message = message_of<FormatError>([&] {
    CarReader cut(folder / "b.gz");
    while (cut.next()) {
    }
  });
  EXPECT_NE(message.find("damaged or truncated gzip"), std::string::npos) << message;
}

TEST(CarReader, ARecordThatIsNoPageFailsAloneAndSaysWhere) {
  auto reader = reader_of(header(0) + from_hex("83") + bare_page("a") + from_hex("84 00 61 62 01 80") + bare_page("c"));
  EXPECT_TRUE(reader.next()->record.has_value());
  const auto bad = reader.next();
  EXPECT_EQ(bad->number, 2U);
  EXPECT_EQ(bad->offset, 21U);
  EXPECT_EQ(bad->record.error(),
            "x.cbor: record 2 at byte 21: the id of the page is no text; fetch or write the file again (byte 25)");
  EXPECT_TRUE(reader.next()->record.has_value());
  EXPECT_FALSE(reader.next().has_value());
}

TEST(CarReader, WhatIsNotInTheGrammarIsRefused) {
  const auto expect = [](const char* hex, const char* what) {
    const auto failure = failure_of(from_hex(hex));
    EXPECT_NE(failure.find(what), std::string::npos) << hex << ": " << failure;
  };
  expect("84 02 61 61 41 61 80", "unknown kind 2");
  expect("87 00 61 61 41 61 80 81 00 80 80", "has 7 items instead of 4 to 6");
  expect("84 00 61 ff 41 61 80", "the name of the page is not UTF-8");
  expect("84 00 61 61 41 61 60", "the content of the page is no array");
  expect("84 00 61 61 41 61 81 80", "the page element is an empty array");
  expect("84 00 61 61 41 61 81 82 05 80", "the page element is of the unknown kind 5");
  expect("84 00 61 61 41 61 81 82 00 80", "the page element has 2 items instead of 4");
  expect("84 00 61 61 41 61 81 83 03 20 83 00 40 80", "the level of the list item is not a whole number");
  expect("84 00 61 61 41 61 81 82 01 83 01 40 80", "the paragraph is of the unknown kind 1");
  expect("84 00 61 61 41 61 81 82 01 83 00 40 81 82 02 60", "the piece of the paragraph is of the unknown kind 2");
  expect("84 00 61 61 41 61 81 82 01 83 00 40 81 82 01 84 00 60 80 40", "the link has 4 items instead of 5 to 6");
  expect("86 00 61 61 41 61 80 81 04 80", "the page type is of the unknown kind 4");
  expect("86 00 61 61 41 61 80 81 03 80", "the page type has 1 items instead of 2");
  expect("86 00 61 61 41 61 80 81 00 81 81 00", "the metadata entry has no value");
  expect("86 00 61 61 41 61 80 81 00 81 83 00 80 80", "the metadata entry has 3 items instead of 1 to 2");
  expect("84 a0 61 61 41 61 80", "the page is not a whole number");
}

TEST(CarReader, FilesThatAreNoCarAreRefusedAtOnce) {
  EXPECT_EQ(error_of(""), "x.cbor: byte 0: the file is empty; fetch or write it again");
  EXPECT_NE(error_of("hello").find("no TREC CAR file"), std::string::npos);
  EXPECT_NE(error_of(from_hex("a1 00 00")).find("no TREC CAR file"), std::string::npos);
  EXPECT_NE(error_of(from_hex("83 63 424152 81 00 80")).find("does not begin with \"CAR\""), std::string::npos);
  EXPECT_NE(error_of(from_hex("83 63 434152 81 03 80 80")).find("file type is of the unknown kind 3"),
            std::string::npos);
  EXPECT_NE(error_of(header(0) + from_hex("01")).find("no list of records"), std::string::npos);
  EXPECT_NE(error_of(header(0)).find("ends behind its header"), std::string::npos);
}

TEST(CarReader, EveryTruncationIsAnErrorWithItsPlace) {
  const auto whole = header(0) + from_hex("9f") + bare_page("a") + bare_page("b") + from_hex("ff");
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const auto message = error_of(whole.substr(0, size));
    EXPECT_TRUE(message.starts_with("x.cbor: byte ")) << size << ": " << message;
    EXPECT_NE(message.find("truncated"), std::string::npos) << size << ": " << message;
  }
  EXPECT_EQ(
      error_of(from_hex("84 00 61 61 41 61")),
      "x.cbor: byte 6: the file ends within a record that begins at byte 0; it is truncated, so fetch or write it "
      "again");
}

TEST(CarReader, NestingIsBounded) {
  const auto message = error_of(from_hex("84 00 61 61 41 61") + std::string(1000000, '\x81'));
  EXPECT_EQ(message,
            "x.cbor: byte 133: more than 128 arrays are within each other; no page is like that, so fetch or write the "
            "file again");
}

TEST(CarReader, LengthsThatLieCostNothing) {
  const auto expect = [](const std::string& tail, const char* what) {
    const auto message = error_of(from_hex("84 00") + tail);
    EXPECT_NE(message.find(what), std::string::npos) << message;
  };
  expect(from_hex("7b ffffffffffffffff 61"), "a text claims to be longer than 268,435,456 bytes");
  expect(from_hex("7b fffffffffffffff7 61"), "a text claims to be longer than 268,435,456 bytes");
  expect(from_hex("7b 0000000100000000 61"), "a text claims to be longer than 268,435,456 bytes");
  expect(from_hex("7a 0fffffff 61"), "the file ends within an item that begins at byte 2");
  expect(from_hex("9b ffffffffffffffff 00"), "an array claims to have 18,446,744,073,709,551,615 items");
  expect(from_hex("bb ffffffffffffffff 00"), "an array claims to have 18,446,744,073,709,551,615 items");
  expect(from_hex("9a 00700000 00"), "the file ends within a record");
}

TEST(CarReader, ARecordMayNotExceedTheLimits) {
  ReadLimits limits;
  limits.max_record_bytes = 100;
  limits.max_record_items = 50;
  const auto many = from_hex("84 00 61 61 41 61 9f") + std::string(60, '\x00');
  EXPECT_NE(error_of(many, limits).find("has more than 50 items"), std::string::npos) << error_of(many, limits);
  std::string pieces = from_hex("84 00 7f");
  for (int i = 0; i < 60; ++i) pieces += from_hex("61 61");
  EXPECT_NE(error_of(pieces, limits).find("is longer than 100 bytes"), std::string::npos) << error_of(pieces, limits);
}

TEST(CarReader, BytesThatAreNoCborAreRefused) {
  for (const char* hex : {"84 00 61 61 41 61 ff", "84 1c", "84 00 3d", "84 fc", "84 f8 05", "84 00 7f 41 61 ff",
                          "84 00 7f 7f ff ff", "bf 00 ff", "9f 84 00 61 61 41 61 bf 00 ff"}) {
    const auto message = error_of(from_hex(hex));
    EXPECT_TRUE(message.starts_with("x.cbor: byte ")) << hex << ": " << message;
  }
}

TEST(CarReader, WhatFollowsTheEndIsRefused) {
  for (const auto& bytes : {header(0) + from_hex("9f") + bare_page("a") + from_hex("ff 00"),
                            header(0) + from_hex("81") + bare_page("a") + bare_page("b"), from_hex("80 80")}) {
    EXPECT_NE(error_of(bytes).find("something follows the end of the list"), std::string::npos) << error_of(bytes);
  }
  EXPECT_NE(error_of(bare_page("a") + from_hex("ff")).find("there is a 'break' where no array ends"),
            std::string::npos);
}

TEST(CarReader, AFileThatIsNotThereIsNamed) {
  EXPECT_EQ(message_of<StorageError>([] { CarReader reader("/nowhere/x.cbor"); }),
            "cannot read /nowhere/x.cbor: No such file or directory");
}

}  // namespace
}  // namespace touchstone::formats::car
