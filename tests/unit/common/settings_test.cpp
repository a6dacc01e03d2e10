#include "common/settings.hpp"

#include "common/error.hpp"

#include <gtest/gtest.h>

namespace touchstone {
namespace {

enum class Mode { kA, kB };

}  // namespace

template <>
struct Choices<Mode> {
  static constexpr Choice<Mode> table[] = {{"a", Mode::kA}, {"b", Mode::kB}};
};

namespace {

struct Values {
  bool flag = false;
  std::int64_t count = 3;
  double share = 0.5;
  Mode mode = Mode::kA;
  std::vector<std::string> names;
  std::vector<Mode> modes = {Mode::kA};
  std::string address;

  static std::vector<Option<Values>> options() {
    return {{"x.flag", &Values::flag, "A flag."},
            {"x.count", &Values::count, between(1, 10), "A count."},
            {"x.share", &Values::share, between(0, 1), "A share."},
            {"x.mode", &Values::mode, "A mode."},
            {"x.names", &Values::names, OptionEffect::kNone, "Names."},
            {"x.modes", &Values::modes, "Modes."},
            {"x.address", &Values::address, OptionEffect::kRemembered, "An address."}};
  }
  static std::vector<std::string> problems(const Settings& all) {
    const auto& values = all.get<Values>();
    if (values.flag && values.count == 1) return {"x.flag wants more than one"};
    return {};
  }
};

/// Several of them, each over the values of `[x]`.
struct Tables {
  std::vector<Overrides<Values>> tables;

  static std::vector<Option<Tables>> options() {
    return {{"tables", &Tables::tables, OptionEffect::kRemembered, "Several of them."}};
  }
};

class SettingsTest : public ::testing::Test {
 protected:
  static Settings fresh() {
    const OptionGroup* const groups[] = {&option_group<Values>(), &option_group<Tables>(), &option_group<Values>()};
    return Settings(groups);
  }
  Settings settings = fresh();
  const Values& values = settings.get<Values>();

  std::string problems() {
    try {
      settings.throw_if_problems();
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(SettingsTest, FileThenFlagWins) {
  settings.read_text("[x]\ncount = 4\nmode = \"b\"\n", "f.toml");
  settings.read_assignment("x.count=5");
  EXPECT_EQ(problems(), "");
  EXPECT_EQ(values.count, 5);
  EXPECT_EQ(values.mode, Mode::kB);
  EXPECT_EQ(settings.origin(1), OptionOrigin::kFlag);
  EXPECT_EQ(settings.origin(3), OptionOrigin::kFile);
  EXPECT_EQ(settings.origin(0), OptionOrigin::kDefault);
}

TEST_F(SettingsTest, UnknownKeySuggestsTheNearest) {
  settings.read_text("[x]\ncuont = 4\n", "f.toml");
  EXPECT_EQ(problems(), "f.toml line 2: there is no option \"x.cuont\"; did you mean \"x.count\"?");
}

TEST_F(SettingsTest, AllProblemsAreReportedAtOnce) {
  settings.read_text("[x]\ncount = 40\nshare = \"much\"\nmode = \"c\"\n", "f.toml");
  const std::string text = problems();
  EXPECT_NE(text.find("x.count is 40, but must lie between 1 and 10"), std::string::npos) << text;
  EXPECT_NE(text.find("x.share must be a number"), std::string::npos) << text;
  EXPECT_NE(text.find("x.mode is \"c\", but must be a or b"), std::string::npos) << text;
}

TEST_F(SettingsTest, BrokenTomlNamesFileAndLine) {
  settings.read_text("[x]\ncount = = 4\n", "f.toml");
  EXPECT_NE(problems().find("f.toml line 2: not valid TOML"), std::string::npos);
}

TEST_F(SettingsTest, AssignmentsTakePlainTextAndLists) {
  settings.read_assignment("x.mode=b");
  settings.read_assignment("x.names=one, two");
  settings.read_assignment("x.flag=true");
  EXPECT_EQ(problems(), "");
  EXPECT_EQ(values.names, (std::vector<std::string>{"one", "two"}));
  EXPECT_TRUE(values.flag);
}

TEST_F(SettingsTest, OneTextIsAListOfOneAndAnEmptyOneAnEmptyList) {
  settings.read_text("[x]\nnames = \"one, two\"\n", "f.toml");
  EXPECT_EQ(values.names, std::vector<std::string>{"one, two"});
  settings.read_text("[x]\nnames = \"\"\n", "f.toml");
  EXPECT_EQ(values.names, std::vector<std::string>{});
  EXPECT_EQ(problems(), "");
  settings.read_text("[x]\nnames = 1\n", "f.toml");
  EXPECT_NE(problems().find("x.names must be a list of texts, not a single value"), std::string::npos);
}

TEST_F(SettingsTest, AssignmentOfTheWrongTypeIsAProblem) {
  settings.read_assignment("x.count=many");
  EXPECT_NE(problems().find("x.count"), std::string::npos);
  EXPECT_EQ(values.count, 3);
}

TEST_F(SettingsTest, FingerprintLeavesOutWhatDoesNotAffectOutput) {
  const OptionGroup* const groups[] = {&option_group<Values>()};
  const std::string before = settings.fingerprint(groups);
  settings.read_assignment("x.names=one");
  settings.read_assignment("x.address=http://h");
  EXPECT_EQ(settings.fingerprint(groups), before);
  settings.read_assignment("x.count=4");
  EXPECT_NE(settings.fingerprint(groups), before);
  EXPECT_EQ(settings.fingerprint({}), "");
}

TEST_F(SettingsTest, RememberedLeavesOutSpeedAndMemory) {
  settings.read_assignment("x.address=http://h");
  const auto text = settings.remembered();
  EXPECT_NE(text.find("x.address = \"http://h\"\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("x.names"), std::string::npos) << text;
}

TEST_F(SettingsTest, AGroupThatComesTwiceIsListedOnce) {
  EXPECT_EQ(settings.size(), option_group<Values>().rows.size() + 1);
}

TEST_F(SettingsTest, CombinationsAreAskedOfTheGroups) {
  settings.read_text("[x]\nflag = true\ncount = 1\n", "f.toml");
  EXPECT_EQ(problems(), "");
  settings.check();
  EXPECT_EQ(problems(), "x.flag wants more than one");
}

TEST_F(SettingsTest, AListOfChoicesHoldsTheChoicesOnly) {
  settings.read_assignment("x.modes=b, a");
  EXPECT_EQ(values.modes, (std::vector<Mode>{Mode::kB, Mode::kA}));
  settings.read_assignment("x.modes=c");
  EXPECT_EQ(problems(), "--set x.modes: x.modes holds \"c\", but may hold only \"a\" and \"b\"");
}

TEST_F(SettingsTest, TablesGiveOnlyWhatTheyHold) {
  settings.read_text("[x]\ncount = 5\n[[tables]]\nmode = \"b\"\n[[tables]]\ncount = 7\nnames = [\"n\"]\n", "f.toml");
  EXPECT_EQ(problems(), "");
  const auto& tables = settings.get<Tables>().tables;
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].over(values).count, 5);
  EXPECT_EQ(tables[0].over(values).mode, Mode::kB);
  EXPECT_EQ(tables[1].over(values).count, 7);
  EXPECT_EQ(tables[1].over(values).mode, Mode::kA);
  EXPECT_EQ(settings.value_text(settings.size() - 1), "[{mode = \"b\"}, {count = 7, names = [\"n\"]}]");
}

TEST_F(SettingsTest, ProblemsOfATableNameItsPlace) {
  settings.read_text("[[tables]]\nmode = \"b\"\n[[tables]]\ncount = 70\ncuont = 1\n", "f.toml");
  EXPECT_EQ(problems(),
            "f.toml line 4, table 2 of tables: x.count is 70, but must lie between 1 and 10\n       "
            "f.toml line 5, table 2 of tables: there is no option \"x.cuont\"; did you mean \"x.count\"?");
}

TEST_F(SettingsTest, ATableMayBeATextOfToml) {
  settings.read_text(R"(tables = ["count = 7\nnames = [\"n\"]\n", "mode ="])", "f.toml");
  ASSERT_EQ(settings.get<Tables>().tables.size(), 1U);
  EXPECT_EQ(settings.get<Tables>().tables[0].over(values).count, 7);
  EXPECT_NE(problems().find("table 2 of tables: not valid TOML"), std::string::npos) << problems();
}

TEST_F(SettingsTest, WhatIsNoListOfTablesIsAProblem) {
  settings.read_text("tables = 3\n", "f.toml");
  settings.read_text("tables = [3]\n", "g.toml");
  settings.read_assignment("tables=x");
  EXPECT_EQ(problems(),
            "f.toml line 1: tables must be a list of tables, not a single value\n       "
            "g.toml line 1: tables must be a list of tables, not a list with values of another type\n       "
            "--set tables: \"x\" is not a list of tables");
}

TEST_F(SettingsTest, ShownValuesReadBackAsTheSameValues) {
  settings.read_assignment("x.names=a\"b,c\\d");
  settings.read_assignment("x.share=0.125");
  settings.read_text("[[tables]]\nshare = 0.25\nflag = true\naddress = \"a\\nb\"\n", "f.toml");
  std::string toml;
  for (std::size_t i = 0; i < settings.size(); ++i)
    toml += std::string(settings.row(i).key) + " = " + settings.value_text(i) + "\n";
  auto copy = fresh();
  copy.read_text(toml, "shown");
  EXPECT_NO_THROW(copy.throw_if_problems());
  for (std::size_t i = 0; i < settings.size(); ++i) EXPECT_EQ(copy.value_text(i), settings.value_text(i));
  EXPECT_EQ(copy.get<Values>().names, values.names);
  EXPECT_EQ(copy.get<Tables>().tables.at(0).over({}).address, "a\nb");
}

TEST_F(SettingsTest, WholeNumbersKeepAllTheirDigits) {
  struct Large {
    std::int64_t seed = 8'999'999'999'999'999;
    static std::vector<Option<Large>> options() { return {{"y.seed", &Large::seed, "A seed."}}; }
  };
  const OptionGroup* const groups[] = {&option_group<Large>()};
  EXPECT_EQ(Settings(groups).value_text(0), "8999999999999999");
}

TEST_F(SettingsTest, AGroupThatIsNotThereIsAProgrammersMistake) {
  const Settings none({});
  EXPECT_DEATH(static_cast<void>(none.get<Values>()), "no option group");
}

}  // namespace
}  // namespace touchstone
