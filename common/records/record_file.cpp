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
  file_.write(std::string(kHead).append(layout).append("\n"));
}

void ByteWriter::add(std::string_view record) {
  TS_CHECK(record.size() < kMostBlockBytes, "a record of a gigabyte");
  if (!block_.bytes().empty() && block_.bytes().size() + record.size() > kBlockBytes) write_block();
  block_.text(record);
  ++count_;
}

void ByteWriter::write_block() {
  file_.write(internal::pack_block(block_.bytes()));
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
  if (head.size == 0) {
    if (checksum_of(stored, 0) != head.checksum || Decoder(stored).number() != count_ || rest_ > 0) fail("is damaged");
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
