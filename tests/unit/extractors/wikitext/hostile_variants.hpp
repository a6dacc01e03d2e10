#pragma once

#include "tests/unit/extractors/wikitext/hostile_wikitext.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::testing {

/// Texts of about `bytes` bytes for the wikis that have forms for several scripts: forms without end, forms in forms,
/// forms of endless entries, and definitions that would replace very much or that would be looked for very long.
inline std::vector<HostileText> hostile_variant_texts(std::size_t bytes) {
  static constexpr std::string_view kPieces[] = {"-{",
                                                 "-{-{",
                                                 "-{zh:",
                                                 "-{zh-hans:",
                                                 "-{H|",
                                                 "-{A|sr-ec:a;sr-el:b",
                                                 "}-",
                                                 "-{}-",
                                                 "-{;",
                                                 "-{zh:;",
                                                 "-{|",
                                                 "-{zh:a|",
                                                 "-{\n",
                                                 "-{\n\n",
                                                 "-{&amp;",
                                                 "-{&a",
                                                 "-{a=>",
                                                 "-{a=>zh:",
                                                 "=>zh:",
                                                 "-{zh    :a;   ",
                                                 "-{[[a]]",
                                                 "-{zh-hans:a;zh-hant:b}-",
                                                 "-{H|sr-ec:a;sr-el:b}-",
                                                 "-{H|sr-ec:a;sr-el:b}- b ",
                                                 "-{-|sr-ec:a;sr-el:b}-",
                                                 "-{D|a=>zh:b;a=>sr:b}-",
                                                 "-{N|zh}-",
                                                 "-{zh;sr|a}-",
                                                 "-{sr|a}-",
                                                 "\n* -{zh:a;\nzh-hant:b}-",
                                                 "''-{zh:'''a;zh-hant:b''}-",
                                                 "[[a|-{zh:b;zh-hant:c}-]]",
                                                 "-{zh:[[a]];zh-hant:[[b]]}-",
                                                 "-{<ref>a</ref>}-",
                                                 "<ref>-{zh:a;zh-hant:b}-</ref>",
                                                 "{|\n|-{zh:a||",
                                                 "; -{zh:a:b}- : c\n",
                                                 "[http://a -{zh:b}-]",
                                                 "http://a-{zh:b}-",
                                                 "[[File:a|thumb|-{a|b}-|c]]",
                                                 "[[File:a|thumb|-{",
                                                 "__NOCC__-{a}-",
                                                 "<poem>-{a",
                                                 "<gallery>\na|-{b|c}-\n</gallery>"};
  std::vector<HostileText> texts;
  for (const std::string_view piece : kPieces) texts.push_back({std::string(piece), repeat(piece, bytes)});

  const auto around = [&](std::string_view open, std::string_view piece, std::string_view close) {
    texts.push_back({std::string(open) + "(" + std::string(piece) + ")*" + std::string(close),
                     std::string(open) + repeat(piece, bytes) + std::string(close)});
  };
  for (const std::string_view open : {"-{", "-{zh:", "-{H|sr:a;sr-el:"})
    texts.push_back({std::string(open) + "..." + "}-", repeat(open, bytes / 2) + "a" + repeat("}-", bytes / 2)});
  for (const std::string_view open : {"-{", "-{A|", "-{D|"}) {
    for (const std::string_view piece :
         {"zh:a;", "sr:[[a]];", "a=>zh:b;", "a=>sr:b;", "a;", "a", "&a;", ":", "=>", "\n", "\n* a", "[[a]] ", "''a'' "})
      around(open, piece, "}-");
  }
  around(repeat("-{", 20), "a ", repeat("}-", 20));
  around(repeat("-{", 20), "[[a]] ", repeat("}-", 20));
  around("{|\n| -{", "a||", "}-\n|}");
  around("{|\n!-{zh:", "a!!", "}-\n|}");
  around("{|\n| " + repeat("-{", 20), "a||", repeat("}-", 20));
  around("* -{", "[http://a b] ", "}-");
  around("-{zh:a;", " ", "zh-hant:b}-");
  around("-{", "[[a]] ", "");
  for (const std::string_view piece : {"a", "a ", "a\n", "a:", "http://a ", "news:", "news:::", "&", "&a;", "<b>a</b>",
                                       "-{a", "a-{a}-", "[[a]]", "[http://a a]"})
    around("-{H|sr-ec:b;sr-el:a}-", piece, "");

  const std::string half(bytes / 2, 'a');
  texts.push_back({"a long word for a short one", "-{H|sr-ec:" + half + ";sr-el:a}-" + half});
  texts.push_back({"a short word for a long one", "-{H|sr-ec:b;sr-el:" + half + "}-" + half + "a"});
  std::string long_tails, long_heads, many;
  for (std::size_t i = 1; long_tails.size() < bytes / 2; ++i) {
    long_tails += "-{H|sr-ec:b;sr-el:a" + std::string(i, 'b') + "}-";
    long_heads += "-{H|sr-ec:b;sr-el:" + std::string(i, 'a') + "b}-";
  }
  for (std::size_t i = 0; many.size() < bytes / 2; ++i) many += "-{H|sr-ec:b;sr-el:a" + std::to_string(i) + "}-";
  texts.push_back({"words of all lengths", long_tails + half});
  texts.push_back({"words of all lengths with one start", long_heads + half});
  texts.push_back({"many words", many + repeat("a1 ", bytes / 2)});
  return texts;
}

}  // namespace touchstone::extractors::wikitext::testing
