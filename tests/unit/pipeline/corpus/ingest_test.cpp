#include "pipeline/corpus/ingest.hpp"

#include "common/error.hpp"
#include "common/log.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"
#include "storage/records.hpp"
#include "tests/support/temporary_folder.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::corpus {
namespace {

using extractors::IncludedPage;
using extractors::PageIssue;
using extractors::PageLoader;
using extractors::PageSource;
using extractors::RawBatch;
using extractors::SourceBatch;
using extractors::SourcePage;
using storage::Family;

/// A page of one paragraph.
SourcePage page(std::uint32_t id, std::string title, std::uint64_t revision = 0, std::string text = "text") {
  SourcePage made;
  made.head.id = PageId{id};
  made.head.title.text = std::move(title);
  made.head.revision = RevisionId{revision};
  made.head.text_bytes = static_cast<std::uint32_t>(text.size());
  made.document.emplace().sections.resize(1);
  made.document->blocks.emplace_back().content.text = std::move(text);
  return made;
}

/// A file of the fake source: its batches, and what its pages include.
struct FakeFile {
  std::vector<SourceBatch> batches;
  std::string db_name;  ///< empty: no site of its own
  std::vector<IncludedPage> included;
};

/// Gives one batch after the other; the offset of a batch is the number of batches up to its end.
class FakeSource : public PageSource {
 public:
  explicit FakeSource(const FakeFile& file, std::function<void(std::size_t)> on_batch)
      : file_(file), on_batch_(std::move(on_batch)) {}

  std::optional<extractors::site::SiteInfo> site_info() override {
    if (file_.db_name.empty()) return std::nullopt;
    auto site = extractors::site::SiteInfo::make_default("en");
    site.db_name = file_.db_name;
    return site;
  }
  void skip_to(std::uint64_t offset, PageId) override { next_ = offset; }
  std::optional<RawBatch> next() override {
    on_batch_(next_);
    if (next_ == file_.batches.size()) return std::nullopt;
    RawBatch batch;
    batch.records.push_back({0, 0, next_});
    batch.end_offset = ++next_;
    return batch;
  }
  SourceBatch read(RawBatch batch) const override { return file_.batches.at(batch.records.at(0).place); }
  std::vector<IncludedPage> included_pages(const RawBatch& batch) const override {
    return batch.records.at(0).place == 0 ? file_.included : std::vector<IncludedPage>{};
  }
  const std::string& name() const noexcept override { return name_; }
  std::uint64_t raw_offset() const noexcept override { return next_; }
  std::string raw_sha256() override { return "digest"; }

 private:
  const FakeFile& file_;
  std::function<void(std::size_t)> on_batch_;
  std::size_t next_ = 0;
  std::string name_ = "fake.file";
};

class FakeFiles : public PageFiles {
 public:
  std::vector<FakeFile> files;
  bool twice = false;
  std::function<void(std::size_t)> on_batch = [](std::size_t) {};
  mutable std::vector<PageId> opened_after;   ///< before_first of each open()
  mutable std::optional<std::string> loaded;  ///< text of Template:T when the last file was opened

  std::size_t count() const override { return files.size(); }
  std::string name(std::size_t file) const override { return "file " + std::to_string(file); }
  std::uint64_t bytes(std::size_t) const override { return 100; }
  bool read_twice() const override { return twice; }
  std::unique_ptr<PageSource> open(std::size_t file, PageId before_first, const PageLoader& included) const override {
    opened_after.push_back(before_first);
    loaded = included.load({kNamespaceTemplate, "T"});
    return std::make_unique<FakeSource>(files.at(file), on_batch);
  }
  extractors::site::SiteInfo fallback_site(std::string_view /*language*/) const override {
    auto site = extractors::site::SiteInfo::make_default("de");
    site.site_name = "Fallback";
    return site;
  }
  std::string_view noun() const override { return "fake"; }
  std::string_view remedy() const override { return "make another one"; }
};

class IngestTest : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder;
  std::unique_ptr<storage::Store> store = storage::Store::open(folder / "store", storage::Access::kReadWrite);
  FakeFiles fake;
  IngestOptions options;
  LanguageOptions language;
  PreviousOptions previous;
  int threads = 1;
  std::uint64_t run_bytes = 1 << 20;
  StopFlag stop;

  void SetUp() override { configure_log(LogLevel::kError, LogFormat::kText); }

  flow::StageReport read() {
    ProgressCounters progress;
    const IngestWork work{fake, options, language, previous, stop, progress, threads, run_bytes};
    std::filesystem::create_directories(folder / "parts");
    collect_included_pages(work, *store);
    read_pages(work, {0, fake.count()}, *store, flow::PartWriter(folder / "parts", 0));
    return add_pages(work, {{0, fake.count()}}, flow::Parts({folder / "parts"}), *store);
  }
  std::optional<storage::PageRecord> stored(std::uint32_t id) const {
    std::string bytes;
    if (!store->get(Family::kPage, storage::page_key(PageId{id}), bytes)) return std::nullopt;
    return storage::decode_page(bytes);
  }
  std::map<std::string, std::string> everything() const {
    std::map<std::string, std::string> all;
    for (const auto family : {Family::kPage, Family::kTitle, Family::kOutline, Family::kParagraph, Family::kTable,
                              Family::kLink, Family::kAttribute}) {
      for (auto cursor = store->cursor(family); cursor.valid(); cursor.next())
        all[std::string(to_string(family)) + std::string(cursor.key())] = cursor.value();
    }
    return all;
  }
  std::string message() {
    try {
      read();
    } catch (const FormatError& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(IngestTest, PagesOfAllBatchesAndFilesAreInTheStore) {
  fake.files = {{{{{page(1, "A"), page(2, "B")}, {}}, {{page(3, "C")}, {}}}, "", {}}, {{{{page(9, "D")}, {}}}, "", {}}};
  const auto report = read();
  EXPECT_EQ(report.counts.at("pages"), 4U);
  EXPECT_EQ(report.counts.at("paragraphs"), 4U);
  EXPECT_EQ(stored(3)->title.text, "C");
  EXPECT_EQ(stored(9)->content, storage::PageContent::kRead);
  EXPECT_EQ(fake.opened_after, (std::vector<PageId>{PageId{0}, PageId{3}}));
}

TEST_F(IngestTest, FilesWithoutASiteGetThatOfTheirKind) {
  fake.files = {{{{{page(1, "A")}, {}}}, "", {}}};
  read();
  std::string json;
  ASSERT_TRUE(store->get(Family::kMeta, storage::kMetaSite, json));
  EXPECT_EQ(extractors::site::SiteInfo::from_json(json).site_name, "Fallback");
}

TEST_F(IngestTest, FilesOfTwoSitesDoNotMix) {
  fake.files = {{{{{page(1, "A")}, {}}}, "one", {}}, {{{{page(2, "B")}, {}}}, "two", {}}};
  EXPECT_NE(message().find("\"two\""), std::string::npos);
}

TEST_F(IngestTest, OfTwoCopiesTheHigherRevisionCountsAndTheLaterOfEqualOnes) {
  fake.files = {{{{{page(1, "A", 5, "old"), page(2, "B", 5), page(1, "A new", 7, "new")}, {}},
                  {{page(2, "B older", 4), page(3, "C", 1)}, {}},
                  {{page(3, "C again", 1)}, {}}},
                 "",
                 {}}};
  const auto report = read();
  EXPECT_EQ(stored(1)->title.text, "A new");
  EXPECT_EQ(stored(2)->title.text, "B");
  EXPECT_EQ(stored(3)->title.text, "C again");
  EXPECT_EQ(report.rejected.at("older copy of a page that is there already"), 1U);
  EXPECT_EQ(report.counts.at("replaced by a newer revision"), 2U);
  EXPECT_EQ(report.counts.at("pages"), 3U) << "a page that comes twice is one page";
  std::string id;
  EXPECT_FALSE(store->get(Family::kTitle, storage::title_key(0, "A"), id)) << "the old title is gone";
}

TEST_F(IngestTest, AStoppedReadGoesOnWithTheSameResultAtAnyNumberOfThreads) {
  FakeFile file;
  for (std::uint32_t i = 1; i <= 50; ++i) {
    file.batches.push_back({{page(i, "Page " + std::to_string(i)), page(100 + i, "Other " + std::to_string(i))},
                            {{PageIssue::kLimitsHit, "batch " + std::to_string(i), ""}}});
  }
  fake.files = {file, file};
  for (auto& batch : fake.files[1].batches) {
    for (auto& entry : batch.pages) entry.head.id.value += 1000;
  }
  const auto whole = read();
  const auto expected = everything();
  for (const std::size_t at : {0U, 7U, 31U}) {
    store.reset();
    std::filesystem::remove_all(folder / "store");
    store = storage::Store::open(folder / "store", storage::Access::kReadWrite);
    std::filesystem::remove_all(folder / "parts");
    threads = 4;
    options.slots = 3;
    fake.on_batch = [&](std::size_t batch) {
      if (batch == at) stop.request();
    };
    EXPECT_THROW(read(), Interrupted);
    EXPECT_LT(everything().size(), expected.size());
    std::destroy_at(&stop);
    std::construct_at(&stop);
    fake.on_batch = [](std::size_t) {};
    const auto report = read();
    EXPECT_EQ(everything(), expected) << at;
    EXPECT_EQ(report.counts, whole.counts);
    EXPECT_EQ(report.rejected, whole.rejected);
    EXPECT_EQ(report.samples, whole.samples);
  }
}

TEST_F(IngestTest, RunsOfAnySizeGiveTheSameStore) {
  fake.files = {{{{{page(5, "A", 5), page(2, "B", 5, "old")}, {}},
                  {{page(9, "C", 1), page(5, "A older", 4)}, {}},
                  {{page(2, "B new", 6, "new"), page(12, "D", 1)}, {}},
                  {{page(9, "C new", 2)}, {}}},
                 "",
                 {}}};
  const auto whole = read();
  const auto expected = everything();
  EXPECT_EQ(whole.counts.at("pages"), 4U);
  EXPECT_EQ(stored(2)->title.text, "B new");
  store = storage::Store::open(folder / "other", storage::Access::kReadWrite);
  std::filesystem::remove_all(folder / "parts");
  run_bytes = 1;
  const auto report = read();
  EXPECT_TRUE(std::filesystem::exists(folder / "parts" / "00000.00003.run"));
  EXPECT_EQ(everything(), expected);
  EXPECT_EQ(report.counts, whole.counts);
  EXPECT_EQ(report.samples, whole.samples);
  EXPECT_EQ(read().counts, whole.counts) << "the runs are added once more, as after a kill";
  EXPECT_EQ(everything(), expected);
}

// A damaged file ends the reading as a kill does: without finishing the run.
TEST_F(IngestTest, AKilledReadGoesOnAtItsLastRun) {
  FakeFile file;
  for (std::uint32_t i = 1; i <= 9; ++i) file.batches.push_back({{page(i, "Page " + std::to_string(i))}, {}});
  fake.files = {file};
  run_bytes = 1;
  fake.on_batch = [](std::size_t batch) {
    if (batch == 6) throw FormatError("damaged");
  };
  options.slots = 1;
  EXPECT_THROW(read(), FormatError);
  std::vector<std::size_t> batches;
  fake.on_batch = [&](std::size_t batch) { batches.push_back(batch); };
  EXPECT_EQ(read().counts.at("pages"), 9U);
  EXPECT_EQ(batches, (std::vector<std::size_t>{6, 7, 8, 9}));
  EXPECT_TRUE(stored(1));
  EXPECT_TRUE(stored(9));
}

TEST_F(IngestTest, WhatAnIssueMeansIsDecidedByItsSeverity) {
  options.max_reject_ratio = 0.5;
  fake.files = {{{{{page(1, "A"), page(2, "B"), page(3, "C")},
                   {{PageIssue::kMalformedXml, "at byte 7", ""},
                    {PageIssue::kMalformedXml, "at byte 9", ""},
                    {PageIssue::kOtherModel, "A.css", "css"},
                    {PageIssue::kLimitsHit, "B", ""}}}},
                 "",
                 {}}};
  const auto report = read();
  EXPECT_EQ(report.rejected.at("malformed XML"), 2U);
  EXPECT_EQ(report.rejected.at("kept by title only: content model css"), 1U);
  EXPECT_EQ(report.warnings, std::vector<std::string>{"2 pages left out: malformed XML (first: at byte 7)"});
  EXPECT_EQ(report.severities.at("malformed XML"), RejectSeverity::kLeftOut);
  EXPECT_EQ(report.severities.at("kept by title only: content model css"), RejectSeverity::kKept);
}

TEST_F(IngestTest, TooManyUnusablePagesAreAnError) {
  fake.files = {
      {{{{page(1, "A")}, {{PageIssue::kBadLink, "line 2", ""}, {PageIssue::kBadLink, "line 3", ""}}}}, "", {}}};
  EXPECT_EQ(message(),
            "2 of 3 pages could not be used (2 pages left out: bad link (first: line 2)): make another one, or raise "
            "ingest.max_reject_ratio");
}

TEST_F(IngestTest, AReadThatFindsOnlyOneUnusablePageIsAnError) {
  fake.files = {{{{{}, {{PageIssue::kMalformedJson, "line 1: not an object", ""}}}}, "", {}}};
  EXPECT_EQ(message(),
            "no page of the fake could be used (1 pages left out: malformed JSON (first: line 1: not an object)): make "
            "another one");
}

TEST_F(IngestTest, FilesOfOtherFormatsBesidePagesAreNoPagesThatCouldNotBeUsed) {
  fake.files = {
      {{{{page(1, "A")},
         {{PageIssue::kOtherFormat, "b.pdf: is a PDF", ""}, {PageIssue::kOtherFormat, "c.pdf: is a PDF", ""}}}},
       "",
       {}}};
  const auto report = read();
  EXPECT_EQ(report.rejected.at("file of a format that is not read"), 2U);
  EXPECT_EQ(report.warnings,
            std::vector<std::string>{"2 files were not read, because of their format (first: b.pdf: is a PDF)"});
}

TEST_F(IngestTest, KeptPagesAreNeverTooMany) {
  fake.files = {{{{{page(1, "A")}, {{PageIssue::kLimitsHit, "A", ""}, {PageIssue::kLimitsHit, "A", ""}}}}, "", {}}};
  EXPECT_NO_THROW(read());
}

TEST_F(IngestTest, AWrongChecksumFailsUnlessItIsAccepted) {
  fake.files = {{{{{page(1, "A")}, {{PageIssue::kChecksumMismatch, "page 1 \"A\"", ""}}}}, "", {}}};
  EXPECT_NE(message().find("does not match the SHA-1"), std::string::npos);
  options.checksum = ChecksumPolicy::kWarn;
  EXPECT_EQ(read().warnings.size(), 1U);
}

TEST_F(IngestTest, FilesWithoutPagesAreAnError) {
  fake.files = {{{}, "", {}}};
  EXPECT_EQ(message(), "the fake holds no pages; is it complete?");
}

TEST_F(IngestTest, IncludedPagesAreCollectedBeforeAnyPageIsRead) {
  fake.twice = true;
  fake.files = {{{{{page(1, "A")}, {}}}, "", {}},
                {{{{page(2, "B")}, {}}}, "", {{{kNamespaceTemplate, "T"}, "shown"}, {{0, "B"}, std::nullopt}}}};
  const auto report = read();
  EXPECT_EQ(fake.opened_after.size(), 4U) << "each file is opened twice";
  EXPECT_EQ(fake.loaded, "shown");
  EXPECT_EQ(report.counts.at("template pages"), 1U);
  EXPECT_EQ(report.counts.at("pages"), 2U);
}

}  // namespace
}  // namespace touchstone::pipeline::corpus
