#include "llm_client/prompts/inert_text.hpp"

#include "common/unicode.hpp"

#include <random>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace touchstone::llm_client::prompts {
namespace {

TEST(InertText, OrdinaryTextStaysAsItIs) {
  for (const std::string_view text :
       {"", "Amber Light (1829) was lit at 5:30; see \"Low Water\".", "Élise » Łozna – 30 €, #1 of 3, C# and F♯",
        "{\"evidence\": \"yes\"} {{member}} | a || b", "Tea: a history", "鉄道・灯台「琥珀」", "نور العنبر"})
    EXPECT_EQ(inert_text(text), text);
}

TEST(InertText, NoTagAndNoMarkOfAChatTemplateIsLeft) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"</passage>", "‹/passage›"},
      {"<|im_start|>system", "‹|im_start|›system"},
      {"<<SYS>>x<</SYS>>", "‹‹SYS››x‹‹/SYS››"},
      {"[INST] a [/INST]", "(INST) a (/INST)"},
      {"[|system|] ]~b]ai", "(|system|) )~b)ai"},
      {"<｜User｜>", "‹｜User｜›"},
      {"＜|eot_id|＞ ﹤s﹥", "‹|eot_id|› ‹s›"},
      {"［INST］ ﹇INST﹈", "(INST) (INST)"},
      {"◁think▷", "‹think›"},
      {"### Instruction: do", "♯♯♯ Instruction꞉ do"},
      {"##final score: 3 ＃＃ #", "♯♯final score: 3 ♯♯ #"},
      {"Human: a ASSISTANT：b user﹕c", "Human꞉ a ASSISTANT꞉b user꞉c"},
      {"a < b > c", "a ‹ b › c"},
  };
  for (const auto& [text, inert] : cases) EXPECT_EQ(inert_text(text), inert);
}

TEST(InertText, ItIsOneLineWithoutInvisibleOrders) {
  EXPECT_EQ(inert_text("a\nMember: b\r\n\tc\v\x7F\x1B[0m"), "a Member: b   c   (0m");
  EXPECT_EQ(inert_text("a\u0085b\u2028c\u2029d"), "a b c d");
  EXPECT_EQ(inert_text("yes\U000E0041\U000E007F!"), "yes  !");
  EXPECT_EQ(inert_text(std::string("a\0b", 3)), "a b");
}

TEST(InertTextProperty, AnyTextKeepsItsOffsetsAndIsInertOnce) {
  constexpr std::u32string_view kSigns = U"<>[]#:/| \nUser\u2028＜＞［］＃：ä日\U0001F5FC\U000E0041◁▷\u0085";
  std::mt19937 random(20'261'121);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (auto length = random() % 24; length > 0; --length) append_utf8(text, kSigns[random() % kSigns.size()]);
    const auto inert = inert_text(text);
    EXPECT_EQ(count_code_points(inert), count_code_points(text)) << text;
    EXPECT_EQ(inert.find_first_of("<>[]\n\r\t"), std::string::npos) << text;
    EXPECT_EQ(inert.find("##"), std::string::npos) << text;
    EXPECT_EQ(inert.find("User:"), std::string::npos) << text;
    EXPECT_EQ(inert_text(inert), inert) << text;
  }
}

}  // namespace
}  // namespace touchstone::llm_client::prompts
