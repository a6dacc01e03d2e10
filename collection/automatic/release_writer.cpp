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

struct ReleaseWriter::Impl {
  /// Qrels of one level; the tree has no qrels of entities in a release.
  struct LevelFiles {
    QrelsLevel level;
    std::unique_ptr<QrelsFileWriter> passages, entities;
  };

  Impl(const std::filesystem::path& folder, const std::string& part)
      : names{part},
        support_passages(folder / names.support_passages()),
        faceted(folder / names.faceted_qrels()),
        clusters(folder / names.clusters()),
        entity_linking(folder / names.entity_linking()) {
    for (const auto& [name, level] : kQrelsLevels) {
      LevelFiles files{level, std::make_unique<QrelsFileWriter>(folder / names.passage_qrels(name)), nullptr};
      if (level != QrelsLevel::kTree)
        files.entities = std::make_unique<QrelsFileWriter>(folder / names.entity_qrels(name));
      levels.push_back(std::move(files));
    }
  }

  void add_qrels(const Derivation& derivation) {
    const std::string& page = derivation.topic.title;
    for (auto& [level, passages, entities] : levels) {
      for (const auto& qrel : passage_qrels(derivation, level)) passages->add(qrel, page);
      if (entities == nullptr) continue;
      for (const auto& qrel : entity_qrels(derivation, level)) entities->add(qrel, page);
    }
    for (const auto& qrel : support_passage_qrels(derivation)) support_passages.add(qrel, page);
    for (const auto& judgment : faceted_qrels(derivation)) faceted.add(judgment.qrel, judgment.facet, page);
  }

  ReleaseFileNames names;
  std::vector<LevelFiles> levels;
  QrelsFileWriter support_passages, faceted;
  TextWriter clusters, entity_linking;
};

ReleaseWriter::ReleaseWriter(const std::filesystem::path& folder, const std::string& part)
    : impl_(std::make_unique<Impl>(folder, part)) {}

ReleaseWriter::~ReleaseWriter() = default;

void ReleaseWriter::add(const Derivation& derivation) {
  impl_->add_qrels(derivation);  // first, because it refuses ids that cannot be written
  impl_->clusters.write(cluster_line(derivation));
  impl_->entity_linking.write(entity_linking_lines(derivation));
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

struct ReleaseIndex::Impl {
  explicit Impl(const std::filesystem::path& folder)
      : titles(folder / kTitlesFile),
        topics(folder / kTopicsFile),
        qids(folder / kQidsFile),
        id_map(folder / kIdMapFile),
        topic_texts(folder / kTopicTextFile) {}

  void add_ids(const std::string& car_id, const std::string& id) {
    const auto digest = xxh3_64(car_id);
    if (seen.insert(digest).second) {
      topics.write(car_id + "\n");
    } else {
      shared.insert(digest);
    }
    id_map.write(car_id + "\t" + id + "\n");
  }

  void add_topic(const Derivation& derivation) {
    const auto& topic = derivation.topic;
    titles.write(one_line(topic.title) + "\n");
    topic_texts.write(formats::trec::topic_line(topic.id, topic.title));
    if (!topic.qid.empty()) qids.write(one_line(topic.qid) + "\n");
    add_ids(topic.car_id, topic.id);
    for (const auto& facet : derivation.facets) add_ids(facet.car_id, facet.id);
  }

  TextWriter titles, topics, qids, id_map, topic_texts;
  std::unordered_set<std::uint64_t> seen, shared;  // digests of CAR ids
};

ReleaseIndex::ReleaseIndex(const std::filesystem::path& folder) : impl_(std::make_unique<Impl>(folder)) {}

ReleaseIndex::~ReleaseIndex() = default;

void ReleaseIndex::add(const Derivation& derivation) {
  impl_->add_topic(derivation);
}

std::uint64_t ReleaseIndex::shared_ids() const noexcept {
  return impl_->shared.size();
}

void ReleaseIndex::finish() {
  for (TextWriter* file : {&impl_->titles, &impl_->topics, &impl_->qids, &impl_->id_map, &impl_->topic_texts})
    file->finish();
}

}  // namespace touchstone::collection::automatic
