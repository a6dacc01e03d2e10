#include "formats/car/byte_input.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include <zlib.h>

namespace touchstone::formats::car {
namespace {

std::string errno_text() {
  return std::generic_category().message(errno);
}

/// zlib reads plain files as they are.
class FileInput : public ByteInput {
 public:
  explicit FileInput(const std::filesystem::path& path) : name_(path.string()) {
    std::FILE* raw = std::fopen(path.c_str(), "rb");
    if (raw == nullptr) throw StorageError("cannot read " + name_ + ": " + errno_text());
    std::array<unsigned char, 2> magic{};
    is_gzip_ = std::fread(magic.data(), 1, magic.size(), raw) == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
    const bool failed = std::ferror(raw) != 0;
    const int code = errno;
    std::fclose(raw);
    errno = code;
    if (failed) throw StorageError("cannot read " + name_ + ": " + errno_text());
    file_ = gzopen(path.c_str(), "rb");
    if (file_ == nullptr) throw StorageError("cannot read " + name_ + ": " + errno_text());
    gzbuffer(file_, 1 << 18);
  }
  ~FileInput() override { gzclose(file_); }
  FileInput(const FileInput&) = delete;
  FileInput& operator=(const FileInput&) = delete;

  std::size_t read(char* into, std::size_t size) override {
    const int got = gzread(file_, into, static_cast<unsigned>(std::min<std::size_t>(size, 1U << 30)));
    if (got > 0) return static_cast<std::size_t>(got);
    int code = Z_OK;
    const char* message = gzerror(file_, &code);
    if (got < 0 && code == Z_ERRNO) throw StorageError("cannot read " + name_ + ": " + errno_text());
    if (got < 0 || (is_gzip_ && code != Z_OK && code != Z_STREAM_END)) {
      throw FormatError(name_ + ": is a damaged or truncated gzip file (" + message + "); fetch or write it again");
    }
    return 0;
  }

  const std::string& name() const noexcept override { return name_; }

 private:
  std::string name_;
  gzFile file_ = nullptr;
  bool is_gzip_ = false;
};

}  // namespace

std::unique_ptr<ByteInput> open_file_input(const std::filesystem::path& path) {
  return std::make_unique<FileInput>(path);
}

}  // namespace touchstone::formats::car
