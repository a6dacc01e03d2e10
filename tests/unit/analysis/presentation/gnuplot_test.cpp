#include "analysis/presentation/gnuplot.hpp"

#include <gtest/gtest.h>

namespace touchstone::analysis::presentation::internal {
namespace {

TEST(GnuplotQuoted, QuotesAreDoubledAndNothingElseHasAMeaning) {
  EXPECT_EQ(gnuplot_quoted("it's `a` \"b\" \\n 5%", GnuplotText::kLabel), "'it''s `a` \"b\" \\n 5%'");
}

TEST(GnuplotQuoted, TicLabelsDoublePercentSigns) {
  EXPECT_EQ(gnuplot_quoted("5%", GnuplotText::kTicLabel), "'5%%'");
}

TEST(GnuplotQuoted, OnlyPathsKeepControlCharacters) {
  EXPECT_EQ(gnuplot_quoted("a\tb\n", GnuplotText::kLabel), "'a?b?'");
  EXPECT_EQ(gnuplot_quoted("a\tb", GnuplotText::kPath), "'a\tb'");
}

}  // namespace
}  // namespace touchstone::analysis::presentation::internal
