#include "pipeline/survey/title_affixes.hpp"

#include "common/unicode.hpp"
#include "pipeline/evidence/list_titles.hpp"
#include "text/characters.hpp"

#include <algorithm>
#include <tuple>

namespace touchstone::pipeline::survey {
namespace {

constexpr std::size_t kMaxStartWords = 3, kMaxEndWords = 2;
constexpr std::size_t kLeastEndCharacters = 2, kMaxEndCharacters = 4;
constexpr std::size_t kMaxAffixBytes = 80;

void add_word_affixes(std::string_view title, std::vector<std::string>& affixes) {
  std::size_t end = 0;
  for (std::size_t words = 0; words < kMaxStartWords; ++words) {
    end = title.find(' ', end + (words > 0 ? 1 : 0));
    if (end == std::string_view::npos) break;
    affixes.emplace_back(title.substr(0, end));
  }
  std::size_t begin = title.size();
  for (std::size_t words = 0; words < kMaxEndWords && begin > 0; ++words) {
    begin = title.rfind(' ', begin - 1);
    if (begin == std::string_view::npos || begin == 0) break;
    affixes.push_back("*" + std::string(title.substr(begin)));
  }
}

void add_character_endings(std::string_view title, std::vector<std::string>& affixes) {
  std::vector<std::size_t> starts;
  std::vector<char32_t> characters;
  for (std::size_t at = 0; at < title.size();) {
    starts.push_back(at);
    characters.push_back(next_code_point(title, at));
  }
  for (std::size_t count = 1; count <= kMaxEndCharacters && count < starts.size(); ++count) {
    const auto first = starts.size() - count;
    if (!text::is_written_without_blanks(characters[first])) break;
    if (count >= kLeastEndCharacters) affixes.push_back("*" + std::string(title.substr(starts[first])));
  }
}

}  // namespace

std::vector<std::string> affixes_of(std::string_view title) {
  std::vector<std::string> affixes;
  add_word_affixes(title, affixes);
  add_character_endings(title, affixes);
  const auto colon = title.find(':');
  if (colon != std::string_view::npos && colon + 1 < title.size()) affixes.emplace_back(title.substr(0, colon + 1));
  const auto slash = title.rfind('/');
  if (slash != std::string_view::npos && slash > 0 && slash + 1 < title.size())
    affixes.push_back("*" + std::string(title.substr(slash)));
  std::sort(affixes.begin(), affixes.end());
  affixes.erase(std::unique(affixes.begin(), affixes.end()), affixes.end());
  std::erase_if(affixes, [](const std::string& affix) { return affix.size() > kMaxAffixBytes; });
  return affixes;
}

void TitleAffixes::add_list(std::string_view title) {
  for (auto& affix : affixes_of(title)) ++lists_[std::move(affix)];
  while (lists_.size() > max_counted_) forget_rare();
}

void TitleAffixes::forget_rare() {
  std::uint64_t least = UINT64_MAX;
  for (const auto& [affix, count] : lists_) least = std::min(least, count);
  std::erase_if(lists_, [&](const auto& entry) { return entry.second == least; });
}

void TitleAffixes::begin_counting(std::span<const std::string> known) {
  for (const auto& affix : known) candidates_.push_back({affix, 0, 0});
  known_ = candidates_.size();
  std::vector<Affix> frequent;
  for (const auto& [affix, count] : lists_) {
    const bool is_known = std::find(known.begin(), known.end(), affix) != known.end();
    if (count >= kLeastLists && !is_known) frequent.push_back({affix, 0, count});
  }
  lists_.clear();
  std::stable_sort(frequent.begin(), frequent.end(), [](const Affix& a, const Affix& b) { return a.lists > b.lists; });
  if (frequent.size() > kMaxCandidates) frequent.resize(kMaxCandidates);
  for (auto& affix : frequent) candidates_.push_back({std::move(affix.text), 0, 0});
  covered_.resize(candidates_.size());
}

void TitleAffixes::count(std::string_view title, bool list_like) {
  ++pages_;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (!evidence::is_list_title(title, candidates_[i].text)) continue;
    ++candidates_[i].pages;
    if (!list_like) continue;
    ++candidates_[i].lists;
    covered_[i].push_back(list_pages_);
  }
  if (list_like) ++list_pages_;
}

std::vector<TitleAffixes::Affix> TitleAffixes::counted() const {
  std::vector<Affix> affixes;
  for (const auto& affix : candidates_) {
    if (affix.pages > 0) affixes.push_back(affix);
  }
  std::sort(affixes.begin(), affixes.end(), [](const Affix& a, const Affix& b) {
    return std::tie(b.lists, a.pages, a.text) < std::tie(a.lists, b.pages, b.text);
  });
  return affixes;
}

bool TitleAffixes::is_typical(const Affix& affix) const {
  if (affix.lists < kLeastLists) return false;
  const double share = static_cast<double>(affix.lists) / static_cast<double>(affix.pages);
  const double base = static_cast<double>(list_pages_) / static_cast<double>(pages_);
  // Twice as often as elsewhere; where that cannot be, half of the others' rest.
  return share >= std::max(0.5, std::min(2 * base, (1 + base) / 2));
}

std::vector<std::string> TitleAffixes::chosen() const {
  std::vector<std::string> result;
  std::vector<bool> taken(list_pages_, false);
  const auto take = [&](std::size_t candidate) {
    result.push_back(candidates_[candidate].text);
    for (const auto page : covered_[candidate]) taken[page] = true;
  };
  for (std::size_t i = 0; i < known_; ++i) {
    if (candidates_[i].pages > 0) take(i);
  }
  for (;;) {
    std::size_t best = candidates_.size();
    std::tuple<std::uint64_t, double, std::size_t> best_worth{};
    for (std::size_t i = known_; i < candidates_.size(); ++i) {
      const auto& affix = candidates_[i];
      if (!is_typical(affix)) continue;
      const auto added = static_cast<std::uint64_t>(
          std::count_if(covered_[i].begin(), covered_[i].end(), [&](auto page) { return !taken[page]; }));
      const std::tuple worth(added, static_cast<double>(affix.lists) / static_cast<double>(affix.pages),
                             affix.text.size());
      if (added >= kLeastLists && (best == candidates_.size() || worth > best_worth)) {
        best = i;
        best_worth = worth;
      }
    }
    if (best == candidates_.size()) return result;
    take(best);
  }
}

}  // namespace touchstone::pipeline::survey
