#include "pipeline/corpus/passage_survey.hpp"

#include "collection/health/damage.hpp"
#include "common/digest.hpp"
#include "common/files.hpp"
#include "common/records/sorter.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/near_duplicates/finder.hpp"
#include "pipeline/corpus/page_walk.hpp"
#include "pipeline/corpus/sentences.hpp"
#include "pipeline/flow/work_files.hpp"
#include "storage/keys.hpp"
#include "text/sentences.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::corpus {
namespace {

using storage::Family;

constexpr std::size_t kSentenceMemoryBytes = std::size_t{32} << 20;
constexpr std::size_t kSampleBytes = 160;
/// A list of links or a label on so many pages is of a box that leads through the wiki.
constexpr std::int64_t kBoxPages = 5;

std::string sample_of(std::string_view text) {
  if (text.size() <= kSampleBytes) return std::string(text);
  std::size_t end = kSampleBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "...";
}

/// Counts the pages of each sentence.
class SentenceCount {
 public:
  explicit SentenceCount(const std::filesystem::path& folder) : places_(folder, kSentenceMemoryBytes) {}

  /// \param hashes  distinct
  void add_page(PageId page, const std::vector<std::uint64_t>& hashes) {
    for (const auto hash : hashes) places_.add({hash, page.value});
    pages_ += hashes.empty() ? 0 : 1;
  }

  /// Those on more than `share` of the pages, and on `least` at least, with their numbers of pages.
  std::map<std::uint64_t, std::uint64_t> recurring(double share, std::int64_t least) {
    const double limit = share * static_cast<double>(pages_);
    std::map<std::uint64_t, std::uint64_t> found;
    std::uint64_t hash = 0, count = 0;
    const auto end = [&] {
      if (count >= static_cast<std::uint64_t>(least) && static_cast<double>(count) > limit) found.emplace(hash, count);
      count = 0;
    };
    while (const auto place = places_.next()) {
      if (place->hash != hash) end();
      hash = place->hash;
      ++count;
    }
    end();
    return found;
  }

 private:
  struct Place {
    std::uint64_t hash = 0;
    std::uint32_t page = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  records::Sorter<Place> places_;
  std::uint64_t pages_ = 0;
};

/// The distinct sentences of a page's text in the corpus's scope.
struct PageSentences {
  std::vector<std::uint64_t> all;    ///< ascending
  std::vector<std::uint64_t> links;  ///< those of link lists and labels, ascending
};

void sort_distinct(std::vector<std::uint64_t>& hashes) {
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
}

/// A few words that say nothing, as headings of boxes do: "Versions 0.1", "Go on with...".
bool is_label(std::string_view text) {
  if (text.ends_with("...")) text.remove_suffix(3);
  constexpr std::size_t kMostWords = 5;
  constexpr std::string_view kEnds[] = {".", "!", "?", ":", "。"};
  const bool ends = std::any_of(std::begin(kEnds), std::end(kEnds), [&](auto mark) { return text.ends_with(mark); });
  return !ends && text.find(". ") == std::string_view::npos && text.find(':') == std::string_view::npos &&
         text::count_words(text) <= kMostWords;
}

/// What boxes that lead through a wiki consist of.
bool is_part_of_box(const storage::ParagraphRecord& paragraph) {
  if (is_label(paragraph.text)) return true;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
  for (const auto& link : paragraph.links) links.emplace_back(link.begin, link.end);
  return collection::health::find_damage(paragraph.text, links) == collection::health::TextDamage::kLinkList;
}

PageSentences sentences_of(const storage::Store& store, const PassagesOptions& options, PageId page) {
  PageSentences found;
  std::string bytes;
  if (!store.get(Family::kOutline, storage::page_key(page), bytes)) return found;
  const auto outline = storage::decode_outline(bytes);
  const auto scope = sections_in_scope(store, options, page, outline);
  for (std::uint32_t i = scope.first; i < scope.end; ++i) {
    if (outline.sections[i].paragraph_count == 0 ||
        !store.get(Family::kParagraph, storage::page_part_key(page, i), bytes))
      continue;
    for (const auto& paragraph : storage::decode_section_text(bytes).paragraphs) {
      if (paragraph.kind == storage::ParagraphKind::kNote) continue;
      if (paragraph.kind == storage::ParagraphKind::kListItem && !options.include_lists) continue;
      const bool links = is_part_of_box(paragraph);
      text::for_each_sentence(paragraph.text, [&](std::string_view text) {
        found.all.push_back(sentence_hash(text));
        if (links) found.links.push_back(found.all.back());
      });
    }
  }
  sort_distinct(found.all);
  sort_distinct(found.links);
  return found;
}

/// What a near repeat must have in common with the passage that stands for it.
std::uint64_t facts_of(const Passage& passage, const std::vector<PageId>& targets, std::string_view title) {
  std::vector<std::uint32_t> pages;
  for (const auto& link : passage.links) pages.push_back(link.target < targets.size() ? targets[link.target].value : 0);
  std::sort(pages.begin(), pages.end());
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  std::string facts;
  for (const auto page : pages) facts += fmt::format("{} ", page);
  for (std::size_t i = 0; i < passage.text.size(); ++i) {
    const bool digit = passage.text[i] >= '0' && passage.text[i] <= '9';
    if (digit) facts.push_back(passage.text[i]);
    if (!digit && !facts.empty() && facts.back() != ' ') facts.push_back(' ');
  }
  // Pages whose titles differ in brackets only have the same name in their texts.
  const std::string_view name = title.substr(0, title.find(" ("));
  if (passage.text.find(name) != std::string::npos) facts.append(title);
  return xxh3_64(facts);
}

/// A passage as the search for repeats keeps it.
struct Seen {
  PassagePlace place;
  std::uint64_t text = 0, facts = 0;
};

struct Examined {
  PageId page;
  std::vector<std::pair<Seen, std::string>> passages;
  std::vector<std::pair<PassageReject, std::string>> left_out;
};

class Survey {
 public:
  Survey(flow::WriteContext& context, const PassagesOptions& options, std::string wiki, flow::StageReport& report)
      : context_(context), options_(options), wiki_(std::move(wiki)), report_(report) {}

  std::shared_ptr<const PassageFindings> run() {
    find_boilerplate();
    auto copies = find_copies();
    write_boilerplate();
    write_copies(copies);
    return std::make_shared<const PassageFindings>(boilerplate(), std::move(copies));
  }

 private:
  void find_boilerplate() {
    if (options_.boilerplate_share >= 1) return;
    SentenceCount count(context_.scratch()), boxes(context_.scratch());
    using Found = std::pair<PageId, PageSentences>;
    walk_pages<Found>(
        context_,
        [&](PageId id, const storage::PageRecord& record) {
          return Found{id, record.is_article() ? sentences_of(context_.store, options_, id) : PageSentences{}};
        },
        [&](const Found& found) {
          count.add_page(found.first, found.second.all);
          boxes.add_page(found.first, found.second.links);
        });
    recurring_ = count.recurring(options_.boilerplate_share, options_.boilerplate_pages);
    recurring_.merge(boxes.recurring(0, kBoxPages));
  }

  Boilerplate boilerplate() const {
    Boilerplate hashes;
    for (const auto& [hash, pages] : recurring_) hashes.insert(hash);
    return hashes;
  }

  Examined examine(const PassageComposer& composer, PageId id, const storage::PageRecord& record) const {
    Examined examined;
    examined.page = id;
    if (!record.is_article()) return examined;
    const LeftOut left_out = [&](PassageReject reason, std::string_view text) {
      const std::size_t most = reason == PassageReject::kBoilerplate ? std::string_view::npos : kSampleBytes;
      examined.left_out.emplace_back(reason, text.size() > most ? sample_of(text) : std::string(text));
    };
    auto passages = composer.passages(id, left_out);
    if (passages.empty()) return examined;
    std::string bytes;
    std::vector<PageId> targets;
    if (context_.store.get(Family::kLinkTarget, storage::page_key(id), bytes))
      targets = storage::decode_link_targets(bytes).pages;
    for (auto& passage : passages) {
      const Seen seen = {{id, passage.ordinal}, xxh3_64(passage.text), facts_of(passage, targets, record.title.text)};
      examined.passages.emplace_back(seen, std::move(passage.text));
    }
    return examined;
  }

  std::vector<PassageCopy> find_copies() {
    const PassageComposer composer(context_.store, options_, wiki_,
                                   std::make_shared<const PassageFindings>(boilerplate(), std::vector<PassageCopy>{}));
    near_duplicates::NearDuplicatesOptions chosen;
    chosen.enabled = options_.repeats != Repeats::kKeep;
    chosen.threshold = options_.repeats == Repeats::kExact ? 1 : options_.repeat_threshold;
    near_duplicates::Finder finder(chosen, context_.scratch());
    std::vector<Seen> seen;
    walk_pages<Examined>(
        context_, [&](PageId id, const storage::PageRecord& record) { return examine(composer, id, record); },
        [&](Examined examined) {
          for (const auto& [reason, text] : examined.left_out) note(reason, text);
          for (const auto& [passage, text] : examined.passages) {
            seen.push_back(passage);
            finder.add(composer.docid(passage.place.page, passage.place.ordinal), text);
          }
        });
    report_.counts["texts that are passages"] = seen.size();
    const auto groups = finder.finish(context_.threads, context_.stop);
    std::vector<PassageCopy> copies;
    // A group may hold several texts that are no copies of its first one; those with equal texts are copies of each
    // other all the same.
    std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> first_with_text;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const std::size_t group = groups.representative(i);
      const auto first = first_with(first_with_text, group, seen, i);
      std::size_t representative = first;
      const bool exact = representative != i;
      const bool folds = options_.repeats == Repeats::kSimilar ||
                         (options_.repeats == Repeats::kNear && seen[group].facts == seen[i].facts);
      if (!exact && group != i && folds) representative = group;
      if (representative == i) continue;
      // The first one with this text may itself be nearly the same as the one that stands for the group.
      const bool folded = exact && near_.contains(representative);
      copies.push_back({seen[i].place, seen[folded ? group : representative].place, exact && !folded});
      if (!exact) near_.insert(i);
      const auto docid = make_docid(wiki_, seen[i].place.page, seen[i].place.ordinal);
      const auto other = make_docid(wiki_, copies.back().representative.page, copies.back().representative.ordinal);
      report_.reject(copies.back().exact ? PassageReject::kExactRepeat : PassageReject::kNearRepeat,
                     docid + " of " + other);
    }
    if (groups.statistics().uncertain > 0) {
      report_.warnings.push_back(std::to_string(groups.statistics().uncertain) +
                                 " passages were compared with a part of their candidates only, because too many are "
                                 "alike; near repeats of them may be left");
    }
    return copies;
  }

  static std::size_t first_with(std::map<std::pair<std::size_t, std::uint64_t>, std::size_t>& known, std::size_t group,
                                const std::vector<Seen>& seen, std::size_t i) {
    if (seen[group].text == seen[i].text) return group;
    return known.try_emplace({group, seen[i].text}, i).first->second;
  }

  void note(PassageReject reason, const std::string& text) {
    report_.reject(reason, sample_of(text));
    if (reason != PassageReject::kBoilerplate) return;
    const auto hash = sentence_hash(text);
    if (texts_.size() < recurring_.size()) texts_.try_emplace(hash, sample_of(text));
  }

  void write_boilerplate() {
    std::vector<std::tuple<std::uint64_t, std::uint64_t>> sorted;
    for (const auto& [hash, pages] : recurring_) sorted.emplace_back(~pages, hash);
    std::sort(sorted.begin(), sorted.end());
    TextWriter out(context_.output(kBoilerplateFile));
    for (const auto& [inverse, hash] : sorted) {
      std::string text = texts_[hash];
      std::replace_if(
          text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
      out.write(fmt::format("{:016x}\t{}\t{}\n", hash, ~inverse, text));
    }
    out.finish();
    if (!recurring_.empty()) report_.counts["sentences that are boilerplate"] = recurring_.size();
  }

  void write_copies(const std::vector<PassageCopy>& copies) const {
    TextWriter out(context_.output(kCopiesFile));
    for (const auto& copy : copies) {
      out.write(fmt::format("{}\t{}\t{}\n", make_docid(wiki_, copy.place.page, copy.place.ordinal),
                            make_docid(wiki_, copy.representative.page, copy.representative.ordinal),
                            copy.exact ? "exact" : "near"));
    }
    out.finish();
  }

  flow::WriteContext& context_;
  const PassagesOptions& options_;
  std::string wiki_;
  flow::StageReport& report_;
  std::map<std::uint64_t, std::uint64_t> recurring_;
  std::unordered_map<std::uint64_t, std::string> texts_;
  std::unordered_set<std::size_t> near_;  ///< passages that are copies though their text differs
};

}  // namespace

std::shared_ptr<const PassageFindings> survey_passages(flow::WriteContext& context, const PassagesOptions& options,
                                                       const std::string& wiki, flow::StageReport& report) {
  return Survey(context, options, wiki, report).run();
}

}  // namespace touchstone::pipeline::corpus
