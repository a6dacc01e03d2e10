#include "extractors/wikitext/page_parser.hpp"

#include "extractors/scan/byte_scan.hpp"
#include "extractors/site/language_words.hpp"
#include "extractors/wikitext/functions/parser_functions.hpp"
#include "extractors/wikitext/inline/image_options.hpp"
#include "extractors/wikitext/inline/link_pass.hpp"
#include "extractors/wikitext/preprocessor/holes.hpp"
#include "extractors/wikitext/preprocessor/page_text.hpp"
#include "extractors/wikitext/templates/rule_set.hpp"
#include "extractors/wikitext/tokens/tokenizer.hpp"
#include "extractors/wikitext/wikitext_parser.hpp"

#include <algorithm>
#include <memory>

namespace touchstone::extractors::wikitext::internal {
using functions::expand_parser_function;
using namespace blocks;
using namespace inlines;
using namespace preprocessor;
using namespace tokens;
using scan::find_stop;
using scan::Stop;
using namespace site;
namespace {

constexpr std::size_t kMaxNestedTexts = 20;  // footnotes in galleries in footnotes ...

/// True for text without links or anything that makes links. A behavior switch may be between two brackets.
bool cannot_make_links(std::string_view text) {
  return find_stop(Stop::kMarkupOpen, text, 0) == text.size() && text.find(kMarkerByte) == std::string_view::npos &&
         text.find("__") == std::string_view::npos;
}

}  // namespace

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

PageParser::PageParser(const SiteInfo& site, const TemplateRenderer& renderer, const Title& page,
                       const WikitextOptions& options, Workspace& workspace, Document& document)
    : context_{{site, renderer, page, options}, workspace.links},
      scratch_(workspace.scratch),
      expander_(context_, expand_parser_function, workspace.trees, workspace.extensions),
      document_(document),
      builder_(context_, document) {
  context_.links.clear();
  if (const VariantLanguage* language = site.words().variants) variants_.emplace(context_, *language);
}

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

/// Resolves the language conversion rules of a text. Footnotes in parts that are not shown count as well.
void PageParser::convert_variants(Scratch& scratch) {
  std::vector<std::uint32_t> hidden;
  variants_->run(scratch.expanded.text, scratch.linked, scratch.findings, hidden);
  const bool outer = links_only_;
  links_only_ = true;
  for (const std::uint32_t number : hidden) on_extension(expander_.extension(number));
  links_only_ = outer;
}

/// Takes wikitext through all passes and adds it to the document at the current place.
void PageParser::show(std::string_view source, CaptionKind kind) {
  if (nesting_ >= kMaxNestedTexts) {
    ++context_.counters.limits_hit;
    return;
  }
  Scratch& scratch = enter();
  scratch.findings.clear();
  expander_.expand_source(source, scratch.expanded);
  mend_holes(scratch.expanded);
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
  BlockPass stage(expander_, builder_, handler_, auto_numbers_);
  if (kind == CaptionKind::kGalleryHeading) stage.without_paragraphs();
  stage.run(scratch.expanded.text, scratch.linked, scratch.expanded.gaps);
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

/// Collects the links of a text that is not shown, or not at this place.
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
  document_.call_errors = std::move(context_.call_errors);
  document_.counters = context_.counters;
}

}  // namespace touchstone::extractors::wikitext::internal

namespace touchstone::extractors::wikitext {
using namespace preprocessor;
using site::SiteInfo;

Document parse_wikitext(const SiteInfo& site, const TemplateRules& rules, const Title& page, std::string_view wikitext,
                        const WikitextOptions& options) {
  Document document;
  std::string repaired;
  if (!is_clean(wikitext)) {
    repaired = clean(wikitext);
    wikitext = repaired;
  }
  // Taken while in use: a PageLoader may read pages itself.
  thread_local std::unique_ptr<wikitext::internal::Workspace> spare;
  std::unique_ptr<wikitext::internal::Workspace> workspace = std::move(spare);
  if (workspace == nullptr) workspace = std::make_unique<wikitext::internal::Workspace>();
  wikitext::internal::PageParser(site, rules, page, options, *workspace, document).parse(wikitext);
  if (workspace->is_small()) spare = std::move(workspace);
  return document;
}

}  // namespace touchstone::extractors::wikitext
