#pragma once

#include "pipeline/evidence/header_pattern.hpp"
#include "pipeline/evidence/list_columns.hpp"
#include "pipeline/headings/heading_words.hpp"
#include "text/terms.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace touchstone::pipeline::evidence {

/// A column of a table that may give a group.
struct TableColumn {
  std::uint32_t column = 0;
  std::string header;
  std::vector<MemberCell> cells;
  std::size_t rows = 0;          ///< of the table below its headers, without rows that part groups of rows
  std::size_t covered_rows = 0;  ///< of these, rows in a cell with text; a cell over several rows counts for each
  std::size_t linked_rows = 0;   ///< of these, rows with a link to an article; a cell over several rows counts for each
  std::size_t linked_articles = 0;  ///< distinct articles there
  std::size_t row_headers = 0;      ///< cells that head their row
  std::string other_kind;           ///< why its members are not what the list lists; empty if they are
};

/// Reads one column of a table.
/// \param item_dates  what is a date in the wiki's language, if cells that are lists give several members; else null
TableColumn table_column(const storage::TableRecord& table, std::uint32_t header_rows, std::uint32_t column,
                         std::string header, const std::vector<Title>& targets, const headings::PhraseSet* item_dates);

/// Finds the subject column of a table: the one that says what each row is about. The others are attributes, such as
/// the tournaments in a list of champions.
///
/// A subject column names nearly every row, each by another short text that is neither a number nor a date, and its
/// header is none of the language's words for attributes, unless it is the noun of the title, or of the heading where
/// the column is the first of words. Among several such columns, one whose cells head their rows comes first, then one
/// whose header is a word for names or the list's own noun, then the leftmost. It need not have links: a table whose
/// subjects have no articles gives no members. Source: the features that Venetis et al., "Recovering Semantics of
/// Tables on the Web", PVLDB 4(9), 2011, section 3.1 (read 2025-01) find the best for subject columns: distinct cells,
/// words and not numbers, place from the left. One object for one thread.
class ColumnKinds {
 public:
  explicit ColumnKinds(const std::string& language);

  /// What is said of a table outside of it.
  struct Surroundings {
    std::string listed;   ///< what the page's title says that it lists: "champions of Ostrand"
    std::string heading;  ///< the innermost one that names what is below it
    std::string said;     ///< title and headings
    bool is_list_page =
        true;  ///< false: the table lists what its subject's header says only if title or headings say so
  };

  /// Sets `other_kind` of the columns of one table, all but the subject. `columns` are from left to right.
  void mark(const Surroundings& around, std::vector<TableColumn>& columns);

  /// Whether the noun of a header is among the words of title and headings.
  bool is_said(const std::string& header, const std::string& said);

 private:
  using Nouns = std::vector<std::string>;
  bool is_one_of(const std::string& header, const Nouns& nouns);
  TableColumn* choose(const Surroundings& around, std::vector<TableColumn>& columns);
  std::string why_attribute(const TableColumn& column, bool named) const;

  std::string language_;
  headings::HeadingWords words_;
  HeaderPattern names_;
  text::TermSplitter splitter_;
};

}  // namespace touchstone::pipeline::evidence
