#include "collection/health/damage.hpp"
#include "common/files.hpp"
#include "common/records/sorter.hpp"
#include "common/stop.hpp"
#include "common/unicode.hpp"
#include "pipeline/corpus/page_inputs.hpp"
#include "pipeline/corpus/page_walk.hpp"
#include "pipeline/corpus/previous_work.hpp"
#include "pipeline/corpus/results_before.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/flow/work_paths.hpp"
#include "pipeline/passages/boilerplate.hpp"
#include "pipeline/passages/passage_composer.hpp"
#include "pipeline/passages/sentences.hpp"
#include "pipeline/passages/stages.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"
#include "text/sentences.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::passages {
namespace {

using flow::ReadContext;
using flow::StageReport;
using flow::WriteContext;
using storage::Family;

constexpr std::size_t kSentenceMemoryBytes = std::size_t{32} << 20;
/// A list of links or a label on so many pages is of a box that leads through the wiki.
constexpr std::uint64_t kBoxPages = 5;

constexpr std::string_view kSentencesPart = "sentences";

/// Raised when the same page gives other sentences.
constexpr int kSentencesVersion = 1;

/// A sentence of a page, by its hash.
struct Sentence {
  std::uint64_t hash = 0;
  bool in_box = false;  ///< in a link list or a label

  template <class Fields>
  void fields(Fields& field) {
    field("hash", hash)("in_box", in_box);
  }
};

/// The sentences of an article, each once: a record of the artifact `kSentencesFolder`.
struct PageSentences {
  PageId page;
  Digest128 inputs{};  ///< see corpus::PageInputs
  std::vector<Sentence> sentences;

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", page)("inputs", inputs)("sentences", sentences);
  }
};

/// On how many pages a sentence is.
struct SentencePages {
  std::uint64_t hash = 0;
  std::uint32_t first = 0;  ///< page
  std::uint32_t pages = 0;
  std::uint32_t box_pages = 0;  ///< those where it is a link list or a label

  friend bool operator<(const SentencePages& a, const SentencePages& b) {
    return std::tie(a.hash, a.first) < std::tie(b.hash, b.first);
  }
};

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
  return collection::health::may_be_link_list(paragraph.text, links) &&
         collection::health::find_damage(paragraph.text, links) == collection::health::TextDamage::kLinkList;
}

/// Calls `use(paragraph)` for the paragraphs of a page that are text of the corpus.
template <class Use>
void for_each_paragraph(const storage::Store& store, const PassagesOptions& options, PageId page, const Use& use) {
  std::string bytes;
  if (!store.get(Family::kOutline, storage::page_key(page), bytes)) return;
  const auto outline = storage::decode_outline(bytes);
  const auto scope = sections_in_scope(store, options, page, outline);
  for (std::uint32_t i = scope.first; i < scope.end; ++i) {
    if (outline.sections[i].paragraph_count == 0 ||
        !store.get(Family::kParagraph, storage::page_part_key(page, i), bytes))
      continue;
    for (const auto& paragraph : storage::decode_section_text(bytes).paragraphs) {
      if (paragraph.kind == storage::ParagraphKind::kNote) continue;
      if (paragraph.kind == storage::ParagraphKind::kListItem && !options.include_lists) continue;
      use(paragraph);
    }
  }
}

class BoilerplateStage : public flow::Stage {
 public:
  flow::Cuts plan(const ReadContext& context) override {
    return context.options<PassagesOptions>().boilerplate_share < 1 ? corpus::page_cuts(context.store) : flow::Cuts();
  }

  void open(const ReadContext& context) override {
    const auto& options = context.options<PassagesOptions>();
    inputs_.emplace(context.store, fmt::format("sentences {} {} lists {}", kSentencesVersion,
                                               choice_text(options.scope), options.include_lists));
    const auto& previous = context.options<corpus::PreviousOptions>().work;
    if (!previous.empty()) before_.emplace(flow::WorkPaths{previous}.file(kSentencesFolder));
  }

  void map(const ReadContext& context, const flow::Cut& cut, const flow::PartWriter& parts) const override {
    auto file = parts.records<PageSentences>(kSentencesPart);
    corpus::PageInputs::Walk all_inputs(*inputs_);
    std::optional<corpus::ResultsBefore<PageSentences>::Walk> before;
    if (before_) before.emplace(*before_);
    corpus::for_each_page(context, cut, [&](PageId id, const storage::PageRecord& record) {
      if (!record.is_article()) return;
      const auto inputs = all_inputs.of(id);
      auto page = before && inputs != Digest128{} ? before->find(id) : std::nullopt;
      if (!page || page->inputs != inputs)
        page = {id, inputs, sentences_of(context.store, context.options<PassagesOptions>(), id)};
      file.add(*page);
    });
    file.finish();
  }

  StageReport merge(WriteContext& context, const flow::Parts& parts) override {
    auto recurring = recurring_sentences(context, parts);
    std::sort(recurring.begin(), recurring.end(),
              [](const auto& a, const auto& b) { return std::tuple(~a.pages, a.hash) < std::tuple(~b.pages, b.hash); });
    TextWriter out(context.output(kBoilerplateFile));
    for (const auto& sentence : recurring) {
      out.write(fmt::format("{:016x}\t{}\t{}\n", sentence.hash, sentence.pages,
                            text_of(context, PageId{sentence.first}, sentence.hash)));
    }
    kill_point("boilerplate.before_finish");
    out.finish();
    parts.keep(kSentencesPart, context.output(kSentencesFolder));
    StageReport report;
    if (!recurring.empty()) report.counts["sentences that are boilerplate"] = recurring.size();
    return report;
  }

 private:
  static std::vector<Sentence> sentences_of(const storage::Store& store, const PassagesOptions& options, PageId page) {
    std::map<std::uint64_t, bool> on_page;  // sentence -> is it part of a box
    for_each_paragraph(store, options, page, [&](const storage::ParagraphRecord& paragraph) {
      const bool box = is_part_of_box(paragraph);
      text::for_each_sentence(paragraph.text, [&](std::string_view text) { on_page[sentence_hash(text)] |= box; });
    });
    std::vector<Sentence> sentences;
    for (const auto& [hash, in_box] : on_page) sentences.push_back({hash, in_box});
    return sentences;
  }

  static std::vector<SentencePages> recurring_sentences(const WriteContext& context, const flow::Parts& parts) {
    std::uint64_t pages = 0;
    records::Sorter<SentencePages> sentences(context.scratch(), kSentenceMemoryBytes);
    parts.for_each<PageSentences>(kSentencesPart, [&](const PageSentences& of_page) {
      pages += of_page.sentences.empty() ? 0 : 1;
      for (const auto& [hash, in_box] : of_page.sentences)
        sentences.add({hash, of_page.page.value, 1, in_box ? 1U : 0U});
    });
    const auto& options = context.options<PassagesOptions>();
    const double limit = options.boilerplate_share * static_cast<double>(pages);
    std::vector<SentencePages> recurring;
    SentencePages sum;
    const auto end = [&] {
      const bool recurs = sum.pages >= static_cast<std::uint64_t>(options.boilerplate_pages) && sum.pages > limit;
      if (!recurs) sum.pages = sum.box_pages;
      if (recurs || sum.box_pages >= kBoxPages) recurring.push_back(sum);
    };
    while (const auto sentence = sentences.next()) {
      if (sentence->hash == sum.hash) {
        sum.pages += sentence->pages;
        sum.box_pages += sentence->box_pages;
      } else {
        end();
        sum = *sentence;
      }
    }
    end();
    return recurring;
  }

  /// The beginning of a sentence on a page.
  static std::string text_of(const WriteContext& context, PageId page, std::uint64_t hash) {
    std::string found;
    for_each_paragraph(context.store, context.options<PassagesOptions>(), page, [&](const auto& paragraph) {
      text::for_each_sentence(paragraph.text, [&](std::string_view text) {
        if (found.empty() && sentence_hash(text) == hash) found = beginning_of(without_blanks(text));
      });
    });
    std::replace_if(
        found.begin(), found.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return found;
  }

  std::optional<corpus::PageInputs> inputs_;
  std::optional<corpus::ResultsBefore<PageSentences>> before_;
};

/// What of the options decides which sentences recur.
std::string boilerplate_fingerprint(const Settings& settings) {
  const auto& options = settings.get<PassagesOptions>();
  return fmt::format("{} lists {} share {} pages {}", choice_text(options.scope), options.include_lists,
                     options.boilerplate_share, options.boilerplate_pages);
}

}  // namespace

flow::StageInfo boilerplate_stage() {
  return {.name = "boilerplate",
          .summary = "Find sentences that recur on many pages",
          .format_version = 2,
          .inputs = {flow::meta(storage::kMetaReader), flow::family(Family::kReading), flow::family(Family::kPage),
                     flow::family(Family::kOutline), flow::family(Family::kParagraph)},
          .outputs = {flow::file(kBoilerplateFile), flow::folder(kSentencesFolder)},
          .options = {flow::reads_in_part<PassagesOptions>(), flow::reads_in_part<corpus::PreviousOptions>()},
          .progress_unit = "pages",
          .progress_records = "sentences",
          .make = flow::make_stage<BoilerplateStage>,
          .is_cut = true,
          .extra_fingerprint = boilerplate_fingerprint};
}

}  // namespace touchstone::pipeline::passages
