#include "collection/automatic/automatic_writer.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/car/record_file.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"
#include "tests/unit/collection/automatic/sample_page.hpp"
#include "tests/unit/collection/evidence/sample_collection.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::automatic {
namespace {

namespace fs = std::filesystem;
namespace car = formats::car;
using touchstone::collection::evidence::testing::read_text;
using touchstone::testing::message_of;
using touchstone::testing::TemporaryFolder;
using touchstone::testing::write_text;

AutomaticInfo sample_info() {
  AutomaticInfo info;
  info.name = "sample";
  info.wiki = "enwiki";
  info.language = "en";
  info.license = "CC-BY-SA-4.0";
  info.program_version = "0";
  info.manifest_json = "{}";
  info.folds = 2;
  return info;
}

/// Two query pages, one page of the knowledge base, and their passages.
class Sample {
 public:
  AutomaticNumbers write(const fs::path& folder, bool finish = true) const {
    AutomaticWriter writer(folder, sample_info());
    add(writer, sprawl_, true, 1);
    add(writer, other_, false, 0);
    writer.add_knowledge_page(encode_page(testing::page("City", {testing::para("k1")})));
    for (const char* id : {"p3", "a1", "k1"})
      writer.add_passage(encode_passage(std::get<car::Paragraph>(testing::para(id).element), {}, ""));
    return finish ? writer.finish() : AutomaticNumbers{};
  }

 private:
  static void add(AutomaticWriter& writer, const car::Page& page, bool test, std::uint32_t fold) {
    const auto derivation = derive(page);
    writer.add(encode_query_page({&page, &derivation, test, fold, [&](const std::vector<std::string>& headings) {
                                    std::string text = page.name;
                                    for (const auto& heading : headings) text += " " + heading;
                                    return text;
                                  }}));
  }

  car::Page sprawl_ = testing::urban_sprawl();
  car::Page other_ = testing::page("AC/DC", {testing::para("a1"), testing::section("A/B", {testing::para("a2")}),
                                             testing::section("A", {testing::section("B", {testing::para("a3")})})});
};

std::map<std::string, std::string> files_of(const fs::path& root) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_regular_file()) files[entry.path().lexically_relative(root).string()] = read_file(entry.path());
  }
  return files;
}

TEST(AutomaticWriter, CountsWhatItWrites) {
  const TemporaryFolder folder;
  const auto numbers = Sample().write(folder / "c");
  EXPECT_EQ(numbers.passages, 3U);
  EXPECT_EQ(numbers.knowledge_pages, 1U);
  EXPECT_EQ(numbers.shared_car_ids, 1U) << "the heading A/B, and B below A";
  const auto& test = numbers.parts.at("test");
  EXPECT_EQ(test.pages, 1U);
  EXPECT_EQ(test.facets, 5U);
  EXPECT_EQ(test.toplevel_facets, 3U);
  EXPECT_EQ(test.passages.at(static_cast<std::size_t>(QrelsLevel::kHierarchical)), 7U);
  EXPECT_EQ(numbers.parts.at("fold-1-test").pages, 1U);
  EXPECT_EQ(numbers.parts.at("fold-0-test").pages, 0U);
  EXPECT_EQ(numbers.parts.at("fold-0-train").facets, 3U);
}

TEST(AutomaticWriter, EveryFileIsInTheDigestsAndEqualCallsGiveEqualBytes) {
  const TemporaryFolder folder;
  Sample().write(folder / "a");
  Sample().write(folder / "b");
  const auto files = files_of(folder / "a");
  EXPECT_EQ(files, files_of(folder / "b"));
  std::set<std::string> listed{"sha256sums.txt"};
  for_each_line(folder / "a" / "sha256sums.txt", [&](std::string_view line, std::uint64_t) {
    const std::string name(line.substr(66));
    listed.insert(name);
    EXPECT_EQ(line.substr(0, 64), sha256_file(folder / "a" / name)) << name;
    return true;
  });
  for (const auto& [name, bytes] : files) EXPECT_TRUE(listed.contains(name)) << name;
  EXPECT_EQ(listed.size(), files.size());
  const auto manifest = nlohmann::json::parse(files.at("manifest.json"));
  EXPECT_EQ(manifest.at("numbers").at("passages"), 3);
}

TEST(AutomaticWriter, PagesStandInTheFilesOfTheirSplitAndFold) {
  const TemporaryFolder folder;
  Sample().write(folder / "c");
  const auto names = [&](const char* file) {
    std::vector<std::string> found;
    formats::car::for_each_page(folder / "c" / file, [&](const car::Page& page) { found.push_back(page.name); });
    return found;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names("test.pages.cbor"), Names{"Urban sprawl"});
  EXPECT_EQ(names("train.pages.cbor"), Names{"AC/DC"});
  EXPECT_EQ(names("fold-0-train.pages.cbor"), Names{"AC/DC"});
  EXPECT_EQ(names("fold-1-test.pages.cbor"), Names{"Urban sprawl"});
  EXPECT_EQ(names("fold-0-test.pages.cbor"), Names{});
  EXPECT_EQ(names("allButBenchmark.pages.cbor"), Names{"City"});
  EXPECT_EQ(names("test.pages.cbor-outlines.cbor"), Names{"Urban sprawl"});
}

TEST(AutomaticWriter, FilesOutsideOfCarHaveUnambiguousIds) {
  const TemporaryFolder folder;
  Sample().write(folder / "c");
  EXPECT_EQ(read_text(folder / "c" / "train.pages.cbor-hierarchical.qrels"),
            "enwiki:AC/DC 0 a1 1\nenwiki:AC/DC/A/B 0 a2 1\nenwiki:AC/DC/A/B 0 a3 1\n");
  EXPECT_EQ(read_text(folder / "c" / "trec" / "train.hierarchical.qrels"),
            "enwiki:AC%2FDC 0 a1 1\nenwiki:AC%2FDC/A%2FB 0 a2 1\nenwiki:AC%2FDC/A/B 0 a3 1\n");
}

TEST(AutomaticWriter, WithoutFinishAnOlderDirectoryStays) {
  const TemporaryFolder folder;
  Sample().write(folder / "c");
  const auto before = files_of(folder / "c");
  Sample().write(folder / "c", false);
  EXPECT_EQ(files_of(folder / "c"), before);
  Sample().write(folder / "c");
  EXPECT_EQ(files_of(folder / "c"), before) << "and the next one replaces it";
}

TEST(AutomaticWriter, AFolderOfSomeoneElseIsNotReplaced) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "c");
  write_text(folder / "c" / "letter.txt", "mine");
  const auto message = message_of<Error>([&] { Sample().write(folder / "c"); });
  EXPECT_NE(message.find((folder / "c").string()), std::string::npos) << message;
  EXPECT_EQ(read_text(folder / "c" / "letter.txt"), "mine");
}

TEST(AutomaticWriter, AnIdThatBreaksReadersIsRefused) {
  const TemporaryFolder folder;
  auto page = testing::page("A", {testing::para("p 1")});
  const auto derivation = derive(page);
  AutomaticWriter writer(folder / "c", sample_info());
  const auto message = message_of<FormatError>([&] {
    writer.add(encode_query_page({&page, &derivation, false, 0, [](const auto&) { return std::string("A"); }}));
  });
  EXPECT_NE(message.find("\"p 1\" of page \"A\" holds white space"), std::string::npos) << message;
}

}  // namespace
}  // namespace touchstone::collection::automatic
