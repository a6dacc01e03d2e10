#include "pipeline/automatic/selection/predicate.hpp"

#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::automatic::selection {
namespace {

using testing::message_of;

/// The page that most tests ask about.
struct Turtle {
  std::vector<std::string> redirects = {"Chelonia mydas", "Green turtle"};
  std::vector<std::string> categories = {"Reptiles of Oceania", "1758 Births"};
  std::vector<std::string> tags = {"Good article"};

  PageFacts facts() const {
    PageFacts page;
    page.name = "Green sea turtle";
    page.redirect_names = redirects;
    page.category_names = categories;
    page.page_tags = tags;
    page.qid = "Q199427";
    return page;
  }
};

bool turtle_matches(const std::string& text, const PredicateContext& context = {}) {
  const Turtle turtle;
  return parse_predicate(text, context).matches(turtle.facts());
}

std::string error_of(const std::string& text, const PredicateContext& context = {}) {
  return message_of<PredicateError>([&] { (void)parse_predicate(text, context); });
}

std::string normal_form(const std::string& text) {
  return parse_predicate(text).text();
}

TEST(Predicate, NamesAreComparedAsTitles) {
  EXPECT_TRUE(turtle_matches("name-contains \"SEA TUR\"")) << "case does not matter";
  EXPECT_FALSE(turtle_matches("name-contains land"));
  EXPECT_TRUE(turtle_matches("name-has-prefix \"green_sea \"")) << "underscores and the first letter";
  EXPECT_FALSE(turtle_matches("name-has-prefix \"Green Sea\"")) << "other letters have their case";
  EXPECT_FALSE(turtle_matches("name-has-prefix \"Green se \""));
  EXPECT_TRUE(turtle_matches("name-has-suffix \" turtle\""));
  EXPECT_FALSE(turtle_matches("name-has-suffix Turtle"));
}

TEST(Predicate, SetsHoldWholeNames) {
  EXPECT_TRUE(turtle_matches("name-in-set [\"Coffee\", \"green_sea_turtle\"]"));
  EXPECT_FALSE(turtle_matches("name-in-set [\"Green\"]"));
  EXPECT_FALSE(turtle_matches("name-in-set []"));
  EXPECT_FALSE(turtle_matches("name-in-set [\"Green turtle\"]"));
  EXPECT_TRUE(turtle_matches("name-or-redirect-in-set [\"green turtle\"]"));
  EXPECT_TRUE(turtle_matches("name-or-redirect-in-set [\"Green sea turtle\"]"));
  EXPECT_TRUE(turtle_matches("qid-in-set [\"Q1\", q199427]"));
  EXPECT_FALSE(turtle_matches("qid-in-set [Q1994]"));
  EXPECT_TRUE(turtle_matches("has-page-tag [\"Good article\"]"));
  EXPECT_TRUE(turtle_matches("has-page-tag \"Good article\"")) << "one member needs no brackets";
  EXPECT_FALSE(turtle_matches("has-page-tag [\"good article\"]"));
}

TEST(Predicate, CategoriesAreComparedRegardlessOfCase) {
  EXPECT_TRUE(turtle_matches("category-contains \"reptiles\""));
  EXPECT_TRUE(turtle_matches("category-contains \" births\""));
  EXPECT_FALSE(turtle_matches("category-contains \" deaths\""));
}

TEST(Predicate, APageWithoutWikidataIdIsInNoSet) {
  PageFacts page;
  page.name = "Coffee";
  EXPECT_FALSE(parse_predicate("qid-in-set [Q42]").matches(page));
  EXPECT_TRUE(parse_predicate("! qid-in-set [Q42]").matches(page));
}

TEST(Predicate, KindsOfPagesAreTold) {
  PageFacts page;
  EXPECT_FALSE(parse_predicate("is-redirect | is-disambiguation | is-category").matches(page));
  page.is_redirect = true;
  EXPECT_TRUE(parse_predicate("is-redirect").matches(page));
  page = {};
  page.is_disambiguation = true;
  EXPECT_TRUE(parse_predicate("is-disambiguation").matches(page));
  page = {};
  page.is_category = true;
  EXPECT_TRUE(parse_predicate("is-category").matches(page));
}

TEST(Predicate, OperatorsAreReadFromTheLeftAsInTrecCar) {
  PageFacts page;
  EXPECT_FALSE(parse_predicate("true | true & is-redirect").matches(page)) << "(true | true) & is-redirect";
  EXPECT_TRUE(parse_predicate("true | (true & is-redirect)").matches(page));
  EXPECT_TRUE(parse_predicate("! is-redirect & true").matches(page)) << "! binds to the next predicate";
  EXPECT_FALSE(parse_predicate("!(true or is-redirect) and true").matches(page));
  EXPECT_TRUE(parse_predicate("!!true").matches(page));
}

TEST(Predicate, SplitsFollowTheHashOfTheTitle) {
  PageFacts page;
  page.name = "aftertaste";  // a title of benchmarkY1test
  EXPECT_TRUE(parse_predicate("test-set & !train-set & page-hash-mod 2 1").matches(page));
  const auto fold = std::to_string(split_of("Aftertaste", {}).fold);
  EXPECT_TRUE(parse_predicate("fold " + fold).matches(page));
  PredicateContext salted;
  salted.splits = {"2026", 3};
  const auto split = split_of("Aftertaste", salted.splits);
  EXPECT_TRUE(parse_predicate("fold " + std::to_string(split.fold), salted).matches(page));
  EXPECT_EQ(parse_predicate("test-set", salted).matches(page), split.test);
}

TEST(Predicate, PageHashModTakesASaltOfItsOwn) {
  PageFacts page;
  page.name = "Aftertaste";
  const auto remainder = floor_remainder(car_title_hash("Aftertaste", 17), 1000);
  EXPECT_TRUE(parse_predicate("page-hash-mod 1000 " + std::to_string(remainder) + " 17").matches(page));
}

TEST(Predicate, SetsComeFromFiles) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "titles", "\xEF\xBB\xBFgreen_sea_turtle\r\n\nCoffee\n");
  testing::write_text(folder / "ids.gz", "Q7\nQ199427\n");
  PredicateContext context;
  context.base_folder = folder.path();
  EXPECT_TRUE(turtle_matches("name-set-from-file \"titles\"", context));
  EXPECT_TRUE(turtle_matches("qid-set-from-file ids.gz", context));
  const auto predicate = parse_predicate("name-set-from-file titles & qid-set-from-file \"ids.gz\"", context);
  EXPECT_EQ(predicate.files(), (std::vector<std::filesystem::path>{folder / "titles", folder / "ids.gz"}));
  EXPECT_EQ(predicate.text(), "name-set-from-file \"titles\" & qid-set-from-file \"ids.gz\"");
}

TEST(Predicate, ABadFileIsNamedWithItsLine) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "ids", "Q7\n42\n");
  PredicateContext context;
  context.base_folder = folder.path();
  EXPECT_EQ(error_of("true & qid-set-from-file ids", context),
            "column 26: " + (folder / "ids").string() + ":2: \"42\" is no Wikidata id such as Q42");
  EXPECT_NE(error_of("name-set-from-file \"missing\"", context).find("column 20: "), std::string::npos);
  EXPECT_NE(error_of("name-set-from-file \"missing\"", context).find("missing"), std::string::npos);
  context.read_files = false;
  EXPECT_FALSE(turtle_matches("name-set-from-file missing", context)) << "only the text is checked";
}

TEST(Predicate, ErrorsPointAtTheColumn) {
  EXPECT_EQ(error_of(""), "column 1: a predicate is missing at the end");
  EXPECT_EQ(error_of("true &"), "column 7: a predicate is missing at the end");
  EXPECT_EQ(error_of("tru"), "column 1: there is no predicate \"tru\"; did you mean true?");
  EXPECT_EQ(error_of("true & name-contians \"x\""),
            "column 8: there is no predicate \"name-contians\"; did you mean name-contains?");
  EXPECT_NE(error_of("category-is x").find("column 1: there is no predicate \"category-is\""), std::string::npos);
  EXPECT_NE(error_of("whatever").find("; the predicates are name-contains, name-has-prefix, "), std::string::npos);
  EXPECT_EQ(error_of("(true | is-redirect"), "column 1: the parenthesis that opens here is not closed; add )");
  EXPECT_EQ(error_of("(true true)"), "column 7: expected &, | or ) here, but found \"true\"");
  EXPECT_EQ(error_of("true)"), "column 5: expected & or | or the end here, but found \")\"");
  EXPECT_EQ(error_of("name-contains \"abc"), "column 15: the text that starts here has no closing quote");
  EXPECT_EQ(error_of("name-in-set [\"a\", \"b\""), "column 13: the set that opens here is not closed; add ]");
  EXPECT_EQ(error_of("name-in-set [\"a\" \"b\"]"), "column 18: expected , or ] in the set, but found \"b\"");
  EXPECT_EQ(error_of("qid-in-set [42]"), "column 13: \"42\" is no Wikidata id such as Q42");
}

TEST(Predicate, ColumnsCountCharactersAndLinesAreNamed) {
  EXPECT_EQ(error_of("name-contains \"é歴\" & x1"),
            "column 22: there is no predicate \"x1\"" +
                error_of("x1").substr(std::string("column 1: there is no predicate \"x1\"").size()));
  EXPECT_EQ(error_of("true &\n  tru"), "line 2, column 3: there is no predicate \"tru\"; did you mean true?");
  try {
    (void)parse_predicate("true &\n  tru");
    FAIL();
  } catch (const PredicateError& error) {
    EXPECT_EQ(error.line(), 2U);
    EXPECT_EQ(error.column(), 3U);
  }
}

TEST(Predicate, ArgumentsThatMeanNothingAreErrors) {
  EXPECT_EQ(error_of("name-contains \"\""),
            "column 15: the text of name-contains is empty, and would fit every page; write true for that");
  EXPECT_NE(error_of("name-has-prefix").find("column 16: name-has-prefix needs a text here"), std::string::npos);
  EXPECT_NE(error_of("name-has-prefix & true").find("column 17: name-has-prefix needs a text here"), std::string::npos);
  EXPECT_EQ(error_of("page-hash-mod 2 2"),
            "column 17: page-hash-mod 2 has the parts 0 to 1; the number of parts comes first");
  EXPECT_NE(error_of("page-hash-mod 0 0").find("column 15: "), std::string::npos);
  EXPECT_NE(error_of("page-hash-mod 99999999999999999999 0").find("column 15: "), std::string::npos);
  EXPECT_NE(error_of("page-hash-mod 5").find("column 16: expected the part of page-hash-mod"), std::string::npos);
  EXPECT_EQ(error_of("fold 5"), "column 6: there are the folds 0 to 4; automatic.folds sets their number");
  EXPECT_NE(error_of("name-contains \"a\\x\"").find("column 17: a backslash"), std::string::npos);
  EXPECT_EQ(error_of("name-contains \"\xFF\""), "column 16: the predicate is not UTF-8 here");
}

TEST(Predicate, DepthAndSizeAreBounded) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '(') + "true" + std::string(depth, ')'); };
  EXPECT_NO_THROW((void)parse_predicate(nested(99)));
  EXPECT_NE(error_of(nested(100'000)).find("nested more than 100 deep"), std::string::npos);
  EXPECT_NE(error_of(std::string(100'000, '!') + "true").find("nested more than 100 deep"), std::string::npos);
  std::string alternating = "true", flat = "is-redirect";
  for (int i = 0; i < 200; ++i) alternating += i % 2 == 0 ? " & true" : " | true";
  EXPECT_NE(error_of(alternating).find("nested more than 100 deep"), std::string::npos);
  for (int i = 0; i < 5'000; ++i) flat += " | is-category";
  EXPECT_NO_THROW((void)parse_predicate(flat));
  for (int i = 0; i < 6'000; ++i) flat += " | is-category";
  EXPECT_NE(error_of(flat).find("more than 10,000 parts"), std::string::npos);
  EXPECT_NE(error_of(std::string((1U << 20U) + 1, ' ')).find("column 1: the predicate is longer than 1 MiB"),
            std::string::npos);
}

TEST(Predicate, TheNormalFormShowsHowOperatorsGroup) {
  EXPECT_EQ(normal_form("  true|is-redirect  & is-category"), "(true | is-redirect) & is-category");
  EXPECT_EQ(normal_form("(true & (is-redirect & is-category))"), "true & is-redirect & is-category");
  EXPECT_EQ(normal_form("! ! ! (true or fold 3)"), "!(true | fold 3)");
  EXPECT_EQ(normal_form("name-in-set [\"b_c\", a, \"B c\"]"), "name-in-set [\"A\", \"B c\"]");
  EXPECT_EQ(normal_form("page-hash-mod 5 2 17 & page-hash-mod 5 2"), "page-hash-mod 5 2 17 & page-hash-mod 5 2");
  EXPECT_EQ(normal_form("name-contains \"A\\\"\\\\B\""), "name-contains \"a\\\"\\\\b\"");
  EXPECT_EQ(Predicate().text(), "true");
}

/// A random predicate as text, with random blanks, groups and arguments.
class RandomPredicate {
 public:
  explicit RandomPredicate(std::uint32_t seed) : random_(seed) {}

  std::string text(int depth) {
    if (depth == 0 || pick(4) == 0) return leaf();
    if (pick(4) == 0) return "!" + blank() + "(" + text(depth - 1) + ")";
    std::string out = operand(depth - 1);
    for (auto more = pick(3) + 1; more > 0; --more) {
      constexpr const char* kOperators[] = {" & ", " | ", "&", " and ", " or "};
      out += kOperators[pick(5)] + operand(depth - 1);
    }
    return out;
  }

 private:
  std::size_t pick(std::size_t count) { return random_() % count; }
  std::string blank() { return pick(2) == 0 ? "" : " \t"; }
  std::string operand(int depth) { return pick(2) == 0 ? leaf() : "(" + blank() + text(depth) + ")"; }

  std::string quoted() {
    constexpr const char* kPieces[] = {"a", "Straße", "_",  "  ", "\\\"", "\\\\", "ﬁ", "ǰ", "ΐ",
                                       "i̇", "\\n",    "歴", "&",  "(",    "]",    ",", "İ", "ẞ"};
    std::string out = "\"x";
    for (auto pieces = pick(5); pieces > 0; --pieces) out += kPieces[pick(std::size(kPieces))];
    if (pick(2) == 0) out.erase(1, 1);
    return out.size() == 1 ? "\"y\"" : out + "z\"";
  }

  std::string leaf() {
    switch (pick(9)) {
      case 0:
        return "name-contains " + quoted();
      case 1:
        return "name-has-prefix" + blank() + quoted();
      case 2:
        return "name-has-suffix " + quoted();
      case 3:
        return "name-in-set [" + quoted() + blank() + "," + quoted() + "]";
      case 4:
        return "category-contains " + quoted();
      case 5:
        return "qid-in-set [Q" + std::to_string(pick(50) + 1) + ", \"q7\"]";
      case 6:
        return "has-page-tag " + quoted();
      case 7:
        return "page-hash-mod 10 " + std::to_string(pick(10)) + (pick(2) == 0 ? "" : " 99");
      default:
        return pick(2) == 0 ? "train-set" : "fold " + std::to_string(pick(5));
    }
  }

  std::mt19937 random_;
};

TEST(PredicateProperty, ParsingTheNormalFormGivesAnEqualPredicate) {
  for (std::uint32_t seed = 0; seed < 2'000; ++seed) {
    const auto text = RandomPredicate(seed).text(4);
    const auto predicate = parse_predicate(text);
    const auto again = parse_predicate(predicate.text());
    ASSERT_EQ(again, predicate) << "seed " << seed << ": " << text << "\n" << predicate.text();
    ASSERT_EQ(again.text(), predicate.text()) << "seed " << seed;
  }
}

TEST(PredicateProperty, TheNormalFormMatchesTheSamePages) {
  const Turtle turtle;
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const auto predicate = parse_predicate(RandomPredicate(seed).text(4));
    ASSERT_EQ(parse_predicate(predicate.text()).matches(turtle.facts()), predicate.matches(turtle.facts())) << seed;
  }
}

}  // namespace
}  // namespace touchstone::pipeline::automatic::selection
