#include "pipeline/automatic/selection/automatic_options.hpp"

#include "tests/support/error_message.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline::automatic::selection {
namespace {

using testing::message_of;

Settings automatic_settings() {
  const OptionGroup* const groups[] = {&option_group<AutomaticOptions>()};
  return Settings(groups);
}

std::string problems_of(const std::string& toml) {
  auto read = automatic_settings();
  read.read_text(toml, "x.toml");
  read.check();
  return message_of<ConfigError>([&] { read.throw_if_problems(); });
}

TEST(AutomaticOptions, TheExampleConfigHasTheDefaults) {
  auto read = automatic_settings();
  read.read_file(TS_SOURCE_DIR "/configs/automatic.toml");
  read.check();
  EXPECT_NO_THROW(read.throw_if_problems());
  const auto defaults = automatic_settings();
  for (std::size_t i = 0; i < defaults.size(); ++i)
    EXPECT_EQ(read.value_text(i), defaults.value_text(i)) << defaults.row(i).key;
}

TEST(AutomaticOptions, ABadPredicateIsAProblemWithItsColumn) {
  EXPECT_NE(problems_of("[automatic]\nselect = 'is-redirct'")
                .find("automatic.select, column 1: there is no predicate \"is-redirct\"; did you mean is-redirect?"),
            std::string::npos);
  EXPECT_NE(problems_of("[automatic]\nselect = 'fold 7'").find("folds 0 to 4"), std::string::npos);
  EXPECT_EQ(problems_of("[automatic]\nselect = 'fold 7'\nfolds = 8"), "no error");
  EXPECT_EQ(problems_of("[automatic]\nselect = 'name-set-from-file titles'"), "no error")
      << "files are read by the run";
}

TEST(AutomaticOptions, CaptionsOfDroppedImagesAreAProblem) {
  EXPECT_NE(problems_of("[automatic]\ninclude_captions = true").find("drop_images"), std::string::npos);
  EXPECT_EQ(problems_of("[automatic]\ninclude_captions = true\ndrop_images = false"), "no error");
}

TEST(AutomaticOptions, FurtherLanguagesAddTheirHeadings) {
  AutomaticOptions options;
  EXPECT_FALSE(options.words_for("en").forbidden.matches("Siehe auch"));
  options.heading_languages = {"de"};
  EXPECT_TRUE(options.words_for("en").forbidden.matches("Siehe auch"));
  EXPECT_TRUE(options.words_for("en").forbidden.matches("See also"));
  EXPECT_TRUE(options.words_for("en").lists.matches("Liste der Leuchttürme"));
  EXPECT_FALSE(options.words_for("ja").forbidden.matches("注释"));
  options.heading_languages = {"zh"};
  EXPECT_TRUE(options.words_for("ja").forbidden.matches("注释"));
  EXPECT_NE(problems_of("[automatic]\nheading_languages = ['ja', 'xx']")
                .find("has \"xx\", but configs/headings/ has cs, da, de, en"),
            std::string::npos);
  EXPECT_EQ(problems_of("[automatic]\nheading_languages = ['ja', 'zh-hant']"), "no error");
}

TEST(AutomaticOptions, LanguagesInOtherScriptsAreKnownWithoutAnOption) {
  const AutomaticOptions options;
  for (const auto* language : {"en", "simple", "de", "ltg", "ru", "uk"})
    EXPECT_TRUE(options.words_for(language).forbidden.matches("関連項目")) << language;
  EXPECT_TRUE(options.words_for("en").lists.matches("灯台の一覧"));
  EXPECT_TRUE(options.words_for("en").dates.matches("3月12日"));
  EXPECT_TRUE(options.words_for("en").forbidden.matches("См. также"));
  EXPECT_FALSE(options.words_for("uk").forbidden.matches("См. также")) << "Ukrainian has the same letters";
  EXPECT_FALSE(options.words_for("zh").forbidden.matches("関連項目")) << "Chinese has the same characters";
  EXPECT_FALSE(options.words_for("ja").forbidden.matches("See also")) << "Latin letters stand everywhere";
  EXPECT_FALSE(options.words_for("no such language").forbidden.matches("関連項目"));
}

TEST(AutomaticOptions, OptionsReachTheRules) {
  auto read = automatic_settings();
  read.read_text(
      "[automatic]\nmin_sections = 4\ndrop_lead = true\nforbidden_headings = ['Plot']\n"
      "allowed_headings = ['Awards']\nsalt = 'x'\nfolds = 10\n",
      "x.toml");
  const auto& options = read.get<AutomaticOptions>();
  EXPECT_EQ(options.content_rules().min_sections, 4U);
  EXPECT_TRUE(options.content_rules().drop_lead);
  EXPECT_EQ(options.split_scheme(), (SplitScheme{"x", 10}));
  const auto words = options.words_for("en");
  EXPECT_TRUE(words.forbidden.matches("plot"));
  EXPECT_FALSE(words.forbidden.matches("awards"));
  EXPECT_EQ(AutomaticOptions().content_rules(), ContentRules());
}

}  // namespace
}  // namespace touchstone::pipeline::automatic::selection
