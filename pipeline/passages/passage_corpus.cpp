#include "pipeline/passages/passage_corpus.hpp"

#include "common/error.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "pipeline/flow/work_files.hpp"

#include <algorithm>
#include <utility>

namespace touchstone::pipeline::passages {

PassageCorpus::PassageCorpus(const flow::ReadContext& context)
    : wiki_(corpus::wiki_name(context.options<corpus::NameOptions>(), corpus::TitleIndex(context.store).site())),
      parts_(flow::kept_parts(context.input(kPassagesFolder))),
      blocks_(records::RecordFile<PassageBlock>::read(context.input(kPassageIndexFile))),
      repeats_(PassageRepeats::read(context.input(kRepeatsFile))) {}

PassageCorpus::PassageCorpus(const storage::Store& store, const flow::WorkPaths& paths, const corpus::NameOptions& name)
    : wiki_(corpus::wiki_name(name, corpus::TitleIndex(store).site())),
      parts_(flow::kept_parts(paths.file(kPassagesFolder))),
      blocks_(records::RecordFile<PassageBlock>::read(paths.file(kPassageIndexFile))),
      repeats_(PassageRepeats::read(paths.file(kRepeatsFile))) {}

std::optional<PagePassages> PassageCorpus::article(PageId page) const {
  auto block = std::upper_bound(blocks_.begin(), blocks_.end(), page,
                                [](PageId wanted, const PassageBlock& other) { return wanted < other.first; });
  if (block == blocks_.begin()) return std::nullopt;
  --block;
  auto& open = open_.local();
  if (!open.reader || open.number != block->part) {
    open.reader.emplace(parts_.at(block->part));
    open.number = block->part;
  }
  PagePassages article;
  return open.reader->find(block->offset, page.value, article) ? std::optional(std::move(article)) : std::nullopt;
}

std::vector<Passage> PassageCorpus::passages(PageId page) const {
  auto found = article(page);
  return found ? std::move(found->passages) : std::vector<Passage>();
}

std::vector<Passage> PassageCorpus::corpus_passages(PageId page) const {
  auto found = article(page);
  if (!found) return {};
  drop_repeats(*found);
  return std::move(found->passages);
}

void PassageCorpus::drop_repeats(PagePassages& article) const {
  std::erase_if(article.passages, [&](const Passage& passage) {
    return repeats_.at({article.page, passage.ordinal}) != nullptr;
  });
}

std::uint64_t PassageCorpus::end_of_part(std::size_t part) const {
  const auto next = std::partition_point(blocks_.begin(), blocks_.end(),
                                         [&](const PassageBlock& block) { return block.part <= part; });
  return next == blocks_.end() ? std::uint64_t{1} << 32 : next->first.value;
}

std::string PassageCorpus::docid(PageId page, std::uint32_t ordinal) const {
  return corpus::make_docid(wiki_, page, ordinal);
}

PassageCorpus checked_passages(const storage::Store& store, const flow::WorkPaths& paths,
                               const corpus::NameOptions& name) {
  if (!std::filesystem::exists(paths.file(kRepeatsFile))) {
    throw StorageError("there are no passages in " + paths.root.string() + " yet; run touchstone passages or build");
  }
  for (const auto file : {kPassageIndexFile, kRepeatsFile}) flow::checked_file(store, paths, file);
  return {store, paths, name};
}

std::vector<flow::Artifact> passage_artifacts() {
  return {flow::folder(kPassagesFolder), flow::file(kPassageIndexFile), flow::file(kRepeatsFile)};
}

std::vector<flow::Artifact> with_passages(std::vector<flow::Artifact> others) {
  const auto passages = passage_artifacts();
  others.insert(others.end(), passages.begin(), passages.end());
  return others;
}

}  // namespace touchstone::pipeline::passages
