#include "collection/automatic/benchmarks.hpp"
#include "collection/automatic/derivation.hpp"
#include "collection/automatic/judgments.hpp"
#include "tests/support/car_ids.hpp"
#include "tests/unit/collection/automatic/sample_page.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

// What holds for the judgments of every page, on pages at random.
namespace touchstone::collection::automatic {
namespace {

using namespace testing;  // NOLINT: builders of pages
using formats::trec::QrelRecord;

constexpr unsigned kPages = 300;

/// Pages with repeated and empty headings, repeated paragraphs, and links without a page id.
class RandomPages {
 public:
  explicit RandomPages(unsigned seed) : random_(seed) {}

  car::Page next() { return testing::page("Page " + std::to_string(below(5)), elements(0)); }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

  car::Skeleton paragraph() {
    std::vector<car::ParagraphBody> bodies;
    for (unsigned i = below(4); i > 0; --i) {
      if (below(2) == 0) {
        bodies.emplace_back(std::string("text ") + std::to_string(below(9)));
      } else {
        bodies.push_back(link(below(5) == 0 ? "" : "enwiki:E" + std::to_string(below(6))));
      }
    }
    return para("p" + std::to_string(below(30)), bodies);
  }

  std::vector<car::Skeleton> elements(int depth) {
    static const std::vector<std::string> kHeadings = {"", " ", "A", "B", "A/B", "50%", "a", "A B"};
    std::vector<car::Skeleton> made;
    for (unsigned i = below(6); i > 0; --i) {
      if (depth < 4 && below(2) == 0) {
        made.push_back(section(kHeadings[below(static_cast<unsigned>(kHeadings.size()))], elements(depth + 1)));
      } else {
        made.push_back(paragraph());
      }
    }
    return made;
  }

  std::mt19937 random_;
};

using Judged = std::set<std::pair<std::string, std::string>>;

Judged judged(const std::vector<QrelRecord>& qrels) {
  Judged all;
  for (const auto& qrel : qrels) all.emplace(qrel.topic, qrel.docid);
  return all;
}

/// Calls `check(page, derivation)` for many pages.
template <class Check>
void for_random_pages(const Check& check) {
  constexpr unsigned kSeed = 20250101;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  RandomPages pages(kSeed);
  for (unsigned i = 0; i < kPages; ++i) {
    const auto page = pages.next();
    check(page, derive(page));
  }
}

TEST(RandomPages, QrelsAreSortedAndHaveEachJudgmentOnce) {
  for_random_pages([](const car::Page&, const Derivation& derivation) {
    for (const auto& [name, level] : kQrelsLevels) {
      for (const auto& qrels : {passage_qrels(derivation, level), entity_qrels(derivation, level)}) {
        for (std::size_t i = 1; i < qrels.size(); ++i)
          ASSERT_LT(std::tie(qrels[i - 1].topic, qrels[i - 1].docid), std::tie(qrels[i].topic, qrels[i].docid));
      }
    }
  });
}

TEST(RandomPages, TheTreeIsTheUnionOverAllPrefixes) {
  for_random_pages([](const car::Page&, const Derivation& derivation) {
    for (const auto form : {IdForm::kCar, IdForm::kUnambiguous}) {
      Judged expected;
      for (const auto& passage : derivation.passages) {
        expected.emplace(form == IdForm::kCar ? derivation.topic.car_id : derivation.topic.id, passage.id);
        for (auto facet = passage.facet; facet != kNoFacet; facet = derivation.facets[facet].parent) {
          const auto& outer = derivation.facets[facet];
          expected.emplace(form == IdForm::kCar ? outer.car_id : outer.id, passage.id);
        }
      }
      ASSERT_EQ(judged(passage_qrels(derivation, QrelsLevel::kTree, form)), expected);
    }
  });
}

TEST(RandomPages, LevelsFollowFromHierarchicalJudgmentsWithUnambiguousIds) {
  for_random_pages([](const car::Page&, const Derivation& derivation) {
    const auto passages = passage_qrels(derivation, QrelsLevel::kHierarchical, IdForm::kUnambiguous);
    const auto entities = entity_qrels(derivation, QrelsLevel::kHierarchical, IdForm::kUnambiguous);
    for (const auto& [name, level] : kQrelsLevels) {
      ASSERT_EQ(judged(qrels_of_level(passages, level)),
                judged(passage_qrels(derivation, level, IdForm::kUnambiguous)));
      ASSERT_EQ(judged(qrels_of_level(entities, level)), judged(entity_qrels(derivation, level, IdForm::kUnambiguous)));
    }
  });
}

TEST(RandomPages, SupportPassagesMentionTheEntityAndStandInTheFacet) {
  for_random_pages([](const car::Page&, const Derivation& derivation) {
    std::map<std::string, std::set<std::string>> mentioned;  // passage -> entities
    for (const auto& passage : derivation.passages)
      for (const auto& entity : passage.entities) mentioned[passage.id].insert(entity.page_id);
    const auto passages = judged(passage_qrels(derivation, QrelsLevel::kTree));
    const auto entities = judged(entity_qrels(derivation, QrelsLevel::kTree));
    Judged supported;
    for (const auto& qrel : support_passage_qrels(derivation)) {
      const auto slash = qrel.docid.find('/');
      const std::string passage = qrel.docid.substr(0, slash), entity = qrel.docid.substr(slash + 1);
      ASSERT_TRUE(mentioned[passage].contains(entity));
      ASSERT_TRUE(passages.contains({qrel.topic, passage}));
      supported.emplace(qrel.topic, entity);
    }
    ASSERT_EQ(supported, entities);  // every relevant entity has a support passage
  });
}

TEST(RandomPages, FacetsHaveDifferentUnambiguousIdsThatNameThem) {
  for_random_pages([](const car::Page& page, const Derivation& derivation) {
    std::set<std::string> ids = {derivation.topic.id};
    for (const auto& facet : derivation.facets) {
      ASSERT_TRUE(ids.insert(facet.id).second) << facet.id;
      ASSERT_EQ(car::testing::parse_unambiguous_id(facet.id), (car::SectionName{"enwiki", page.name, facet.headings}));
    }
  });
}

TEST(RandomPages, FacetedJudgmentsAreTheTreeWithoutThePage) {
  for_random_pages([](const car::Page&, const Derivation& derivation) {
    Judged faceted;
    for (const auto& judgment : faceted_qrels(derivation)) {
      ASSERT_EQ(judgment.qrel.topic, derivation.topic.id);
      faceted.emplace(judgment.facet, judgment.qrel.docid);
    }
    Judged tree = judged(passage_qrels(derivation, QrelsLevel::kTree, IdForm::kUnambiguous));
    std::erase_if(tree, [&](const auto& judgment) { return judgment.first == derivation.topic.id; });
    ASSERT_EQ(faceted, tree);
  });
}

TEST(RandomPages, APageGivesTheSameTwice) {
  for_random_pages([](const car::Page& page, const Derivation& derivation) {
    const auto again = derive(page);
    ASSERT_EQ(cluster_line(derivation), cluster_line(again));
    ASSERT_EQ(testing::entity_linking_lines(derivation), testing::entity_linking_lines(again));
  });
}

}  // namespace
}  // namespace touchstone::collection::automatic
