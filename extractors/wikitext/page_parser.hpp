#pragma once

#include "extractors/document.hpp"
#include "extractors/site/site_info.hpp"
#include "extractors/wikitext/blocks/block_pass.hpp"
#include "extractors/wikitext/blocks/document_builder.hpp"
#include "extractors/wikitext/inline/conversion_pass.hpp"
#include "extractors/wikitext/preprocessor/expanded_text.hpp"
#include "extractors/wikitext/preprocessor/expander.hpp"
#include "extractors/wikitext/preprocessor/markers.hpp"
#include "extractors/wikitext/preprocessor/markup_tree.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace touchstone::extractors::wikitext::internal {

/// Buffers for one text, used again for the next.
struct Scratch {
  preprocessor::ExpandedText expanded;
  std::vector<std::uint64_t> stops;  ///< of the tokenizer
  tokens::Tokens tokens, linked;
  tokens::LinkFindings findings;
};

/// Memory that the pages of one thread use in turn, since most pages need about as much as the one before.
struct Workspace {
  std::deque<Scratch> scratch;                 ///< by nesting
  std::deque<preprocessor::MarkupTree> trees;  ///< by nesting
  std::vector<tokens::FoundLink> links;        ///< see tokens::TokenContext
  std::vector<preprocessor::Extension> extensions;

  /// False if a huge page made it large; such a workspace is not kept.
  bool is_small() const noexcept;
};

/// A `<ref>` tag. The views point into the tag.
struct Footnote {
  std::string_view content, name, group;
  bool in_list = false;  ///< written in a list of footnotes; set by the page's parser
};

/// Reads one page: takes its text through the passes, and then the texts inside of it that are apart, such as
/// footnotes and galleries.
class PageParser {
 public:
  PageParser(const site::SiteInfo& site, const preprocessor::TemplateRenderer& renderer, const Title& page,
             const preprocessor::WikitextOptions& options, Workspace& workspace, Document& document);

  void parse(std::string_view wikitext);

 private:
  void on_extension(const preprocessor::Extension& extension);
  enum class CaptionKind : std::uint8_t { kText, kGalleryHeading, kGalleryLine };

  void show(std::string_view source, CaptionKind kind = CaptionKind::kText);
  void collect_links(std::string_view source);
  void collect_links_expanded(Scratch& scratch);
  void show_block(std::string_view content, std::string (*as_source)(std::string_view));
  void show_caption(std::string_view source, CaptionKind kind);
  void collect_pending();
  void add_other(tokens::FoundLink&& found, bool shown);
  void begin_image(const std::string& file);
  void read_gallery(const preprocessor::Extension& extension);
  void read_imagemap(std::string_view content);
  void read_footnote(std::size_t number);
  void list_footnotes(const preprocessor::Extension& extension);
  void move_categories(tokens::LinkFindings& findings);
  void convert_variants(Scratch& scratch);

  Scratch& enter();
  void leave() noexcept { --nesting_; }

  tokens::TokenContext context_;
  std::deque<Scratch>& scratch_;
  preprocessor::Expander expander_;
  Document& document_;
  blocks::DocumentBuilder builder_;
  const blocks::ExtensionHandler handler_ = [this](const preprocessor::Extension& tag) { on_extension(tag); };
  std::optional<inlines::ConversionPass> variants_;  ///< absent if the wiki's language has no variants
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

}  // namespace touchstone::extractors::wikitext::internal
