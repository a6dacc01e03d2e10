#include "collection/report/query_page_files.hpp"

#include "collection/report/assets.hpp"
#include "collection/report/query_page_view.hpp"
#include "common/files.hpp"
#include "common/number_text.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace touchstone::collection::report::internal {
namespace {

using formats::html::element;
using formats::html::Html;
using formats::html::raw;

std::string split_name(bool test) {
  return test ? "test" : "train";
}

std::string titles_name(std::size_t number) {
  return fmt::format("titles-{}.html", number);
}

bool is_browsing_file(std::string_view name) {
  constexpr std::string_view kEnd = ".html";
  const auto dash = name.find('-');
  if (dash == std::string_view::npos || !name.ends_with(kEnd)) return false;
  const auto kind = name.substr(0, dash);
  const auto number = name.substr(dash + 1, name.size() - dash - 1 - kEnd.size());
  return (kind == "test" || kind == "train" || kind == "titles") && !number.empty() &&
         std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_browsing_folder(std::string_view) {
  return false;
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

const DirectoryLayout& browsing_layout() {
  static const DirectoryLayout layout{is_browsing_file, is_browsing_folder, {}, false};
  return layout;
}

Html filter_box() {
  return element("p", {{"class", "tools"}, {"hidden", ""}},
                 element("label", {}, Html("Filter "),
                         formats::html::empty_element("input", {{"type", "search"}, {"class", "filter"}})),
                 element("output", {}, ""));
}

QueryPageFiles::QueryPageFiles(std::filesystem::path folder, std::string collection, std::string report,
                               const AutomaticReportLimits& limits)
    : folder_(std::move(folder)), collection_(std::move(collection)), report_(std::move(report)), limits_(limits) {}

void QueryPageFiles::add(const automatic::Derivation& derivation, bool test) {
  if (test != test_) {
    flush(false);
    first_of_split_ = topics_.size();
    test_ = test;
    file_number_ = 1;
  } else if (content_.markup().size() >= limits_.max_file_bytes) {
    flush(true);
    ++file_number_;
  }
  const std::uint64_t number = topics_.size() + 1;
  content_ += query_page_view(derivation, test, number);
  topics_.push_back({derivation.topic.title, fmt::format("{}-{}.html#t{}", split_name(test), file_number_, number),
                     test, derivation.facets.size(), derivation.passages.size()});
}

void QueryPageFiles::flush(bool more_follow) {
  if (content_.empty()) return;
  const auto name_of = [&](std::uint64_t number) { return fmt::format("{}-{}.html", split_name(test_), number); };
  Html links = element("a", {{"href", "../" + report_}}, "Report");
  if (file_number_ > 1)
    links += Html(" ") + element("a", {{"href", name_of(file_number_ - 1)}, {"rel", "prev"}}, "← Previous topics");
  if (more_follow)
    links += Html(" ") + element("a", {{"href", name_of(file_number_ + 1)}, {"rel", "next"}}, "Next topics →");
  Html titles;
  for (std::size_t i = first_; i < topics_.size(); ++i) {
    const auto& topic = topics_[i];
    titles += element(
        "li", {},
        element("a", {{"href", topic.place.substr(topic.place.find('#'))}, {"dir", "auto"}}, shown(topic.title)));
  }
  const Html navigation = element("p", {{"class", "links"}}, links) + element("ul", {{"class", "jump"}}, titles);
  write(name_of(file_number_),
        fmt::format("{} topics {} to {}", test_ ? "Test" : "Training", with_commas(first_ - first_of_split_ + 1),
                    with_commas(topics_.size() - first_of_split_)),
        navigation, content_ + element("p", {{"class", "links"}}, links));
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
    Html links = element("a", {{"href", "../" + report_}}, "Report");
    if (i > 0) links += Html(" ") + element("a", {{"href", titles_name(i)}, {"rel", "prev"}}, "← Previous titles");
    if (first + part.size() < all.size())
      links += Html(" ") + element("a", {{"href", titles_name(i + 2)}, {"rel", "next"}}, "Next titles →");
    write(titles_name(i + 1),
          fmt::format("Topics {} to {} by title", with_commas(first + 1), with_commas(first + part.size())),
          element("p", {{"class", "links"}}, links), title_list(part, ""));
  }
}

Html QueryPageFiles::index(std::string_view folder) const {
  if (topics_.size() <= limits_.max_listed_titles) return title_list(topics_, folder);
  Html items;
  for (std::size_t first = 0; first < topics_.size(); first += limits_.titles_per_index) {
    const auto last = std::min(first + limits_.titles_per_index, topics_.size()) - 1;
    const auto name = titles_name(first / limits_.titles_per_index + 1);
    items +=
        element("li", {},
                element("a", {{"href", std::string(folder) + name}}, element("bdi", {}, shown(topics_[first].title)),
                        Html(" … "), element("bdi", {}, shown(topics_[last].title))),
                Html(" "), element("small", {}, counted(last - first + 1, "topic")));
  }
  return element("ul", {{"class", "titles ranges"}}, items);
}

void QueryPageFiles::write(const std::string& name, const std::string& title, const Html& navigation,
                           const Html& content) {
  write_file_atomically(folder_ / name,
                        formats::html::fill(report_asset("automatic-topics.html"),
                                            {{"style", raw(std::string(report_asset("report.css")))},
                                             {"own-style", raw(std::string(report_asset("automatic.css")))},
                                             {"script", raw(std::string(report_asset("automatic.js")))},
                                             {"collection", shown(collection_)},
                                             {"title", title},
                                             {"navigation", navigation},
                                             {"content", content}}));
  ++files_;
}

}  // namespace touchstone::collection::report::internal
