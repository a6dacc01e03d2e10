#include "extractors/sql/sql_dump.hpp"

#include "common/error.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace touchstone::extractors::sql {
namespace {

/// The byte that `\c` represents; `c` itself for all that MySQL does not name.
char unescaped(char c) noexcept {
  constexpr std::string_view kLetters = "0bnrtZ", kBytes("\0\b\n\r\t\x1A", kLetters.size());
  const std::size_t place = kLetters.find(c);
  return place == std::string_view::npos ? c : kBytes[place];
}

constexpr auto kBareBytes = [] {
  std::array<bool, 256> table{};
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (const unsigned char c : {'+', '-', '.', '_'}) table[c] = true;
  return table;
}();

/// Goes over the values of one row.
class RowScanner {
 public:
  RowScanner(char* bytes, std::size_t size, SqlRow& row) : begin_(bytes), at_(bytes), end_(bytes + size), row_(row) {}

  internal::RowReading read(std::size_t most) {
    using internal::RowState;
    row_.clear();
    if (at_ == end_) return result(RowState::kUnfinished);
    if (*at_ != '(') return result(RowState::kMalformed);
    do {
      ++at_;
      skip_blanks();
      if (row_.size() == most) return result(RowState::kMalformed);
      const auto state = value();
      if (state != RowState::kWhole) return result(state);
      skip_blanks();
      if (at_ == end_) return result(RowState::kUnfinished);
    } while (*at_ == ',');
    if (*at_ != ')') return result(RowState::kMalformed);
    ++at_;
    if (escapes_) undo_escapes();
    return result(RowState::kWhole);
  }

 private:
  internal::RowReading result(internal::RowState state) const {
    return {state, static_cast<std::size_t>(at_ - begin_)};
  }
  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }

  internal::RowState value() {
    if (at_ == end_) return internal::RowState::kUnfinished;
    if (*at_ == '\'') return quoted();
    const char* const start = at_;
    while (at_ != end_ && kBareBytes[static_cast<unsigned char>(*at_)]) ++at_;
    if (at_ == end_) return internal::RowState::kUnfinished;
    const std::string_view word(start, static_cast<std::size_t>(at_ - start));
    if (word == "_binary") {
      skip_blanks();
      if (at_ == end_) return internal::RowState::kUnfinished;
      return *at_ == '\'' ? quoted() : internal::RowState::kMalformed;
    }
    if (word.empty()) return internal::RowState::kMalformed;
    row_.push_back({word, word == "NULL"});
    return internal::RowState::kWhole;
  }

  internal::RowState quoted() {
    const char* const start = ++at_;
    for (;; ++at_) {
      while (at_ != end_ && *at_ != '\'' && *at_ != '\\') ++at_;
      if (end_ - at_ < 2) return internal::RowState::kUnfinished;
      if (*at_ == '\'' && at_[1] != '\'') break;
      escapes_ = true;
      ++at_;
    }
    row_.push_back({{start, static_cast<std::size_t>(at_ - start)}, false});
    ++at_;
    return internal::RowState::kWhole;
  }

  void undo_escapes() {
    for (auto& value : row_) {
      char* const start = begin_ + (value.text.data() - begin_);
      char* out = start;
      for (std::size_t i = 0; i < value.text.size(); ++i) {
        if (start[i] == '\\' && i + 1 < value.text.size())
          *out++ = unescaped(start[++i]);
        else if (start[i] == '\'')
          *out++ = start[i++];  // the second of two quotes is left out
        else
          *out++ = start[i];
      }
      value.text = {start, static_cast<std::size_t>(out - start)};
    }
  }

  char* begin_;
  char* at_;
  char* end_;
  SqlRow& row_;
  bool escapes_ = false;
};

constexpr std::size_t kMaxColumns = 4096;  // MySQL's own limit for a table

/// What a dump program writes in front of the rows, and what it writes behind them if it comes to its end. Which of
/// these are in a dump depends on its options.
struct Bracket {
  std::string_view opens, closes, called;
};
constexpr std::array<Bracket, 5> kBrackets{{{"-- MySQL dump", "-- Dump completed", "Dump completed"},
                                            {"-- MariaDB dump", "-- Dump completed", "Dump completed"},
                                            {"/*!40000 ALTER TABLE", "ENABLE KEYS", "ENABLE KEYS"},
                                            {"/*!40111 SET @OLD_SQL_NOTES=", "=@OLD_SQL_NOTES", "SET SQL_NOTES"},
                                            {"LOCK TABLES", "UNLOCK TABLES", "UNLOCK TABLES"}}};
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

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

std::optional<std::uint64_t> SqlValue::number() const noexcept {
  return is_null ? std::nullopt : to_number<std::uint64_t>(text);
}

std::optional<std::int64_t> SqlValue::signed_number() const noexcept {
  return is_null ? std::nullopt : to_number<std::int64_t>(text);
}

internal::RowReading internal::read_row(char* bytes, std::size_t size, std::size_t most, SqlRow& row) {
  return RowScanner(bytes, size, row).read(most);
}

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
  if (const auto zero = window_.find('\0', held); zero != std::string::npos) {
    at_ = zero;
    fail("a byte is zero, which a dump writes as \\0; the file has a hole or is damaged, download it again");
  }
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
  note_bracket(line);
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
    fail("CREATE TABLE names no columns that can be read; write one column a line, its name in backquotes");
  skip_statement();
}

void SqlDumpReader::read_insert_head() {
  const auto head = take_until("VALUES", "in an INSERT");
  if (table_.columns.empty()) fail("an INSERT comes before CREATE TABLE, so its columns are not known");
  const auto list = std::min(head.find('('), head.size());
  const auto into = quoted_name(std::string_view(head).substr(0, list));
  if (into != table_.name) fail(fmt::format("an INSERT adds rows to {}, but the file defines {}", into, table_.name));
  const auto listed = listed_names(std::string_view(head).substr(list));
  if (!listed.empty() && listed != table_.columns)
    fail("an INSERT lists other columns than CREATE TABLE; write the dump without a list of columns");
  in_rows_ = true;
  behind_row_ = false;
}

void SqlDumpReader::note_bracket(std::string_view text) {
  for (std::size_t i = 0; i < kBrackets.size(); ++i) {
    if (text.starts_with(kBrackets[i].opens)) open_brackets_.set(i);
    if (text.find(kBrackets[i].closes) != std::string_view::npos) open_brackets_.reset(i);
  }
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
    } else if (offset() == 0 && starts_with(kByteOrderMark)) {
      at_ += kByteOrderMark.size();
    } else if (starts_with("--")) {
      read_comment_line();
    } else if (starts_with("/*")) {
      note_bracket(take_until("*/", "in a comment"));
    } else if (starts_with("CREATE TABLE")) {
      read_create_table();
    } else if (starts_with("INSERT ")) {
      read_insert_head();
      return true;
    } else if (std::any_of(std::begin(kSkipped), std::end(kSkipped), [&](auto word) { return starts_with(word); })) {
      for (const auto word : {"LOCK TABLES", "UNLOCK TABLES"})
        if (starts_with(word)) note_bracket(word);
      skip_statement();
    } else {
      fail(table_.columns.empty()
               ? "this is no dump of SQL; a table of a wiki is needed as mysqldump writes it (.sql or .sql.gz)"
               : "this is not an SQL statement of a dump; the file is damaged, download it again");
    }
  }
  for (std::size_t i = 0; i < kBrackets.size() && !table_.columns.empty(); ++i)
    if (open_brackets_.test(i)) fail_truncated(fmt::format("without \"{}\"", kBrackets[i].called));
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
