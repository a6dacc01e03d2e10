#pragma once

#include "extractors/wikitext/inline/conversion_rule.hpp"
#include "extractors/wikitext/inline/rule_text.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::inlines {

/// Resolves language conversion rules, `-{zh-hans:...;zh-hant:...}-`, on wikis of languages with several variants. Of
/// each rule it keeps what a reader sees who chose no variant. MediaWiki does this last, in HTML. Here it is done when
/// links, tags and tables are known, but before lines get a meaning: a line that begins with a rule has none.
///
/// \note  Linear in the length of a text, except for words that a page defines, whose cost is bounded.
class ConversionPass {
 public:
  ConversionPass(tokens::TokenContext& context, const site::VariantLanguage& language)
      : context_(context),
        language_(language),
        conversions_(context.options.limits.max_repeated_bytes),
        rule_text_(context.owned_texts) {}

  /// Looks for __NOCONTENTCONVERT__ in the page's text. If it is there, all rules stay as written.
  void note_behavior_switches(std::string_view text);

  /// Resolves the rules in the tokens of one text. Texts of a page must come in page order. Links that are not shown
  /// become hidden links, and markers of extension tags that are not shown go to `hidden_markers`.
  void run(std::string_view text, tokens::Tokens& tokens, tokens::LinkFindings& findings,
           std::vector<std::uint32_t>& hidden_markers);

 private:
  enum class Mark : std::uint8_t { kNone, kOpen, kClose };
  /// The current position of reading.
  struct Place {
    std::size_t token = 0;
    std::uint32_t byte = 0;  ///< of the text; in front of the token when it was not begun
  };
  using Extent = internal::RuleText::Extent;

  Mark next_mark(const tokens::Tokens& tokens, Place& place, bool closes, tokens::Tokens& out);
  tokens::Tokens read_rule(const tokens::Tokens& tokens, Place& place, std::size_t depth);
  tokens::Tokens choose(tokens::Tokens&& inner);
  void apply(const internal::ConversionRule& rule);
  std::vector<bool> find_kept(const tokens::Tokens& inner, const internal::ConversionRule& rule);
  void keep_parts(const tokens::Tokens& inner, const internal::ConversionRule& rule, tokens::Tokens& out);
  void push_cut(const tokens::Token& token, const Extent& extent, const Extent& shown, tokens::Tokens& out);
  void hide(const tokens::Token& begin);
  void convert(const tokens::Tokens& tokens, tokens::Tokens& out);
  void convert_text(const tokens::Token& token, std::uint32_t from, tokens::Tokens& out);
  tokens::Token own(std::string text);

  tokens::TokenContext& context_;
  const site::VariantLanguage& language_;
  internal::ConversionTable conversions_;
  bool switched_off_ = false;

  // Of the current text.
  std::string_view text_;
  tokens::LinkFindings* findings_ = nullptr;
  std::vector<std::uint32_t>* hidden_markers_ = nullptr;
  std::size_t tokens_left_ = 0;  ///< that nested rules may read again
  int parts_ = 0;                ///< open links and images, in which line ends are blanks
  bool in_later_line_ = false;   ///< the rule began in an earlier line; what follows cannot end a term
  // Of the current rule.
  internal::RuleText rule_text_;
};

}  // namespace touchstone::extractors::wikitext::inlines
