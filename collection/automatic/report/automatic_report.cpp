#include "collection/automatic/report/automatic_report.hpp"

#include "collection/automatic/automatic_files.hpp"
#include "collection/automatic/leak_check.hpp"
#include "collection/automatic/near_duplicates.hpp"
#include "collection/automatic/report/automatic_overview.hpp"
#include "collection/automatic/report/query_page_files.hpp"
#include "collection/release/report/assets.hpp"
#include "collection/release/report/charts.hpp"
#include "collection/release/report/health_section.hpp"
#include "collection/release/report/shown_text.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/scratch_folder.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/reader.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace touchstone::collection::automatic::report {

using namespace release::report;
namespace {

namespace fs = std::filesystem;
using automatic::Derivation;
using automatic::LeakCheck;
using formats::car::Page;
using formats::car::Paragraph;
using formats::html::element;
using formats::html::raw;

constexpr std::size_t kLeakSamples = 20;

/// Calls `use` for each record of a file of the collection until it returns false.
template <class Record, class Use>
void for_each_record(const fs::path& path, const StopFlag& stop, Use use) {
  formats::car::CarReader reader(path);
  while (auto read = reader.next()) {
    stop.check();
    if (!read->record) throw FormatError(read->record.error() + "; write the collection again");
    const auto* record = std::get_if<Record>(&*read->record);
    if (record == nullptr) throw FormatError(path.string() + " holds other records than its name says; write it again");
    if (!use(*record)) return;
  }
}

class AutomaticReport {
 public:
  AutomaticReport(const AutomaticReportInput& input, fs::path page, fs::path folder, const StopFlag& stop,
                  const AutomaticReportLimits& limits)
      : input_(input),
        files_(std::move(page), std::move(folder), {"test", "train", "titles"}),
        stop_(stop),
        limits_(limits),
        duplicates_(automatic::NearDuplicates::read(input.directory / automatic::kDuplicatesFile)) {
    read_facts();
  }

  AutomaticReportNumbers run() {
    internal::NumberCollector numbers(overview_.languages);
    internal::QueryPageFiles pages(files_.place(overview_.manifest.info.name, 0), limits_);
    automatic::LeakIndexWriter index(temporary_folder());
    for (const bool test : {true, false}) add_split(test, numbers, pages, index);
    pages.finish();
    kill_point("report_automatic.topics");
    check_knowledge_base(index.finish());
    find_representatives();
    overview_.train = numbers.split(false);
    overview_.test = numbers.split(true);
    overview_.scripts = numbers.scripts();
    overview_.shared_passages = numbers.shared_passages();
    overview_.distinct_passages = numbers.distinct_passages();
    const auto warnings = automatic_warnings(overview_);
    files_.finish(first_page(pages, warnings), "report_automatic.before_finish");
    return {pages.topics().size(), pages.files() + 1, overview_.leaks[0] + overview_.leaks[1] + overview_.leaks[2],
            warnings};
  }

 private:
  std::function<std::string(std::string_view)> representative() const {
    return [this](std::string_view id) { return duplicates_.representative(id); };
  }

  void read_facts() {
    overview_.manifest = read_manifest(input_.directory);
    overview_.knows_headings = input_.knows_headings;
    auto& known = overview_.languages;
    if (const auto& own = overview_.manifest.info.language; !own.empty()) known.push_back(own);
    for (const auto& language : input_.heading_languages) {
      if (std::find(known.begin(), known.end(), language) == known.end()) known.push_back(language);
    }
    overview_.duplicates = duplicates_.size();
  }

  void add_split(bool test, internal::NumberCollector& numbers, internal::QueryPageFiles& files,
                 automatic::LeakIndexWriter& index) {
    const automatic::ReleaseFileNames names{test ? "test" : "train"};
    const automatic::DerivationOptions options{overview_.manifest.info.list_items, overview_.manifest.info.captions,
                                               representative()};
    for_each_record<Page>(input_.directory / names.pages(), stop_, [&](const Page& page) {
      const auto derivation = derive(page, options);
      numbers.add(derivation, test);
      files.add(derivation, test);
      index.add(query_page_facts(page, {.representative = options.representative}));
      add_pairs(derivation);
      return true;
    });
  }

  void add_pairs(const Derivation& derivation) {
    for (const auto& passage : derivation.passages) {
      const auto& own = passage.paragraph->id;
      if (own.empty() || own == passage.id || overview_.pairs.size() >= limits_.max_duplicates) continue;
      overview_.pairs.push_back(
          {derivation.topic.title, own, formats::car::paragraph_text(*passage.paragraph), passage.id, {}});
    }
  }

  void check_knowledge_base(LeakIndex query_pages) {
    LeakCheck leaks(std::move(query_pages), {.representative = representative()}, kLeakSamples);
    for_each_record<Page>(input_.directory / (std::string(automatic::kKnowledgeBase) + ".pages.cbor"), stop_,
                          [&](const Page& page) {
                            leaks.check(page);
                            return true;
                          });
    for (const auto& [name, kind] : automatic::kLeakKinds)
      overview_.leaks.at(static_cast<std::size_t>(kind)) = leaks.count(kind);
    for (const auto& leak : leaks.leaks()) {
      overview_.leak_samples.push_back(fmt::format("Page {} leaks the query page {} ({}).", leak.page_name,
                                                   leak.query_id,
                                                   automatic::kLeakKinds[static_cast<std::size_t>(leak.kind)].first));
    }
  }

  /// Looks up the texts of the passages that represent the sampled ones. The corpus is read as far as they go.
  void find_representatives() {
    std::unordered_multimap<std::string, internal::DuplicatePair*> wanted;
    for (auto& pair : overview_.pairs) wanted.emplace(pair.representative, &pair);
    if (wanted.empty()) return;
    for_each_record<Paragraph>(input_.directory / automatic::kCorpusFile, stop_, [&](const Paragraph& paragraph) {
      const auto [first, last] = wanted.equal_range(paragraph.id);
      for (auto pair = first; pair != last; ++pair)
        pair->second->representative_text = formats::car::paragraph_text(paragraph);
      wanted.erase(first, last);
      return !wanted.empty();
    });
  }

  std::string lead() const {
    const auto& info = overview_.manifest.info;
    return "Test collection derived from the titles, headings, paragraphs and links of " + info.title() + ", " +
           (info.dump_date.empty() ? "" : "as of " + info.dump_date.substr(0, 10) + ", ") + "by touchstone " +
           info.program_version + ".";
  }

  std::string first_page(const internal::QueryPageFiles& files, const std::vector<std::string>& warnings) const {
    const auto folder = files_.link();
    auto all = overview_.train;
    all.add(overview_.test);
    return formats::html::fill(
        report_asset("automatic-report.html"),
        {{"style", raw(std::string(report_asset("report.css")))},
         {"own-style", raw(std::string(report_asset("browsing.css")))},
         {"script", raw(std::string(report_asset("automatic.js")))},
         {"title", shown(overview_.manifest.info.name)},
         {"lead", shown(lead())},
         {"warnings", internal::warning_list(warnings)},
         {"health", health_section(overview_.manifest.health)},
         {"tiles", automatic_tiles(overview_)},
         {"table1", passage_table(overview_)},
         {"table2", entity_table(overview_)},
         {"folds", fold_table(overview_)},
         {"distributions", internal::distribution_table(all)},
         {"facets-histogram", count_histogram(all.facets_per_topic.counts(), {"facets", "topics"})},
         {"passages-histogram", count_histogram(all.passages_per_facet.counts(), {"relevant passages", "facets"})},
         {"selection", internal::selection_section(input_.selection_json)},
         {"duplicates", duplicate_section(overview_)},
         {"leaks", leak_section(overview_)},
         {"facts", automatic_facts(overview_)},
         {"topics", files.index(folder)},
         {"folder", element("code", {}, folder)}});
  }

  const AutomaticReportInput& input_;
  ReportFiles files_;
  const StopFlag& stop_;
  AutomaticReportLimits limits_;
  automatic::NearDuplicates duplicates_;
  internal::AutomaticOverview overview_;
};

}  // namespace

AutomaticReportNumbers write_automatic_report(const AutomaticReportInput& input, const fs::path& page,
                                              const fs::path& folder, const StopFlag& stop,
                                              const AutomaticReportLimits& limits) {
  return AutomaticReport(input, page, folder, stop, limits).run();
}

}  // namespace touchstone::collection::automatic::report
