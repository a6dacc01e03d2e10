#include "extractors/wikitext/preprocessor/call_arguments.hpp"

#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/preprocessor/expander.hpp"
#include "extractors/wikitext/preprocessor/markers.hpp"

#include <algorithm>
#include <numeric>

namespace touchstone::extractors::wikitext::preprocessor {
using scan::trim;

CallArguments::CallArguments(Expander& expander, const MarkupTree& tree, const Call& call, const Frame* frame)
    : expander_(expander), tree_(tree), frame_(frame), arguments_(call.part_count) {
  const CallPart* part = tree.parts.data() + call.first_part;
  for (Argument& argument : arguments_) {
    argument.value = part->value;
    argument.named = part->named;
    if (part->named) {
      argument.name = expander.name_of(tree, part->name, frame);
      if (argument.name.is_position()) by_position_ = false;
    } else {
      argument.name = ++positional_;
    }
    ++part;
  }
}

void CallArguments::sort_by_name() const {
  by_name_.resize(arguments_.size());
  std::iota(by_name_.begin(), by_name_.end(), 0U);
  std::sort(by_name_.begin(), by_name_.end(), [&](std::uint32_t left, std::uint32_t right) {
    const ArgumentName &a = arguments_[left].name, &b = arguments_[right].name;
    return a == b ? left > right : a < b;
  });
}

const CallArguments::Argument* CallArguments::search(const ArgumentName& name) const {
  constexpr std::size_t kFew = 24;
  constexpr std::size_t kFewSearches = 32;
  if (arguments_.size() <= kFew || (by_name_.empty() && ++searches_ <= kFewSearches)) {
    const auto found = std::find_if(arguments_.rbegin(), arguments_.rend(),
                                    [&](const Argument& argument) { return argument.name == name; });
    return found == arguments_.rend() ? nullptr : &*found;
  }
  if (by_name_.empty()) sort_by_name();
  const auto found =
      std::lower_bound(by_name_.begin(), by_name_.end(), name,
                       [&](std::uint32_t i, const ArgumentName& wanted) { return arguments_[i].name < wanted; });
  return found != by_name_.end() && arguments_[*found].name == name ? &arguments_[*found] : nullptr;
}

const CallArguments::Value& CallArguments::value_of(const Argument& argument) const {
  if (!argument.known_value.known) expand_value(argument);
  expander_.count_bytes(argument.known_value.text.size());
  return argument.known_value;
}

void CallArguments::expand_value(const Argument& argument) const {
  Value& value = argument.known_value;
  value.known = true;
  if (const std::string_view* plain = plain_text(argument); plain != nullptr && !is_made(frame_)) {
    value.text = argument.named ? trim(*plain) : *plain;
    return;
  }
  auto expanded = std::make_unique<ExpandedText>();
  {
    const Expander::ValueScope scope(expander_);
    expander_.expand_list(tree_, argument.value, frame_, *expanded);
  }
  value.unknown = expander_.has_marks() && find_unknown(expanded->text).has_value();
  if (argument.named && (value.unknown || trim(expanded->text).size() < expanded->text.size())) {
    auto trimmed = std::make_unique<ExpandedText>();
    append_trimmed(*expanded, *trimmed);
    expanded = std::move(trimmed);
  }
  value.text = expanded->text;
  value.expanded = std::move(expanded);
}

std::string_view CallArguments::trimmed(const ArgumentName& name) const {
  const Argument* argument = find(name);
  return argument == nullptr ? std::string_view() : trim(value_of(*argument).text);
}

bool CallArguments::expand(const ArgumentName& name, ExpandedText& out) const {
  const Argument* argument = find(name);
  if (argument == nullptr) return false;
  expand(*argument, out);
  return true;
}

void CallArguments::expand(const Argument& argument, ExpandedText& out) const {
  const Value& value = value_of(argument);
  const std::size_t base = out.text.size();
  out.text.append(value.text);
  if (value.expanded == nullptr) return;
  for (const MadeRange& range : value.expanded->made) out.made.push_back({base + range.begin, base + range.end});
}

const CallArguments::Argument* CallArguments::find_filled(const ArgumentName& name) const {
  const Argument* argument = find(name);
  if (argument == nullptr) return nullptr;
  const Value& value = value_of(*argument);
  return value.unknown ? (is_known_blank(value.text) ? nullptr : argument)
                       : (trim(value.text).empty() ? nullptr : argument);
}

bool CallArguments::is_unknown(const ArgumentName& name) const {
  const Argument* argument = find(name);
  if (argument == nullptr) return false;
  if (!argument->known_value.known) expand_value(*argument);
  return argument->known_value.unknown;
}

void CallArguments::expand_trimmed(const ArgumentName& name, ExpandedText& out) const {
  if (const Argument* argument = find(name)) expand_trimmed(*argument, out);
}

void CallArguments::expand_trimmed(const Argument& argument, ExpandedText& out) const {
  const Value& value = value_of(argument);
  if (value.expanded == nullptr) {
    out.text.append(trim(value.text));
  } else {
    append_trimmed(*value.expanded, out);
  }
}

}  // namespace touchstone::extractors::wikitext::preprocessor
