#include "extractors/dump/dump_reader.hpp"
#include "tests/support/dump_text.hpp"
#include "tests/support/memory_source.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::dump {
namespace {

using testing::dump_xml;
using testing::MemorySource;
using testing::simple_page;

/// What is read of a dump when damage is skipped.
struct Rest {
  std::vector<std::string> titles, lost;
  friend bool operator==(const Rest&, const Rest&) = default;
};

Rest rest_of(const std::string& xml, std::size_t piece, std::size_t batch_bytes = 500) {
  DumpReaderOptions options;
  options.skip_damage = true;
  options.batch_bytes = batch_bytes;
  options.read_bytes = piece;
  DumpReader reader(std::make_unique<MemorySource>(xml, std::vector{piece}), options);
  Rest rest;
  std::uint64_t end = 0;
  while (const auto batch = reader.next()) {
    for (const auto& extent : batch->records) {
      const auto page = parse_page(std::string_view(batch->bytes).substr(extent.begin, extent.size));
      EXPECT_TRUE(page);
      rest.titles.push_back(page->title);
    }
    for (const auto& remark : batch->remarks) {
      EXPECT_EQ(remark.issue, PageIssue::kLostAtPlace);
      rest.lost.push_back(remark.where);
    }
    EXPECT_GE(batch->end_offset, end);
    end = batch->end_offset;
  }
  return rest;
}

TEST(DumpReaderDamage, SkipsPagesWithZeroBytesAlone) {
  std::string pages;
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (unsigned i = 1; i <= 5; ++i) {
    const auto page = simple_page(i, "P" + std::to_string(i), "text");
    places.emplace_back(pages.size(), pages.size() + page.size());
    pages += page;
  }
  const auto head = dump_xml("").find("</mediawiki>");
  const auto xml = dump_xml(pages);
  for (std::size_t at = 0; at < pages.size(); ++at) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{300}}) {
      const auto end = std::min(at + size, pages.size());
      auto damaged = xml;
      damaged.replace(head + at, end - at, end - at, '\0');
      const auto rest = rest_of(damaged, 1 << 20);
      ASSERT_EQ(rest_of(damaged, 64, 1), rest) << at;
      ASSERT_EQ(rest.lost.size(), 1U) << at;
      std::vector<std::string> touched, missing;
      for (unsigned i = 0; i < places.size(); ++i) {
        const auto title = "P" + std::to_string(i + 1);
        // White space around a page is part of it here.
        if (places[i].first < end && at < places[i].second) touched.push_back(title);
        if (std::count(rest.titles.begin(), rest.titles.end(), title) == 0) missing.push_back(title);
      }
      ASSERT_TRUE(std::includes(touched.begin(), touched.end(), missing.begin(), missing.end())) << at;
    }
  }
}

TEST(DumpReaderDamage, SkipsWhatIsMissingAtTheEnd) {
  const auto xml = dump_xml(simple_page(1, "A", "text") + simple_page(2, "B", "text"));
  const auto behind_a = xml.find("</page>") + 7, behind_b = xml.rfind("</page>") + 7;
  EXPECT_EQ(rest_of(xml, 100), (Rest{{"A", "B"}, {}}));
  for (std::size_t size = behind_a; size < xml.find("</mediawiki>"); ++size) {
    const Rest expected{size < behind_b ? std::vector<std::string>{"A"} : std::vector<std::string>{"A", "B"},
                        {std::string("at the end, behind \"") + (size < behind_b ? "A" : "B") + "\""}};
    EXPECT_EQ(rest_of(xml.substr(0, size), 100), expected) << size;
  }
}

TEST(DumpReaderDamage, NamesThePagesThatAreLostWhereTheirIndexTells) {
  auto xml = dump_xml(simple_page(1, "A", "text") + simple_page(2, "B", "text") + simple_page(3, "C", "text"));
  xml[xml.find("<title>B")] = '\0';
  DumpReaderOptions options;
  options.skip_damage = true;
  options.lost = [](PageId before, PageId next) {
    EXPECT_EQ(before.value, 1U);
    EXPECT_EQ(next.value, 3U);
    return std::vector<std::string>{"page 2", "page 9"};
  };
  DumpReader reader(std::make_unique<MemorySource>(xml), options);
  const auto batch = reader.next();
  ASSERT_TRUE(batch);
  ASSERT_EQ(batch->remarks.size(), 2U);
  EXPECT_EQ(batch->remarks[1].where, "page 9");
  EXPECT_EQ(batch->remarks[1].issue, PageIssue::kLostToDamage);
}

}  // namespace
}  // namespace touchstone::extractors::dump
