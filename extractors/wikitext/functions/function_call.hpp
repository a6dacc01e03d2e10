#pragma once

#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/preprocessor/expander.hpp"
#include "extractors/wikitext/preprocessor/markers.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace touchstone::extractors::wikitext::functions::internal {

/// A call of a parser function. Arguments are expanded on demand; number 0 is the one behind the colon.
///
/// Whether the result is known is part of the call. A text that is evaluated and not known makes the result unknown,
/// whatever the function does with it. Functions that show a text without deciding anything use `show` and `passed_on`.
class FunctionCall {
 public:
  FunctionCall(preprocessor::Expander& expander, const preprocessor::MarkupTree& tree, const preprocessor::Call& call,
               std::string_view first, const preprocessor::Frame* frame)
      : expander_(expander), tree_(tree), call_(call), first_(first), frame_(frame) {}

  preprocessor::Expander& expander() const noexcept { return expander_; }
  preprocessor::PageContext& context() const noexcept { return expander_.context(); }
  const preprocessor::Frame* frame() const noexcept { return frame_; }
  std::size_t count() const noexcept { return call_.part_count + 1; }

  /// Why the result is not known; nothing if it is known.
  const std::optional<UnknownCause>& unknown() const noexcept { return unknown_; }

  /// The result is not known.
  void withhold(UnknownCause cause) const {
    if (!unknown_) unknown_ = cause;
  }

  /// The call with these arguments is not one of the function but of a template. \pre  nothing was appended
  void decline() const { declined_ = true; }
  bool declined() const noexcept { return declined_; }

  /// Trimmed text of an argument that is evaluated but not shown; empty if it is absent.
  std::string text(std::size_t number) const { return evaluated(passed_on(number)); }

  /// The same with marks for what is not known, for functions that give the text, or decide by the known parts of it.
  std::string passed_on(std::size_t number) const {
    if (number == 0) return std::string(first_);
    if (number >= count()) return {};
    const preprocessor::CallPart& part = this->part(number);
    std::string out = part.named ? expander_.expand_name(tree_, part.name, frame_) + "=" : std::string();
    out += expander_.expand_name(tree_, part.value, frame_);
    return std::string(scan::trim(out));
  }

  /// Appends an argument that is shown, trimmed.
  void show(std::size_t number, preprocessor::ExpandedText& out) const {
    if (number == 0) {
      preprocessor::append_trimmed({.text = std::string(first_), .made = {}, .holes = {}, .gaps = {}}, out);
    } else if (number < count()) {
      preprocessor::ExpandedText value;
      expander_.expand_part(tree_, part(number), frame_, value);
      preprocessor::append_trimmed(value, out);
    }
  }

  const preprocessor::CallPart& part(std::size_t number) const { return tree_.parts[call_.first_part + number - 1]; }
  std::string untrimmed_name(std::size_t number) const {
    return evaluated(expander_.expand_name(tree_, part(number).name, frame_));
  }
  std::string name(std::size_t number) const { return std::string(scan::trim(untrimmed_name(number))); }
  void show_value(std::size_t number, preprocessor::ExpandedText& out) const {
    preprocessor::ExpandedText value;
    expander_.expand_list(tree_, part(number).value, frame_, value);
    preprocessor::append_trimmed(value, out);
  }
  std::string value_text(std::size_t number) const { return evaluated(passed_on_value(number)); }
  std::string passed_on_value(std::size_t number) const {
    return std::string(scan::trim(expander_.expand_name(tree_, part(number).value, frame_)));
  }

 private:
  std::string evaluated(std::string text) const {
    if (expander_.has_marks()) {
      if (const auto cause = preprocessor::find_unknown(text)) withhold(*cause);
    }
    return text;
  }

  preprocessor::Expander& expander_;
  const preprocessor::MarkupTree& tree_;
  const preprocessor::Call& call_;
  std::string_view first_;
  const preprocessor::Frame* frame_;
  mutable std::optional<UnknownCause> unknown_;
  mutable bool declined_ = false;
};

/// Appends the result of a function.
using FunctionHandler = void (*)(const FunctionCall&, preprocessor::ExpandedText&);

/// Functions by their names in lower case.
using FunctionTable = std::span<const std::pair<std::string_view, FunctionHandler>>;

/// The functions about letters and numbers (lc, padleft, formatnum, ...), about titles and addresses (ns, fullurl,
/// #titleparts, ...).
FunctionTable text_functions();
FunctionTable title_functions();

/// Text without the markers of extension tags.
std::string without_markers(std::string_view text);

/// The value of a page variable (`{{PAGENAME}}`, `{{!}}`, ...). Variables of the present use the time of the dump, if
/// it is known. The mark of an unknown value represents what a dump does not tell, such as the size of the wiki.
/// Nothing if the word is not a page variable.
std::optional<std::string> page_variable(const preprocessor::PageContext& context, std::string_view word);

/// The same for another page: `{{PAGENAME:Title}}`.
std::optional<std::string> page_variable_of(const preprocessor::PageContext& context, std::string_view word,
                                            std::string_view title);

enum class UrlStyle : unsigned char { kQuery, kWiki, kPath };

std::string encode_url(std::string_view text, UrlStyle style);

}  // namespace touchstone::extractors::wikitext::functions::internal
