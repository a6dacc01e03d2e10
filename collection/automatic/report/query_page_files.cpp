#include "collection/automatic/report/query_page_files.hpp"

#include "collection/release/report/shown_text.hpp"
#include "common/number_text.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace touchstone::collection::automatic::report::internal {

using namespace release::report;
namespace {

using formats::html::element;
using formats::html::Html;

constexpr const char* kScript = "automatic.js";

std::string split_name(bool test) {
  return test ? "test" : "train";
}

Html title_entry(const ListedTopic& topic, std::string_view folder) {
  return element("li", {},
                 element("a", {{"href", std::string(folder) + topic.place}, {"dir", "auto"}}, shown(topic.title)),
                 Html(" "),
                 element("small", {},
                         fmt::format("{} · {} · {}", split_name(topic.test), counted(topic.facets, "facet"),
                                     counted(topic.passages, "passage"))));
}

Html title_list(std::span<const ListedTopic> topics, std::string_view folder) {
  Html items;
  for (const auto& topic : topics) items += title_entry(topic, folder);
  return filter_box() + element("ul", {{"class", "titles"}}, items);
}

}  // namespace

Html filter_box() {
  return element("p", {{"class", "tools"}, {"hidden", ""}},
                 element("label", {}, Html("Filter "),
                         formats::html::empty_element("input", {{"type", "search"}, {"class", "filter"}})),
                 element("output", {}, ""));
}

QueryPageFiles::QueryPageFiles(PageFolder place, const AutomaticReportLimits& limits)
    : test_pages_(place, "test", "topics", kScript),
      train_pages_(place, "train", "topics", kScript),
      title_pages_(std::move(place), "titles", "titles", kScript),
      limits_(limits) {}

void QueryPageFiles::add(const automatic::Derivation& derivation, bool test) {
  if (test != test_) {
    flush(false);
    first_of_split_ = topics_.size();
    test_ = test;
  } else if (content_.markup().size() >= limits_.max_file_bytes) {
    flush(true);
  }
  const std::uint64_t number = topics_.size() + 1;
  content_ += query_page_view(derivation, test, number);
  topics_.push_back({derivation.topic.title, fmt::format("{}#t{}", pages().name(), number), test,
                     derivation.facets.size(), derivation.passages.size()});
}

void QueryPageFiles::flush(bool more_follow) {
  if (content_.empty()) return;
  Html titles;
  for (std::size_t i = first_; i < topics_.size(); ++i) {
    const auto& topic = topics_[i];
    titles += element(
        "li", {},
        element("a", {{"href", topic.place.substr(topic.place.find('#'))}, {"dir", "auto"}}, shown(topic.title)));
  }
  pages().write(fmt::format("{} topics {} to {}", test_ ? "Test" : "Training",
                            with_commas(first_ - first_of_split_ + 1), with_commas(topics_.size() - first_of_split_)),
                element("ul", {{"class", "jump"}}, titles), content_, more_follow);
  first_ = topics_.size();
  content_ = {};
}

void QueryPageFiles::finish() {
  flush(false);
  std::vector<std::pair<std::string, std::size_t>> order;
  for (std::size_t i = 0; i < topics_.size(); ++i) order.emplace_back(lower_case(topics_[i].title), i);
  std::sort(order.begin(), order.end());
  std::vector<ListedTopic> sorted;
  sorted.reserve(topics_.size());
  for (const auto& [key, i] : order) sorted.push_back(std::move(topics_[i]));
  topics_ = std::move(sorted);
  if (topics_.size() > limits_.max_listed_titles) write_titles();
}

void QueryPageFiles::write_titles() {
  const std::span<const ListedTopic> all(topics_);
  for (std::size_t i = 0; i * limits_.titles_per_index < all.size(); ++i) {
    const auto first = i * limits_.titles_per_index;
    const auto part = all.subspan(first, std::min(limits_.titles_per_index, all.size() - first));
    title_pages_.write(
        fmt::format("Topics {} to {} by title", with_commas(first + 1), with_commas(first + part.size())), {},
        title_list(part, ""), first + part.size() < all.size(), false);
  }
}

Html QueryPageFiles::index(std::string_view folder) const {
  if (topics_.size() <= limits_.max_listed_titles) return title_list(topics_, folder);
  Html items;
  for (std::size_t first = 0; first < topics_.size(); first += limits_.titles_per_index) {
    const auto last = std::min(first + limits_.titles_per_index, topics_.size()) - 1;
    const auto name = fmt::format("titles-{}.html", first / limits_.titles_per_index + 1);
    items +=
        element("li", {},
                element("a", {{"href", std::string(folder) + name}}, element("bdi", {}, shown(topics_[first].title)),
                        Html(" … "), element("bdi", {}, shown(topics_[last].title))),
                Html(" "), element("small", {}, counted(last - first + 1, "topic")));
  }
  return element("ul", {{"class", "titles ranges"}}, items);
}

}  // namespace touchstone::collection::automatic::report::internal
