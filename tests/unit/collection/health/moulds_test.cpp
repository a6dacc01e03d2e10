#include "collection/health/moulds.hpp"

#include <gtest/gtest.h>

namespace touchstone::collection::health {
namespace {

TEST(Moulds, StubsThatDifferInNamesAndNumbersAreOfOne) {
  const auto mould = mould_of("Hakusan Shrine is a shrine in Niihama, Ehime. It was built in 1603.", {}, {});
  EXPECT_EQ(mould, mould_of("Isono Shrine is a shrine in Saijo. It was built in 710 BC.", {}, {}));
  EXPECT_EQ(mould, "X is a shrine in X was built in X");
  EXPECT_NE(mould, mould_of("Isono Shrine is a temple in Saijo. It was built in 710.", {}, {}));
}

TEST(Moulds, InScriptsWithoutCapitalsLinksAndTitlesAreNames) {
  // "伊曽乃神社は西条市の神社。" with a link to the town, and its like.
  const auto mould = mould_of("伊曽乃神社は西条市の神社。", {"伊曽乃神社"}, {{6, 9}});
  EXPECT_EQ(mould, mould_of("白山神社は新居浜市の神社。", {"白山神社"}, {{5, 9}}));
  EXPECT_NE(mould, mould_of("白山神社は新居浜市の寺。", {"白山神社"}, {{5, 9}}));
}

TEST(Moulds, GlossesAreNamesOrWhatIsSaid) {
  const char* hakusan = "Hakusan Shrine (白山神社) is a shinto shrine in the Engishiki. It is located in Iyo Province.";
  const char* isono =
      "Isono Shrine (伊曽乃神社、いそのじんじゃ) is a shinto shrine in the Engishiki. It is located in Awa.";
  EXPECT_EQ(mould_of(hakusan, {}, {}), mould_of(isono, {}, {}));
  EXPECT_NE(mould_of(hakusan, {}, {}, Gloss::kSaid), mould_of(isono, {}, {}, Gloss::kSaid));
  EXPECT_EQ(mould_of("A word слава is the word слава here.", {}, {}), "X word X is the word X here");
}

TEST(Moulds, NamesInLowerCaseAreNames) {
  const auto mould = mould_of("kitten socks are a kind of clothes.", {"Kitten socks (item)"}, {});
  EXPECT_EQ(mould, mould_of("eBoots are a kind of clothes.", {}, {}));
}

TEST(Moulds, OfNothingIsNothing) {
  EXPECT_EQ(mould_of("", {"A", ""}, {{3, 9}}), "");
}

}  // namespace
}  // namespace touchstone::collection::health
