#include "collection/health/damage.hpp"
#include "common/files.hpp"
#include "common/records/sorter.hpp"
#include "common/stop.hpp"
#include "common/unicode.hpp"
#include "pipeline/corpus/page_walk.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/passages/boilerplate.hpp"
#include "pipeline/passages/passage_composer.hpp"
#include "pipeline/passages/sentences.hpp"
#include "pipeline/passages/stages.hpp"
#include "storage/keys.hpp"
#include "text/sentences.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
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
constexpr std::string_view kPagesPart = "pages";

/// On how many pages a sentence is.
struct SentencePages {
  std::uint64_t hash = 0;
  std::uint32_t first = 0;  ///< page
  std::uint32_t pages = 0;
  std::uint32_t box_pages = 0;  ///< those where it is a link list or a label

  template <class Fields>
  void fields(Fields& field) {
    field("hash", hash)("first_page_id", first)("pages", pages)("box_pages", box_pages);
  }
  friend bool operator<(const SentencePages& a, const SentencePages& b) {
    return std::tie(a.hash, a.first) < std::tie(b.hash, b.first);
  }
};

/// The pages of a cut that have a sentence.
struct TextPages {
  std::uint64_t count = 0;

  template <class Fields>
  void fields(Fields& field) {
    field("count", count);
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

/// Counts the pages of sentences, page by page in ascending order.
class SentenceCount {
 public:
  void add_page(const storage::Store& store, const PassagesOptions& options, PageId page) {
    std::unordered_map<std::uint64_t, bool> on_page;  // sentence -> is it part of a box
    for_each_paragraph(store, options, page, [&](const storage::ParagraphRecord& paragraph) {
      const bool box = is_part_of_box(paragraph);
      text::for_each_sentence(paragraph.text, [&](std::string_view text) { on_page[sentence_hash(text)] |= box; });
    });
    for (const auto& [hash, box] : on_page) {
      auto& sentence = sentences_.try_emplace(hash, SentencePages{hash, page.value}).first->second;
      ++sentence.pages;
      sentence.box_pages += box ? 1 : 0;
    }
    pages_ += on_page.empty() ? 0 : 1;
  }

  std::uint64_t pages() const noexcept { return pages_; }
  std::vector<SentencePages> sorted() const {
    std::vector<SentencePages> all;
    all.reserve(sentences_.size());
    for (const auto& [hash, sentence] : sentences_) all.push_back(sentence);
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  std::unordered_map<std::uint64_t, SentencePages> sentences_;
  std::uint64_t pages_ = 0;
};

class BoilerplateStage : public flow::Stage {
 public:
  flow::Cuts plan(const ReadContext& context) override {
    return context.options<PassagesOptions>().boilerplate_share < 1 ? corpus::page_cuts(context.store) : flow::Cuts();
  }

  void map(const ReadContext& context, const flow::Cut& cut, const flow::PartWriter& parts) const override {
    SentenceCount count;
    corpus::for_each_page(context, cut, [&](PageId id, const storage::PageRecord& record) {
      if (record.is_article()) count.add_page(context.store, context.options<PassagesOptions>(), id);
    });
    auto sentences = parts.records<SentencePages>(kSentencesPart);
    for (const auto& sentence : count.sorted()) sentences.add(sentence);
    sentences.finish();
    parts.write(kPagesPart, TextPages{count.pages()});
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
    StageReport report;
    if (!recurring.empty()) report.counts["sentences that are boilerplate"] = recurring.size();
    return report;
  }

 private:
  static std::vector<SentencePages> recurring_sentences(const WriteContext& context, const flow::Parts& parts) {
    std::uint64_t pages = 0;
    parts.for_each<TextPages>(kPagesPart, [&](const TextPages& of_cut) { pages += of_cut.count; });
    records::Sorter<SentencePages> sentences(context.scratch(), kSentenceMemoryBytes);
    parts.for_each<SentencePages>(kSentencesPart, [&](const SentencePages& sentence) { sentences.add(sentence); });
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
          .inputs = {flow::family(Family::kPage), flow::family(Family::kOutline), flow::family(Family::kParagraph)},
          .outputs = {flow::file(kBoilerplateFile)},
          .options = {flow::reads_in_part<PassagesOptions>()},
          .progress_unit = "pages",
          .progress_records = "sentences",
          .make = flow::make_stage<BoilerplateStage>,
          .is_cut = true,
          .extra_fingerprint = boilerplate_fingerprint};
}

}  // namespace touchstone::pipeline::passages
