#include "extractors/wikitext/wikitext_parser.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/byte_scan.hpp"
#include "extractors/scan/entities.hpp"
#include "extractors/scan/percent.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/site/language_words.hpp"
#include "extractors/wikitext/blocks/block_pass.hpp"
#include "extractors/wikitext/blocks/document_builder.hpp"
#include "extractors/wikitext/blocks/footnotes.hpp"
#include "extractors/wikitext/functions/parser_functions.hpp"
#include "extractors/wikitext/inline/conversion_pass.hpp"
#include "extractors/wikitext/inline/image_options.hpp"
#include "extractors/wikitext/inline/link_pass.hpp"
#include "extractors/wikitext/preprocessor/behavior_switches.hpp"
#include "extractors/wikitext/preprocessor/clean_text.hpp"
#include "extractors/wikitext/preprocessor/expander.hpp"
#include "extractors/wikitext/preprocessor/redirect.hpp"
#include "extractors/wikitext/templates/rule_set.hpp"
#include "extractors/wikitext/tokens/html_tags.hpp"
#include "extractors/wikitext/tokens/tokenizer.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

namespace touchstone::extractors::wikitext {
using namespace blocks;
using functions::expand_parser_function;
using namespace inlines;
using namespace preprocessor;
using scan::decode_percent;
using scan::decode_references;
using scan::find_markup_open;
using scan::starts_with;
using scan::trim;
using site::SiteInfo;
using site::VariantLanguage;
using namespace tokens;
namespace {

constexpr std::size_t kMaxNestedTexts = 20;  // footnotes in galleries in footnotes ...

/// True for text that neither holds links nor anything that makes some. A switch may stand between two brackets.
bool cannot_make_links(std::string_view text) {
  return find_markup_open(text, 0) == text.size() && text.find(kMarkerByte) == std::string_view::npos &&
         text.find("__") == std::string_view::npos;
}

/// What MediaWiki makes of the text of a poem: its lines stay lines, and what indents them is shown.
std::string poem_source(std::string_view content) {
  if (!content.empty() && content.front() == '\n') content.remove_prefix(1);
  if (!content.empty() && content.back() == '\n') content.remove_suffix(1);
  std::string out;
  while (true) {
    const std::size_t end = content.find('\n');
    std::string_view line = content.substr(0, end);
    const std::size_t colons = std::min(line.find_first_not_of(':'), line.size());
    if (colons > 0 && colons < line.size()) {
      out.append("<span>").append(line.substr(colons)).append("</span>");
    } else {
      for (; !line.empty() && line.front() == ' '; line.remove_prefix(1)) out.append("&#160;");
      out.append(line);
    }
    if (end == std::string_view::npos) return out;
    out.append(line == "----" ? "\n" : "<br>\n");
    content.remove_prefix(end + 1);
  }
}

/// The buffers of one pass over one text, used again for the next.
struct Scratch {
  ExpandedText expanded;
  std::vector<std::uint64_t> stops;  ///< of the tokenizer
  Tokens tokens, linked;
  LinkFindings findings;
};

/// Memory that the pages of one thread use in turn, since most pages need about as much as the one before.
struct Workspace {
  std::deque<Scratch> scratch;   ///< by nesting
  std::deque<MarkupTree> trees;  ///< by nesting
  std::vector<FoundLink> links;  ///< see TokenContext
  std::vector<Extension> extensions;

  /// False for what a huge page left behind, which is not kept.
  bool is_small() const noexcept;
};

bool Workspace::is_small() const noexcept {
  constexpr std::size_t kMaxTextBytes = std::size_t{4} << 20;
  constexpr std::size_t kMaxItems = std::size_t{1} << 18;
  const auto small_scratch = [](const Scratch& s) {
    return s.expanded.text.capacity() <= kMaxTextBytes && s.tokens.capacity() <= kMaxItems &&
           s.linked.capacity() <= kMaxItems;
  };
  const auto small_tree = [](const MarkupTree& t) {
    return t.nodes.capacity() <= kMaxItems && t.parts.capacity() <= kMaxItems;
  };
  return links.capacity() <= kMaxItems / 4 && extensions.capacity() <= kMaxItems &&
         std::all_of(scratch.begin(), scratch.end(), small_scratch) &&
         std::all_of(trees.begin(), trees.end(), small_tree);
}

class PageParser final : public ExtensionHandler {
 public:
  PageParser(const SiteInfo& site, const TemplateRules& rules, const Title& page, const WikitextOptions& options,
             Workspace& workspace, Document& document)
      : context_{{site, rules.rule_set(), page, options}, workspace.links},
        scratch_(workspace.scratch),
        expander_(context_, expand_parser_function, workspace.trees, workspace.extensions),
        document_(document),
        builder_(context_, document) {
    context_.links.clear();
    if (const VariantLanguage* language = site.words().variants) variants_.emplace(context_, *language);
  }

  void parse(std::string_view wikitext);
  void on_extension(const Extension& extension) override;

 private:
  enum class CaptionKind : std::uint8_t { kText, kGalleryHeading, kGalleryLine };

  void show(std::string_view source, CaptionKind kind = CaptionKind::kText);
  void collect_links(std::string_view source);
  void collect_links_expanded(Scratch& scratch);
  void show_caption(std::string_view source, CaptionKind kind);
  void collect_pending();
  void add_other(FoundLink&& found, bool shown);
  void read_gallery(const Extension& extension);
  void read_imagemap(std::string_view content);
  void read_footnote(std::size_t number);
  void list_footnotes(const Extension& extension);
  void move_categories(LinkFindings& findings);
  void convert_variants(Scratch& scratch);

  Scratch& enter();
  void leave() noexcept { --nesting_; }

  TokenContext context_;
  std::deque<Scratch>& scratch_;
  Expander expander_;
  Document& document_;
  DocumentBuilder builder_;
  std::optional<ConversionPass> variants_;  ///< where the wiki's texts have forms for several scripts
  std::size_t nesting_ = 0;
  std::uint32_t auto_numbers_ = 0;
  std::deque<std::string> kept_;  ///< texts made here, which tags in them point into
  std::vector<Footnote> footnotes_;
  std::set<std::pair<std::string_view, std::string_view>> named_footnotes_;  ///< by group and name
  std::map<std::string_view, std::size_t> listed_groups_;  ///< group -> footnotes in front of its last list
  std::unordered_set<std::string_view> used_names_;        ///< of footnotes outside of lists
  bool in_list_ = false;                                   ///< a list of footnotes is being read
  bool made_ = false;                                      ///< what is read now is shown by a template only

  void set_made(bool made) noexcept {
    made_ = made;
    expander_.set_made(made);
  }
  std::size_t hidden_done_ = 0;
  bool links_only_ = false;
};

Scratch& PageParser::enter() {
  if (nesting_ == scratch_.size()) scratch_.emplace_back();
  return scratch_[nesting_++];
}

void PageParser::add_other(FoundLink&& found, bool shown) {
  Link link;
  link.target = std::move(found.target);
  link.fragment = std::move(found.fragment);
  link.origin = found.made || made_ ? LinkOrigin::kTemplate : LinkOrigin::kText;
  link.shown = shown;
  document_.other_links.push_back(std::move(link));
}

void PageParser::move_categories(LinkFindings& findings) {
  for (Title& title : findings.categories) document_.categories.push_back(std::move(title));
}

/// Resolves the forms for several scripts in a text. Footnotes in what is not shown of them count all the same.
void PageParser::convert_variants(Scratch& scratch) {
  std::vector<std::uint32_t> hidden;
  variants_->run(scratch.expanded.text, scratch.linked, scratch.findings, hidden);
  const bool outer = links_only_;
  links_only_ = true;
  for (const std::uint32_t number : hidden) on_extension(expander_.extension(number));
  links_only_ = outer;
}

/// Shows wikitext where the page stands.
void PageParser::show(std::string_view source, CaptionKind kind) {
  if (nesting_ >= kMaxNestedTexts) {
    ++context_.counters.limits_hit;
    return;
  }
  Scratch& scratch = enter();
  scratch.findings.clear();
  expander_.expand_source(source, scratch.expanded);
  if (variants_) variants_->note_behavior_switches(scratch.expanded.text);
  take_out_behavior_switches(context_.site.words(), scratch.expanded);
  tokenize(expander_, context_, scratch.expanded, scratch.stops, scratch.tokens);
  find_links(context_, scratch.expanded, scratch.tokens, scratch.linked, scratch.findings);
  if (kind == CaptionKind::kGalleryLine) {
    const ImageCaption caption =
        find_caption(context_, scratch.expanded.text, scratch.linked, 0, CaptionPlace::kGallery, scratch.findings);
    const auto begin = scratch.linked.begin();
    scratch.linked.erase(begin + static_cast<std::ptrdiff_t>(caption.end), scratch.linked.end());
    scratch.linked.erase(begin, begin + static_cast<std::ptrdiff_t>(caption.begin));
  }
  if (variants_) convert_variants(scratch);
  BlockPass stage(expander_, builder_, *this, auto_numbers_);
  if (kind == CaptionKind::kGalleryHeading) stage.without_paragraphs();
  stage.run(scratch.expanded.text, scratch.linked);
  builder_.end_link();
  for (FoundLink& link : scratch.findings.hidden_links) add_other(std::move(link), false);
  move_categories(scratch.findings);
  leave();
}

void PageParser::collect_links(std::string_view source) {
  if (nesting_ >= kMaxNestedTexts) {
    ++context_.counters.limits_hit;
    return;
  }
  if (cannot_make_links(source)) return;
  Scratch& scratch = enter();
  expander_.expand_source(source, scratch.expanded);
  take_out_behavior_switches(context_.site.words(), scratch.expanded);
  collect_links_expanded(scratch);
  leave();
}

/// The links of a text that is not shown, or not here.
void PageParser::collect_links_expanded(Scratch& scratch) {
  scratch.findings.clear();
  const std::string_view text = scratch.expanded.text;
  if (text.find("[[") == std::string_view::npos && text.find(kMarkerByte) == std::string_view::npos) return;
  tokenize(expander_, context_, scratch.expanded, scratch.stops, scratch.tokens);
  find_links(context_, scratch.expanded, scratch.tokens, scratch.linked, scratch.findings);
  for (const Token& token : scratch.linked) {
    if (shows_link(token)) {
      add_other(FoundLink(context_.links[token.value]), true);
    } else if (token.kind == TokenKind::kMarker) {
      const Extension extension = expander_.extension(token.value);
      const bool outer = links_only_;
      links_only_ = true;
      on_extension(extension);
      links_only_ = outer;
    }
  }
  for (FoundLink& link : scratch.findings.hidden_links) add_other(std::move(link), false);
  move_categories(scratch.findings);
}

void PageParser::on_extension(const Extension& extension) {
  switch (extension.kind) {
    case ExtensionKind::kRef:
      if (Footnote footnote; read_footnote_tag(extension, footnote)) {
        if (!in_list_ && !footnote.name.empty()) used_names_.insert(footnote.name);
        if (!extension.content.empty() || extension.attributes.find("[[") != std::string_view::npos)
          footnotes_.push_back(footnote);
      }
      break;
    case ExtensionKind::kReferences:
      list_footnotes(extension);
      break;
    case ExtensionKind::kIndicator:
      collect_links(extension.content);
      break;
    case ExtensionKind::kGallery:
      read_gallery(extension);
      break;
    case ExtensionKind::kImagemap:
      read_imagemap(extension.content);
      break;
    case ExtensionKind::kPoem:
      if (links_only_) {
        collect_links(extension.content);
      } else {
        builder_.open(Tag::kDiv, {});
        show(kept_.emplace_back(poem_source(extension.content)));
        builder_.close(Tag::kDiv);
      }
      break;
    default:
      break;
  }
}

/// Shows the caption of a gallery, or what stands behind the file name in one of its lines.
void PageParser::show_caption(std::string_view source, CaptionKind kind) {
  if (links_only_) {
    collect_links(source);
    return;
  }
  builder_.open(Tag::kFigure, {});
  show(source, kind);
  builder_.close(Tag::kFigure);
}

void PageParser::read_gallery(const Extension& extension) {
  const auto tag = [&](bool opens, Tag element) {
    if (!links_only_) opens ? builder_.open(element, {}) : builder_.close(element);
  };
  const auto show_item = [&](std::string_view source, CaptionKind kind) {
    tag(true, Tag::kLi);
    if (!source.empty()) show_caption(source, kind);
    tag(false, Tag::kLi);
  };
  tag(true, Tag::kUl);
  const std::string_view heading = attribute_value(extension.attributes, "caption");
  if (!heading.empty()) show_item(heading, CaptionKind::kGalleryHeading);
  const bool shows_names = has_attribute(extension.attributes, "showfilename");
  std::string_view content = extension.content;
  while (!content.empty()) {
    const std::size_t end = std::min(content.find('\n'), content.size());
    const std::string_view line = trim(content.substr(0, end));
    content.remove_prefix(std::min(content.size(), end + 1));
    const std::size_t bar = line.find('|');
    if (bar == 0) continue;
    const auto title =
        context_.site.parse_title(decode_references(decode_percent(line.substr(0, bar))), kNamespaceFile);
    if (!title || !title->interwiki.empty()) continue;
    const std::string_view caption = bar == std::string_view::npos ? std::string_view() : trim(line.substr(bar + 1));
    if (!shows_names) {
      show_item(caption, CaptionKind::kGalleryLine);
      continue;
    }
    tag(true, Tag::kLi);
    const std::string name = context_.site.prefixed(title->title);
    show_caption(kept_.emplace_back("[[:" + name + "|" + title->title.text + "]]"), CaptionKind::kText);
    if (!caption.empty()) show_caption(caption, CaptionKind::kGalleryLine);
    tag(false, Tag::kLi);
  }
  tag(false, Tag::kUl);
}

/// Areas of an image map are lines with a link each; the rest says where they are. Lines with a '#' are comments.
void PageParser::read_imagemap(std::string_view content) {
  std::string& lines = kept_.emplace_back();
  while (!content.empty()) {
    const std::size_t end = std::min(content.find('\n'), content.size());
    if (const std::string_view line = trim(content.substr(0, end)); !starts_with(line, "#"))
      lines.append(line).push_back('\n');
    content.remove_prefix(std::min(content.size(), end + 1));
  }
  collect_links(lines);
}

/// A list of footnotes: shows those of its group in front of it, and those written in it.
void PageParser::list_footnotes(const Extension& extension) {
  const std::string_view group = trim(attribute_value(extension.attributes, "group"));
  if (!extension.content.empty()) {
    const std::size_t first = footnotes_.size();
    in_list_ = true;
    collect_links(extension.content);
    in_list_ = false;
    // They belong to the list's group, whatever they say. Without a name nothing can refer to them.
    for (std::size_t i = first; i < footnotes_.size(); ++i) footnotes_[i].in_list = true;
  }
  listed_groups_[group] = footnotes_.size();
}

void PageParser::read_footnote(std::size_t number) {
  const Footnote footnote = footnotes_[number];
  const std::string_view name = footnote.name;
  const std::string_view group = footnote.group;
  if (footnote.content.empty()) {
    // A name that was never given a text is shown in the message that says so.
    if (named_footnotes_.count({group, name}) == 0) collect_links(name);
    return;
  }
  // Of several footnotes with one name the first is shown.
  if (!name.empty() && !named_footnotes_.emplace(group, name).second) return;
  // Footnotes of the main group are always listed, at the end of the page if nowhere else; those of other groups only
  // where the page asks for it, which templates often do.
  const auto listed = listed_groups_.find(group);
  const bool in_list = footnote.in_list;
  if (in_list && name.empty()) return;
  // What only a list gives, and the page's own text does not refer to, is shown when a template does.
  const bool made = in_list ? used_names_.count(name) == 0
                            : !group.empty() && (listed == listed_groups_.end() || number >= listed->second);
  set_made(made);
  if (!made && may_have_parts(footnote.content)) {
    builder_.open(Tag::kReferences, {});
    // In the list it stands between tags, on no line of its own.
    const std::size_t last = footnote.content.find_last_not_of('\n');
    show(kept_.emplace_back("<span>" + std::string(footnote.content.substr(0, last + 1)) + "</span>"));
    builder_.finish();  // it may have left a table open
  } else {
    collect_links(footnote.content);
  }
  set_made(false);
}

/// Footnotes and arguments of dropped templates; reading them may bring more of both.
void PageParser::collect_pending() {
  links_only_ = true;
  std::size_t footnote = 0;
  while (footnote < footnotes_.size() || hidden_done_ < expander_.hidden_texts().size()) {
    if (footnote < footnotes_.size()) {
      read_footnote(footnote++);
    } else {
      Scratch& scratch = enter();
      const Expander::HiddenText& hidden = expander_.hidden_texts()[hidden_done_++];
      scratch.expanded = hidden.text;  // a copy, since reading it may bring more of them
      set_made(hidden.made);
      collect_links_expanded(scratch);
      set_made(false);
      leave();
    }
  }
  links_only_ = false;
}

void PageParser::parse(std::string_view wikitext) {
  if (auto redirect = read_redirect(context_.site, context_.page, wikitext)) {
    if (redirect->target) {
      document_.redirect = std::move(redirect->target);
      document_.redirect_fragment = std::move(redirect->fragment);
    }
    wikitext = redirect->rest;
  }
  // About what articles have, so that most lists do not move while they grow.
  constexpr std::size_t kBytesPerItem = 512;
  document_.blocks.reserve(wikitext.size() / kBytesPerItem);
  document_.other_links.reserve(wikitext.size() / kBytesPerItem);
  show(wikitext);
  builder_.finish();
  collect_pending();
  std::vector<std::string_view>& used = context_.templates_used;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  document_.templates_used.assign(used.begin(), used.end());
  document_.template_uses = std::move(context_.template_uses);
  document_.counters = context_.counters;
}

}  // namespace

Document parse_wikitext(const SiteInfo& site, const TemplateRules& rules, const Title& page, std::string_view wikitext,
                        const WikitextOptions& options) {
  Document document;
  std::string repaired;
  if (!is_clean(wikitext)) {
    repaired = clean(wikitext);
    wikitext = repaired;
  }
  // Taken while in use: a PageLoader may read pages itself.
  thread_local std::unique_ptr<Workspace> spare;
  std::unique_ptr<Workspace> workspace = std::move(spare);
  if (workspace == nullptr) workspace = std::make_unique<Workspace>();
  PageParser(site, rules, page, options, *workspace, document).parse(wikitext);
  if (workspace->is_small()) spare = std::move(workspace);
  return document;
}

}  // namespace touchstone::extractors::wikitext
