#pragma once

#include "pipeline/judging/judge.hpp"
#include "pipeline/judging/lexical/compared_words.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::judging::lexical {

using StemSet = std::set<std::string>;

/// The words of a list by their part in it. Each word belongs to one part.
struct ListWords {
  StemSet head;     ///< what is listed: "lighthouses"
  StemSet scope;    ///< where, or by whom: the rest of the title, "Ostrand"
  StemSet section;  ///< words of the headings and the column's header that the title does not hold

  StemSet title() const;
};

/// Takes the title and the headings of lists apart.
class ListReader {
 public:
  /// \param stemmer   Snowball's name, or empty for none
  /// \param prefixes  how list titles start, or with a leading '*' end
  ListReader(std::string stemmer, std::vector<std::string> prefixes);

  /// In "List of lighthouses of Ostrand" the head stands before the first function word. Where the word for "list"
  /// comes last ("オストラの灯台一覧"), it stands behind the last one.
  ListWords read(const JudgeRequest& request, corpus::TermSplitter& splitter) const;

 private:
  bool says_nothing(const std::string& stem, const corpus::TermSplitter& splitter) const;
  void read_title(std::string_view title, bool head_last, corpus::TermSplitter& splitter, ListWords& words) const;

  Endings endings_;
  std::vector<std::string> prefixes_;
  StemSet function_words_;
};

}  // namespace touchstone::pipeline::judging::lexical
