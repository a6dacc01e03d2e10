#pragma once

#include "common/options.hpp"
#include "formats/car/records.hpp"
#include "pipeline/headings/heading_words.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone {
namespace pipeline::automatic::selection {

/// Why a title or a heading is not a realistic query.
enum class TopicRule : std::uint8_t {
  kShort,       ///< fewer letters than the bound
  kList,        ///< a list page: "List of ..." in the wiki's language
  kNavigation,  ///< leads elsewhere ("Main Page", an index), is a draft or copy, or a forbidden heading ("See also");
                ///< its author's page about himself
  kDate,        ///< a day, a year, a decade, a century
  kNumber,      ///< has no letter at all
  kMiscellaneous,  ///< "Other", "Misc"
  kTranslation,    ///< the copy of a page in another language, by its name: "Glossary/de"
  kBoilerplate     ///< what a page on anything can have: "Overview"
};
inline constexpr std::size_t kTopicRules = 8;

/// The rules that a text breaks, by the number of the rule.
using TopicFlags = std::bitset<kTopicRules>;

/// The names of the rules, with one blank between: "date number". Empty if there is no flag.
std::string topic_flags_text(TopicFlags flags);

/// How many titles and headings broke each rule. One text may break several.
struct TopicRuleCounts {
  std::array<std::uint64_t, kTopicRules> titles{}, headings{};

  void add_title(TopicFlags flags) noexcept { add(titles, flags); }
  void add_heading(TopicFlags flags) noexcept { add(headings, flags); }
  TopicRuleCounts& operator+=(const TopicRuleCounts& other) noexcept;

 private:
  static void add(std::array<std::uint64_t, kTopicRules>& counts, TopicFlags flags) noexcept;
};

/// Tells by rule what the paper's authors picked by hand: titles and headings that no one would ask for. Words are
/// those of the wiki's language; a language without a file in configs/headings/ has the rules without words. Several
/// threads may use one object. Source: "Humans optional?", section 3.4.
class TopicRules {
 public:
  /// \param for_titles, for_headings  the rules that are on
  /// \param min_letters               as `count_letters` counts; the bound of kShort
  TopicRules(headings::HeadingWords words, std::span<const TopicRule> for_titles,
             std::span<const TopicRule> for_headings, std::size_t min_letters);

  /// \param tags  of the page: a glossary and an index only lead elsewhere
  TopicFlags flags_of_title(std::string_view title, std::span<const std::string> tags = {}) const;
  /// Those of its title, and those that its text breaks: a page on which its author speaks of himself is no topic.
  TopicFlags flags_of_page(const formats::car::Page& page) const;
  TopicFlags flags_of_heading(std::string_view heading) const { return flags_of(heading, for_headings_); }

 private:
  TopicFlags flags_of(std::string_view text, TopicFlags rules) const;
  bool breaks(TopicRule rule, std::string_view text) const;
  bool is_personal(const formats::car::Page& page) const;

  headings::HeadingWords words_;
  TopicFlags for_titles_, for_headings_;
  std::size_t min_letters_;
};

}  // namespace pipeline::automatic::selection

template <>
struct Choices<pipeline::automatic::selection::TopicRule> {
  using Rule = pipeline::automatic::selection::TopicRule;
  static constexpr Choice<Rule> table[] = {{"short", Rule::kShort},
                                           {"list", Rule::kList},
                                           {"navigation", Rule::kNavigation},
                                           {"date", Rule::kDate},
                                           {"number", Rule::kNumber},
                                           {"miscellaneous", Rule::kMiscellaneous},
                                           {"translation", Rule::kTranslation},
                                           {"boilerplate", Rule::kBoilerplate}};
};

}  // namespace touchstone
