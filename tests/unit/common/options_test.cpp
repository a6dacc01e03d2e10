#include "common/options.hpp"

#include "common/error.hpp"

#include <gtest/gtest.h>

namespace touchstone {
namespace {

struct Values {
  bool flag = false;
  std::int64_t count = 3;
  double share = 0.5;
  std::string mode = "a";
  std::vector<std::string> names;
};

constexpr OptionRow kRows[] = {{"x.flag", "A flag."},
                               {"x.count", "A count.", 1, 10},
                               {"x.share", "A share.", 0, 1},
                               {"x.mode", "A mode.", 0, 0, "a|b"},
                               {"x.names", "Names.", 0, 0, {}, false}};

class Options : public ::testing::Test {
 protected:
  Values values;
  OptionSet options{kRows, {&values.flag, &values.count, &values.share, &values.mode, &values.names}};

  std::string problems() {
    try {
      options.throw_if_problems();
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(Options, FileThenFlagWins) {
  options.read_text("[x]\ncount = 4\nmode = \"b\"\n", "f.toml");
  options.read_assignment("x.count=5");
  EXPECT_EQ(problems(), "");
  EXPECT_EQ(values.count, 5);
  EXPECT_EQ(values.mode, "b");
  EXPECT_EQ(options.origin(1), OptionOrigin::kFlag);
  EXPECT_EQ(options.origin(3), OptionOrigin::kFile);
  EXPECT_EQ(options.origin(0), OptionOrigin::kDefault);
}

TEST_F(Options, UnknownKeySuggestsTheNearest) {
  options.read_text("[x]\ncuont = 4\n", "f.toml");
  EXPECT_EQ(problems(), "f.toml line 2: there is no option \"x.cuont\"; did you mean \"x.count\"?");
}

TEST_F(Options, AllProblemsAreReportedAtOnce) {
  options.read_text("[x]\ncount = 40\nshare = \"much\"\nmode = \"c\"\n", "f.toml");
  const std::string text = problems();
  EXPECT_NE(text.find("x.count is 40, but must lie between 1 and 10"), std::string::npos) << text;
  EXPECT_NE(text.find("x.share must be a number"), std::string::npos) << text;
  EXPECT_NE(text.find("x.mode is \"c\", but must be a or b"), std::string::npos) << text;
}

TEST_F(Options, BrokenTomlNamesFileAndLine) {
  options.read_text("[x]\ncount = = 4\n", "f.toml");
  EXPECT_NE(problems().find("f.toml line 2: not valid TOML"), std::string::npos);
}

TEST_F(Options, AssignmentsTakePlainTextAndLists) {
  options.read_assignment("x.mode=b");
  options.read_assignment("x.names=one, two");
  options.read_assignment("x.flag=true");
  EXPECT_EQ(problems(), "");
  EXPECT_EQ(values.names, (std::vector<std::string>{"one", "two"}));
  EXPECT_TRUE(values.flag);
}

TEST_F(Options, AssignmentOfTheWrongTypeIsAProblem) {
  options.read_assignment("x.count=many");
  EXPECT_NE(problems().find("x.count"), std::string::npos);
  EXPECT_EQ(values.count, 3);
}

TEST_F(Options, FingerprintLeavesOutWhatDoesNotAffectOutput) {
  constexpr std::string_view prefixes[] = {"x."};
  const std::string before = options.fingerprint(prefixes);
  options.read_assignment("x.names=one");
  EXPECT_EQ(options.fingerprint(prefixes), before);
  options.read_assignment("x.count=4");
  EXPECT_NE(options.fingerprint(prefixes), before);
}

TEST_F(Options, ShownValuesReadBackAsTheSameValues) {
  options.read_assignment("x.names=a\"b,c\\d");
  options.read_assignment("x.share=0.125");
  std::string toml;
  for (std::size_t i = 0; i < options.rows().size(); ++i)
    toml += std::string(options.rows()[i].key) + " = " + options.value_text(i) + "\n";
  Values other;
  OptionSet copy(kRows, {&other.flag, &other.count, &other.share, &other.mode, &other.names});
  copy.read_text(toml, "shown");
  EXPECT_NO_THROW(copy.throw_if_problems());
  EXPECT_EQ(other.names, values.names);
  EXPECT_EQ(other.share, 0.125);
}

}  // namespace
}  // namespace touchstone
