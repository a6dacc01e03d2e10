#pragma once

#include "common/ids.hpp"
#include "extractors/site/site_info.hpp"
#include "formats/car/records.hpp"
#include "pipeline/automatic/selection/automatic_options.hpp"
#include "pipeline/automatic/selection/selection_counts.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::automatic {

/// The texts of topics and facets that a person reworded, by page and headings; all others are their titles and
/// headings.
using Wordings = std::map<std::vector<std::string>, std::string>;

/// The text of a topic or facet: what a person worded, else the title and the headings with blanks between, without
/// those that the next one repeats.
std::string wording(const formats::car::Page& page, const Wordings& wordings, const std::vector<std::string>& headings);

/// What became of a page that was made ready to be a query page.
struct Preparation {
  bool is_query_page = false;           ///< false: too few sections with a passage were left
  selection::FilterCounts removed;      ///< by the filters
  selection::TopicRuleCounts flagged;   ///< headings that rules keep from being facets
  std::uint64_t reviewed = 0;           ///< headings that a person dropped
  std::uint64_t reviewed_sections = 0;  ///< of them, those at the top level
  std::vector<review::ReviewRow> rows;  ///< for the next review: the topic, and all headings after the filters
  Wordings wordings;
};

/// Everything that decides which pages are query pages and what of them: predicate, filters, rules and review. Thread-
/// safe.
class QueryPages {
 public:
  /// Throws PredicateError, and FormatError or StorageError for files that the options name.
  /// \param boilerplate  further headings for the rule of this name
  QueryPages(const selection::AutomaticOptions& options, const extractors::site::SiteInfo& site,
             const std::vector<std::string>& boilerplate = {});
  QueryPages(const QueryPages&) = delete;
  QueryPages& operator=(const QueryPages&) = delete;

  /// Whether the page, as it is in the wiki, is a query page, and if not, why.
  selection::PageOutcome assess(const formats::car::Page& page) const;

  /// Removes from a query page what the filters, the rules for headings and the review remove. What is below a
  /// heading that is not a facet belongs to the section around it.
  Preparation prepare(formats::car::Page& page) const;

  selection::TitleSplit split(std::string_view title) const;
  /// The decisions that were read; empty without a file.
  const review::Review& review() const noexcept { return review_; }

 private:
  void drop_headings(std::vector<formats::car::Skeleton>& children, std::vector<std::string>& path,
                     const std::string& title, Preparation& preparation) const;

  selection::SplitScheme splits_;
  selection::Predicate predicate_;
  selection::ContentFilter filter_;
  selection::TopicRules rules_;
  review::Review review_;
  bool reviewed_;
};

/// A page that was chosen.
struct QueryPage {
  PageId page;
  std::string title;
  bool test = false;
  std::uint32_t fold = 0;

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", page)("title", title)("test", test)("fold", fold);
  }
};

/// The numbers of the pages that were chosen. Memory: a bit for each number up to the last one. Thread-safe.
class QueryPageSet {
 public:
  /// Throws StorageError and FormatError if the file of query pages cannot be read.
  explicit QueryPageSet(const std::filesystem::path& file);

  bool contains(PageId page) const noexcept { return page.value < chosen_.size() && chosen_[page.value]; }

 private:
  std::vector<bool> chosen_;
};

}  // namespace touchstone::pipeline::automatic
