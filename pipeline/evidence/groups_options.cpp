#include "pipeline/evidence/groups_options.hpp"

#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/header_pattern.hpp"

#include <memory>

#include <unicode/regex.h>

namespace touchstone::pipeline::evidence {

std::vector<std::string> GroupsOptions::list_prefixes_for(const std::string& language) const {
  return list_prefixes.empty() ? corpus::list_prefixes(language) : list_prefixes;
}

std::vector<std::string> GroupsOptions::list_words_for(const std::string& language) const {
  auto words = corpus::list_prefixes(language);
  words.insert(words.end(), list_prefixes.begin(), list_prefixes.end());
  return words;
}

std::string GroupsOptions::header_for(const std::string& language) const {
  return header.empty() && columns == ColumnChoice::kAll ? default_header(language) : header;
}

std::vector<Option<GroupsOptions>> GroupsOptions::options() {
  using G = GroupsOptions;
  return {
      {"groups.sources", &G::sources,
       "Where members are found on a list page: \"table\" (columns of tables) and \"list-item\" (links at the "
       "beginning "
       "of bulleted and numbered items, one group for each section; also tables that only set out links)."},
      {"groups.list_prefixes", &G::list_prefixes,
       "How titles of list pages start, such as \"List of\", or end, such as \"*saroksts\". Empty: those known for the "
       "language."},
      {"groups.header", &G::header,
       "Regular expression, ignoring case, that must match in a column's header; words alone match whole words. Empty: "
       "any header; with groups.columns = \"all\", the words for names in the wiki's language."},
      {"groups.columns", &G::columns,
       "subject: of each table, the column that says what a row is about; columns of countries, years or clubs in a "
       "list "
       "of champions are attributes. all: every column with such a header, as published for D-MERIT."},
      {"groups.mode", &G::mode,
       "strict: a cell that is empty or has no article discards its column. lenient: the cell is dropped."},
      {"groups.min_members", &G::min_members, between(1, 1e6),
       "Lenient mode: columns with fewer distinct members are discarded."},
      {"groups.min_resolved_ratio", &G::min_resolved_ratio, between(0, 1),
       "Lenient mode: lowest share of a column's non-empty cells that must lead to an article of the wiki. Of a list "
       "of 8 cells or more 0.34 is enough, of 8 members or more a third."},
      {"groups.max_backlinks", &G::max_backlinks, between(1, 1e9),
       "A column is discarded if more articles than this link to one of its members."},
      {"groups.max_overlap", &G::max_overlap, between(0, 1),
       "A column is discarded if it shares at least this part of its members (Jaccard) with another that stays; 0: "
       "keep all."},
  };
}

std::vector<std::string> GroupsOptions::problems(const Settings& settings) {
  std::vector<std::string> problems;
  const auto& groups = settings.get<GroupsOptions>();
  if (groups.sources.empty()) problems.emplace_back("groups.sources is empty: name \"table\", \"list-item\" or both");
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::RegexPattern> pattern(
      icu::RegexPattern::compile(icu::UnicodeString::fromUTF8(groups.header), UREGEX_CASE_INSENSITIVE, status));
  if (U_FAILURE(status))
    problems.push_back("groups.header is \"" + groups.header + "\", which is no regular expression");
  return problems;
}

}  // namespace touchstone::pipeline::evidence
