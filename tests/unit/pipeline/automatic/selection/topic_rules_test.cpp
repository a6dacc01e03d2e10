#include "pipeline/automatic/selection/topic_rules.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::automatic::selection {
namespace {

using Rule = TopicRule;
const std::vector<Rule> kAllRules = {Rule::kShort,  Rule::kList,          Rule::kNavigation,  Rule::kDate,
                                     Rule::kNumber, Rule::kMiscellaneous, Rule::kTranslation, Rule::kBoilerplate};

TopicRules rules_for(const char* language) {
  return {headings::heading_words(language), kAllRules, kAllRules, 3};
}

std::string title_flags(const char* text, const char* language = "en") {
  return topic_flags_text(rules_for(language).flags_of_title(text));
}

TEST(TopicRules, EachRuleFlagsItsTexts) {
  EXPECT_EQ(title_flags("Green sea turtle"), "");
  EXPECT_EQ(title_flags("Pi"), "short");
  EXPECT_EQ(title_flags("List of lighthouses"), "list");
  EXPECT_EQ(title_flags("Main Page"), "navigation");
  EXPECT_EQ(title_flags("See also"), "navigation") << "forbidden headings are no topics";
  EXPECT_EQ(title_flags("1984"), "short date number");
  EXPECT_EQ(title_flags("12 March"), "date");
  EXPECT_EQ(title_flags("19th century"), "date");
  EXPECT_EQ(title_flags("July 3 (Lunisolar)"), "date");
  EXPECT_EQ(title_flags("42!"), "short number");
  EXPECT_EQ(title_flags("Other"), "miscellaneous");
  EXPECT_EQ(title_flags("Overview"), "boilerplate");
  EXPECT_EQ(title_flags("Overview of lamps"), "");
  EXPECT_EQ(title_flags("Lamps/old"), "navigation") << "a copy";
  EXPECT_EQ(title_flags("Lamps/de"), "translation");
  EXPECT_EQ(title_flags("Lamps/pt-br"), "translation");
  EXPECT_EQ(title_flags("Lamps/zh tw"), "translation");
  EXPECT_NE(title_flags("Lamps/de luxe lamps"), "translation");
  EXPECT_EQ(title_flags("Lamps/Lenses"), "");
  EXPECT_EQ(title_flags("TCP/IP"), "");
  EXPECT_EQ(title_flags(""), "short number");
}

TEST(TopicRules, WordsAreThoseOfTheWikisLanguage) {
  EXPECT_EQ(title_flags("Liste der Leuchttürme", "de"), "list");
  EXPECT_EQ(title_flags("Sonstiges", "de"), "miscellaneous");
  EXPECT_EQ(title_flags("Other", "de"), "");
  EXPECT_EQ(title_flags("List of lighthouses", "ltg"), "");
  EXPECT_EQ(title_flags("その他", "ja"), "miscellaneous");
  EXPECT_EQ(title_flags("1984年", "ja"), "short date");
  EXPECT_EQ(title_flags("List of lighthouses", "xx"), "") << "an unknown language has the rules without words";
  EXPECT_EQ(title_flags("1984", "xx"), "short date number");
}

TEST(TopicRules, RulesCanBeOffForTitlesAndHeadingsApart) {
  const std::vector<Rule> titles = {Rule::kList}, headings = {Rule::kDate, Rule::kMiscellaneous};
  const TopicRules rules(headings::heading_words("en"), titles, headings, 3);
  EXPECT_EQ(topic_flags_text(rules.flags_of_title("1984")), "");
  EXPECT_EQ(topic_flags_text(rules.flags_of_title("List of years")), "list");
  EXPECT_EQ(topic_flags_text(rules.flags_of_heading("1984")), "date");
  EXPECT_EQ(topic_flags_text(rules.flags_of_heading("List of years")), "");
}

TEST(TopicRules, CountersAddUp) {
  const auto rules = rules_for("en");
  TopicRuleCounts counts, more;
  counts.add_title(rules.flags_of_title("1984"));
  more.add_title(rules.flags_of_title("Pi"));
  more.add_heading(rules.flags_of_heading("Other"));
  counts += more;
  EXPECT_EQ(counts.titles, (std::array<std::uint64_t, kTopicRules>{2, 0, 0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(counts.headings, (std::array<std::uint64_t, kTopicRules>{0, 0, 0, 0, 0, 1, 0, 0}));
}

TEST(TopicRules, AGlossaryAndAnIndexOnlyLeadElsewhere) {
  const auto rules = rules_for("en");
  const std::vector<std::string> glossary{"glossary"}, index{"index"}, article{"good article"};
  EXPECT_EQ(topic_flags_text(rules.flags_of_title("Words of pottery", glossary)), "navigation");
  EXPECT_EQ(topic_flags_text(rules.flags_of_title("Words of pottery", index)), "navigation");
  EXPECT_EQ(topic_flags_text(rules.flags_of_title("Words of pottery", article)), "");
}

formats::car::Page page_of(const std::string& text) {
  formats::car::Page page;
  page.name = "David";
  page.skeleton = {{formats::car::Section{"About", "About", {{formats::car::Paragraph{"p", {text}}}}}}};
  return page;
}

TEST(TopicRules, APageOfSomebodyAboutHimselfIsNoTopic) {
  const TopicRule on[] = {TopicRule::kNavigation};
  const TopicRules rules(headings::heading_words("en"), on, {}, 0);
  std::string text = "I’m David, and this is my page. I like fries.";
  for (int i = 0; i < 6; ++i) text += " I work on lights of the harbour, and my team helps me.";
  EXPECT_EQ(topic_flags_text(rules.flags_of_page(page_of(text))), "navigation");
  std::string other = "David wrote: \"I saw the light\".";
  for (int i = 0; i < 6; ++i) other += " He worked on lights of the harbour, and his team helped him.";
  EXPECT_EQ(topic_flags_text(rules.flags_of_page(page_of(other))), "");
  EXPECT_EQ(topic_flags_text(rules.flags_of_page(page_of("I am David."))), "") << "too few words";
  EXPECT_EQ(topic_flags_text(TopicRules(headings::heading_words("fi"), on, {}, 0).flags_of_page(page_of(text))), "");
}

}  // namespace
}  // namespace touchstone::pipeline::automatic::selection
