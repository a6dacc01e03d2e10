#include "extractors/internal/expander.hpp"

#include "extractors/internal/entities.hpp"
#include "extractors/internal/parser_functions.hpp"
#include "extractors/internal/redirect.hpp"
#include "extractors/internal/rule_renderer.hpp"
#include "extractors/internal/rule_set.hpp"
#include "extractors/internal/text_scan.hpp"

#include <algorithm>
#include <charconv>

namespace touchstone::extractors::internal {
namespace {

constexpr std::size_t kMaxExpandDepth = 40;  // as MediaWiki bounds nested expansion
/// False for calls whose arguments are plain text.
bool may_hold_links(std::string_view call) noexcept {
  return call.find("[[") != std::string_view::npos || call.find('<') != std::string_view::npos ||
         call.find("{{", 2) != std::string_view::npos;
}

constexpr std::size_t kMaxMadeBytes = 8U * 1024 * 1024;  // of argument copies and rendered templates, per page

}  // namespace

const MadeRange* ExpandedText::find_made(std::size_t offset) const noexcept {
  const auto after = std::upper_bound(made.begin(), made.end(), offset,
                                      [](std::size_t at, const MadeRange& r) { return at < r.begin; });
  return after != made.begin() && offset < std::prev(after)->end ? &*std::prev(after) : nullptr;
}

std::uint32_t marker_number(std::string_view text) noexcept {
  std::uint32_t number = 0;
  for (std::size_t i = 1; i < kMarkerSize; ++i)
    number = (number << 4U) | (static_cast<std::uint32_t>(text[i] - 'a') & 15U);
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
  mark_superseded();
}

void CallArguments::mark_superseded() {
  // Few calls have many arguments; those that do pay a sort instead of a quadratic search.
  constexpr std::size_t kFew = 24;
  if (arguments_.size() <= kFew) {
    for (std::size_t later = 1; later < arguments_.size(); ++later) {
      for (std::size_t i = 0; i < later; ++i) {
        if (arguments_[i].name == arguments_[later].name) arguments_[i].superseded = true;
      }
    }
    return;
  }
  std::vector<std::uint32_t> order(arguments_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t left, std::uint32_t right) {
    return arguments_[left].name < arguments_[right].name;
  });
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

const ExpandedText& CallArguments::value_of(const Argument& argument) const {
  const auto number = static_cast<std::size_t>(&argument - arguments_.data());
  if (values_.empty()) values_.resize(arguments_.size());
  if (values_[number] == nullptr) {
    auto value = std::make_unique<ExpandedText>();
    expander_.expand_list(tree_, argument.value, frame_, *value);
    const std::string_view text = value->text;
    if (argument.named && trim(text).size() < text.size()) {
      auto trimmed = std::make_unique<ExpandedText>();
      append_trimmed(*value, *trimmed);
      value = std::move(trimmed);
    }
    values_[number] = std::move(value);
  }
  expander_.count_bytes(values_[number]->text.size());
  return *values_[number];
}

std::optional<std::string> CallArguments::get(std::string_view name) const {
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
  const ExpandedText& value = value_of(argument);
  const std::size_t base = out.text.size();
  out.text.append(value.text);
  for (const MadeRange& range : value.made) out.made.push_back({base + range.begin, base + range.end});
}

void append_trimmed(const ExpandedText& part, ExpandedText& out) {
  const std::string_view whole = part.text;
  const std::size_t from = whole.size() - trim_left(whole).size();
  const std::string_view kept = trim(whole);
  const std::size_t base = out.text.size();
  out.text.append(kept);
  for (const MadeRange& range : part.made) {
    const std::size_t begin = std::max(range.begin, from) - from;
    const std::size_t end = std::min(range.end, from + kept.size());
    if (end > from + begin) out.made.push_back({base + begin, base + end - from});
  }
}

const Extension& Expander::extension(std::uint32_t number) const noexcept {
  static constexpr Extension kNothing{ExtensionKind::kHidden, {}, {}};
  return number < extensions_.size() ? extensions_[number] : kNothing;
}

std::string Expander::without_markers(std::string_view text) const {
  std::string out;
  while (true) {
    const std::size_t marker = text.find(kMarkerByte);
    out.append(text.substr(0, marker));
    if (marker == std::string_view::npos) return out;
    if (is_marker(text.substr(marker))) {
      // What a marker stands for was read before it was marked, so its own markers have smaller numbers.
      const Extension& inner = extension(marker_number(text.substr(marker)));
      if (inner.kind == ExtensionKind::kNowiki && inner.content.find(kMarkerByte) == std::string_view::npos)
        out.append(inner.content);
      text.remove_prefix(marker + kMarkerSize);
    } else {
      text.remove_prefix(marker + 1);
    }
  }
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
  if (trees_used_ == trees_.size()) trees_.emplace_back();
  MarkupTree& tree = trees_[trees_used_++];
  build_markup_tree(source, Inclusion::kPage, context_.options.limits.max_depth, tree);
  context_.counters.limits_hit += tree.limits_hit;
  out.text.reserve(source.size());
  expand_list(tree, tree.root, nullptr, out);
  --trees_used_;
}

void Expander::expand_list(const MarkupTree& tree, const NodeList& list, const Frame* frame, ExpandedText& out) {
  for (std::uint32_t id = list.first; id != kNoNode; id = tree.nodes[id].next) {
    const Node& node = tree.nodes[id];
    switch (node.kind) {
      case NodeKind::kText:
        if (frame != nullptr && frame->title != nullptr) {
          const std::size_t begin = out.text.size();
          if (!out.made.empty() && out.made.back().end == begin) {
            out.made.back().end += node.text.size();
          } else {
            out.made.push_back({begin, begin + node.text.size()});
          }
        }
        out.text.append(node.text);
        break;
      case NodeKind::kExtension:
        add_extension(tree.extensions[node.payload], out);
        break;
      case NodeKind::kTemplate:
        expand_call(tree, node, frame, out);
        break;
      case NodeKind::kParameter:
        expand_parameter(tree, node, frame, out);
        break;
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
  bool given = false;
  if (frame != nullptr && frame->arguments != nullptr) {
    const std::string name = expand_name(tree, call.title, frame);
    given = frame->arguments->expand(trim(name), out);
  }
  if (!given && call.part_count > 0) {
    const CallPart& part = tree.parts[call.first_part];
    if (part.named) {
      expand_list(tree, part.name, frame, out);
      out.text.push_back('=');
    }
    expand_list(tree, part.value, frame, out);
  } else if (!given) {
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
  const std::size_t base = out.text.size();
  constexpr std::string_view kSafeSubst = "safesubst:";
  constexpr std::string_view kSubst = "subst:";
  if (starts_with_ignoring_case(name, kSafeSubst)) name = trim(name.substr(kSafeSubst.size()));
  if (starts_with_ignoring_case(name, kSubst)) {
    expand_literally(tree, call, "{{", "}}", frame, out);
  } else if (!expand_parser_function(*this, tree, call, name, frame, out)) {
    expand_template(tree, call, name, frame, out);
  }
  if (!call.at_line_start) start_line(base, out);
  --depth_;
}

/// A table or list that begins in what a call gave, from byte `base` on, stands on a line of its own.
void Expander::start_line(std::size_t base, ExpandedText& out) {
  const std::string_view made = std::string_view(out.text).substr(base);
  if (made.empty()) return;
  if (!starts_with(made, "{|") && std::string_view(":;#*").find(made.front()) == std::string_view::npos) return;
  out.text.insert(base, 1, '\n');
  for (auto range = out.made.rbegin(); range != out.made.rend() && range->begin >= base; ++range) {
    ++range->begin;
    ++range->end;
  }
}

void Expander::expand_template(const MarkupTree& tree, const Call& call, std::string_view name, const Frame* frame,
                               ExpandedText& out) {
  const auto parsed = name.find('&') == std::string_view::npos
                          ? context_.site.parse_title(name, kNamespaceTemplate)
                          : context_.site.parse_title(decode_references(name), kNamespaceTemplate);
  if (!parsed || parsed->title.text.empty()) {
    expand_literally(tree, call, "{{", "}}", frame, out);
    return;
  }
  context_.templates_used.push_back(parsed->title.ns == kNamespaceTemplate ? parsed->title.text
                                                                           : context_.site.prefixed(parsed->title));
  if (context_.options.templates == TemplateMode::kDrop) {
    count_call(parsed->title, false);
    return;
  }
  const bool expands = context_.options.templates == TemplateMode::kExpand && context_.options.loader != nullptr;
  if (!expands && !may_hold_links(call.source) &&
      (parsed->title.ns != kNamespaceTemplate || context_.rules.impl().find(parsed->title.text) == nullptr)) {
    count_call(parsed->title, false);
    keep_quotes_apart(out);
    return;
  }
  const CallArguments arguments(*this, tree, call, frame);
  if (context_.options.templates == TemplateMode::kExpand && parsed->interwiki.empty() &&
      context_.options.loader != nullptr) {
    expand_page(parsed->title, arguments, frame, out);
    return;
  }
  if (parsed->title.ns == kNamespaceTemplate && parsed->interwiki.empty() &&
      show_by_rule(parsed->title, arguments, out))
    return;
  count_call(parsed->title, false);
  keep_quotes_apart(out);
  hide_arguments(arguments);
}

void Expander::count_call(const Title& title, bool rendered) {
  ++(rendered ? context_.counters.templates_rendered : context_.counters.templates_dropped);
  if (!context_.options.count_templates || hidden_ > 0) return;
  const bool is_template = title.ns == kNamespaceTemplate;
  TemplateUse& use = context_.template_uses[is_template ? title.text : context_.site.prefixed(title)];
  ++(rendered ? use.rendered : is_template && context_.rules.impl().is_aside(title.text) ? use.aside : use.dropped);
}

bool Expander::show_by_rule(const Title& title, const CallArguments& arguments, ExpandedText& out) {
  const std::size_t begin = out.text.size();
  if (!render_by_rule(*this, title.text, arguments, out)) return false;
  count_call(title, true);
  if (begin == 0 || out.text[begin - 1] != '[' || !std::string_view(out.text).substr(begin).starts_with("[["))
    return true;
  // A rule's link is a link also behind a bracket of the page, where "[[[" would be none.
  ExpandedText mark;
  add_extension({ExtensionKind::kHidden, {}, {}}, mark);
  out.text.insert(begin, mark.text);
  for (auto& made : out.made) {
    if (made.begin >= begin) made.begin += mark.text.size();
    if (made.end > begin) made.end += mark.text.size();
  }
  return true;
}

/// Apostrophes on both sides of something that is not shown would be read as one run.
void Expander::keep_quotes_apart(ExpandedText& out) {
  const std::string_view text = out.text;
  if (text.size() < 2 || text[text.size() - 1] != '\'' || text[text.size() - 2] != '\'') return;
  add_extension({ExtensionKind::kHidden, {}, {}}, out);
}

const Expander::LoadedPage& Expander::load(const Title& title) {
  const auto [it, added] = pages_.try_emplace(title);
  LoadedPage& page = it->second;
  if (!added) return page;
  auto source = context_.options.loader->load(title);
  if (!source) return page;
  // One redirect is followed.
  if (const auto target = redirect_target(context_, *source)) {
    if (auto followed = context_.options.loader->load(*target)) source = std::move(followed);
  }
  page.exists = true;
  page.source = std::move(*source);
  build_markup_tree(page.source, Inclusion::kTemplate, context_.options.limits.max_depth, page.tree);
  return page;
}

void Expander::expand_page(const Title& title, const CallArguments& arguments, const Frame* frame, ExpandedText& out) {
  for (const Frame* f = frame; f != nullptr; f = f->parent) {
    if (f->title != nullptr && *f->title == title) {
      out.text.append("<span class=\"error\">Template loop detected: [[")
          .append(context_.site.prefixed(title))
          .append("]]</span>");
      return;
    }
  }
  const LoadedPage& page = load(title);
  if (!page.exists) {
    if (title.ns == kNamespaceTemplate && show_by_rule(title, arguments, out)) return;
    count_call(title, false);
    const std::size_t begin = out.text.size();
    out.text.append("[[:").append(context_.site.prefixed(title)).append("]]");
    out.made.push_back({begin, out.text.size()});
    return;
  }
  Frame inner;
  inner.parent = frame;
  inner.arguments = &arguments;
  inner.title = &title;
  ExpandedText text;
  expand_list(page.tree, page.tree.root, &inner, text);
  bytes_made_ += text.text.size();
  const std::size_t base = out.text.size();
  out.text.append(text.text);
  for (const MadeRange& range : text.made) out.made.push_back({base + range.begin, base + range.end});
}

void Expander::hide_arguments(const CallArguments& arguments) {
  if (silent_ > 0) return;
  hidden_texts_.emplace_back();
  ++hidden_;
  // A deque keeps the element in place while nested calls add theirs.
  hidden_texts_.back().made = made_;
  ExpandedText& hidden = hidden_texts_.back().text;
  for (const CallArguments::Argument& argument : arguments.all()) {
    if (argument.superseded) continue;
    hidden.text.push_back('\n');
    arguments.expand(argument, hidden);
  }
  --hidden_;
}

}  // namespace touchstone::extractors::internal
