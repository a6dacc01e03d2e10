#include "pipeline/evidence/mentions/anchor_census.hpp"

#include "common/unicode.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"
#include "text/folded_text.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace touchstone::pipeline::evidence::mentions {
namespace {

using storage::Family;

constexpr std::uint64_t kLinksForOneElsewhere = 4;

/// Calls `use(text, target)` for the links of a page's paragraphs.
template <class Use>
void for_each_anchor(const storage::Store& store, PageId page, const Use& use) {
  std::string bytes;
  if (!store.get(Family::kOutline, storage::page_key(page), bytes)) return;
  const auto outline = storage::decode_outline(bytes);
  for (std::uint32_t i = 0; i < outline.sections.size(); ++i) {
    if (outline.sections[i].paragraph_count == 0 ||
        !store.get(Family::kParagraph, storage::page_part_key(page, i), bytes))
      continue;
    for (const auto& paragraph : storage::decode_section_text(bytes).paragraphs) {
      ByteCounter counter(paragraph.text);
      std::uint32_t asked = 0;
      for (const auto& link : paragraph.links) {
        if (link.begin < asked) counter = ByteCounter(paragraph.text);
        asked = link.end;
        const auto begin = counter.at_code_point(link.begin), end = counter.at_code_point(link.end);
        use(std::string_view(paragraph.text).substr(begin, end - begin), link.target);
      }
    }
  }
}

}  // namespace

std::vector<AnchorCensus::Use> AnchorCensus::uses(const storage::Store& store, PageId page) const {
  std::vector<Use> found;
  std::string bytes;
  if (names_.names.empty() || !store.get(Family::kLinkTarget, storage::page_key(page), bytes)) return found;
  const auto targets = storage::decode_link_targets(bytes).pages;
  for_each_anchor(store, page, [&](std::string_view text, std::uint32_t target) {
    const text::FoldedText anchor(text);
    const auto name = std::lower_bound(names_.names.begin(), names_.names.end(), anchor.folded,
                                       [](const Name& a, const std::u32string& b) { return a.folded < b; });
    if (name == names_.names.end() || name->folded != anchor.folded || name->member.value == 0) return;
    found.push_back({static_cast<std::uint32_t>(name - names_.names.begin()),
                     target >= targets.size() || targets[target] != name->member});
  });
  return found;
}

void AnchorCensus::add(const std::vector<Use>& uses) {
  for (const auto& [name, elsewhere] : uses) ++(elsewhere ? counts_[name].elsewhere : counts_[name].to_member);
}

void AnchorCensus::leave_out_ambiguous(MemberNames& names) const {
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const std::uint64_t elsewhere = counts_[i].elsewhere, all = elsewhere + counts_[i].to_member;
    if (elsewhere == 0 || elsewhere * kLinksForOneElsewhere < all) continue;
    // It stays as a longer title: shorter names within it are not mentions either.
    names.names[i].member = PageId{0};
    names.names[i].letters.clear();
    --names.counts.names;
    ++names.counts.linked_elsewhere;
  }
}

}  // namespace touchstone::pipeline::evidence::mentions
