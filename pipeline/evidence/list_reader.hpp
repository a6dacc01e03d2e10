#pragma once

#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/column_kinds.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/groups_options.hpp"
#include "pipeline/flow/stage_report.hpp"
#include "storage/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace touchstone::pipeline::evidence {

/// A column or list with the cells that its group is filled from.
struct ColumnDraft {
  Group group;  ///< without members
  std::vector<MemberCell> cells;
  std::string other_kind;  ///< why its members are of another kind than the list; empty if they are not
  std::string headers;     ///< of its table, those that are not attributes; empty for items
};

/// Pages that hold one list: one page, or those into which a list was cut by letters.
struct ListPages {
  std::string title;          ///< of several pages, that without letters
  PageId page;                ///< with that title, or the first one
  std::vector<PageId> pages;  ///< all of them, ascending
  bool by_heading = false;    ///< no list by its title: only sections whose headings have the word for a list are lists
};

/// Reads the columns and lists of list pages. What belongs together becomes one draft: tables and lists below the same
/// headings, sections by letter, all pages of one list, and sibling sections that are not alone.
/// One object for one thread.
class ListReader {
 public:
  /// Throws ConfigError if groups.header is not a regular expression. All must outlive this.
  /// \param list_words  how titles of lists start and end
  ListReader(const storage::Store& store, const corpus::TitleIndex& titles, const GroupsOptions& options,
             std::vector<std::string> list_words, flow::StageReport& report);

  std::vector<ColumnDraft> read(const ListPages& list);

 private:
  void read_page(const ListPages& list, PageId page, std::vector<ColumnDraft>& drafts);
  void read_tables(const ListPages& list, PageId page, const storage::OutlineRecord& outline,
                   const std::vector<Title>& targets, std::vector<ColumnDraft>& drafts);
  std::vector<TableColumn> wanted_columns(const storage::TableRecord& table, const std::vector<Title>& targets,
                                          const std::string& title);
  ColumnKinds::Surroundings surroundings(const std::string& title, const std::vector<std::string>& path) const;
  void add(ColumnDraft draft, std::vector<ColumnDraft>& drafts) const;
  std::string telling_headers(const std::vector<TableColumn>& columns) const;
  bool may_join(const ColumnDraft& draft, std::size_t depth) const;
  bool says_what(const ColumnDraft& draft, const std::string& listed);
  void join_siblings(const std::string& listed, std::vector<ColumnDraft>& drafts);
  bool wants(MemberSource source) const;
  bool by_subject() const { return options_.columns == ColumnChoice::kSubject; }

  const storage::Store& store_;
  const GroupsOptions& options_;
  flow::StageReport& report_;
  std::vector<std::string> prefixes_;
  bool english_;
  headings::HeadingWords words_;
  std::optional<HeaderPattern> header_;
  ColumnKinds kinds_;
};

/// The group of a column without members: its names and its topic id, which is a short digest of the structured query.
Group named_group(const ListPages& list, const std::vector<std::string>& section_path, std::string column);

}  // namespace touchstone::pipeline::evidence
