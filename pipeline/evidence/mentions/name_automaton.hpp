#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::evidence::mentions {

/// Finds all of many names in a text, in one pass over it.
///
/// The automaton of Aho and Corasick, "Efficient string matching", CACM 18(6), 1975, over code points. Memory: 20 bytes
/// a state; there are at most as many states as letters in the names. Thread-safe once it is made.
class NameAutomaton {
 public:
  /// \param names  not empty, distinct, ascending; need not outlive the call
  explicit NameAutomaton(const std::vector<std::u32string_view>& names);

  /// A name that ends in the text.
  struct Match {
    std::uint32_t name = 0;            ///< its number
    std::uint32_t begin = 0, end = 0;  ///< code points
    friend bool operator==(const Match&, const Match&) = default;
  };
  /// Calls `use` for every occurrence of every name, by ascending end, then longest first.
  void find(std::u32string_view text, const std::function<void(const Match&)>& use) const;

  std::size_t states() const noexcept { return labels_.size(); }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::uint32_t kRoot = 0;
  static constexpr char32_t kDirectLetters = 0x10000;  ///< whose steps from the root are in a table

  void build_states(const std::vector<std::u32string_view>& names);
  void build_failures();
  std::uint32_t child(std::uint32_t state, char32_t letter) const noexcept;
  std::uint32_t step(std::uint32_t state, char32_t letter) const noexcept;

  // The children of a state follow each other, and those of the next state follow them.
  std::vector<char32_t> labels_;             ///< of the step into each state
  std::vector<std::uint32_t> first_child_;   ///< one more than there are states
  std::vector<std::uint32_t> failure_;       ///< the state of the longest end that is the beginning of a name too
  std::vector<std::uint32_t> name_;          ///< that ends here, or kNone
  std::vector<std::uint32_t> shorter_;       ///< the next state on the way of failures where a name ends, or kNone
  std::vector<std::uint32_t> name_lengths_;  ///< by name
  std::vector<std::uint32_t> from_root_;     ///< by letter below kDirectLetters
};

}  // namespace touchstone::pipeline::evidence::mentions
