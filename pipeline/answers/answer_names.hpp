#pragma once

#include "common/ids.hpp"
#include "pipeline/evidence/mentions/member_names.hpp"
#include "pipeline/evidence/mentions/mention_search.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

namespace touchstone::pipeline::answers {

/// The beginnings that names in some texts may have, so that names in none of them take no memory.
class NameBeginnings {
 public:
  /// \param folded  a text as FoldedText::folded
  void add(std::u32string_view folded);
  bool may_hold(std::u32string_view folded_name) const;

 private:
  static constexpr std::size_t kLength = 4;
  std::unordered_set<std::uint64_t> found_;  ///< digests of one to kLength code points
};

/// The names that the pages of a collection have in answers: titles of all pages, and aliases of members, each with and
/// without a qualifier. The rules for names are those of `evidence::mentions::MemberNames`: names that are too short or
/// only function words, and those of several pages, tell nothing.
class AnswerNames {
 public:
  /// \param texts     what names are looked for in; outlives this object
  /// \param language  of the wiki
  AnswerNames(const NameBeginnings& texts, std::string_view language) : texts_(texts), filter_(language) {}

  /// A title or alias of a member. \pre add_page() was not called
  void add_member(PageId page, std::string_view title) { add(page, title, true); }
  /// The title of any page. Returns whether the texts may hold it, with or without qualifier.
  bool add_page(PageId page, std::string_view title) { return add(page, title, false); }

  /// The pages that have a name of their own. Of other pages than members: only those that the texts may name.
  std::unordered_set<PageId> named_pages() const;

  /// Finds the names in the texts. A capitalised word before a name says nothing.
  evidence::mentions::MentionSearch search(std::string_view language) const;

 private:
  struct Entry {
    std::u32string letters;
    PageId page;
    bool ambiguous = false;
  };
  bool add(PageId page, std::string_view title, bool is_member);
  bool add_name(PageId page, std::string_view name, bool is_member);

  const NameBeginnings& texts_;
  evidence::mentions::NameFilter filter_;
  std::map<std::u32string, Entry> names_;
};

}  // namespace touchstone::pipeline::answers
