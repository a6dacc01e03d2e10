#include "extractors/internal/expander.hpp"

#include <algorithm>
#include <charconv>

#include "extractors/internal/parser_functions.hpp"
#include "extractors/internal/rule_renderer.hpp"
#include "extractors/internal/text_scan.hpp"

namespace touchstone::extractors::internal {
namespace {

constexpr std::size_t kMaxExpandDepth = 40;               // as MediaWiki bounds nested expansion
constexpr std::size_t kMaxMadeBytes = 8U * 1024 * 1024;   // of argument copies and rendered templates, per page

}  // namespace

const MadeRange* ExpandedText::find_made(std::size_t offset) const noexcept {
  const auto after = std::upper_bound(made.begin(), made.end(), offset, [](std::size_t at, const MadeRange& r) { return at < r.begin; });
  return after != made.begin() && offset < std::prev(after)->end ? &*std::prev(after) : nullptr;
}

std::uint32_t marker_number(std::string_view text) noexcept {
  std::uint32_t number = 0;
  for (std::size_t i = 1; i < kMarkerSize; ++i) number = (number << 4U) | (static_cast<std::uint32_t>(text[i] - 'a') & 15U);
  return number;
}

CallArguments::CallArguments(Expander& expander, const MarkupTree& tree, const Call& call, const Frame* frame)
    : expander_(expander), tree_(tree), frame_(frame) {
  arguments_.reserve(call.part_count);
  std::size_t index = 0;
  for (std::uint32_t i = 0; i < call.part_count; ++i) {
    const CallPart& part = tree.parts[call.first_part + i];
    Argument argument;
    argument.value = part.value;
    argument.named = part.named;
    if (part.named) {
      const std::string name = expander.expand_name(tree, part.name, frame);
      argument.name = std::string(trim(name));
    } else {
      argument.name = std::to_string(++index);
    }
    arguments_.push_back(std::move(argument));
  }
  // Few calls have many arguments; those that do pay a sort instead of a quadratic search.
  std::vector<std::uint32_t> order(arguments_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return arguments_[a].name < arguments_[b].name; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (arguments_[order[i - 1]].name == arguments_[order[i]].name) arguments_[order[i - 1]].superseded = true;
  }
}

const CallArguments::Argument* CallArguments::find(std::string_view name) const noexcept {
  for (auto it = arguments_.rbegin(); it != arguments_.rend(); ++it) {
    if (it->name == name) return &*it;
  }
  return nullptr;
}

std::optional<std::string> CallArguments::get(std::string_view name) const {
  const Argument* argument = find(name);
  if (argument == nullptr) return std::nullopt;
  std::string value = expander_.expand_to_string(tree_, argument->value, frame_);
  if (argument->named) value = std::string(trim(value));
  return value;
}

void CallArguments::expand(const Argument& argument, ExpandedText& out) const {
  expander_.expand_list(tree_, argument.value, frame_, out);
}

std::string_view Expander::keep(std::string text) {
  kept_.push_back(std::move(text));
  return kept_.back();
}

void Expander::add_extension(const Extension& extension, ExpandedText& out) {
  const auto number = static_cast<std::uint32_t>(extensions_.size());
  extensions_.push_back(extension);
  char marker[kMarkerSize];
  marker[0] = kMarkerByte;
  for (std::size_t i = 1; i < kMarkerSize; ++i) {
    marker[i] = static_cast<char>('a' + ((number >> (4 * (kMarkerSize - 1 - i))) & 15U));
  }
  out.text.append(marker, kMarkerSize);
}

void Expander::expand_source(std::string_view source, ExpandedText& out) {
  out.text.clear();
  out.made.clear();
  trees_.emplace_back();
  MarkupTree& tree = trees_.back();
  build_markup_tree(source, Inclusion::kPage, context_.options.limits.max_depth, tree);
  context_.counters.limits_hit += tree.limits_hit;
  out.text.reserve(source.size());
  expand_list(tree, tree.root, nullptr, out);
  trees_.pop_back();
}

void Expander::expand_list(const MarkupTree& tree, const NodeList& list, const Frame* frame, ExpandedText& out) {
  for (std::uint32_t id = list.first; id != kNoNode; id = tree.nodes[id].next) {
    const Node& node = tree.nodes[id];
    switch (node.kind) {
      case NodeKind::kText: out.text.append(node.text); break;
      case NodeKind::kExtension: add_extension(tree.extensions[node.payload], out); break;
      case NodeKind::kTemplate: expand_call(tree, node, frame, out); break;
      case NodeKind::kParameter: expand_parameter(tree, node, frame, out); break;
    }
    if (id == list.last) break;
  }
}

std::string Expander::expand_to_string(const MarkupTree& tree, const NodeList& list, const Frame* frame) {
  if (list.first == list.last && (list.empty() || tree.nodes[list.first].kind == NodeKind::kText)) {
    return list.empty() ? std::string() : std::string(tree.nodes[list.first].text);
  }
  ExpandedText out;
  expand_list(tree, list, frame, out);
  bytes_made_ += out.text.size();
  return std::move(out.text);
}

std::string Expander::expand_name(const MarkupTree& tree, const NodeList& list, const Frame* frame) {
  ++silent_;
  std::string text = expand_to_string(tree, list, frame);
  --silent_;
  return text;
}

bool Expander::over_budget(const ExpandedText& out) {
  if (depth_ < kMaxExpandDepth && bytes_made_ < kMaxMadeBytes && out.text.size() < 4 * kMaxMadeBytes) return false;
  ++context_.counters.limits_hit;
  return true;
}

void Expander::expand_literally(const MarkupTree& tree, const Call& call, std::string_view open, std::string_view close,
                                const Frame* frame, ExpandedText& out) {
  out.text.append(open);
  expand_list(tree, call.title, frame, out);
  for (std::uint32_t i = 0; i < call.part_count; ++i) {
    const CallPart& part = tree.parts[call.first_part + i];
    out.text.push_back('|');
    if (part.named) {
      expand_list(tree, part.name, frame, out);
      out.text.push_back('=');
    }
    expand_list(tree, part.value, frame, out);
  }
  out.text.append(close);
}

void Expander::expand_parameter(const MarkupTree& tree, const Node& node, const Frame* frame, ExpandedText& out) {
  if (over_budget(out)) return;
  ++depth_;
  const Call& call = tree.calls[node.payload];
  std::optional<std::string> value;
  if (frame != nullptr && frame->arguments != nullptr) {
    const std::string name = expand_name(tree, call.title, frame);
    value = frame->arguments->get(trim(name));
  }
  if (value) {
    out.text.append(*value);
  } else if (call.part_count > 0) {
    const CallPart& part = tree.parts[call.first_part];
    if (part.named) {
      expand_list(tree, part.name, frame, out);
      out.text.push_back('=');
    }
    expand_list(tree, part.value, frame, out);
  } else {
    expand_literally(tree, call, "{{{", "}}}", frame, out);
  }
  --depth_;
}

void Expander::expand_call(const MarkupTree& tree, const Node& node, const Frame* frame, ExpandedText& out) {
  if (over_budget(out)) return;
  ++depth_;
  const Call& call = tree.calls[node.payload];
  const std::string title = expand_name(tree, call.title, frame);
  std::string_view name = trim(title);
  constexpr std::string_view kSafeSubst = "safesubst:";
  constexpr std::string_view kSubst = "subst:";
  if (starts_with_ignoring_case(name, kSafeSubst)) name = trim(name.substr(kSafeSubst.size()));
  if (starts_with_ignoring_case(name, kSubst)) {
    expand_literally(tree, call, "{{", "}}", frame, out);
  } else if (!expand_parser_function(*this, tree, call, name, frame, out)) {
    expand_template(tree, call, name, frame, out);
  }
  --depth_;
}

void Expander::expand_template(const MarkupTree& tree, const Call& call, std::string_view name, const Frame* frame,
                               ExpandedText& out) {
  const auto parsed = context_.site.parse_title(name, kNamespaceTemplate);
  if (!parsed || parsed->title.text.empty()) {
    expand_literally(tree, call, "{{", "}}", frame, out);
    return;
  }
  context_.templates_used.push_back(parsed->title.ns == kNamespaceTemplate ? parsed->title.text : context_.site.prefixed(parsed->title));
  if (context_.options.templates == TemplateMode::kDrop) {
    ++context_.counters.templates_dropped;
    return;
  }
  const CallArguments arguments(*this, tree, call, frame);
  if (parsed->title.ns == kNamespaceTemplate && parsed->interwiki.empty() &&
      render_by_rule(*this, parsed->title.text, arguments, out)) {
    ++context_.counters.templates_rendered;
    return;
  }
  ++context_.counters.templates_dropped;
  hide_arguments(arguments);
}

void Expander::hide_arguments(const CallArguments& arguments) {
  if (silent_ > 0) return;
  hidden_texts_.emplace_back();
  // A deque keeps the element in place while nested calls add theirs.
  hidden_texts_.back().made = made_;
  ExpandedText& hidden = hidden_texts_.back().text;
  for (const CallArguments::Argument& argument : arguments.all()) {
    if (argument.superseded) continue;
    hidden.text.push_back('\n');
    arguments.expand(argument, hidden);
  }
}

}  // namespace touchstone::extractors::internal
