#pragma once

#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/preprocessor/call_arguments.hpp"
#include "extractors/wikitext/preprocessor/expanded_text.hpp"
#include "extractors/wikitext/preprocessor/markers.hpp"
#include "extractors/wikitext/preprocessor/markup_tree.hpp"
#include "extractors/wikitext/preprocessor/page_context.hpp"

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace touchstone::extractors::wikitext::preprocessor {

/// The template that is being expanded; null represents the page itself.
struct Frame {
  const Frame* parent = nullptr;
  const CallArguments* arguments = nullptr;
  const Title* title = nullptr;
  std::size_t depth = 0;
};

/// True if the text comes from a template's page.
inline bool is_made(const Frame* frame) noexcept {
  return frame != nullptr && frame->title != nullptr;
}

class Expander;

/// Handles `{{name}}` and `{{name:argument|...}}` when `name` is a page variable or parser function, such as PAGENAME,
/// lc or #if: appends what it gives to `out`. Returns false, with `out` unchanged, for other names. The functions lie
/// in a room above this one, since they expand their arguments.
using FunctionExpander = bool (*)(Expander& expander, const MarkupTree& tree, const Call& call, std::string_view name,
                                  const Frame* frame, ExpandedText& out);

/// Turns markup trees into plain wikitext: templates by mode, parser functions and magic words computed, extension tags
/// replaced by markers.
class Expander {
 public:
  /// \param trees, extensions  memory, used again; outlives this object
  Expander(PageContext& context, FunctionExpander expand_function, std::deque<MarkupTree>& trees,
           std::vector<Extension>& extensions)
      : context_(context), expand_function_(expand_function), extensions_(extensions), trees_(trees) {
    constexpr std::size_t kUsualTemplates = 32;
    extensions_.clear();
    context_.templates_used.reserve(kUsualTemplates);
  }

  /// Expands `source`, which must outlive this object, into `out` (emptied first).
  void expand_source(std::string_view source, ExpandedText& out);

  void expand_list(const MarkupTree& tree, const NodeList& list, const Frame* frame, ExpandedText& out);
  /// With its name, if it has one.
  void expand_part(const MarkupTree& tree, const CallPart& part, const Frame* frame, ExpandedText& out);
  std::string expand_to_string(const MarkupTree& tree, const NodeList& list, const Frame* frame);

  /// The same for text that is not part of the page, such as conditions.
  std::string expand_name(const MarkupTree& tree, const NodeList& list, const Frame* frame);

  /// The same, trimmed, for names of templates and arguments. Most names need no expansion. The view is valid as long
  /// as this object.
  std::string_view name_of(const MarkupTree& tree, const NodeList& list, const Frame* frame) {
    if (list.empty()) return {};
    const Node& node = tree.nodes[list.first];
    if (list.first == list.last && node.kind == NodeKind::kText) return scan::trim(node.text);
    return scan::trim(keep(expand_name(tree, list, frame)));
  }

  /// While one exists, what is expanded is a value: an argument, a condition, a name. Marks represent what is not known
  /// (markers.hpp). Other text is shown, and unknown values leave no mark there, except in targets of links.
  class ValueScope {
   public:
    explicit ValueScope(Expander& expander) noexcept : expander_(expander) { ++expander_.values_; }
    ~ValueScope() { --expander_.values_; }
    ValueScope(const ValueScope&) = delete;
    ValueScope& operator=(const ValueScope&) = delete;

   private:
    Expander& expander_;
  };

  /// Shows nothing for a value that is not known; in a value, a mark. \param aside  it is known to be no running text
  void give_unknown(UnknownCause cause, ExpandedText& out, bool aside = false);

  /// Notes that something that is not known is left out here, unless this is a value.
  void note_hole(ExpandedText& out, bool loses_text = true) const;

  /// The same, and counts it.
  void withhold(UnknownCause cause, ExpandedText& out);

  /// The same for an error message of MediaWiki.
  void give_error(const std::string& message, ExpandedText& out);

  /// Removes the marks of unknown values from byte `from` on, except from targets of links.
  void remove_marks(std::size_t from, ExpandedText& out) const;

  /// False as long as all values are known.
  bool has_marks() const noexcept { return has_marks_; }

  /// Appends the marker of an extension tag.
  void add_extension(const Extension& extension, ExpandedText& out);

  /// Keeps arguments that are not shown, because their links count.
  void hide_arguments(const CallArguments& arguments);

  /// Prevents that the markup on both sides of an omission is read as one. To be called where something is left out.
  void keep_apart(ExpandedText& out);

  /// Keeps `text` alive as long as this object.
  std::string_view keep(std::string text);

  const Extension& extension(std::uint32_t number) const noexcept {
    static constexpr Extension kNothing{ExtensionKind::kHidden, {}, {}};
    return number < extensions_.size() ? extensions_[number] : kNothing;
  }

  /// Text of a verbatim element: the content of nowiki tags replaces their markers, other markers are removed.
  std::string without_markers(std::string_view text) const;

  /// Wikitext that is not shown but whose links count: arguments of dropped templates.
  struct HiddenText {
    ExpandedText text;
    bool made = false;  ///< part of a footnote that only a template shows
  };
  const std::deque<HiddenText>& hidden_texts() const noexcept { return hidden_texts_; }

  /// From now on, expanded text is shown only by a template.
  void set_made(bool made) noexcept { made_ = made; }

  PageContext& context() noexcept { return context_; }

  /// Counts copied text towards the limits of the page.
  void count_bytes(std::size_t bytes) noexcept { bytes_made_ += bytes; }

 private:
  void expand_call(const MarkupTree& tree, const Node& node, const Frame* frame, ExpandedText& out);
  void expand_named(const MarkupTree& tree, const Call& call, std::string_view name, const Frame* frame,
                    ExpandedText& out);
  void expand_parameter(const MarkupTree& tree, const Node& node, const Frame* frame, ExpandedText& out);
  /// What became of the call of a template.
  enum class Outcome : unsigned char { kRendered, kSilent, kDropped };
  void count_call(const Title& title, Outcome outcome) {
    DocumentCounters& counters = context_.counters;
    ++(outcome == Outcome::kRendered ? counters.templates_rendered
       : outcome == Outcome::kSilent ? counters.templates_silent
                                     : counters.templates_dropped);
    if (context_.options.count_templates && hidden_ == 0) count_by_name(title, outcome);
  }
  void count_by_name(const Title& title, Outcome outcome);
  bool is_aside(const Title& title) const;
  bool in_link_target(std::string_view text) const;
  void show_verbatim(std::string_view name, ExpandedText& out);
  void expand_literally(const MarkupTree& tree, const Call& call, std::string_view open, std::string_view close,
                        const Frame* frame, ExpandedText& out);
  void expand_template(const MarkupTree& tree, const Call& call, std::string_view name, const Frame* frame,
                       ExpandedText& out);
  /// What the name of a template represents.
  struct NamedTemplate {
    Title title;                ///< empty when the name is not a title
    bool local = true;          ///< of this wiki
    RuleNumber rule = kNoRule;  ///< that renders it
    bool used = false;          ///< noted among the page's templates
  };
  /// A name that was called lately.
  struct RecentName {
    std::string_view name;
    NamedTemplate* stands_for = nullptr;
  };
  NamedTemplate& find_template(std::string_view name);
  NamedTemplate& use_template(std::string_view name);
  void identify(std::string_view name, NamedTemplate& found) const;
  void drop_call(const NamedTemplate& called, ExpandedText& out);
  void drop_function(ExpandedText& out);
  void drop_unnamed(const MarkupTree& tree, const Call& call, UnknownCause cause, const Frame* frame,
                    ExpandedText& out);
  void expand_with_arguments(const MarkupTree& tree, const Call& call, const NamedTemplate& called, const Frame* frame,
                             ExpandedText& out);
  bool reads_arguments(std::string_view name);
  bool render_by_rule(const NamedTemplate& called, const CallArguments& arguments, ExpandedText& out);
  void expand_page(const NamedTemplate& called, const CallArguments& arguments, const Frame* frame, ExpandedText& out);
  struct LoadedPage {
    std::string source;
    MarkupTree tree;
    bool exists = false;
  };
  const LoadedPage& load(const Title& title);
  static void start_line(std::size_t base, ExpandedText& out);
  bool over_budget(const ExpandedText& out);

  /// Bytes of argument copies and of what templates gave, per page; MediaWiki: 2 MiB each.
  static constexpr std::size_t kMaxMadeBytes = std::size_t{4} << 20;

  PageContext& context_;
  FunctionExpander expand_function_;
  std::vector<Extension>& extensions_;
  std::deque<std::string> kept_;
  std::deque<MarkupTree>& trees_;  ///< used again
  std::size_t trees_used_ = 0;
  std::deque<HiddenText> hidden_texts_;
  bool made_ = false;
  std::size_t hidden_ = 0;  ///< depth of dropped calls whose arguments are being expanded
  std::size_t silent_ = 0;  ///< depth of names being expanded: links in them do not count
  std::size_t values_ = 0;  ///< depth of values being expanded
  bool has_marks_ = false;  ///< some value was not known
  std::map<Title, LoadedPage> pages_;
  std::unordered_map<std::string_view, NamedTemplate> templates_;  ///< by name as written
  /// By a few bytes of the name: a page calls the same templates again and again.
  std::array<RecentName, 128> recent_names_;
  std::size_t depth_ = 0;
  std::size_t bytes_made_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace touchstone::extractors::wikitext::preprocessor
