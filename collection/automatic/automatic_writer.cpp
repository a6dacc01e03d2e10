#include "collection/automatic/automatic_writer.hpp"

#include "collection/automatic/automatic_card.hpp"
#include "collection/automatic/automatic_files.hpp"
#include "collection/automatic/format_directories.hpp"
#include "collection/automatic/json_splits.hpp"
#include "collection/automatic/release_writer.hpp"
#include "collection/release/files.hpp"
#include "collection/release/release_directory.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/records/first_of_each.hpp"
#include "common/side_tasks.hpp"
#include "formats/car/writer.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace touchstone::collection::automatic {
namespace {

using formats::car::CarWriter;
using formats::car::FileType;
using formats::car::Provenance;

Provenance provenance_of(const AutomaticInfo& info) {
  Provenance provenance;
  const auto add = [&](const release::WikiFacts& wiki) {
    provenance.sites.push_back({wiki.wiki, wiki.language, fmt::format("{}", fmt::join(wiki.dump_names, ", ")), {}});
  };
  add(info);
  for (const auto& wiki : info.knowledge) add(wiki);
  provenance.release_name = info.name;
  provenance.transforms.push_back({"touchstone", info.program_version, ""});
  return provenance;
}

const char* split_of(bool test) {
  return test ? "test" : "train";
}

/// The CBOR files of one part: pages, outlines and paragraphs.
class Part {
 public:
  Part(const std::filesystem::path& folder, const std::string& name, const Provenance& provenance,
       const WriteOptions& options)
      : names_{name},
        pages_(folder / names_.pages(), FileType::kPages, provenance, options),
        outlines_(folder / names_.outlines(), FileType::kOutlines, provenance, options),
        paragraphs_(folder / names_.paragraphs(), FileType::kParagraphs, provenance, options),
        passages_(folder, kSortBytes) {}

  void add(const EncodedQueryPage& page) {
    pages_.write_encoded(page.cbor);
    outlines_.write_encoded(page.outline_cbor);
    for (const auto& [id, cbor] : page.passages) passages_.add(xxh3_64(id), cbor);
    numbers_ += page.numbers;
  }

  void finish() {
    pages_.finish();
    outlines_.finish();
    passages_.finish([this](std::string_view cbor) { paragraphs_.write_encoded(cbor); });
    paragraphs_.finish();
  }

  const std::string& name() const { return names_.part; }
  const PartNumbers& numbers() const { return numbers_; }

 private:
  static constexpr std::size_t kSortBytes = std::size_t{4} << 20;  // less makes more files, of which few can be open

  ReleaseFileNames names_;
  CarWriter pages_, outlines_, paragraphs_;
  records::FirstOfEach passages_;  // by digests of ids
  PartNumbers numbers_;
};

}  // namespace

struct AutomaticWriter::Impl {
  Impl(const std::filesystem::path& directory, AutomaticInfo about, release::Durability how_long)
      : info(std::move(about)), place(directory, automatic_layout(), how_long), provenance(provenance_of(info)) {
    for (const auto& name : part_names(info))
      parts.push_back(std::make_unique<Part>(folder, name, provenance, options));
    for (const bool test : {false, true}) {
      const std::string split = split_of(test);
      page_lines.emplace(split, std::make_unique<JsonSplits>(folder / (split + ".pages.jsonl-splits"), "pages",
                                                             kPagesPerSplit, options));
    }
  }

  static std::string fold_name(std::uint32_t fold, bool test) {
    return fmt::format("fold-{}-{}", fold, split_of(test));
  }

  /// Training and test, then those of each fold.
  static std::vector<std::string> part_names(const AutomaticInfo& info) {
    std::vector<std::string> names{split_of(false), split_of(true)};
    for (std::uint32_t fold = 0; info.folds > 1 && fold < info.folds; ++fold) {
      for (const bool test : {false, true}) names.push_back(fold_name(fold, test));
    }
    return names;
  }

  /// Where a page goes, as indexes into the parts.
  std::vector<std::size_t> parts_of(bool test, std::uint32_t fold) const {
    const std::size_t split = test ? 1 : 0;
    if (info.folds <= 1) return {split};
    return {split, 2 * (std::size_t{fold} + 1) + split};
  }

  /// Completes all files that grow with the collection.
  void finish_large_files() {
    SideTasks tasks;
    tasks.run([this] { formats.finish(); });
    tasks.run([this] { release.finish(); });
    for (auto& part : parts) tasks.run([&part] { part->finish(); });
    tasks.run([this] {
      for (auto& [name, lines] : page_lines) lines->finish();
      index.finish();
      knowledge.finish();
      knowledge_lines.finish();
      corpus.finish();
      corpus_lines.finish();
      locators.finish();
      duplicates.finish();
    });
    tasks.wait();
  }

  AutomaticNumbers numbers() const {
    AutomaticNumbers all;
    for (const auto& part : parts) all.parts[part->name()] = part->numbers();
    all.passages = passages;
    all.knowledge_pages = knowledge_pages;
    all.shared_car_ids = index.shared_ids();
    return all;
  }

  AutomaticInfo info;
  release::ReleaseDirectory place;
  std::filesystem::path folder = place.folder();
  Provenance provenance;
  WriteOptions options = place.options();
  std::vector<std::unique_ptr<Part>> parts;
  ReleaseWriter release{folder, part_names(info), options};
  std::map<std::string, std::unique_ptr<JsonSplits>> page_lines;  // of train and test
  ReleaseIndex index{folder, options};
  FormatDirectories formats{folder, facts_for_hub(info), {"train", "test"}, options};
  CarWriter knowledge{folder / (std::string(kKnowledgeBase) + ".pages.cbor"), FileType::kPages, provenance, options};
  JsonSplits knowledge_lines{folder / (std::string(kKnowledgeBase) + ".pages.jsonl-splits"), "pages", kPagesPerSplit,
                             options};
  CarWriter corpus{folder / kCorpusFile, FileType::kParagraphs, provenance, options};
  JsonSplits corpus_lines{folder / "dedup.articles-paragraphs.jsonl-splits", "paragraphs", kParagraphsPerSplit,
                          options};
  TextWriter locators{folder / kLocatorsFile, options};
  TextWriter duplicates{folder / kDuplicatesFile, options};
  std::uint64_t passages = 0, knowledge_pages = 0;
};

AutomaticWriter::AutomaticWriter(const std::filesystem::path& directory, AutomaticInfo info,
                                 release::Durability durability)
    : impl_(std::make_unique<Impl>(directory, std::move(info), durability)) {}

AutomaticWriter::~AutomaticWriter() = default;

void AutomaticWriter::add(const EncodedQueryPage& query_page) {
  Impl& self = *impl_;
  const std::string split = split_of(query_page.test);
  const auto parts = self.parts_of(query_page.test, query_page.fold);
  for (const auto part : parts) self.parts.at(part)->add(query_page);
  self.release.add(query_page.release, parts);
  self.page_lines.at(split)->write(query_page.json_line);
  self.index.add(query_page.index);
  self.formats.add(split, query_page.formats);
}

void AutomaticWriter::add_knowledge_page(const EncodedPage& page) {
  impl_->knowledge.write_encoded(page.cbor);
  impl_->knowledge_lines.write(page.json_line);
  ++impl_->knowledge_pages;
}

void AutomaticWriter::add_passage(const EncodedPassage& passage) {
  impl_->corpus.write_encoded(passage.cbor);
  impl_->corpus_lines.write(passage.json_line);
  impl_->formats.add_passage(passage.formats);
  impl_->locators.write(passage.locators);
  ++impl_->passages;
}

void AutomaticWriter::add_near_duplicates(const std::filesystem::path& file) {
  for_each_line(file, [&](std::string_view line, std::uint64_t) {
    impl_->duplicates.write(std::string(line) + "\n");
    return true;
  });
}

AutomaticNumbers AutomaticWriter::finish(const health::HealthExaminer& examine,
                                         const release::BaselineSystem* baseline) {
  Impl& self = *impl_;
  self.finish_large_files();
  Manifest manifest{self.info, self.numbers(), {}, {}, {}};
  if (examine) manifest.health = examine(self.folder);
  if (baseline != nullptr && manifest.numbers.parts.at("test").pages > 0)
    manifest.baseline = write_baseline_run(self.folder, *baseline, self.options);
  self.place.write("LICENSE", license_text(self.info));
  self.place.write(release::kCard.name, automatic_card(manifest));
  manifest.files = self.place.entries();
  self.place.write(release::kManifest.name, manifest_text(manifest));
  self.place.publish(self.place.entries());
  return std::move(manifest.numbers);
}

}  // namespace touchstone::collection::automatic
