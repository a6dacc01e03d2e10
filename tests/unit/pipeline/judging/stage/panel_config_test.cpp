#include "pipeline/judging/stage/panel_config.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "pipeline/evidence/phrase_options.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline::judging::stage {
namespace {

constexpr const char* kSecret = "sk-very-secret-1234";

const OptionGroup* const kGroups[] = {&option_group<JudgeOptions>(), &option_group<PanelOptions>(),
                                      &option_group<evidence::PhraseOptions>()};

struct Read {
  Settings settings{kGroups};
  std::string problems;

  const JudgeOptions& judge() const { return settings.get<JudgeOptions>(); }
  const PanelOptions& judges() const { return settings.get<PanelOptions>(); }
  PanelDescription panel() const { return describe_panel(judge(), judges()); }
  std::vector<JudgeOptions> each() const { return judges_of(judge(), judges()); }
};

Read read(const std::string& toml) {
  Read result;
  result.settings.read_text(toml, "test.toml");
  result.settings.check();
  try {
    result.settings.throw_if_problems();
  } catch (const ConfigError& error) {
    result.problems = error.what();
  }
  return result;
}

const std::string kServer = "kind = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\n";

TEST(PanelConfig, OneJudgeIsTheTableJudge) {
  const auto config = read("[judge]\n" + kServer);
  EXPECT_EQ(config.problems, "");
  const auto panel = config.panel();
  ASSERT_EQ(panel.judges.size(), 1U);
  EXPECT_EQ(panel.name(), "m");
  EXPECT_TRUE(panel.asks());
  EXPECT_FALSE(panel.is_baseline());
}

TEST(PanelConfig, WithoutOptionsTheJudgeIsTheLexicalOne) {
  const auto panel = describe_panel({}, {});
  EXPECT_EQ(panel.name(), "lexical/6 (baseline)");
  EXPECT_FALSE(panel.asks());
  EXPECT_TRUE(panel.is_baseline());
}

TEST(PanelConfig, TablesOfJudgesGoOverTheTableJudge) {
  const auto config =
      read("[judge]\n" + kServer +
           "temperature = 0.5\ncascade = true\n[[judges]]\nname = \"a\"\ntemperature = 1\n[[judges]]\nmodel = "
           "\"b\"\nlogprobs = false\nendpoints = [\"http://x/v1 2\"]\n[[judges]]\nkind = \"lexical\"\n");
  EXPECT_EQ(config.problems, "");
  EXPECT_EQ(config.panel().name(), "cascade of a, b, lexical");
  EXPECT_FALSE(config.panel().is_baseline());
  const auto judges = config.each();
  ASSERT_EQ(judges.size(), 3U);
  EXPECT_EQ(served_model(judges[0], "evidence-binary").model.parameters().temperature, 1);
  const auto second = served_model(judges[1], "evidence-binary");
  EXPECT_EQ(second.model.parameters().temperature, .5);
  EXPECT_FALSE(second.model.parameters().logprobs);
  const auto endpoints = endpoints_of(second);
  ASSERT_EQ(endpoints.size(), 2U);
  EXPECT_EQ(endpoints[1].weight, 2);
}

TEST(PanelConfig, JudgesOfOneAddressShareItsCaps) {
  const std::string tables =
      "in_flight = 30\nrequests_per_minute = 601\n[[judges]]\nmodel = \"a\"\n[[judges]]\nmodel = "
      "\"b\"\n[[judges]]\nmodel "
      "= \"c\"\nbase_url = \"http://elsewhere/v1\"\n";
  const auto votes = read("[judge]\n" + kServer + tables).each();
  EXPECT_EQ(votes.at(0).in_flight, 15);
  EXPECT_EQ(votes.at(1).requests_per_minute, 300);
  EXPECT_EQ(votes.at(1).tokens_per_minute, 0);
  EXPECT_EQ(votes.at(2).in_flight, 30);
  const auto cascade = read("[judge]\ncascade = true\n" + kServer + tables).each();
  EXPECT_EQ(cascade.at(0).in_flight, 30) << "asked before the others";
  EXPECT_EQ(cascade.at(1).in_flight, 30);
}

TEST(PanelConfig, WhatIsShownReadsBack) {
  const auto shown = read(
      "[[judges]]\nname = \"a \\\"q\\\"\"\nsamples = 3\nendpoints = [\"http://x\"]\ntemperature = 0.25\nprobe = "
      "false\n[[judges]]\nkind = \"lexical\"\n");
  const auto copy = read(shown.settings.remembered());
  EXPECT_EQ(copy.settings.remembered(), shown.settings.remembered());
  const auto judges = judges_of(copy.judge(), copy.judges());
  ASSERT_EQ(judges.size(), 2U);
  EXPECT_EQ(judges[0].name, "a \"q\"");
  EXPECT_EQ(judges[0].samples, 3);
  EXPECT_EQ(judges[0].endpoints, std::vector<std::string>{"http://x"});
  EXPECT_EQ(judges[0].temperature, 0.25);
  EXPECT_FALSE(judges[0].probe);
  EXPECT_EQ(judges[1].kind, JudgeKind::kLexical);
}

TEST(PanelConfig, TablesThatAnOlderVersionKeptAsTextsAreRead) {
  const auto kept = read(
      "judge.samples = 2\njudge.temperature = 1\njudges = [\"endpoints = [\\\"http://x\\\"]\\nmodel = "
      "\\\"m\\\"\\n\", \"kind = \\\"lexical\\\"\\n\"]\n");
  const auto judges = judges_of(kept.judge(), kept.judges());
  ASSERT_EQ(judges.size(), 2U);
  EXPECT_EQ(judges[0].model, "m");
  EXPECT_EQ(judges[0].samples, 2);
  EXPECT_EQ(judges[0].endpoints, std::vector<std::string>{"http://x"});
  EXPECT_EQ(judges[1].kind, JudgeKind::kLexical);
}

TEST(PanelConfig, SeveralAddressesAreServersOfOneModelAndTheFirstIsThatOfOneAddress) {
  const auto servers = [](const std::string& value) {
    const auto read_panel = read("[judge]\nkind = \"openai\"\nmodel = \"m\"\nbase_url = " + value + "\n");
    EXPECT_EQ(read_panel.problems, "") << value;
    std::vector<std::string> urls;
    const auto model = served_model(read_panel.settings.get<JudgeOptions>(), "evidence-binary");
    EXPECT_EQ(model.server.base_url, "http://a/v1");
    for (const auto& server : model.server.servers) urls.push_back(server.url);
    return urls;
  };
  EXPECT_EQ(servers("\"http://a/v1\""), std::vector<std::string>{"http://a/v1"});
  EXPECT_EQ(servers("[\"http://a/v1\", \"http://b/v1 3\"]"), (std::vector<std::string>{"http://a/v1", "http://b/v1"}));
}

TEST(PanelConfig, AProblemOfATableSaysWhereItStands) {
  EXPECT_NE(read("[judge]\n" + kServer + "[[judges]]\n[[judges]]\nsamples = 0\n")
                .problems.find("test.toml line 7, table 2 of judges: judge.samples is 0"),
            std::string::npos);
}

TEST(PanelConfig, WhatMakesNoSenseIsSaid) {
  const auto said = [](const std::string& toml, const std::string& word) {
    const auto problems = read(toml).problems;
    EXPECT_NE(problems.find(word), std::string::npos) << toml << "\n" << problems;
  };
  said("[judge]\nkind = \"openai\"\n", "judge.model is empty");
  said("[judge]\nkind = \"openai\"\nmodel = \"m\"\n", "judge.base_url is empty");
  said("[judge]\nkind = \"openai\"\nmodel = \"m\"\nbase_url = \"localhost:1\"\n", "http://");
  said("[judge]\nkind = \"openai\"\nmodel = \"m\"\nbase_url = [\"http://h\", \"h:1\"]\n",
       "an address of judge.base_url");
  said("[judge]\n" + kServer + "samples = 3\n", "temperature");
  said("[judge]\n" + kServer + "prompt = \"query\"\n", "asks for a query");
  said("[judge]\n" + kServer + "prompt = \"dmerit-query\"\n", "asks for a query");
  said("[judge]\n" + kServer + "prompt = \"nowhere\"\n", "there is no prompt");
  said("[judge]\n" + kServer + "evidence_grade = 2\n", "no judge gives grades above 1");
  said("[judge]\nevidence_grade = 2\n", "no judge gives grades above 1");
  said("[judge]\n" + kServer + "evidence_grade = 4\n", "judge.evidence_grade");
  said("[judge]\n" + kServer + "[phrase]\nsource = \"judge\"\nprompt = \"evidence-binary\"\n",
       "does not ask for a query");
  said("[judge]\n" + kServer + "cascade = true\n", "at least two");
  said("[judge]\n" + kServer + "max_cost = 1\n", "price_prompt");
  said("[judge]\n" + kServer + "band_low = 0.9\n", "band_low");
  said("[judge]\n" + kServer + "endpoints = [\"http://a 0\"]\n", "URL WEIGHT");
  said("[judge]\n" + kServer + "[[judges]]\nmodle = \"x\"\n", "did you mean \"judge.model\"");
  said("[judge]\n" + kServer + "[[judges]]\n[[judges]]\n", "same name");
  said("[judge]\n" + kServer + "[[judges]]\nname = \"a\"\n[[judges]]\nname = \"b\"\nbase_url = \"http://b/v1\"\n",
       "share their replies");
  said("[judge]\n" + kServer + "proxy = \"http://user:word@proxy:3128\"\n", "judge.proxy holds a user name");
  said("[judge]\n" + kServer + "extra_body = \"{\"\n", "judge.extra_body is not a JSON object");
  said("[judge]\n" + kServer + "extra_body = '{\"seed\": 1}'\n", "which the program sets itself");
  said("[judge]\n" + kServer + "headers = [\"no colon\"]\n", "Name: value");
  said("[judge]\n" + kServer + "headers = [\"X-Api-Key: abc\"]\n", "usually holds a secret");
  said("[judge]\n" + kServer + "query = \"api-key=abc\"\n", "seems to hold a secret");
  said("[judge]\n" + kServer + "query = \"?a=b\"\n", "NAME=VALUE");
  said("[judge]\n" + kServer + "key_header = \"api key\"\n", "name of a header");
  said("[phrase]\nsource = \"judge\"\n", "lexical one");
}

TEST(PanelConfig, SecretsInAddressesAndKeysInConfigsAreRefusedWithoutRepeatingThem) {
  for (const std::string& line :
       {"base_url = \"http://u:" + std::string(kSecret) + "@h/v1\"",
        "base_url = \"http://h/v1?key=" + std::string(kSecret) + "\"",
        "endpoints = [\"http://" + std::string(kSecret) + "@h/v1\"]", "key_env = \"" + std::string(kSecret) + "\""}) {
    std::string toml = "[judge]\nkind = \"openai\"\nmodel = \"m\"\n" + line + "\n";
    if (line.find("base_url") == std::string::npos) toml += "base_url = \"http://h/v1\"\n";
    const auto problems = read(toml).problems;
    EXPECT_NE(problems, "") << line;
    EXPECT_EQ(problems.find(kSecret), std::string::npos) << problems;
  }
}

TEST(PanelConfig, TheKeyComesFromTheEnvironmentOrAFile) {
  const testing::TemporaryFolder folder;
  write_file_atomically(folder / "key", std::string(kSecret) + "\n");
  JudgeOptions config;
  config.kind = JudgeKind::kOpenAi;
  config.base_url = {"http://h/v1/"};
  const auto endpoint = [&] { return endpoints_of(served_model(config, "evidence-binary")).at(0); };
  EXPECT_TRUE(endpoint().headers.empty());
  config.key_file = (folder / "key").string();
  EXPECT_EQ(endpoint().headers.at(0), std::string("Authorization: Bearer ") + kSecret);
  EXPECT_EQ(endpoint().base_url, "http://h/v1");
  config.key_file.clear();
  config.key_env = "TOUCHSTONE_TEST_KEY";
  ::unsetenv("TOUCHSTONE_TEST_KEY");
  EXPECT_THROW(endpoint(), ConfigError);
  ::setenv("TOUCHSTONE_TEST_KEY", kSecret, 1);
  config.kind = JudgeKind::kAnthropic;
  const auto headers = endpoint().headers;
  EXPECT_NE(std::find(headers.begin(), headers.end(), std::string("x-api-key: ") + kSecret), headers.end());
  ::setenv("TOUCHSTONE_TEST_KEY", "two\nlines", 1);
  EXPECT_THROW(endpoint(), ConfigError);
}

TEST(PanelConfig, TheFingerprintIsOfWhatAnswersDependOn) {
  const auto of_toml = [](const std::string& toml) {
    const auto config = read(toml);
    return config.panel().fingerprint();
  };
  const auto of = [&](const std::string& more) { return of_toml("[judge]\n" + kServer + more); };
  const auto plain = of("");
  for (const std::string same : {"price_prompt = 1\n", "in_flight = 3\n", "max_calls = 4\n", "key_env = \"X\"\n",
                                 "proxy = \"http://p\"\n", "probe = false\n"})
    EXPECT_EQ(of(same), plain) << same;
  for (const std::string other : {"temperature = 1\n", "prompt = \"evidence-graded\"\n", "max_tokens = 7\n",
                                  "tie = \"highest\"\n", "name = \"n\"\n", "seed = 1\n"})
    EXPECT_NE(of(other), plain) << other;
  EXPECT_EQ(of_toml("[judge]\nkind = \"batch-openai\"\nbase_url = \"http://other/v1\"\nmodel = \"m\"\n"), plain);
  EXPECT_EQ(describe_panel({}, {}).fingerprint(), "");
}

TEST(PanelConfig, TheLowestGradeOfEvidenceIsInTheFingerprintWhereThereAreGrades) {
  const auto of = [](const std::string& more) { return read("[judge]\n" + kServer + more).panel(); };
  const auto graded = of("prompt = \"umbrela-reworded\"\n");
  const auto strict = of("prompt = \"umbrela-reworded\"\nevidence_grade = 2\n");
  EXPECT_NE(graded.fingerprint(), strict.fingerprint());
  EXPECT_EQ(graded.evidence_grade(), 1);
  EXPECT_EQ(strict.evidence_grade(), 2);
  EXPECT_TRUE(strict.needs_queries());
}

TEST(PanelConfig, JudgesOfDifferentScalesMakeAPanelOfYesAndNo) {
  const auto config = read("[judge]\nevidence_grade = 2\n" + kServer +
                           "[[judges]]\nname = \"words\"\nprompt = \"dmerit-evidence\"\n"
                           "[[judges]]\nname = \"grades\"\nprompt = \"umbrela-reworded\"\n");
  EXPECT_EQ(config.problems, "");
  const auto panel = config.panel();
  EXPECT_TRUE(panel.mixed_scales());
  EXPECT_EQ(panel.evidence_grade(), 1);
  EXPECT_EQ(panel.judges.at(0).evidence_grade, 1);
  EXPECT_EQ(panel.judges.at(1).evidence_grade, 2);
}

TEST(PanelConfig, TheQueriesOfTheModelMayBeBareLines) {
  EXPECT_EQ(read("[judge]\n" + kServer + "[phrase]\nsource = \"judge\"\nprompt = \"dmerit-query\"\n").problems, "");
}

// Manifests of collections hold it.
TEST(PanelConfig, TheFingerprintNamesEachJudgeOnALine) {
  const auto text =
      read("[judge]\ntie = \"none\"\ncascade = true\n" + kServer + "[[judges]]\nkind = \"lexical\"\n[[judges]]\n")
          .panel()
          .fingerprint();
  EXPECT_EQ(text.substr(0, text.find("; openai")),
            "cascade 0.2 0.8; tie none\nlexical; 1 samples; threshold 0.5\nm; 1 samples");
}

}  // namespace
}  // namespace touchstone::pipeline::judging::stage
