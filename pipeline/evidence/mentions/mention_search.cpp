#include "pipeline/evidence/mentions/mention_search.hpp"

#include "text/characters.hpp"
#include "text/folded_text.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace touchstone::pipeline::evidence::mentions {
namespace {

std::vector<std::u32string_view> folded_names(const std::vector<Name>& names) {
  std::vector<std::u32string_view> folded;
  folded.reserve(names.size());
  for (const auto& name : names) folded.push_back(name.folded);
  return folded;
}

bool overlaps_any(std::span<const MentionSearch::Range> ranges, std::uint32_t begin, std::uint32_t end) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const auto& range) { return range.first < end && begin < range.second; });
}

bool capitalises_nouns(std::string_view language) {
  constexpr std::string_view kLanguages[] = {"als", "bar", "de", "gsw", "ksh", "lb", "nds", "pdc", "pfl", "stq"};
  const auto base = language.substr(0, language.find('-'));
  return std::find(std::begin(kLanguages), std::end(kLanguages), base) != std::end(kLanguages);
}

/// Whether a capitalised word is before `at`, and a letter or comma of the same sentence before that.
bool follows_capitalised_word(std::u32string_view letters, std::uint32_t at) {
  if (at < 2 || letters[at - 1] != U' ' || !text::is_word_letter(letters[at - 2])) return false;
  std::uint32_t word = at - 1;
  while (word > 0 && (text::is_word_letter(letters[word - 1]) || letters[word - 1] == U'-')) --word;
  return word >= 2 && text::is_capital(letters[word]) && letters[word - 1] == U' ' &&
         (text::is_word_letter(letters[word - 2]) || letters[word - 2] == U',');
}

}  // namespace

MentionSearch::MentionSearch(MemberNames names, std::string_view language, WordBefore before)
    : names_(std::move(names.names)),
      automaton_(folded_names(names_)),
      counts_(names.counts),
      capitals_begin_names_(before == WordBefore::kBeginsLongerName && !capitalises_nouns(language)) {
  for (auto& name : names_) std::u32string().swap(name.folded);
}

std::vector<Mention> MentionSearch::find(std::string_view text, std::span<const Range> links) const {
  std::vector<Mention> mentions;
  if (names_.empty()) return mentions;
  const text::FoldedText folded(text);
  std::vector<NameAutomaton::Match> matches;
  text::WordBounds bounds(folded.letters);
  automaton_.find(folded.folded, [&](const NameAutomaton::Match& match) {
    const auto& name = names_[match.name];
    const bool is_title = name.member.value == 0;
    const auto occurrence = std::u32string_view(folded.letters).substr(match.begin, match.end - match.begin);
    if ((is_title || has_capitals_of(name, occurrence)) && bounds.encloses(match.begin, match.end))
      matches.push_back(match);
  });
  std::sort(matches.begin(), matches.end(),
            [](const auto& a, const auto& b) { return std::tie(a.begin, b.end) < std::tie(b.begin, a.end); });
  std::uint32_t end = 0;
  for (const auto& match : matches) {
    if (match.begin < end) continue;
    end = match.end;
    const auto member = names_[match.name].member;
    const bool in_longer_name = capitals_begin_names_ && follows_capitalised_word(folded.letters, match.begin);
    if (member.value != 0 && !in_longer_name && !overlaps_any(links, match.begin, match.end))
      mentions.push_back({member, match.begin, match.end});
  }
  std::sort(mentions.begin(), mentions.end());
  return mentions;
}

bool MentionSearch::has_capitals_of(const Name& name, std::u32string_view occurrence) const {
  const bool several_words = name.letters.find(U' ') != std::u32string::npos;
  for (std::size_t i = several_words ? 1 : 0; i < name.letters.size(); ++i) {
    if (text::is_capital(name.letters[i]) && !text::is_capital(occurrence[i])) return false;
  }
  return true;
}

}  // namespace touchstone::pipeline::evidence::mentions
