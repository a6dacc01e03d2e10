#include "collection/automatic/format_directories.hpp"

#include "collection/automatic/automatic_card.hpp"
#include "collection/automatic/automatic_files.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "common/records/sorter.hpp"
#include "common/side_tasks.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/trec/qrels.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace touchstone::collection::automatic {
namespace {

using formats::fields::one_line;
using formats::fields::plain_lines;
using formats::trec::QrelRecord;

constexpr std::size_t kSortBytes = std::size_t{2} << 20;  ///< of each of the sorted files

std::string query_json(std::string_view id, std::string_view text) {
  JsonWriter json({0, JsonEscapes::kLineBreaks});
  json.begin_object().field("_id", id).field("text", text);
  json.key("metadata").begin_object().end_object();
  return json.end_object().take() + "\n";
}

std::string passage_json(std::string_view id, std::string_view text) {
  JsonWriter json({0, JsonEscapes::kLineBreaks});
  json.begin_object().field("_id", id).field("title", "").field("text", text);
  json.key("metadata").begin_object().end_object();
  return json.end_object().take() + "\n";
}

}  // namespace

FormatPassage format_passage(std::string_view id, std::string_view text) {
  return {passage_json(id, plain_lines(text)), std::string(id) + "\t" + one_line(text) + "\n"};
}

struct FormatDirectories::Impl {
  using Level = std::pair<std::string_view, QrelsLevel>;

  Impl(std::filesystem::path root_folder, release::CollectionFacts card, std::vector<std::string> all_splits,
       WriteOptions how)
      : root(std::move(root_folder)),
        facts(std::move(card)),
        splits(std::move(all_splits)),
        options(std::move(how)),
        topics(root, kSortBytes, records::Repeats::kDrop) {
    for (const auto& split : splits) {
      for (const auto& level : kQrelsLevels)
        qrels.try_emplace({split, level.second}, root, kSortBytes, records::Repeats::kDrop);
    }
    for (const char* folder : {"beir/qrels", "hf/qrels", "ir_datasets", "trec"})
      std::filesystem::create_directories(root / folder);
    for (const auto& [name, level] : kQrelsLevels) {
      if (level != kMainLevel) std::filesystem::create_directories(root / fmt::format("beir/qrels-{}", name));
    }
    beir_corpus.emplace(root / "beir/corpus.jsonl", options);
    hub_corpus.emplace(root / "hf/corpus.jsonl.gz", options);
    docs.emplace(root / "ir_datasets/docs.tsv", options);
  }

  TextWriter file(const std::string& name) const { return TextWriter(root / name, options); }

  void write_topics() {
    struct SplitFiles {
      std::unique_ptr<TextWriter> all, unscored;
      std::vector<std::pair<QrelsLevel, std::unique_ptr<TextWriter>>> levels;
    };
    std::map<std::string, SplitFiles, std::less<>> files;
    for (const auto& split : splits) {
      auto& opened = files[split];
      opened.all = std::make_unique<TextWriter>(root / fmt::format("ir_datasets/queries.{}.tsv", split), options);
      opened.unscored = std::make_unique<TextWriter>(root / fmt::format("trec/{}.unscored.tsv", split), options);
      for (const auto& [name, level] : kQrelsLevels) {
        const auto path = root / fmt::format("trec/{}.{}.topics.tsv", split, name);
        opened.levels.emplace_back(level, std::make_unique<TextWriter>(path, options));
      }
    }
    TextWriter beir = file("beir/queries.jsonl"), hub = file("hf/queries.jsonl.gz");
    while (const auto topic = topics.next()) {
      const auto text = one_line(topic->text);
      const std::string tsv = fmt::format("{}\t{}\n", topic->id, text);
      const SplitFiles& of_split = files.find(topic->split)->second;
      if (topic->levels == 0) {
        of_split.unscored->write(tsv);
        continue;
      }
      const auto json = query_json(topic->id, text);
      beir.write(json);
      hub.write(json);
      of_split.all->write(tsv);
      for (const auto& [level, out] : of_split.levels) {
        if ((topic->levels >> static_cast<unsigned>(level) & 1U) != 0) out->write(tsv);
      }
    }
    beir.finish();
    hub.finish();
    for (auto& [split, opened] : files) {
      opened.all->finish();
      opened.unscored->finish();
      for (auto& [level, out] : opened.levels) out->finish();
    }
  }

  void write_qrels(const std::string& split, const Level& level) {
    const auto& [name, number] = level;
    TextWriter trec = file(fmt::format("trec/{}.{}.qrels", split, name));
    TextWriter datasets = file(fmt::format("ir_datasets/qrels.{}.{}.txt", split, name));
    TextWriter hub = file("hf/" + hub_qrels_name(name, split));
    TextWriter beir = file(number == kMainLevel ? fmt::format("beir/qrels/{}.tsv", split)
                                                : fmt::format("beir/qrels-{}/{}.tsv", name, split));
    beir.write(std::string(formats::beir::kQrelsHeader) + "\n");
    while (const auto qrel = qrels.at({split, number}).next()) {
      const std::string text = formats::trec::qrel_line(*qrel);
      trec.write(text);
      datasets.write(text);
      hub.write(formats::beir::qrel_json_line(*qrel));
      beir.write(formats::beir::qrel_line(*qrel));
    }
    for (TextWriter* out : {&trec, &datasets, &hub, &beir}) out->finish();
  }

  void finish() {
    SideTasks tasks;
    for (const auto& split : splits) {
      for (const auto& level : kQrelsLevels)
        tasks.run([this, &split, &level] { write_qrels(split, {level.first, level.second}); });
    }
    tasks.run([this] { write_topics(); });
    tasks.wait();
    write_file_atomically(root / "hf/README.md", hub_card(facts, splits), options);
    for (auto* out : {&*beir_corpus, &*hub_corpus, &*docs}) out->finish();
  }

  std::filesystem::path root;
  release::CollectionFacts facts;
  std::vector<std::string> splits;
  WriteOptions options;
  records::Sorter<FormatTopic> topics;
  std::map<std::pair<std::string, QrelsLevel>, records::Sorter<QrelRecord>> qrels;
  std::optional<TextWriter> beir_corpus, hub_corpus, docs;
};

FormatDirectories::FormatDirectories(std::filesystem::path root, release::CollectionFacts facts,
                                     std::vector<std::string> splits, WriteOptions options)
    : impl_(std::make_unique<Impl>(std::move(root), std::move(facts), std::move(splits), std::move(options))) {}

FormatDirectories::~FormatDirectories() = default;

void FormatDirectories::add(const std::string& split, FormatLabels page) {
  for (auto& topic : page.topics) impl_->topics.add(std::move(topic));
  for (const auto& [name, level] : kQrelsLevels) {
    auto& sorter = impl_->qrels.at({split, level});
    for (auto& qrel : page.qrels.at(static_cast<std::size_t>(level))) sorter.add(std::move(qrel));
  }
}

void FormatDirectories::add_passage(const FormatPassage& passage) {
  impl_->beir_corpus->write(passage.json);
  impl_->hub_corpus->write(passage.json);
  impl_->docs->write(passage.tsv);
}

void FormatDirectories::finish() {
  impl_->finish();
}

}  // namespace touchstone::collection::automatic
