#pragma once

#include "common/settings.hpp"
#include "pipeline/automatic/selection/content_filter.hpp"
#include "pipeline/automatic/selection/predicate.hpp"
#include "pipeline/automatic/selection/topic_rules.hpp"
#include "pipeline/headings/heading_words.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::automatic::selection {

/// Where the links of query pages come from.
enum class LinkerSource : std::uint8_t {
  kNone,       ///< from the pages themselves
  kOwn,        ///< from a linker that learnt from the other pages of the wiki
  kKnowledge,  ///< from a linker that learnt from the wiki of `knowledge`
  kTerms,      ///< from a linker that knows the terms and the linked phrases of all pages: for books
  kFile        ///< from a linker with a dictionary of `touchstone link-entities`
};

/// Which pages become queries of an automatic collection, and what of them. Several threads may read one object.
struct AutomaticOptions {
  std::string name;  ///< of the collection
  std::string select = "true";
  std::int64_t min_sections = 3;
  bool drop_lead = false;
  bool drop_images = true;
  bool drop_forbidden_headings = true;
  std::vector<std::string> heading_languages, forbidden_headings, allowed_headings;
  std::int64_t min_heading_letters = 3;
  std::int64_t max_heading_characters = 100;
  std::vector<TopicRule> title_rules = {TopicRule::kShort,       TopicRule::kList,       TopicRule::kNavigation,
                                        TopicRule::kDate,        TopicRule::kNumber,     TopicRule::kMiscellaneous,
                                        TopicRule::kTranslation, TopicRule::kBoilerplate};
  std::vector<TopicRule> heading_rules = {TopicRule::kNumber, TopicRule::kMiscellaneous, TopicRule::kBoilerplate};
  std::int64_t min_title_letters = 2;
  double boilerplate_share = 0.1;
  std::string review;
  std::int64_t folds = 5;
  std::string salt;
  std::int64_t seed = 1;
  bool include_lists = false;
  bool include_captions = false;
  bool include_tables = false;
  std::int64_t min_passage_words = 8;
  bool baseline_run = true;
  std::string linker;     ///< "own", "terms", or a file
  std::string knowledge;  ///< work directory of a wiki

  LinkerSource linker_source() const;
  SplitScheme split_scheme() const { return {salt, static_cast<std::uint32_t>(folds)}; }
  ContentRules content_rules() const;
  /// The words of the wiki's language, of languages in other scripts and of automatic.heading_languages, with the
  /// headings that the options add and take away.
  headings::HeadingWords words_for(std::string_view language) const;

  static std::vector<Option<AutomaticOptions>> options();
  /// Checks the text of automatic.select, without its files.
  static std::vector<std::string> problems(const Settings& settings);
};

}  // namespace touchstone::pipeline::automatic::selection
