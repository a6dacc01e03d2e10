#include "pipeline/evidence/list_page_rules.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/percent.hpp"
#include "pipeline/evidence/keyword_query.hpp"

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
  return is_language_code(code) && code != titles_.site().language &&
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

}  // namespace touchstone::pipeline::evidence
