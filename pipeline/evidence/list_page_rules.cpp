#include "pipeline/evidence/list_page_rules.hpp"

#include "common/number_text.hpp"
#include "common/unicode.hpp"
#include "extractors/scan/url_scan.hpp"
#include "extractors/site/site_info.hpp"
#include "pipeline/evidence/list_columns.hpp"
#include "pipeline/evidence/list_titles.hpp"
#include "pipeline/evidence/wording/keyword_query.hpp"
#include "pipeline/headings/index_heading.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <unicode/locid.h>

namespace touchstone::pipeline::evidence {
namespace {

/// The title of the main page: a dump's base address is the address of that page.
/// A day of a year, and not a year or decade: "12 May 2024", "2024-05-12". \pre it is a date
bool is_full_date(std::string_view heading) {
  std::size_t numbers = 0;
  bool digits = false, letters = false;
  for (const char c : heading) {
    const bool digit = c >= '0' && c <= '9';
    numbers += digit && !digits ? 1 : 0;
    digits = digit;
    letters |= (c & 0x80) != 0 ? false : std::isalpha(static_cast<unsigned char>(c)) != 0;
  }
  letters |= std::any_of(heading.begin(), heading.end(), [](char c) { return (c & 0x80) != 0; }) &&
             heading.find("–") == std::string_view::npos;
  return numbers == 3 || (numbers == 2 && letters);
}

/// The names of all languages but one in themselves, in lower case: "deutsch", "русский".
std::set<std::string> names_of_other_languages(const std::string& own) {
  std::set<std::string> names;
  for (const auto* const* code = icu::Locale::getISOLanguages(); *code != nullptr; ++code) {
    if (std::string_view(*code).size() != 2 || *code == own) continue;
    const icu::Locale locale(*code);
    icu::UnicodeString name;
    locale.getDisplayLanguage(locale, name);
    std::string text;
    name.toUTF8String(text);
    if (text != *code) names.insert(lower_case(text));  // ICU gives the code where it knows no name
  }
  return names;
}

bool is_version_number(std::string_view word) {
  if (word.starts_with('v') || word.starts_with('V')) word.remove_prefix(1);
  const auto digits = word.find_first_not_of("0123456789.");
  const auto number = word.substr(0, digits);
  if (number.empty() || number.front() == '.' || number.back() == '.') return false;
  const bool suffix = digits == std::string_view::npos || word.size() - digits <= 6;
  return suffix && number.find('.') != std::string_view::npos && number.find("..") == std::string_view::npos;
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
      {"page that is no list: of users, of help or of the project"},
  };
  return kReasons[static_cast<std::size_t>(reason)];
}

ListPageRules::ListPageRules(const storage::Store& store, const corpus::TitleIndex& titles,
                             const headings::HeadingWords& words, const DateTitles& dates)
    : store_(store),
      titles_(titles),
      words_(words),
      dates_(dates),
      main_page_(titles.site().main_page()),
      language_names_(names_of_other_languages(titles.site().language)) {}

bool ListPageRules::is_translation(const std::string& title) const {
  if (const auto open = title.rfind(" ("); open != std::string::npos && title.ends_with(')'))
    return language_names_.contains(lower_case(title.substr(open + 2, title.size() - open - 3)));
  const auto slash = title.rfind('/');
  if (slash == std::string::npos || slash == 0) return false;
  const auto code = title.substr(slash + 1);
  const auto whole = title.substr(0, slash);
  return wording::is_language_code(code) && code != titles_.site().language &&
         (titles_.find_text(whole).has_value() || words_.lists.matches(whole));
}

/// Pages whose headings are versions or days say what changed.
bool ListPageRules::is_log(PageId page) const {
  std::string bytes;
  if (!store_.get(storage::Family::kOutline, storage::page_key(page), bytes)) return false;
  std::size_t headings = 0, entries = 0;
  for (const auto& section : storage::decode_outline(bytes).sections) {
    if (section.heading.empty()) continue;
    ++headings;
    const bool day = words_.dates.matches(section.heading) && is_full_date(section.heading);
    entries += day || is_version_heading(section.heading) ? 1 : 0;
  }
  return entries >= 2 && 2 * entries >= headings;
}

std::optional<NoListPage> ListPageRules::refuse(PageId page, const std::string& title) const {
  const auto last = title.substr(title.rfind('/') + 1);
  if (last == main_page_ || last == "Main Page" || (!main_page_.empty() && title.starts_with(main_page_ + "/")))
    return NoListPage::kMainPage;
  if (words_.navigation.matches(title)) return NoListPage::kNavigation;
  if (dates_.is_date(title) || words_.dates.matches(title) || words_.dates.matches(last)) return NoListPage::kDate;
  if (is_talk(title)) return NoListPage::kTalk;
  if (is_translation(title)) return NoListPage::kTranslation;
  const auto colon = title.find(':');
  const auto space = colon == std::string::npos ? std::nullopt : titles_.site().namespace_of(title.substr(0, colon));
  if (space && *space != kNamespaceMain && !extractors::site::is_list_namespace(titles_.site(), *space))
    return *space % 2 == 1 ? NoListPage::kTalk : NoListPage::kOtherSpace;
  if (is_log(page)) return NoListPage::kNavigation;
  return std::nullopt;
}

bool is_version_heading(std::string_view heading) {
  constexpr std::size_t kMostWords = 3;  // in front of the number
  constexpr std::string_view kStages[] = {"alpha", "beta", "rc", "pre", "final", "stable", "dev"};
  for (const std::string_view sign : {" (", ": ", " – ", " - ", " — ", ", "})
    heading = heading.substr(0, heading.find(sign));
  std::size_t words = 0;
  bool found = false;
  while (!heading.empty()) {
    const auto blank = std::min(heading.find(' '), heading.size());
    const auto word = heading.substr(0, blank);
    heading.remove_prefix(std::min(blank + 1, heading.size()));
    if (found) {
      const auto lower = lower_case(word);
      const bool digits = word.find_first_not_of("0123456789") == std::string_view::npos;
      if (!digits && std::find(std::begin(kStages), std::end(kStages), lower) == std::end(kStages)) return false;
    } else if (is_version_number(word)) {
      found = true;
    } else if (++words > kMostWords) {
      return false;
    }
  }
  return found;
}

bool names_a_list(const std::vector<std::string>& headings, const std::vector<std::string>& list_words) {
  return std::any_of(headings.begin(), headings.end(),
                     [&](const auto& heading) { return !without_list_words(heading, list_words).empty(); });
}

std::vector<std::string> words_of_lists(const storage::Store& store, std::vector<std::string> known,
                                        const std::vector<std::string>& affixes,
                                        const std::vector<std::pair<PageId, std::string>>& titles,
                                        const headings::HeadingWords& words) {
  constexpr std::ptrdiff_t kHeadingsOfArticle = 3;
  const auto is_article = [&](PageId page) {
    std::string bytes;
    if (!store.get(storage::Family::kOutline, storage::page_key(page), bytes)) return false;
    const auto sections = storage::decode_outline(bytes).sections;
    return std::count_if(sections.begin(), sections.end(), [&](const auto& section) {
             return !section.heading.empty() && !headings::is_index_heading(section.heading) &&
                    !words.dates.matches(section.heading) && !words.forbidden.matches(section.heading);
           }) >= kHeadingsOfArticle;
  };
  for (const auto& affix : affixes) {
    if (affix.empty() || affix == "*" || std::find(known.begin(), known.end(), affix) != known.end()) continue;
    std::size_t pages = 0, articles = 0;
    for (const auto& [page, title] : titles) {
      if (!is_list_title(title, affix)) continue;
      ++pages;
      articles += is_article(page) ? 1 : 0;
    }
    if (2 * articles <= pages) known.push_back(affix);
  }
  return known;
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
    if (!page || !page->is_article()) continue;
    std::vector<std::string> headings;
    for (auto& section : storage::decode_outline(bytes).sections) headings.push_back(std::move(section.heading));
    if (names_a_list(headings, list_words)) pages.emplace(*id, page->title.text);
  }
  return pages;
}

std::string why_no_lists(const storage::Store& store, const corpus::TitleIndex& titles, const ListPageRules& rules,
                         const headings::PhraseSet& dates, std::size_t least, const StopFlag& stop) {
  std::uint64_t tables = 0, lists = 0;
  bool leads_to_pages = false;
  std::string bytes;
  for (auto cursor = store.cursor(storage::Family::kOutline); cursor.valid() && !leads_to_pages; cursor.next()) {
    stop.check();
    const auto id = storage::read_page_key(cursor.key());
    const auto page = id ? titles.page(*id) : std::nullopt;
    if (!page || !page->is_article() || rules.refuse(*id, titles.prefixed(page->title))) continue;
    std::vector<Title> targets;
    if (store.get(storage::Family::kLink, storage::page_key(*id), bytes)) targets = storage::decode_link_titles(bytes);
    const auto note = [&](const std::vector<MemberCell>& cells) {
      std::set<PageId> pages;
      for (const auto& cell : cells) {
        const auto found = cell.target ? titles.resolve(*cell.target) : std::nullopt;
        if (found && found->id != *id && found->page.is_article()) pages.insert(found->id);
      }
      leads_to_pages = leads_to_pages || pages.size() >= least;
    };
    const auto outline = storage::decode_outline(cursor.value());
    for (std::uint32_t i = 0; i < outline.sections.size(); ++i) {
      if (outline.sections[i].paragraph_count == 0 ||
          !store.get(storage::Family::kParagraph, storage::page_part_key(*id, i), bytes))
        continue;
      const auto items = member_items(storage::decode_section_text(bytes), targets, dates);
      lists += items.empty() ? 0U : 1U;
      note(items);
    }
    for (std::uint32_t i = 0; i < outline.table_count; ++i) {
      if (!store.get(storage::Family::kTable, storage::page_part_key(*id, i), bytes)) continue;
      const auto table = storage::decode_table(bytes);
      ++tables;
      note(member_links(table, targets));
      for (std::uint32_t column = 0; column < table.columns; ++column)
        note(member_cells(table, header_row_count(table), column, targets));
    }
  }
  if (leads_to_pages) return "";
  return fmt::format(
      "evidence topics need tables or lists whose items link to pages; of {} table{} and {} list{} here none links to "
      "{} "
      "pages: make an automatic collection with touchstone build --to automatic",
      with_commas(tables), tables == 1 ? "" : "s", with_commas(lists), lists == 1 ? "" : "s", least);
}

}  // namespace touchstone::pipeline::evidence
