#include "pipeline/forecast/wiki_sample.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cstdlib>
#include <regex>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace touchstone::pipeline::forecast {
namespace {

std::size_t count(std::string_view text, std::string_view word) {
  std::size_t found = 0;
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size())) ++found;
  return found;
}

class WikiSampleTest : public ::testing::Test {
 protected:
  /// A dump of `pages` pages of about 1 KB.
  std::filesystem::path dump(std::size_t pages) {
    std::string text = "<mediawiki xml:lang=\"en\">\n  <siteinfo><dbname>test</dbname></siteinfo>\n";
    for (std::size_t i = 1; i <= pages; ++i)
      text += "  <page>\n<title>P" + std::to_string(i) + "</title>" + std::string(1000, 'x') + "</page>\n";
    write_file_atomically(folder_ / "simplewiki-20250101.xml", text + "</mediawiki>\n");
    return folder_ / "simplewiki-20250101.xml";
  }
  WikiSample sample(const std::filesystem::path& file, std::uint64_t bytes) {
    return sample_wiki({{file, "dump"}}, bytes, folder_.path(), StopFlag());
  }

  testing::TemporaryFolder folder_;
};

TEST_F(WikiSampleTest, HasTheHeadAndWholePagesFromAllOverTheDump) {
  const auto taken = sample(dump(4000), 400'000);
  EXPECT_FALSE(taken.is_all);
  EXPECT_NEAR(taken.of_all, 0.1, 0.01);
  EXPECT_NEAR(static_cast<double>(taken.bytes), 400'000, 10'000);
  EXPECT_EQ(taken.sources.at(0).path.filename(), "simplewiki-20250101.xml") << "the name holds the day of the dump";
  const auto text = read_file(taken.sources.at(0).path);
  EXPECT_TRUE(text.starts_with("<mediawiki xml:lang=\"en\">\n  <siteinfo>")) << text.substr(0, 100);
  EXPECT_TRUE(text.ends_with("</page>\n</mediawiki>\n"));
  EXPECT_EQ(count(text, "<page>"), count(text, "</page>"));
  EXPECT_EQ(count(text, "<title>P1</title>"), 1U);
  const std::regex late("<title>P3[5-9][0-9][0-9]</title>");
  EXPECT_TRUE(std::regex_search(text, late));
}

TEST_F(WikiSampleTest, ASmallDumpIsItsOwnSample) {
  const auto file = dump(20);
  const auto taken = sample(file, 400'000);
  EXPECT_TRUE(taken.is_all);
  EXPECT_EQ(taken.sources.at(0).path, file);
}

TEST_F(WikiSampleTest, OfACompressedDumpItIsToldHowMuchOfTheTextItIs) {
  const auto file = dump(4000);
  for (const std::string command : {"gzip", "bzip2"}) {
    const auto packed = folder_ / ("packed." + command);
    ASSERT_EQ(std::system((command + " -c '" + file.string() + "' > '" + packed.string() + "'").c_str()), 0);
    const auto taken = sample(packed, 400'000);
    const auto whole = static_cast<double>(std::filesystem::file_size(file));
    if (taken.is_all) continue;  // so small when packed that one read takes it all
    EXPECT_NEAR(static_cast<double>(taken.bytes) / taken.of_all, whole, 0.3 * whole) << command;
  }
}

TEST_F(WikiSampleTest, OfLinesOfJsonItIsWholeLinesFromAllOverTheFile) {
  std::string text;
  for (int i = 1; i <= 4000; ++i) text += "{\"title\": \"P" + std::to_string(i) + std::string(1000, 'x') + "\"}\n";
  write_file_atomically(folder_ / "pages.jsonl", text);
  const auto taken = sample_wiki({{folder_ / "pages.jsonl", "pages"}}, 400'000, folder_.path(), StopFlag());
  EXPECT_FALSE(taken.is_all);
  EXPECT_NEAR(taken.of_all, 0.1, 0.01);
  const auto lines = read_file(taken.sources.at(0).path);
  EXPECT_TRUE(lines.starts_with("{\"title\": \"P1x"));
  EXPECT_TRUE(lines.ends_with("x\"}\n"));
  EXPECT_EQ(count(lines, "\n"), count(lines, "{\"title\"")) << "no line is cut";
  EXPECT_NE(lines.find("\"P35"), std::string::npos);
}

TEST_F(WikiSampleTest, OfBooksItIsAllAndAPipeHasNone) {
  write_file_atomically(folder_ / "book.html", "<html>" + std::string(1'000'000, 'x'));
  EXPECT_TRUE(sample_wiki({{folder_ / "book.html", "pages"}}, 10, folder_.path(), StopFlag()).is_all);
  EXPECT_TRUE(sample_wiki({{folder_.path(), "pages"}}, 10, folder_.path(), StopFlag()).is_all);
  EXPECT_THROW(sample("-", 10), ConfigError);
}

}  // namespace
}  // namespace touchstone::pipeline::forecast
