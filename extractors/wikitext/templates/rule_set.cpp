#include "extractors/wikitext/templates/rule_set.hpp"

#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/preprocessor/unknown_value.hpp"
#include "extractors/wikitext/templates/renderers.hpp"

#include <algorithm>

namespace touchstone::extractors::wikitext::templates {
using namespace internal;
using namespace preprocessor;
using scan::trim;
namespace {

/// A call as patterns see it.
struct PatternCall {
  const CallArguments& arguments;
  std::string_view template_title, page_title;

  /// Holes that no argument fills: {@} is the template's own title, {PAGENAME} that of the page. Else empty.
  std::string_view special(std::string_view hole) const {
    return hole == "@" ? template_title : hole == "PAGENAME" ? page_title : std::string_view();
  }

  bool is_given(const std::string& name) const {
    return !special(name).empty() || arguments.find_filled(name) != nullptr;
  }

  bool fills(const Pattern::Piece& piece) const {
    return std::any_of(piece.names.begin(), piece.names.end(), [&](const std::string& name) { return is_given(name); });
  }

  bool is_unknown(const std::string& name) const { return special(name).empty() && arguments.is_unknown(name); }

  /// Appends the first argument of a hole that is not empty. Returns false if all are empty. One that is not known
  /// shows nothing; those behind it, and the text of the hole, do not stand for it.
  bool append(const Pattern::Piece& piece, ExpandedText& out) const {
    for (const std::string& name : piece.names) {
      if (const std::string_view value = special(name); !value.empty()) {
        out.text.append(value);
        return true;
      }
      if (const CallArguments::Argument* argument = arguments.find_filled(name)) {
        arguments.expand_trimmed(*argument, out);
        return true;
      }
      if (is_unknown(name)) {
        arguments.expand_trimmed(name, out);  // its mark
        return true;
      }
    }
    return false;
  }
};

/// Links that stand in the pattern are made by the rule.
void append_own(std::string_view text, ExpandedText& out) {
  const std::size_t begin = out.text.size();
  out.text.append(text);
  if (text.find("[[") != std::string_view::npos) out.made.push_back({begin, out.text.size()});
}

void fill(const Pattern& pattern, const PatternCall& call, ExpandedText& out) {
  using Kind = Pattern::Piece::Kind;
  for (std::size_t i = 0; i < pattern.pieces.size(); ++i) {
    const Pattern::Piece& piece = pattern.pieces[i];
    switch (piece.kind) {
      case Kind::kText:
        append_own(piece.text, out);
        break;
      case Kind::kArgument:
        if (!call.append(piece, out)) append_own(piece.text, out);
        break;
      case Kind::kGroupBegin:
        for (std::size_t k = i + 1; k < piece.group_end; ++k) {
          const Pattern::Piece& inner = pattern.pieces[k];
          if (inner.kind == Kind::kGroupBegin) {
            k = inner.group_end;
          } else if (inner.kind == Kind::kArgument && !inner.has_default && !call.fills(inner)) {
            i = piece.group_end;
            break;
          }
        }
        break;
      case Kind::kGroupEnd:
        break;
    }
  }
}

}  // namespace

/// What a renderer gives when it cannot tell does not count.
bool RuleSet::run(Renderer renderer, const CallPlace& place, ExpandedText& out) const {
  const ExpandedText::Size before = out.size();
  bool certain = true;
  if (renderer({place.arguments, place.title, place.page, *this, certain}, out) && certain) return true;
  out.resize(before);
  return false;
}

RuleNumber RuleSet::find_rule(std::string_view title) const {
  const auto found = by_name.find(title);
  if (found != by_name.end()) return found->second;
  for (const auto& [prefix, index] : by_prefix) {
    if (title.size() > prefix.size() && title.front() == prefix.front() && title.starts_with(prefix)) return index;
  }
  return kNoRule;
}

bool RuleSet::is_aside(std::string_view title) const {
  return aside.count(title) != 0 ||
         std::any_of(aside_prefixes.begin(), aside_prefixes.end(),
                     [&](const std::string& prefix) { return title.starts_with(prefix); }) ||
         std::any_of(aside_suffixes.begin(), aside_suffixes.end(),
                     [&](const std::string& suffix) { return title.ends_with(suffix); });
}

bool RuleSet::is_note(RuleNumber number) const {
  return number != kNoRule && rules[number].renderer == find_renderer("hatnote");
}

bool RuleSet::render(RuleNumber number, const PageContext& page, std::string_view title, const CallArguments& arguments,
                     ExpandedText& out) const {
  const Rule& rule = rules[number];
  const PatternCall call{arguments, title, page.page.text};
  const auto is_given = [&](const std::string& argument) { return call.is_given(argument); };
  const auto may_be_given = [&](const std::string& argument) {
    return call.is_given(argument) || call.is_unknown(argument);
  };
  if (!std::all_of(rule.required.begin(), rule.required.end(), is_given)) return false;
  if (std::any_of(rule.refused.begin(), rule.refused.end(), may_be_given)) return false;
  if (rule.renderer != nullptr) return run(rule.renderer, {arguments, title, page}, out);
  if (rule.link.empty()) {
    fill(rule.show, call, out);
    return true;
  }
  ExpandedText target;
  fill(rule.link, call, target);
  if (trim(target.text).empty() || find_unknown(target.text)) return false;
  ExpandedText text;
  fill(rule.show, call, text);
  append_link(trim(target.text), has_only_marks(text.text) ? trim(target.text) : std::string_view(text.text), out);
  return true;
}

}  // namespace touchstone::extractors::wikitext::templates
