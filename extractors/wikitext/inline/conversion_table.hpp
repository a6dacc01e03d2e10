#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace touchstone::extractors::wikitext::inlines::internal {

/// The words that a page defines for its remaining text, for example by `-{H|sr-ec:а;sr-el:a}-`.
class ConversionTable {
 public:
  /// \param max_bytes  most bytes of replacements; beyond that the table gives up
  explicit ConversionTable(std::size_t max_bytes) : bytes_left_(max_bytes) {}

  bool empty() const noexcept { return words_.empty(); }
  /// True if a bound was reached. The table is then empty.
  bool given_up() const noexcept { return given_up_; }

  /// From now on `from` is shown as `to`. Does nothing if `from` is empty.
  void define(std::string_view from, std::string_view to);
  void forget(std::string_view from);

  struct Match {
    std::size_t begin = 0, end = 0;
    std::string_view shown;  ///< valid until the table changes
  };
  /// The first word in `text` from byte `from` on; of several that begin at one place the longest. At the end of the
  /// text if there is no word.
  Match find(std::string_view text, std::size_t from);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
  };
  static constexpr std::size_t kMaxBytesLookedAt = std::size_t{16} << 20;  // a few hundredths of a second

  void give_up();

  std::unordered_map<std::string, std::string, Hash, std::equal_to<>> words_;
  /// By first byte: how many words there are of each length, the longest first.
  std::array<std::map<std::size_t, std::size_t, std::greater<>>, 256> lengths_;
  std::size_t looked_at_ = 0;
  std::size_t bytes_left_;
  bool given_up_ = false;
};

}  // namespace touchstone::extractors::wikitext::inlines::internal
