#include "extractors/byte_source.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "extractors/internal/grouped_digits.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unicode/ucnv.h>
#include <unistd.h>
#include <zlib.h>

extern char** environ;

namespace touchstone::extractors {
namespace {

std::string reason(int code) {
  return std::error_code(code, std::generic_category()).message();
}

/// The raw bytes of a file or of standard input, counted and digested; the first bytes can be looked at.
class RawFile {
 public:
  explicit RawFile(const std::filesystem::path& path)
      : name_(path == "-" ? "standard input" : path.filename().string()) {
    if (path == "-") {
      descriptor_ = STDIN_FILENO;
      return;
    }
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw StorageError("cannot open " + path.string() + ": " + reason(errno));
    owned_ = true;
    struct stat info {};
    if (::fstat(descriptor_, &info) == 0 && S_ISREG(info.st_mode)) size_ = static_cast<std::uint64_t>(info.st_size);
    if (S_ISDIR(info.st_mode)) {
      ::close(descriptor_);
      throw StorageError(path.string() + " is a folder; name the dump file in it");
    }
    ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  ~RawFile() {
    if (owned_) ::close(descriptor_);
  }
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;

  /// The first bytes, which read() gives again. \pre nothing was read
  std::string_view peek(std::size_t size) {
    head_.resize(size);
    std::size_t have = 0;
    while (have < size) {
      const std::size_t got = read_descriptor(head_.data() + have, size - have);
      if (got == 0) break;
      have += got;
    }
    head_.resize(have);
    return head_;
  }

  std::size_t read(char* buffer, std::size_t size) {
    std::size_t got = 0;
    if (head_used_ < head_.size()) {
      got = std::min(size, head_.size() - head_used_);
      std::memcpy(buffer, head_.data() + head_used_, got);
      head_used_ += got;
    } else {
      got = read_descriptor(buffer, size);
    }
    digest_.update({buffer, got});
    offset_.fetch_add(got, std::memory_order_relaxed);
    return got;
  }

  std::uint64_t offset() const noexcept { return offset_.load(std::memory_order_relaxed); }
  std::uint64_t size() const noexcept { return size_; }
  const std::string& name() const noexcept { return name_; }
  std::string sha256() {
    std::vector<char> rest(1 << 16);  // a decompressor may stop before padding at the end
    while (read(rest.data(), rest.size()) > 0) {
    }
    return digest_.hex();
  }

 private:
  std::size_t read_descriptor(char* buffer, std::size_t size) {
    for (;;) {
      const auto got = ::read(descriptor_, buffer, size);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) throw StorageError("cannot read " + name_ + ": " + reason(errno));
    }
  }

  std::string name_;
  int descriptor_ = -1;
  bool owned_ = false;
  std::uint64_t size_ = 0;
  std::string head_;
  std::size_t head_used_ = 0;
  std::atomic<std::uint64_t> offset_{0};
  Sha256 digest_;
};

[[noreturn]] void throw_damaged(const RawFile& file, const std::string& why) {
  throw FormatError(file.name() + ": damaged or truncated near byte " + internal::grouped_digits(file.offset()) + " (" +
                    why + "); compare its size and checksum with the published ones and download it again");
}

class FileSource : public ByteSource {
 public:
  explicit FileSource(std::unique_ptr<RawFile> file) : file_(std::move(file)) {}
  std::uint64_t raw_offset() const noexcept override { return file_->offset(); }
  std::uint64_t raw_size() const noexcept override { return file_->size(); }
  const std::string& name() const noexcept override { return file_->name(); }
  std::string raw_sha256() override { return file_->sha256(); }

 protected:
  std::unique_ptr<RawFile> file_;
};

class PlainSource : public FileSource {
 public:
  using FileSource::FileSource;
  std::size_t read(char* buffer, std::size_t size) override { return file_->read(buffer, size); }
};

/// gzip by zlib itself, which checks length and CRC of every member; libarchive's reader does not.
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

/// bzip2, zstd, xz and 7z through libarchive, which follows concatenated streams and checks their sums.
class ArchiveSource : public FileSource {
 public:
  ArchiveSource(std::unique_ptr<RawFile> file, Compression compression, const std::filesystem::path& path)
      : FileSource(std::move(file)), archive_(archive_read_new(), archive_read_free) {
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
      check(archive_read_open(archive_.get(), this, nullptr, &ArchiveSource::feed, nullptr));
    }
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(archive_.get(), &entry);
    rethrow();
    if (status == ARCHIVE_EOF) throw_damaged(*file_, "it holds no file");
    check(status);
  }

  std::size_t read(char* buffer, std::size_t size) override {
    const auto got = archive_read_data(archive_.get(), buffer, size);
    rethrow();
    if (got < 0) throw_damaged(*file_, message());
    if (!seven_zip_.empty())
      offset_.store(static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_filter_bytes(archive_.get(), -1))));
    return static_cast<std::size_t>(got);
  }

  std::uint64_t raw_offset() const noexcept override {
    return seven_zip_.empty() ? file_->offset() : std::min(offset_.load(), file_->size());
  }
  std::string raw_sha256() override { return seven_zip_.empty() ? file_->sha256() : sha256_file(seven_zip_); }

 private:
  static la_ssize_t feed(archive* handle, void* self, const void** buffer) {
    auto& source = *static_cast<ArchiveSource*>(self);
    try {
      *buffer = source.input_.data();
      return static_cast<la_ssize_t>(source.file_->read(source.input_.data(), source.input_.size()));
    } catch (const std::exception& error) {
      source.failure_ = std::current_exception();
      archive_set_error(handle, EIO, "%s", error.what());
      return -1;
    }
  }
  void rethrow() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }
  void check(int status) {
    rethrow();
    if (status != ARCHIVE_OK) throw_damaged(*file_, message());
  }
  std::string message() const {
    const char* text = archive_error_string(archive_.get());
    return text != nullptr ? text : "unknown format";
  }

  std::unique_ptr<archive, int (*)(archive*)> archive_;
  std::filesystem::path seven_zip_;
  std::vector<char> input_ = std::vector<char>(1 << 18);
  std::atomic<std::uint64_t> offset_{0};
  std::exception_ptr failure_;
};

/// bzip2 through the `lbzip2` program, which uses several cores: one thread feeds it the raw file, the reader takes
/// what it writes.
class Lbzip2Source : public FileSource {
 public:
  Lbzip2Source(std::unique_ptr<RawFile> file, int threads) : FileSource(std::move(file)) {
    int input[2], output[2], errors[2];
    if (::pipe2(input, O_CLOEXEC) != 0 || ::pipe2(output, O_CLOEXEC) != 0 || ::pipe2(errors, O_CLOEXEC) != 0) {
      throw StorageError("cannot make a pipe: " + reason(errno));
    }
    ::fcntl(output[0], F_SETPIPE_SZ, 1 << 20);  // fewer wake-ups; harmless where refused
    ::fcntl(input[1], F_SETPIPE_SZ, 1 << 20);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO);
    // Its own process group: a Ctrl-C at the terminal is ours to handle, in order.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const std::string count = "-n" + std::to_string(threads);
    const char* arguments[] = {"lbzip2", "-d", "-c", count.c_str(), nullptr};
    const int status =
        ::posix_spawnp(&child_, "lbzip2", &actions, &attributes, const_cast<char* const*>(arguments), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    ::close(input[0]);
    ::close(output[1]);
    ::close(errors[1]);
    to_child_ = input[1];
    from_child_ = output[0];
    child_errors_ = errors[0];
    if (status != 0) {
      child_ = -1;
      close_all();
      throw StorageError("cannot start lbzip2: " + reason(status));
    }
    feeder_ = std::thread([this] { feed(); });
  }

  ~Lbzip2Source() override {
    stop_ = true;
    if (child_ > 0) ::kill(child_, SIGKILL);
    if (feeder_.joinable()) feeder_.join();
    if (child_ > 0) ::waitpid(child_, nullptr, 0);
    close_all();
  }

  std::size_t read(char* buffer, std::size_t size) override {
    if (finished_) return 0;
    for (;;) {
      const auto got = ::read(from_child_, buffer, size);
      if (got > 0) return static_cast<std::size_t>(got);
      if (got == 0) break;
      if (errno != EINTR) throw StorageError("cannot read from lbzip2: " + reason(errno));
    }
    if (feeder_.joinable()) feeder_.join();
    std::string said(1 << 12, '\0');
    const auto length = ::read(child_errors_, said.data(), said.size());
    said.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    finished_ = true;
    if (feed_failure_) std::rethrow_exception(feed_failure_);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      const auto colon = said.rfind(": ");
      std::string why = colon == std::string::npos ? "bzip2 data" : said.substr(colon + 2);
      while (!why.empty() && (why.back() == '\n' || why.back() == '.')) why.pop_back();
      throw_damaged(*file_, why);
    }
    return 0;
  }

 private:
  void feed() noexcept {
    sigset_t blocked;  // a child that died early gives EPIPE, not a signal
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
    try {
      std::vector<char> buffer(1 << 18);
      std::size_t got = 0;
      bool open = true;
      while (open && !stop_ && (got = file_->read(buffer.data(), buffer.size())) > 0) {
        for (std::size_t done = 0; done < got;) {
          const auto written = ::write(to_child_, buffer.data() + done, got - done);
          if (written > 0) {
            done += static_cast<std::size_t>(written);
          } else if (errno != EINTR) {
            open = false;  // the child ended; its exit status tells why
            break;
          }
        }
      }
    } catch (...) {  // handed to the reading thread, which rethrows it
      feed_failure_ = std::current_exception();
    }
    ::close(to_child_);
    to_child_ = -1;
  }
  void close_all() noexcept {
    for (int* descriptor : {&to_child_, &from_child_, &child_errors_}) {
      if (*descriptor >= 0) ::close(*descriptor);
      *descriptor = -1;
    }
  }

  pid_t child_ = -1;
  int to_child_ = -1, from_child_ = -1, child_errors_ = -1;
  bool finished_ = false;
  std::atomic<bool> stop_{false};
  std::exception_ptr feed_failure_;
  std::thread feeder_;
};

/// Changes the bytes of another source, and says the same of the raw file.
class WrappingSource : public ByteSource {
 public:
  explicit WrappingSource(std::unique_ptr<ByteSource> inner) : inner_(std::move(inner)) {}
  std::uint64_t raw_offset() const noexcept override { return inner_->raw_offset(); }
  std::uint64_t raw_size() const noexcept override { return inner_->raw_size(); }
  const std::string& name() const noexcept override { return inner_->name(); }
  std::string raw_sha256() override { return inner_->raw_sha256(); }

 protected:
  std::unique_ptr<ByteSource> inner_;
};

/// UTF-16 text turned into UTF-8.
class Utf16Source : public WrappingSource {
 public:
  Utf16Source(std::unique_ptr<ByteSource> inner, std::string first, const char* encoding)
      : WrappingSource(std::move(inner)), pending_(std::move(first)) {
    UErrorCode status = U_ZERO_ERROR;
    from_ = ucnv_open(encoding, &status);
    to_ = ucnv_open("UTF-8", &status);
    if (U_FAILURE(status)) throw StorageError(std::string("cannot convert UTF-16: ") + u_errorName(status));
  }
  ~Utf16Source() override {
    ucnv_close(from_);
    ucnv_close(to_);
  }

  std::size_t read(char* buffer, std::size_t size) override {
    char* target = buffer;
    while (target == buffer && !done_) {
      if (pending_used_ == pending_.size()) {
        pending_.resize(1 << 16);
        pending_.resize(inner_->read(pending_.data(), pending_.size()));
        pending_used_ = 0;
        if (pending_.empty()) flush_ = true;
      }
      const char* source = pending_.data() + pending_used_;
      UErrorCode status = U_ZERO_ERROR;
      ucnv_convertEx(to_, from_, &target, buffer + size, &source, pending_.data() + pending_.size(), pivot_,
                     &pivot_source_, &pivot_target_, pivot_ + std::size(pivot_), reset_, flush_, &status);
      reset_ = false;
      pending_used_ = static_cast<std::size_t>(source - pending_.data());
      if (status == U_ZERO_ERROR || U_SUCCESS(status)) {
        done_ = flush_;
      } else if (status != U_BUFFER_OVERFLOW_ERROR) {
        throw FormatError(inner_->name() + ": not valid UTF-16 (" + u_errorName(status) + "); download it again");
      }
    }
    return static_cast<std::size_t>(target - buffer);
  }

 private:
  std::string pending_;
  std::size_t pending_used_ = 0;
  UConverter *from_ = nullptr, *to_ = nullptr;
  UChar pivot_[1024];
  UChar *pivot_source_ = pivot_, *pivot_target_ = pivot_;
  bool reset_ = true, flush_ = false, done_ = false;
};

/// Gives bytes that were read to look at them once more.
class PrefixedSource : public WrappingSource {
 public:
  PrefixedSource(std::unique_ptr<ByteSource> inner, std::string first)
      : WrappingSource(std::move(inner)), first_(std::move(first)) {}
  std::size_t read(char* buffer, std::size_t size) override {
    if (used_ == first_.size()) return inner_->read(buffer, size);
    const std::size_t got = std::min(size, first_.size() - used_);
    std::memcpy(buffer, first_.data() + used_, got);
    used_ += got;
    return got;
  }

 private:
  std::string first_;
  std::size_t used_ = 0;
};

Compression compression_of(std::string_view head) {
  using namespace std::string_view_literals;
  if (head.starts_with("BZh"sv)) return Compression::kBzip2;
  if (head.starts_with("\x1f\x8b"sv)) return Compression::kGzip;
  if (head.starts_with("\x28\xb5\x2f\xfd"sv)) return Compression::kZstd;
  if (head.starts_with("\xfd"
                       "7zXZ\0"sv))
    return Compression::kXz;
  if (head.starts_with("7z\xbc\xaf\x27\x1c"sv)) return Compression::kSevenZip;
  return Compression::kNone;
}

bool program_exists(const char* program) {
  const char* path = std::getenv("PATH");
  if (path == nullptr) return false;
  for (std::string_view rest = path; !rest.empty();) {
    const auto colon = rest.find(':');
    const std::filesystem::path candidate = std::filesystem::path(rest.substr(0, colon)) / program;
    if (::access(candidate.c_str(), X_OK) == 0) return true;
    rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
  }
  return false;
}

}  // namespace

std::unique_ptr<ByteSource> open_byte_source(const std::filesystem::path& path, const ByteSourceOptions& options) {
  auto file = std::make_unique<RawFile>(path);
  const std::string head(file->peek(8));
  if (head.empty()) throw FormatError(file->name() + ": the file is empty; download it again");
  const Compression compression = compression_of(head);
  std::unique_ptr<ByteSource> source;
  switch (compression) {
    case Compression::kNone:
      source = std::make_unique<PlainSource>(std::move(file));
      break;
    case Compression::kGzip:
      source = std::make_unique<GzipSource>(std::move(file));
      break;
    case Compression::kBzip2:
      if (options.use_lbzip2 && program_exists("lbzip2")) {
        source = std::make_unique<Lbzip2Source>(std::move(file), options.decompress_threads);
        break;
      }
      [[fallthrough]];
    case Compression::kZstd:
    case Compression::kXz:
      source = std::make_unique<ArchiveSource>(std::move(file), compression, path);
      break;
    case Compression::kSevenZip:
      if (path == "-") throw FormatError("a 7z archive cannot be read from standard input; name the file instead");
      source = std::make_unique<ArchiveSource>(std::move(file), compression, path);
      break;
  }
  std::string first(4, '\0');
  std::size_t have = 0;
  while (have < first.size()) {
    const std::size_t got = source->read(first.data() + have, first.size() - have);
    if (got == 0) break;
    have += got;
  }
  first.resize(have);
  using namespace std::string_view_literals;
  if (first.starts_with("\xff\xfe"sv))
    return std::make_unique<Utf16Source>(std::move(source), first.substr(2), "UTF-16LE");
  if (first.starts_with("\xfe\xff"sv))
    return std::make_unique<Utf16Source>(std::move(source), first.substr(2), "UTF-16BE");
  if (first.starts_with("<\0"sv)) return std::make_unique<Utf16Source>(std::move(source), first, "UTF-16LE");
  if (first.starts_with("\0<"sv)) return std::make_unique<Utf16Source>(std::move(source), first, "UTF-16BE");
  return std::make_unique<PrefixedSource>(std::move(source), std::move(first));
}

}  // namespace touchstone::extractors
