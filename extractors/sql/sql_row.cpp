#include "extractors/sql/sql_row.hpp"

#include <array>
#include <charconv>

namespace touchstone::extractors::sql {
namespace {

template <class Number>
std::optional<Number> whole_number(const SqlValue& value) noexcept {
  Number number = 0;
  const char* const end = value.text.data() + value.text.size();
  const auto [stop, error] = std::from_chars(value.text.data(), end, number);
  if (value.is_null || error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

/// The byte that `\c` stands for; `c` itself for all that MySQL does not name.
char unescaped(char c) noexcept {
  switch (c) {
    case '0':
      return '\0';
    case 'b':
      return '\b';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'Z':
      return '\x1A';
    default:
      return c;
  }
}

constexpr auto kBareBytes = [] {
  std::array<bool, 256> table{};
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (const char c : {'+', '-', '.', '_'}) table[static_cast<std::size_t>(c)] = true;
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

}  // namespace

std::optional<std::uint64_t> SqlValue::number() const noexcept {
  return whole_number<std::uint64_t>(*this);
}

std::optional<std::int64_t> SqlValue::signed_number() const noexcept {
  return whole_number<std::int64_t>(*this);
}

internal::RowReading internal::read_row(char* bytes, std::size_t size, std::size_t most, SqlRow& row) {
  return RowScanner(bytes, size, row).read(most);
}

}  // namespace touchstone::extractors::sql
