#include "common/digest.hpp"
#include "common/error.hpp"
#include "extractors/dump/archive_input.hpp"
#include "extractors/dump/raw_file.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

namespace touchstone::extractors::dump::internal {
namespace {

class GzipSource : public FileSource {
 public:
  explicit GzipSource(std::unique_ptr<RawFile> file) : FileSource(std::move(file)) {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw StorageError("cannot start gzip decompression of " + name());
  }
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(char* buffer, std::size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(buffer);
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(size, 1U << 30));
    const uInt wanted = stream_.avail_out;
    while (stream_.avail_out == wanted && !done_) {
      if (stream_.avail_in == 0) {
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        stream_.avail_in = static_cast<uInt>(file_->read(input_.data(), input_.size()));
      }
      if (stream_.avail_in == 0) {
        if (in_member_) throw_damaged(*file_, "the gzip data ends too early");
        done_ = true;
        break;
      }
      if (!in_member_) {
        if (*stream_.next_in == 0) {  // zero padding between or behind members
          ++stream_.next_in;
          --stream_.avail_in;
          continue;
        }
        inflateReset(&stream_);
        in_member_ = true;
      }
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        in_member_ = false;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        throw_damaged(*file_, stream_.msg != nullptr ? stream_.msg : "gzip checksum");
      }
    }
    return wanted - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  std::vector<char> input_ = std::vector<char>(1 << 18);
  bool in_member_ = false, done_ = false;
};

class ArchiveSource : public FileSource {
 public:
  ArchiveSource(std::unique_ptr<RawFile> file, Compression compression, const std::filesystem::path& path)
      : FileSource(std::move(file)), compression_(compression), archive_(archive_read_new(), archive_read_free) {
    if (archive_ == nullptr) throw StorageError("out of memory opening " + name());
    if (compression == Compression::kSevenZip) {
      // 7z keeps its directory at the end: libarchive must seek, so it opens the file itself, and the digest is made
      // by a pass of its own when it is asked for.
      seven_zip_ = path;
      archive_read_support_format_7zip(archive_.get());
      check(archive_read_open_filename(archive_.get(), path.c_str(), 1 << 18));
    } else {
      archive_read_support_format_raw(archive_.get());
      if (compression == Compression::kBzip2) archive_read_support_filter_bzip2(archive_.get());
      if (compression == Compression::kZstd) archive_read_support_filter_zstd(archive_.get());
      if (compression == Compression::kXz) archive_read_support_filter_xz(archive_.get());
      check(input_.open(archive_.get()));
    }
    if (!next_file()) throw_damaged(*file_, "it holds no file");
  }

  std::size_t read(char* buffer, std::size_t size) override {
    if (ended_) return 0;  // behind its last file an archive gives errors
    const auto got = archive_read_data(archive_.get(), buffer, size);
    input_.rethrow();
    if (got < 0) {
      if (compression_ == Compression::kBzip2) throw_damaged_bzip2(*file_, message(), nullptr);
      throw_damaged(*file_, message());
    }
    if (got == 0 && !ended_) end();
    if (!seven_zip_.empty())
      offset_.store(static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_filter_bytes(archive_.get(), -1))));
    return static_cast<std::size_t>(got);
  }

  std::uint64_t raw_offset() const noexcept override {
    return seven_zip_.empty() ? file_->offset() : std::min(offset_.load(), file_->size());
  }
  std::string raw_sha256() override { return seven_zip_.empty() ? file_->sha256() : sha256_file(seven_zip_); }

 private:
  /// Goes to the next entry that is a file; false when there is none.
  bool next_file() {
    for (;;) {
      archive_entry* entry = nullptr;
      const int status = archive_read_next_header(archive_.get(), &entry);
      input_.rethrow();
      if (status == ARCHIVE_EOF) return false;
      check(status);
      const char* const entry_name = archive_entry_pathname(entry);
      entry_name_ = entry_name != nullptr ? entry_name : "";
      if (seven_zip_.empty() || archive_entry_filetype(entry) == AE_IFREG) return true;
    }
  }

  /// The end of the first file must be the end of the archive. Its table of contents cannot be read before: libarchive
  /// goes from one file to the next by decompressing.
  void end() {
    ended_ = true;
    const std::string first = entry_name_;
    if (seven_zip_.empty() || !next_file()) return;
    throw FormatError(name() + ": the archive holds several files (" + first + ", " + entry_name_ +
                      ", ...), of which only the first could be read; take them out of it and name those that are "
                      "dumps");
  }

  void check(int status) {
    input_.rethrow();
    if (status != ARCHIVE_OK) throw_damaged(*file_, message());
  }
  std::string message() const {
    const char* text = archive_error_string(archive_.get());
    return text != nullptr ? text : "unknown format";
  }

  ArchiveInput input_{[this](char* buffer, std::size_t size) { return file_->read(buffer, size); }, 1 << 18};
  Compression compression_;
  std::unique_ptr<archive, int (*)(archive*)> archive_;
  std::filesystem::path seven_zip_;
  std::string entry_name_;
  bool ended_ = false;
  std::atomic<std::uint64_t> offset_{0};
};

}  // namespace

std::unique_ptr<ByteSource> make_gzip_source(std::unique_ptr<RawFile> file) {
  return std::make_unique<GzipSource>(std::move(file));
}

std::unique_ptr<ByteSource> make_archive_source(std::unique_ptr<RawFile> file, Compression compression,
                                                const std::filesystem::path& path) {
  return std::make_unique<ArchiveSource>(std::move(file), compression, path);
}

}  // namespace touchstone::extractors::dump::internal
