#include "collection/evidence/report/topic_view.hpp"

#include "collection/release/report/shown_text.hpp"
#include "common/display_text.hpp"
#include "common/number_text.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace touchstone::collection::evidence::report::internal {

using namespace release::report;
namespace {

using formats::html::element;
using formats::html::Html;

constexpr std::size_t kQueryCodePoints = 600, kAliasBytes = 400;
/// Passages above these numbers are folded.
constexpr std::size_t kOpenEvidence = 10;
/// Parts of a topic's bytes that members, and all up to the end of the evidence, take at most.
constexpr double kMembersShare = 0.25, kEvidenceShare = 0.8;

Html folded_part(const Html& summary, const Html& content, const char* style) {
  return element("details", {{"class", style}}, element("summary", {}, summary), content);
}

/// What a part leaves out.
Html more_note(std::uint64_t shown_count, std::uint64_t all, std::string_view noun, std::string_view file) {
  if (shown_count >= all) return {};
  return element("p", {{"class", "note"}},
                 fmt::format("Not shown here: {}; {} has all.", counted(all - shown_count, noun), file));
}

class TopicView {
 public:
  TopicView(const ReportTopic& topic, const TopicContents& contents, std::size_t number, const ViewOptions& options)
      : topic_(topic), contents_(contents), number_(number), options_(options) {}

  Html render() {
    content_ = header() + facts();
    add_members();
    add_evidence();
    add_folded(contents_.not_evidence, topic_.not_evidence, "Judged, no evidence");
    add_folded(contents_.unjudged, topic_.unjudged, "Candidates without a grade");
    return element("article", {{"class", "topic-page"}, {"id", topic_anchor(number_)}}, content_);
  }

 private:
  bool has_room(double share, std::size_t bytes) const {
    return static_cast<double>(content_.markup().size() + bytes) <=
           share * static_cast<double>(options_.max_topic_bytes);
  }

  static Html pill(const std::string& text, const char* style = "pill") {
    return element("span", {{"class", style}}, text);
  }

  Html header() const {
    Html pills =
        pill(counted(topic_.members, "member")) + " " + pill(counted(topic_.evidence, "evidence"), "pill strong");
    if (topic_.not_evidence > 0) pills += Html(" ") + pill(with_commas(topic_.not_evidence) + " judged no");
    if (topic_.unjudged > 0) pills += Html(" ") + pill(with_commas(topic_.unjudged) + " without a grade");
    return element("header", {}, element("h3", {{"dir", "auto"}}, shown_excerpt(topic_.topic.query, kQueryCodePoints)),
                   element("p", {{"class", "counts"}}, pills));
  }

  Html facts() const {
    const auto& topic = topic_.topic;
    Html out;
    const auto fact = [&](const char* name, const Html& value) {
      out += element("dt", {}, name) + element("dd", {{"dir", "auto"}}, value);
    };
    if (!topic.section_path.empty()) fact("section", shown_excerpt(join_path(topic.section_path), kQueryCodePoints));
    fact("column", shown_excerpt(topic.column, kQueryCodePoints));
    fact("topic", element("code", {}, shown_excerpt(topic.id, kQueryCodePoints)));
    fact("worded by",
         shown_excerpt(topic.query_source + ", " + std::string(to_string(topic.query_verdict)), kQueryCodePoints));
    return element("dl", {{"class", "facts"}}, out);
  }

  Html member_item(const MemberRecord& member) const {
    const auto aliases = display_excerpt(fmt::format("{}", fmt::join(member.aliases, ", ")), kAliasBytes);
    const Html link = page_link(member.title, options_.base_url, 0);
    const Html name =
        aliases.empty() ? element("span", {}, link) : element("span", {{"title", "also " + aliases}}, link);
    const auto counts = with_commas(member.evidence) + " of " + with_commas(member.candidates);
    return element("li", {{"class", member.evidence > 0 ? "found" : "none"}}, name,
                   element("span", {{"class", "n"}}, counts));
  }

  void add_members() {
    Html items;
    std::size_t count = 0;
    for (const auto& member : contents_.members) {
      const auto item = member_item(member);
      if (!has_room(kMembersShare, items.markup().size() + item.markup().size())) break;
      items += item;
      ++count;
    }
    content_ += element("h4", {}, fmt::format("Members ({})", with_commas(topic_.members)), Html(" "),
                        element("small", {}, "evidence of candidates"));
    if (!items.empty()) content_ += element("ul", {{"class", "members"}}, items);
    content_ += more_note(count, topic_.members, "more member", "members.jsonl");
  }

  /// The passages that fit, and `least` of them in any case.
  std::vector<Html> cards(const std::vector<ShownPassage>& passages, double share, std::size_t least) const {
    std::vector<Html> out;
    std::size_t bytes = 0;
    for (const auto& passage : passages) {
      out.push_back(passage_card(passage, options_));
      bytes += out.back().markup().size();
      if (!has_room(share, bytes) && out.size() > least) {
        out.pop_back();
        break;
      }
    }
    return out;
  }

  void add_evidence() {
    content_ += element("h4", {}, fmt::format("Evidence ({})", with_commas(topic_.evidence)));
    if (topic_.evidence == 0) content_ += element("p", {{"class", "empty"}}, "No passage was judged to be evidence.");
    const auto all = cards(contents_.evidence, kEvidenceShare, 1);
    Html open, rest;
    for (std::size_t i = 0; i < all.size(); ++i) (i < kOpenEvidence ? open : rest) += all[i];
    content_ += open;
    if (!rest.empty()) content_ += folded_part(counted(all.size() - kOpenEvidence, "more passage"), rest, "fold");
    content_ += more_note(all.size(), topic_.evidence, "more passage", "evidence.jsonl");
  }

  void add_folded(const std::vector<ShownPassage>& passages, std::uint64_t all, const char* title) {
    if (all == 0) return;
    Html content;
    const auto fitting = cards(passages, 1, 0);
    for (const auto& card : fitting) content += card;
    content_ += folded_part(fmt::format("{} ({})", title, with_commas(all)),
                            content + more_note(fitting.size(), all, "more passage", "judgments.jsonl.gz"), "fold no");
  }

  const ReportTopic& topic_;
  const TopicContents& contents_;
  std::size_t number_;
  const ViewOptions& options_;
  Html content_;
};

}  // namespace

std::string topic_anchor(std::size_t topic) {
  return "t" + std::to_string(topic + 1);
}

Html topic_view(const ReportTopic& shown, const TopicContents& contents, std::size_t topic,
                const ViewOptions& options) {
  return TopicView(shown, contents, topic, options).render();
}

}  // namespace touchstone::collection::evidence::report::internal
