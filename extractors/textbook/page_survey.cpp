#include "extractors/textbook/page_survey.hpp"

#include "common/digest.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace touchstone::extractors::textbook {
namespace {

constexpr std::size_t kFewestOthers = 3;
constexpr double kShareOfOthers = 0.5;  // of the other pages of a folder, which a whole book has as sections
constexpr double kShareOfText = 0.5;    // of the text of these pages
constexpr double kShareOfSite = 0.1;    // of the pages, which have the name of the site in their titles

using Folders = std::map<std::string_view, std::vector<std::size_t>>;  ///< indexes of the pages

Folders folders_of(const std::vector<SurveyedPage>& pages) {
  Folders folders;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const std::string_view file = pages[i].page.file;
    const auto slash = file.rfind('/');
    folders[slash == std::string_view::npos ? std::string_view() : file.substr(0, slash)].push_back(i);
  }
  return folders;
}

bool is_whole_book(const SurveyedPage& page, const std::vector<SurveyedPage>& pages,
                   const std::vector<std::size_t>& folder) {
  const auto others = static_cast<double>(folder.size() - 1);
  if (folder.size() <= kFewestOthers || static_cast<double>(page.headings.size()) < kShareOfOthers * others)
    return false;
  double held = 0, text = 0;
  for (const auto i : folder) {
    const auto& other = pages[i];
    if (&other == &page) continue;
    held += page.headings.contains(heading_digest(other.title)) ? 1 : 0;
    text += static_cast<double>(other.text_bytes);
  }
  return held >= kShareOfOthers * others && static_cast<double>(page.text_bytes) >= kShareOfText * text;
}

/// Where the name of the site begins in a title: at its last " - ", bar or the like. The size of a title without one.
std::size_t site_name_at(std::string_view title) {
  std::size_t at = std::string_view::npos;
  for (const std::string_view mark : {" - ", " – ", " — ", " | ", " · ", " :: "}) {
    const auto found = title.rfind(mark);
    if (found != std::string_view::npos && (at == std::string_view::npos || found > at)) at = found;
  }
  return std::min(at, title.size());
}

/// Adds the titles of the pages above to the parts of each page. A page that has others below opens a part.
void note_parts(std::vector<SurveyedPage>& pages, const std::vector<std::size_t>& folder) {
  std::map<std::vector<int>, std::size_t> by_number;
  for (const auto i : folder) {
    // The index of a folder opens the part that the folder is.
    const bool is_part = pages[i].number && !pages[i].number->is_roman && pages[i].page.opens.empty();
    if (is_part) by_number.emplace(pages[i].number->number, i);
  }
  for (const auto& [number, i] : by_number) {
    for (std::size_t size = 1; size < number.size(); ++size) {
      const auto above = by_number.find({number.begin(), number.begin() + static_cast<std::ptrdiff_t>(size)});
      if (above == by_number.end()) continue;
      auto& opening = pages[above->second];
      pages[i].page.chapters = with_part(std::move(pages[i].page.chapters), opening.title);
      opening.page.opens = opening.title;
    }
  }
}

void sort_by_number(std::vector<SurveyedPage>& pages, const std::vector<std::size_t>& folder) {
  std::vector<std::size_t> places;
  std::vector<SurveyedPage> sorted;
  for (const auto i : folder) {
    if (!pages[i].number || pages[i].number->is_roman) continue;
    places.push_back(i);
    sorted.push_back(std::move(pages[i]));
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.number->number < b.number->number; });
  for (std::size_t i = 0; i < places.size(); ++i) pages[places[i]] = std::move(sorted[i]);
}

}  // namespace

std::uint64_t heading_digest(std::string_view heading) {
  const auto number = number_of(heading);
  return xxh3_64(lower_case(heading.substr(number ? number->text : 0)));
}

void remove_site_names(std::vector<SurveyedPage>& pages) {
  std::map<std::string, std::size_t> uses;
  for (const auto& page : pages) ++uses[page.title.substr(site_name_at(page.title))];
  for (auto& page : pages) {
    const auto at = site_name_at(page.title);
    const auto count = uses[page.title.substr(at)];
    if (at > 0 && at < page.title.size() && count >= kFewestOthers &&
        static_cast<double>(count) >= kShareOfSite * static_cast<double>(pages.size()))
      page.title.resize(at);
  }
}

std::vector<std::string> take_whole_books(std::vector<SurveyedPage>& pages) {
  std::vector<std::string> files;
  std::vector<bool> is_whole(pages.size());
  for (const auto& [name, folder] : folders_of(pages)) {
    for (const auto i : folder) is_whole[i] = is_whole_book(pages[i], pages, folder);
  }
  std::vector<SurveyedPage> rest;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (is_whole[i]) {
      files.push_back(pages[i].page.file);
    } else {
      rest.push_back(std::move(pages[i]));
    }
  }
  pages = std::move(rest);
  return files;
}

void use_numbers(std::vector<SurveyedPage>& pages, bool in_order) {
  for (const auto& [name, folder] : folders_of(pages)) {
    std::vector<std::string> titles;
    for (const auto i : folder) titles.push_back(pages[i].title);
    const auto kind = numbers_of(titles);
    for (const auto i : folder) {
      if (kind == TitleNumbers::kNone) pages[i].number.reset();
      if (pages[i].number) pages[i].title.erase(0, pages[i].number->text);
    }
    if (in_order || kind != TitleNumbers::kDistinct) continue;
    note_parts(pages, folder);
    sort_by_number(pages, folder);
  }
}

}  // namespace touchstone::extractors::textbook
