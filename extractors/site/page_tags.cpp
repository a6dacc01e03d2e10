#include "extractors/site/page_tags.hpp"

#include "common/unicode.hpp"
#include "extractors/data/data_table.hpp"

#include <algorithm>

namespace touchstone::extractors::site {
namespace {

using Row = data::DataRow<4>;  // language, tag, wikis, template

bool has_language(std::string_view code) {
  bool found = false;
  data::for_each_row_of<4>(data::data_table("page_tags"), code, [&](const Row&) { found = true; });
  return found;
}

}  // namespace

PageTags::PageTags(std::string_view language, WikiKind kind, std::span<const std::string> disambiguation) {
  while (!has_language(language) && language.find('-') != std::string_view::npos)
    language = language.substr(0, language.rfind('-'));
  for (const std::string_view code : {std::string_view("*"), language}) {
    data::for_each_row_of<4>(data::data_table("page_tags"), code, [&](const Row& row) {
      const auto& [row_language, tag, wikis, name] = row;
      if (wikis == "wikimedia" && kind != WikiKind::kWikimedia) return;
      if (tag == kDisambiguationTag && !disambiguation.empty()) return;
      add(tag, name);
    });
  }
  for (const std::string& name : disambiguation) add(kDisambiguationTag, name);
}

/// \param tag  lives as long as the program
void PageTags::add(std::string_view tag, std::string_view pattern) {
  const std::string text = lower_case(pattern);
  if (text.starts_with('*')) {
    ends_.emplace_back(text.substr(1), tag);
  } else if (text.ends_with('*')) {
    starts_.emplace_back(text.substr(0, text.size() - 1), tag);
  } else {
    names_.emplace(text, tag);
  }
}

std::vector<std::string> PageTags::tags_of(std::span<const std::string> templates) const {
  std::vector<std::string> tags;
  for (const std::string& written : templates) {
    const std::string name = lower_case(written);
    if (const auto found = names_.find(name); found != names_.end()) tags.emplace_back(found->second);
    for (const auto& [start, tag] : starts_) {
      if (name.starts_with(start)) tags.emplace_back(tag);
    }
    for (const auto& [end, tag] : ends_) {
      if (name.ends_with(end)) tags.emplace_back(tag);
    }
  }
  std::sort(tags.begin(), tags.end());
  tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
  return tags;
}

}  // namespace touchstone::extractors::site
