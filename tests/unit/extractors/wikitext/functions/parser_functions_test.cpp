#include "extractors/site/moment.hpp"
#include "extractors/wikitext/functions/expression.hpp"
#include "tests/unit/extractors/wikitext/wikitext_fixture.hpp"

#include <array>
#include <ctime>

#include <gtest/gtest.h>

namespace touchstone::extractors::wikitext::testing {
using site::read_fixed_moment;
using site::SiteInfo;
namespace {

/// What a call shows and what MediaWiki 1.39 shows for it.
struct Call {
  const char* wikitext;
  const char* shown;
  const char* language = "en";
};
void PrintTo(const Call& call, std::ostream* out) {
  *out << call.language << " " << call.wikitext;
}

std::string shown(const Call& call) {
  SiteInfo site = SiteInfo::make_default(call.language);
  site.base_url = "https://en.example.org/wiki/Main_Page";
  WikitextOptions options;
  options.now = read_fixed_moment("2026-05-31T12:34:56Z");
  options.collect_text = true;
  const Document document = parse_wikitext(site, TemplateRules::built_in("en"), {kNamespaceMain, "T"},
                                           std::string("x") + call.wikitext, options);
  return document.text.empty() ? "" : document.text.substr(1, document.text.size() - 2);
}

class Expressions : public ::testing::TestWithParam<Call> {};
TEST_P(Expressions, AreComputedAsMediaWikiDoes) {
  EXPECT_EQ(shown({("{{#expr:" + std::string(GetParam().wikitext) + "}}").c_str(), ""}), GetParam().shown);
}
INSTANTIATE_TEST_SUITE_P(ParserFunctions, Expressions,
                         ::testing::Values(Call{"-2^2", "4"}, Call{"- 3 + 5", "2"}, Call{"1e3e2", "100000"},
                                           Call{"2^3^2", "64"}, Call{"not 2 = 2", "0"}, Call{"abs -3 + 1", "4"},
                                           Call{"-7 mod 3", "-1"}, Call{"7.5 fmod 2", "1.5"}, Call{"0*-1", "-0"},
                                           Call{"1e15", "1.0E+15"},
                                           Call{"trunc 123456789012345678", "123456789012345680"},
                                           Call{"1/3", "0.33333333333333"}, Call{"1.005 round 2", "1.01"},
                                           Call{"155 round -2", "200"}, Call{"4.35*100", "435"},
                                           Call{"1e300*1e300", "INF"}, Call{"&minus;1 &lt; 0", "1"}, Call{"", ""}));

class ExpressionErrors : public ::testing::TestWithParam<Call> {};
TEST_P(ExpressionErrors, AreThoseOfMediaWikiAndShowNothing) {
  const auto result = functions::internal::evaluate(GetParam().wikitext);
  EXPECT_TRUE(result.failed);
  EXPECT_EQ(result.text, GetParam().shown);
  EXPECT_EQ(shown({("{{#expr:" + std::string(GetParam().wikitext) + "}}").c_str(), ""}), "");
}
INSTANTIATE_TEST_SUITE_P(ParserFunctions, ExpressionErrors,
                         ::testing::Values(Call{"7/0", "Division by zero."},
                                           Call{"(1", "Expression error: Unclosed bracket."},
                                           Call{"1,000", "Expression error: Unrecognized punctuation character \",\"."},
                                           Call{"abc", "Expression error: Unrecognized word \"abc\"."},
                                           Call{"1 2", "Expression error: Unexpected number."},
                                           Call{"1 +", "Expression error: Missing operand for +."},
                                           Call{"round 2", "Expression error: Unexpected round operator."}));

class Functions : public ::testing::TestWithParam<Call> {};
TEST_P(Functions, ShowWhatMediaWikiShows) {
  EXPECT_EQ(shown(GetParam()), GetParam().shown);
}
INSTANTIATE_TEST_SUITE_P(Logic, Functions,
                         ::testing::Values(Call{"{{#ifeq:01|1|y|n}}", "y"}, Call{"{{#ifeq:1e3|1000|y|n}}", "y"},
                                           Call{"{{#ifeq:10000000000000000|10000000000000001|y|n}}", "n"},
                                           Call{"{{#ifexpr:abc|y|n}}", ""}, Call{"{{#iferror:{{#expr:1/0}}|y|n}}", "y"},
                                           Call{"{{#iferror:<div class=\"x error y\">a</div>|y|n}}", "y"},
                                           Call{"{{#iferror:<b class=\"error\">a</b>|y|n}}", "n"}));
INSTANTIATE_TEST_SUITE_P(NumbersAtTheirLimits, Functions,
                         ::testing::Values(Call{"{{#expr:-trunc(2^63)}}", "9.2233720368548E+18"},
                                           Call{"{{#expr:abs(trunc(2^63))}}", "9.2233720368548E+18"},
                                           Call{"{{#titleparts:A/b|99999999999999999999|2}}", "b"},
                                           Call{"{{#time:xrU|@5000000}}", "5000000"},
                                           Call{"{{#time:xrY|9999-01-01}}", "MMMMMMMMMCMXCIX"},
                                           Call{"{{#time:xrG|2025-01-05 00:00}}", "0"},
                                           Call{"{{#time:xhU|@4294967297}}", "4294967297"},
                                           Call{"{{ns:4294967298}}", ""}));
INSTANTIATE_TEST_SUITE_P(
    Titles, Functions,
    ::testing::Values(Call{"{{#titleparts:fr:A/b|1}}", "fr:A"}, Call{"{{#titleparts:A/b/c|-1}}", "A/b"},
                      Call{"{{#rel2abs:../a|b/c}}", "b/a"}, Call{"{{#rel2abs:./../c//d/.|a/b}}", "a/c/d"},
                      Call{"{{ns:8.0}}", "MediaWiki"}, Call{"{{nse:3}}", "User_talk"},
                      Call{"{{anchorencode:a  [[b|c]] <b>d</b>}}", "a_c_d"},
                      Call{"{{anchorencode:_a%20b_}}", "a%2520b"},
                      Call{"{{fullurl:a b#c}}", "//en.example.org/wiki/A_b#c"},
                      Call{"{{canonicalurl:Media:a.jpg}}", "https://en.example.org/wiki/File:A.jpg"},
                      Call{"{{localurl:a&amp;b|x=y}}", "/index.php?title=A%26b&x=y"},
                      Call{"{{#special:search/x}}", "Special:Search/x"}, Call{"{{SERVERNAME}}", "en.example.org"}));
INSTANTIATE_TEST_SUITE_P(
    Texts, Functions,
    ::testing::Values(
        Call{"{{formatnum:-1234567.5}}", "\u22121,234,567.5"},
        Call{"{{formatnum:1234 m and 56789}}", "1,234 m and 56,789"}, Call{"{{formatnum:1e10}}", "10,000,000,000"},
        Call{"{{formatnum:1234567.5}}", "1.234.567,5", "de"}, Call{"{{formatnum:1.234,5|R}}", "1234.5", "de"},
        Call{"{{formatnum:1234}}", "1234", "es"}, Call{"{{formatnum:1234567}}", "12,34,567", "ta"},
        Call{"{{formatnum:12}}", "۱۲", "fa"}, Call{"{{plural:-1|a|b}}", "a"}, Call{"{{plural:12|12=x|a|b}}", "x"},
        Call{"{{plural:1,000|a|b|1000=x}}", "x"}, Call{"{{plural:-3|a|b|-3=x}}", "x"},
        Call{"{{plural:1.5|a|b|1.5=x}}", "x"}, Call{"{{plural:5|a|inf=b}}", "inf=b"},
        Call{"{{plural:16|a|b|0x10=x}}", "b"}, Call{"{{plural:12|a|12 =x}}", "12 =x"},
        Call{"{{plural:12|a|b|12.0=x}}", "b"}, Call{"{{plural:3|a|b|+3=x}}", "b"}, Call{"{{plural:3|a|k3=x}}", "a"},
        Call{"{{plural:3|a|b|c}}", "b", "ru"}, Call{"{{plural:2|a|b}}", "b", "ja"}, Call{"{{#language:de}}", "Deutsch"},
        Call{"{{#dateformat:2001-02-03|mdy}}", "February 3, 2001"}, Call{"{{int:nothing}}", ""}));
INSTANTIATE_TEST_SUITE_P(WordsOfTheLanguage, Functions,
                         ::testing::Values(Call{"{{SEITENNAME}}", "T", "de"}, Call{"{{seitenname}}", "", "de"},
                                           Call{"{{GROSS:abc}}", "ABC", "de"}, Call{"{{#если:x|a|b}}", "a", "ru"},
                                           Call{"{{NOMPAGE}}", "T", "fr"},
                                           Call{"{{CURRENTMONTHNAME}}", "lopu mieness", "ltg"}));
INSTANTIATE_TEST_SUITE_P(
    Moments, Functions,
    ::testing::Values(Call{"{{#time:Y-m-d|1899}}", "1899-05-31"}, Call{"{{#time:Y-m-d|3.2.2001}}", "2001-02-03"},
                      Call{"{{#time:Y-m-d|44-03-15}}", "2044-03-15"}, Call{"{{#time:Y-m-d|2/3/01}}", "2001-02-03"},
                      Call{"{{#time:Y-m-d|2001-W05-6}}", "2001-02-03"}, Call{"{{#time:Y-m-d|2001-034}}", "2001-02-03"},
                      Call{"{{#time:Y-m-d|2001-Feb-03}}", "2001-02-03"},
                      Call{"{{#time:Y-m-d|12 Feb 01}}", "2001-02-12"}, Call{"{{#time:H:i|2001-02-03 4pm}}", "16:00"},
                      Call{"{{#time:H:i|2001-02-03T04:05:06+02:00}}", "02:05"},
                      Call{"{{#time:Y-m-d|2001-02-03 next monday}}", "2001-02-05"},
                      Call{"{{#time:Y-m-d|last day of February 2001}}", "2001-02-28"},
                      Call{"{{#time:Y-m-d|fourth thursday of november 2020}}", "2020-11-26"},
                      Call{"{{#time:xij xiF xiY|2024-12-30}}", "10 Dey 1403"},
                      Call{"{{#time:xmj xmF xmY|2024-12-30}}", "28 Jumada al-thani 1446"},
                      Call{"{{#time:xjj xjF xjY|2000-03-05}}", "28 Adar I 5760"},
                      Call{"{{#time:xkY xoY xtY|2024-12-30}}", "2567 113 令和6"},
                      Call{"{{#time:xhxjY|2001-02-03}}", "ה'תשס\"א"}, Call{"{{#time:Y|0001-01-01}}", "0001"},
                      Call{"{{#time:j xg|2001-02-03}}", "3 helmikuun", "fi"},
                      Call{"{{#time:j xnj|2001-02-03}}", "۳ 3", "fa"}));

/// What is quadratic takes minutes here.
TEST(ParserFunctions, LongArgumentsAndManyCallsAreReadSoon) {
  constexpr std::size_t kBytes = 300'000;
  constexpr double kMaxSeconds = 5;
  for (const auto& [begin, piece, end] :
       std::vector<std::array<std::string, 3>>{{"{{anchorencode:", "[", "}}"},
                                               {"{{anchorencode:", "<", "}}"},
                                               {"{{#iferror:", "<p ", "}}"},
                                               {"{{#expr:", "(", "}}"},
                                               {"{{#expr:", "1+", "1}}"},
                                               {"{{formatnum:", "-1", "}}"},
                                               {"{{formatnum:", "1", "}}"},
                                               {"{{#time:Y|", "1 ", "}}"},
                                               {"{{#time:", "xmYxjY", "|2001-01-01}}"},
                                               {"", "{{plural:3|a|b}}", ""},
                                               {"", "{{#language:de}}", ""},
                                               {"{{#rel2abs:", "/..", "|a}}"},
                                               {"urn:a&", ";", ""},
                                               {"", "http://a|", ""}}) {
    std::string wikitext = begin;
    while (wikitext.size() < kBytes) wikitext += piece;
    const std::clock_t start = std::clock();
    shown({(wikitext + end).c_str(), ""});
    EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, kMaxSeconds) << begin << piece;
  }
}

}  // namespace
}  // namespace touchstone::extractors::wikitext::testing
