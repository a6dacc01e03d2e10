#include "pipeline/automatic/selection/automatic_options.hpp"

#include "collection/automatic/automatic_files.hpp"

#include <fmt/format.h>

namespace touchstone::pipeline::automatic::selection {

LinkerSource AutomaticOptions::linker_source() const {
  if (!knowledge.empty()) return LinkerSource::kKnowledge;
  if (linker.empty()) return LinkerSource::kNone;
  if (linker == "own") return LinkerSource::kOwn;
  return linker == "terms" ? LinkerSource::kTerms : LinkerSource::kFile;
}

ContentRules AutomaticOptions::content_rules() const {
  ContentRules rules;
  rules.drop_lead = drop_lead;
  rules.drop_images = drop_images;
  rules.drop_forbidden_headings = drop_forbidden_headings;
  rules.min_heading_letters = static_cast<std::size_t>(min_heading_letters);
  rules.max_heading_characters = static_cast<std::size_t>(max_heading_characters);
  rules.min_sections = static_cast<std::size_t>(min_sections);
  rules.list_items = include_lists;
  rules.captions = include_captions;
  return rules;
}

headings::HeadingWords AutomaticOptions::words_for(std::string_view language) const {
  auto words = headings::wiki_heading_words(language);
  for (const auto& further : heading_languages) headings::add_language(words, further);
  for (const auto& heading : forbidden_headings) words.forbidden.add(heading);
  for (const auto& heading : allowed_headings) {
    words.forbidden.remove(heading);
    words.boilerplate.remove(heading);
  }
  return words;
}

std::vector<Option<AutomaticOptions>> AutomaticOptions::options() {
  using A = AutomaticOptions;
  return {
      {"automatic.name", &A::name,
       "Name of the automatic collection. Empty: made from the wiki's name and the day of its newest revision."},
      {"automatic.select", &A::select,
       "Predicate that chooses the query pages (docs/selection.md). Redirects, disambiguation pages and categories are "
       "never query pages."},
      {"automatic.min_sections", &A::min_sections, between(0, 1000),
       "Pages with fewer sections at the top level that hold a passage, after the filters, are no query pages."},
      {"automatic.drop_lead", &A::drop_lead, "Remove the text that is in no section from query pages: the lead."},
      {"automatic.drop_images", &A::drop_images, "Remove images and their captions."},
      {"automatic.drop_forbidden_headings", &A::drop_forbidden_headings,
       "Remove sections such as \"See also\", in the wiki's language, with everything below them."},
      {"automatic.heading_languages", &A::heading_languages,
       "Further languages whose headings, dates and lists are known, for wikis in several languages: codes such as "
       "\"de\". The wiki's own language and those in scripts that it is not written in are known without this."},
      {"automatic.forbidden_headings", &A::forbidden_headings,
       "Further headings to remove; * matches any text, # digits, % a Roman numeral."},
      {"automatic.allowed_headings", &A::allowed_headings,
       "Headings to keep although configs/headings/ lists them, written as there, or although they recur."},
      {"automatic.min_heading_letters", &A::min_heading_letters, between(0, 100),
       "Headings with fewer letters are removed, and what is below them belongs to the section around it; a Han, Kana "
       "or "
       "Hangul character counts as two. 0: none."},
      {"automatic.max_heading_characters", &A::max_heading_characters, between(0, 100000),
       "Sections whose heading has more characters are removed. 0: none."},
      {"automatic.title_rules", &A::title_rules, "Rules that keep a page with such a title from being a query page."},
      {"automatic.heading_rules", &A::heading_rules, "Rules that keep such a heading from being a facet."},
      {"automatic.min_title_letters", &A::min_title_letters, between(0, 100),
       "The rule \"short\" applies to titles and headings with fewer letters, counted as for headings."},
      {"automatic.boilerplate_share", &A::boilerplate_share, between(0, 1),
       "A heading on more than this share of the articles is boilerplate if the texts below it are of few moulds, as "
       "those of a robot are. 0: only the headings of configs/headings/ are."},
      {"automatic.review", &A::review,
       "File in which a person decided what to keep, drop or reword. Empty: no review. A run with a review obeys it."},
      {"automatic.folds", &A::folds, between(1, collection::automatic::kMostFolds),
       "Number of folds that titles are parted into by their hash."},
      {"automatic.salt", &A::salt,
       "Salt of the hash that parts titles into training, test and folds. Empty: the parts of TREC CAR; any other text "
       "gives an independent split."},
      {"automatic.seed", &A::seed, between(0, 9007199254740991),
       "Seed of everything random, such as the order of the corpus."},
      {"automatic.include_lists", &A::include_lists, "Make list items passages too."},
      {"automatic.include_captions", &A::include_captions, "Make captions of images passages too."},
      {"automatic.include_tables", &A::include_tables, "Make rows of tables passages too, as text."},
      {"automatic.min_passage_words", &A::min_passage_words, between(0, 1000),
       "A paragraph with fewer words becomes part of the one in front of it in its section, or else of the next; alone "
       "in its section it is left out. So do list items within their list, where they are passages. A Han, Kana or "
       "Hangul character counts as a word."},
      {"automatic.baseline_run", &A::baseline_run,
       "Write a run of BM25 on the titles of the test pages and its scores into the collection. It takes a processor "
       "second for "
       "some "
       "10,000 passages, and room for its index meanwhile."},
      {"automatic.linker", &A::linker,
       "Entity linker whose links replace those of query pages, for pages that nobody linked: the file of a dictionary "
       "(docs/entity-linking.md), \"own\" for one that learns from the other pages, or \"terms\" for the terms of a "
       "book. Empty: the links of the pages."},
      {"automatic.knowledge", &A::knowledge, OptionEffect::kRemembered,
       "Finished work directory of a wiki, for a book: its pages join the knowledge base and the corpus, and query "
       "pages "
       "get the links that a linker finds which learnt from it. Then automatic.linker may be empty or \"terms\", which "
       "makes no difference."},
  };
}

std::vector<std::string> AutomaticOptions::problems(const Settings& settings) {
  std::vector<std::string> problems;
  const auto& automatic = settings.get<AutomaticOptions>();
  if (automatic.include_captions && automatic.drop_images)
    problems.emplace_back("automatic.include_captions needs automatic.drop_images = false, which keeps the captions");
  if (!automatic.knowledge.empty() && !automatic.linker.empty() && automatic.linker != "terms")
    problems.push_back("automatic.linker is \"" + automatic.linker +
                       "\", but automatic.knowledge names the wiki that the linker learns from; leave out one of them");
  for (const auto& language : automatic.heading_languages) {
    if (!headings::has_heading_file(language)) {
      problems.push_back("automatic.heading_languages has \"" + language + "\", but configs/headings/ has " +
                         fmt::format("{}", fmt::join(headings::heading_languages(), ", ")) + " only");
    }
  }
  PredicateContext context;
  context.splits = automatic.split_scheme();
  context.read_files = false;
  try {
    (void)parse_predicate(automatic.select, context);
  } catch (const PredicateError& error) {
    problems.push_back("automatic.select, " + std::string(error.what()));
  }
  return problems;
}

}  // namespace touchstone::pipeline::automatic::selection
