#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace touchstone::pipeline::evidence {

/// A case-insensitive regular expression asked "does this text contain it?". An expression of words only (letters,
/// digits, blanks, `|`, `?`, parentheses) matches whole words; one with other signs is taken as it is written. Scripts
/// that write no blanks between words have no such bound. One object for one thread.
class HeaderPattern {
 public:
  /// Throws ConfigError if `pattern` is not a regular expression.
  explicit HeaderPattern(const std::string& pattern);
  ~HeaderPattern();
  HeaderPattern(HeaderPattern&&) noexcept;
  /// Throws ConfigError if the search takes too long.
  bool found_in(const std::string& text);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Regular expression for headers of columns that hold names, by default. That of English where no other is known.
std::string default_header(std::string_view language);

/// Whether a header is a word for names in the language and nothing else, which does not say what has the names.
bool is_header_of_names(const std::string& header, std::string_view language);

}  // namespace touchstone::pipeline::evidence
