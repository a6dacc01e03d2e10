#pragma once

#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/survey/trial.hpp"
#include "storage/link_graph.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::survey {

/// What some groups add up to.
struct GroupCounts {
  std::uint64_t pages = 0;           ///< with at least one column or list
  std::uint64_t columns = 0;         ///< columns and lists, kept or not
  std::uint64_t groups = 0;          ///< of them kept
  std::uint64_t members = 0;         ///< distinct articles in kept groups
  std::uint64_t linked = 0;          ///< of them with a link from another page than the lists they are in
  std::uint64_t topics = 0;          ///< groups with enough candidate passages
  std::uint64_t candidates = 0;      ///< candidate passages of these topics, distinct within a topic
  std::uint64_t outside = 0;         ///< of them on other pages than the member's own article
  std::vector<std::string> samples;  ///< the first three kept groups, with their first members

  /// Share of the candidates that are on other pages than the member's own article.
  double outside_share() const noexcept;
};

/// A line of a table: a title beginning, a header, a heading.
struct GroupRow {
  std::string name;
  GroupCounts counts;
  std::uint64_t pages_of_name = 0;  ///< of a title beginning: all pages that have it
  std::uint64_t first = 0;          ///< of a header: tables in which it names what the rows are about
};

/// Adds groups up. The groups and candidates outlive it.
class GroupCensus {
 public:
  /// \param candidates    by topic id
  /// \param min_evidence  candidates that a topic needs
  GroupCensus(const storage::Store& store, const std::vector<evidence::Group>& groups,
              const std::map<std::string, CandidateCount>& candidates, std::uint64_t min_evidence);

  /// Counts the groups that `wanted` accepts.
  GroupCounts count(const std::function<bool(const evidence::Group&)>& wanted) const;
  GroupCounts count_all() const;

  /// Rows by title beginnings and endings, best first.
  std::vector<GroupRow> by_title(std::span<const std::string> affixes) const;
  /// Rows by the header of table columns, without regard to case, best first.
  std::vector<GroupRow> by_header() const;
  /// Rows by the heading over list items, best first.
  std::vector<GroupRow> by_heading() const;

 private:
  std::vector<GroupRow> by_name(const std::function<std::string(const evidence::Group&)>& name) const;
  GroupCounts sum(std::span<const evidence::Group* const> groups) const;
  bool is_linked(PageId member) const;

  storage::LinkGraph graph_;
  const std::vector<evidence::Group>& groups_;
  const std::map<std::string, CandidateCount>& candidates_;
  std::uint64_t min_evidence_;
};

/// Whether the members of a group are in a list, not in a column of a table.
bool is_from_list(const evidence::Group& group) noexcept;

/// Whether at least half of a group's members are list pages by their titles: a list of lists is not a topic.
bool names_lists(const evidence::Group& group, std::span<const std::string> list_affixes);

/// Header, in lower case -> tables in which it is the first column that names different articles row by row: the
/// things that the table is about. Not counted for others, such as the country of each lighthouse.
std::map<std::string, std::uint64_t> naming_headers(const std::vector<evidence::Group>& groups);

}  // namespace touchstone::pipeline::survey
