#include "common/records/record_file.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/system_failure.hpp"

#include <array>
#include <cerrno>
#include <system_error>

#include <zstd.h>

namespace touchstone::records {
namespace {

constexpr std::string_view kHead = "touchstone records 1 ";
constexpr std::size_t kBlockBytes = std::size_t{64} << 10;
constexpr std::size_t kMostBlockBytes = std::size_t{1} << 30;  ///< a record is never larger than that either
constexpr std::size_t kMostHeadBytes = std::size_t{64} << 10;
constexpr int kLevel = 1;  ///< the fastest: files are written once and read once or twice

/// Before the bytes of a block: sizes in the file and before compression, and the checksum.
struct BlockHead {
  static constexpr std::size_t kBytes = 16;
  std::uint32_t stored = 0, size = 0;
  std::uint64_t checksum = 0;

  std::string bytes() const {
    std::string out;
    for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(stored >> shift & 0xFFU));
    for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(size >> shift & 0xFFU));
    for (int shift = 0; shift < 64; shift += 8) out.push_back(static_cast<char>(checksum >> shift & 0xFFU));
    return out;
  }
  static BlockHead of(std::string_view bytes) {
    const auto number = [&](std::size_t at, std::size_t size) {
      std::uint64_t value = 0;
      for (std::size_t i = size; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
      return value;
    };
    return {static_cast<std::uint32_t>(number(0, 4)), static_cast<std::uint32_t>(number(4, 4)), number(8, 8)};
  }
};

/// Covers the sizes too, so that none is believed which a broken disk gave.
std::uint64_t checksum_of(std::string_view stored, std::uint32_t size) {
  return xxh3_64(stored, stored.size() << 32U ^ size);
}

}  // namespace

ByteWriter::ByteWriter(const std::filesystem::path& path, std::string_view layout, WriteOptions options)
    : file_(path, std::move(options)) {
  file_.write(std::string(kHead).append(layout).append("\n"));
}

void ByteWriter::add(std::string_view record) {
  TS_CHECK(record.size() < kMostBlockBytes, "a record of a gigabyte");
  if (!block_.bytes().empty() && block_.bytes().size() + record.size() > kBlockBytes) write_block();
  block_.text(record);
  ++count_;
}

void ByteWriter::write_block() {
  const auto bytes = block_.bytes();
  compressed_.resize(ZSTD_compressBound(bytes.size()));
  const auto stored = ZSTD_compress(compressed_.data(), compressed_.size(), bytes.data(), bytes.size(), kLevel);
  if (ZSTD_isError(stored) != 0) throw StorageError(std::string("cannot compress: ") + ZSTD_getErrorName(stored));
  const auto size = static_cast<std::uint32_t>(bytes.size());
  const std::string_view text(compressed_.data(), stored);
  file_.write(BlockHead{static_cast<std::uint32_t>(stored), size, checksum_of(text, size)}.bytes());
  file_.write(text);
  block_.clear();
}

void ByteWriter::finish() {
  if (!block_.bytes().empty()) write_block();
  Encoder end;
  end.number(count_);
  file_.write(BlockHead{static_cast<std::uint32_t>(end.bytes().size()), 0, checksum_of(end.bytes(), 0)}.bytes());
  file_.write(end.bytes());
  file_.finish();
}

ByteReader::ByteReader(std::filesystem::path path) : path_(std::move(path)), file_(path_, std::ios::binary) {
  std::error_code error;
  rest_ = std::filesystem::file_size(path_, error);
  if (error || !file_)
    throw StorageError(failure_text("read", path_, error ? error : std::error_code(errno, std::generic_category())));
  if (rest_ < kHead.size() || read(kHead.size()) != kHead) fail("is no file of records of this version");
  for (char c = 0; file_.get(c);) {
    --rest_;
    if (c == '\n') return;
    layout_.push_back(c);
    if (layout_.size() == kMostHeadBytes) break;
  }
  fail("has a damaged first line");
}

void ByteReader::fail(std::string_view what) const {
  throw FormatError(path_.string() + " " + std::string(what) + "; run the stage that wrote it again with --force");
}

std::string ByteReader::read(std::size_t bytes) {
  if (bytes > rest_) fail("is not whole");
  std::string text(bytes, '\0');
  if (!file_.read(text.data(), static_cast<std::streamsize>(bytes)))
    throw StorageError(failure_text("read", path_, std::error_code(errno, std::generic_category())));
  rest_ -= bytes;
  return text;
}

bool ByteReader::read_block() {
  const auto head = BlockHead::of(read(BlockHead::kBytes));
  if (head.size > kMostBlockBytes) fail("is damaged");
  const auto stored = read(head.stored);
  if (checksum_of(stored, head.size) != head.checksum) fail("is damaged");
  if (head.size == 0) {
    if (Decoder(stored).number() != count_ || rest_ > 0) fail("is damaged");
    at_end_ = true;
    return false;
  }
  block_.resize(head.size);
  if (ZSTD_decompress(block_.data(), block_.size(), stored.data(), stored.size()) != head.size) fail("is damaged");
  records_ = Decoder(block_);
  return true;
}

bool ByteReader::next(std::string_view& record) {
  if (at_end_) return false;
  if (records_.at_end() && !read_block()) return false;
  record = records_.text();
  ++count_;
  return true;
}

bool is_record_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, kHead.size()> head{};
  return file.read(head.data(), head.size()) && std::string_view(head.data(), head.size()) == kHead;
}

}  // namespace touchstone::records
