#include "pipeline/evidence/member_kinds.hpp"

#include "common/unicode.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/subject_noun.hpp"
#include "storage/keys.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::evidence {
namespace {

using storage::Family;

constexpr std::size_t kSampledPages = 50'000;
constexpr double kEverywhere = 0.1;     ///< of all pages: a category that says nothing about what a page is
constexpr std::size_t kFewPages = 200;  ///< on smaller wikis, shares say little
constexpr std::size_t kLeastKnown = 5;  ///< members with a kind; of fewer nothing is said
constexpr double kCommonKind = 0.6;     ///< of the members: the kind of the list
constexpr double kOwnKind = 0.2;        ///< of the members: one of several kinds in the list
constexpr double kNoKind = 0.34;        ///< of the members: no kind has more
constexpr double kMostOthers = 0.4;     ///< of the members that may be of another kind

constexpr std::string_view kCategory = "category ", kNoun = "noun ";

}  // namespace

MemberKinds::MemberKinds(const storage::Store& store, const corpus::TitleIndex& titles)
    : store_(store),
      titles_(titles),
      splitter_(corpus::stemmer_name(titles.site().language)),
      language_(titles.site().language),
      names_(default_header(language_)),
      english_(language_ == "simple" || language_.starts_with("en")) {
  count_categories();
}

void MemberKinds::count_categories() {
  for (auto cursor = store_.cursor(Family::kAttribute); cursor.valid() && sampled_ < kSampledPages; cursor.next()) {
    ++sampled_;
    const auto page = storage::read_page_key(cursor.key());
    if (!page) continue;
    for (const auto& category : titles_.categories(*page, storage::decode_attributes(cursor.value()).categories))
      ++uses_[category.text];
  }
}

/// The noun of the first sentence: what follows its first "is a", "was an", "are", up to a preposition.
std::string MemberKinds::first_noun(PageId page) {
  std::string bytes;
  if (!english_ || !store_.get(Family::kParagraph, storage::page_part_key(page, 0), bytes)) return {};
  for (const auto& paragraph : storage::decode_section_text(bytes).paragraphs) {
    if (paragraph.kind != storage::ParagraphKind::kParagraph || paragraph.text.empty()) continue;
    constexpr std::size_t kNear = 200;
    const auto text = std::string_view(paragraph.text).substr(0, 2 * kNear);
    std::size_t best = std::string_view::npos, after = 0;
    for (const std::string_view verb :
         {" is a ", " is an ", " is the ", " was a ", " was an ", " was the ", " are ", " were "}) {
      const auto at = text.find(verb);
      if (at < kNear && at < best) best = at, after = at + verb.size();
    }
    if (best == std::string_view::npos) return {};
    auto phrase = text.substr(after);
    phrase = phrase.substr(0, phrase.find_first_of(".,;:("));
    return subject_noun(splitter_, language_, phrase);
  }
  return {};
}

const MemberKinds::Kinds& MemberKinds::kinds_of(PageId page) {
  const auto [found, fresh] = known_.try_emplace(page);
  if (!fresh) return found->second;
  auto& kinds = found->second;
  std::string bytes;
  if (store_.get(Family::kAttribute, storage::page_key(page), bytes)) {
    for (const auto& category : titles_.categories(page, storage::decode_attributes(bytes).categories)) {
      const bool everywhere = sampled_ >= kFewPages &&
                              static_cast<double>(uses_[category.text]) > kEverywhere * static_cast<double>(sampled_);
      if (!everywhere) kinds.insert(std::string(kCategory) + category.text);
    }
  }
  if (auto noun = first_noun(page); !noun.empty()) kinds.insert(std::string(kNoun) + noun);
  return kinds;
}

/// Whether a category or the first sentence has one of the nouns.
bool MemberKinds::is_of(const std::vector<std::string>& nouns, const Kinds& kinds) {
  const bool stemmed = !corpus::stemmer_name(language_).empty();
  return std::any_of(kinds.begin(), kinds.end(), [&](const auto& kind) {
    const auto own = kind.starts_with(kCategory)
                         ? subject_nouns(splitter_, language_, std::string_view(kind).substr(kCategory.size()))
                         : std::vector<std::string>{kind.substr(kNoun.size())};
    return std::any_of(own.begin(), own.end(), [&](const auto& noun) {
      return std::any_of(nouns.begin(), nouns.end(),
                         [&](const auto& other) { return is_same_noun(noun, other, stemmed); });
    });
  });
}

/// Whether title and headings have no word of a column's header. A header such as "Name" says nothing and does not
/// count.
bool MemberKinds::is_unsaid(const Group& group, std::string_view listed) {
  if (!group.subject || listed.empty() || names_.found_in(group.column)) return false;
  const bool stemmed = !corpus::stemmer_name(language_).empty();
  auto said = std::string(listed);
  for (const auto& heading : group.section_path) said += " " + heading;
  const auto terms = splitter_.split(said);
  for (const auto& noun : subject_nouns(splitter_, language_, group.column)) {
    for (const auto& term : terms) {
      if (is_same_noun(term.stem, noun, stemmed)) return false;
    }
  }
  return true;
}

/// Discards a list of which some members, but less than half, are what its title says, while half of all are of a kind
/// that those are not of. Where no member is, categories and title may have different words for one thing.
/// Of a column whose header is not said, one member at least must be what title or header say.
/// \param common  the most common kind
bool MemberKinds::is_other_list(Group& group, std::string_view listed, const std::string& common) {
  auto nouns = subject_nouns(splitter_, language_, listed);
  const bool unsaid = is_unsaid(group, listed);
  if (unsaid) std::ranges::move(subject_nouns(splitter_, language_, group.column), std::back_inserter(nouns));
  if (nouns.empty()) return false;
  std::size_t known = 0, fitting = 0, of_common = 0, both = 0;
  for (const auto& member : group.members) {
    const auto& kinds = kinds_of(member.page);
    const bool fits = is_of(nouns, kinds), is_common = kinds.contains(common);
    known += kinds.empty() ? 0 : 1;
    fitting += fits ? 1 : 0;
    of_common += is_common ? 1 : 0;
    both += fits && is_common ? 1 : 0;
  }
  if ((fitting == 0 && !unsaid) || 2 * fitting >= known || 2 * of_common < known || 2 * both > fitting) return false;
  group.discarded = DiscardReason::kOtherKind;
  group.detail =
      fmt::format("{} of {} are what the list is of by their categories and first sentences", fitting, known);
  return true;
}

std::vector<std::string> MemberKinds::clean(Group& group, std::string_view listed) {
  std::map<std::string, std::size_t> members_of;
  std::size_t known = 0, with_category = 0;
  for (const auto& member : group.members) {
    const auto& kinds = kinds_of(member.page);
    known += kinds.empty() ? 0 : 1;
    with_category += !kinds.empty() && kinds.begin()->starts_with(kCategory) ? 1 : 0;  // these are the first
    for (const auto& kind : kinds) ++members_of[kind];
  }
  if (with_category < kLeastKnown) return {};
  std::pair<std::size_t, std::string> best;
  for (const auto& [kind, members] : members_of) best = std::max(best, {members, kind});
  const auto share = [&](std::size_t members) { return static_cast<double>(members) / static_cast<double>(known); };
  if (share(best.first) < kNoKind) {
    group.discarded = DiscardReason::kMixedKinds;
    group.detail = fmt::format("at most {} of {} share a category or a first noun", best.first, known);
    return {};
  }
  if (is_other_list(group, listed, best.second) || share(best.first) < kCommonKind) return {};
  std::vector<std::string> others;
  std::vector<GroupMember> kept;
  for (auto& member : group.members) {
    const auto& kinds = kinds_of(member.page);
    const bool fits = kinds.empty() || std::any_of(kinds.begin(), kinds.end(), [&](const auto& kind) {
                        return share(members_of.at(kind)) >= kOwnKind;
                      });
    if (fits)
      kept.push_back(std::move(member));
    else
      others.push_back(member.title);
  }
  if (static_cast<double>(others.size()) > kMostOthers * static_cast<double>(group.members.size())) {
    group.discarded = DiscardReason::kMixedKinds;
    group.detail = fmt::format("{} of {} are of other kinds than the rest", others.size(), group.members.size());
  }
  group.members = std::move(kept);
  return others;
}

}  // namespace touchstone::pipeline::evidence
