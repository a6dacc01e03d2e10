#pragma once

#include "pipeline/corpus/terms.hpp"
#include "pipeline/evidence/header_pattern.hpp"
#include "pipeline/evidence/list_columns.hpp"
#include "pipeline/headings/heading_words.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace touchstone::pipeline::evidence {

/// A column of a table that may give a group.
struct TableColumn {
  std::uint32_t column = 0;
  std::string header;
  std::vector<MemberCell> cells;
  std::size_t linked_rows = 0;      ///< rows with a link to an article; a cell over several rows counts for each
  std::size_t linked_articles = 0;  ///< distinct articles there
  std::string other_kind;           ///< why its members are not what the list lists; empty if they are
};

/// Reads one column of a table.
TableColumn table_column(const storage::TableRecord& table, std::uint32_t header_rows, std::uint32_t column,
                         std::string header, const std::vector<Title>& targets);

/// Tells the columns that hold what a list lists from those that say something about it, such as the tournaments in a
/// list of champions. A header that is the list's own noun or a word for names always holds what it lists. Others do
/// not if their header is one of the language's words for attributes, if most of their links lead to dates, if their
/// articles repeat from row to row, or if another column of the table is its subject. One object for one thread.
class ColumnKinds {
 public:
  explicit ColumnKinds(const std::string& language);

  /// Sets `other_kind` of the columns of one table. `columns` are those that the options ask for, from left to right.
  void mark(const std::string& list_title, std::vector<TableColumn>& columns);

 private:
  std::string own_noun(const std::string& list_title);
  bool is_subject(const std::string& header, const std::string& noun);
  std::string what_table_says(const TableColumn& column) const;

  std::string language_;
  headings::HeadingWords words_;
  HeaderPattern names_;
  corpus::TermSplitter splitter_;
};

}  // namespace touchstone::pipeline::evidence
