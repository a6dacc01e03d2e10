#include "common/files.hpp"

#include "common/descriptor.hpp"
#include "common/edit_distance.hpp"
#include "common/error.hpp"
#include "common/system_failure.hpp"

#include <algorithm>
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

AtomicFile::AtomicFile(std::filesystem::path path, WriteOptions options)
    : path_(std::move(path)), partial_(path_), options_(std::move(options)) {
  partial_ += ".partial";
  make_way(partial_, options_.in_the_way);
  if (options_.finished) digest_.emplace();
  constexpr mode_t kMode = 0666;  // less the umask
  file_ = Descriptor(::open(partial_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kMode));
  if (!file_.is_open()) throw StorageError(failure_text("write", partial_, errno));
}

AtomicFile::~AtomicFile() {
  if (!file_.is_open()) return;
  file_.close();
  std::error_code ignored;  // the next run overwrites a left-over partial file
  std::filesystem::remove(partial_, ignored);
}

void AtomicFile::write(std::string_view bytes) {
  constexpr std::size_t kBufferBytes = std::size_t{64} << 10;
  bytes_written_ += bytes.size();
  while (buffer_.size() + bytes.size() >= kBufferBytes) {
    const auto piece = bytes.substr(0, kBufferBytes - buffer_.size());
    buffer_ += piece;
    bytes.remove_prefix(piece.size());
    write_buffer();
  }
  buffer_ += bytes;
}

void AtomicFile::write_buffer() {
  if (digest_) digest_->update(buffer_);
  for (std::string_view rest = buffer_; !rest.empty();) {
    const auto written = ::write(file_.get(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw StorageError(failure_text("write", partial_, errno));
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void AtomicFile::finish() {
  write_buffer();
  if (options_.flush_to_disk && ::fsync(file_.get()) != 0) throw StorageError(failure_text("write", partial_, errno));
  if (::close(file_.release()) != 0) throw StorageError(failure_text("write", partial_, errno));
  std::error_code error;
  std::filesystem::rename(partial_, path_, error);
  if (error) throw StorageError(failure_text("rename " + partial_.string() + " to", path_, error));
  if (options_.flush_to_disk) sync_folder(path_.has_parent_path() ? path_.parent_path() : ".");
  if (options_.finished) options_.finished({path_, bytes_written_, digest_->hex()});
}

void sync_files_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files, folders{folder};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_directory()) folders.push_back(entry.path());
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  const auto open_file = [](const std::filesystem::path& path) {
    Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!file.is_open()) throw StorageError(failure_text("open", path, errno));
    return file;
  };
  // The disk begins to write all files, so that fsync() finds little left to wait for.
  for (const auto& path : files) ::sync_file_range(open_file(path).get(), 0, 0, SYNC_FILE_RANGE_WRITE);
  for (const auto& path : files) {
    if (::fsync(open_file(path).get()) != 0) throw StorageError(failure_text("flush", path, errno));
  }
  for (const auto& path : folders) sync_folder(path);
}

std::uint64_t bytes_below(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code ignored;
  for (std::filesystem::recursive_directory_iterator at(folder, ignored), end; at != end && !ignored;
       at.increment(ignored)) {
    const auto size = at->is_regular_file(ignored) ? at->file_size(ignored) : 0;
    if (!ignored) bytes += size;
    ignored.clear();
  }
  return bytes;
}

void sync_folder(const std::filesystem::path& folder) {
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor.is_open()) throw StorageError("cannot open folder " + folder.string() + ": " + reason());
  if (::fsync(descriptor.get()) == 0 || errno == EINVAL) return;  // some network file systems refuse it
  throw StorageError("cannot flush folder " + folder.string() + ": " + reason());
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes, const WriteOptions& options) {
  AtomicFile file(path, options);
  file.write(bytes);
  file.finish();
}

struct TextWriter::Impl {
  Impl(const std::filesystem::path& path, const WriteOptions& options) : file(path, options) {
    if (path.extension() == ".gz")
      gzip.emplace([this](std::string_view bytes) { file.write(bytes); }, options.compression);
  }

  AtomicFile file;
  std::optional<GzipBlocks> gzip;
};

TextWriter::TextWriter(const std::filesystem::path& path, const WriteOptions& options)
    : impl_(std::make_unique<Impl>(path, options)) {}
TextWriter::~TextWriter() = default;

void TextWriter::write(std::string_view text) {
  if (impl_->gzip) {
    impl_->gzip->write(text);
  } else {
    impl_->file.write(text);
  }
}

void TextWriter::write(const DeflatedPiece& piece) {
  TS_CHECK(impl_->gzip.has_value(), "compressed text goes into a compressed file");
  impl_->gzip->write(piece);
}

void TextWriter::finish() {
  if (impl_->gzip) impl_->gzip->finish();
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

std::string did_you_mean_file(const std::filesystem::path& path) {
  constexpr std::size_t kMostNames = 1000;
  std::error_code error;
  auto wanted = path;
  if (!wanted.has_filename()) wanted = wanted.parent_path();
  const auto folder = wanted.parent_path();
  std::vector<std::string> names;
  std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, error);
  for (; !error && entry != std::filesystem::directory_iterator() && names.size() < kMostNames; entry.increment(error))
    names.push_back((folder / entry->path().filename()).string());
  std::sort(names.begin(), names.end());
  const std::string prefix = folder.empty() ? "" : (folder / "").string();
  for (auto& name : names) name.erase(0, prefix.size());
  const auto nearest = did_you_mean(wanted.filename().string(), names);
  constexpr std::string_view kBegin = "; did you mean ";
  return nearest.empty() ? nearest : std::string(kBegin) + prefix + nearest.substr(kBegin.size());
}

}  // namespace touchstone
