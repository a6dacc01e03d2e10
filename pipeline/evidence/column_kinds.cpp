#include "pipeline/evidence/column_kinds.hpp"

#include "common/unicode.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/subject_noun.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <unicode/uchar.h>

namespace touchstone::pipeline::evidence {
namespace {

constexpr double kLeastDistinct = 0.9;        ///< of the texts of a subject column
constexpr double kLeastFilled = 0.7;          ///< of the rows that a subject column has a cell of its own for
constexpr double kMostPlain = 0.5;            ///< of its cells that are numbers or dates
constexpr std::size_t kMostWordsOfName = 10;  ///< of half of its cells: longer texts describe

bool has_letter(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (u_isalpha(static_cast<UChar32>(next_code_point(text, at)))) return true;
  }
  return false;
}

/// What the cells with content of a column are like.
struct CellShape {
  std::size_t rows = 0, filled = 0, distinct = 0, plain = 0, long_texts = 0;
};

CellShape shape_of(const TableColumn& column, const headings::PhraseSet& dates) {
  CellShape shape;
  std::set<std::string> texts;
  std::set<std::uint32_t> rows;
  for (const auto& cell : column.cells) {
    if (cell.kind == MemberCellKind::kEmpty || cell.text.empty()) continue;
    ++shape.filled;
    rows.insert(cell.row);
    texts.insert(lower_case(cell.target ? cell.target->text : cell.text));
    shape.plain += !has_letter(cell.text) || dates.matches(cell.text) ? 1 : 0;
    shape.long_texts += text::count_words(cell.text) > kMostWordsOfName ? 1 : 0;
  }
  shape.distinct = texts.size();
  shape.rows = rows.size();
  return shape;
}

double part(std::size_t some, std::size_t all) noexcept {
  return all == 0 ? 0 : static_cast<double>(some) / static_cast<double>(all);
}

}  // namespace

TableColumn table_column(const storage::TableRecord& table, std::uint32_t header_rows, std::uint32_t column,
                         std::string header, const std::vector<Title>& targets, const headings::PhraseSet* item_dates) {
  TableColumn found;
  found.column = column;
  found.header = std::move(header);
  found.cells = member_cells(table, header_rows, column, targets);
  found.rows = content_row_count(table, header_rows);
  std::set<std::string> articles;
  for (const auto& cell : found.cells) {
    found.row_headers += table.cell(cell.row, column).header ? 1 : 0;
    const auto rows_below = table.rows() - cell.row;
    const auto rows = std::clamp<std::uint32_t>(table.cell(cell.row, column).row_span, 1, rows_below);
    if (cell.kind != MemberCellKind::kEmpty) found.covered_rows += rows;
    if (!cell.target) continue;
    articles.insert(cell.target->text);
    found.linked_rows += rows;
  }
  found.linked_articles = articles.size();
  if (item_dates != nullptr) split_lists(table, targets, *item_dates, column, found.cells);
  return found;
}

ColumnKinds::ColumnKinds(const std::string& language)
    : language_(language),
      words_(headings::wiki_heading_words(language)),
      names_(default_header(language)),
      splitter_(corpus::stemmer_name(language)) {}

/// Sets `other_kind` of all columns that cannot be the subject, and returns the best of the others.
TableColumn* ColumnKinds::choose(const Surroundings& around, std::vector<TableColumn>& columns) {
  const auto of_title = subject_nouns(splitter_, language_, around.listed);
  const auto of_heading = subject_nouns(splitter_, language_, around.heading);
  TableColumn* subject = nullptr;
  std::tuple<int, int> best;
  bool first = true;  // no column of words before
  for (auto& column : columns) {
    const bool named = names_.found_in(column.header) || is_one_of(column.header, of_title) ||
                       (first && is_one_of(column.header, of_heading));
    const bool names_rows =
        2 * column.linked_rows > column.rows && part(column.linked_articles, column.linked_rows) >= kLeastDistinct;
    const bool heads_rows = 2 * column.row_headers > column.cells.size();
    column.other_kind = why_attribute(column, named);
    // What tells the rows apart is an attribute by its header, so that this table lists something else than its page.
    const bool behind = !first && !named && !heads_rows && subject == nullptr && !is_said(column.header, around.said);
    if (behind && column.other_kind.empty())
      column.other_kind = "the first column, an attribute, is what rows are about";
    first &= !names_rows;
    if (!column.other_kind.empty()) continue;
    const std::tuple rank(heads_rows ? 1 : 0, named ? 1 : 0);
    if (subject != nullptr && rank <= best) continue;
    subject = &column;
    best = rank;
  }
  return subject;
}

void ColumnKinds::mark(const Surroundings& around, std::vector<TableColumn>& columns) {
  auto* subject = choose(around, columns);
  for (auto& column : columns) {
    if (column.other_kind.empty() && &column != subject)
      column.other_kind = fmt::format("the subject of the table is its column \"{}\"", subject->header);
  }
  if (subject != nullptr && !around.is_list_page && !names_.found_in(subject->header) &&
      !is_said(subject->header, around.said))
    subject->other_kind = "neither title nor headings say that this is listed";
}

bool ColumnKinds::is_one_of(const std::string& header, const Nouns& nouns) {
  const bool stemmed = !corpus::stemmer_name(language_).empty();
  const auto own = subject_nouns(splitter_, language_, header);
  return std::any_of(own.begin(), own.end(), [&](const auto& noun) {
    return std::any_of(nouns.begin(), nouns.end(),
                       [&](const auto& other) { return is_same_noun(noun, other, stemmed); });
  });
}

bool ColumnKinds::is_said(const std::string& header, const std::string& said) {
  const auto noun = subject_noun(splitter_, language_, header);
  const bool stemmed = !corpus::stemmer_name(language_).empty();
  const auto terms = splitter_.split(said);
  return std::any_of(terms.begin(), terms.end(),
                     [&](const auto& term) { return is_same_noun(term.stem, noun, stemmed); });
}

std::string ColumnKinds::why_attribute(const TableColumn& column, bool named) const {
  if (!named && (words_.attributes.matches(column.header) || words_.forbidden.matches(column.header)))
    return "the header says something about what is listed";
  const auto shape = shape_of(column, words_.dates);
  if (part(shape.plain, shape.filled) > kMostPlain) return "most cells are numbers or dates";
  // What a list names may take several rows; a cell over several rows under another header orders the table.
  const auto filled = named ? column.covered_rows : shape.rows;
  if (part(filled, column.rows) < kLeastFilled)
    return fmt::format("it has cells for {} of {} rows", filled, column.rows);
  if (part(shape.distinct, shape.filled) < kLeastDistinct)
    return fmt::format("{} different cells in {} rows", shape.distinct, shape.filled);
  if (2 * shape.long_texts > shape.filled) return "its texts describe, and do not name";
  return {};
}

}  // namespace touchstone::pipeline::evidence
