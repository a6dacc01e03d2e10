#include "common/secrets.hpp"

#include <string>

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>

namespace touchstone {
namespace {

constexpr const char* kKey = "sk-Test/0123+never~shown";

std::string hidden(std::string text) {
  SecretFinder({kKey}).hide(text);
  return text;
}

TEST(SecretFinder, ASecretIsFoundInEveryFormOfAnEcho) {
  EXPECT_EQ(hidden("key sk-Test/0123+never~shown, and more"), "key ***, and more");
  EXPECT_EQ(hidden("SK-TEST/0123+NEVER~SHOWN"), "***");
  EXPECT_EQ(hidden(R"("sk-Test\/0123+never~shown")"), R"("***")");
  EXPECT_EQ(hidden(R"("\u0073\u006b-Test\u002F0123\u002bnever~shown!")"), R"("***!")");
  EXPECT_EQ(hidden(R"({\"a\":\"\\u0073k-Test\\\/0123+never~shown\"})"), R"({\"a\":\"***\"})");
  EXPECT_EQ(hidden("?key=sk-Test%2F0123%2Bnever%7Eshown&x=1"), "?key=***&x=1");
  EXPECT_EQ(hidden("sk-Test%252f0123%25252bnever~shown"), "***");
  EXPECT_EQ(hidden("<b>sk-Test&#47;0123&#x2B;never&amp;#126;shown</b>"), "<b>***</b>");
  EXPECT_EQ(hidden("x736b2d546573742f303132332b6e657665727e73686f776ex"), "x***x");
  EXPECT_EQ(hidden(std::string("s\0k\0-\0T\0e\0s\0t\0/\0000\0001\0002\0003\0+\0n\0e\0v\0e\0r\0~\0s\0h\0o\0w\0n", 47)),
            "***");
}

TEST(SecretFinder, SignsThatAreNamedAsInHtmlAreRead) {
  EXPECT_EQ(hidden("\"sk&hyphen;Test&sol;0123&plus;never~shown\""), "\"***\"");
  EXPECT_EQ(hidden("a &lt;b&gt; &notanentity; &amp; &sol"), "a &lt;b&gt; &notanentity; &amp; &sol");
}

TEST(SecretFinder, SixteenBytesOfALongerSecretAreHidden) {
  const SecretFinder finder({"sk-0123456789abcdefghijklmnopqrstuvwxyz"});
  for (const auto& [text, shown] : std::vector<std::pair<std::string, std::string>>{
           {"cut: sk-0123456789abc", "cut: ***"},
           {"the end ...klmnopqrstuvwxyz", "the end ...***"},
           {"from inside 9ABCDEFGHIJKLMNOP and on", "from inside *** and on"},
           {"sk-0123456789ab", "sk-0123456789ab"},  // fifteen
           {"all sk-0123456789abcdefghijklmnopqrstuvwxyz.", "all ***."}}) {
    auto seen = text;
    finder.hide(seen);
    EXPECT_EQ(seen, shown);
  }
}

TEST(SecretFinder, Base64IsFoundAtEachAlignment) {
  // Of the key alone, and with one and two bytes ahead; the last in the alphabet of URLs.
  EXPECT_EQ(hidden("\"c2stVGVzdC8wMTIzK25ldmVyfnNob3du\""), "\"***\"");
  EXPECT_EQ(hidden("\"PHNrLVRlc3QvMDEyMytuZXZlcn5zaG93bj4=\""), "\"***\"");
  EXPECT_EQ(hidden("\"Ojpzay1UZXN0LzAxMjMrbmV2ZXJ-c2hvd24=\""), "\"***\"");
}

TEST(SecretFinder, ASecretIsFoundWhereverItStands) {
  const SecretFinder finder({kKey, "another-secret", "sixsix"});
  const std::string parts = "sk-Test/sixsiother-sk-Testanother-secreSIXSI";  // beginnings that lead nowhere
  for (const std::string secret : {kKey, "ANOTHER-secret", "sixsix", "616e6f746865722D736563726574"}) {
    for (std::size_t ahead = 0; ahead < parts.size(); ++ahead) {
      for (std::size_t behind = 0; behind < 8; ++behind) {
        auto text = parts.substr(0, ahead) + " " + secret + " " + parts.substr(0, behind);
        EXPECT_TRUE(finder.hide(text)) << ahead << ' ' << behind;
        EXPECT_EQ(text, parts.substr(0, ahead) + " *** " + parts.substr(0, behind));
      }
    }
  }
}

TEST(SecretFinder, ASecretThatIsShortWithoutItsEscapesIsFound) {
  for (std::string text : {"p%40ss", "p@ss"}) {
    EXPECT_TRUE(SecretFinder({"p%40ss"}).hide(text));
    EXPECT_EQ(text, "***");
  }
  std::string text = "nothing is left of it";
  EXPECT_FALSE(SecretFinder({"&#0;&#0;", "%252541"}).hide(text));
}

TEST(SecretFinder, OtherTextStaysAsItIs) {
  for (const std::string text : {"", "sk-Test", R"({"a":"b\\n\u00e9 100% &amp; &#65;"})", "\\", "%", "&#", "\\u12"})
    EXPECT_EQ(hidden(text), text);
  std::string text = "short short";
  EXPECT_FALSE(SecretFinder({"short"}).hide(text)) << "it stands in any text by chance";
}

TEST(SecretFinder, APasswordThatIsEscapedInItsUrlIsFoundInBothForms) {
  for (std::string text : {"p%40ss-word", "p@ss-word"}) {
    EXPECT_TRUE(SecretFinder({"p%40ss-word"}).hide(text));
    EXPECT_EQ(text, "***");
  }
}

TEST(Secrets, WhileOneIsKeptACrashLeavesNoCoreDump) {
  keep_secret("sk-kept-0123456789");
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_CORE, &limit), 0);
  EXPECT_EQ(limit.rlim_cur, 0U);
#if !defined(__SANITIZE_ADDRESS__)
  EXPECT_EQ(::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), 0);
#endif
  std::string text = "is sk-kept-0123456789 here?";
  EXPECT_TRUE(hide_secrets(text));
  EXPECT_EQ(text, "is *** here?");
}

}  // namespace
}  // namespace touchstone
