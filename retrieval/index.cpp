#include "retrieval/index.hpp"

#include "common/descriptor.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/system_failure.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <xapian.h>

namespace touchstone::retrieval {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kForm = "touchstone-index/3";
constexpr std::string_view kDoneFile = "index.json", kPrefix = "index-", kPartial = ".partial-", kLock = "lock";

/// Made last; says that the folder is whole and what it is of.
std::string done_text(const std::string& fingerprint) {
  return "{\"format\":\"" + std::string(kForm) + "\",\"fingerprint\":\"" + fingerprint + "\"}\n";
}

bool is_complete(const fs::path& folder, const std::string& fingerprint) {
  std::error_code error;
  if (!fs::is_regular_file(folder / kDoneFile, error)) return false;
  return read_file(folder / kDoneFile, 4096) == done_text(fingerprint);
}

void create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw StorageError("the folder " + folder.string() + " cannot be made (" + error.message() +
                       "); name another one with --work");
}

/// Held while an index is built, so that two runs do not remove each other's unfinished folders.
class BuildLock {
 public:
  explicit BuildLock(const fs::path& place) {
    const auto path = (place / kLock).string();
    file_ = Descriptor(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666));
    if (!file_.is_open()) throw StorageError(failure_text("open", path, errno));
    while (::flock(file_.get(), LOCK_EX) != 0) {
      if (errno != EINTR) throw StorageError(failure_text("lock", path, errno));
    }
  }

 private:
  Descriptor file_;
};

void remove_unfinished(const fs::path& place) {
  for (const auto& entry : fs::directory_iterator(place)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with(kPrefix) && name.find(kPartial) != std::string::npos) fs::remove_all(entry.path());
  }
}

void build(const fs::path& place, const fs::path& final_folder, const std::string& fingerprint,
           CollectionSource& source, const IndexOptions& options) {
  remove_unfinished(place);
  std::string name = final_folder.string() + std::string(kPartial) + "XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw StorageError(failure_text("make folder", name, errno));
  try {
    internal::build_index(name, source, options);
    write_file_atomically(fs::path(name) / kDoneFile, done_text(fingerprint));
    sync_files_below(name);
    fs::remove_all(final_folder);  // incomplete or damaged: the program's own name, without its last file
    fs::rename(name, final_folder);
    sync_folder(place);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(name, ignored);
    throw;
  }
}

}  // namespace

std::string index_fingerprint(const CollectionSource& source, Unit unit, const IndexOptions& options) {
  Sha256 digest;
  digest.update_field(kForm)
      .update_field(options.stemmer)
      .update_field(unit == Unit::kPassages ? "passages" : "entities");
  auto files = source.document_files();
  if (!options.links.empty()) files.push_back(options.links);
  for (const auto& file : files) digest.update_field(file.filename().string()).update_field(sha256_file(file));
  digest.update_field(options.links.empty() ? "own links" : "links of a file");
  if (!options.has_graph) digest.update_field("no graph");
  if (options.words != nullptr) {
    std::vector<std::string_view> words(options.words->begin(), options.words->end());
    std::sort(words.begin(), words.end());
    digest.update_field("words");
    for (const auto word : words) digest.update_field(word);
  }
  if (!options.fields.all()) digest.update_field("fields " + options.fields.to_string());
  return digest.hex().substr(0, 32);
}

Index Index::open_or_build(const fs::path& place, CollectionSource& source, Unit unit, const IndexOptions& options) {
  create_folder(place);
  const auto fingerprint = index_fingerprint(source, unit, options);
  const auto folder = place / (std::string(kPrefix) + fingerprint);
  try {
    bool built = false;
    if (!is_complete(folder, fingerprint)) {
      const BuildLock lock(place);
      if (!is_complete(folder, fingerprint)) {
        build(place, folder, fingerprint, source, options);
        built = true;
      }
    }
    Index index(folder, options);
    index.was_built_ = built;
    return index;
  } catch (const fs::filesystem_error& error) {
    throw StorageError("the index in " + place.string() + " cannot be written (" + error.code().message() +
                       "); name another folder with --work");
  } catch (const Xapian::Error& error) {
    throw StorageError("the index " + folder.string() + " cannot be read (" + error.get_description() +
                       "); delete this folder, and the next run builds it again");
  }
}

Index::Index(fs::path folder, const IndexOptions& options)
    : folder_(std::move(folder)),
      docids_(std::make_unique<DocidStore>(folder_)),
      texts_(std::make_unique<TextStore>(folder_)) {
  if (options.has_graph) links_ = LinkGraph::load(folder_);
  for (const auto& info : kFields) {
    if (!options.fields.test(static_cast<std::size_t>(info.field))) continue;
    const auto database = open(info.field);
    if (database.get_doccount() != docids_->size())
      throw StorageError("the index " + folder_.string() + " is damaged: its field " + std::string(info.name) +
                         " has another number of documents; delete this folder, and the next run builds it again");
    has_field_[static_cast<std::size_t>(info.field)] = !database.get_metadata("has-terms").empty();
  }
}

void Index::rank(Ranking& hits, std::size_t depth) const {
  std::sort(hits.begin(), hits.end(), [&](const Hit& a, const Hit& b) { return ranks_before(a, b); });
  if (hits.size() > depth) hits.resize(depth);
}

Xapian::Database Index::open(Field field) const {
  return Xapian::Database((folder_ / info_of(field).name).string());
}

}  // namespace touchstone::retrieval
