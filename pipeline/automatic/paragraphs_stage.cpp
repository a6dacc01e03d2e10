#include "collection/automatic/derivation.hpp"
#include "collection/automatic/near_duplicates.hpp"
#include "common/digest.hpp"
#include "common/files.hpp"
#include "formats/car/ids.hpp"
#include "pipeline/automatic/page_composer.hpp"
#include "pipeline/automatic/selection/automatic_options.hpp"
#include "pipeline/automatic/stages.hpp"
#include "pipeline/corpus/near_duplicates/finder.hpp"
#include "pipeline/corpus/page_walk.hpp"
#include "pipeline/flow/part_line.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::automatic {
namespace {

using corpus::near_duplicates::Finder;
using corpus::near_duplicates::Groups;
using corpus::near_duplicates::NearDuplicatesOptions;
using flow::ShardCounts;
using flow::ShardWriter;
using flow::StageContext;
using flow::StageReport;
using flow::WholeShard;
using selection::AutomaticOptions;
using storage::Family;

/// Id and text of each passage of a page.
using Passages = std::vector<std::pair<std::string, std::string>>;

class ParagraphsStage : public flow::Stage {
 public:
  StageReport run(StageContext& context) override {
    Finder finder(context.options<NearDuplicatesOptions>(), context.scratch());
    for_each_passage(context, [&](std::string_view id, std::string_view text) { finder.add(id, text); });
    kill_point("paragraphs.read");
    return write_groups(context, finder);
  }

  ShardCounts run_shard(StageContext& context, const ShardWriter& shard) override {
    TextWriter out(shard.part(kPassages));
    ShardCounts counts{{"passages", 0}};
    for_each_passage(context, [&](std::string_view id, std::string_view text) {
      const std::string_view fields[] = {id, text};
      out.write(flow::part_line(fields));
      ++counts["passages"];
    });
    out.finish();
    return counts;
  }

  StageReport merge(StageContext& context, const std::vector<WholeShard>& shards) override {
    Finder finder(context.options<NearDuplicatesOptions>(), context.scratch());
    for (const auto& shard : shards) {
      for_each_line(shard.folder / kPassages, [&](std::string_view line, std::uint64_t) {
        context.stop.check();
        const auto fields = flow::read_part_line(line);
        finder.add(fields.at(0), fields.at(1));
        return true;
      });
    }
    kill_point("paragraphs.read");
    return write_groups(context, finder);
  }

 private:
  static constexpr const char* kPassages = "passages.txt";

  /// Calls `take(id, text)` for each passage of the context's pages, in their order.
  template <class Take>
  static void for_each_passage(StageContext& context, const Take& take) {
    const auto& options = context.options<AutomaticOptions>();
    const PageComposer composer(context.store, "wiki",
                                {.list_items = options.include_lists,
                                 .table_rows = options.include_tables,
                                 .links = false,
                                 .redirects = false,
                                 .inlinks = false});
    const collection::automatic::DerivationOptions derivation{options.include_lists, options.include_captions, {}};
    const auto passages_of = [&](PageId id, const storage::PageRecord& record) {
      Passages passages;
      const auto composed = composer.compose(id, record);
      if (!composed || composed->is_disambiguation) return passages;
      for (const auto& passage : collection::automatic::derive(composed->page, derivation).passages)
        passages.emplace_back(passage.id, paragraph_text(*passage.paragraph));
      return passages;
    };
    corpus::walk_pages<Passages>(context, passages_of, [&](const Passages& passages) {
      for (const auto& [id, text] : passages) take(id, text);
      context.progress.records += passages.size();
    });
  }

  static StageReport write_groups(StageContext& context, Finder& finder) {
    const Groups groups = finder.finish(context.threads, context.stop);
    write(groups, context.output(kNearDuplicatesFile));
    return report_of(groups);
  }

  static void write(const Groups& groups, const std::filesystem::path& path) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto id = groups.id(i), representative = groups.id(groups.representative(i));
      if (id != representative) lines.push_back(collection::automatic::near_duplicate_line(id, representative));
    }
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    TextWriter out(path);
    for (const auto& line : lines) out.write(line);
    kill_point("paragraphs.before_finish");
    out.finish();
  }

  static StageReport report_of(const Groups& groups) {
    const auto& found = groups.statistics();
    StageReport report;
    report.counts["paragraphs"] = found.paragraphs;
    report.counts["paragraphs that stand for themselves"] = found.representatives;
    report.counts["exact duplicates"] = found.exact_duplicates;
    report.counts["near-duplicates"] = found.near_duplicates + found.same_bigrams;
    report.counts["groups of near-duplicates"] = found.groups;
    report.counts["paragraphs in the largest group"] = found.largest_group;
    if (found.uncertain > 0) {
      report.warnings.push_back(std::to_string(found.uncertain) +
                                " paragraphs were compared with a part of their candidates only, because too many are "
                                "alike; near-duplicates of them may be left");
    }
    return report;
  }
};

/// What counts as a passage, and the content of the file of word vectors.
std::string options_fingerprint(const Settings& settings) {
  const auto& options = settings.get<AutomaticOptions>();
  const auto& vectors = settings.get<NearDuplicatesOptions>().vectors;
  std::string text = fmt::format("lists {} captions {} tables {}", options.include_lists, options.include_captions,
                                 options.include_tables);
  if (!vectors.empty()) text += " vectors " + (std::filesystem::exists(vectors) ? sha256_file(vectors) : "missing");
  return text;
}

}  // namespace

flow::StageInfo paragraphs_stage() {
  return {.name = "paragraphs",
          .summary = "Find near-duplicates among the paragraphs of all pages",
          .format_version = 8,
          .inputs = {flow::meta(storage::kMetaSite), flow::family(Family::kPage), flow::family(Family::kTitle),
                     flow::family(Family::kOutline), flow::family(Family::kParagraph), flow::family(Family::kTable),
                     flow::family(Family::kAttribute)},
          .outputs = {flow::file(kNearDuplicatesFile)},
          .options = {flow::reads_in_part<AutomaticOptions>(), flow::reads<NearDuplicatesOptions>()},
          .progress_unit = "pages",
          .progress_records = "paragraphs",
          .make = flow::make_stage<ParagraphsStage>,
          .cut = flow::Cut::kPages,
          .extra_fingerprint = options_fingerprint};
}

}  // namespace touchstone::pipeline::automatic
