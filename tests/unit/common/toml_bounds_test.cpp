#include "common/toml_bounds.hpp"

#include "common/settings.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone {
namespace {

/// `parts` parts of a key.
std::string key(std::size_t parts, const std::string& part = "a") {
  std::string text = part;
  for (std::size_t i = 1; i < parts; ++i) text += "." + part;
  return text;
}

TEST(TomlBounds, FindsKeysWithTooManyParts) {
  constexpr auto kMost = kMaxTomlKeyParts;
  EXPECT_EQ(line_of_deep_toml_key(key(kMost) + " = 1\n[" + key(kMost) + "]\n"), 0U);
  EXPECT_EQ(line_of_deep_toml_key("x = 1\n" + key(kMost + 1) + " = 1"), 2U);
  EXPECT_EQ(line_of_deep_toml_key("[" + key(kMost + 1) + "]"), 1U);
  EXPECT_EQ(line_of_deep_toml_key("[[" + key(kMost + 1) + "]]"), 1U);
  EXPECT_EQ(line_of_deep_toml_key("x = {y = {" + key(kMost + 1) + " = 1}}"), 1U);
  EXPECT_EQ(line_of_deep_toml_key(key(kMost + 1, "\"b\"") + " = 1"), 1U);
  EXPECT_EQ(line_of_deep_toml_key(key(kMost + 1, " 'b' ") + " = 1"), 1U);
}

TEST(TomlBounds, PointsInTextsAndCommentsAreNoKeys) {
  const auto dots = std::string(100, '.');
  EXPECT_EQ(line_of_deep_toml_key("x = \"" + dots + "\\\"" + dots + "\" # " + dots + "\n"), 0U);
  EXPECT_EQ(line_of_deep_toml_key("x = '" + dots + "\\'\ny = '" + dots + "'"), 0U);
  EXPECT_EQ(line_of_deep_toml_key("x = \"\"\"" + dots + "\n\"" + dots + "\\\"\"\"" + dots + "\"\"\"\n"), 0U);
  EXPECT_EQ(line_of_deep_toml_key("x = \'\'\'" + dots + "\n'" + dots + "\'\'\'\n" + key(50)), 3U);
  EXPECT_EQ(
      line_of_deep_toml_key("x = [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5]"),
      0U);
  EXPECT_EQ(line_of_deep_toml_key("x = \"" + dots), 0U);
  EXPECT_EQ(line_of_deep_toml_key("x = \"\\"), 0U);
}

TEST(TomlBounds, ADeepKeyIsAProblemOfTheSettingsAndNoOverflow) {
  Settings settings(std::span<const OptionGroup* const>{});
  settings.read_text(key(1'000'000) + " = 1", "file.toml");
  settings.read_text("[" + key(1'000'000) + "]", "file.toml");
  settings.read_text("a = " + std::string(1'000'000, '['), "file.toml");
  settings.read_text("a = " + std::string(300'000, '{'), "file.toml");
  try {
    settings.throw_if_problems();
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("file.toml line 1: a key has more than 16 parts"), std::string::npos);
  }
}

}  // namespace
}  // namespace touchstone
