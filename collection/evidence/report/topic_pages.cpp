#include "collection/evidence/report/topic_pages.hpp"

#include "collection/evidence/report/topic_view.hpp"
#include "collection/release/report/shown_text.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace touchstone::collection::evidence::report::internal {

using namespace release::report;
namespace {

using formats::html::element;
using formats::html::Html;

constexpr std::size_t kJumpCodePoints = 80;

std::size_t bytes_of_topic(const ReportLimits& limits, std::size_t topics) {
  const auto share = limits.max_topics_bytes / std::max<std::uint64_t>(topics, 1);
  return std::clamp<std::size_t>(static_cast<std::size_t>(share), limits.min_topic_bytes, limits.max_topic_bytes);
}

}  // namespace

TopicPages::TopicPages(release::report::PageFolder place, const ReportData& data, const ReportLimits& limits)
    : pages_(std::move(place), "topics", "topics"),
      data_(data),
      options_{data.manifest.info.base_url, data.manifest.info.evidence_grade, limits.max_passage_code_points,
               bytes_of_topic(limits, data.topics.size())} {}

void TopicPages::add(std::size_t topic, const TopicContents& contents) {
  const auto view = topic_view(data_.topics.at(topic), contents, topic, options_);
  if (!content_.empty() && content_.markup().size() + view.markup().size() > pages_.place().max_file_bytes) flush(true);
  while (topic >= data_.lists.at(list_).first + data_.lists.at(list_).count) ++list_;
  const auto& list = data_.lists.at(list_);
  if (content_.empty() || topic == list.first) {
    const Html remark = topic == list.first ? Html() : Html(" ") + element("small", {}, "continued");
    content_ += element("h2", {{"class", "list"}}, page_link(list.title, data_.manifest.info.base_url, 0), remark);
  }
  content_ += view;
  places_.push_back(pages_.name() + "#" + topic_anchor(topic));
}

Html TopicPages::jump_list() const {
  Html items;
  for (std::size_t i = first_; i < places_.size(); ++i) {
    items += element("li", {},
                     element("a", {{"href", "#" + topic_anchor(i)}, {"dir", "auto"}},
                             shown_excerpt(data_.topics[i].topic.query, kJumpCodePoints)));
  }
  return element("nav", {{"aria-label", "Topics of this page"}}, element("ul", {{"class", "jump"}}, items));
}

void TopicPages::flush(bool more_follow) {
  if (content_.empty()) return;
  pages_.write(fmt::format("Topics {} to {} of {}", with_commas(first_ + 1), with_commas(places_.size()),
                           with_commas(data_.topics.size())),
               jump_list(), content_, more_follow);
  content_ = {};
  first_ = places_.size();
}

}  // namespace touchstone::collection::evidence::report::internal
