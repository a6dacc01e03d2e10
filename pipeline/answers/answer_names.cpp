#include "pipeline/answers/answer_names.hpp"

#include "common/unicode.hpp"
#include "text/folded_text.hpp"

#include <algorithm>

namespace touchstone::pipeline::answers {

using evidence::mentions::MemberNames;
using evidence::mentions::NameFlaw;

namespace {

/// Two beginnings with one digest do no harm: a name that no text holds is kept.
std::uint64_t longer_digest(std::uint64_t digest, char32_t letter) noexcept {
  constexpr std::uint64_t kOddFactor = 0x9e3779b97f4a7c15U;
  return (digest + letter + 1) * kOddFactor;
}

}  // namespace

void NameBeginnings::add(std::u32string_view folded) {
  for (std::size_t at = 0; at < folded.size(); ++at) {
    std::uint64_t digest = 0;
    for (const auto letter : folded.substr(at, kLength)) found_.insert(digest = longer_digest(digest, letter));
  }
}

bool NameBeginnings::may_hold(std::u32string_view folded_name) const {
  std::uint64_t digest = 0;
  for (const auto letter : folded_name.substr(0, kLength)) digest = longer_digest(digest, letter);
  return found_.contains(digest);
}

bool AnswerNames::add(PageId page, std::string_view title, bool is_member) {
  bool taken = add_name(page, title, is_member);
  if (const auto base = evidence::mentions::without_qualifier(title); base != title)
    taken |= add_name(page, base, is_member);
  return taken;
}

bool AnswerNames::add_name(PageId page, std::string_view name, bool is_member) {
  text::FoldedText text(nfc(name));
  const auto known = names_.find(text.folded);
  if (known != names_.end()) {
    known->second.ambiguous |= known->second.page != page;
    return true;
  }
  if (!is_member && !texts_.may_hold(text.folded)) return false;
  if (filter_.flaw_of(name) != NameFlaw::kNone) return false;
  names_.emplace(std::move(text.folded), Entry{std::move(text.letters), page, false});
  return true;
}

std::unordered_set<PageId> AnswerNames::named_pages() const {
  std::unordered_set<PageId> pages;
  for (const auto& [name, entry] : names_) {
    if (!entry.ambiguous) pages.insert(entry.page);
  }
  return pages;
}

evidence::mentions::MentionSearch AnswerNames::search(std::string_view language) const {
  MemberNames found;
  for (const auto& [name, entry] : names_) {
    if (!texts_.may_hold(name)) continue;
    // An ambiguous name tells no page, and hides the shorter names within it.
    const bool tells = !entry.ambiguous;
    found.names.push_back({name, tells ? entry.letters : std::u32string(), tells ? entry.page : PageId{0}});
  }
  return {std::move(found), language, evidence::mentions::WordBefore::kSaysNothing};
}

}  // namespace touchstone::pipeline::answers
