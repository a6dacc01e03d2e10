#include "collection/automatic/automatic_writer.hpp"

#include "collection/automatic/automatic_card.hpp"
#include "collection/automatic/automatic_files.hpp"
#include "collection/automatic/format_directories.hpp"
#include "collection/automatic/json_splits.hpp"
#include "collection/automatic/release_writer.hpp"
#include "collection/collection_files.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/json_lines.hpp"
#include "formats/car/writer.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace touchstone::collection::automatic {
namespace {

using formats::car::CarWriter;
using formats::car::FileType;
using formats::car::Page;
using formats::car::Paragraph;
using formats::car::Provenance;

Provenance provenance_of(const AutomaticInfo& info) {
  Provenance provenance;
  provenance.sites.push_back({info.wiki, info.language, fmt::format("{}", fmt::join(info.dump_names, ", ")), {}});
  provenance.release_name = info.name;
  provenance.transforms.push_back({"touchstone", info.program_version, ""});
  return provenance;
}

const char* split_of(bool test) {
  return test ? "test" : "train";
}

/// The files of one part: pages, outlines, paragraphs and all that follows from them.
class Part {
 public:
  Part(const std::filesystem::path& folder, const std::string& name, const Provenance& provenance)
      : names_{name},
        pages_(folder / names_.pages(), FileType::kPages, provenance),
        outlines_(folder / names_.outlines(), FileType::kOutlines, provenance),
        paragraphs_(folder / names_.paragraphs(), FileType::kParagraphs, provenance),
        release_(folder, name) {}

  void add(const QueryPageRecord& record) {
    const Derivation& derivation = *record.derivation;
    release_.add(derivation);  // first, because it refuses ids that cannot be written
    pages_.write(*record.page);
    outlines_.write(*record.page);
    for (const auto& passage : derivation.passages) {
      if (written_.insert(passage.paragraph->id).second) paragraphs_.write(*passage.paragraph);
    }
    count(derivation);
  }

  void finish() {
    pages_.finish();
    outlines_.finish();
    paragraphs_.finish();
    release_.finish();
  }

  const PartNumbers& numbers() const { return numbers_; }

 private:
  void count(const Derivation& derivation) {
    ++numbers_.pages;
    numbers_.facets += derivation.facets.size();
    numbers_.toplevel_facets +=
        static_cast<std::uint64_t>(std::count_if(derivation.facets.begin(), derivation.facets.end(),
                                                 [](const Facet& facet) { return facet.parent == kNoFacet; }));
    for (const auto& [name, level] : kQrelsLevels) {
      const auto index = static_cast<std::size_t>(level);
      numbers_.passages.at(index) += passage_qrels(derivation, level).size();
      numbers_.entities.at(index) += entity_qrels(derivation, level).size();
    }
  }

  ReleaseFileNames names_;
  CarWriter pages_, outlines_, paragraphs_;
  ReleaseWriter release_;
  std::unordered_set<std::string> written_;  // ids of paragraphs
  PartNumbers numbers_;
};

}  // namespace

struct AutomaticWriter::Impl {
  Impl(const std::filesystem::path& directory, AutomaticInfo about)
      : info(std::move(about)), place(prepared(directory)), folder(place.partial()), provenance(provenance_of(info)) {
    for (const bool test : {false, true}) part(split_of(test));
    for (std::uint32_t fold = 0; info.folds > 1 && fold < info.folds; ++fold) {
      for (const bool test : {false, true}) part(fold_name(fold, test));
    }
    for (const bool test : {false, true}) {
      const std::string split = split_of(test);
      page_lines.emplace(
          split, std::make_unique<JsonSplits>(folder / (split + ".pages.jsonl-splits"), "pages", kPagesPerSplit));
    }
  }

  static StagedDirectory prepared(const std::filesystem::path& directory) {
    StagedDirectory place(directory, automatic_layout());
    place.recover();
    place.check_replaceable();
    place.create_partial();
    return place;
  }

  static std::string fold_name(std::uint32_t fold, bool test) {
    return fmt::format("fold-{}-{}", fold, split_of(test));
  }

  Part& part(const std::string& name) {
    auto& made = parts[name];
    if (!made) made = std::make_unique<Part>(folder, name, provenance);
    return *made;
  }

  void add_topics(const QueryPageRecord& record) {
    const Derivation& derivation = *record.derivation;
    const std::string split = split_of(record.test);
    formats.add(FormatTopic{derivation.topic.id, record.wording({}), split, 0});
    std::set<std::string> added;  // facets whose headings differ, but not their ids, are one topic
    for (const auto& facet : derivation.facets) {
      if (added.insert(facet.id).second)
        formats.add(FormatTopic{facet.id, record.wording(facet.headings), split,
                                static_cast<std::uint32_t>(facet.headings.size())});
    }
    for (const auto& [name, level] : kQrelsLevels) {
      for (const auto& qrel : passage_qrels(derivation, level, IdForm::kUnambiguous)) formats.add(split, level, qrel);
    }
  }

  /// Writes a file whose content is known, below the digests.
  void write(std::string_view name, const std::string& bytes) { write_file_atomically(folder / name, bytes); }

  std::vector<FileEntry> entries() const {
    std::vector<FileEntry> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) found.push_back(this->entry(entry.path()));
    }
    sort_by_name(found);
    return found;
  }

  FileEntry entry(const std::filesystem::path& file) const {
    return {file.lexically_relative(folder).string(), std::filesystem::file_size(file), sha256_file(file)};
  }

  static void sort_by_name(std::vector<FileEntry>& entries) {
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  }

  AutomaticNumbers numbers() const {
    AutomaticNumbers all;
    for (const auto& [name, files] : parts) all.parts[name] = files->numbers();
    all.passages = passages;
    all.knowledge_pages = knowledge_pages;
    all.shared_car_ids = index.shared_ids();
    return all;
  }

  AutomaticInfo info;
  StagedDirectory place;
  std::filesystem::path folder;
  Provenance provenance;
  std::map<std::string, std::unique_ptr<Part>> parts;
  std::map<std::string, std::unique_ptr<JsonSplits>> page_lines;  // of train and test
  ReleaseIndex index{folder};
  FormatDirectories formats{folder, {info.name, info.language, info.license}, {"train", "test"}};
  CarWriter knowledge{folder / (std::string(kKnowledgeBase) + ".pages.cbor"), FileType::kPages, provenance};
  JsonSplits knowledge_lines{folder / (std::string(kKnowledgeBase) + ".pages.jsonl-splits"), "pages", kPagesPerSplit};
  CarWriter corpus{folder / kCorpusFile, FileType::kParagraphs, provenance};
  JsonSplits corpus_lines{folder / "dedup.articles-paragraphs.jsonl-splits", "paragraphs", kParagraphsPerSplit};
  TextWriter duplicates{folder / kDuplicatesFile};
  std::uint64_t passages = 0, knowledge_pages = 0;
};

AutomaticWriter::AutomaticWriter(const std::filesystem::path& directory, AutomaticInfo info)
    : impl_(std::make_unique<Impl>(directory, std::move(info))) {}

AutomaticWriter::~AutomaticWriter() = default;

void AutomaticWriter::add(const QueryPageRecord& query_page) {
  Impl& self = *impl_;
  self.part(split_of(query_page.test)).add(query_page);
  if (self.info.folds > 1) self.part(Impl::fold_name(query_page.fold, query_page.test)).add(query_page);
  self.page_lines.at(split_of(query_page.test))->write(page_json_line(*query_page.page));
  self.index.add(*query_page.derivation);
  self.add_topics(query_page);
}

void AutomaticWriter::add_knowledge_page(const Page& page) {
  impl_->knowledge.write(page);
  impl_->knowledge_lines.write(page_json_line(page));
  ++impl_->knowledge_pages;
}

void AutomaticWriter::add_passage(const Paragraph& passage) {
  impl_->corpus.write(passage);
  impl_->corpus_lines.write(paragraph_json_line(passage));
  impl_->formats.add_passage(passage.id, paragraph_text(passage));
  ++impl_->passages;
}

void AutomaticWriter::add_near_duplicates(const std::filesystem::path& file) {
  for_each_line(file, [&](std::string_view line, std::uint64_t) {
    impl_->duplicates.write(std::string(line) + "\n");
    return true;
  });
}

AutomaticNumbers AutomaticWriter::finish() {
  Impl& self = *impl_;
  for (auto& [name, files] : self.parts) files->finish();
  for (auto& [name, lines] : self.page_lines) lines->finish();
  self.index.finish();
  self.formats.finish();
  self.knowledge.finish();
  self.knowledge_lines.finish();
  self.corpus.finish();
  self.corpus_lines.finish();
  self.duplicates.finish();
  const AutomaticNumbers numbers = self.numbers();
  self.write("LICENSE", license_text(self.info));
  self.write(kCard.name, automatic_card(self.info, numbers));
  auto entries = self.entries();
  self.write(kManifest.name, automatic_manifest(self.info, numbers, entries));
  entries.push_back(self.entry(self.folder / kManifest.name));
  Impl::sort_by_name(entries);
  std::string digests;
  for (const auto& entry : entries) digests += entry.sha256 + "  " + entry.name + "\n";
  self.write(kDigests.name, digests);
  self.place.publish();
  return numbers;
}

}  // namespace touchstone::collection::automatic
