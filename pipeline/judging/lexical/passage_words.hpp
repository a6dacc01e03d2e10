#pragma once

#include "pipeline/judging/judge.hpp"
#include "pipeline/judging/lexical/corpus_statistics.hpp"
#include "pipeline/judging/lexical/denials.hpp"
#include "pipeline/judging/lexical/list_words.hpp"

#include <string>
#include <vector>

namespace touchstone::pipeline::judging::lexical {

/// Share of the idf mass of phrases that `words` hold, 0 to 1. A phrase is also there where one of its synonyms is.
/// 0 without phrases.
/// \param text  sentences as sequences of words; no synonym goes across two of them
double share_of(const std::vector<ListPhrase>& phrases, const std::vector<const StemPhrase*>& text,
                const CorpusStatistics& statistics);

/// A passage in words, as the judge reads it about one member.
///
/// Words of the member's names and of links to it are taken out: they say where it is spoken of, and nothing about it.
/// So are words that are denied.
class PassageWords {
 public:
  /// \param titled_list  the title of the list says that it is one
  PassageWords(const JudgeRequest& request, bool titled_list, text::TermSplitter& splitter, Endings endings,
               const Denials& denials);

  /// Takes out nouns of the list that are part of another's name, "Ferry" in "the Brenna Ferry and ...": neighbours say
  /// nothing about the member. Only in passages of others.
  void leave_out_names(const ListWords& list);

  /// Replaces compounds of the list's nouns, and names of women made from them, by the nouns: "Wassermühle" and
  /// "Bürgermeisterin" by those of "Mühlen" and "Bürgermeister". For languages that write compounds in one word.
  void join_forms(const ListWords& list);

  /// Share of phrases in the sentences about the member: in its own article those of the lead, the first two of a
  /// section, and those that name it; in others the words around its name in those that name it, and the words that
  /// introduce a list of which it is an item ("The shrines of Aki are:").
  double near(const std::vector<ListPhrase>& phrases, const CorpusStatistics& statistics) const;
  /// The same, where the title of another's page counts too if it is the whole scope: on the page "Ashlands" what is
  /// said is said of the Ashlands.
  double near_on_page(const std::vector<ListPhrase>& phrases, const std::vector<ListPhrase>& scope,
                      const CorpusStatistics& statistics) const;
  /// In the first sentence.
  double first(const std::vector<ListPhrase>& phrases, const CorpusStatistics& statistics) const;
  /// In the first two sentences.
  double beginning(const std::vector<ListPhrase>& phrases, const CorpusStatistics& statistics) const;
  /// In the sentence that has the most of them.
  double in_one_sentence(const std::vector<ListPhrase>& phrases, const CorpusStatistics& statistics) const;
  /// True if a sentence about the member has a noun of the phrases.
  /// \param first  only the first two sentences of the passage are looked at
  bool has_noun(const std::vector<ListPhrase>& phrases, bool first) const;
  /// True if near the member a noun of `heads` follows words of `scope` closely: "a Debian based distribution".
  bool is_compound(const std::vector<ListPhrase>& scope, const std::vector<ListPhrase>& heads,
                   const CorpusStatistics& statistics) const;
  /// True if a noun of the phrases follows the member's name closely and is part of no other name: "the tension key, a
  /// tool for ...".
  bool is_called(const std::vector<ListPhrase>& heads) const;
  /// True if the member's title has a word of the phrases.
  bool name_has_word(const std::vector<ListPhrase>& phrases) const;
  /// In the passage. The title of its page counts, unless the page is the member's own.
  double anywhere(const std::vector<ListPhrase>& phrases, const CorpusStatistics& statistics) const;
  /// Words between the member and the nearest near word of the phrases; in an own article that does not name it, from
  /// the beginning. Infinite without any.
  double distance(const std::vector<ListPhrase>& phrases) const;

 private:
  struct Sentence {
    StemPhrase words;  ///< empty strings where the member is named
    bool near = false;
    // For each word:
    std::vector<bool> introduces;  ///< it introduces a list with the member
    std::vector<bool> capital;     ///< it begins with a capital letter
  };
  void leave_to_subject(StemPhrase& words) const;
  void narrow();
  std::vector<const StemPhrase*> sentences(bool near_only) const;

  std::vector<Sentence> sentences_;
  StemPhrase title_;  ///< of another's page
  StemPhrase name_;   ///< title of the member
  bool own_ = false;
};

}  // namespace touchstone::pipeline::judging::lexical
