// Values that are not known: where they leave a mark in expanded text, and where they do not.
#include "extractors/wikitext/preprocessor/expander.hpp"

#include "extractors/scan/byte_scan.hpp"
#include "extractors/site/language_words.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace touchstone::extractors::wikitext::preprocessor {
using internal::Inclusion;
using namespace scan;
using site::ImageOption;
using site::LanguageWords;
namespace {

constexpr std::size_t kMaxExpandDepth = 40;  // as MediaWiki bounds nested expansion
constexpr std::size_t kMaxExpandedBytes = 32U * 1024 * 1024;
constexpr std::size_t kMaxSteps = 2'000'000;  // calls and their arguments, per page; MediaWiki: 1,000,000

/// True for text without links that does not change how links around it are read.
bool cannot_touch_links(std::string_view text) noexcept {
  text = trim(text);
  return find_stop(Stop::kLink, text, 0) == text.size();
}

/// True if `text` ends where the text of a link begins: "[[Title|".
bool at_link_text(std::string_view text) {
  constexpr std::size_t kMostBytes = 300;
  if (!text.ends_with('|')) return false;
  const std::string_view near = text.substr(text.size() - std::min(text.size(), kMostBytes));
  const std::size_t open = near.rfind("[[");
  return open != std::string_view::npos &&
         near.substr(open, near.size() - open - 1).find_first_of("]|\n", 2) == std::string_view::npos;
}

constexpr std::size_t kMaxTargetBytes = 300;  // of an open link that is looked at; titles have 255 at most

/// True if `option` begins as the option of an image that names a target ("link=").
bool begins_link_option(const LanguageWords& words, std::string_view option) {
  return std::any_of(words.image_words_with_value.begin(), words.image_words_with_value.end(),
                     [&](const LanguageWords::ImageWord& word) {
                       return word.option == ImageOption::kLink && option.starts_with(word.text);
                     });
}

}  // namespace

std::string Expander::without_markers(std::string_view text) const {
  std::string out;
  while (true) {
    const std::size_t marker = text.find(kMarkerByte);
    out.append(text.substr(0, marker));
    if (marker == std::string_view::npos) return out;
    if (is_marker(text.substr(marker))) {
      // What a marker represents was read before it was marked, so its own markers have smaller numbers.
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
  if (extensions_.size() >= kMaxExtensions) {
    ++context_.counters.limits_hit;
    return;
  }
  auto number = static_cast<std::uint32_t>(extensions_.size());
  extensions_.push_back(extension);
  char marker[kMarkerSize];
  marker[0] = kMarkerByte;
  std::fill(marker + 1, marker + kMarkerSize, 'a');
  for (std::size_t i = kMarkerSize - 1; number != 0; number >>= 4U) marker[i--] += static_cast<char>(number & 15U);
  out.text.append(marker, kMarkerSize);
}

void Expander::expand_source(std::string_view source, ExpandedText& out) {
  out.resize({});
  if (trees_used_ == trees_.size()) trees_.emplace_back();
  MarkupTree& tree = trees_[trees_used_++];
  build_markup_tree(source, Inclusion::kPage, context_.options.limits.max_depth, tree,
                    [this](std::string_view name) { return reads_arguments(name); });
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
        if (is_made(frame)) {
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

void Expander::expand_part(const MarkupTree& tree, const CallPart& part, const Frame* frame, ExpandedText& out) {
  if (part.named) {
    expand_list(tree, part.name, frame, out);
    out.text.push_back('=');
  }
  expand_list(tree, part.value, frame, out);
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
  const ValueScope scope(*this);
  ++silent_;
  std::string text = expand_to_string(tree, list, frame);
  --silent_;
  return text;
}

bool Expander::over_budget(const ExpandedText& out) {
  if (depth_ < kMaxExpandDepth && bytes_made_ < kMaxMadeBytes && steps_ < kMaxSteps &&
      out.text.size() < kMaxExpandedBytes)
    return false;
  ++context_.counters.limits_hit;
  return true;
}

void Expander::expand_literally(const MarkupTree& tree, const Call& call, std::string_view open, std::string_view close,
                                const Frame* frame, ExpandedText& out) {
  out.text.append(open);
  expand_list(tree, call.title, frame, out);
  for (std::uint32_t i = 0; i < call.part_count; ++i) {
    out.text.push_back('|');
    expand_part(tree, tree.parts[call.first_part + i], frame, out);
  }
  out.text.append(close);
}

void Expander::expand_parameter(const MarkupTree& tree, const Node& node, const Frame* frame, ExpandedText& out) {
  if (over_budget(out)) return give_unknown(UnknownCause::kLimit, out);
  ++depth_;
  const Call& call = tree.calls[node.payload];
  steps_ += 1 + call.part_count;
  const std::size_t base = out.text.size();
  const bool in_target = values_ == 0 && in_link_target(out.text);
  values_ += in_target ? 1 : 0;
  bool given = false;
  if (frame != nullptr && frame->arguments != nullptr) {
    const std::string_view name = name_of(tree, call.title, frame);
    given = frame->arguments->expand(name, out);
    if (const auto cause = given || !has_marks_ ? std::nullopt : find_unknown(name)) {
      withhold(*cause, out);
      given = true;
    }
  }
  if (!given && call.part_count > 0) {
    expand_part(tree, tree.parts[call.first_part], frame, out);
  } else if (!given) {
    expand_literally(tree, call, "{{{", "}}}", frame, out);
  }
  values_ -= in_target ? 1 : 0;
  if (has_marks_ && values_ == 0) remove_marks(base, out);
  --depth_;
}

void Expander::expand_call(const MarkupTree& tree, const Node& node, const Frame* frame, ExpandedText& out) {
  if (over_budget(out)) return give_unknown(UnknownCause::kLimit, out);
  ++depth_;
  const Call& call = tree.calls[node.payload];
  steps_ += 1 + call.part_count;
  const std::string_view name = name_of(tree, call.title, frame);
  const std::size_t base = out.text.size();
  const bool in_target = values_ == 0 && in_link_target(out.text);
  values_ += in_target ? 1 : 0;
  if (call.unread) {
    drop_call(use_template(name), out);
  } else {
    expand_named(tree, call, name, frame, out);
  }
  values_ -= in_target ? 1 : 0;
  if (has_marks_ && values_ == 0) remove_marks(base, out);
  if (!call.unread && !call.at_line_start && out.text.size() > base) start_line(base, out);
  --depth_;
}

/// Decides by its name whether a call is one of a parser function or of a template.
void Expander::expand_named(const MarkupTree& tree, const Call& call, std::string_view name, const Frame* frame,
                            ExpandedText& out) {
  constexpr std::string_view kSubst = "subst:";
  constexpr std::string_view kVerbatim = "msgnw:";
  const bool has_prefix = name.find(':') != std::string_view::npos;
  if (has_prefix) {
    for (const std::string_view prefix : {"safesubst:", "msg:", "raw:"}) {
      if (starts_with_ignoring_case(name, prefix)) name = trim(name.substr(prefix.size()));
    }
    if (starts_with_ignoring_case(name, kVerbatim)) {
      show_verbatim(trim(name.substr(kVerbatim.size())), out);
      return;
    }
    if (starts_with_ignoring_case(name, kSubst)) {
      expand_literally(tree, call, "{{", "}}", frame, out);
      return;
    }
  }
  const bool may_be_word = has_prefix || call.part_count == 0;
  if (may_be_word && expand_function_(*this, tree, call, name, frame, out)) return;
  expand_template(tree, call, name, frame, out);
}

/// Puts a table or list that begins in the result of a call (from byte `base` on) on a line of its own.
void Expander::start_line(std::size_t base, ExpandedText& out) {
  std::string_view made = std::string_view(out.text).substr(base);
  while (is_mark(made)) made.remove_prefix(kMarkerSize);
  if (made.empty()) return;
  if (!starts_with(made, "{|") && std::string_view(":;#*").find(made.front()) == std::string_view::npos) return;
  out.text.insert(base, 1, '\n');
  for (auto range = out.made.rbegin(); range != out.made.rend() && range->begin >= base; ++range) {
    ++range->begin;
    ++range->end;
  }
  for (Hole& hole : out.holes) hole.at += hole.at >= base ? 1 : 0;
}

/// Apostrophes on both sides of an omission would be read as one run, and a link with an omitted text as no link. An
/// empty extension tag keeps them apart.
void Expander::keep_apart(ExpandedText& out) {
  const std::string_view text = out.text;
  if (at_link_text(text)) {
    add_extension({ExtensionKind::kHidden, {}, {}}, out);
    return;
  }
  if (text.size() < 2 || text[text.size() - 1] != '\'' || text[text.size() - 2] != '\'') return;
  add_extension({ExtensionKind::kHidden, {}, {}}, out);
}

void Expander::hide_arguments(const CallArguments& arguments) {
  if (silent_ > 0) return;
  hidden_texts_.emplace_back();
  ++hidden_;
  // A deque keeps the element in place while nested calls add theirs.
  hidden_texts_.back().made = made_;
  ExpandedText& hidden = hidden_texts_.back().text;
  for (const CallArguments::Argument& argument : arguments.all()) {
    const std::string_view* plain = arguments.plain_text(argument);
    if ((plain != nullptr && cannot_touch_links(*plain)) || !arguments.counts(argument)) continue;
    hidden.text.push_back('\n');
    arguments.expand(argument, hidden);
  }
  if (has_marks_) remove_marks(0, hidden);
  --hidden_;
}

/// True if `text` ends in the target of a link that is open: behind "[[Title", or behind "link=" in an image.
bool Expander::in_link_target(std::string_view text) const {
  if (text.empty() || text.back() == '\n') return false;
  const std::string_view near = text.substr(text.size() - std::min(text.size(), kMaxTargetBytes));
  const void* found = ::memrchr(near.data(), '[', near.size());  // on the path of each call
  if (found == nullptr || found == near.data()) return false;
  const auto bracket = static_cast<std::size_t>(static_cast<const char*>(found) - near.data());
  if (near[bracket - 1] != '[') return false;
  const std::string_view inside = near.substr(bracket + 1);
  if (inside.find(']') != std::string_view::npos || inside.find('\n') != std::string_view::npos) return false;
  const std::size_t bar = inside.rfind('|');
  // No title holds braces and angle brackets.
  if (bar == std::string_view::npos) return inside.find_first_of("{}<>") == std::string_view::npos;
  return begins_link_option(context_.site.words(), inside.substr(bar + 1));
}

void Expander::note_hole(ExpandedText& out, bool loses_text) const {
  // Without templates, text is compared with that of a wiki whose templates show nothing either.
  if (values_ == 0 && context_.options.templates != TemplateMode::kDrop) out.add_hole(loses_text);
}

void Expander::give_unknown(UnknownCause cause, ExpandedText& out, bool aside) {
  note_hole(out, !aside);
  if (values_ == 0) return;
  has_marks_ = true;
  out.text.append(unknown_mark(cause));
}

void Expander::withhold(UnknownCause cause, ExpandedText& out) {
  ++context_.counters.unknown[static_cast<std::size_t>(cause)];
  give_unknown(cause, out);
}

void Expander::give_error(const std::string& message, ExpandedText& out) {
  ++context_.counters.call_errors;
  if (context_.options.count_templates) ++context_.call_errors[message];
  if (values_ == 0) return;
  has_marks_ = true;
  out.text.append(error_mark());
}

void Expander::remove_marks(std::size_t from, ExpandedText& out) const {
  std::size_t read = find_mark(out.text, from);
  if (read == out.text.size()) return;
  std::string kept = out.text.substr(0, read);
  std::vector<std::size_t> removed;  // where they were, ascending
  while (read < out.text.size()) {
    if (in_link_target(kept)) {
      kept.append(out.text, read, kMarkerSize);
    } else {
      removed.push_back(read);
    }
    read += kMarkerSize;
    const std::size_t next = find_mark(out.text, read);
    kept.append(out.text, read, next - read);
    read = next;
  }
  out.text = std::move(kept);
  if (removed.empty()) return;
  const auto moved = [&](std::size_t at) {
    const auto before = std::lower_bound(removed.begin(), removed.end(), at) - removed.begin();
    return at - static_cast<std::size_t>(before) * kMarkerSize;
  };
  for (MadeRange& range : out.made) range = {moved(range.begin), moved(range.end)};
  std::erase_if(out.made, [](const MadeRange& range) { return range.begin >= range.end; });
  for (Hole& hole : out.holes) hole.at = moved(hole.at);
  if (values_ == 0 && context_.options.templates != TemplateMode::kDrop) {
    for (const std::size_t at : removed) out.holes.push_back({moved(at)});
  }
}

}  // namespace touchstone::extractors::wikitext::preprocessor
