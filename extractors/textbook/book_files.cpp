#include "extractors/textbook/book_files.hpp"

#include "common/archive_signature.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/unicode.hpp"
#include "extractors/file_format/file_format.hpp"
#include "extractors/html/xml_tree.hpp"
#include "extractors/scan/url_scan.hpp"
#include "extractors/textbook/book_navigation.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <system_error>
#include <utility>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

namespace touchstone::extractors::textbook {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxFolderDepth = 64;
constexpr std::size_t kMaxNameBytes = 4096;

/// The parts of a path, joined without `.` and `..`. Nothing for paths that leave their root.
std::optional<std::string> normal_path(std::string_view path) {
  std::vector<std::string_view> parts;
  if (path.find('\0') != std::string_view::npos) return std::nullopt;
  while (!path.empty()) {
    const auto slash = path.find('/');
    const auto part = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    if (part == "..") {
      if (parts.empty()) return std::nullopt;
      parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.push_back(part);
    }
  }
  return fmt::format("{}", fmt::join(parts, "/"));
}

bool is_passed_over(const file_format::Format& format) {
  return format.reading == file_format::Reading::kNotRead || format.reading == file_format::Reading::kZim ||
         format.reading == file_format::Reading::kAside;
}

/// Of an archive only texts are unpacked: pages, and what tells their order and licence.
bool may_hold_text(std::string_view name) {
  constexpr std::array<std::string_view, 9> kEndings = {".xml", ".opf",  ".ncx",  ".cnxml", ".json",
                                                        ".txt", ".toml", ".yaml", ".yml"};
  const auto lower = lower_case(repair_utf8(name));
  if (std::any_of(kEndings.begin(), kEndings.end(), [&](auto ending) { return lower.ends_with(ending); })) return true;
  const auto* format = file_format::format_of_name(name);
  return format == nullptr ? is_licence_file(name) : !is_passed_over(*format);
}

struct FreeArchive {
  void operator()(archive* reader) const noexcept { archive_read_free(reader); }
};
using Archive = std::unique_ptr<archive, FreeArchive>;

/// A reader of files that may be compressed, by the library itself and never through another program.
Archive new_archive() {
  Archive reader(archive_read_new());
  archive_read_support_filter_gzip(reader.get());
  archive_read_support_filter_bzip2(reader.get());
  archive_read_support_filter_xz(reader.get());
  archive_read_support_filter_zstd(reader.get());
  return reader;
}

[[noreturn]] void throw_unreadable(const fs::path& path, std::string_view what, const std::string& why) {
  throw FormatError(fmt::format("{}: this {} cannot be read: {}; get the file again, or unpack it and give {}",
                                path.string(), what, why, what == "archive" ? "the folder" : "what it holds"));
}

std::string reason_of(archive* reader) {
  const char* why = archive_error_string(reader);
  return why != nullptr ? repair_utf8(why) : "it is damaged";
}

/// Appends up to `most` bytes of the entry that the reader is at. Returns the last status: 0 at the end of the entry.
la_ssize_t unpack(archive* reader, std::size_t most, std::string& bytes) {
  std::array<char, 1 << 16> piece{};
  while (bytes.size() < most) {
    const auto got = archive_read_data(reader, piece.data(), std::min(piece.size(), most - bytes.size()));
    if (got <= 0) return got;
    bytes.append(piece.data(), static_cast<std::size_t>(got));
  }
  return static_cast<la_ssize_t>(most);
}

/// The unpacked bytes of a single file, plain or compressed, up to `most`.
/// \param damage  why it ends early; empty if it does not
std::string unpacked(const fs::path& path, std::size_t most, std::string& damage) {
  const auto reader = new_archive();
  archive_read_support_format_raw(reader.get());
  archive_read_support_format_empty(reader.get());
  archive_entry* entry = nullptr;
  std::string bytes;
  int status = archive_read_open_filename(reader.get(), path.c_str(), 1 << 16);
  if (status == ARCHIVE_OK) status = archive_read_next_header(reader.get(), &entry);
  if (status == ARCHIVE_EOF) return bytes;
  if (status < ARCHIVE_WARN || unpack(reader.get(), most, bytes) < 0) damage = reason_of(reader.get());
  return bytes;
}

class FolderFiles : public BookFiles {
 public:
  FolderFiles(fs::path root, const BookLimits& limits) : BookFiles(std::move(root), limits) {
    std::error_code error;
    fs::recursive_directory_iterator at(path_, error), end;
    std::size_t links = 0;
    for (; !error && at != end; at.increment(error)) {
      if (at.depth() >= kMaxFolderDepth) at.disable_recursion_pending();
      if (at->path().filename().string().starts_with('.')) {
        at.disable_recursion_pending();
        continue;
      }
      std::error_code ignored;
      if (at->is_symlink(ignored)) {
        ++links;
        continue;
      }
      if (at->is_regular_file(ignored)) names_.push_back(at->path().lexically_relative(path_).generic_string());
      if (names_.size() > limits_.max_files) {
        throw FormatError(fmt::format("{}: more than {} files; give a folder with one book or manual", path_.string(),
                                      limits_.max_files));
      }
    }
    if (error) throw StorageError(fmt::format("cannot read the folder {}: {}", path_.string(), error.message()));
    if (links > 0) warnings_.push_back(fmt::format("{}: {} symbolic links were not followed", path_.string(), links));
    std::sort(names_.begin(), names_.end());
  }

  std::optional<std::string> read(const std::string& name) const override {
    if (!contains(name)) return std::nullopt;
    std::error_code error;
    const auto size = fs::file_size(path_ / name, error);
    if (!error && size > limits_.max_file_bytes) return std::nullopt;
    return read_file(path_ / name, limits_.max_file_bytes);
  }
  std::string sha256() const override {
    Sha256 digest;
    for (const auto& name : names_) digest.update_field(name).update_field(sha256_file(path_ / name));
    return digest.hex();
  }
};

class SingleFile : public BookFiles {
 public:
  SingleFile(fs::path path, const BookLimits& limits) : BookFiles(std::move(path), limits) {
    names_.push_back(path_.filename().string());
  }

  std::optional<std::string> read(const std::string& name) const override {
    if (!contains(name)) return std::nullopt;
    std::string damage;
    auto bytes = unpacked(path_, limits_.max_file_bytes + 1, damage);
    if (!damage.empty()) throw_unreadable(path_, "file", damage);
    return bytes.size() > limits_.max_file_bytes ? std::nullopt : std::optional(std::move(bytes));
  }
};

/// A zip or tar archive. Its texts are unpacked into memory, never onto the disk.
class ArchiveFiles : public BookFiles {
 public:
  ArchiveFiles(fs::path path, const BookLimits& limits) : BookFiles(std::move(path), limits) {
    const auto reader = new_archive();
    archive_read_support_format_zip(reader.get());
    archive_read_support_format_tar(reader.get());
    check(reader.get(), archive_read_open_filename(reader.get(), path_.c_str(), 1 << 16));
    archive_entry* entry = nullptr;
    for (std::size_t entries = 0;; ++entries) {
      const int status = archive_read_next_header(reader.get(), &entry);
      if (status == ARCHIVE_EOF) break;
      check(reader.get(), status);
      if (entries == limits_.max_files) refuse(fmt::format("it has more than {} files", limits_.max_files));
      bound(reader.get(), entry);
      take(reader.get(), entry);
    }
    std::sort(names_.begin(), names_.end());
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    if (outside_ > 0) warn(fmt::format("{} files with names that leave the archive were left out", outside_));
    if (too_large_ > 0) warn(fmt::format("{} files of more than {} bytes were left out", too_large_, max_member()));
    if (twice_ > 0) warn(fmt::format("{} files have the name of an earlier one and were left out", twice_));
  }

  std::optional<std::string> read(const std::string& name) const override {
    const auto found = texts_.find(name);
    return found == texts_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  /// No reader of files in archives takes more than the reader of HTML.
  std::size_t max_member() const {
    return std::min({limits_.max_file_bytes, limits_.max_archive_bytes, html::kMaxTreeBytes});
  }
  void warn(const std::string& what) { warnings_.push_back(path_.string() + ": " + what); }

  [[noreturn]] void refuse(const std::string& why) const { throw_unreadable(path_, "archive", why); }

  void check(archive* reader, la_ssize_t status) const {
    if (status < ARCHIVE_WARN) refuse(reason_of(reader));
  }

  /// Refuses an archive before the reader passes over more than the bound, which for a compressed tar takes time.
  void bound(archive* reader, archive_entry* entry) const {
    const auto passed = static_cast<std::size_t>(std::max<la_int64_t>(archive_filter_bytes(reader, 0), 0));
    const auto size = static_cast<std::size_t>(std::max<la_int64_t>(archive_entry_size(entry), 0));
    const bool packed = archive_filter_code(reader, 0) != ARCHIVE_FILTER_NONE;
    if (packed && (passed > limits_.max_unpacked_bytes || size > limits_.max_unpacked_bytes - passed)) {
      refuse(fmt::format("it unpacks to more than {} bytes", limits_.max_unpacked_bytes));
    }
  }

  void take(archive* reader, archive_entry* entry) {
    const char* written = archive_entry_pathname(entry);
    const std::string_view raw = written != nullptr ? written : "";
    const auto name = normal_path(raw);
    if (!name || raw.starts_with('/') || raw.find('\\') != std::string_view::npos || raw.size() > kMaxNameBytes) {
      ++outside_;
      return;
    }
    if (archive_entry_filetype(entry) != AE_IFREG) return;
    unpacked_ += name->size();
    if (!may_hold_text(*name)) {
      names_.push_back(*name);
      return;
    }
    if (archive_entry_is_encrypted(entry) != 0) refuse("its files are encrypted");
    std::string bytes;
    const bool is_said_large =
        archive_entry_size_is_set(entry) != 0 && std::cmp_greater(archive_entry_size(entry), max_member());
    if (!is_said_large) check(reader, unpack(reader, max_member() + 1, bytes));
    if (is_said_large || bytes.size() > max_member()) {
      ++too_large_;
      return;
    }
    unpacked_ += bytes.size();
    if (unpacked_ > limits_.max_archive_bytes) {
      refuse(fmt::format("its texts unpack to more than {} bytes", limits_.max_archive_bytes));
    }
    names_.push_back(*name);
    if (!texts_.emplace(*name, std::move(bytes)).second) ++twice_;
  }

  std::map<std::string, std::string> texts_;
  std::size_t unpacked_ = 0, outside_ = 0, too_large_ = 0, twice_ = 0;
};

}  // namespace

std::string BookFiles::sha256() const {
  return sha256_file(path_);
}

bool BookFiles::contains(const std::string& name) const {
  return std::binary_search(names().begin(), names().end(), name);
}

BookHead head_of(const fs::path& path, std::size_t most) {
  std::error_code error;
  if (fs::is_directory(path, error)) return {BookForm::kFolder, ""};
  std::string damage;
  BookHead head{BookForm::kSingleFile, unpacked(path, std::max(most, kArchiveHeadBytes), damage)};
  const auto kind = archive_kind(head.bytes);
  if (kind == "zip" || kind == "tar") head.form = BookForm::kArchive;
  head.bytes.resize(std::min(head.bytes.size(), most));
  return head;
}

std::unique_ptr<BookFiles> open_book_files(const fs::path& path, BookForm form, const BookLimits& limits) {
  if (form == BookForm::kFolder) return std::make_unique<FolderFiles>(path, limits);
  if (form == BookForm::kArchive) return std::make_unique<ArchiveFiles>(path, limits);
  return std::make_unique<SingleFile>(path, limits);
}

std::optional<std::string> path_within(std::string_view from, std::string_view href) {
  const auto path = href.substr(0, href.find_first_of("?#"));
  if (path.empty()) return std::string(from);
  const auto colon = path.find(':');
  if (path.starts_with('/') || (colon != std::string_view::npos && colon < path.find('/'))) return std::nullopt;
  const auto slash = from.rfind('/');
  const std::string folder(slash == std::string_view::npos ? std::string_view() : from.substr(0, slash + 1));
  auto found = normal_path(folder + scan::decode_percent(path));
  if (found && !is_valid_utf8(*found)) return std::nullopt;
  return found;
}

std::string fragment_of(std::string_view href) {
  const auto mark = href.find('#');
  return mark == std::string_view::npos ? std::string() : repair_utf8(scan::decode_percent(href.substr(mark + 1)));
}

}  // namespace touchstone::extractors::textbook
