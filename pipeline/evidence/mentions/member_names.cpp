#include "pipeline/evidence/mentions/member_names.hpp"

#include "common/unicode.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/mentions/name_automaton.hpp"
#include "pipeline/headings/title_text.hpp"
#include "storage/keys.hpp"
#include "text/characters.hpp"
#include "text/folded_text.hpp"
#include "text/terms.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace touchstone::pipeline::evidence::mentions {
namespace {

using storage::Family;

class NameCollection {
 public:
  NameCollection(const storage::Store& store, const corpus::TitleIndex& titles, std::string_view language,
                 const StopFlag& stop, std::size_t most_letters)
      : store_(store), titles_(titles), filter_(language), stop_(stop), most_letters_(most_letters) {}

  MemberNames collect(std::span<const PageId> members) {
    for (const auto member : members) {
      stop_.check();
      add_member(member);
    }
    for (const auto member : members) add_other_names(member);
    if (!names_.empty()) compare_titles();
    MemberNames result;
    std::erase_if(longer_, [&](const auto& title) {
      const auto name = names_.find(title);
      return name != names_.end() && !name->second.ambiguous;
    });
    counts_.longer_titles = longer_.size();
    while (!names_.empty()) {
      auto name = names_.extract(names_.begin());
      ++(name.mapped().ambiguous ? counts_.ambiguous : counts_.names);
      if (name.mapped().ambiguous) continue;
      result.names.push_back({std::move(name.key()), std::move(name.mapped().letters), name.mapped().member});
    }
    while (!longer_.empty())
      result.names.push_back({std::move(longer_.extract(longer_.begin()).value()), {}, PageId{0}});
    std::sort(result.names.begin(), result.names.end(),
              [](const Name& a, const Name& b) { return a.folded < b.folded; });
    result.counts = counts_;
    return result;
  }

 private:
  struct Entry {
    std::u32string letters;
    PageId member;
    bool of_item = false;  ///< a name of its Wikidata item, and no title
    bool ambiguous = false;
  };

  void add_member(PageId member) {
    const auto record = titles_.page(member);
    if (!record || record->is_disambiguation) return;
    add_title(record->title.text, member);
    for (const auto& redirect : titles_.redirects_to(member, false)) {
      if (redirect.ns == kNamespaceMain) add_title(redirect.text, member);
    }
  }

  /// Names from Wikidata and from other languages are not distinct as titles are: "Paris" is a label of many towns. So
  /// a title is the name of its page whatever items are called.
  void add_other_names(PageId member) {
    const auto record = titles_.page(member);
    if (!record || record->is_disambiguation) return;
    for (const auto& name : titles_.other_names(member)) add_name(name, member, true);
  }

  void add_title(std::string_view title, PageId member) {
    add_name(title, member);
    if (const auto base = without_qualifier(title); base != title) add_name(base, member);
  }

  void add_name(std::string_view title, PageId member, bool of_item = false) {
    const auto flaw = filter_.flaw_of(title);
    if (flaw != NameFlaw::kNone) {
      ++(flaw == NameFlaw::kCommon ? counts_.common : counts_.too_short);
      return;
    }
    text::FoldedText text(nfc(title));
    const auto known = names_.find(text.folded);
    if (known != names_.end()) {
      if (!of_item || known->second.of_item) known->second.ambiguous |= known->second.member != member;
      return;
    }
    if (!has_room(text)) return;
    names_.emplace(std::move(text.folded), Entry{std::move(text.letters), member, of_item, false});
  }

  bool has_room(const text::FoldedText& text) {
    if (letters_ + text.folded.size() > most_letters_) {
      ++counts_.beyond_limit;
      return false;
    }
    letters_ += text.folded.size();
    return true;
  }

  /// Finds out which names are those of other pages as well, and which longer titles hold one.
  void compare_titles() {
    std::vector<std::u32string_view> sorted;
    std::vector<Entry*> entries;
    for (auto& [folded, entry] : names_) {
      sorted.push_back(folded);
      entries.push_back(&entry);
    }
    const NameAutomaton automaton(sorted);
    auto cursor = store_.cursor(Family::kTitle);
    for (cursor.seek(storage::title_key(kNamespaceMain, "")); cursor.valid(); cursor.next()) {
      const auto key = storage::read_title_key(cursor.key());
      if (!key || key->ns != kNamespaceMain) break;
      stop_.check();
      compare_title(automaton, entries, key->text);
    }
  }

  void compare_title(const NameAutomaton& automaton, const std::vector<Entry*>& entries, std::string_view title) {
    const text::FoldedText text(title);
    const text::FoldedText base(without_qualifier(title));
    const auto base_length = static_cast<std::uint32_t>(base.letters.size());
    text::WordBounds bounds(text.letters);
    std::vector<Entry*> whole, within;
    automaton.find(text.folded, [&](const NameAutomaton::Match& match) {
      auto* entry = entries[match.name];
      if (match.begin == 0 && (match.end == text.folded.size() || match.end == base_length)) {
        whole.push_back(entry);
      } else if (match.end <= base_length && bounds.encloses(match.begin, match.end)) {
        within.push_back(entry);
      }
    });
    if (whole.empty() && within.empty()) return;
    const auto page = titles_.resolve({kNamespaceMain, std::string(title)});
    for (auto* entry : whole) entry->ambiguous |= page && page->id != entry->member;
    const bool of_another = std::any_of(within.begin(), within.end(),
                                        [&](const auto* entry) { return !page || page->id != entry->member; });
    if (of_another && !longer_.contains(base.folded) && has_room(base)) longer_.insert(base.folded);
  }

  const storage::Store& store_;
  const corpus::TitleIndex& titles_;
  NameFilter filter_;
  const StopFlag& stop_;
  std::size_t most_letters_, letters_ = 0;
  std::map<std::u32string, Entry> names_;
  std::set<std::u32string> longer_;
  NameCounts counts_;
};

}  // namespace

MemberNames MemberNames::collect(const storage::Store& store, const corpus::TitleIndex& titles,
                                 std::span<const PageId> members, std::string_view language, const StopFlag& stop,
                                 std::size_t most_letters) {
  return NameCollection(store, titles, language, stop, most_letters).collect(members);
}

NameFilter::NameFilter(std::string_view language) : splitter_(corpus::stemmer_name(language)) {}

NameFlaw NameFilter::flaw_of(std::string_view name) {
  constexpr std::size_t kLeastLetters = 4;
  if (headings::count_letters(name) < kLeastLetters) return NameFlaw::kTooShort;
  const text::FoldedText text(name);
  if (text.letters.size() < 3 && std::all_of(text.letters.begin(), text.letters.end(),
                                             [](char32_t c) { return text::script_of(c) == USCRIPT_HIRAGANA; }))
    return NameFlaw::kTooShort;
  const auto terms = splitter_.split(name);
  const bool common =
      std::all_of(terms.begin(), terms.end(), [&](const auto& term) { return splitter_.is_stop_word(term.stem); });
  return common ? NameFlaw::kCommon : NameFlaw::kNone;
}

std::string_view without_qualifier(std::string_view title) noexcept {
  // "Amber (light)", and in Chinese and Japanese without a blank or with wide brackets.
  constexpr std::string_view kWideOpen = "（", kWideClose = "）";
  const bool wide = title.ends_with(kWideClose);
  if (!wide && !title.ends_with(')')) return title;
  const auto open = wide ? title.rfind(kWideOpen) : title.rfind(" (");
  return open == std::string_view::npos || open == 0 ? title : title.substr(0, open);
}

}  // namespace touchstone::pipeline::evidence::mentions
