#include "collection/automatic/release_writer.hpp"

#include "collection/automatic/benchmarks.hpp"
#include "collection/automatic/judgments.hpp"
#include "collection/automatic/qrels_file.hpp"
#include "common/digest.hpp"
#include "common/files.hpp"
#include "common/records/first_of_each.hpp"
#include "common/records/sorter.hpp"
#include "common/side_tasks.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/trec/topics.hpp"

#include <utility>
#include <vector>

namespace touchstone::collection::automatic {

using formats::fields::one_line;

namespace {

using formats::trec::QrelRecord;

std::string lines_of(const std::vector<QrelRecord>& qrels, const std::string& page) {
  std::string lines;
  for (const auto& qrel : qrels) lines += checked_qrels_line(qrel, "0", page);
  return lines;
}

void add_ids(IndexLines& lines, const std::string& car_id, const std::string& id) {
  lines.topics.push_back(car_id);
  lines.id_map += car_id + "\t" + id + "\n";
}

}  // namespace

ReleaseLines release_lines(const Derivation& derivation) {
  ReleaseLines lines;
  const std::string& page = derivation.topic.title;
  for (const auto& [name, level] : kQrelsLevels) {
    const auto index = static_cast<std::size_t>(level);
    lines.passages.at(index) = lines_of(passage_qrels(derivation, level), page);
    if (level != QrelsLevel::kTree) lines.entities.at(index) = lines_of(entity_qrels(derivation, level), page);
  }
  lines.support_passages = lines_of(support_passage_qrels(derivation), page);
  for (const auto& judgment : faceted_qrels(derivation))
    lines.faceted += checked_qrels_line(judgment.qrel, judgment.facet, page);
  lines.clusters = cluster_line(derivation);
  PieceDeflater entity_linking;
  for_each_entity_linking_line(derivation, [&](std::string_view line) { entity_linking.add(line); });
  lines.entity_linking = entity_linking.take();
  return lines;
}

struct ReleaseWriter::Impl {
  /// Qrels of one level; the tree has no qrels of entities in a release.
  struct LevelFiles {
    QrelsLevel level;
    std::unique_ptr<QrelsWriter> passages, entities;
  };
  /// Files of one part that keep the order of the pages.
  struct PartFiles {
    PartFiles(const std::filesystem::path& folder, const ReleaseFileNames& names, const WriteOptions& options)
        : clusters(folder / names.clusters(), options), entity_linking(folder / names.entity_linking(), options) {}
    TextWriter clusters, entity_linking;
  };

  Impl(const std::filesystem::path& folder, const std::vector<std::string>& part_names, const WriteOptions& options) {
    const auto qrels = [&](const auto& name_in) {
      std::vector<std::filesystem::path> paths;
      for (const auto& part : part_names) paths.push_back(folder / name_in(ReleaseFileNames{part}));
      return std::make_unique<QrelsWriter>(std::move(paths), options);
    };
    for (const auto& [name, level] : kQrelsLevels) {
      const std::string_view level_name = name;
      auto& files = levels.emplace_back(LevelFiles{level, nullptr, nullptr});
      files.passages = qrels([&](const auto& names) { return names.passage_qrels(level_name); });
      if (level != QrelsLevel::kTree)
        files.entities = qrels([&](const auto& names) { return names.entity_qrels(level_name); });
    }
    support_passages = qrels([](const auto& names) { return names.support_passages(); });
    faceted = qrels([](const auto& names) { return names.faceted_qrels(); });
    for (const auto& part : part_names)
      parts.push_back(std::make_unique<PartFiles>(folder, ReleaseFileNames{part}, options));
  }

  void finish() {
    SideTasks tasks;
    for (QrelsWriter* file : {support_passages.get(), faceted.get()}) tasks.run([file] { file->finish(); });
    for (auto& files : levels) {
      tasks.run([&files] { files.passages->finish(); });
      if (files.entities != nullptr) tasks.run([&files] { files.entities->finish(); });
    }
    tasks.run([this] {
      for (auto& part : parts) {
        part->clusters.finish();
        part->entity_linking.finish();
      }
    });
    tasks.wait();
  }

  std::vector<LevelFiles> levels;
  std::unique_ptr<QrelsWriter> support_passages, faceted;
  std::vector<std::unique_ptr<PartFiles>> parts;
};

ReleaseWriter::ReleaseWriter(const std::filesystem::path& folder, const std::vector<std::string>& parts,
                             const WriteOptions& options)
    : impl_(std::make_unique<Impl>(folder, parts, options)) {}

ReleaseWriter::~ReleaseWriter() = default;

void ReleaseWriter::add(const ReleaseLines& page, const std::vector<std::size_t>& parts) {
  std::uint64_t files = 0;
  for (const auto part : parts) files |= std::uint64_t{1} << part;
  for (auto& [level, passages, entities] : impl_->levels) {
    const auto index = static_cast<std::size_t>(level);
    passages->add_lines(page.passages.at(index), files);
    if (entities != nullptr) entities->add_lines(page.entities.at(index), files);
  }
  impl_->support_passages->add_lines(page.support_passages, files);
  impl_->faceted->add_lines(page.faceted, files);
  for (const auto part : parts) {
    impl_->parts.at(part)->clusters.write(page.clusters);
    impl_->parts.at(part)->entity_linking.write(page.entity_linking);
  }
}

void ReleaseWriter::finish() {
  impl_->finish();
}

IndexLines index_lines(const Derivation& derivation) {
  IndexLines lines;
  const auto& topic = derivation.topic;
  lines.titles = one_line(topic.title) + "\n";
  lines.topic_texts = formats::trec::topic_line(topic.id, topic.title);
  if (!topic.qid.empty()) lines.qids = one_line(topic.qid) + "\n";
  add_ids(lines, topic.car_id, topic.id);
  for (const auto& facet : derivation.facets) add_ids(lines, facet.car_id, facet.id);
  for (const auto& passage : derivation.passages) {
    for (const auto& entity : passage.entities)
      if (!entity.qid.empty()) lines.entity_qids.push_back({one_line(entity.page_id), one_line(entity.qid)});
  }
  return lines;
}

struct ReleaseIndex::Impl {
  Impl(const std::filesystem::path& folder, const WriteOptions& options)
      : titles(folder / kTitlesFile, options),
        topics(folder / kTopicsFile, options),
        qids(folder / kQidsFile, options),
        id_map(folder / kIdMapFile, options),
        topic_texts(folder / kTopicTextFile, options),
        entity_qids(folder / kEntityQidsFile, options),
        car_ids(folder, kSortBytes),
        sorted_entity_qids(folder, kSortBytes, records::Repeats::kDrop) {}

  static constexpr std::size_t kSortBytes = std::size_t{8} << 20;

  TextWriter titles, topics, qids, id_map, topic_texts, entity_qids;
  records::FirstOfEach car_ids;  // by their digests
  records::Sorter<EntityQid> sorted_entity_qids;
  std::uint64_t shared_ids = 0;
};

ReleaseIndex::ReleaseIndex(const std::filesystem::path& folder, const WriteOptions& options)
    : impl_(std::make_unique<Impl>(folder, options)) {}

ReleaseIndex::~ReleaseIndex() = default;

void ReleaseIndex::add(const IndexLines& page) {
  impl_->titles.write(page.titles);
  for (const auto& car_id : page.topics) impl_->car_ids.add(xxh3_64(car_id), car_id);
  impl_->qids.write(page.qids);
  impl_->id_map.write(page.id_map);
  impl_->topic_texts.write(page.topic_texts);
  for (const auto& entity : page.entity_qids) impl_->sorted_entity_qids.add(entity);
}

std::uint64_t ReleaseIndex::shared_ids() const noexcept {
  return impl_->shared_ids;
}

void ReleaseIndex::finish() {
  impl_->shared_ids =
      impl_->car_ids.finish([this](std::string_view car_id) { impl_->topics.write(std::string(car_id) + "\n"); });
  while (const auto entity = impl_->sorted_entity_qids.next())
    impl_->entity_qids.write(entity->car_id + "\t" + entity->qid + "\n");
  for (TextWriter* file :
       {&impl_->titles, &impl_->topics, &impl_->qids, &impl_->id_map, &impl_->topic_texts, &impl_->entity_qids})
    file->finish();
}

}  // namespace touchstone::collection::automatic
