#include "extractors/internal/rule_renderer.hpp"

#include "extractors/internal/renderers.hpp"
#include "extractors/internal/rule_set.hpp"
#include "extractors/internal/text_scan.hpp"

namespace touchstone::extractors::internal {
namespace {

bool is_given(const CallArguments& arguments, const std::string& name) {
  const auto value = arguments.get(name);
  return value && !trim(*value).empty();
}

/// The first argument of a hole that is not empty, or null.
const std::string* given_name(const CallArguments& arguments, const Pattern::Piece& piece) {
  for (const std::string& name : piece.names) {
    if (is_given(arguments, name)) return &name;
  }
  return nullptr;
}

void append_argument(const CallArguments& arguments, const std::string& name, ExpandedText& out) {
  ExpandedText value;
  arguments.expand(name, value);
  append_trimmed(value, out);
}

void fill(const Pattern& pattern, const CallArguments& arguments, ExpandedText& out) {
  using Kind = Pattern::Piece::Kind;
  for (std::size_t i = 0; i < pattern.pieces.size(); ++i) {
    const Pattern::Piece& piece = pattern.pieces[i];
    switch (piece.kind) {
      case Kind::kText:
        out.text.append(piece.text);
        break;
      case Kind::kArgument:
        if (const std::string* name = given_name(arguments, piece)) {
          append_argument(arguments, *name, out);
        } else {
          out.text.append(piece.text);
        }
        break;
      case Kind::kGroupBegin:
        for (std::size_t k = i + 1; k < piece.group_end; ++k) {
          const Pattern::Piece& inner = pattern.pieces[k];
          if (inner.kind == Kind::kGroupBegin) {
            k = inner.group_end;
          } else if (inner.kind == Kind::kArgument && given_name(arguments, inner) == nullptr && !inner.has_default) {
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

bool render_rule(const Rule& rule, const TemplateRules::Impl& rules, std::string_view name,
                 const CallArguments& arguments, ExpandedText& out) {
  for (const std::string& required : rule.required) {
    if (!is_given(arguments, required)) return false;
  }
  for (const std::string& refused : rule.refused) {
    if (is_given(arguments, refused)) return false;
  }
  if (!rule.renderer.empty()) return find_renderer(rule.renderer)({arguments, name, rules}, out);
  if (rule.link.empty()) {
    fill(rule.show, arguments, out);
    return true;
  }
  ExpandedText target;
  fill(rule.link, arguments, target);
  if (trim(target.text).empty()) return false;
  ExpandedText text;
  fill(rule.show, arguments, text);
  append_link(trim(target.text), text.text.empty() ? trim(target.text) : std::string_view(text.text), out);
  return true;
}

}  // namespace touchstone::extractors::internal
