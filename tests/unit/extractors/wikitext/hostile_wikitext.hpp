// This file is long because each kind of hostile text is listed in it.
#pragma once

#include "extractors/wikitext/wikitext_parser.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::extractors::wikitext::testing {

struct HostileText {
  std::string name;
  std::string wikitext;
};

inline std::string repeat(std::string_view piece, std::size_t bytes) {
  std::string text;
  text.reserve(bytes + piece.size());
  while (text.size() < bytes) text += piece;
  return text;
}

/// Texts of about `bytes` bytes that a reader with a quadratic step, or one that copies what it should share, takes
/// very long for: endless openings, endless runs of one construct, and one construct around or in front of a long text.
inline std::vector<HostileText> hostile_texts(std::size_t bytes) {
  static constexpr std::string_view kPieces[] = {
      // openings that nothing closes
      "[[",
      "{{",
      "{{{",
      "{|\n",
      "<div>",
      "<!--",
      "[[{{",
      "{{[[",
      "<ref>",
      "<ref",
      "-{",
      "-{{",
      "<pre>",
      "<nowiki>",
      "<gallery>",
      "<table><tr><td>",
      "<ul><li>",
      "[[File:a|",
      "[[a|",
      "{{#if:",
      "{{a|",
      "{{a|b=",
      "{{{a|",
      "[http://a ",
      "<includeonly>",
      "<noinclude>",
      "<onlyinclude>",
      "<math>",
      "<poem>",
      "<references>",
      "<blockquote>",
      "<span ",
      "<span a=\"",
      "<a",
      "</",
      "<",
      "[[Category:",
      "{{convert|",
      "{{nowrap|",
      "{{lang|fr|",
      "[[a|{{nowrap|",
      "<h2>",
      "{|\n|",
      "{|\n|-\n|\n",
      "[[#",
      "[[../",
      "__",
      "[[File:a|thumb|[[b|c]]",
      // closings of nothing
      "]]",
      "}}",
      "|}",
      "</div>",
      "</ref>",
      "-->",
      "}-",
      "</nowiki>",
      "</td>",
      "</li>",
      // runs
      "''''''",
      "'''",
      "''a",
      "a''\n",
      "==",
      "= =\n",
      "=a=\n",
      "\n=",
      "|",
      "||",
      "!!",
      "\n|",
      "\n|-",
      "\n!",
      "\n",
      "\n\n",
      "----\n",
      "#*:;\n",
      ";a:b\n",
      ":",
      "*",
      "*a\n",
      " a\n",
      ";",
      "http://",
      "http://a ",
      "//a:",
      "&amp",
      "&amp;",
      "&#",
      "&#x",
      "&#1234567890123456789",
      "~~~",
      "__NOTOC__",
      "__a__",
      "\x7F",
      "\x7F"
      "aaaaaa",
      "<br/>",
      "<ref name=a/>",
      "<ref name=a>b</ref>",
      "<ref>[[a]]</ref>",
      "<references/>",
      "{{!}}",
      "{{a}}",
      "{{a|b}}",
      "{{a|[[b]]}}",
      "{{{1}}}",
      "[[a]]",
      "[[a|b]]",
      "[[Category:a]]\n",
      "[[File:a.jpg|thumb|b]]",
      "[[de:a]]",
      "<!-- a -->",
      "<!-- a -->\n",
      "{{convert|1|km}}",
      "{{nowrap|a}}",
      "\xC3\xA9",
      "\xF0\x9F\x98\x80",
      "\xC2\xA0",
      "\xFF",
      "\r\n",
      "\t",
      "%20",
      "[[%41]]",
      "[[a_ _b]]",
      "{{#switch:a|b=c}}",
      "{{#expr:1+1}}",
      "<nowiki/>",
      "<gallery>\na|b\n</gallery>",
      "<td>",
      "<tr>",
      "<p>",
      "<li>",
      "<b/>",
      "<div/>",
      "{|\n|a\n|}\n",
      "\n{|",
      ":{|\n",
      "<imagemap>[[a]]</imagemap>",
      "[http://a b]",
      "ISBN 1 ",
      "<poem>[[a]]</poem>",
      "<pre>a</pre>",
      "<!---->",
      "~~~~",
      "{{#if:a|b|c}}",
      "{{#ifeq:a|b|c}}",
      "{{#switch:",
      "{{#tag:ref|a}}",
      "{{lc:",
      "{{#time:Y|2020-01-01}}",
      "{{#titleparts:a/b/c|1}}",
      "{{padleft:a|500|b}}",
      "{{formatnum:1234567}}",
      "{{PAGENAME}}",
      "{{:a}}",
      "{{subst:a}}",
      "{{ubl|",
      "{{ubl|a|b}}",
      "{{sfn|a|1}}",
      "{{IPAc-en|a|b}}",
      "{{coord|1|2|N|3|4|E}}",
      "{{val|1|u=m}}",
      "[[a#b|c]]",
      "[[:Category:a]]",
      "[[/a]]",
      "[[a]]b",
      "[[a|''b'']]",
      "[[a|[http://b c]]]",
      "[//a b]",
      "[mailto:a]",
      "&nbsp;",
      "&a;",
      "&#38;",
      "<ref follow=a>b</ref>",
      "<ref group=a>b</ref><references group=a/>",
      "<span style=\"a\">b</span>",
      "<b>",
      "</b>",
      "<i></i>",
      "<hr>",
      "<p></p>",
      "<dl><dd>",
      "<th>a",
      "<caption>",
      "<section begin=a/>",
      "<syntaxhighlight>a</syntaxhighlight>",
      "<indicator>[[a]]</indicator>",
      "\n;a\n:b",
      "\n*a\n**b\n#c",
      "{|\n!a||b\n|-\n|c||d\n|}\n",
      "{|\n|{{!}}a\n|}\n",
      "|-\n",
      "-{zh:a}-",
      "-{a|",
      "a\xCC\x81\xCC\x96",
      "[[\xCC\x81\xCC\x96]]",
      "\xE2\x80\x8E",
      "<!-- a\n",
      "=a=b=\n",
      "======a======\n==b==\n",
      "==[[a]]==\n",
      "\n=={{a}}==\n",
      "<h1>a</h1>",
      "#REDIRECT [[a]]\n",
  };
  std::vector<HostileText> texts;
  for (const std::string_view piece : kPieces) texts.push_back({std::string(piece), repeat(piece, bytes)});

  // Nested to the end and closed again.
  const auto nested = [&](std::string_view open, std::string_view close) {
    const std::size_t each = bytes / 2;
    const std::size_t times = each / open.size();
    texts.push_back({std::string(open) + "..." + std::string(close),
                     repeat(open, each) + "a" + repeat(close, times * close.size())});
  };
  nested("[[", "]]");
  nested("{{", "}}");
  nested("{{{", "}}}");
  nested("{{a|", "}}");
  nested("{{nowrap|", "}}");
  nested("{{a|b=", "}}");
  nested("-{", "}-");
  nested("{|\n|", "\n|}");
  nested("<div>", "</div>");
  nested("<table><tr><td>", "</td></tr></table>");
  nested("<ref>", "</ref>");
  nested("<gallery>", "</gallery>");
  nested("<poem>", "</poem>");
  nested("<poem>\n<poem>", "</poem>\n</poem>");
  nested("[[File:a|thumb|", "]]");
  nested("<ul><li>", "</li></ul>");
  nested("<!--", "-->");

  // One construct with a long inside, or in front of a long text.
  const auto around = [&](std::string_view open, std::string_view piece, std::string_view close) {
    texts.push_back({std::string(open) + "(" + std::string(piece) + ")*" + std::string(close),
                     std::string(open) + repeat(piece, bytes) + std::string(close)});
  };
  around("[[", "a", "]]");
  around("[[a|", "b", "]]");
  around("[[a|", "b ''c'' ", "]]");
  around("{{a", "|b", "}}");
  around("{{a", "|b=c", "}}");
  around("{{a", "|[[b]]", "}}");
  around("{{nowrap|1=", "|b=c", "}}");
  around("{{ubl", "|a", "}}");
  around("{{#switch:a", "|b", "|a=c}}");
  around("{{#switch:z", "|b=c", "}}");
  around("{{convert|1|km", "|b", "}}");
  around("{{", "a", "}}");
  around("{{#expr:", "1+", "1}}");
  around("{{#expr:", "(", "}}");
  around("{{#if:", "a", "|b|c}}");
  around("{{lc:", "A", "}}");
  around("{{anchorencode:", "<", "}}");
  around("{{#iferror:", "<p ", "|a|b}}");
  around("http://a&", ";", "");
  around("{{padleft:", "a", "|500|b}}");
  around("[[File:a.jpg", "|thumb", "]]");
  around("[[File:a.jpg|thumb|", "[[b]]", "]]");
  around("[[File:a.jpg|", "link=b|", "]]");
  around("{|\n", "!a!!", "\n|}");
  around("{|\n", "|a\n", "|}");
  around("{|\n", "|-\n|a\n", "|}");
  around("{|\n|", "a||", "\n|}");
  around("{|\n|", "rowspan=2|a||", "\n|}");
  around("{|\n", "|rowspan=1000 colspan=1000|a\n", "|}");
  around("{|\n", "|rowspan=1000 |a\n|-\n", "|}");
  around("{|\n|colspan=1000 rowspan=1000|", "a", "\n|-\n|}");
  around("{|\n|rowspan=1000|" + repeat("a", bytes / 2) + "\n", "|-\n", "|}");
  around("{|\n|rowspan=1000|" + repeat("[[a]] ", bytes / 2) + "\n", "|-\n", "|}");
  around("{|\n" + repeat("|a\n", bytes / 2), "|-\n", "|}");
  around("{|\n|+", "a", "\n|}");
  around("<div ", "a=b ", ">");
  around("<ref name=a ", "b=c ", ">d</ref>");
  around("<ref>", "[[a]]", "</ref>");
  around("<ref>", "{{cite|a=b}}", "</ref>");
  around("<gallery>\n", "a.jpg|[[b]]\n", "</gallery>");
  around("<gallery>", "<gallery>\na|b\n", "</gallery>");
  around("<imagemap>", "[[a]]\n", "</imagemap>");
  around("<math>", "a", "</math>");
  around("<pre>", "a\n", "</pre>");
  around("<pre>", "<nowiki>a", "</pre>");
  around("<syntaxhighlight>", "a\n", "</syntaxhighlight>");
  around("[http://", "a", " b]");
  around("[http://a ", "b ", "]");
  around("==", "a", "==");
  around(";", "a", ":b");
  around(";", "[[a]]", ":b");
  around(";", "http://a", "");
  around("''", "a'''", "''");
  around("*", "[[a]] ", "");
  around("* ", "[http://a b] ", "");
  around("<nowiki>", "[[a]]", "</nowiki>");
  around("<noinclude>", "a", "</noinclude>");
  around("#REDIRECT [[a]]", "[[b]]", "");
  around("<table>", "<tr><td>a", "</table>");
  around("<table>", "a", "</table>");
  around("<table>", "[[a]]", "</table>");
  around(repeat("*", 250), "\n*", "");
  around(repeat("<div>", 1250), "a\n\n", "");
  around(repeat("<ul><li>", 1500), "<li>a", "");
  around(repeat("{|\n|", 1000), "\n|a", "");
  around(repeat("{|\n|-\n", 1000), "a", "");
  around(repeat("{|\n|", 400), "</div><p>a", "");
  around(repeat("<table><tr><td>", 100), "<table>a", "");
  around(repeat("[[a|", 1000), "]] b ", "");

  around("[[a", "\xCC\x81\xCC\x96", "]]");
  around("[[a:", "\xCC\x81\xCC\x96", "]]");
  around("[[", "&amp;", "]]");
  around("[[", "%41", "]]");
  around("[[", "a:", "]]");
  around("[[", ":", "]]");
  around("[[", "../", "]]");
  around("[[a#", "b", "]]");
  around("[[File:a|link=", "%41", "]]");
  around("{{a", "\xCC\x81\xCC\x96", "}}");
  around("{{", "a:", "}}");
  around("{{", "&amp;", "}}");
  around("{{#switch:a", "|b=c", "|#default=d}}");
  around("{{#switch:{{{1|z}}}", "|{{{2|b}}}=c", "}}");
  around("{{#tag:ref", "|a=b", "}}");
  around("{{#time:", "Y", "}}");
  around("{{#titleparts:", "a/", "}}");
  around("{{urlencode:", "\xC3\xA9", "}}");
  around("{{formatnum:", "1", "}}");
  around("{{uc:", "\xC3\xA9", "}}");
  around("{{#if:a|", "{{nowrap|a}}", "}}");
  around("{{nowrap|", "[[a]]", "}}");
  around("{{nowrap|", "{{nowrap|a}}", "}}");
  around("{{lang|fr|", "''a'' ", "}}");
  around("{{coord", "|1", "}}");
  around("{{IPAc-en", "|a", "}}");
  around("{{sfn", "|a", "}}");
  around("{{hlist", "|a", "}}");
  around("{{val|", "1", "}}");
  around("{{convert|", "1", "|km}}");
  around("{{convert", "|1|x", "|km}}");
  around("{{nihongo", "|a", "}}");
  around("{{flag|", "a", "}}");
  around("{{main", "|a", "}}");
  around("{| ", "a=b ", "\n|}");
  around("{|\n| ", "a=b ", "|c\n|}");
  around("{|\n|", "a {|\n|b\n|}\n", "\n|}");
  around("<ref name=\"", "a", "\">b</ref>");
  around("<ref>", "\n{|\n|a\n|}", "</ref>");
  around("<ref>", "==a==\n", "</ref>");
  around("<references>", "<ref name=a>b</ref>", "</references>");
  around("<gallery caption=\"", "[[a]]", "\">\na|b\n</gallery>");
  around("<gallery>\na.jpg|", "[[b]] ", "\n</gallery>");
  around("<poem>", "[[a]]\n", "</poem>");
  around("<poem>", ":a\n", "</poem>");
  around("<pre>", "&amp;", "</pre>");
  around("[http://a ", "[[b]] ", "]");
  around("[http://a", "&lt;", " b]");
  around("* ", "''a'' '''b''' ", "");
  around("'''", "a''' b'' ", "");
  around("; ", "a : b ", "");
  around("= ", "a = ", "");
  around("<h2>", "[[a]]", "</h2>");
  around(repeat("=a=\n==b==\n===c===\n====d====\n", 1000), "=====e=====\n", "");
  around(repeat("<div>", 1250), "[[a]]<p>", "");
  around(repeat("<blockquote>", 2500), "a</p>", "");
  around(repeat("#*:;", 1000) + "a\n", "*b\n" + repeat("#*:;", 200) + "c\n", "");
  around(repeat("{{nowrap|", 800), "[[a]] ", repeat("}}", 170));

  // As many names as there are constructs.
  const auto numbered = [&](std::string_view open, std::string_view close) {
    std::string text;
    for (std::size_t i = 0; text.size() < bytes; ++i) text.append(open).append(std::to_string(i)).append(close);
    texts.push_back({std::string(open) + "N" + std::string(close), std::move(text)});
  };
  numbered("<ref name=a", ">b</ref>");
  numbered("<ref name=a", "/>");
  numbered("<ref group=a", ">[[b]]</ref>");
  numbered("<references group=a", "/>");
  numbered("{{a", "}}");
  numbered("{{a", "|b=c}}");
  numbered("{{a", "|[[b]]}}");
  numbered("[[a", "]]");
  numbered("[[:de:a", "]]");
  numbered("[[Category:a", "]]");
  numbered("[[File:a", ".jpg|thumb|b]]");
  numbered("==a", "==\n");
  numbered("{{{a", "}}}");
  numbered("{{convert|", "|km}}");
  numbered("{{#expr:", "*2}}");
  for (const std::string_view name : {"a", "nowrap", "convert", "ubl", "#switch:z"}) {
    std::string call = "{{" + std::string(name);
    for (std::size_t i = 0; call.size() < bytes; ++i) call.append("|").append(std::to_string(i)).append("=b");
    texts.push_back({"{{" + std::string(name) + "(|N=b)*}}", call + "}}"});
  }

  std::mt19937 random(20250101);
  constexpr std::string_view kMarkup = "[]{}|<>='\n*:;#!-/ab &_";
  std::string noise, markup;
  for (std::size_t i = 0; i < bytes; ++i) noise.push_back(static_cast<char>(random() & 0xFFU));
  for (std::size_t i = 0; i < bytes; ++i) markup.push_back(kMarkup[random() % kMarkup.size()]);
  texts.push_back({"random bytes", std::move(noise)});
  texts.push_back({"random markup", std::move(markup)});
  std::string constructs;
  while (constructs.size() < bytes) constructs += kPieces[random() % std::size(kPieces)];
  texts.push_back({"random constructs", std::move(constructs)});
  return texts;
}

/// Templates that multiply: each includes the one before it several times, or itself.
class TemplateBombs final : public PageLoader {
 public:
  TemplateBombs() {
    pages_["L0"] = "lol ";
    for (int i = 1; i < 30; ++i) pages_["L" + std::to_string(i)] = repeat("{{L" + std::to_string(i - 1) + "}}", 70);
    pages_["Twice"] = "{{{1}}}{{{1}}}";
    pages_["Loop"] = "{{Loop|{{{1}}}x}}";
    pages_["Loop a"] = "{{Loop b|{{{1}}}{{{1}}}}}";
    pages_["Loop b"] = "{{Loop a|{{{1}}}{{{1}}}}}";
    pages_["Long"] = repeat("a {{{1|b}}} ", 10'000);
    pages_["Switch"] = "{{#switch:{{{1}}}" + repeat("|a=b", 20'000) + "}}";
    pages_["Table"] = "{|\n| {{{1}}}\n|}";
    pages_["If"] = "{{#if:{{{1|}}}|{{If|{{{1}}}}}|x}}";
  }
  std::optional<std::string> load(const Title& title) const override {
    const auto found = pages_.find(title.text);
    if (found == pages_.end()) return std::nullopt;
    return found->second;
  }

  /// Texts to expand with them.
  static std::vector<HostileText> texts(std::size_t bytes) {
    std::vector<HostileText> texts;
    for (const std::string_view piece :
         {"{{L29}}", "{{L4}}", "{{L1}}", "{{Loop|a}}", "{{Loop a|b}}", "{{Long}}", "{{Switch|z}}", "{{Twice|a}}",
          "{{Table|a}}", "{{If|a}}", "{{absent}}", "{{absent|[[a]]}}", "{{lc:{{Long}}}}"})
      texts.push_back({"expand " + std::string(piece), repeat(piece, bytes)});
    const std::size_t half = bytes / 2;
    texts.push_back({"expand {{Twice|...}}", repeat("{{Twice|", half) + "a" + repeat("}}", half / 4)});
    texts.push_back({"expand {{Twice|... 90 deep", repeat("{{Twice|", 720) + repeat("a", half) + repeat("}}", 180)});
    texts.push_back({"expand {{Table|...}}", repeat("{{Table|", half) + "a" + repeat("}}", half / 4)});
    texts.push_back({"expand {{Long|(a)*}}", "{{Long|" + repeat("a", bytes) + "}}"});
    texts.push_back({"expand {{Twice|(a)*}} often", repeat("{{Twice|" + repeat("a", 1'000) + "}}", bytes)});
    return texts;
  }

 private:
  std::map<std::string, std::string> pages_;
};

}  // namespace touchstone::extractors::wikitext::testing
