#include "storage/bulk_loader.hpp"

#include "common/error.hpp"
#include "storage/rocksdb_settings.hpp"
#include "storage/store_directory.hpp"

#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <rocksdb/options.h>
#include <rocksdb/sst_file_writer.h>

namespace touchstone::storage {
namespace {

void require_table(const rocksdb::Status& status, const std::filesystem::path& path) {
  if (status.ok()) return;
  throw StorageError(fmt::format("cannot write {}: {}{}", path.string(), status.ToString(),
                                 status.IsNoSpace() ? "; free some space and run again" : ""));
}

}  // namespace

struct TableWriter::Impl {
  explicit Impl(Family family)
      : writer(rocksdb::EnvOptions(),
               rocksdb::Options(rocksdb::DBOptions(), internal::family_options(family, nullptr))) {}
  rocksdb::SstFileWriter writer;
};

TableWriter::TableWriter(std::filesystem::path path, Family family)
    : path_(std::move(path)), impl_(std::make_unique<Impl>(family)) {
  // A run that was killed may have left it as a second name of a file of the store, which must not be written over.
  std::error_code ignored;  // opening says what is wrong
  std::filesystem::remove(path_, ignored);
  require_table(impl_->writer.Open(path_.string()), path_);
}
TableWriter::~TableWriter() = default;
TableWriter::TableWriter(TableWriter&&) noexcept = default;

void TableWriter::add(std::string_view key, std::string_view value) {
  require_table(impl_->writer.Put(internal::slice(key), internal::slice(value)), path_);
}

void TableWriter::finish() {
  require_table(impl_->writer.Finish(), path_);
}

BulkLoader::BulkLoader(Store& store) : store_(store) {}

BulkLoader::~BulkLoader() {
  writers_.clear();
  std::error_code ignored;  // files that the store took over have moved away already
  for (const auto& [family, files] : tables_)
    for (const auto& file : files) std::filesystem::remove(file, ignored);
}

std::filesystem::path BulkLoader::free_name(Family family, std::string_view rest) const {
  return store_.directory() / fmt::format("bulk-{}{}.sst.partial", to_string(family), rest);
}

void BulkLoader::add(Family family, std::string_view key, std::string_view value) {
  auto at = writers_.find(family);
  if (at == writers_.end()) {
    const auto path = free_name(family, "");
    tables_[family].push_back(path);
    at = writers_.emplace(family, TableWriter(path, family)).first;
  }
  at->second.add(key, value);
}

void BulkLoader::add_table(Family family, const std::filesystem::path& file) {
  auto& tables = tables_[family];
  tables.push_back(free_name(family, "-" + std::to_string(tables.size())));
  internal::link_or_copy(file, tables.back());
}

void BulkLoader::commit() {
  for (auto& [family, writer] : writers_) writer.finish();
  writers_.clear();
  if (!tables_.empty()) store_.take_over(tables_);
}

}  // namespace touchstone::storage
