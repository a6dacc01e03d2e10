#include "collection/automatic/qrels_folder.hpp"

#include "collection/automatic/derivation.hpp"
#include "collection/automatic/judgments.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "formats/car/record_file.hpp"
#include "formats/trec/qrels.hpp"

#include <memory>
#include <set>
#include <system_error>
#include <unordered_map>

namespace touchstone::collection::automatic {
namespace {

namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw StorageError("cannot make the folder " + folder.string() + "; name another one with --out");
}

/// Tells which ids several pages of different titles have.
class SharedIds {
 public:
  void add(const PageTopic& topic) {
    const auto title = xxh3_64(topic.title);
    const auto [known, is_new] = title_of_.try_emplace(topic.car_id, title);
    if (!is_new && known->second != title) shared_.insert(topic.car_id);
  }
  std::vector<std::string> take() const { return {shared_.begin(), shared_.end()}; }

 private:
  std::unordered_map<std::string, std::uint64_t> title_of_;
  std::set<std::string> shared_;
};

/// The two files of a level.
struct LevelWriters {
  QrelsLevel level;
  std::string passages_name, entities_name;
  std::unique_ptr<QrelsWriter> passages, entities;
};

void add(const formats::trec::QrelRecord& qrel, const std::string& page, QrelsWriter& file) {
  file.add_lines(checked_qrels_line(qrel, "0", page));
}

std::vector<LevelWriters> open_levels(const fs::path& folder) {
  std::vector<LevelWriters> levels;
  for (const auto& [name, level] : kQrelsLevels) {
    LevelWriters writers{level, std::string(name) + ".qrels", std::string(name) + ".entity.qrels", nullptr, nullptr};
    writers.passages = std::make_unique<QrelsWriter>(std::vector{folder / writers.passages_name});
    writers.entities = std::make_unique<QrelsWriter>(std::vector{folder / writers.entities_name});
    levels.push_back(std::move(writers));
  }
  return levels;
}

QrelsFolder derive_from_pages(const fs::path& input, const fs::path& folder, const QrelsFolderOptions& options) {
  const DerivationOptions derivation_options{options.list_items, options.captions, {}};
  QrelsFolder written;
  SharedIds shared_ids;
  auto levels = open_levels(folder);
  formats::car::for_each_page(input, [&](const formats::car::Page& page) {
    const auto derivation = derive(page, derivation_options);
    const auto& title = derivation.topic.title;
    for (auto& writers : levels) {
      for (const auto& qrel : passage_qrels(derivation, writers.level)) add(qrel, title, *writers.passages);
      for (const auto& qrel : entity_qrels(derivation, writers.level)) add(qrel, title, *writers.entities);
    }
    shared_ids.add(derivation.topic);
    ++written.pages;
  });
  for (auto& writers : levels) {
    written.files.push_back({writers.passages_name, writers.passages->finish()});
    written.files.push_back({writers.entities_name, writers.entities->finish()});
  }
  written.shared_ids = shared_ids.take();
  return written;
}

QrelsFolder derive_from_qrels(const fs::path& input, const fs::path& folder) {
  const auto hierarchical = formats::trec::read_qrels(input);
  QrelsFolder written;
  for (const auto& [name, level] : kQrelsLevels) {
    const std::string file = std::string(name) + ".qrels";
    QrelsWriter writer({folder / file});
    for (const auto& qrel : qrels_of_level(hierarchical, level)) add(qrel, qrel.topic, writer);
    written.files.push_back({file, writer.finish()});
  }
  return written;
}

}  // namespace

QrelsFolder derive_qrels_folder(const fs::path& input, const fs::path& folder, const QrelsFolderOptions& options) {
  const auto kind = formats::car::detect_file(input);
  const bool from_qrels = kind.form == formats::car::FileForm::kQrels;
  if (from_qrels && (options.list_items || options.captions)) {
    throw ConfigError(input.string() +
                      " holds qrels, which have neither list items nor captions; leave the options out, or name the "
                      "pages file");
  }
  if (kind.type == formats::car::FileType::kOutlines) {
    throw FormatError(input.string() +
                      " holds outlines, which have no paragraphs to judge; name the pages file they were made from");
  }
  make_folder(folder);
  return from_qrels ? derive_from_qrels(input, folder) : derive_from_pages(input, folder, options);
}

}  // namespace touchstone::collection::automatic
