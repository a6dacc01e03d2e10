#include "pipeline/evidence/column_kinds.hpp"

#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/query_wording.hpp"
#include "pipeline/evidence/subject_noun.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::evidence {
namespace {

/// From this many rows on, repeats say something.
constexpr std::size_t kMinRows = 5;
/// A column whose distinct articles are at most this part of its rows is about something that the rows share.
constexpr double kMostRepeated = 0.6;

bool repeats(const TableColumn& column) {
  return column.linked_rows >= kMinRows &&
         static_cast<double>(column.linked_articles) <= kMostRepeated * static_cast<double>(column.linked_rows);
}

std::size_t dates_among(const std::vector<MemberCell>& cells, const headings::PhraseSet& dates) {
  return static_cast<std::size_t>(std::count_if(
      cells.begin(), cells.end(), [&](const auto& cell) { return cell.target && dates.matches(cell.target->text); }));
}

std::size_t links_among(const std::vector<MemberCell>& cells) {
  return static_cast<std::size_t>(
      std::count_if(cells.begin(), cells.end(), [](const auto& cell) { return cell.target.has_value(); }));
}

}  // namespace

TableColumn table_column(const storage::TableRecord& table, std::uint32_t header_rows, std::uint32_t column,
                         std::string header, const std::vector<Title>& targets) {
  TableColumn found;
  found.column = column;
  found.header = std::move(header);
  found.cells = member_cells(table, header_rows, column, targets);
  std::set<std::string> articles;
  for (const auto& cell : found.cells) {
    if (!cell.target) continue;
    articles.insert(cell.target->text);
    const auto rows_below = table.rows() - cell.row;
    found.linked_rows += std::clamp<std::uint32_t>(table.cell(cell.row, column).row_span, 1, rows_below);
  }
  found.linked_articles = articles.size();
  return found;
}

ColumnKinds::ColumnKinds(const std::string& language)
    : language_(language),
      words_(headings::wiki_heading_words(language)),
      names_(default_header(language)),
      splitter_(corpus::stemmer_name(language)) {}

void ColumnKinds::mark(const std::string& list_title, std::vector<TableColumn>& columns) {
  const auto noun = own_noun(list_title);
  const TableColumn* subject = nullptr;
  for (auto& column : columns) {
    if (is_subject(column.header, noun)) {
      if (subject == nullptr && column.linked_articles > 0) subject = &column;
    } else {
      column.other_kind = what_table_says(column);
    }
  }
  for (auto& column : columns) {
    if (!column.other_kind.empty() || column.linked_articles == 0 || is_subject(column.header, noun)) continue;
    if (subject == nullptr) {
      subject = &column;
      continue;
    }
    column.other_kind = fmt::format("the subject of the table is its column \"{}\"", subject->header);
  }
}

/// The stem of the noun that the list's title asks for: "champion" for "List of champions of Ostrand".
std::string ColumnKinds::own_noun(const std::string& list_title) {
  const auto wording = list_wording(language_, list_title);
  const auto subject = wording ? list_subject(*wording, list_title) : list_title;
  return subject_noun(splitter_, language_, subject);
}

bool ColumnKinds::is_subject(const std::string& header, const std::string& noun) {
  const auto terms = splitter_.split(header);
  const bool stemmed = !corpus::stemmer_name(language_).empty();
  if (!noun.empty() && !terms.empty() && is_same_noun(terms.back().stem, noun, stemmed)) return true;
  return names_.found_in(header);
}

std::string ColumnKinds::what_table_says(const TableColumn& column) const {
  if (words_.attributes.matches(column.header) || words_.forbidden.matches(column.header))
    return "the header says something about what is listed";
  const auto dates = dates_among(column.cells, words_.dates);
  if (dates > 0 && dates * 2 >= links_among(column.cells)) return "most links lead to dates";
  if (repeats(column))
    return fmt::format("{} different articles in {} rows", column.linked_articles, column.linked_rows);
  return {};
}

}  // namespace touchstone::pipeline::evidence
