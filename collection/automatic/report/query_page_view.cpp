#include "collection/automatic/report/query_page_files.hpp"
#include "collection/release/report/shown_text.hpp"
#include "common/display_text.hpp"
#include "common/number_text.hpp"
#include "common/unicode.hpp"
#include "formats/car/ids.hpp"

#include <set>
#include <unordered_map>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace touchstone::collection::automatic::report::internal {

using namespace release::report;
namespace {

using automatic::Derivation;
using automatic::kNoFacet;
using automatic::RelevantPassage;
using formats::html::element;
using formats::html::Html;

/// Longer passages are folded to their first lines.
constexpr std::size_t kFoldedCharacters = 420;
/// HTML has headings of six levels; h2 is the title of the page.
constexpr std::size_t kDeepestHeading = 6;

/// The text of a paragraph with its links to entities marked.
Html marked_text(const formats::car::Paragraph& paragraph) {
  Html text;
  for (const auto& body : paragraph.bodies) {
    if (const auto* plain = std::get_if<std::string>(&body)) {
      text += display_lines(*plain);
    } else {
      const auto& link = std::get<formats::car::Link>(body);
      text += link.page_id.empty() ? Html(display_lines(link.anchor)) : element("mark", {}, display_lines(link.anchor));
    }
  }
  return text;
}

class View {
 public:
  View(const Derivation& derivation, bool test, std::uint64_t number)
      : derivation_(derivation), test_(test), anchor_("t" + std::to_string(number)) {
    children_.resize(derivation.facets.size() + 1);
    passages_.resize(derivation.facets.size() + 1);
    for (std::size_t i = 0; i < derivation.facets.size(); ++i)
      children_[slot(derivation.facets[i].parent)].push_back(i);
    for (const auto& passage : derivation.passages) {
      passages_[slot(passage.facet)].push_back(&passage);
      collect_names(passage);
    }
  }

  Html render() const {
    Html content;
    const auto lead = passages_of(kNoFacet);
    if (!lead.empty()) content += element("section", {{"class", "facet depth1"}}, lead_heading(), lead);
    for (const auto facet : children_[slot(kNoFacet)]) content += section(facet);
    return element("article", {{"class", "query-page"}, {"id", anchor_}}, header(),
                   element("div", {{"class", "split"}}, outline(), element("div", {{"class", "facets"}}, content)));
  }

 private:
  static std::size_t slot(std::size_t facet) { return facet == kNoFacet ? 0 : facet + 1; }

  void collect_names(const RelevantPassage& passage) {
    for (const auto& body : passage.paragraph->bodies) {
      if (const auto* link = std::get_if<formats::car::Link>(&body)) names_.try_emplace(link->page_id, link->page_name);
    }
  }

  static Html pill(const Html& text, const char* style = "pill") { return element("span", {{"class", style}}, text); }

  Html header() const {
    const auto& topic = derivation_.topic;
    std::set<std::string_view> passages;
    std::set<std::string_view> entities;
    for (const auto& passage : derivation_.passages) {
      passages.insert(passage.id);
      for (const auto& entity : passage.entities) entities.insert(entity.page_id);
    }
    Html ids = element("code", {}, shown(topic.id));
    if (!topic.qid.empty()) ids += Html(" ") + element("code", {}, shown(topic.qid));
    return element("header", {}, element("h2", {{"dir", "auto"}}, shown(topic.title)),
                   element("p", {{"class", "counts"}}, pill(test_ ? "test" : "train", "pill strong"), Html(" "),
                           pill(counted(derivation_.facets.size(), "facet")), Html(" "),
                           pill(counted(passages.size(), "relevant passage")), Html(" "),
                           pill(counted(entities.size(), "relevant entity"))),
                   element("p", {{"class", "ids"}}, Html("topic "), ids));
  }

  std::string facet_anchor(std::size_t facet) const { return fmt::format("{}-{}", anchor_, facet + 1); }

  Html outline_list(std::size_t parent) const {
    Html items;
    for (const auto facet : children_[slot(parent)]) {
      items +=
          element("li", {},
                  element("a", {{"href", "#" + facet_anchor(facet)}, {"dir", "auto"}},
                          shown(derivation_.facets[facet].headings.back())),
                  Html(" "), element("small", {}, with_commas(passages_[slot(facet)].size())), outline_list(facet));
    }
    return items.empty() ? Html() : element("ol", {}, items);
  }

  Html outline() const {
    return element("nav", {{"class", "outline"}, {"aria-label", "Outline"}},
                   element("p", {}, "Outline, with the passages directly below each heading"), outline_list(kNoFacet));
  }

  static Html lead_heading() {
    return element("h3", {}, Html("Lead"), Html(" "), element("small", {}, "relevant to the topic, no facet"));
  }

  Html section(std::size_t facet) const {
    const auto& headings = derivation_.facets[facet].headings;
    const auto level = std::min(headings.size() + 2, kDeepestHeading);
    Html content =
        element("h" + std::to_string(level), {{"id", facet_anchor(facet)}, {"dir", "auto"}}, shown(headings.back()));
    content +=
        element("p", {{"class", "ids"}}, Html("facet "), element("code", {}, shown(derivation_.facets[facet].id)));
    const auto own = passages_of(facet);
    if (own.empty() && children_[slot(facet)].empty())
      content += element("p", {{"class", "empty"}}, "No passage stands below this heading, so nothing is judged.");
    content += own;
    Html inner;
    for (const auto child : children_[slot(facet)]) inner += section(child);
    return element("section", {{"class", fmt::format("facet depth{}", std::min<std::size_t>(headings.size(), 6))}},
                   content, inner);
  }

  Html passages_of(std::size_t facet) const {
    Html out;
    for (const auto* passage : passages_[slot(facet)]) out += passage_card(*passage);
    return out;
  }

  Html passage_card(const RelevantPassage& passage) const {
    const Html text = element("p", {{"class", "text"}, {"dir", "auto"}}, marked_text(*passage.paragraph));
    const bool folds = count_code_points(formats::car::paragraph_text(*passage.paragraph)) > kFoldedCharacters;
    Html docid = Html("docid ") + element("code", {}, shown(passage.id));
    const auto& own = passage.paragraph->id;
    if (!own.empty() && own != passage.id)
      docid += Html(" stands for its near-duplicate ") + element("code", {}, shown(own)) + ", which is shown";
    return element("div", {{"class", "passage"}}, folds ? element("details", {}, element("summary", {}, text)) : text,
                   entity_chips(passage), element("p", {{"class", "ids"}}, docid));
  }

  Html entity_chips(const RelevantPassage& passage) const {
    Html chips;
    for (const auto& entity : passage.entities) {
      const auto name = names_.find(entity.page_id);
      const std::string& text = name == names_.end() || name->second.empty() ? entity.page_id : name->second;
      const std::string id = entity.qid.empty() ? entity.page_id : entity.page_id + " " + entity.qid;
      chips += element("li", {{"title", display_text(id)}, {"dir", "auto"}}, shown(text));
    }
    return chips.empty() ? Html() : element("ul", {{"class", "chips"}, {"aria-label", "Entities"}}, chips);
  }

  const Derivation& derivation_;
  bool test_;
  std::string anchor_;
  std::vector<std::vector<std::size_t>> children_;             // by slot: facets in a facet, or at the top
  std::vector<std::vector<const RelevantPassage*>> passages_;  // by slot
  std::unordered_map<std::string, std::string> names_;         // of entities by page id
};

}  // namespace

Html query_page_view(const Derivation& derivation, bool test, std::uint64_t number) {
  return View(derivation, test, number).render();
}

}  // namespace touchstone::collection::automatic::report::internal
