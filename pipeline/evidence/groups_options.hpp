#pragma once

#include "common/settings.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone {
namespace pipeline::evidence {

/// Where members are on a list page.
enum class MemberSource : std::uint8_t { kTable, kListItem };

/// What happens to a column with a cell that is empty or without an article.
enum class GroupsMode : std::uint8_t { kStrict, kLenient };

/// Which of a table's columns with a matching header are taken.
enum class ColumnChoice : std::uint8_t {
  kSubject,  ///< the one that holds what the table lists
  kAll,
};

/// How groups are found.
struct GroupsOptions {
  std::vector<MemberSource> sources = {MemberSource::kTable, MemberSource::kListItem};
  std::vector<std::string> list_prefixes;
  std::string header;
  ColumnChoice columns = ColumnChoice::kSubject;
  GroupsMode mode = GroupsMode::kLenient;
  std::int64_t min_members = 3;
  double min_resolved_ratio = 0.5;
  std::int64_t max_backlinks = 10'000;
  double max_overlap = 0.8;

  /// How titles of list pages start on this wiki: the option, else what is known for the language.
  std::vector<std::string> list_prefixes_for(const std::string& language) const;

  /// What makes titles those of lists: the option, and what is known for the language. For taking these words off.
  std::vector<std::string> list_words_for(const std::string& language) const;

  /// The expression for headers of this wiki: the option, else what is known for the language; empty: any header.
  std::string header_for(const std::string& language) const;

  static std::vector<Option<GroupsOptions>> options();
  static std::vector<std::string> problems(const Settings& settings);
};

}  // namespace pipeline::evidence

template <>
struct Choices<pipeline::evidence::MemberSource> {
  static constexpr Choice<pipeline::evidence::MemberSource> table[] = {
      {"table", pipeline::evidence::MemberSource::kTable}, {"list-item", pipeline::evidence::MemberSource::kListItem}};
};
template <>
struct Choices<pipeline::evidence::ColumnChoice> {
  static constexpr Choice<pipeline::evidence::ColumnChoice> table[] = {
      {"subject", pipeline::evidence::ColumnChoice::kSubject}, {"all", pipeline::evidence::ColumnChoice::kAll}};
};
template <>
struct Choices<pipeline::evidence::GroupsMode> {
  static constexpr Choice<pipeline::evidence::GroupsMode> table[] = {
      {"strict", pipeline::evidence::GroupsMode::kStrict}, {"lenient", pipeline::evidence::GroupsMode::kLenient}};
};

}  // namespace touchstone
