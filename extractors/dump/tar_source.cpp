#include "common/error.hpp"
#include "extractors/dump/archive_input.hpp"
#include "extractors/dump/raw_file.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <archive.h>
#include <archive_entry.h>

namespace touchstone::extractors::dump::internal {
namespace {

class TarSource : public WrappingSource {
 public:
  TarSource(std::unique_ptr<ByteSource> tar, std::vector<std::string> endings)
      : WrappingSource(std::move(tar)), endings_(std::move(endings)), archive_(archive_read_new(), archive_read_free) {
    if (archive_ == nullptr) throw StorageError("out of memory opening " + name());
    archive_read_support_format_tar(archive_.get());
    check(input_.open(archive_.get()));
  }

  std::size_t read(char* buffer, std::size_t size) override {
    if (size == 0) return 0;
    for (;;) {
      if (!in_file_ && !next_file()) return 0;
      const auto got = archive_read_data(archive_.get(), buffer, size);
      input_.rethrow();
      if (got < 0) throw_bad();
      if (got > 0) return static_cast<std::size_t>(got);
      in_file_ = false;
      *buffer = '\n';
      return 1;
    }
  }

 private:
  bool next_file() {
    while (!ended_) {
      archive_entry* entry = nullptr;
      const int status = archive_read_next_header(archive_.get(), &entry);
      input_.rethrow();
      if (status == ARCHIVE_EOF) {
        ended_ = true;
        // What compressed the archive has its checksum at the end.
        input_.read_to_end();
        break;
      }
      if (status != ARCHIVE_OK && status != ARCHIVE_WARN) throw_bad();
      const char* const written = archive_entry_pathname(entry);
      const std::string_view path = written != nullptr ? written : "";
      in_file_ =
          archive_entry_filetype(entry) == AE_IFREG &&
          std::any_of(endings_.begin(), endings_.end(), [&](const auto& ending) { return path.ends_with(ending); });
      if (in_file_) return true;
    }
    return false;
  }

  void check(int status) {
    input_.rethrow();
    if (status != ARCHIVE_OK) throw_bad();
  }
  [[noreturn]] void throw_bad() {
    const char* text = archive_error_string(archive_.get());
    throw FormatError(name() + ": its tar archive is damaged near byte " + std::to_string(raw_offset()) + " (" +
                      (text != nullptr ? text : "unknown format") + "); download it again");
  }

  ArchiveInput input_{[this](char* buffer, std::size_t size) { return inner_->read(buffer, size); }, 1 << 16};
  std::vector<std::string> endings_;
  std::unique_ptr<archive, int (*)(archive*)> archive_;
  bool in_file_ = false, ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> make_tar_source(std::unique_ptr<ByteSource> tar, std::vector<std::string> endings) {
  return std::make_unique<TarSource>(std::move(tar), std::move(endings));
}

}  // namespace touchstone::extractors::dump::internal
