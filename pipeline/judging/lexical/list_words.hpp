#pragma once

#include "pipeline/judging/judge.hpp"
#include "pipeline/judging/lexical/compared_words.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::judging::lexical {

using StemSet = std::set<std::string>;
/// Words in their order.
using StemPhrase = std::vector<std::string>;

/// A phrase of a list's name: what is between two function words, "Aki Province".
struct ListPhrase {
  std::string text;  ///< as it is written
  StemSet words;
  /// Of "observing sites" it says what kind of thing they are: the last word, or the first in languages that put it
  /// first.
  std::string noun;
  /// Its first word and the noun, if there are words between them: "Apache Software Foundation projects" are also
  /// called Apache projects. Empty otherwise.
  StemPhrase short_form;
  /// What the wiki calls the same thing; `find_synonyms` fills them. Also what a conjunction adds: "chapels" of
  /// "churches and chapels".
  std::vector<StemPhrase> synonyms;
};

/// The phrases of a list by their part in its name. Each word belongs to one part.
struct ListWords {
  std::vector<ListPhrase> head;     ///< what is listed: "lighthouses"
  std::vector<ListPhrase> scope;    ///< where, or by whom: the rest of the title, "Ostrand"
  std::vector<ListPhrase> section;  ///< the innermost heading, without the words of the title
  /// Lists under other headings of the page are lists of their own: only the heading tells which one this is.
  bool section_tells = false;
  bool titled_list = false;  ///< the title or the heading has the word for "list"
  bool list_page = false;    ///< the title has it
  /// Nothing but the title of a page that is not a list: it names a subject ("Debug Board"), not what is listed there.
  bool subject_only = false;
  /// The page is not a list by its title ("Cooking"). Words do not tell whether the title or the heading names its
  /// members.
  bool bare_title = false;
  bool heading_listed = false;  ///< of such a page: the head is its heading, not a column's header
  bool header_repeats = false;  ///< of such a page: the column's header names the same kind, "Eyepieces" and "Eyepiece"
  bool title_listed = false;    ///< of such a page: the head is its title
  bool kind_known = false;      ///< the members' own leads use the noun of the head
  bool heading_unsaid = false;  ///< fewer than a fifth of them use the noun of the heading
  bool scope_implied = false;   ///< the title names a wider kind, which the lead of an own article need not say
  bool scope_named = false;     ///< the title of such a page is a name, "Jakarta Project"
  bool heading_sorts = false;   ///< the heading only sorts the members; they need not say it
};

/// Takes the title and the headings of lists apart.
class ListReader {
 public:
  /// \param stemmer   Snowball's name, or empty for none
  /// \param prefixes  how list titles start, or with a leading '*' end
  ListReader(std::string stemmer, std::vector<std::string> prefixes);

  /// In "List of lighthouses of Ostrand" the head is before the first function word. Where the word for "list"
  /// comes last ("オストラの灯台一覧"), it is behind the last one. A title of one phrase that is not a title of a list
  /// ("Cooking") is the scope of what its innermost heading ("Pies"), or else the column's header, names.
  ListWords read(const JudgeRequest& request, text::TermSplitter& splitter) const;

 private:
  bool says_nothing(const std::string& stem, const text::TermSplitter& splitter) const;
  bool is_gloss(std::string_view heading, text::TermSplitter& splitter, std::vector<ListPhrase>& known) const;
  std::vector<ListPhrase> phrases(std::string_view text, text::TermSplitter& splitter, StemSet& said) const;

  Endings endings_;
  bool head_first_;  ///< "îles désertes": the noun is in front of what describes it
  std::vector<std::string> prefixes_;
  StemSet function_words_, conjunctions_;
};

}  // namespace touchstone::pipeline::judging::lexical
