#pragma once

#include "extractors/wikitext/preprocessor/expanded_text.hpp"
#include "extractors/wikitext/preprocessor/markup_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::preprocessor {

class Expander;

/// The name of an argument: its position, counted from 1, or a text. The text "1" is the position 1. Keeps a view of
/// the text.
class ArgumentName {
 public:
  constexpr ArgumentName(std::string_view name) noexcept : tag_(tag_of(name)), text_(name) {}
  constexpr ArgumentName(const char* name) noexcept : ArgumentName(std::string_view(name)) {}
  ArgumentName(const std::string& name) noexcept : ArgumentName(std::string_view(name)) {}
  constexpr ArgumentName(int position) noexcept : tag_(static_cast<std::uint32_t>(position)) {}
  constexpr ArgumentName(std::uint32_t position) noexcept : tag_(position) {}

  constexpr bool is_position() const noexcept { return (tag_ & kText) == 0; }
  constexpr std::uint32_t position() const noexcept { return tag_; }  ///< \pre is_position()
  constexpr std::string_view text() const noexcept { return text_; }

  friend constexpr bool operator==(const ArgumentName& a, const ArgumentName& b) noexcept {
    return a.tag_ == b.tag_ && (a.is_position() || a.text_ == b.text_);
  }
  friend constexpr bool operator<(const ArgumentName& a, const ArgumentName& b) noexcept {
    return a.tag_ != b.tag_ ? a.tag_ < b.tag_ : !a.is_position() && a.text_ < b.text_;
  }

 private:
  static constexpr std::uint32_t kText = 0x80000000;

  /// The number that is written as positions are: without sign, blanks and leading zeros. For other texts what tells
  /// most of them apart: length, first and last byte.
  static constexpr std::uint32_t tag_of(std::string_view name) noexcept {
    constexpr std::size_t kMaxDigits = 9;
    if (name.empty()) return kText;
    const auto byte = [&](std::size_t at) { return std::uint32_t{static_cast<unsigned char>(name[at])}; };
    const std::uint32_t tag =
        kText | static_cast<std::uint32_t>(name.size() & 0x7FFFU) << 16U | byte(0) << 8U | byte(name.size() - 1);
    if (name.front() < '1' || name.front() > '9' || name.size() > kMaxDigits) return tag;
    std::uint32_t number = 0;
    for (const char c : name) {
      if (c < '0' || c > '9') return tag;
      number = 10 * number + static_cast<std::uint32_t>(c - '0');
    }
    return number;
  }

  std::uint32_t tag_;
  std::string_view text_;
};

/// The arguments of one call as the template sees them. Of several arguments with one name the last one counts; values
/// of named arguments are trimmed. Values are expanded on demand. Views are valid as long as this object and its tree.
class CallArguments {
 public:
  CallArguments(Expander& expander, const MarkupTree& tree, const Call& call, const struct Frame* frame);

  struct Value {
    std::string_view text;
    std::unique_ptr<ExpandedText> expanded;  ///< what `text` points into, unless that is the source
    bool known = false;                      ///< computed
    bool unknown = false;                    ///< holds an unknown value, which a mark represents (markers.hpp)
  };

  struct Argument {
    ArgumentName name = 0;
    NodeList value;
    bool named = false;         ///< written with its name
    mutable Value known_value;  ///< cached after the first expansion
  };

  /// All arguments in the order of the call, including those that do not count.
  const std::vector<Argument>& all() const noexcept { return arguments_; }

  /// False if a later argument has the same name.
  bool counts(const Argument& argument) const { return find(argument.name) == &argument; }

  /// The argument of that name that counts, or null.
  const Argument* find(const ArgumentName& name) const {
    if (by_position_ && name.is_position()) {
      if (name.position() > positional_) return nullptr;
      // Most calls have their positional arguments in front.
      const Argument& argument = arguments_[name.position() - 1];
      if (argument.name == name) return &argument;
    }
    return has_named() || name.is_position() ? search(name) : nullptr;
  }

  /// Whether any is written with a name.
  bool has_named() const noexcept { return positional_ < arguments_.size(); }

  /// Expanded, trimmed value; empty if the argument is absent. Marks represent unknown values, here and in the
  /// following.
  std::string_view trimmed(const ArgumentName& name) const;

  /// The argument of that name if what is known of its value is not blank, else null.
  const Argument* find_filled(const ArgumentName& name) const;

  /// True if the value of the argument, or a part of it, is not known.
  bool is_unknown(const ArgumentName& name) const;

  /// Appends the expanded value of an argument to `out`, trimmed if the argument is named. Returns false if it is
  /// absent.
  bool expand(const ArgumentName& name, ExpandedText& out) const;
  void expand(const Argument& argument, ExpandedText& out) const;

  /// The same, always trimmed.
  void expand_trimmed(const ArgumentName& name, ExpandedText& out) const;
  void expand_trimmed(const Argument& argument, ExpandedText& out) const;

  /// The value of an argument that needs no expansion; null for other arguments.
  const std::string_view* plain_text(const Argument& argument) const noexcept {
    static constexpr std::string_view kNothing;
    if (argument.value.empty()) return &kNothing;
    const Node& node = tree_.nodes[argument.value.first];
    return argument.value.first == argument.value.last && node.kind == NodeKind::kText ? &node.text : nullptr;
  }

 private:
  const Argument* search(const ArgumentName& name) const;
  void sort_by_name() const;
  const Value& value_of(const Argument& argument) const;
  void expand_value(const Argument& argument) const;

  Expander& expander_;
  const MarkupTree& tree_;
  const struct Frame* frame_;
  std::vector<Argument> arguments_;
  std::uint32_t positional_ = 0;                ///< how many are written without name
  bool by_position_ = true;                     ///< none is written with a number as its name
  mutable std::size_t searches_ = 0;            ///< of many arguments one by one
  mutable std::vector<std::uint32_t> by_name_;  ///< order by name, last of equals first; empty until it is needed
};

}  // namespace touchstone::extractors::wikitext::preprocessor
