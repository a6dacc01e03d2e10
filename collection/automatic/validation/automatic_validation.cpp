#include "collection/automatic/validation/automatic_validation.hpp"

#include "collection/automatic/automatic_card.hpp"
#include "collection/automatic/automatic_files.hpp"
#include "collection/automatic/automatic_health.hpp"
#include "collection/automatic/leak_check.hpp"
#include "collection/automatic/near_duplicates.hpp"
#include "collection/automatic/ordered_batches.hpp"
#include "collection/automatic/validation/file_checks.hpp"
#include "collection/release/files.hpp"
#include "common/digest.hpp"
#include "common/files.hpp"
#include "common/scratch_folder.hpp"
#include "common/version.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/record_file.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"
#include "formats/trec/topics.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::collection::automatic::validation {
namespace {

namespace fs = std::filesystem;
using formats::car::FileType;
using formats::car::for_each_page;
using formats::car::Page;
using formats::car::Paragraph;
using formats::fields::quote_for_message;

constexpr std::size_t kPagesPerBatch = 128, kPassagesPerBatch = 1024;

class AutomaticValidator : FileChecks {
 public:
  AutomaticValidator(fs::path directory, const StopFlag& stop, const release::BaselineScorer& score)
      : FileChecks(std::move(directory), stop), score_(score) {}

  release::ValidationReport run() {
    try {
      manifest_ = read_manifest(directory_);
      names_ = file_names(directory_, manifest_);
      check_digests(names_);
      check_other_files();
      // What follows reads all files; a damage that the digests show is reported once.
      if (report_.ok()) check_contents();
    } catch (const FormatError& error) {
      problem(directory_.filename().string(), 0, error.what());
    }
    return std::move(report_);
  }

 private:
  void check_other_files() {
    for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
      const auto file = entry.path().lexically_relative(directory_).string();
      if (!entry.is_directory() && !is_present(file))
        problem(file, 0, "is not part of an automatic collection; move it away, or export the collection again");
    }
  }

  void check_contents() {
    duplicates_ = NearDuplicates::read(directory_ / kDuplicatesFile);
    rules_ = {manifest_.info.list_items, manifest_.info.captions,
              [this](std::string_view id) { return duplicates_.representative(id); }};
    read_queries();
    check_corpus();
    auto query_pages = check_query_pages();
    check_locators(corpus_order_, std::move(expected_places_));
    for (const auto& part : part_names(manifest_.info.folds))
      if (part.starts_with("fold-")) check_fold(part);
    if (manifest_.info.folds > 1) check_fold_pages();
    check_knowledge_base(std::move(query_pages));
    check_listed_files(names_, manifest_.files);
    check_statements();
  }

  void read_queries() {
    formats::beir::LineReader reader;
    for_each_line(directory_ / kQueriesFile, [&](std::string_view line, std::uint64_t number) {
      const auto query = reader.query(line);
      if (!query)
        problem(kQueriesFile, number, query.error());
      else if (formats::fields::is_blank(query->text))
        problem(kQueriesFile, number,
                "topic " + quote_for_message(query->id) + " has no text" + std::string(kExportAgain));
      else
        queries_.emplace(query->id, query->text);
      return true;
    });
    for (const auto split : kSplits)
      for (const auto& topic : formats::trec::read_topics(directory_ / fmt::format("trec/{}.unscored.tsv", split)))
        queries_.emplace(topic.id, topic.text);
  }

  /// The corpus in all its forms.
  void check_corpus() {
    struct Lines {
      std::string id;
      bool has_own_id = true;
      std::uint64_t record = 0, json = 0, tsv = 0;
    };
    Hashes records, json, tsv;
    const auto make = [](Paragraph& paragraph) {
      const auto text = paragraph_text(paragraph);
      return Lines{paragraph.id, paragraph_id(paragraph.bodies) == paragraph.id, record_hash(paragraph),
                   xxh3_64(beir_json(paragraph.id, formats::fields::plain_lines(text), true)),
                   xxh3_64(paragraph.id + "\t" + formats::fields::one_line(text))};
    };
    OrderedBatches<Paragraph, Lines> batches(kPassagesPerBatch, make, [&](const Lines& passage) {
      stop_.check();
      if (!passage.has_own_id)
        problem(kCorpusFile, 0,
                "passage " + quote_for_message(passage.id) + " has another text than its id says" +
                    std::string(kExportAgain));
      if (!corpus_.insert(xxh3_64(passage.id)).second)
        problem(kCorpusFile, 0,
                "holds passage " + quote_for_message(passage.id) + " twice" + std::string(kExportAgain));
      corpus_order_.push_back(xxh3_64(passage.id));
      records.push_back(passage.record);
      json.push_back(passage.json);
      tsv.push_back(passage.tsv);
    });
    check_header(std::string(kCorpusFile), FileType::kParagraphs);
    formats::car::for_each_paragraph(directory_ / kCorpusFile,
                                     [&](const Paragraph& paragraph) { batches.add(paragraph); });
    batches.finish();
    numbers_.passages = report_.counts["passages"] = records.size();
    check_splits("dedup.articles-paragraphs", records, kParagraphsPerSplit);
    for (const char* file : {"beir/corpus.jsonl", "hf/corpus.jsonl.gz"}) check_lines(file, json, LineOrder::kOfPages);
    check_lines("ir_datasets/docs.tsv", std::move(tsv), LineOrder::kOfPages);
  }

  struct ReadPage {
    Page page;
    std::size_t split = 0;
  };
  struct MadePage : ReadPage {
    QueryPageFacts facts;
    PageLines lines;
  };

  /// The query pages of both splits, in the order of the titles, and all that follows from them.
  LeakIndex check_query_pages() {
    LeakIndexWriter index(temporary_folder());
    std::array<PartLines, std::size(kSplits)> splits;
    CommonLines common;
    OrderedBatches<ReadPage, MadePage> batches(
        kPagesPerBatch,
        [&](ReadPage& read) {
          auto facts = query_page_facts(read.page, {.representative = rules_.representative});
          auto lines = lines_of(read.page, rules_);
          return MadePage{std::move(read), std::move(facts), std::move(lines)};
        },
        [&](const MadePage& made) {
          expected_places_.insert(made.lines.places.begin(), made.lines.places.end());
          for (const auto& docid : made.lines.docids) {
            if (!corpus_.contains(xxh3_64(docid)))
              problem(split_pages(made.split), 0,
                      "passage " + quote_for_message(docid) + " of " + quote_for_message(made.page.name) +
                          " is not in the corpus" + std::string(kExportAgain));
          }
          splits.at(made.split).add(made.lines);
          add_common(made, common);
          index.add(made.facts);
        });
    read_in_order_of_titles(batches);
    for (std::size_t split = 0; split < splits.size(); ++split) {
      const auto& of_split = splits.at(split);
      for (std::size_t i = 0; i < of_split.pages.size(); ++i) in_split_.at(split).emplace(of_split.pages[i], i);
      report_.counts["topics"] += of_split.lines.numbers.pages;
      report_.counts["facets"] += of_split.lines.numbers.facets;
      report_.counts["relevant passages"] +=
          of_split.lines.numbers.passages.at(static_cast<std::size_t>(QrelsLevel::kHierarchical));
      check_part(std::string(kSplits[split]), of_split);
      check_splits(fmt::format("{}.pages", kSplits[split]), of_split.pages, kPagesPerSplit);
      check_qrels(kSplits[split], of_split.lines);
    }
    check_common(common);
    return index.finish();
  }

  /// Files of one split have the order of the titles, so that the two are read side by side.
  void read_in_order_of_titles(OrderedBatches<ReadPage, MadePage>& batches) {
    std::array readers{formats::car::CarReader(directory_ / split_pages(0)),
                       formats::car::CarReader(directory_ / split_pages(1))};
    std::array<std::optional<Page>, std::size(kSplits)> next;
    const auto take = [&](std::size_t split) {
      auto read = readers.at(split).next();
      next.at(split).reset();
      if (!read) return;
      if (!read->record) throw FormatError(read->record.error() + std::string(kExportAgain));
      auto* page = std::get_if<Page>(&*read->record);
      if (page == nullptr) throw FormatError(split_pages(split) + " holds paragraphs" + std::string(kExportAgain));
      next.at(split) = std::move(*page);
    };
    for (std::size_t split = 0; split < readers.size(); ++split) take(split);
    for_each_line(directory_ / kTitlesFile, [&](std::string_view title, std::uint64_t number) {
      stop_.check();
      for (std::size_t split = 0; split < readers.size(); ++split) {
        if (!next.at(split) || title_of(*next.at(split)) != title) continue;
        kill_point("validate.query_page");
        batches.add({std::move(*next.at(split)), split});
        take(split);
        return true;
      }
      problem(kTitlesFile, number,
              fmt::format("has the title {}, which is that of the next page neither in {} nor in {}{}",
                          quote_for_message(title), split_pages(0), split_pages(1), kExportAgain));
      return false;
    });
    batches.finish();
    for (std::size_t split = 0; split < readers.size(); ++split) {
      if (next.at(split))
        problem(kTitlesFile, 0,
                fmt::format("has no title for the page {} of {}{}", quote_for_message(title_of(*next.at(split))),
                            split_pages(split), kExportAgain));
    }
  }

  void add_common(const MadePage& made, CommonLines& common) {
    const auto& lines = made.lines;
    common.titles.push_back(xxh3_64(lines.title));
    for (const auto topic : lines.topics)
      if (common.car_ids.insert(topic).second) common.topics.push_back(topic);
    append(common.qids, lines.qids);
    append(common.id_map, lines.id_map);
    append(common.topic_texts, lines.topic_texts);
    append(common.entity_qids, lines.entity_qids);
    for (const auto& [id, levels] : lines.format_topics) {
      const auto text = queries_.find(id);
      if (text == queries_.end()) {
        problem(kQueriesFile, 0, "has no line for topic " + quote_for_message(id) + std::string(kExportAgain));
        continue;
      }
      const auto tsv = xxh3_64(id + "\t" + text->second);
      (levels.empty() ? common.unscored : common.texts).at(made.split).push_back(tsv);
      if (!levels.empty()) common.queries.push_back(xxh3_64(beir_json(id, text->second, false)));
      for (const auto level : levels)
        common.topics_of.at(made.split).at(static_cast<std::size_t>(level)).push_back(tsv);
    }
  }

  void check_part(const std::string& part, const PartLines& of_part) {
    const ReleaseFileNames files{part};
    const auto& lines = of_part.lines;
    check_header(files.pages(), FileType::kPages);
    check_records(files.outlines(), of_part.outlines, FileType::kOutlines);
    check_records(files.paragraphs(), of_part.paragraphs, FileType::kParagraphs);
    for (const auto& [name, level] : kQrelsLevels) {
      const auto index = static_cast<std::size_t>(level);
      check_lines(files.passage_qrels(name), lines.passages.at(index), LineOrder::kSorted);
      if (level != QrelsLevel::kTree)
        check_lines(files.entity_qrels(name), lines.entities.at(index), LineOrder::kSorted);
    }
    check_lines(files.support_passages(), lines.support_passages, LineOrder::kSorted);
    check_lines(files.faceted_qrels(), lines.faceted, LineOrder::kSorted);
    check_lines(files.clusters(), lines.clusters, LineOrder::kOfPages);
    check_lines(files.entity_linking(), lines.entity_linking, LineOrder::kOfPages);
    numbers_.parts[part] = lines.numbers;
  }

  void check_common(const CommonLines& common) {
    check_lines(kTitlesFile, common.titles, LineOrder::kOfPages);
    check_lines(kTopicsFile, common.topics, LineOrder::kOfPages);
    check_lines(kQidsFile, common.qids, LineOrder::kOfPages);
    check_lines(kIdMapFile, common.id_map, LineOrder::kOfPages);
    check_lines(kTopicTextFile, common.topic_texts, LineOrder::kOfPages);
    check_lines(kEntityQidsFile, common.entity_qids, LineOrder::kSorted);
    for (const std::string_view file : {kQueriesFile, std::string_view("hf/queries.jsonl.gz")})
      check_lines(std::string(file), common.queries, LineOrder::kSorted);
    for (std::size_t split = 0; split < std::size(kSplits); ++split) {
      check_lines(fmt::format("ir_datasets/queries.{}.tsv", kSplits[split]), common.texts.at(split),
                  LineOrder::kSorted);
      check_lines(fmt::format("trec/{}.unscored.tsv", kSplits[split]), common.unscored.at(split), LineOrder::kSorted);
      for (const auto& [name, level] : kQrelsLevels)
        check_lines(fmt::format("trec/{}.{}.topics.tsv", kSplits[split], name),
                    common.topics_of.at(split).at(static_cast<std::size_t>(level)), LineOrder::kSorted);
    }
  }

  /// A fold, whose pages are some of those of its split, in their order.
  void check_fold(const std::string& part) {
    const std::size_t split = part.ends_with("-test") ? 1 : 0;
    PartLines of_part;
    OrderedBatches<Page, PageLines> batches(
        kPagesPerBatch, [&](Page& page) { return lines_of(page, rules_); },
        [&](const PageLines& lines) {
          stop_.check();
          of_part.add(lines);
        });
    const auto file = ReleaseFileNames{part}.pages();
    for_each_page(directory_ / file, [&](const Page& page) { batches.add(page); });
    batches.finish();
    std::size_t least = 0;
    for (const auto page : of_part.pages) {
      const auto at = in_split_.at(split).find(page);
      if (at == in_split_.at(split).end() || at->second < least)
        problem(file, 0,
                fmt::format("has a page that {} does not have at this place, or that another fold has{}",
                            split_pages(split), kExportAgain));
      if (at == in_split_.at(split).end()) continue;
      least = at->second;
      in_split_.at(split).erase(at);  // no other fold has it
    }
    check_part(part, of_part);
  }

  void check_fold_pages() {
    for (std::size_t split = 0; split < in_split_.size(); ++split) {
      if (!in_split_.at(split).empty())
        problem(split_pages(split), 0,
                fmt::format("has {} pages that no fold has{}", in_split_.at(split).size(), kExportAgain));
    }
  }

  void check_knowledge_base(LeakIndex query_pages) {
    struct Lines {
      std::uint64_t record = 0;
      std::vector<Leak> leaks;
    };
    LeakCheck leaks(std::move(query_pages), {.representative = rules_.representative});
    Hashes records;
    OrderedBatches<Page, Lines> batches(
        kPagesPerBatch,
        [&](Page& page) {
          return Lines{record_hash(page), leaks.find(page)};
        },
        [&](const Lines& page) {
          stop_.check();
          leaks.add(page.leaks);
          records.push_back(page.record);
        });
    check_header(kKnowledgePages, FileType::kPages);
    for_each_page(directory_ / kKnowledgePages, [&](const Page& page) { batches.add(page); });
    batches.finish();
    numbers_.knowledge_pages = report_.counts["knowledge base pages"] = records.size();
    check_splits("allButBenchmark.pages", records, kPagesPerSplit);
    for (const auto& leak : leaks.leaks()) {
      problem(kKnowledgePages, 0,
              fmt::format("page {} leaks the query page {} ({}){}", quote_for_message(leak.page_name),
                          quote_for_message(leak.query_id), kLeakKinds[static_cast<std::size_t>(leak.kind)].first,
                          kExportAgain));
    }
  }

  /// What the collection says of itself, compared with what was counted. Texts for people are compared only if this
  /// version of the program wrote them, since another one may word things differently.
  void check_statements() {
    auto expected = manifest_;
    expected.numbers = numbers_;
    if (!expected.health.empty()) expected.health = examine_automatic(directory_, expected.info, stop_);
    if (expected.baseline && score_) expected.baseline->scores = score_(directory_);
    check_text(release::kManifest.name, manifest_text(expected));
    if (expected.baseline)
      check_text(release::kBaselineScoresFile, release::baseline_scores_tsv(expected.baseline->scores));
    if (manifest_.info.program_version != program_version()) return;
    check_text(kLicenseFile, license_text(expected.info));
    check_text(release::kCard.name, automatic_card(expected));
    check_text("hf/README.md", hub_card(facts_for_hub(expected.info), {"train", "test"}));
  }

  const release::BaselineScorer& score_;
  std::vector<std::string> names_;
  AutomaticNumbers numbers_;  ///< as counted
  NearDuplicates duplicates_;
  PassageRules rules_;
  std::unordered_map<std::string, std::string> queries_;            ///< id -> text
  std::unordered_set<std::uint64_t> corpus_;                        ///< hashes of ids
  Hashes corpus_order_;                                             ///< likewise
  std::unordered_map<std::uint64_t, std::string> expected_places_;  ///< of query pages: place_hash -> docid
  std::array<std::unordered_map<std::uint64_t, std::size_t>, std::size(kSplits)> in_split_;  ///< record -> place
};

}  // namespace

release::ValidationReport validate_automatic(const fs::path& directory, const StopFlag& stop,
                                             const release::BaselineScorer& score) {
  return AutomaticValidator(directory, stop, score).run();
}

}  // namespace touchstone::collection::automatic::validation
