#include "extractors/internal/call_arguments.hpp"

#include "extractors/internal/expander.hpp"
#include "extractors/internal/text_scan.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace touchstone::extractors::internal {
namespace {

/// The number that is written as positional arguments are named: without sign, blanks and leading zeros; 0 for others.
std::uint32_t number_of(std::string_view name) noexcept {
  if (name.empty() || name.front() < '1' || name.front() > '9') return 0;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? number : 0;
}

bool same_name(const CallArguments::Argument& a, const CallArguments::Argument& b) noexcept {
  return a.number == b.number && (a.number != 0 || a.name == b.name);
}

bool before_in_name(const CallArguments::Argument& a, const CallArguments::Argument& b) noexcept {
  return a.number != b.number ? a.number < b.number : a.number == 0 && a.name < b.name;
}

}  // namespace

CallArguments::CallArguments(Expander& expander, const MarkupTree& tree, const Call& call, const Frame* frame)
    : expander_(expander), tree_(tree), frame_(frame) {
  arguments_.reserve(call.part_count);
  std::uint32_t position = 0;
  for (std::uint32_t i = 0; i < call.part_count; ++i) {
    const CallPart& part = tree.parts[call.first_part + i];
    Argument& argument = arguments_.emplace_back();
    argument.value = part.value;
    argument.named = part.named;
    if (part.named) argument.name = expander.name_of(tree, part.name, frame);
    argument.number = part.named ? number_of(argument.name) : ++position;
  }
  in_order_ = position == arguments_.size();
  if (!in_order_) mark_superseded();
}

void CallArguments::mark_superseded() {
  // Few calls have many arguments; those that do pay a sort instead of a quadratic search.
  constexpr std::size_t kFew = 24;
  if (arguments_.size() <= kFew) {
    for (std::size_t later = 1; later < arguments_.size(); ++later) {
      for (std::size_t i = 0; i < later; ++i) {
        if (same_name(arguments_[i], arguments_[later])) arguments_[i].superseded = true;
      }
    }
    return;
  }
  by_name_.resize(arguments_.size());
  std::iota(by_name_.begin(), by_name_.end(), 0U);
  std::sort(by_name_.begin(), by_name_.end(), [&](std::uint32_t left, std::uint32_t right) {
    if (same_name(arguments_[left], arguments_[right])) return left > right;
    return before_in_name(arguments_[left], arguments_[right]);
  });
  for (std::size_t i = 1; i < by_name_.size(); ++i) {
    if (same_name(arguments_[by_name_[i - 1]], arguments_[by_name_[i]])) arguments_[by_name_[i]].superseded = true;
  }
}

const CallArguments::Argument* CallArguments::find(std::string_view name) const noexcept {
  Argument wanted;
  wanted.name = name;
  wanted.number = number_of(name);
  if (in_order_)
    return wanted.number != 0 && wanted.number <= arguments_.size() ? &arguments_[wanted.number - 1] : nullptr;
  if (by_name_.empty()) {
    const auto found = std::find_if(arguments_.rbegin(), arguments_.rend(),
                                    [&](const Argument& argument) { return same_name(argument, wanted); });
    return found == arguments_.rend() ? nullptr : &*found;
  }
  const auto found =
      std::lower_bound(by_name_.begin(), by_name_.end(), wanted,
                       [&](std::uint32_t i, const Argument& other) { return before_in_name(arguments_[i], other); });
  return found == by_name_.end() || !same_name(arguments_[*found], wanted) ? nullptr : &arguments_[*found];
}

const std::string_view* CallArguments::plain_text(const Argument& argument) const noexcept {
  static constexpr std::string_view kNothing;
  if (argument.value.empty()) return &kNothing;
  const Node& node = tree_.nodes[argument.value.first];
  return argument.value.first == argument.value.last && node.kind == NodeKind::kText ? &node.text : nullptr;
}

const CallArguments::Value& CallArguments::value_of(const Argument& argument) const {
  Value& value = argument.known_value;
  if (!value.known) {
    value.known = true;
    const std::string_view* plain = plain_text(argument);
    if (plain != nullptr && !is_made(frame_)) {
      value.text = argument.named ? trim(*plain) : *plain;
    } else {
      auto expanded = std::make_unique<ExpandedText>();
      expander_.expand_list(tree_, argument.value, frame_, *expanded);
      if (argument.named && trim(expanded->text).size() < expanded->text.size()) {
        auto trimmed = std::make_unique<ExpandedText>();
        append_trimmed(*expanded, *trimmed);
        expanded = std::move(trimmed);
      }
      value.text = expanded->text;
      value.expanded = std::move(expanded);
    }
  }
  expander_.count_bytes(value.text.size());
  return value;
}

std::optional<std::string_view> CallArguments::get(std::string_view name) const {
  const Argument* argument = find(name);
  if (argument == nullptr) return std::nullopt;
  return value_of(*argument).text;
}

bool CallArguments::expand(std::string_view name, ExpandedText& out) const {
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

}  // namespace touchstone::extractors::internal
