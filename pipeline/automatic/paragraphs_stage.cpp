#include "collection/automatic/derivation.hpp"
#include "collection/automatic/near_duplicates.hpp"
#include "common/digest.hpp"
#include "common/files.hpp"
#include "common/records/sorter.hpp"
#include "formats/car/ids.hpp"
#include "pipeline/automatic/page_composer.hpp"
#include "pipeline/automatic/selection/automatic_options.hpp"
#include "pipeline/automatic/stages.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/passages/near_duplicates/facts.hpp"
#include "pipeline/passages/near_duplicates/finder.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::automatic {
namespace {

using flow::ReadContext;
using flow::StageReport;
using flow::WriteContext;
using passages::near_duplicates::Finder;
using passages::near_duplicates::Groups;
using passages::near_duplicates::NearDuplicatesOptions;
using selection::AutomaticOptions;

/// A passage as a cut hands it to the merge.
struct ReadPassage {
  std::string id, text;
  std::uint64_t facts = 0;

  template <class Fields>
  void fields(Fields& field) {
    field("id", id)("text", text)("facts", facts);
  }
};
constexpr std::string_view kPassagesPart = "passages";

/// What a paragraph says of its page.
std::uint64_t facts_of(const formats::car::Paragraph& paragraph, std::string_view text, std::string_view title) {
  thread_local passages::near_duplicates::WordHasher hasher;
  std::vector<std::string_view> targets;
  for (const auto& body : paragraph.bodies) {
    if (const auto* link = std::get_if<formats::car::Link>(&body)) targets.emplace_back(link->page_name);
  }
  return passages::near_duplicates::digest_of_facts(text, title, targets, hasher);
}

class ParagraphsStage : public flow::Stage {
 public:
  flow::Cuts plan(const ReadContext& context) override { return flow::cuts_of_kept(context.input(kPagesFolder)); }

  void open(const ReadContext& context) override { pages_ = flow::kept_parts(context.input(kPagesFolder)); }

  void map(const ReadContext& context, const flow::Cut& cut, const flow::PartWriter& parts) const override {
    const auto& options = context.options<AutomaticOptions>();
    const collection::automatic::DerivationOptions derivation{options.include_lists, options.include_captions, {}};
    auto passages = parts.records<ReadPassage>(kPassagesPart);
    records::RecordFile<ComposedPage>::for_each(pages_.at(cut.first), [&](const ComposedPage& composed) {
      ++context.progress.done;
      if (composed.is_disambiguation) return;
      for (const auto& passage : collection::automatic::derive(composed.page, derivation).passages) {
        auto text = paragraph_text(*passage.paragraph);
        const auto facts = facts_of(*passage.paragraph, text, composed.page.name);
        passages.add({passage.id, std::move(text), facts});
        ++context.progress.records;
      }
    });
    passages.finish();
  }

  StageReport merge(WriteContext& context, const flow::Parts& parts) override {
    Finder finder(context.options<NearDuplicatesOptions>(), context.scratch());
    parts.for_each<ReadPassage>(kPassagesPart, [&](const ReadPassage& passage) {
      context.stop.check();
      finder.add(passage.id, passage.text, passage.facts);
    });
    kill_point("paragraphs.read");
    Groups groups = finder.finish(context.threads, context.stop);
    const auto& options = context.options<NearDuplicatesOptions>();
    records::Sorter<std::string> lines(context.scratch(), static_cast<std::size_t>(options.memory_bytes) / 2,
                                       records::Repeats::kDrop);
    groups.for_each_replaced([&](std::string_view id, std::string_view representative) {
      context.stop.check();
      if (id != representative) lines.add(collection::automatic::near_duplicate_line(id, representative));
    });
    write(lines, context.output(kNearDuplicatesFile));
    return report_of(groups);
  }

 private:
  static void write(records::Sorter<std::string>& lines, const std::filesystem::path& path) {
    TextWriter out(path);
    while (const auto line = lines.next()) out.write(*line);
    kill_point("paragraphs.before_finish");
    out.finish();
  }

  static StageReport report_of(const Groups& groups) {
    const auto& found = groups.statistics();
    StageReport report;
    report.counts["paragraphs"] = found.paragraphs;
    report.counts["paragraphs that represent themselves"] = found.representatives;
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

  std::vector<std::filesystem::path> pages_;
};

/// What counts as a passage, and the content of the file of word vectors.
std::string options_fingerprint(const Settings& settings) {
  const auto& options = settings.get<AutomaticOptions>();
  const auto& vectors = settings.get<NearDuplicatesOptions>().vectors;
  std::string text = fmt::format("captions {}", options.include_captions);
  if (!vectors.empty()) text += " vectors " + (std::filesystem::exists(vectors) ? sha256_file(vectors) : "missing");
  return text;
}

}  // namespace

flow::StageInfo paragraphs_stage() {
  return {.name = "paragraphs",
          .summary = "Find near-duplicates among the paragraphs of all pages",
          .format_version = 10,
          .inputs = {flow::folder(kPagesFolder)},
          .outputs = {flow::file(kNearDuplicatesFile)},
          .options = {flow::reads_in_part<AutomaticOptions>(), flow::reads<NearDuplicatesOptions>()},
          .progress_unit = "pages",
          .progress_records = "paragraphs",
          .make = flow::make_stage<ParagraphsStage>,
          .is_cut = true,
          .extra_fingerprint = options_fingerprint};
}

}  // namespace touchstone::pipeline::automatic
