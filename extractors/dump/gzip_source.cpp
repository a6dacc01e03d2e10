#include "common/error.hpp"
#include "extractors/dump/decompressors.hpp"

#include <algorithm>
#include <utility>
#include <vector>

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

}  // namespace

std::unique_ptr<ByteSource> make_gzip_source(std::unique_ptr<RawFile> file) {
  return std::make_unique<GzipSource>(std::move(file));
}

}  // namespace touchstone::extractors::dump::internal
