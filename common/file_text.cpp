#include "common/file_text.hpp"

#include "common/archive_signature.hpp"
#include "common/descriptor.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace touchstone {
namespace {

[[noreturn]] void cannot_read(const std::filesystem::path& path) {
  const int error = errno;
  throw StorageError("cannot read " + path.string() + ": " + system_reason(error) +
                     (error == ENOENT ? did_you_mean_file(path) : std::string()));
}

/// Compression formats other than gzip, recognised by bytes that text does not (or hardly ever) have at this offset.
struct Packer {
  std::size_t offset;
  std::string_view bytes, name;
};
constexpr Packer kOtherPackers[] = {{0, "\x28\xB5\x2F\xFD", "zstd"}, {4, "1AY&SY", "bzip2"}, {0, "\xFD\x37zXZ", "xz"}};
constexpr std::size_t kHeadBytes = kArchiveHeadBytes;

/// Lines are short: a run has some 50 bytes a line. Longer ones are no text, but they would be looked at as ids.
constexpr std::size_t kMaxLineBytes = std::size_t{1} << 26;

/// Runs and qrels shrink to a tenth, not to a thousandth.
constexpr std::uint64_t kMaxRatio = 300, kRatioFromBytes = std::uint64_t{1} << 28;

/// Text that must be read into memory may take half of it.
std::uint64_t memory_limit() {
  const auto pages = ::sysconf(_SC_PHYS_PAGES), page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return UINT64_MAX;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes) / 2;
}

[[noreturn]] void refuse_long_line(const std::filesystem::path& path, std::uint64_t line) {
  throw FormatError(path.string() + ": line " + std::to_string(line) + " is longer than " +
                    std::to_string(kMaxLineBytes) + " bytes; is it the right file?");
}

/// Looks for one line end in each stretch of the length of the longest line, from its end on: cheap, and no line that
/// is twice as long escapes.
void check_lines(const std::filesystem::path& path, std::string_view text) {
  for (std::size_t at = 0; at + kMaxLineBytes < text.size(); at += kMaxLineBytes) {
    if (::memrchr(text.data() + at, '\n', kMaxLineBytes) == nullptr) refuse_long_line(path, line_number(text, at));
  }
}

void refuse_other_packers(const std::filesystem::path& path, std::string_view head) {
  if (const auto kind = archive_kind(head); !kind.empty()) {
    throw FormatError(path.string() + ": is a " + std::string(kind) +
                      " archive, which may hold several files; take them out of it and name them");
  }
  for (const auto& packer : kOtherPackers) {
    if (head.substr(std::min(packer.offset, head.size())).starts_with(packer.bytes)) {
      throw FormatError(path.string() + ": is compressed with " + std::string(packer.name) +
                        "; only plain text and gzip can be read here, so decompress it first");
    }
  }
}

/// Reads plain and gzip files through zlib.
std::string read_stream(Descriptor& source, const std::filesystem::path& path, std::uint64_t max_bytes) {
  const gzFile opened = gzdopen(source.get(), "rb");
  if (opened == nullptr) cannot_read(path);
  source.release();  // the handle closes it
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(opened, gzclose);
  gzbuffer(opened, 1 << 18);
  std::string text;
  std::size_t size = 0, line_begin = 0;
  max_bytes = std::min(max_bytes, memory_limit());
  constexpr std::size_t kLeastRoom = 1 << 18;
  for (;;) {
    if (text.size() - size < kLeastRoom) {
      const auto most = std::max<std::uint64_t>(max_bytes, size) + 2 * kLeastRoom;
      text.resize(std::min<std::uint64_t>(std::max<std::size_t>(1 << 20, text.size() * 2), most));
    }
    const auto room = static_cast<unsigned>(std::min<std::size_t>(text.size() - size, 1 << 30));
    const int got = gzread(opened, text.data() + size, room);
    int code = Z_OK;
    const std::string_view message = gzerror(opened, &code);  // "<fd:3>: unexpected end of file", or ""
    if (got < 0 || (got == 0 && code != Z_OK && code != Z_STREAM_END)) {
      throw FormatError(path.string() + ": damaged or truncated after " + std::to_string(size) + " bytes of text (" +
                        std::string(message.substr(std::min(message.find(": ") + 2, message.size()))) +
                        "); fetch or write the file again");
    }
    if (got == 0) break;
    const void* const line_end = ::memrchr(text.data() + size, '\n', static_cast<std::size_t>(got));
    size += static_cast<std::size_t>(got);
    if (line_end != nullptr)
      line_begin = static_cast<std::size_t>(static_cast<const char*>(line_end) - text.data()) + 1;
    if (size - line_begin > kMaxLineBytes) refuse_long_line(path, line_number(text, line_begin));
    if (size > max_bytes) {
      throw FormatError(path.string() + ": contains more than " + std::to_string(max_bytes) +
                        " bytes of text, the limit for compressed files and pipes; write it to a plain file");
    }
    const auto packed = gzdirect(opened) == 0 ? gzoffset(opened) : 0;
    if (size > kRatioFromBytes && packed > 0 && size / kMaxRatio > static_cast<std::uint64_t>(packed)) {
      throw FormatError(path.string() + ": grows to more than " + std::to_string(kMaxRatio) +
                        " times its size when it is decompressed, as no run and no qrels do; if it is the right file, "
                        "decompress it to a plain one");
    }
  }
  text.resize(size);
  return text;
}

}  // namespace

FileText::FileText(const std::filesystem::path& path, std::uint64_t max_bytes) {
  Descriptor file(path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) cannot_read(path);
  if (S_ISDIR(status.st_mode)) {
    throw StorageError("cannot read " + path.string() + ": it is a folder; name the files in it");
  }
  char bytes[kHeadBytes];
  const bool is_file = S_ISREG(status.st_mode) && path != "-";
  const std::string_view head(bytes, is_file ? std::max<ssize_t>(0, ::pread(file.get(), bytes, kHeadBytes, 0)) : 0);
  if (is_file && !head.starts_with("\x1F\x8B")) {
    refuse_other_packers(path, head);
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ == 0) return;
    void* const at = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (at == MAP_FAILED) cannot_read(path);
    mapped_ = true;
    data_ = static_cast<const char*>(at);
    try {
      check_lines(path, view());
    } catch (...) {  // the destructor will not run
      ::munmap(at, size_);
      throw;
    }
    return;
  }
  read_ = read_stream(file, path, max_bytes);
  data_ = read_.data();
  size_ = read_.size();
  refuse_other_packers(path, view().substr(0, kHeadBytes));
}

FileText::~FileText() {
  if (mapped_) ::munmap(const_cast<char*>(data_), size_);
}

void FileText::release(std::size_t begin, std::size_t end) const noexcept {
  static const auto kPage = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  begin = (begin + kPage - 1) / kPage * kPage;
  end = end / kPage * kPage;
  if (mapped_ && begin < end) ::madvise(const_cast<char*>(data_) + begin, end - begin, MADV_DONTNEED);
}

std::uint64_t line_number(std::string_view text, std::size_t offset) noexcept {
  const auto before = text.substr(0, offset);
  return 1 + static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
}

}  // namespace touchstone
