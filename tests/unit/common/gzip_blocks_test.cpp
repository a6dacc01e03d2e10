#include "common/gzip_blocks.hpp"

#include "tests/unit/common/resident_memory.hpp"

#include <algorithm>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>
#include <zlib.h>

namespace touchstone {
namespace {

std::string compressed(std::string_view text, Compression compression, std::size_t piece) {
  std::string bytes;
  GzipBlocks gzip([&](std::string_view some) { bytes += some; }, compression);
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) gzip.write(text.substr(0, piece));
  gzip.finish();
  return bytes;
}

/// The text of a single gzip member; empty if there is anything else, such as a second member or a wrong checksum.
std::string only_member(const std::string& bytes, std::size_t text_bytes) {
  z_stream stream{};
  std::string text(text_bytes + 1, '\0');
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  const int status = inflate(&stream, Z_FINISH);
  text.resize(text.size() - stream.avail_out);
  const bool is_all = status == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  return is_all ? text : "";
}

std::string words(std::size_t bytes) {
  std::mt19937 random(7);
  std::string text;
  while (text.size() < bytes) text += "word" + std::to_string(random() % 5000) + (random() % 9 == 0 ? "\n" : " ");
  text.resize(bytes);
  return text;
}

constexpr std::size_t kBlock = GzipBlocks::kBlockBytes;

TEST(GzipBlocks, OneMemberHoldsTheTextWhateverItsSize) {
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{40'000}, kBlock - 1, kBlock, kBlock + 1, 2 * kBlock, 20 * kBlock + 123}) {
    const auto text = words(bytes);
    EXPECT_TRUE(only_member(compressed(text, Compression::kParallel, 1000), bytes) == text) << bytes;
  }
}

TEST(GzipBlocks, AnEmptyTextIsAMemberToo) {
  const auto bytes = compressed("", Compression::kParallel, 1);
  EXPECT_EQ(bytes, std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0", 20));
}

TEST(GzipBlocks, BytesDependOnTheTextAlone) {
  const auto text = words(12 * kBlock + 77);
  const auto bytes = compressed(text, Compression::kOwnThread, text.size());
  EXPECT_TRUE(compressed(text, Compression::kParallel, text.size()) == bytes);
  EXPECT_TRUE(compressed(text, Compression::kParallel, 4099) == bytes);
  EXPECT_TRUE(compressed(text, Compression::kOwnThread, kBlock) == bytes);
}

DeflatedPiece piece_of(std::string_view text, std::size_t part) {
  PieceDeflater deflater;
  for (; !text.empty(); text.remove_prefix(std::min(part, text.size()))) deflater.add(text.substr(0, part));
  return deflater.take();
}

TEST(GzipBlocks, PiecesStandBetweenTextsInOneMember) {
  const std::string first = words(3 * kBlock + 5), second = words(90'000), noise = [] {
    std::mt19937 random(3);
    std::string bytes(kBlock, '\0');
    for (auto& byte : bytes) byte = static_cast<char>(random());
    return bytes;
  }();
  const auto piece = piece_of(second, 777), other = piece_of(noise, kBlock);
  EXPECT_EQ(piece.text_bytes, second.size());
  std::string bytes;
  GzipBlocks gzip([&](std::string_view some) { bytes += some; }, Compression::kParallel);
  gzip.write(piece);
  gzip.write(first);
  gzip.write(other);
  gzip.write(piece);
  gzip.write(DeflatedPiece{});
  gzip.write("end");
  gzip.finish();
  const std::string expected = second + first + noise + second + "end";
  EXPECT_TRUE(only_member(bytes, expected.size()) == expected);
}

TEST(GzipBlocks, APieceDependsOnItsTextAlone) {
  const auto text = words(400'000);
  const auto first = piece_of(text, 4096);
  piece_of(words(70'000), 70'000);  // what the thread compressed before does not matter
  EXPECT_TRUE(piece_of(text, 4096).bytes == first.bytes);
  const auto nothing = piece_of("", 1);
  EXPECT_EQ(nothing.bytes.size() + nothing.text_bytes + nothing.checksum, 0U);
}

TEST(GzipBlocks, BytesThatDoNotShrinkFit) {
  std::mt19937 random(3);
  std::string noise(3 * kBlock, '\0');
  for (auto& byte : noise) byte = static_cast<char>(random());
  EXPECT_TRUE(only_member(compressed(noise, Compression::kParallel, 999), noise.size()) == noise);
}

TEST(GzipBlocks, RepetitionsAcrossBlocksAreSeen) {
  std::string once = words(30'000), text;
  for (std::size_t i = 0; i < 8 * kBlock / once.size(); ++i) text += once;
  // Without what came before, each of the eight blocks would begin with some 10 kB.
  EXPECT_LT(compressed(text, Compression::kOwnThread, text.size()).size(), 50'000U);
}

TEST(GzipBlocks, MayBeGivenUpBeforeItsEnd) {
  std::size_t got = 0;
  {
    GzipBlocks gzip([&](std::string_view bytes) { got += bytes.size(); }, Compression::kParallel);
    gzip.write(words(5 * kBlock));
  }
  EXPECT_GE(got, 10U);  // the header
}

TEST(GzipBlocks, ALongTextNeedsNoMemoryInAnArenaOfOneThread) {
  if (!kMemoryIsMeasured) GTEST_SKIP() << "the sanitizer keeps memory that was given back";
  const std::string text(kBlock, 'a');
  tbb::task_arena arena(1);
  arena.execute([&] {
    GzipBlocks gzip([](std::string_view) {}, Compression::kParallel);
    const auto before = resident_bytes();
    for (int i = 0; i < 1000; ++i) gzip.write(text);
    EXPECT_LT(resident_bytes(), before + 50'000'000);
    gzip.finish();
  });
}

}  // namespace
}  // namespace touchstone
