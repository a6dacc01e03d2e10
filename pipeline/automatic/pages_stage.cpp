#include "common/records/record_file.hpp"
#include "common/records/sorter.hpp"
#include "common/stop.hpp"
#include "pipeline/automatic/heading_uses.hpp"
#include "pipeline/automatic/page_composer.hpp"
#include "pipeline/automatic/selection/automatic_options.hpp"
#include "pipeline/automatic/stages.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/page_walk.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/flow/work_files.hpp"
#include "storage/meta_keys.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::automatic {
namespace {

using flow::ReadContext;
using flow::StageReport;
using flow::WriteContext;
using selection::AutomaticOptions;
using storage::Family;

constexpr std::string_view kPagesPart = "pages";
constexpr std::string_view kPagesCountsPart = "counts";
constexpr std::string_view kHeadingsPart = "headings";

/// A heading on fewer articles is not noted.
constexpr double kLeastShare = 0.01;

struct PagesCounts {
  std::uint64_t pages = 0, damaged = 0, empty_headings = 0, with_heading = 0;

  template <class Fields>
  void fields(Fields& field) {
    field("pages", pages)("damaged", damaged)("empty_headings", empty_headings)("with_heading", with_heading);
  }
};

class PagesStage : public flow::Stage {
 public:
  flow::Cuts plan(const ReadContext& context) override { return corpus::page_cuts(context.store); }

  void open(const ReadContext& context) override {
    const auto& options = context.options<AutomaticOptions>();
    const corpus::TitleIndex titles(context.store);
    composer_.emplace(context.store, corpus::wiki_name(context.options<corpus::NameOptions>(), titles.site()),
                      PageComposer::Options{.list_items = options.include_lists,
                                            .table_rows = options.include_tables,
                                            .min_words = static_cast<std::size_t>(options.min_passage_words)});
  }

  void map(const ReadContext& context, const flow::Cut& cut, const flow::PartWriter& parts) const override {
    auto pages = parts.records<ComposedPage>(kPagesPart);
    PagesCounts counts;
    HeadingUses headings;
    corpus::for_each_page(context, cut, [&](PageId id, const storage::PageRecord& record) {
      const auto composed = composer_->compose(id, record);
      if (!composed) return;
      pages.add(*composed);
      if (!composed->is_disambiguation) headings.add(composed->page);
      ++counts.pages;
      counts.damaged += composed->damaged;
      counts.empty_headings += composed->empty_headings;
      ++context.progress.records;
    });
    pages.finish();
    counts.with_heading = headings.pages();
    auto uses = parts.records<HeadingUse>(kHeadingsPart);
    for (const auto& use : headings.take()) uses.add(use);
    uses.finish();
    parts.write(kPagesCountsPart, counts);
  }

  StageReport merge(WriteContext& context, const flow::Parts& parts) override {
    StageReport report;
    std::uint64_t with_heading = 0;
    parts.for_each<PagesCounts>(kPagesCountsPart, [&](const PagesCounts& counts) {
      with_heading += counts.with_heading;
      report.counts["pages"] += counts.pages;
      report.counts["texts left out for their damage"] += counts.damaged;
      report.counts["headings without text"] += counts.empty_headings;
    });
    write_headings(context, parts, with_heading);
    kill_point("pages.before_finish");
    parts.keep(kPagesPart, context.output(kPagesFolder));
    return report;
  }

 private:
  static void write_headings(WriteContext& context, const flow::Parts& parts, std::uint64_t with_heading) {
    records::Sorter<HeadingUse> sorted(context.scratch(), std::size_t{32} << 20);
    parts.for_each<HeadingUse>(kHeadingsPart, [&](const HeadingUse& use) { sorted.add(use); });
    records::RecordFile<HeadingUse>::Writer out(context.output(kHeadingUsesFile));
    for (auto next = sorted.next(); next;) {
      HeadingUse use = std::move(*next);
      while ((next = sorted.next()) && next->heading == use.heading) use.add(*next);
      use.of_pages = with_heading;
      if (static_cast<double>(use.pages) > kLeastShare * static_cast<double>(with_heading)) out.add(use);
    }
    out.finish();
  }

  std::optional<PageComposer> composer_;
};

/// What of the pages is composed.
std::string composition_fingerprint(const Settings& settings) {
  const auto& options = settings.get<AutomaticOptions>();
  return fmt::format("lists {} tables {} words {}", options.include_lists, options.include_tables,
                     options.min_passage_words);
}

}  // namespace

flow::StageInfo pages_stage() {
  return {.name = "pages",
          .summary = "Compose the articles as pages of TREC CAR: sections, paragraphs, links",
          .format_version = 3,
          .inputs = {flow::meta(storage::kMetaSite), flow::family(Family::kPage), flow::family(Family::kTitle),
                     flow::family(Family::kOutline), flow::family(Family::kParagraph), flow::family(Family::kTable),
                     flow::family(Family::kLink), flow::family(Family::kLinkTarget), flow::family(Family::kAlias),
                     flow::family(Family::kAttribute), flow::family(Family::kEntity), flow::family(Family::kSqlPage)},
          .outputs = {flow::folder(kPagesFolder), flow::file(kHeadingUsesFile)},
          .options = {flow::reads_in_part<AutomaticOptions>(), flow::reads<corpus::NameOptions>()},
          .progress_unit = "pages",
          .progress_records = "articles",
          .make = flow::make_stage<PagesStage>,
          .is_cut = true,
          .extra_fingerprint = composition_fingerprint};
}

}  // namespace touchstone::pipeline::automatic
