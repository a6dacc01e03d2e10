#include "formats/labeling/separated_table.hpp"

#include "common/error.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace touchstone::formats::labeling::internal {

SeparatedTable::SeparatedTable(const std::filesystem::path& file, std::string_view text) : file_(file), text_(text) {
  if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  const auto header = text_.substr(0, text_.find('\n'));
  if (header.find('\t') != std::string_view::npos) separator_ = '\t';
  if (!read_record(columns_) || columns_.size() < 2)
    throw FormatError(file_.string() + ":1: the header names fewer than two columns; give a TSV or CSV export");
}

bool SeparatedTable::next() {
  if (!read_record(cells_)) return false;
  if (cells_.size() != columns_.size())
    throw FormatError(
        fmt::format("{}:{}: there are {} columns and the header has {}; the record is cut off or not "
                    "quoted as it should be",
                    file_.string(), record_line_, cells_.size(), columns_.size()));
  return true;
}

std::string SeparatedTable::read_quoted() {
  std::string cell;
  for (++at_; at_ < text_.size(); ++at_) {
    if (text_[at_] == '\n') ++line_;
    if (text_[at_] != '"') {
      cell += text_[at_];
    } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
      cell += text_[++at_];
    } else {
      ++at_;
      return cell;
    }
  }
  throw FormatError(fmt::format("{}:{}: a quoted cell has no end; the file is cut off", file_.string(), record_line_));
}

bool SeparatedTable::read_record(std::vector<std::string>& cells) {
  cells.clear();
  while (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r')) line_ += text_[at_++] == '\n' ? 1 : 0;
  record_line_ = line_;
  if (at_ >= text_.size()) return false;
  while (true) {
    std::string cell;
    if (at_ < text_.size() && text_[at_] == '"') cell = read_quoted();
    const auto end = std::min(text_.find_first_of(separator_ == '\t' ? "\t\n" : ",\n", at_), text_.size());
    cell += text_.substr(at_, end - at_);
    at_ = end;
    const bool last = at_ >= text_.size() || text_[at_] == '\n';
    if (last && cell.ends_with('\r')) cell.pop_back();
    cells.push_back(std::move(cell));
    if (at_ < text_.size()) ++at_;
    if (last) break;
  }
  ++line_;
  return true;
}

}  // namespace touchstone::formats::labeling::internal
