#pragma once

#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/header_pattern.hpp"
#include "storage/store.hpp"
#include "text/terms.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace touchstone::pipeline::evidence {

/// Finds members that are of another kind than the rest of their list, and lists whose members have no kind in common.
///
/// What a member is, its page says in two ways: by its categories, and, in English, by the noun of its first sentence
/// ("Amber Light is a *lighthouse* ..."). Categories that a tenth of all pages have say nothing. Pages that say neither
/// are of no kind and stay. Where fewer than five members have a category, nothing is said: the words of first
/// sentences alone are too many. One object for one thread.
class MemberKinds {
 public:
  /// Both must outlive this.
  MemberKinds(const storage::Store& store, const corpus::TitleIndex& titles);

  /// Takes members of another kind out of the group; discards it if its members are of no common kind, if most of them
  /// go, or if few are what the list says that they are, though most of them are of one kind; so it does with a column
  /// whose members are of one kind that neither title and headings nor its header name.
  /// \param listed  what the title says that is listed; empty: it says nothing
  /// \return the titles of the members taken out
  std::vector<std::string> clean(Group& group, std::string_view listed);

 private:
  using Kinds = std::set<std::string>;
  void count_categories();
  const Kinds& kinds_of(PageId page);
  bool is_of(const std::vector<std::string>& nouns, const Kinds& kinds);
  bool is_unsaid(const Group& group, std::string_view listed);
  bool is_other_list(Group& group, std::string_view listed, const std::string& common);
  std::string first_noun(PageId page);

  const storage::Store& store_;
  const corpus::TitleIndex& titles_;
  text::TermSplitter splitter_;
  std::string language_;
  HeaderPattern names_;
  bool english_;
  std::unordered_map<std::string, std::size_t> uses_;  ///< category -> pages of a sample
  std::size_t sampled_ = 0;
  std::map<PageId, Kinds> known_;
};

}  // namespace touchstone::pipeline::evidence
