#include "pipeline/automatic/selection/topic_rules.hpp"

#include "common/ascii.hpp"
#include "extractors/site/language_data.hpp"
#include "extractors/site/page_tags.hpp"
#include "pipeline/headings/title_text.hpp"

#include <algorithm>
#include <variant>

namespace touchstone::pipeline::automatic::selection {
namespace {

TopicFlags flags_for(std::span<const TopicRule> rules) {
  TopicFlags flags;
  for (const auto rule : rules) flags.set(static_cast<std::size_t>(rule));
  return flags;
}

constexpr std::size_t kFewestWords = 50;      // of a page whose words tell something
constexpr double kShareOfFirstPerson = 0.04;  // what pages of people about themselves have, and others hardly ever

/// Counts the words of paragraphs and list items, and those of a list among them.
struct WordShare {
  explicit WordShare(const std::vector<std::string>& list) : words_to_find(list) {}

  void enter(const formats::car::Section&, std::size_t) {}
  void leave(const formats::car::Section&) {}
  void element(const formats::car::Paragraph& paragraph) {
    for (const auto& body : paragraph.bodies) {
      const auto* link = std::get_if<formats::car::Link>(&body);
      add(link != nullptr ? link->anchor : std::get<std::string>(body));
    }
  }
  void element(const formats::car::ListItem& item) { element(item.paragraph); }
  void element(const formats::car::Image&) {}
  void element(const formats::car::Infobox&) {}

  void add(std::string_view text) {
    std::string word;
    const auto end_word = [&] {
      if (word.empty()) return;
      ++words;
      if (std::find(words_to_find.begin(), words_to_find.end(), word) != words_to_find.end()) ++found;
      word.clear();
    };
    for (const char c : text) {
      if (is_ascii_alphanumeric(c) || (c & 0x80) != 0) {
        word += ascii_lower(c);
      } else {
        end_word();
      }
    }
    end_word();
  }

  const std::vector<std::string>& words_to_find;
  std::size_t words = 0, found = 0;
};

/// Whether the name ends as MediaWiki's extension Translate names the copies of a page: "/" and the code of a language,
/// which may have a variant behind it ("/zh tw").
bool is_translation(std::string_view title) {
  constexpr std::size_t kMostVariantBytes = 4;
  const auto slash = title.rfind('/');
  if (slash == std::string_view::npos || slash == 0) return false;
  const auto code = title.substr(slash + 1);
  const auto mark = code.find_first_of(" _-");
  if (extractors::site::is_language_code(code)) return true;
  return mark != std::string_view::npos && extractors::site::is_language_code(code.substr(0, mark)) &&
         code.size() - mark - 1 <= kMostVariantBytes;
}

}  // namespace

std::string topic_flags_text(TopicFlags flags) {
  std::string text;
  for (const auto& choice : Choices<TopicRule>::table) {
    if (!flags.test(static_cast<std::size_t>(choice.value))) continue;
    (text += text.empty() ? "" : " ") += choice.text;
  }
  return text;
}

void TopicRuleCounts::add(std::array<std::uint64_t, kTopicRules>& counts, TopicFlags flags) noexcept {
  for (std::size_t i = 0; i < kTopicRules; ++i) counts[i] += flags[i] ? 1U : 0U;
}

TopicRuleCounts& TopicRuleCounts::operator+=(const TopicRuleCounts& other) noexcept {
  for (std::size_t i = 0; i < kTopicRules; ++i) {
    titles[i] += other.titles[i];
    headings[i] += other.headings[i];
  }
  return *this;
}

TopicRules::TopicRules(headings::HeadingWords words, std::span<const TopicRule> for_titles,
                       std::span<const TopicRule> for_headings, std::size_t min_letters)
    : words_(std::move(words)),
      for_titles_(flags_for(for_titles)),
      for_headings_(flags_for(for_headings)),
      min_letters_(min_letters) {}

bool TopicRules::breaks(TopicRule rule, std::string_view text) const {
  switch (rule) {
    case TopicRule::kShort:
      return headings::count_letters(text) < min_letters_;
    case TopicRule::kList:
      return words_.lists.matches(text);
    case TopicRule::kNavigation:
      return words_.navigation.matches(text) || words_.forbidden.matches(text) || words_.drafts.matches(text);
    case TopicRule::kDate:
      return words_.dates.matches(text);
    case TopicRule::kNumber:
      return headings::count_letters(text) == 0;
    case TopicRule::kMiscellaneous:
      return words_.miscellaneous.matches(text);
    case TopicRule::kTranslation:
      return is_translation(text);
    case TopicRule::kBoilerplate:
      return words_.boilerplate.matches(text);
  }
  return false;
}

TopicFlags TopicRules::flags_of_title(std::string_view title, std::span<const std::string> tags) const {
  auto flags = flags_of(title, for_titles_);
  constexpr auto kNavigation = static_cast<std::size_t>(TopicRule::kNavigation);
  const bool is_list_of_terms = std::any_of(tags.begin(), tags.end(), [](const std::string& tag) {
    return tag == extractors::site::kGlossaryTag || tag == extractors::site::kIndexTag;
  });
  if (is_list_of_terms && for_titles_[kNavigation]) flags.set(kNavigation);
  return flags;
}

TopicFlags TopicRules::flags_of_page(const formats::car::Page& page) const {
  auto flags = flags_of_title(page.name, page.metadata.page_tags);
  constexpr auto kNavigation = static_cast<std::size_t>(TopicRule::kNavigation);
  if (for_titles_[kNavigation] && !flags[kNavigation]) flags[kNavigation] = is_personal(page);
  return flags;
}

bool TopicRules::is_personal(const formats::car::Page& page) const {
  if (words_.first_person.empty()) return false;
  WordShare share(words_.first_person);
  formats::car::visit_skeleton(page.skeleton, share);
  return share.words >= kFewestWords &&
         static_cast<double>(share.found) > kShareOfFirstPerson * static_cast<double>(share.words);
}

TopicFlags TopicRules::flags_of(std::string_view text, TopicFlags rules) const {
  TopicFlags flags;
  for (std::size_t i = 0; i < kTopicRules; ++i) flags[i] = rules[i] && breaks(static_cast<TopicRule>(i), text);
  return flags;
}

}  // namespace touchstone::pipeline::automatic::selection
