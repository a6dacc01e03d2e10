#pragma once

#include "pipeline/headings/heading_words.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::pipeline::survey {

/// Counts the headings of a wiki that a language uses for sections such as "See also", for all languages with a file in
/// configs/headings/, so that the languages of a wiki can be told. Not thread-safe, but for `knows`.
class HeadingCensus {
 public:
  HeadingCensus();

  /// Whether some language knows the heading. Thread-safe.
  bool knows(std::string_view heading) const;
  /// Adds a heading that some language knows.
  void add(const std::string& heading) { ++headings_[heading]; }

  /// Language -> headings of the wiki that it knows.
  std::map<std::string, std::uint64_t> counts() const;

  /// The language whose headings the wiki has, if it has ten times as many of them as of those of `language`, and so
  /// many for its size as wikis in that language; else empty. A few are loans from a neighbouring language. Empty too
  /// for a `language` whose own headings are not known, such as Komi. \param pages  articles of the wiki
  std::string likely_language(const std::string& language, std::uint64_t pages) const;

  /// The languages that are needed besides `language`: each knows many headings that those before it do not know.
  /// \param pages  articles of the wiki
  std::vector<std::pair<std::string, std::uint64_t>> further(std::string_view language, std::uint64_t pages) const;

 private:
  using Words = headings::PhraseSet;
  std::map<std::string, Words> languages_;
  std::map<std::string, std::uint64_t> headings_;
};

}  // namespace touchstone::pipeline::survey
