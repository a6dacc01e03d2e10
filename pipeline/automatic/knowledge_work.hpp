#pragma once

#include "collection/release/collection_facts.hpp"
#include "common/settings.hpp"
#include "pipeline/automatic/page_composer.hpp"
#include "pipeline/automatic/selection/automatic_options.hpp"
#include "pipeline/entities/missing_titles.hpp"
#include "pipeline/flow/stage.hpp"
#include "pipeline/flow/work_paths.hpp"
#include "storage/store.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace touchstone::pipeline::automatic {

/// A finished work directory of a wiki whose pages stand in the knowledge base of another collection, such as that of a
/// book. It is only read. Thread-safe.
class KnowledgeWork {
 public:
  /// Throws ConfigError, with what to do, if there is none, or the stages that make an automatic collection are not
  /// done; StorageError as the store does, for one of another version. \param work  as the user names it \param own the
  /// work directory of the collection that is made; may not be the same
  KnowledgeWork(const std::filesystem::path& work, const std::filesystem::path& own);

  const storage::Store& store() const noexcept { return *store_; }
  /// What the collection says of the wiki. `wiki` is the site part of the ids of its pages.
  const collection::release::WikiFacts& facts() const noexcept { return facts_; }
  /// Its dumps with their digests, for the record that a collection carries.
  nlohmann::ordered_json record() const;

  /// Files of its pages, which `for_each_page` reads.
  std::size_t files() const noexcept { return pages_.size(); }
  /// Calls `use` for each page of a file, with what other pages tell of it in its metadata. The files are compared with
  /// their digests. Throws StorageError.
  void for_each_page(std::size_t file, const std::function<void(ComposedPage)>& use) const;

 private:
  flow::WorkPaths paths_;
  std::unique_ptr<storage::Store> store_;
  std::vector<std::string> pages_, anchors_;  ///< by path in the work directory
  collection::release::WikiFacts facts_;
  entities::MissingTitles missing_titles_;
  std::optional<PageComposer> composer_;
};

/// The work directory that `automatic.knowledge` names, or null. Throws as KnowledgeWork, and ConfigError if its pages
/// would have the ids of the collection's own pages.
/// \param own_file  a file that a stage of the collection's own work directory reads
/// \param own_wiki  site part of the ids of its pages
std::unique_ptr<const KnowledgeWork> open_knowledge(const selection::AutomaticOptions& options,
                                                    const std::filesystem::path& own_file, std::string_view own_wiki);

/// What the pages of `automatic.knowledge` follow from; empty without one.
std::string knowledge_fingerprint(const Settings& settings);

/// For rows of stages. Throws ConfigError, as KnowledgeWork, if `automatic.knowledge` names no finished work directory,
/// or that of the collection itself.
void check_knowledge(const Settings& settings);
void check_knowledge_of(const flow::WorkView& work, const std::vector<flow::SourceInput>& sources, bool replace);

}  // namespace touchstone::pipeline::automatic
