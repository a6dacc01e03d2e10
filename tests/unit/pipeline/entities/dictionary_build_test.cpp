#include "pipeline/entities/dictionary_build.hpp"

#include "common/files.hpp"
#include "linking/linker.hpp"
#include "linking/phrases.hpp"
#include "pipeline/entities/linker_accuracy.hpp"
#include "pipeline/entities/page_annotations.hpp"
#include "tests/support/stage_fixture.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::entities {
namespace {

using linking::Dictionary;
using linking::LinkerOptions;
using testing::simple_page;

class DictionaryBuildTest : public testing::StageFixture {
 protected:
  DictionarySettings settings;
  int made = 0;

  std::unique_ptr<Dictionary> make() {
    settings.file = folder / ("d" + std::to_string(++made));
    settings.scratch = folder.path();
    settings.wiki = "tinywiki";
    build_dictionary(LinkedPages(*store), settings, stop);
    return std::make_unique<Dictionary>(settings.file);
  }

  /// "Title:pages Title:pages, linked/pages" of a phrase; empty if it is not an anchor.
  static std::string shown(const Dictionary& dictionary, const std::string& phrase) {
    const auto found = dictionary.find(linking::phrase_of(phrase).number).anchor;
    if (!found) return "";
    std::string text;
    for (const auto& meaning : found->meanings)
      text += std::string(dictionary.title(meaning.entity)) + ":" + std::to_string(meaning.pages) + " ";
    return text + std::to_string(found->linked_pages) + "/" + std::to_string(found->pages);
  }

  void fill_with_lights() {
    fill_from_dump(
        simple_page(1, "Amber Light", "The amber light stands on [[Ostra]].") +
        simple_page(2, "Ostra", "[[Amber Light|The light]] of Ostra. The light is red. See [[Basil (light)|Basil]].") +
        simple_page(3, "Basil (light)",
                    "Basil is a light near the [[Amber Light|amber light]] and the [[old amber]].") +
        simple_page(4, "Old amber", "#REDIRECT [[Amber Light]]", "Amber Light") +
        simple_page(5, "Mercury", "{{disambig}} [[Amber Light]]") +
        simple_page(6, "Empty sea", "The light of amber. Basil and Ostra are far. [[Nowhere]]"));
  }
};

TEST_F(DictionaryBuildTest, CountsPagesWithALinkAndPagesWithThePhrase) {
  fill_with_lights();
  const auto dictionary = make();
  // The title counts as one page, with and without link; on the page itself its name does not count.
  EXPECT_EQ(shown(*dictionary, "amber light"), "Amber Light:2 2/2");
  EXPECT_EQ(shown(*dictionary, "old amber"), "Amber Light:2 2/2");
  EXPECT_EQ(shown(*dictionary, "the light"), "Amber Light:1 1/2");
  EXPECT_EQ(shown(*dictionary, "basil"), "Basil (light):2 2/3");
  EXPECT_EQ(shown(*dictionary, "ostra"), "Ostra:2 2/3");
  EXPECT_EQ(shown(*dictionary, "nowhere"), "");
  EXPECT_EQ(shown(*dictionary, "light"), "");
}

TEST_F(DictionaryBuildTest, EntitiesKnowThePagesThatLinkToThem) {
  fill_with_lights();
  const auto dictionary = make();
  std::map<std::string, std::size_t> sources;
  for (std::uint32_t i = 0; i < dictionary->entities(); ++i)
    sources[std::string(dictionary->title(i))] = dictionary->sources(i).size();
  EXPECT_EQ(sources, (std::map<std::string, std::size_t>{
                         {"Amber Light", 2}, {"Ostra", 1}, {"Basil (light)", 1}, {"Empty sea", 0}}));
}

TEST_F(DictionaryBuildTest, LinksOfPagesThatAreLeftOutAreNotInIt) {
  fill_with_lights();
  settings.left_out = [](PageId page) { return page.value == 2; };
  const auto dictionary = make();
  EXPECT_EQ(shown(*dictionary, "the light"), "");
  EXPECT_EQ(shown(*dictionary, "basil"), "Basil (light):1 1/2");
  EXPECT_EQ(dictionary->source_pages(), 3U);
  EXPECT_EQ(dictionary->fact("left_out"), "1");
}

TEST_F(DictionaryBuildTest, TheTermsOfABookAreEntitiesWhereverTheyStand) {
  fill_with_lights();
  settings.terms = true;
  const auto dictionary = make();
  EXPECT_EQ(shown(*dictionary, "nowhere"), "Nowhere:2 2/2");
}

TEST_F(DictionaryBuildTest, ThreadsDoNotShowInTheBytes) {
  fill_with_lights();
  settings.threads = 1;
  make();
  const auto expected = read_file(settings.file);
  settings.threads = 3;
  make();
  EXPECT_EQ(read_file(settings.file), expected);
}

TEST_F(DictionaryBuildTest, AWikiWithoutLinksGivesADictionaryOfTitles) {
  fill_from_dump(simple_page(1, "Amber Light", "No links. Ostra.") + simple_page(2, "Ostra", "Amber light is near."));
  const auto dictionary = make();
  EXPECT_EQ(shown(*dictionary, "amber light"), "Amber Light:1 1/2");
}

TEST_F(DictionaryBuildTest, TheLinkerIsComparedWithTheLinksOfPagesThatAreLeftOut) {
  fill_with_lights();
  settings.left_out = [](PageId page) { return page.value == 3; };
  const auto dictionary = make();
  LinkerOptions options;
  options.min_score = 0;
  const auto compared = compare_with_pages(LinkedPages(*store), *dictionary, options, settings.left_out, 2, stop);
  EXPECT_EQ(compared.pages, 1U);
  EXPECT_EQ(compared.links, 2U);
  EXPECT_EQ(compared.reachable, 2U);  // titles and redirects are known
  ASSERT_EQ(compared.rows.size(), 2U);
  EXPECT_EQ(compared.rows[0].name, "voting");
  EXPECT_EQ(compared.rows[1].pages.mentions.right, 2U);
}

TEST_F(DictionaryBuildTest, AnnotationsAreLinesInTheOrderOfTheTexts) {
  fill_with_lights();
  const auto dictionary = make();
  const PageTextsSource source = [](const auto& take) {
    take({{"x-1-0", "x-1-1"}, {"Ostra and Basil and Ostra", "amber light"}});
  };
  LinkerOptions options;
  options.min_score = 0;
  std::string lines;
  const auto counts = annotate(source, *dictionary, options, 2, stop, [&](std::string_view line) { lines += line; });
  EXPECT_EQ(counts.spans, 4U);
  EXPECT_EQ(counts.entities, 3U);
  EXPECT_TRUE(lines.starts_with(
      R"({"docid":"x-1-0","title":"Ostra","spans":[[0,5],[20,25]],"probability":0.6667,"commonness":1.0000,)"))
      << lines;
  EXPECT_NE(lines.find(R"({"docid":"x-1-1","title":"Amber Light","spans":[[0,11]])"), std::string::npos) << lines;
}

}  // namespace
}  // namespace touchstone::pipeline::entities
