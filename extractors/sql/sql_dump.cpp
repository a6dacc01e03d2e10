#include "extractors/sql/sql_dump.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace touchstone::extractors::sql {
namespace {

constexpr std::size_t kMaxColumns = 4096;  // MySQL's own limit for a table

/// The name between the first two backquotes; empty if there are none.
std::string quoted_name(std::string_view text) {
  const auto begin = text.find('`');
  const auto end = begin == std::string_view::npos ? begin : text.find('`', begin + 1);
  return end == std::string_view::npos ? "" : std::string(text.substr(begin + 1, end - begin - 1));
}

/// The lines of CREATE TABLE that begin with a name in backquotes are columns; keys begin with a word.
std::vector<std::string> column_names(std::string_view body) {
  std::vector<std::string> names;
  while (!body.empty()) {
    const auto end = std::min(body.find('\n'), body.size());
    auto line = body.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    if (line.starts_with('`')) names.push_back(quoted_name(line));
    body.remove_prefix(std::min(end + 1, body.size()));
  }
  return names;
}

/// The names of "(`a`, `b`)".
std::vector<std::string> listed_names(std::string_view text) {
  std::vector<std::string> names;
  for (auto at = text.find('`'); at != std::string_view::npos; at = text.find('`', at)) {
    const auto end = text.find('`', at + 1);
    if (end == std::string_view::npos) break;
    names.emplace_back(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return names;
}

}  // namespace

std::optional<std::size_t> SqlTable::column(std::string_view column_name) const {
  const auto found = std::find(columns.begin(), columns.end(), column_name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

SqlDumpReader::SqlDumpReader(std::unique_ptr<dump::ByteSource> source, SqlDumpOptions options)
    : source_(std::move(source)), options_(options) {
  in_rows_ = find_rows();
  if (table_.columns.empty())
    fail("no CREATE TABLE is in it; a table of a wiki is needed as mysqldump writes it (.sql or .sql.gz)");
}

void SqlDumpReader::fail(const std::string& why) const {
  throw FormatError(fmt::format("{}: byte {}: {}", source_->name(), offset(), why));
}

void SqlDumpReader::fail_truncated(std::string_view inside) const {
  throw FormatError(fmt::format("{}: ends {} at byte {}, after {} rows of {}; the file is cut off, download it again",
                                source_->name(), inside, window_offset_ + window_.size(), rows_,
                                table_.name.empty() ? "no table" : table_.name));
}

bool SqlDumpReader::fill() {
  if (source_ended_) return false;
  window_.erase(0, at_);
  window_offset_ += at_;
  at_ = 0;
  const std::size_t held = window_.size();
  if (held > options_.max_row_bytes) {
    fail(fmt::format("a row or statement is longer than {} bytes; this is no dump of a wiki's table",
                     options_.max_row_bytes));
  }
  // A long row is read from its start again when more of it is there, so what is asked for grows with it.
  const std::size_t wanted = std::max(options_.read_bytes, held);
  window_.resize(held + wanted);
  const std::size_t got = source_->read(window_.data() + held, wanted);
  window_.resize(held + got);
  source_ended_ = got == 0;
  return !source_ended_;
}

bool SqlDumpReader::starts_with(std::string_view word) {
  while (window_.size() - at_ < word.size() && fill()) {
  }
  return std::string_view(window_).substr(at_).starts_with(word);
}

void SqlDumpReader::skip_blanks() {
  do {
    at_ = std::min(window_.find_first_not_of(" \t\r\n", at_), window_.size());
  } while (at_ == window_.size() && fill());
}

std::string SqlDumpReader::take_until(std::string_view end, std::string_view inside) {
  std::size_t searched = 0;
  std::size_t found = 0;
  while ((found = window_.find(end, at_ + searched)) == std::string::npos) {
    const auto held = window_.size() - at_;
    searched = held < end.size() ? 0 : held - end.size() + 1;
    if (!fill()) fail_truncated(inside);
  }
  std::string text = window_.substr(at_, found - at_);
  at_ = found + end.size();
  return text;
}

void SqlDumpReader::read_comment_line() {
  const auto end_of_file_is_end_of_line = [&] {
    while (window_.find('\n', at_) == std::string::npos) {
      if (!fill()) return window_.size();
    }
    return window_.find('\n', at_);
  };
  const auto end = end_of_file_is_end_of_line();
  const auto line = std::string_view(window_).substr(at_, end - at_);
  if (line.starts_with("-- MySQL dump") || line.starts_with("-- MariaDB dump")) has_header_ = true;
  if (line.starts_with("-- Dump completed")) is_complete_ = true;
  constexpr std::string_view kDatabase = "Database: ";
  if (const auto at = line.find(kDatabase); line.starts_with("-- Host:") && at != std::string_view::npos) {
    const auto database = line.substr(at + kDatabase.size());
    table_.database = std::string(database.substr(0, database.find_last_not_of(" \t\r") + 1));
  }
  at_ = end;
}

void SqlDumpReader::read_create_table() {
  const auto name = quoted_name(take_until("(", "in CREATE TABLE"));
  const auto body = take_until("\n)", "in CREATE TABLE");
  if (!table_.columns.empty()) {
    fail(fmt::format("a second table, {}, begins behind {}; give a file for each table", name, table_.name));
  }
  table_.name = name;
  table_.columns = column_names(body);
  if (name.empty() || table_.columns.empty() || table_.columns.size() > kMaxColumns)
    fail("CREATE TABLE names no columns that can be read; names stand in backquotes, a column a line");
  skip_statement();
}

void SqlDumpReader::read_insert_head() {
  const auto head = take_until("VALUES", "in an INSERT");
  if (table_.columns.empty()) fail("an INSERT stands before CREATE TABLE, so its columns are not known");
  const auto list = std::min(head.find('('), head.size());
  const auto into = quoted_name(std::string_view(head).substr(0, list));
  if (into != table_.name) fail(fmt::format("an INSERT adds rows to {}, but the file defines {}", into, table_.name));
  const auto listed = listed_names(std::string_view(head).substr(list));
  if (!listed.empty() && listed != table_.columns)
    fail("an INSERT lists other columns than CREATE TABLE; write the dump without a list of columns");
  in_rows_ = true;
  behind_row_ = false;
}

void SqlDumpReader::skip_statement() {
  char quote = '\0';
  for (;; ++at_) {
    if (at_ == window_.size() && !fill()) fail_truncated("in a statement");
    const char c = window_[at_];
    if (quote != '\0') {
      if (c == '\\') {
        ++at_;
        if (at_ == window_.size() && !fill()) fail_truncated("in a statement");
      } else if (c == quote) {
        quote = '\0';
      }
    } else if (c == '\'' || c == '"' || c == '`') {
      quote = c;
    } else if (c == ';') {
      ++at_;
      return;
    }
  }
}

bool SqlDumpReader::find_rows() {
  constexpr std::string_view kSkipped[] = {"DROP ", "LOCK ", "UNLOCK ", "SET ", "ALTER ", "USE ", "COMMIT", "START "};
  for (;;) {
    skip_blanks();
    if (at_ == window_.size()) break;
    if (window_[at_] == ';') {
      ++at_;
    } else if (starts_with("--")) {
      read_comment_line();
    } else if (starts_with("/*")) {
      take_until("*/", "in a comment");
    } else if (starts_with("CREATE TABLE")) {
      read_create_table();
    } else if (starts_with("INSERT ")) {
      read_insert_head();
      return true;
    } else if (std::any_of(std::begin(kSkipped), std::end(kSkipped), [&](auto word) { return starts_with(word); })) {
      skip_statement();
    } else {
      fail(table_.columns.empty()
               ? "this is no dump of SQL; a table of a wiki is needed as mysqldump writes it (.sql or .sql.gz)"
               : "this is not an SQL statement of a dump; the file is damaged, download it again");
    }
  }
  if (has_header_ && !is_complete_ && !table_.columns.empty()) fail_truncated("without the line \"Dump completed\"");
  return false;
}

bool SqlDumpReader::next(SqlRow& row) {
  while (in_rows_) {
    skip_blanks();
    if (at_ == window_.size()) fail_truncated("in an INSERT");
    if (behind_row_ && window_[at_] == ';') {
      ++at_;
      in_rows_ = false;
      in_rows_ = find_rows();
      continue;
    }
    if (behind_row_) {
      if (window_[at_] != ',') fail("a row is not followed by \",\" or \";\"; the file is damaged, download it again");
      ++at_;
      behind_row_ = false;
      continue;
    }
    const auto reading = internal::read_row(window_.data() + at_, window_.size() - at_, table_.columns.size(), row);
    if (reading.state == internal::RowState::kUnfinished) {
      if (!fill()) fail_truncated("in an INSERT");
      continue;
    }
    if (reading.state == internal::RowState::kMalformed || row.size() != table_.columns.size()) {
      fail(fmt::format("row {} does not match the {} columns of {}; the file is damaged, download it again", rows_ + 1,
                       table_.columns.size(), table_.name));
    }
    at_ += reading.size;
    behind_row_ = true;
    ++rows_;
    return true;
  }
  return false;
}

}  // namespace touchstone::extractors::sql
