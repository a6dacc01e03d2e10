#include "common/digest.hpp"
#include "common/files.hpp"
#include "common/records/sorter.hpp"
#include "common/stop.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/page_inputs.hpp"
#include "pipeline/corpus/page_walk.hpp"
#include "pipeline/corpus/previous_work.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/passages/boilerplate.hpp"
#include "pipeline/passages/composed_pages.hpp"
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
constexpr std::string_view kComposedPart = "composed";
constexpr std::string_view kLeftOutPart = "left_out";

/// Raised when the same page gives other passages.
constexpr int kComposedVersion = 1;

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
    const auto& options = context.options<PassagesOptions>();
    boilerplate_ = read_boilerplate(context.input(kBoilerplateFile));
    composer_.emplace(context.store, options, boilerplate_);
    const OptionGroup* const groups[] = {&option_group<PassagesOptions>()};
    Settings settings(groups);
    settings.edit<PassagesOptions>() = options;
    inputs_.emplace(context.store, fmt::format("composed {}\n{}", kComposedVersion, settings.fingerprint(groups)));
    const auto& previous = context.options<corpus::PreviousOptions>().work;
    if (!previous.empty() && corpus::previous_is_done(previous, "passages")) before_.emplace(previous, boilerplate_);
  }

  void map(const ReadContext& context, const flow::Cut& cut, const flow::PartWriter& parts) const override {
    auto articles = parts.records<PagePassages>(kPassagesPart);
    auto composed = parts.records<ComposedPage>(kComposedPart);
    auto blocks = parts.records<PassageBlock>(kBlocksPart);
    std::map<PassageReject, LeftOutTexts> left_out;
    std::uint64_t block = 0;  // no block begins there
    corpus::PageInputs::Walk all_inputs(*inputs_);
    auto link_targets = context.store.cursor(Family::kLinkTarget);
    link_targets.seek(storage::page_key(PageId{static_cast<std::uint32_t>(cut.first)}));
    std::optional<ComposedBefore::Walk> before;
    if (before_) before.emplace(*before_);
    corpus::for_each_page(context, cut, [&](PageId id, const storage::PageRecord& record) {
      if (!record.is_article()) return;
      const auto inputs = all_inputs.of(id);
      auto found = before ? before->find(id, inputs) : std::nullopt;
      if (!found) found = compose(id, record, inputs);
      auto& [how, article] = *found;
      set_pages_of_links(link_targets, article);
      for (const auto& texts : how.left_out) add(texts, left_out);
      composed.add(how);
      const auto begin = articles.add(article);
      if (begin != block) blocks.add({id, 0, begin});
      block = begin;
      context.progress.records += article.passages.size();
    });
    articles.finish();
    composed.finish();
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
    parts.keep(kComposedPart, context.output(kComposedFolder));
    return report;
  }

 private:
  /// Adds texts that were left out of a page to those of the cut.
  static void add(const LeftOutTexts& of_page, std::map<PassageReject, LeftOutTexts>& left_out) {
    auto& texts = left_out.try_emplace(of_page.reason, LeftOutTexts{of_page.reason, 0, {}}).first->second;
    texts.count += of_page.count;
    for (const auto& sample : of_page.samples) {
      if (texts.samples.size() < flow::kSamplesPerReason) texts.samples.push_back(sample);
    }
  }

  std::pair<ComposedPage, PagePassages> compose(PageId id, const storage::PageRecord& record,
                                                const Digest128& inputs) const {
    ComposedPage how{id, inputs, {}, {}};
    std::map<PassageReject, LeftOutTexts> left_out;
    PagePassages article{id, record.title.text, record.revision, {}};
    article.passages = composer_->passages(
        id,
        [&](PassageReject reason, std::string_view text) {
          add({reason, 1, {beginning_of(text)}}, left_out);
        },
        [&](std::uint64_t sentence) { how.sentences.push_back(sentence); });
    for (auto& [reason, texts] : left_out) how.left_out.push_back(std::move(texts));
    return {std::move(how), std::move(article)};
  }

  /// \param cursor  over Family::kLinkTarget, at or in front of the page
  static void set_pages_of_links(storage::Cursor& cursor, PagePassages& article) {
    if (article.passages.empty()) return;
    const auto key = storage::page_key(article.page);
    while (cursor.valid() && cursor.key() < key) cursor.next();
    std::vector<PageId> targets;
    if (cursor.valid() && cursor.key() == key) targets = storage::decode_link_targets(cursor.value()).pages;
    for (auto& passage : article.passages) {
      for (auto& link : passage.links) link.page = link.target < targets.size() ? targets[link.target] : PageId{};
    }
  }

  Boilerplate boilerplate_;
  std::optional<corpus::PageInputs> inputs_;
  std::optional<ComposedBefore> before_;
  std::optional<PassageComposer> composer_;
};

}  // namespace

flow::StageInfo passages_stage() {
  return {.name = "passages",
          .summary = "Compose the passages of all articles, and find those that repeat others",
          .format_version = 2,
          .inputs = {flow::file(kBoilerplateFile), flow::meta(storage::kMetaSite), flow::meta(storage::kMetaReader),
                     flow::family(Family::kReading), flow::family(Family::kPage), flow::family(Family::kOutline),
                     flow::family(Family::kParagraph), flow::family(Family::kLinkTarget)},
          .outputs = with_passages({flow::folder(kComposedFolder)}),
          .options = {flow::reads<corpus::NameOptions>(), flow::reads<PassagesOptions>(),
                      flow::reads_in_part<corpus::PreviousOptions>()},
          .progress_unit = "pages",
          .progress_records = "passages",
          .make = flow::make_stage<PassagesStage>,
          .is_cut = true,
          // What is taken over from a previous work directory is what would be composed.
          .extra_fingerprint = [](const Settings&) { return std::string(); }};
}

}  // namespace touchstone::pipeline::passages
