#include "pipeline/evidence/list_page_rules.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/percent.hpp"
#include "pipeline/evidence/list_titles.hpp"
#include "pipeline/evidence/wording/keyword_query.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <string_view>

namespace touchstone::pipeline::evidence {
namespace {

/// The title of the main page: a dump's base address is the address of that page.
std::string main_page_of(const std::string& base_url) {
  auto title = extractors::scan::decode_percent(base_url.substr(base_url.rfind('/') + 1));
  std::replace(title.begin(), title.end(), '_', ' ');
  return title;
}

bool is_talk(std::string_view title) {
  const auto lower = lower_case(title);
  const auto colon = lower.find(':');
  const auto space = colon == std::string::npos ? std::string_view() : std::string_view(lower).substr(0, colon);
  return space == "talk" || space.ends_with(" talk") || lower.ends_with("/talk") || lower.ends_with("/discussion");
}

}  // namespace

const RejectReason& describe(NoListPage reason) {
  static constexpr RejectReason kReasons[] = {
      {"page that is no list: the main page"},
      {"page that is no list: navigation or a log of changes"},
      {"page that is no list: a day or a year"},
      {"page that is no list: a discussion"},
      {"page that is no list: a translation of another page"},
  };
  return kReasons[static_cast<std::size_t>(reason)];
}

ListPageRules::ListPageRules(const corpus::TitleIndex& titles, const headings::HeadingWords& words,
                             const DateTitles& dates)
    : titles_(titles), words_(words), dates_(dates), main_page_(main_page_of(titles.site().base_url)) {}

bool ListPageRules::is_translation(const std::string& title) const {
  const auto slash = title.rfind('/');
  if (slash == std::string::npos || slash == 0) return false;
  const auto code = title.substr(slash + 1);
  return wording::is_language_code(code) && code != titles_.site().language &&
         titles_.find(Title{0, title.substr(0, slash)}).has_value();
}

std::optional<NoListPage> ListPageRules::refuse(const std::string& title) const {
  if (title == main_page_ || (!main_page_.empty() && title.starts_with(main_page_ + "/"))) return NoListPage::kMainPage;
  if (words_.navigation.matches(title)) return NoListPage::kNavigation;
  const auto last = title.substr(title.rfind('/') + 1);
  if (dates_.is_date(title) || words_.dates.matches(title) || words_.dates.matches(last)) return NoListPage::kDate;
  if (is_talk(title)) return NoListPage::kTalk;
  if (is_translation(title)) return NoListPage::kTranslation;
  return std::nullopt;
}

bool names_a_list(const std::vector<std::string>& headings, const std::vector<std::string>& list_words) {
  return std::any_of(headings.begin(), headings.end(),
                     [&](const auto& heading) { return !without_list_words(heading, list_words).empty(); });
}

std::map<PageId, std::string> pages_with_list_headings(const storage::Store& store, const corpus::TitleIndex& titles,
                                                       const std::vector<std::string>& list_words,
                                                       const StopFlag& stop) {
  std::map<PageId, std::string> pages;
  const auto may_hold = [](std::string_view outline, std::string_view word) {
    return outline.find(word.starts_with('*') ? word.substr(1) : word) != std::string_view::npos;
  };
  for (auto cursor = store.cursor(storage::Family::kOutline); cursor.valid(); cursor.next()) {
    stop.check();
    const auto bytes = cursor.value();
    if (std::none_of(list_words.begin(), list_words.end(), [&](const auto& word) { return may_hold(bytes, word); }))
      continue;
    const auto id = storage::read_page_key(cursor.key());
    const auto page = id ? titles.page(*id) : std::nullopt;
    if (!page || page->is_redirect || page->title.ns != kNamespaceMain) continue;
    std::vector<std::string> headings;
    for (auto& section : storage::decode_outline(bytes).sections) headings.push_back(std::move(section.heading));
    if (names_a_list(headings, list_words)) pages.emplace(*id, page->title.text);
  }
  return pages;
}

}  // namespace touchstone::pipeline::evidence
