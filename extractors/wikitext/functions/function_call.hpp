#pragma once

#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/preprocessor/expander.hpp"

#include <string>
#include <string_view>

namespace touchstone::extractors::internal {

/// A call with its arguments, expanded when asked for. Number 0 stands behind the colon.
class FunctionCall {
 public:
  FunctionCall(Expander& expander, const MarkupTree& tree, const Call& call, std::string_view first, const Frame* frame)
      : expander_(expander), tree_(tree), call_(call), first_(first), frame_(frame) {}

  Expander& expander() const noexcept { return expander_; }
  PageContext& context() const noexcept { return expander_.context(); }
  const Frame* frame() const noexcept { return frame_; }
  std::size_t count() const noexcept { return call_.part_count + 1; }

  /// Trimmed text of an argument that is looked at; "" when it is absent.
  std::string text(std::size_t number) const {
    if (number == 0) return std::string(first_);
    if (number >= count()) return {};
    const CallPart& part = this->part(number);
    std::string out = part.named ? expander_.expand_name(tree_, part.name, frame_) + "=" : std::string();
    out += expander_.expand_name(tree_, part.value, frame_);
    return std::string(trim(out));
  }

  /// Appends an argument that is shown, trimmed.
  void show(std::size_t number, ExpandedText& out) const {
    if (number == 0) {
      out.text.append(first_);
    } else if (number < count()) {
      const CallPart& part = this->part(number);
      ExpandedText value;
      if (part.named) {
        expander_.expand_list(tree_, part.name, frame_, value);
        value.text.push_back('=');
      }
      expander_.expand_list(tree_, part.value, frame_, value);
      append_trimmed(value, out);
    }
  }

  const CallPart& part(std::size_t number) const { return tree_.parts[call_.first_part + number - 1]; }
  std::string untrimmed_name(std::size_t number) const {
    return expander_.expand_name(tree_, part(number).name, frame_);
  }
  std::string name(std::size_t number) const { return std::string(trim(untrimmed_name(number))); }
  void show_value(std::size_t number, ExpandedText& out) const {
    ExpandedText value;
    expander_.expand_list(tree_, part(number).value, frame_, value);
    append_trimmed(value, out);
  }
  std::string value_text(std::size_t number) const {
    return std::string(trim(expander_.expand_name(tree_, part(number).value, frame_)));
  }

 private:
  Expander& expander_;
  const MarkupTree& tree_;
  const Call& call_;
  std::string_view first_;
  const Frame* frame_;
};

/// Appends what a function gives. False, with nothing appended, when these arguments name no function after all, and so
/// a template.
using FunctionHandler = bool (*)(const FunctionCall&, ExpandedText&);

/// The functions about letters and numbers (lc, padleft, formatnum, ...), about titles and addresses (ns, fullurl,
/// #titleparts, ...); null for names that are none of these. `name` is in lower case.
FunctionHandler find_text_function(std::string_view name);
FunctionHandler find_title_function(std::string_view name);

/// Text without the markers of extension tags.
std::string without_markers(std::string_view text);

}  // namespace touchstone::extractors::internal
