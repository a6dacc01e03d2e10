#include "extractors/json_pages/json_pages_source.hpp"

#include "tests/support/memory_source.hpp"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace touchstone::extractors::json_pages {
namespace {

SourceBatch read(const std::string& bytes, const JsonPagesOptions& options = {}) {
  JsonPagesSource source(std::make_unique<testing::MemorySource>(bytes), options);
  auto batch = source.next();
  return batch ? source.read(std::move(*batch)) : SourceBatch{};
}

std::string page(const std::string& title) {
  return "{\"title\":\"" + title + "\",\"sections\":[]}\n";
}

TEST(JsonPagesSource, PagesAreNumberedByTheirLines) {
  const auto batch = read(page("A") + "\n" + page("C"));
  ASSERT_EQ(batch.pages.size(), 2U);
  EXPECT_EQ(batch.pages[0].head.id, PageId{1});
  EXPECT_EQ(batch.pages[1].head.id, PageId{3});
  EXPECT_EQ(batch.pages[1].head.title, (Title{0, "C"}));
  EXPECT_EQ(batch.pages[1].head.model, "text");
}

TEST(JsonPagesSource, ALaterFileGoesOnBehindTheOneBefore) {
  JsonPagesOptions options;
  options.before_first = PageId{700};
  EXPECT_EQ(read(page("A"), options).pages.at(0).head.id, PageId{701});
}

TEST(JsonPagesSource, NumbersBeyondThirtyTwoBitsAreRefused) {
  JsonPagesOptions options;
  options.before_first = PageId{0xFFFF'FFFE};
  const auto batch = read(page("A") + page("B"), options);
  EXPECT_EQ(batch.pages.size(), 1U);
  ASSERT_EQ(batch.remarks.size(), 1U);
  EXPECT_EQ(batch.remarks[0].issue, PageIssue::kBadNumber);
}

TEST(JsonPagesSource, BadLinesAreRemarksWithTheirNumber) {
  JsonPagesOptions options;
  options.lines.max_line_bytes = 50;
  const auto batch = read(page("A") + "{\n" + page(std::string(60, 'x')), options);
  EXPECT_EQ(batch.pages.size(), 1U);
  ASSERT_EQ(batch.remarks.size(), 2U);
  EXPECT_EQ(batch.remarks[0].issue, PageIssue::kTooLarge);
  EXPECT_EQ(batch.remarks[0].where, "line 3");
  EXPECT_EQ(batch.remarks[1].issue, PageIssue::kMalformedJson);
  EXPECT_TRUE(batch.remarks[1].where.starts_with("line 2: ")) << batch.remarks[1].where;
}

TEST(JsonPagesSource, TheDigestIsOfTheLine) {
  const auto one = read(page("A") + page("A")), other = read(page("B"));
  EXPECT_EQ(one.pages.at(0).head.content_digest, one.pages.at(1).head.content_digest);
  EXPECT_NE(one.pages.at(0).head.content_digest, other.pages.at(0).head.content_digest);
}

}  // namespace
}  // namespace touchstone::extractors::json_pages
