#include "pipeline/survey/heading_census.hpp"

#include <algorithm>

namespace touchstone::pipeline::survey {
namespace {

constexpr std::uint64_t kLeastHeadings = 5;
constexpr std::uint64_t kClearlyMore = 10;
constexpr std::uint64_t kPagesPerHeading = 500;    ///< a further language needs one heading for so many pages
constexpr std::uint64_t kPagesPerOwnHeading = 20;  ///< that of the wiki needs one for so many

}  // namespace

HeadingCensus::HeadingCensus() {
  for (const auto& language : headings::heading_languages())
    languages_[language] = headings::heading_words(language).forbidden;
}

bool HeadingCensus::knows(std::string_view heading) const {
  return std::any_of(languages_.begin(), languages_.end(),
                     [&](const auto& entry) { return entry.second.matches(heading); });
}

std::map<std::string, std::uint64_t> HeadingCensus::counts() const {
  std::map<std::string, std::uint64_t> counts;
  for (const auto& [language, words] : languages_) {
    for (const auto& [heading, count] : headings_) {
      if (words.matches(heading)) counts[language] += count;
    }
  }
  return counts;
}

std::string HeadingCensus::likely_language(const std::string& language, std::uint64_t pages) const {
  // Of a language without a file nothing is known that could be missing, and its neighbours lend it their headings.
  if (!headings::has_heading_file(language)) return {};
  const auto own = headings::heading_words(language).forbidden;
  std::uint64_t of_language = 0;
  for (const auto& [heading, count] : headings_) {
    if (own.matches(heading)) of_language += count;
  }
  std::pair<std::string, std::uint64_t> best;
  for (const auto& [other, count] : counts()) {
    if (count > best.second) best = {other, count};
  }
  const auto least = std::max(kLeastHeadings, pages / kPagesPerOwnHeading);
  return best.second >= least && best.second >= kClearlyMore * of_language ? best.first : "";
}

std::vector<std::pair<std::string, std::uint64_t>> HeadingCensus::further(std::string_view language,
                                                                          std::uint64_t pages) const {
  auto known = headings::heading_words(language).forbidden;
  const auto least = std::max(kLeastHeadings, pages / kPagesPerHeading);
  std::vector<std::pair<std::string, std::uint64_t>> result;
  for (;;) {
    std::pair<std::string, std::uint64_t> best;
    for (const auto& [other, words] : languages_) {
      std::uint64_t count = 0;
      for (const auto& [heading, times] : headings_) {
        if (words.matches(heading) && !known.matches(heading)) count += times;
      }
      if (count > best.second) best = {other, count};
    }
    if (best.second < least) return result;
    known.add(languages_.at(best.first));
    result.push_back(std::move(best));
  }
}

}  // namespace touchstone::pipeline::survey
