#include "formats/html/html.hpp"

#include <gtest/gtest.h>

namespace touchstone::formats::html {
namespace {

TEST(Html, TextIsEscapedWhereverItStands) {
  const std::string foreign = "<b>\"Tom\" & 'Jerry'</b>";
  const std::string escaped = "&lt;b&gt;&quot;Tom&quot; &amp; &#39;Jerry&#39;&lt;/b&gt;";
  EXPECT_EQ(escape(foreign), escaped);
  EXPECT_EQ(Html(foreign).markup(), escaped);
  EXPECT_EQ(element("p", {}, foreign).markup(), "<p>" + escaped + "</p>");
  EXPECT_EQ(element("p", {{"title", foreign}}, "").markup(), "<p title=\"" + escaped + "\"></p>");
}

TEST(Html, ElementsNestWithoutBeingEscapedAgain) {
  const Html inner = element("em", {}, "a & b");
  EXPECT_EQ(element("p", {{"class", "x"}, {"id", "y"}}, inner, " < ", inner).markup(),
            "<p class=\"x\" id=\"y\"><em>a &amp; b</em> &lt; <em>a &amp; b</em></p>");
  EXPECT_EQ((inner + "!").markup(), "<em>a &amp; b</em>!");
}

TEST(Html, OnlyRawMarkupStaysAsItIs) {
  EXPECT_EQ(element("style", {}, raw("a > b {}")).markup(), "<style>a > b {}</style>");
  EXPECT_TRUE(Html().empty());
}

TEST(Html, AnEmptyElementClosesItself) {
  EXPECT_EQ(empty_element("rect", {{"x", "1.0"}}).markup(), "<rect x=\"1.0\"/>");
}

TEST(Html, JsonOfAScriptCannotEndItsElement) {
  EXPECT_EQ(script_json("{\"a\":\"</script>&\"}").markup(), "{\"a\":\"\\u003c/script\\u003e\\u0026\"}");
}

TEST(Html, PlaceholdersAreFilledOnceAndTheirValuesNotSearched) {
  EXPECT_EQ(fill("{{a}}-{{b}}-{{a}}", {{"a", "{{b}}"}, {"b", "<"}}), "{{b}}-&lt;-{{b}}");
  EXPECT_EQ(fill("nothing", {}), "nothing");
}

TEST(HtmlDeathTest, AnUnknownPlaceholderIsAProgrammersMistake) {
  EXPECT_DEATH(fill("{{c}}", {}), "known placeholders");
}

}  // namespace
}  // namespace touchstone::formats::html
