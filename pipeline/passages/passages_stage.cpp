#include "common/digest.hpp"
#include "common/files.hpp"
#include "common/records/sorter.hpp"
#include "common/stop.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/page_walk.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/passages/boilerplate.hpp"
#include "pipeline/passages/near_duplicates/finder.hpp"
#include "pipeline/passages/passage_composer.hpp"
#include "pipeline/passages/passage_corpus.hpp"
#include "pipeline/passages/sentences.hpp"
#include "pipeline/passages/stages.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::passages {
namespace {

using flow::ReadContext;
using flow::StageReport;
using flow::WriteContext;
using storage::Family;

constexpr std::string_view kPassagesPart = "passages";
constexpr std::string_view kBlocksPart = "blocks";
constexpr std::string_view kLeftOutPart = "left_out";

/// Texts of a cut that are not passages for one reason.
struct LeftOutTexts {
  PassageReject reason{};
  std::uint64_t count = 0;
  std::vector<std::string> samples;

  template <class Fields>
  void fields(Fields& field) {
    field("reason", reason)("count", count)("samples", samples);
  }
};

/// What a near repeat must have in common with the passage that represents it.
std::uint64_t facts_of(const Passage& passage, std::string_view title) {
  std::vector<PageId> pages;
  for (const auto& link : passage.links) pages.push_back(link.page);
  std::sort(pages.begin(), pages.end());
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  std::string facts;
  for (const auto page : pages) facts += fmt::format("{} ", page.value);
  for (const char c : passage.text) {
    const bool digit = c >= '0' && c <= '9';
    if (digit) facts.push_back(c);
    if (!digit && !facts.empty() && facts.back() != ' ') facts.push_back(' ');
  }
  // Pages whose titles differ in brackets only have the same name in their texts.
  const std::string_view name = title.substr(0, title.find(" ("));
  if (passage.text.find(name) != std::string::npos) facts.append(title);
  return xxh3_64(facts);
}

/// Finds the passages that repeat others. They are found as in automatic collections (near_duplicates/finder.hpp), in
/// the order of docids; the first of a group represents it. A passage with exactly the text of one before it is its
/// repeat. One that is nearly the same is a repeat only if both link to the same pages, hold the same numbers, and, if
/// one names its own page, are of that page: texts of one pattern about different things are not repeats.
///
/// Memory: that of the option `passages.memory_bytes` for the finder, and half of it for the passages, of which 40
/// bytes each are in a file.
class CopySearch {
 public:
  CopySearch(const PassagesOptions& options, const std::filesystem::path& scratch)
      : repeats_(options.repeats),
        scratch_(scratch),
        memory_bytes_(static_cast<std::size_t>(options.memory_bytes)),
        finder_(finder_options(options), scratch),
        seen_(scratch, memory_bytes_ / 2) {}

  void add(const PagePassages& article, std::string_view wiki) {
    for (const auto& passage : article.passages) {
      const PassagePlace place{article.page, passage.ordinal};
      seen_.push_back({place, 0, xxh3_64(passage.text), facts_of(passage, article.title), false});
      finder_.add(corpus::make_docid(wiki, article.page, passage.ordinal), passage.text);
    }
  }

  /// Calls `repeat` for the repeats, in the order of their places.
  template <class Repeat>
  void finish(const WriteContext& context, StageReport& report, const Repeat& repeat) {
    report.counts["texts that are passages"] = seen_.size();
    const auto groups = finder_.finish(context.threads, context.stop);
    find_equal_texts(groups);
    for (std::uint32_t i = 0; i < seen_.size(); ++i) {
      const std::size_t group = groups.representative(i);
      std::size_t representative = seen_[i].first_with_text;
      const bool exact = representative != i;
      const bool folds =
          repeats_ == Repeats::kSimilar || (repeats_ == Repeats::kNear && seen_[group].facts == seen_[i].facts);
      if (!exact && group != i && folds) representative = group;
      if (representative == i) continue;
      // The first one with this text may itself be nearly the same as the one that represents the group.
      const bool folded = exact && seen_[representative].is_near;
      repeat(PassageRepeat{seen_[i].place, seen_[folded ? group : representative].place, exact && !folded});
      if (!exact) seen_[i].is_near = true;
    }
    if (groups.statistics().uncertain > 0) {
      report.warnings.push_back(std::to_string(groups.statistics().uncertain) +
                                " passages were compared with a part of their candidates only, because too many are "
                                "alike; near repeats of them may be left");
    }
  }

 private:
  struct Seen {
    PassagePlace place;
    std::uint32_t first_with_text = 0;  ///< the first passage of its group that has the same text
    std::uint64_t text = 0, facts = 0;  ///< digests
    bool is_near = false;               ///< a repeat, though its text differs
  };
  /// A passage whose text differs from that of the one that represents its group.
  struct OtherText {
    std::uint32_t group = 0;
    std::uint64_t text = 0;
    std::uint32_t passage = 0;

    friend auto operator<=>(const OtherText&, const OtherText&) = default;
  };

  static near_duplicates::NearDuplicatesOptions finder_options(const PassagesOptions& options) {
    near_duplicates::NearDuplicatesOptions chosen;
    chosen.enabled = options.repeats != Repeats::kKeep;
    chosen.threshold = options.repeats == Repeats::kExact ? 1 : options.repeat_threshold;
    chosen.memory_bytes = options.memory_bytes;
    return chosen;
  }

  /// A group may hold several texts that are not repeats of its first one; those with equal texts are repeats of each
  /// other all the same.
  void find_equal_texts(const near_duplicates::Groups& groups) {
    records::Sorter<OtherText> others(scratch_, memory_bytes_ / 4);
    for (std::uint32_t i = 0; i < seen_.size(); ++i) {
      const auto group = static_cast<std::uint32_t>(groups.representative(i));
      seen_[i].first_with_text = group;
      if (seen_[group].text != seen_[i].text) others.add({group, seen_[i].text, i});
    }
    std::optional<OtherText> first;
    while (const auto next = others.next()) {
      if (!first || first->group != next->group || first->text != next->text) first = next;
      seen_[next->passage].first_with_text = first->passage;
    }
  }

  Repeats repeats_;
  std::filesystem::path scratch_;
  std::size_t memory_bytes_;
  near_duplicates::Finder finder_;
  near_duplicates::GrowingArray<Seen> seen_;
};

class PassagesStage : public flow::Stage {
 public:
  flow::Cuts plan(const ReadContext& context) override { return corpus::page_cuts(context.store); }

  void open(const ReadContext& context) override {
    composer_.emplace(context.store, context.options<PassagesOptions>(),
                      read_boilerplate(context.input(kBoilerplateFile)));
  }

  void map(const ReadContext& context, const flow::Cut& cut, const flow::PartWriter& parts) const override {
    auto articles = parts.records<PagePassages>(kPassagesPart);
    auto blocks = parts.records<PassageBlock>(kBlocksPart);
    std::map<PassageReject, LeftOutTexts> left_out;
    std::uint64_t block = 0;  // no block begins there
    corpus::for_each_page(context, cut, [&](PageId id, const storage::PageRecord& record) {
      if (!record.is_article()) return;
      const auto article = compose(context.store, id, record, left_out);
      const auto begin = articles.add(article);
      if (begin != block) blocks.add({id, 0, begin});
      block = begin;
      context.progress.records += article.passages.size();
    });
    articles.finish();
    blocks.finish();
    auto texts = parts.records<LeftOutTexts>(kLeftOutPart);
    for (const auto& [reason, of_reason] : left_out) texts.add(of_reason);
    texts.finish();
  }

  StageReport merge(WriteContext& context, const flow::Parts& parts) override {
    StageReport report;
    parts.for_each<LeftOutTexts>(kLeftOutPart, [&](const LeftOutTexts& texts) {
      report.add(describe(texts.reason), {}, texts.samples, texts.count);
    });
    const auto wiki =
        corpus::wiki_name(context.options<corpus::NameOptions>(), corpus::TitleIndex(context.store).site());
    CopySearch search(context.options<PassagesOptions>(), context.scratch());
    parts.for_each<PagePassages>(kPassagesPart, [&](const PagePassages& article) {
      context.stop.check();
      search.add(article, wiki);
    });
    records::RecordFile<PassageRepeat>::Writer repeats(context.output(kRepeatsFile));
    search.finish(context, report, [&](const PassageRepeat& repeat) {
      const auto docid = corpus::make_docid(wiki, repeat.place.page, repeat.place.ordinal);
      const auto other = corpus::make_docid(wiki, repeat.representative.page, repeat.representative.ordinal);
      report.reject(repeat.exact ? PassageReject::kExactRepeat : PassageReject::kNearRepeat, docid + " of " + other);
      repeats.add(repeat);
    });
    repeats.finish();
    records::RecordFile<PassageBlock>::Writer index(context.output(kPassageIndexFile));
    for (std::uint32_t cut = 0; cut < parts.cuts(); ++cut) {
      records::RecordFile<PassageBlock>::for_each(parts.path(cut, kBlocksPart), [&](PassageBlock block) {
        block.part = cut;
        index.add(block);
      });
    }
    kill_point("passages.before_finish");
    index.finish();
    parts.keep(kPassagesPart, context.output(kPassagesFolder));
    return report;
  }

 private:
  PagePassages compose(const storage::Store& store, PageId id, const storage::PageRecord& record,
                       std::map<PassageReject, LeftOutTexts>& left_out) const {
    PagePassages article{id, record.title.text, record.revision, {}};
    article.passages = composer_->passages(id, [&](PassageReject reason, std::string_view text) {
      auto& texts = left_out.try_emplace(reason, LeftOutTexts{reason, 0, {}}).first->second;
      ++texts.count;
      if (texts.samples.size() < flow::kSamplesPerReason) texts.samples.push_back(beginning_of(text));
    });
    std::string bytes;
    if (article.passages.empty() || !store.get(Family::kLinkTarget, storage::page_key(id), bytes)) return article;
    const auto targets = storage::decode_link_targets(bytes).pages;
    for (auto& passage : article.passages) {
      for (auto& link : passage.links) link.page = link.target < targets.size() ? targets[link.target] : PageId{};
    }
    return article;
  }

  std::optional<PassageComposer> composer_;
};

}  // namespace

flow::StageInfo passages_stage() {
  return {
      .name = "passages",
      .summary = "Compose the passages of all articles, and find those that repeat others",
      .inputs = {flow::file(kBoilerplateFile), flow::meta(storage::kMetaSite), flow::family(Family::kPage),
                 flow::family(Family::kOutline), flow::family(Family::kParagraph), flow::family(Family::kLinkTarget)},
      .outputs = passage_artifacts(),
      .options = {flow::reads<corpus::NameOptions>(), flow::reads<PassagesOptions>()},
      .progress_unit = "pages",
      .progress_records = "passages",
      .make = flow::make_stage<PassagesStage>,
      .is_cut = true};
}

}  // namespace touchstone::pipeline::passages
