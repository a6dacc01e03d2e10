#include "pipeline/automatic/knowledge_work.hpp"

#include "collection/release/license.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/records/record_file.hpp"
#include "pipeline/automatic/page_anchors.hpp"
#include "pipeline/automatic/page_relinker.hpp"
#include "pipeline/flow/parts.hpp"
#include "pipeline/flow/source_records.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "pipeline/flow/stage_manifest.hpp"
#include "pipeline/flow/work_files.hpp"
#include "storage/meta_keys.hpp"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <toml++/toml.h>

namespace touchstone::pipeline::automatic {
namespace {

using storage::Family;

/// Whose results are read.
constexpr std::string_view kStages[] = {"ingest", "link", "pages", "anchors"};

std::string meta(const storage::Store& store, std::string_view key) {
  std::string value;
  store.get(Family::kMeta, key, value);
  return value;
}

flow::StageManifest manifest_of(const storage::Store& store, std::string_view stage) {
  const auto text = meta(store, std::string(storage::kMetaStagePrefix).append(stage));
  return text.empty() ? flow::StageManifest{} : flow::decode_manifest(text);
}

/// \param own  the work directory of the collection; empty: it is not there yet
std::unique_ptr<storage::Store> open_store(const std::filesystem::path& work, const std::filesystem::path& own) {
  std::error_code error;
  if (!own.empty() && std::filesystem::equivalent(work, own, error))
    throw ConfigError(fmt::format("--knowledge {}: is the work directory of the collection itself; name that of a wiki",
                                  work.string()));
  const auto store_path = flow::WorkPaths{work}.store();
  if (!storage::Store::exists(store_path))
    throw ConfigError(
        fmt::format("--knowledge {}: there is no work directory; make that of a wiki with touchstone build "
                    "--to automatic --dump FILE --work {}",
                    work.string(), work.string()));
  auto store = storage::Store::open(store_path, storage::Access::kReadOnly);
  for (const auto stage : kStages) {
    if (manifest_of(*store, stage).state != flow::StageManifest::State::kDone)
      throw ConfigError(
          fmt::format("--knowledge {}: stage {} is not done there; finish it with touchstone build --to "
                      "automatic --work {}",
                      work.string(), stage, work.string()));
  }
  return store;
}

std::vector<std::string> parts_of(const flow::WorkPaths& paths, std::string_view folder) {
  std::vector<std::string> parts;
  for (const auto& file : flow::kept_parts(paths.file(folder)))
    parts.push_back(fmt::format("{}/{}", folder, file.filename().string()));
  return parts;
}

/// The site part of the ids of the pages. Throws ConfigError if another version of the program wrote the file.
std::string wiki_of(const std::filesystem::path& work, const std::filesystem::path& file) {
  try {
    ComposedPage page;
    records::RecordFile<ComposedPage>::Reader reader(file);
    return reader.next(page) ? page.page.metadata.site_id : "";
  } catch (const Error& error) {
    throw ConfigError(
        fmt::format("--knowledge {}: its pages cannot be read ({}); build it again with touchstone build --to "
                    "automatic --work {}",
                    work.string(), error.what(), work.string()));
  }
}

/// The licence that the last run in a work directory was told.
std::string told_license(const storage::Store& store) {
  const auto config = toml::parse(meta(store, storage::kMetaConfig));
  return config["wiki"]["license"].value_or(std::string());
}

bool none(PageId /*page*/) {
  return false;
}

}  // namespace

KnowledgeWork::KnowledgeWork(const std::filesystem::path& work, const std::filesystem::path& own)
    : paths_{work}, store_(open_store(work, own)) {
  pages_ = parts_of(paths_, kPagesFolder);
  anchors_ = parts_of(paths_, kAnchorsFolder);
  const corpus::TitleIndex titles(*store_);
  for (std::size_t i = 0; i < pages_.size() && facts_.wiki.empty(); ++i)
    facts_.wiki = wiki_of(work, paths_.file(pages_[i]));
  if (facts_.wiki.empty() || pages_.size() != anchors_.size())
    throw ConfigError(fmt::format("--knowledge {}: it has no pages; name the work directory of a wiki", work.string()));
  facts_.site_name = titles.site().site_name;
  facts_.base_url = titles.site().base_url;
  facts_.language = titles.site().language;
  facts_.license = told_license(*store_);
  if (facts_.license.empty()) facts_.license = collection::release::named_license(titles.site().license);
  facts_.dump_date = meta(*store_, storage::kMetaNewestTimestamp);
  for (const auto& source : flow::decode_sources(meta(*store_, storage::kMetaSources)))
    facts_.dump_names.push_back(source.name);
  missing_titles_ = entities::MissingTitles(flow::checked_file(*store_, paths_, kMissingTitlesFile));
  composer_.emplace(*store_, facts_.wiki, PageComposer::Options{.links = false});
}

nlohmann::ordered_json KnowledgeWork::record() const {
  auto dumps = nlohmann::ordered_json::array();
  for (const auto& source : flow::decode_sources(meta(*store_, storage::kMetaSources)))
    dumps.push_back({{"name", source.name}, {"bytes", source.bytes}, {"sha256", source.sha256}});
  return {{"wiki", facts_.wiki}, {"dumps", std::move(dumps)}};
}

void KnowledgeWork::for_each_page(std::size_t file, const std::function<void(ComposedPage)>& use) const {
  AnchorReader anchors(flow::checked_file(*store_, paths_, anchors_.at(file)));
  records::RecordFile<ComposedPage>::for_each(
      flow::checked_file(*store_, paths_, pages_.at(file)), [&](ComposedPage page) {
        unify_missing_targets(page.page, missing_titles_, facts_.wiki);
        // Not that of the collection, where neither the page nor the wiki states one.
        if (page.origin.license.empty()) page.origin.license = facts_.license.empty() ? "unknown" : facts_.license;
        page.page.metadata.inlink_anchors = anchors.of(page.id);
        composer_->add_inlinks(page.id, none, page.page.metadata);
        use(std::move(page));
      });
}

std::unique_ptr<const KnowledgeWork> open_knowledge(const selection::AutomaticOptions& options,
                                                    const std::filesystem::path& own_file, std::string_view own_wiki) {
  if (options.knowledge.empty()) return nullptr;
  auto work = std::make_unique<const KnowledgeWork>(options.knowledge, own_file.parent_path().parent_path());
  if (work->facts().wiki == own_wiki)
    throw ConfigError(
        fmt::format("--knowledge {}: its wiki is called \"{}\" as the pages of this collection are; give "
                    "these another name with --set wiki.name=NAME",
                    options.knowledge, own_wiki));
  return work;
}

std::string knowledge_fingerprint(const Settings& settings) {
  const auto& work = settings.get<selection::AutomaticOptions>().knowledge;
  if (work.empty()) return "";
  const auto store_path = flow::WorkPaths{work}.store();
  if (!storage::Store::exists(store_path)) return "no knowledge";
  const auto store = storage::Store::open(store_path, storage::Access::kReadOnly);
  Sha256 digest;
  for (const auto stage : kStages) {
    const auto manifest = manifest_of(*store, stage);
    digest.update_field(manifest.fingerprint).update_field(manifest.output);
  }
  return " knowledge " + digest.update_field(told_license(*store)).hex();
}

void check_knowledge(const Settings& settings) {
  const auto& work = settings.get<selection::AutomaticOptions>().knowledge;
  if (!work.empty()) KnowledgeWork(work, "");
}

void check_knowledge_of(const flow::WorkView& work, const std::vector<flow::SourceInput>& /*sources*/,
                        bool /*replace*/) {
  const auto& knowledge = work.settings.get<selection::AutomaticOptions>().knowledge;
  if (!knowledge.empty()) KnowledgeWork(knowledge, work.paths.root);
}

}  // namespace touchstone::pipeline::automatic
