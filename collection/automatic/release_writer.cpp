#include "collection/automatic/release_writer.hpp"

#include "collection/automatic/benchmarks.hpp"
#include "collection/automatic/judgments.hpp"
#include "collection/automatic/qrels_file.hpp"
#include "common/digest.hpp"
#include "common/files.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/trec/topics.hpp"

#include <unordered_set>
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
  lines.entity_linking = entity_linking_lines(derivation);
  return lines;
}

struct ReleaseWriter::Impl {
  /// Qrels of one level; the tree has no qrels of entities in a release.
  struct LevelFiles {
    QrelsLevel level;
    std::unique_ptr<QrelsFileWriter> passages, entities;
  };

  Impl(const std::filesystem::path& folder, const std::string& part, const WriteOptions& options)
      : names{part},
        support_passages(folder / names.support_passages(), QrelsFileWriter::kSortBytes, options),
        faceted(folder / names.faceted_qrels(), QrelsFileWriter::kSortBytes, options),
        clusters(folder / names.clusters(), options),
        entity_linking(folder / names.entity_linking(), options) {
    const auto qrels = [&](const std::string& name) {
      return std::make_unique<QrelsFileWriter>(folder / name, QrelsFileWriter::kSortBytes, options);
    };
    for (const auto& [name, level] : kQrelsLevels) {
      LevelFiles files{level, qrels(names.passage_qrels(name)), nullptr};
      if (level != QrelsLevel::kTree) files.entities = qrels(names.entity_qrels(name));
      levels.push_back(std::move(files));
    }
  }

  ReleaseFileNames names;
  std::vector<LevelFiles> levels;
  QrelsFileWriter support_passages, faceted;
  TextWriter clusters, entity_linking;
};

ReleaseWriter::ReleaseWriter(const std::filesystem::path& folder, const std::string& part, const WriteOptions& options)
    : impl_(std::make_unique<Impl>(folder, part, options)) {}

ReleaseWriter::~ReleaseWriter() = default;

void ReleaseWriter::add(const ReleaseLines& page) {
  for (auto& [level, passages, entities] : impl_->levels) {
    const auto index = static_cast<std::size_t>(level);
    passages->add_lines(page.passages.at(index));
    if (entities != nullptr) entities->add_lines(page.entities.at(index));
  }
  impl_->support_passages.add_lines(page.support_passages);
  impl_->faceted.add_lines(page.faceted);
  impl_->clusters.write(page.clusters);
  impl_->entity_linking.write(page.entity_linking);
}

void ReleaseWriter::finish() {
  for (auto& [level, passages, entities] : impl_->levels) {
    passages->finish();
    if (entities != nullptr) entities->finish();
  }
  impl_->support_passages.finish();
  impl_->faceted.finish();
  impl_->clusters.finish();
  impl_->entity_linking.finish();
}

IndexLines index_lines(const Derivation& derivation) {
  IndexLines lines;
  const auto& topic = derivation.topic;
  lines.titles = one_line(topic.title) + "\n";
  lines.topic_texts = formats::trec::topic_line(topic.id, topic.title);
  if (!topic.qid.empty()) lines.qids = one_line(topic.qid) + "\n";
  add_ids(lines, topic.car_id, topic.id);
  for (const auto& facet : derivation.facets) add_ids(lines, facet.car_id, facet.id);
  return lines;
}

struct ReleaseIndex::Impl {
  Impl(const std::filesystem::path& folder, const WriteOptions& options)
      : titles(folder / kTitlesFile, options),
        topics(folder / kTopicsFile, options),
        qids(folder / kQidsFile, options),
        id_map(folder / kIdMapFile, options),
        topic_texts(folder / kTopicTextFile, options) {}

  void add_topic(const std::string& car_id) {
    const auto digest = xxh3_64(car_id);
    if (seen.insert(digest).second) {
      topics.write(car_id + "\n");
    } else {
      shared.insert(digest);
    }
  }

  TextWriter titles, topics, qids, id_map, topic_texts;
  std::unordered_set<std::uint64_t> seen, shared;  // digests of CAR ids
};

ReleaseIndex::ReleaseIndex(const std::filesystem::path& folder, const WriteOptions& options)
    : impl_(std::make_unique<Impl>(folder, options)) {}

ReleaseIndex::~ReleaseIndex() = default;

void ReleaseIndex::add(const IndexLines& page) {
  impl_->titles.write(page.titles);
  for (const auto& car_id : page.topics) impl_->add_topic(car_id);
  impl_->qids.write(page.qids);
  impl_->id_map.write(page.id_map);
  impl_->topic_texts.write(page.topic_texts);
}

std::uint64_t ReleaseIndex::shared_ids() const noexcept {
  return impl_->shared.size();
}

void ReleaseIndex::finish() {
  for (TextWriter* file : {&impl_->titles, &impl_->topics, &impl_->qids, &impl_->id_map, &impl_->topic_texts})
    file->finish();
}

}  // namespace touchstone::collection::automatic
