// What the call of a template shows: text by a rule or from the template's page, or nothing.
#include "common/unicode.hpp"
#include "extractors/scan/entities.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/preprocessor/expander.hpp"
#include "extractors/wikitext/preprocessor/markers.hpp"
#include "extractors/wikitext/preprocessor/page_text.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace touchstone::extractors::wikitext::preprocessor {
using internal::Inclusion;
using namespace scan;
using site::ParsedTitle;
namespace {

constexpr std::size_t kNone = std::string_view::npos;

/// Size of the element or table at the beginning of `text`, from its opening to its closing tag; 0 if it is not closed.
std::size_t whole_size(std::string_view text, std::string_view open, std::string_view close) noexcept {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (starts_with_ignoring_case(text.substr(at), open)) {
      ++depth;
      at += open.size() - 1;
    } else if (starts_with_ignoring_case(text.substr(at), close)) {
      at += close.size() - 1;
      if (--depth == 0) return at + 1;
    }
  }
  return 0;
}

/// By what wikis in all languages write in the tags of a box.
bool looks_boxed(std::string_view element) {
  std::string lower(element);
  std::transform(lower.begin(), lower.end(), lower.begin(), scan::ascii_lower);
  constexpr std::string_view kSigns[] = {
      "border:", "border-left:", "background:", "background-color:", "float:",   "messagebox", "ambox",  "mbox",
      "navbox",  "infobox",      "sistersite",  "noprint",           "metadata", "sidebar",    "hatnote"};
  return std::any_of(std::begin(kSigns), std::end(kSigns),
                     [&](std::string_view sign) { return lower.find(sign) != std::string::npos; });
}

/// Size of what is not text between boxes at the start of `text`: marks of extension tags, categories, tables. 0: none.
std::size_t unseen_size(std::string_view text) noexcept {
  if (text.front() == kMarkerByte && text.size() >= kMarkerSize) return kMarkerSize;
  if (text.starts_with("{|")) return whole_size(text, "{|", "|}");
  if (!text.starts_with("[[")) return 0;
  const std::size_t end = text.find("]]");
  return end != kNone && text.substr(0, end).find(':') != kNone ? end + 2 : 0;
}

/// Whether expanded wikitext is nothing but boxes beside the text: elements with a border, a background or a float, or
/// with a class that wikis give to boxes, and categories and tables between them. False for text that is not closed.
bool is_box(std::string_view text) {
  bool boxed = false;
  for (text = scan::trim_left(text); !text.empty(); text = scan::trim_left(text)) {
    std::size_t size = unseen_size(text);
    if (size == 0) {
      if (!starts_with_ignoring_case(text, "<div")) return false;
      size = whole_size(text, "<div", "</div>");
      if (size == 0 || !looks_boxed(text.substr(0, size))) return false;
      boxed = true;
    }
    text.remove_prefix(size);
  }
  return boxed;
}

/// Letters and digits in bytes, tags apart: how much text a reader sees, roughly.
std::size_t count_shown(std::string_view text) noexcept {
  std::size_t shown = 0;
  bool tag = false;
  for (const char c : text) {
    tag = (tag || c == '<') && c != '>';
    const auto byte = static_cast<unsigned char>(c);
    shown += !tag && (byte >= 0x80 || is_alphanumeric(c));
  }
  return shown;
}

/// False for calls whose arguments cannot contain links.
bool may_hold_links(std::string_view call) noexcept {
  return call.find("[[") != std::string_view::npos || call.find('<') != std::string_view::npos ||
         call.find("{{", 2) != std::string_view::npos;
}

/// True for a call such as "#var:name" or "#seo:". It is one of a function that no wikitext computes here: of an
/// extension, which the wiki may have or not. A reader of the wiki sees no braces either way, or a mistake.
bool calls_function(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (!name.starts_with('#') || colon == std::string_view::npos || colon == 1) return false;
  return std::all_of(name.begin() + 1, name.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](char c) { return is_alphanumeric(c) || c == '_' || c == '-'; });
}

/// Whether a full stop ends something in a text: a letter or bracket is in front of it, and no letter behind it.
bool ends_sentence(std::string_view text) noexcept {
  for (std::size_t at = text.find('.'); at != std::string_view::npos; at = text.find('.', at + 1)) {
    const bool behind_word = at > 0 && count_shown(text.substr(at - 1, 1)) + (text[at - 1] == ')') > 0;
    if (behind_word && (at + 1 == text.size() || count_shown(text.substr(at + 1, 1)) == 0)) return true;
  }
  return text.find("。") != std::string_view::npos;
}

/// Whether what a call shows is not part of its page: a box that holds hardly more of the call than a title, or a
/// sentence of a template without arguments, which says the same on all pages.
bool is_aside_text(const Call& call, std::string_view shown) {
  constexpr std::size_t kLeastLetters = 20;
  const std::size_t letters = count_shown(shown);
  if (call.part_count == 0 && call.at_line_start && letters >= kLeastLetters && !scan::trim(shown).starts_with("{|"))
    return ends_sentence(shown);
  const std::size_t bar = std::min(call.source.find('|'), call.source.size());
  return is_box(shown) && 2 * count_shown(call.source.substr(bar)) < letters;
}

/// Inserts text at an offset of `out`, and moves what begins there or ends behind it.
void insert(std::string_view text, std::size_t at, ExpandedText& out) {
  out.text.insert(at, text);
  for (auto& made : out.made) {
    if (made.begin >= at) made.begin += text.size();
    if (made.end > at) made.end += text.size();
  }
  for (Hole& hole : out.holes) hole.at += hole.at > at ? text.size() : 0;
}

}  // namespace

/// {{msgnw:page}}: the wikitext of a page as text.
void Expander::show_verbatim(std::string_view name, ExpandedText& out) {
  const NamedTemplate& called = find_template(keep(std::string(name)));
  if (called.title.text.empty() || !called.local || context_.options.templates != TemplateMode::kExpand ||
      context_.options.loader == nullptr) {
    ++context_.counters.templates_dropped;
    return give_unknown(UnknownCause::kTemplate, out);
  }
  auto source = load_clean(*context_.options.loader, called.title);
  if (!source) return drop_call(called, out);
  bytes_made_ += source->size();
  add_extension({ExtensionKind::kNowiki, {}, keep(*std::move(source))}, out);
}

Expander::NamedTemplate& Expander::find_template(std::string_view name) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(name[at]); };
  const std::size_t mixed = name.empty() ? 0 : name.size() + 3U * byte(name.size() / 2) + 7U * byte(name.size() - 1);
  RecentName& recent = recent_names_[mixed % recent_names_.size()];
  if (recent.stands_for != nullptr && recent.name == name) return *recent.stands_for;
  const auto [it, added] = templates_.try_emplace(name);
  if (added) identify(name, it->second);
  recent = {it->first, &it->second};
  return it->second;
}

void Expander::identify(std::string_view name, NamedTemplate& found) const {
  ParsedTitle parsed;
  std::string decoded;
  std::string_view text = name;
  if (name.find('&') != std::string_view::npos) text = decoded = decode_references(name);
  if (context_.site.read_title(text, kNamespaceTemplate, parsed) || parsed.title.text.empty()) return;
  found.title = std::move(parsed.title);
  found.local = parsed.interwiki.empty();
  const bool rendered = found.title.ns == kNamespaceTemplate && found.local;
  if (rendered && context_.options.templates != TemplateMode::kDrop)
    found.rule = context_.renderer.find_rule(found.title.text);
}

/// False if a call with this name is dropped whatever its arguments are, provided that they are plain text.
bool Expander::reads_arguments(std::string_view name) {
  if (context_.options.templates == TemplateMode::kExpand || name.find(':') != std::string_view::npos) return true;
  const NamedTemplate& called = find_template(name);
  return called.title.text.empty() || called.rule != kNoRule;
}

/// Finds the template of a call, and notes that the page uses it.
Expander::NamedTemplate& Expander::use_template(std::string_view name) {
  NamedTemplate& called = find_template(name);
  if (called.used || called.title.text.empty()) return called;
  called.used = true;
  const bool is_template = called.title.ns == kNamespaceTemplate;
  context_.templates_used.push_back(is_template ? called.title.text : keep(context_.site.prefixed(called.title)));
  return called;
}

/// Handles a call that shows nothing and whose arguments hold no links.
void Expander::drop_call(const NamedTemplate& called, ExpandedText& out) {
  count_call(called.title, Outcome::kDropped);
  if (context_.options.templates != TemplateMode::kDrop) keep_apart(out);
  give_unknown(UnknownCause::kTemplate, out, is_aside(called.title));
}

/// Handles the call of a function that only an extension of MediaWiki has. Links in its arguments may be conditions or
/// names, so they do not count.
void Expander::drop_function(ExpandedText& out) {
  if (context_.options.templates != TemplateMode::kDrop) keep_apart(out);
  withhold(UnknownCause::kFunction, out);
}

/// Handles the call of a template whose name is not known.
void Expander::drop_unnamed(const MarkupTree& tree, const Call& call, UnknownCause cause, const Frame* frame,
                            ExpandedText& out) {
  ++context_.counters.templates_dropped;
  keep_apart(out);
  withhold(cause, out);
  if (may_hold_links(call.source)) hide_arguments(CallArguments(*this, tree, call, frame));
}

void Expander::expand_template(const MarkupTree& tree, const Call& call, std::string_view name, const Frame* frame,
                               ExpandedText& out) {
  if (calls_function(name)) return drop_function(out);
  if (const auto cause = has_marks_ ? find_unknown(name) : std::nullopt) {
    // The known part of a name may hold a character that no title has.
    constexpr std::string_view kInNoTitle = "[]{}<>\n";
    if (name.find_first_of(kInNoTitle) == std::string_view::npos) return drop_unnamed(tree, call, *cause, frame, out);
    return expand_literally(tree, call, "{{", "}}", frame, out);
  }
  const NamedTemplate& called = use_template(name);
  const TemplateMode mode = context_.options.templates;
  const bool expands = mode == TemplateMode::kExpand && context_.options.loader != nullptr;
  if (called.title.text.empty()) {  // what is not a title is text
    expand_literally(tree, call, "{{", "}}", frame, out);
  } else if (expands && !called.local) {  // a page of another wiki is not included
    drop_call(called, out);
  } else if (mode == TemplateMode::kDrop || (!expands && called.rule == kNoRule && !may_hold_links(call.source))) {
    drop_call(called, out);
  } else {
    expand_with_arguments(tree, call, called, frame, out);
  }
}

void Expander::expand_with_arguments(const MarkupTree& tree, const Call& call, const NamedTemplate& called,
                                     const Frame* frame, ExpandedText& out) {
  const CallArguments arguments(*this, tree, call, frame);
  if (context_.options.templates == TemplateMode::kExpand && context_.options.loader != nullptr) {
    const std::size_t begin = out.text.size();
    expand_page(called, arguments, frame, out);
    // Not all wikis mark their notes and boxes; those that are called by the page itself are marked here.
    if (frame != nullptr || begin == out.text.size()) return;
    if (!context_.renderer.is_note(called.rule) &&
        (called.title.ns != kNamespaceTemplate || !is_aside_text(call, std::string_view(out.text).substr(begin))))
      return;
    insert("\n<div class=\"hatnote\">\n", begin, out);
    out.text.append("\n</div>\n");
  } else if (!render_by_rule(called, arguments, out)) {
    count_call(called.title, Outcome::kDropped);
    keep_apart(out);
    give_unknown(UnknownCause::kTemplate, out, is_aside(called.title));
    hide_arguments(arguments);
  }
}

bool Expander::is_aside(const Title& title) const {
  return title.ns == kNamespaceTemplate && context_.renderer.is_aside(title.text);
}

void Expander::count_by_name(const Title& title, Outcome outcome) {
  const bool is_template = title.ns == kNamespaceTemplate;
  TemplateUse& use = context_.template_uses[is_template ? title.text : context_.site.prefixed(title)];
  const bool aside = outcome == Outcome::kSilent || is_aside(title);
  ++(outcome == Outcome::kRendered ? use.rendered : aside ? use.aside : use.dropped);
}

bool Expander::render_by_rule(const NamedTemplate& called, const CallArguments& arguments, ExpandedText& out) {
  if (called.rule == kNoRule) return false;
  const ExpandedText::Size before = out.size();
  const std::size_t begin = before.text;
  if (!context_.renderer.render(called.rule, context_, called.title.text, arguments, out)) return false;
  bytes_made_ += out.text.size() - begin;
  if (bytes_made_ > kMaxMadeBytes) {
    ++context_.counters.limits_hit;
    out.resize(before);
    return false;
  }
  const bool silent = has_only_marks(std::string_view(out.text).substr(begin));
  count_call(called.title, silent ? Outcome::kSilent : Outcome::kRendered);
  if (silent) note_hole(out, out.text.size() > begin);
  if (silent || begin == 0 || out.text[begin - 1] != '[' || !std::string_view(out.text).substr(begin).starts_with("[["))
    return true;
  // A rule's link is a link also behind a bracket of the page, where "[[[" would be none.
  ExpandedText mark;
  add_extension({ExtensionKind::kHidden, {}, {}}, mark);
  insert(mark.text, begin, out);
  return true;
}

const Expander::LoadedPage& Expander::load(const Title& title) {
  const auto [it, added] = pages_.try_emplace(title);
  LoadedPage& page = it->second;
  if (!added) return page;
  auto source = load_clean(*context_.options.loader, title);
  if (!source) return page;
  // One redirect is followed.
  if (const auto redirect = read_redirect(context_.site, context_.page, *source); redirect && redirect->target) {
    if (auto followed = load_clean(*context_.options.loader, *redirect->target)) source = std::move(followed);
  }
  page.exists = true;
  page.source = std::move(*source);
  build_markup_tree(page.source, Inclusion::kTemplate, context_.options.limits.max_depth, page.tree);
  return page;
}

void Expander::expand_page(const NamedTemplate& called, const CallArguments& arguments, const Frame* frame,
                           ExpandedText& out) {
  const Title& title = called.title;
  for (const Frame* f = frame; f != nullptr; f = f->parent) {
    if (f->title != nullptr && *f->title == title)
      return give_error("Template loop detected: " + context_.site.prefixed(title), out);
  }
  const LoadedPage& page = load(title);
  if (!page.exists) {
    if (render_by_rule(called, arguments, out)) return;
    if (silent_ == 0) {  // MediaWiki shows a link to the page, which counts
      HiddenText& hidden = hidden_texts_.emplace_back();
      hidden.text.text.append("[[:").append(context_.site.prefixed(title)).append("]]");
      hidden.text.made.push_back({0, hidden.text.text.size()});
      hidden.made = made_;
    }
    return drop_call(called, out);
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
  for (const Hole& hole : text.holes) out.holes.push_back({base + hole.at, hole.loses_text});
}

}  // namespace touchstone::extractors::wikitext::preprocessor
