#include "common/files.hpp"

#include "common/descriptor.hpp"
#include "common/error.hpp"
#include "common/system_failure.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace touchstone {
namespace {

std::string reason() {
  return system_reason(errno);
}

/// Removes what a killed run left under the name of a partial file. Anything else under that name is the user's.
void make_way(const std::filesystem::path& partial, InTheWay in_the_way) {
  struct stat status {};
  if (::lstat(partial.c_str(), &status) != 0) return;  // open() says what is wrong, if anything
  if (!S_ISREG(status.st_mode) || in_the_way == InTheWay::kRefuse) {
    throw StorageError("cannot write " + partial.string() + ": something of that name is there" +
                       (S_ISREG(status.st_mode) ? ", left by a run that was killed or your own" : "") +
                       "; move it away and run again");
  }
  if (::unlink(partial.c_str()) != 0) throw StorageError(failure_text("replace", partial, errno));
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::uint64_t max_bytes) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) throw StorageError("cannot read " + path.string() + ": " + reason());
  std::string bytes;
  std::vector<char> buffer(1 << 16);
  std::size_t got = 0;
  while ((got = std::fread(buffer.data(), 1, buffer.size(), file)) > 0) {
    bytes.append(buffer.data(), got);
    if (bytes.size() > max_bytes) break;
  }
  const bool failed = std::ferror(file) != 0;
  const std::string why = failed ? reason() : "";
  std::fclose(file);
  if (failed) throw StorageError("cannot read " + path.string() + ": " + why);
  if (bytes.size() > max_bytes) {
    throw FormatError(path.string() + " is larger than " + std::to_string(max_bytes) +
                      " bytes, the limit for such a file; is it the right file?");
  }
  return bytes;
}

AtomicFile::AtomicFile(std::filesystem::path path, InTheWay in_the_way) : path_(std::move(path)), partial_(path_) {
  partial_ += ".partial";
  make_way(partial_, in_the_way);
  constexpr mode_t kMode = 0666;  // less the umask
  Descriptor file(::open(partial_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kMode));
  if (!file.is_open()) throw StorageError(failure_text("write", partial_, errno));
  file_ = ::fdopen(file.get(), "wb");
  if (file_ == nullptr) throw StorageError(failure_text("write", partial_, errno));
  file.release();
}

AtomicFile::~AtomicFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::error_code ignored;  // the next run overwrites a left-over partial file
  std::filesystem::remove(partial_, ignored);
}

void AtomicFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
    throw StorageError(failure_text("write", partial_, errno));
  }
  bytes_written_ += bytes.size();
}

void AtomicFile::finish() {
  const bool flushed = std::fflush(file_) == 0 && ::fsync(::fileno(file_)) == 0;
  const int why = errno;
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (!flushed || !closed) throw StorageError(failure_text("write", partial_, flushed ? errno : why));
  std::error_code error;
  std::filesystem::rename(partial_, path_, error);
  if (error) throw StorageError(failure_text("rename " + partial_.string() + " to", path_, error));
  sync_folder(path_.has_parent_path() ? path_.parent_path() : ".");
}

void sync_folder(const std::filesystem::path& folder) {
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor.is_open()) throw StorageError("cannot open folder " + folder.string() + ": " + reason());
  if (::fsync(descriptor.get()) == 0 || errno == EINVAL) return;  // some network file systems refuse it
  throw StorageError("cannot flush folder " + folder.string() + ": " + reason());
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes, InTheWay in_the_way) {
  AtomicFile file(path, in_the_way);
  file.write(bytes);
  file.finish();
}

struct TextWriter::Impl {
  Impl(const std::filesystem::path& path, InTheWay in_the_way)
      : file(path, in_the_way), gzip(path.extension() == ".gz") {
    if (!gzip) return;
    // 15 + 16 selects the gzip format. By default zlib writes no name and time 0, so equal text gives equal bytes.
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw StorageError("cannot start gzip compression of " + path.string());
    }
    open = true;
  }
  ~Impl() {
    if (open) deflateEnd(&stream);
  }

  void put(std::string_view text, int flush) {
    if (!gzip) {
      file.write(text);
      return;
    }
    do {
      const std::size_t piece = std::min<std::size_t>(text.size(), 1U << 30);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
      stream.avail_in = static_cast<uInt>(piece);
      text.remove_prefix(piece);
      do {
        stream.next_out = buffer.data();
        stream.avail_out = static_cast<uInt>(buffer.size());
        const int status = deflate(&stream, text.empty() ? flush : Z_NO_FLUSH);
        TS_CHECK(status != Z_STREAM_ERROR, "deflate state");
        file.write({reinterpret_cast<const char*>(buffer.data()), buffer.size() - stream.avail_out});
      } while (stream.avail_out == 0);
    } while (!text.empty());
  }

  AtomicFile file;
  bool gzip = false;
  bool open = false;
  z_stream stream{};
  std::vector<Bytef> buffer = std::vector<Bytef>(1 << 16);
};

TextWriter::TextWriter(const std::filesystem::path& path, InTheWay in_the_way)
    : impl_(std::make_unique<Impl>(path, in_the_way)) {}
TextWriter::~TextWriter() = default;

void TextWriter::write(std::string_view text) {
  if (!text.empty()) impl_->put(text, Z_NO_FLUSH);
}

void TextWriter::finish() {
  if (impl_->gzip) impl_->put({}, Z_FINISH);
  impl_->file.finish();
}

void for_each_line(const std::filesystem::path& path, const std::function<bool(std::string_view, std::uint64_t)>& line,
                   std::size_t max_line_bytes) {
  std::FILE* raw = std::fopen(path.c_str(), "rb");
  if (raw == nullptr) throw StorageError("cannot read " + path.string() + ": " + reason());
  unsigned char magic[2] = {0, 0};
  const bool is_gzip = std::fread(magic, 1, 2, raw) == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
  std::fclose(raw);
  gzFile file = gzopen(path.c_str(), "rb");  // reads plain files too
  if (file == nullptr) throw StorageError("cannot read " + path.string() + ": " + reason());
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> closer(file, gzclose);
  gzbuffer(file, 1 << 18);

  std::string carry;
  std::vector<char> buffer(1 << 18);
  std::uint64_t number = 0;
  const auto emit = [&](std::string_view text) {
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    return line(text, ++number);
  };
  for (;;) {
    const int got = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()));
    if (got < 0) {
      int code = 0;
      const char* message = gzerror(file, &code);
      throw FormatError(path.string() + ": damaged after line " + std::to_string(number) + " (" + message +
                        "); fetch or write the file again");
    }
    if (got == 0) break;
    std::string_view rest(buffer.data(), static_cast<std::size_t>(got));
    for (;;) {
      const auto end = rest.find('\n');
      if (end == std::string_view::npos) break;
      if (carry.empty()) {
        if (!emit(rest.substr(0, end))) return;
      } else {
        carry.append(rest.substr(0, end));
        if (!emit(carry)) return;
        carry.clear();
      }
      rest.remove_prefix(end + 1);
    }
    carry.append(rest);
    if (carry.size() > max_line_bytes) {
      throw FormatError(path.string() + ": line " + std::to_string(number + 1) + " is longer than " +
                        std::to_string(max_line_bytes) + " bytes; is it the right file?");
    }
  }
  int code = Z_OK;
  const char* message = gzerror(file, &code);
  if (is_gzip && code != Z_OK && code != Z_STREAM_END) {
    throw FormatError(path.string() + ": truncated after line " + std::to_string(number) + " (" + message +
                      "); fetch or write the file again");
  }
  if (!carry.empty()) emit(carry);
}

}  // namespace touchstone
