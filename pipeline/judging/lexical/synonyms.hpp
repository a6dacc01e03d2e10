#pragma once

#include "common/stop.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/judging/lexical/list_words.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace touchstone::pipeline::judging::lexical {

/// What a wiki calls the thing that a phrase names.
struct Synonyms {
  std::set<PageId> articles;                    ///< that the phrase names
  std::vector<StemPhrase> defining;             ///< phrases of their first sentences that the members of lists share
  std::vector<StemPhrase> titles;               ///< of the article and of the redirects to it
  std::map<StemPhrase, std::uint64_t> anchors;  ///< texts of links to it, with their number
};

/// Looks up the articles that phrases name (their words are those of the title or of a redirect) and what else the wiki
/// calls them. Reads each title of the store once, and the pages that link to the articles found. Throws Interrupted on
/// a stop request.
/// \param phrases  texts
/// \param stemmer  Snowball's name, or empty for none
/// \return         by text; only those that name an article
std::map<std::string, Synonyms> find_synonyms(const storage::Store& store, const corpus::TitleIndex& titles,
                                              const std::set<std::string>& phrases, const std::string& stemmer,
                                              const StopFlag& stop);

}  // namespace touchstone::pipeline::judging::lexical
