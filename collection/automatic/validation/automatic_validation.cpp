#include "collection/automatic/validation/automatic_validation.hpp"

#include "collection/automatic/automatic_files.hpp"
#include "collection/automatic/automatic_health.hpp"
#include "collection/automatic/automatic_writer.hpp"
#include "collection/automatic/leak_check.hpp"
#include "collection/automatic/manifest.hpp"
#include "collection/automatic/near_duplicates.hpp"
#include "collection/automatic/ordered_batches.hpp"
#include "collection/automatic/release_writer.hpp"
#include "collection/release/files.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/scratch_folder.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/record_file.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <functional>
#include <map>
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
using automatic::Derivation;
using automatic::EncodedPage;
using automatic::EncodedPassage;
using automatic::EncodedQueryPage;
using automatic::LeakCheck;
using automatic::NearDuplicates;
using automatic::OrderedBatches;
using automatic::ReleaseFileNames;
using formats::car::for_each_page;
using formats::car::for_each_paragraph;
using formats::car::Page;
using formats::car::Paragraph;
using formats::fields::quote_for_message;

constexpr const char* kExportAgain = "; export the collection again";
constexpr std::string_view kQueriesFile = "beir/queries.jsonl";
constexpr std::size_t kPagesPerBatch = 128, kPassagesPerBatch = 1024;

/// A query page of the directory.
struct QueryPage {
  Page page;
  bool test = false;
};

/// The same as it is written again.
struct MadeQueryPage {
  Page page;
  automatic::QueryTexts texts;
  EncodedQueryPage encoded;
  std::vector<std::string> problems;
};

class AutomaticValidator {
 public:
  AutomaticValidator(fs::path directory, const StopFlag& stop, const release::BaselineScorer& score)
      : directory_(std::move(directory)), stop_(stop), score_(score) {}

  release::ValidationReport run() {
    check_digests();
    // What follows reads all files; a damage that the digests show is reported once.
    if (!report_.ok()) return std::move(report_);
    try {
      const ScratchFolder folder("validate");
      rebuild(folder.path() / "automatic");
      if (report_.ok()) compare(folder.path() / "automatic");
    } catch (const FormatError& error) {
      problem(directory_.filename().string(), 0, error.what());
    }
    return std::move(report_);
  }

 private:
  void problem(std::string_view file, std::uint64_t line, std::string what) {
    ++report_.problem_count;
    if (report_.problems.size() < release::kMaxProblems)
      report_.problems.push_back({std::string(file), line, std::move(what)});
  }

  void check_digests() {
    const std::string name(release::kDigests.name);
    if (!fs::is_regular_file(directory_ / name)) {
      problem(name, 0, std::string("is missing") + kExportAgain);
      return;
    }
    for_each_line(directory_ / name, [&](std::string_view line, std::uint64_t number) {
      constexpr std::size_t kDigits = 64;
      const bool has_form = line.size() > kDigits + 2 && line.substr(kDigits, 2) == "  ";
      if (!has_form || !listed_.emplace(line.substr(kDigits + 2), line.substr(0, kDigits)).second)
        problem(name, number, "is not \"<64 hexadecimal digits>  <file>\", each file once; write the file again");
      return true;
    });
    for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
      const auto file = entry.path().lexically_relative(directory_).string();
      if (!entry.is_directory() && file != name && !listed_.contains(file))
        problem(file, 0, "is not in sha256sums.txt; move it away, or export the collection again");
    }
    for (const auto& [file, digest] : listed_) {
      stop_.check();
      if (!fs::is_regular_file(directory_ / file)) {
        problem(file, 0, std::string("is missing") + kExportAgain);
      } else if (sha256_file(directory_ / file) != digest) {
        problem(file, 0, std::string("does not have the SHA-256 that sha256sums.txt gives") + kExportAgain);
      }
    }
  }

  /// Makes the health checks again if the collection has any.
  health::HealthExaminer examiner(const AutomaticInfo& info) const {
    if (read_manifest(directory_).health.empty()) return {};
    return [this, info](const fs::path& directory) { return examine_automatic(directory, info, stop_); };
  }

  /// Takes the run of the collection as it is, and scores it again.
  std::optional<release::BaselineSystem> baseline_system() const {
    const auto stated = read_manifest(directory_).baseline;
    if (!stated) return std::nullopt;
    release::BaselineSystem system;
    system.about = *stated;
    system.retrieve = [this](const fs::path&, TextWriter& run) {
      for_each_line(directory_ / release::kBaselineRunFile, [&](std::string_view line, std::uint64_t) {
        run.write(std::string(line) + "\n");
        return true;
      });
      return true;
    };
    system.score = [this, stated](const fs::path& directory) { return score_ ? score_(directory) : stated->scores; };
    return system;
  }

  /// Writes the collection again from its pages, corpus, near-duplicates and queries.
  void rebuild(const fs::path& place) {
    const AutomaticInfo info = read_manifest(directory_).info;
    duplicates_ = NearDuplicates::read(directory_ / automatic::kDuplicatesFile);
    options_ = {info.list_items, info.captions, representative()};
    read_queries();
    read_folds(info.folds);
    AutomaticWriter writer(place, info, release::Durability::kTemporary);
    add_corpus(writer);
    LeakCheck leaks(leak_options());
    add_query_pages(writer, leaks);
    add_knowledge_base(writer, leaks);
    writer.add_near_duplicates(directory_ / automatic::kDuplicatesFile);
    const auto baseline = baseline_system();
    const auto numbers = writer.finish(examiner(info), baseline ? &*baseline : nullptr);
    report_.counts["passages"] = numbers.passages;
    report_.counts["knowledge base pages"] = numbers.knowledge_pages;
    for (const char* split : {"train", "test"}) {
      const auto& part = numbers.parts.at(split);
      report_.counts["topics"] += part.pages;
      report_.counts["facets"] += part.facets;
      report_.counts["relevant passages"] +=
          part.passages.at(static_cast<std::size_t>(automatic::QrelsLevel::kHierarchical));
    }
  }

  void read_queries() {
    formats::beir::LineReader reader;
    for_each_line(directory_ / kQueriesFile, [&](std::string_view line, std::uint64_t number) {
      const auto query = reader.query(line);
      if (!query) {
        problem(kQueriesFile, number, query.error());
      } else if (formats::fields::is_blank(query->text)) {
        problem(kQueriesFile, number, "topic " + quote_for_message(query->id) + " has no text" + kExportAgain);
      } else {
        queries_.emplace(query->id, query->text);
      }
      return true;
    });
  }

  void read_folds(std::uint32_t folds) {
    for (std::uint32_t fold = 0; folds > 1 && fold < folds; ++fold) {
      for (const char* split : {"train", "test"}) {
        const ReleaseFileNames names{fmt::format("fold-{}-{}", fold, split)};
        for_each_page(directory_ / names.pages(), [&](const Page& page) { folds_[page.name] = fold; });
      }
    }
  }

  std::function<std::string(std::string_view)> representative() const {
    return [this](std::string_view id) { return duplicates_.representative(id); };
  }

  automatic::LeakCheckOptions leak_options() const {
    automatic::LeakCheckOptions options;
    options.representative = representative();
    return options;
  }

  void add_corpus(AutomaticWriter& writer) {
    struct Checked {
      std::string id;
      bool has_own_id = true;
      EncodedPassage encoded;
    };
    const auto check = [](Paragraph& paragraph) {
      return Checked{paragraph.id, paragraph_id(paragraph.bodies) == paragraph.id,
                     automatic::encode_passage(paragraph)};
    };
    OrderedBatches<Paragraph, Checked> batches(kPassagesPerBatch, check, [&](const Checked& passage) {
      stop_.check();
      if (!passage.has_own_id)
        problem(automatic::kCorpusFile, 0,
                "passage " + quote_for_message(passage.id) + " has another text than its id says" + kExportAgain);
      if (!corpus_.insert(passage.id).second)
        problem(automatic::kCorpusFile, 0, "holds passage " + quote_for_message(passage.id) + " twice" + kExportAgain);
      writer.add_passage(passage.encoded);
    });
    for_each_paragraph(directory_ / automatic::kCorpusFile,
                       [&](const Paragraph& paragraph) { batches.add(paragraph); });
    batches.finish();
  }

  /// The query pages of both splits, in the order of the titles.
  void add_query_pages(AutomaticWriter& writer, LeakCheck& leaks) {
    std::unordered_map<std::string, bool> is_test;  // title -> split
    for (const bool test : {false, true}) {
      const ReleaseFileNames names{test ? "test" : "train"};
      for_each_page(directory_ / names.pages(), [&](const Page& page) { is_test[page.name] = test; });
    }
    OrderedBatches<QueryPage, MadeQueryPage> batches(
        kPagesPerBatch, [&](QueryPage& query) { return make_query_page(query, leaks); },
        [&](const MadeQueryPage& made) {
          for (const auto& what : made.problems) problem(split_pages(made.encoded.test), 0, what);
          writer.add(made.encoded);
          leaks.add_query_page(made.page, made.texts);
        });
    // Files of one split have the order of the titles, so that the two are read side by side.
    formats::car::CarReader train(directory_ / split_pages(false)), test(directory_ / split_pages(true));
    for_each_line(directory_ / automatic::kTitlesFile, [&](std::string_view title, std::uint64_t number) {
      stop_.check();
      const auto split = is_test.find(std::string(title));
      auto record = split == is_test.end() ? std::nullopt : (split->second ? test : train).next();
      Page* page = record && record->record ? std::get_if<Page>(&*record->record) : nullptr;
      if (page == nullptr || page->name != title) {
        problem(automatic::kTitlesFile, number,
                "the pages do not have this title at this place" + std::string(kExportAgain));
        return false;
      }
      kill_point("validate.query_page");
      batches.add({std::move(*page), split->second});
      return true;
    });
    batches.finish();
  }

  static std::string knowledge_pages() { return ReleaseFileNames{std::string(automatic::kKnowledgeBase)}.pages(); }
  static std::string split_pages(bool test) { return ReleaseFileNames{test ? "test" : "train"}.pages(); }

  /// \pre the corpus is known
  MadeQueryPage make_query_page(QueryPage& query, const LeakCheck& leaks) const {
    const Page& page = query.page;
    const Derivation derivation = derive(page, options_);
    MadeQueryPage made;
    for (const auto& passage : derivation.passages) {
      if (!corpus_.contains(passage.id))
        made.problems.push_back("passage " + quote_for_message(passage.id) + " of " + quote_for_message(page.name) +
                                " is not in the corpus" + kExportAgain);
    }
    std::map<std::vector<std::string>, std::string> ids{{{}, derivation.topic.id}};
    for (const auto& facet : derivation.facets) ids.emplace(facet.headings, facet.id);
    const auto fold = folds_.find(page.name);
    made.encoded =
        automatic::encode_query_page({&page, &derivation, query.test, fold == folds_.end() ? 0 : fold->second,
                                      [&](const std::vector<std::string>& headings) {
                                        const auto text = queries_.find(ids.at(headings));
                                        return text == queries_.end() ? std::string() : text->second;
                                      }});
    made.texts = leaks.texts_of(page);
    made.page = std::move(query.page);
    return made;
  }

  void add_knowledge_base(AutomaticWriter& writer, LeakCheck& leaks) {
    struct Checked {
      EncodedPage encoded;
      std::vector<automatic::Leak> leaks;
    };
    OrderedBatches<Page, Checked> batches(
        kPagesPerBatch,
        [&](Page& page) {
          return Checked{automatic::encode_page(page), leaks.find(page)};
        },
        [&](const Checked& page) {
          stop_.check();
          leaks.add(page.leaks);
          writer.add_knowledge_page(page.encoded);
        });
    for_each_page(directory_ / knowledge_pages(), [&](const Page& page) { batches.add(page); });
    batches.finish();
    for (const auto& leak : leaks.leaks()) {
      problem(knowledge_pages(), 0,
              fmt::format("page {} leaks the query page {} ({}){}", quote_for_message(leak.page_name),
                          quote_for_message(leak.query_id),
                          automatic::kLeakKinds[static_cast<std::size_t>(leak.kind)].first, kExportAgain));
    }
  }

  /// Compares the directory with the one that was written again.
  void compare(const fs::path& rebuilt) {
    for_each_line(rebuilt / release::kDigests.name, [&](std::string_view line, std::uint64_t) {
      stop_.check();
      constexpr std::size_t kDigits = 64;
      const std::string file(line.substr(kDigits + 2));
      if (!fs::is_regular_file(directory_ / file)) {
        problem(file, 0, std::string("is missing") + kExportAgain);
      } else if (listed_[file] != line.substr(0, kDigits)) {
        problem(
            file, first_difference(directory_ / file, rebuilt / file),
            std::string("does not follow from the pages, the corpus and the queries of the collection") + kExportAgain);
      }
      return true;
    });
    for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
      const auto file = entry.path().lexically_relative(directory_);
      if (!entry.is_directory() && !fs::exists(rebuilt / file))
        problem(file.string(), 0, "is not part of an automatic collection; move it away");
    }
  }

  /// The first line that differs; 0 for files that are no text.
  static std::uint64_t first_difference(const fs::path& a, const fs::path& b) {
    if (a.extension() == ".cbor") return 0;
    std::vector<std::uint64_t> lines;  // hashes
    for_each_line(b, [&](std::string_view line, std::uint64_t) {
      lines.push_back(xxh3_64(line));
      return true;
    });
    std::uint64_t first = 0;
    for_each_line(a, [&](std::string_view line, std::uint64_t number) {
      if (number <= lines.size() && lines[number - 1] == xxh3_64(line)) return true;
      first = number;
      return false;
    });
    return first == 0 ? lines.size() : first;
  }

  fs::path directory_;
  const StopFlag& stop_;
  const release::BaselineScorer& score_;
  std::map<std::string, std::string> listed_;  // file -> digest, as sha256sums.txt says; they were found to be true
  NearDuplicates duplicates_;
  automatic::DerivationOptions options_;
  std::unordered_map<std::string, std::string> queries_;  // id -> text
  std::unordered_map<std::string, std::uint32_t> folds_;  // title -> fold
  std::unordered_set<std::string> corpus_;                // ids
  release::ValidationReport report_;
};

}  // namespace

release::ValidationReport validate_automatic(const fs::path& directory, const StopFlag& stop,
                                             const release::BaselineScorer& score) {
  return AutomaticValidator(directory, stop, score).run();
}

}  // namespace touchstone::collection::automatic::validation
