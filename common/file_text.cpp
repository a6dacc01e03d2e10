#include "common/file_text.hpp"

#include "common/descriptor.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <cerrno>
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
  throw StorageError("cannot read " + path.string() + ": " + system_reason(errno));
}

/// Compression formats other than gzip, recognised by bytes that text does not (or hardly ever) have at this offset.
struct Packer {
  std::size_t offset;
  std::string_view bytes, name;
};
constexpr Packer kOtherPackers[] = {{0, "\x28\xB5\x2F\xFD", "zstd"},
                                    {4, "1AY&SY", "bzip2"},
                                    {0, "\xFD\x37zXZ", "xz"},
                                    {0, "PK\x03\x04", "zip"},
                                    {0, "7z\xBC\xAF\x27\x1C", "7z"}};
constexpr std::size_t kHeadBytes = 10;

void refuse_other_packers(const std::filesystem::path& path, std::string_view head) {
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
  std::size_t size = 0;
  for (;;) {
    if (text.size() - size < (1 << 18)) text.resize(std::max<std::size_t>(1 << 20, text.size() * 2));
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
    size += static_cast<std::size_t>(got);
    if (size > max_bytes) {
      throw FormatError(path.string() + ": contains more than " + std::to_string(max_bytes) +
                        " bytes of text, the limit for compressed files; decompress it to a plain file");
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
