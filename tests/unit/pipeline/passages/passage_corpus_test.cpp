#include "pipeline/passages/passage_corpus.hpp"

#include "common/error.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/passages/passage_composer.hpp"
#include "pipeline/passages/stages.hpp"
#include "tests/support/stage_fixture.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::passages {
namespace {

using testing::simple_page;

class Corpus : public testing::StageFixture {
 protected:
  Corpus() {
    assignments = {"passages.min_words=0", "passages.max_link_share=1", "passages.max_number_share=1",
                   "passages.scope=all"};
  }

  PassageCorpus corpus(const std::string& wiki) {
    fill_from_dump(wiki);
    run(boilerplate_stage());
    run(passages_stage());
    return checked_passages(*store, paths, {});
  }
};

std::vector<std::string> texts(const std::vector<Passage>& passages) {
  std::vector<std::string> all;
  for (const auto& passage : passages) all.push_back(passage.text);
  return all;
}

TEST_F(Corpus, AnArticleIsReadByItsPage) {
  const auto passages =
      corpus(simple_page(2, "Amber", "It is near [[Old Basil|Basil]] and [[Nowhere]].\n\n== Later ==\nStill lit.") +
             simple_page(5, "Basil", "") + simple_page(6, "Old Basil", "#REDIRECT [[Basil]]", "Basil"));
  const auto amber = passages.article(PageId{2});
  ASSERT_TRUE(amber);
  EXPECT_EQ(amber->title, "Amber");
  EXPECT_EQ(texts(amber->passages), (std::vector<std::string>{"It is near Basil and Nowhere.", "Still lit."}));
  EXPECT_EQ(amber->passages[1].section_path, std::vector<std::string>{"Later"});
  ASSERT_EQ(amber->passages[0].links.size(), 2U);
  EXPECT_EQ(amber->passages[0].links[0].page, PageId{5}) << "redirects are followed";
  EXPECT_EQ(amber->passages[0].links[1].page, PageId{});
  EXPECT_TRUE(passages.article(PageId{5})) << "an article without text is an article";
  for (const std::uint32_t page : {1U, 3U, 6U, 7U}) EXPECT_FALSE(passages.article(PageId{page})) << page;
  EXPECT_EQ(passages.docid(PageId{2}, 1), "tinywiki-2-1");
}

TEST_F(Corpus, EveryPageIsFoundInManyBlocksAndParts) {
  std::string wiki;
  const auto text_of = [](std::uint32_t page) {
    std::string text = "Light " + std::to_string(page) + " stands";
    for (std::uint32_t i = 0; i < 200; ++i) text += " at " + std::to_string(page * i);
    return text + ".";
  };
  for (std::uint32_t page = 2; page < 800; page += 2)
    wiki += simple_page(page, "Light " + std::to_string(page), text_of(page));
  const auto passages = corpus(wiki);
  EXPECT_GT(passages.parts().size(), 1U);
  for (std::uint32_t step : {1U, 7U, 797U}) {  // in order, and not
    for (std::uint32_t i = 0; i < 800; ++i) {
      const auto page = i * step % 800;
      const auto found = texts(passages.passages(PageId{page}));
      if (page % 2 == 0 && page > 0)
        EXPECT_EQ(found, std::vector<std::string>{text_of(page)});
      else
        EXPECT_TRUE(found.empty());
    }
  }
  EXPECT_LT(passages.end_of_part(0), 800U);
  EXPECT_GT(passages.end_of_part(passages.parts().size() - 1), 800U);
}

TEST_F(Corpus, CopiesAreNoPartOfIt) {
  const auto passages = corpus(simple_page(2, "Amber", "The light is lit at night.\n\n== Later ==\nStill lit.") +
                               simple_page(3, "Basil", "The light is lit at night."));
  EXPECT_EQ(passages.passages(PageId{3}).size(), 1U);
  EXPECT_TRUE(passages.corpus_passages(PageId{3}).empty());
  EXPECT_EQ(passages.corpus_passages(PageId{2}).size(), 2U);
  EXPECT_EQ(passages.repeats().of({PageId{2}, 0}), (std::vector<PassagePlace>{{PageId{3}, 0}}));
}

TEST_F(Corpus, AWorkDirectoryWithoutPassagesSaysWhatToDo) {
  fill_from_dump(simple_page(2, "Amber", "Lit."));
  EXPECT_THROW(checked_passages(*store, paths, {}), StorageError);
}

TEST_F(Corpus, ThePartsDoNotDependOnTheNumberOfThreads) {
  std::string wiki;
  for (std::uint32_t page = 2; page < 400; ++page)
    wiki +=
        simple_page(page, "Light " + std::to_string(page), std::string(500, 'a') + " " + std::to_string(page) + ".");
  const auto bytes = [&](int count) {
    threads = count;
    const auto passages = corpus(wiki);
    std::string all = read_file(paths.file(kPassageIndexFile)) + read_file(paths.file(kRepeatsFile));
    for (const auto& part : passages.parts()) all += read_file(part);
    return all;
  };
  const auto one = bytes(1);
  open_store(folder / "other");
  EXPECT_TRUE(bytes(4) == one);
}

}  // namespace
}  // namespace touchstone::pipeline::passages
