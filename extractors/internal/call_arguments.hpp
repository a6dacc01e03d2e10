#pragma once

#include "extractors/internal/expanded_text.hpp"
#include "extractors/internal/markup_tree.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace touchstone::extractors::internal {

class Expander;

/// The arguments of one call as the template sees them: the last of several with one name counts; named values are
/// trimmed. Values are expanded when they are asked for. Views hold as long as this object and its tree do.
class CallArguments {
 public:
  CallArguments(Expander& expander, const MarkupTree& tree, const Call& call, const struct Frame* frame);

  struct Value {
    std::string_view text;
    std::unique_ptr<ExpandedText> expanded;  ///< what `text` points into, unless that is the source
    bool known = false;
  };

  struct Argument {
    std::string_view name;     ///< of named ones
    std::uint32_t number = 0;  ///< of positional ones, from 1, and of those named "1", "2", ...; else 0
    NodeList value;
    bool named = false;
    bool superseded = false;    ///< a later argument has the same name
    mutable Value known_value;  ///< once it was asked for
  };

  const std::vector<Argument>& all() const noexcept { return arguments_; }
  bool has(std::string_view name) const noexcept { return find(name) != nullptr; }

  /// Expanded value, trimmed when it is a named one; nothing when the argument is absent.
  std::optional<std::string_view> get(std::string_view name) const;

  /// Appends the expanded value of an argument to `out`, trimmed when it is a named one. False when it is absent.
  bool expand(std::string_view name, ExpandedText& out) const;
  void expand(const Argument& argument, ExpandedText& out) const;

  /// The value of an argument that is text as it stands, with nothing in it to expand; null for others.
  const std::string_view* plain_text(const Argument& argument) const noexcept;

 private:
  const Argument* find(std::string_view name) const noexcept;
  void mark_superseded();
  const Value& value_of(const Argument& argument) const;

  Expander& expander_;
  const MarkupTree& tree_;
  const struct Frame* frame_;
  std::vector<Argument> arguments_;
  bool in_order_ = false;  ///< none has a name
  /// Order of the arguments by name, last of equals first; empty when they are few or in order.
  std::vector<std::uint32_t> by_name_;
};

}  // namespace touchstone::extractors::internal
