#include "common/records/record_file.hpp"

#include "common/error.hpp"
#include "common/records/record_block.hpp"
#include "common/system_failure.hpp"

#include <array>
#include <cerrno>
#include <system_error>

namespace touchstone::records {

using internal::BlockHead;
using internal::checksum_of;
using internal::kMostBlockBytes;

namespace {

constexpr std::string_view kHead = "touchstone records 1 ";
constexpr std::size_t kBlockBytes = std::size_t{64} << 10;
constexpr std::size_t kMostHeadBytes = std::size_t{64} << 10;

}  // namespace

ByteWriter::ByteWriter(const std::filesystem::path& path, std::string_view layout, WriteOptions options)
    : file_(path, std::move(options)) {
  write(std::string(kHead).append(layout).append("\n"));
}

std::uint64_t ByteWriter::add(std::string_view record) {
  TS_CHECK(record.size() < kMostBlockBytes, "a record of a gigabyte");
  if (!block_.bytes().empty() && block_.bytes().size() + record.size() > kBlockBytes) write_block();
  block_.text(record);
  ++count_;
  return written_;
}

void ByteWriter::write(std::string_view bytes) {
  file_.write(bytes);
  written_ += bytes.size();
}

void ByteWriter::write_block() {
  write(internal::pack_block(block_.bytes()));
  block_.clear();
}

void ByteWriter::finish() {
  if (!block_.bytes().empty()) write_block();
  Encoder end;
  end.number(count_);
  write(BlockHead{static_cast<std::uint32_t>(end.bytes().size()), 0, checksum_of(end.bytes(), 0)}.bytes());
  write(end.bytes());
  file_.finish();
}

ByteReader::ByteReader(std::filesystem::path path) : path_(std::move(path)), file_(path_, std::ios::binary) {
  std::error_code error;
  size_ = rest_ = std::filesystem::file_size(path_, error);
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

void ByteReader::seek(std::uint64_t block) {
  from_begin_ = at_end_ = false;
  if (block == block_begin_) {
    records_ = Decoder(block_);
    return;
  }
  if (block > size_) fail("is not whole");
  file_.seekg(static_cast<std::streamoff>(block));
  rest_ = size_ - block;
  records_ = Decoder({});
}

bool ByteReader::read_block() {
  block_begin_ = size_ - rest_;
  const auto head = BlockHead::of(read(BlockHead::kBytes));
  if (head.size > kMostBlockBytes) fail("is damaged");
  const auto stored = read(head.stored);
  if (head.size == 0) {
    const bool whole = !from_begin_ || Decoder(stored).number() == count_;
    if (checksum_of(stored, 0) != head.checksum || !whole || rest_ > 0) fail("is damaged");
    block_.clear();
    at_end_ = true;
    return false;
  }
  if (!internal::unpack_block(head, stored, block_)) fail("is damaged");
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
