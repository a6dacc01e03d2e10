#include "collection/evidence/report/list_order.hpp"

#include "common/unicode.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include <unicode/uchar.h>

namespace touchstone::collection::evidence::report::internal {

namespace {

constexpr std::size_t kMostWords = 8;
constexpr std::string_view kDigits = "0–9", kOther = "#";

/// The beginning that goes on for one more word, if most of `titles` have it and go on after it; else empty.
std::string longer_beginning(const std::string& beginning, const std::vector<std::string>& titles) {
  std::map<std::string_view, std::size_t> counts;
  for (const std::string_view title : titles) {
    if (!title.starts_with(beginning)) continue;
    const auto end = title.find(' ', beginning.size());
    if (end != std::string_view::npos && end + 1 < title.size()) ++counts[title.substr(0, end + 1)];
  }
  for (const auto& [text, count] : counts) {
    if (2 * count > titles.size()) return std::string(text);
  }
  return {};
}

/// What a title is sorted by.
struct TitleKey {
  int kind = 0;  ///< 0 other characters, 1 digits, 2 letters
  std::string text, letter;
};

TitleKey title_key(std::string_view title, const std::vector<std::string>& beginnings) {
  std::string text = lower_case(title);
  const auto longest = std::find_if(beginnings.rbegin(), beginnings.rend(), [&](const std::string& beginning) {
    return text.size() > beginning.size() && text.starts_with(beginning);
  });
  if (longest != beginnings.rend()) text.erase(0, longest->size());
  std::size_t end = 0;
  const auto first = text.empty() ? U' ' : next_code_point(text, end);
  if (u_isdigit(static_cast<UChar32>(first)) != 0) return {1, std::move(text), std::string(kDigits)};
  if (u_isalpha(static_cast<UChar32>(first)) == 0) return {0, std::move(text), std::string(kOther)};
  auto letter = upper_case(text.substr(0, end));
  return {2, std::move(text), std::move(letter)};
}

}  // namespace

std::vector<std::string> common_beginnings(const std::vector<std::string>& titles) {
  std::vector<std::string> lower;
  lower.reserve(titles.size());
  for (const auto& title : titles) lower.push_back(lower_case(title));
  std::vector<std::string> beginnings;
  if (titles.size() < 2) return beginnings;
  while (beginnings.size() < kMostWords) {
    auto longer = longer_beginning(beginnings.empty() ? "" : beginnings.back(), lower);
    if (longer.empty()) break;
    beginnings.push_back(std::move(longer));
  }
  return beginnings;
}

std::vector<ReportList> order_by_list(std::vector<ReportTopic>& topics) {
  std::map<std::string, TitleKey> keys;
  for (const auto& topic : topics) keys.emplace(topic.topic.page, TitleKey());
  std::vector<std::string> titles;
  for (const auto& [title, key] : keys) titles.push_back(title);
  const auto beginnings = common_beginnings(titles);
  for (auto& [title, key] : keys) key = title_key(title, beginnings);
  std::sort(topics.begin(), topics.end(), [&](const ReportTopic& a, const ReportTopic& b) {
    const auto order = [&](const TopicRecord& topic) {
      const auto& key = keys.at(topic.page);
      return std::tie(key.kind, key.text, topic.page, topic.structured, topic.id);
    };
    return order(a.topic) < order(b.topic);
  });
  std::vector<ReportList> lists;
  for (std::size_t i = 0; i < topics.size(); ++i) {
    const auto& page = topics[i].topic.page;
    if (lists.empty() || lists.back().title != page) lists.push_back({page, keys.at(page).letter, i, 0});
    ++lists.back().count;
  }
  return lists;
}

}  // namespace touchstone::collection::evidence::report::internal
