#pragma once

#include "common/files.hpp"
#include "common/log.hpp"
#include "common/settings.hpp"
#include "pipeline/corpus/stages.hpp"
#include "pipeline/flow/local_executor.hpp"
#include "storage/store.hpp"
#include "tests/support/dump_text.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::testing {

/// A work directory in which a test runs stages one by one, without a runner: on the store as it is, with the options
/// that were assigned. What a stage reads and writes is checked against its row.
class StageFixture : public ::testing::Test {
 protected:
  TemporaryFolder folder;
  pipeline::flow::WorkPaths paths{folder / "work"};
  std::unique_ptr<storage::Store> store;
  StopFlag stop;
  std::vector<std::string> assignments;  ///< "key=value"
  int threads = 2;

  void SetUp() override {
    configure_log(LogLevel::kError, LogFormat::kText);
    open_store(folder / "work");
  }

  /// Begins a work directory of its own; the paths lead there from now on.
  void open_store(const std::filesystem::path& work) {
    paths.root = work;
    store.reset();
    std::filesystem::create_directories(paths.stages());
    store = storage::Store::open(paths.store(), storage::Access::kReadWrite);
  }

  /// Runs a stage. Its families are not emptied first.
  /// \param sources  of a stage that reads the user's files
  pipeline::flow::StageReport run(const pipeline::flow::StageInfo& info,
                                  std::vector<pipeline::flow::SourceInput> sources = {}) {
    std::vector<const OptionGroup*> groups;
    for (const auto& use : info.options) groups.push_back(use.group);
    Settings settings(groups);
    for (const auto& assignment : assignments) {
      const auto key = assignment.substr(0, assignment.find('='));
      for (std::size_t i = 0; i < settings.size(); ++i) {
        if (settings.row(i).key == key) {
          settings.read_assignment(assignment);
          break;
        }
      }
    }
    settings.throw_if_problems();
    ProgressCounters progress;
    pipeline::flow::RunObjects objects;
    pipeline::flow::WriteContext context(
        info, {settings, paths, *store, stop, progress, objects, std::move(sources), {}, {}, threads});
    store->take_use();
    auto report = pipeline::flow::run_stage(info, context);
    pipeline::flow::check_store_use(info, store->take_use());
    return report;
  }

  /// Fills the store from `<page>` elements (dump_text.hpp), with ingest and link.
  void fill_from_dump(const std::string& pages) {
    const auto dump = folder / "pages.xml";
    write_file_atomically(dump, dump_xml(pages));
    fill({dump, "dump"});
  }
  /// The same from JSON lines (docs/pages.md).
  void fill_from_json(const std::string& lines) {
    const auto file = folder / "pages.jsonl";
    write_file_atomically(file, lines);
    fill({file, "pages"});
  }

  std::string get(storage::Family family, const std::string& key) const {
    std::string value;
    store->get(family, key, value);
    return value;
  }
  /// All pairs of a family, in order.
  std::vector<std::pair<std::string, std::string>> pairs(storage::Family family) const {
    std::vector<std::pair<std::string, std::string>> all;
    for (auto cursor = store->cursor(family); cursor.valid(); cursor.next())
      all.emplace_back(cursor.key(), cursor.value());
    return all;
  }

 private:
  void fill(pipeline::flow::SourceInput source) {
    run(pipeline::corpus::ingest_stage(), {std::move(source)});
    run(pipeline::corpus::link_stage());
  }
};

}  // namespace touchstone::testing
