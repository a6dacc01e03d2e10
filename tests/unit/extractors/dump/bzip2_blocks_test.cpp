#include "extractors/dump/bzip2_blocks.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "extractors/dump/multistream_index.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/extractors/dump/compressed_files.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <bzlib.h>
#include <gtest/gtest.h>

namespace touchstone::extractors::dump {
namespace {

using internal::Bzip2Cutter;
using internal::find_bzip2_damage;
using internal::RawFile;
using testing::read_all;
using testing::TemporaryFolder;

/// A stream of blocks of 100,000 bytes.
std::string bzip2(std::string text) {
  std::string out(text.size() + text.size() / 50 + 1000, '\0');
  auto size = static_cast<unsigned>(out.size());
  EXPECT_EQ(BZ2_bzBuffToBuffCompress(out.data(), &size, text.data(), static_cast<unsigned>(text.size()), 1, 0, 0),
            BZ_OK);
  out.resize(size);
  return out;
}

std::string words(std::size_t bytes, unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < bytes) text += std::to_string(random() % 5000) + (random() % 9 == 0 ? "\n" : " ");
  text.resize(bytes);
  return text;
}

std::string undamaged(const std::filesystem::path& path, std::size_t piece = std::size_t{1} << 16) {
  ByteSourceOptions options;
  options.skip_damage = true;
  return read_all(*open_byte_source(path, options), piece);
}

/// First bytes of the blocks of a file.
std::vector<std::uint64_t> block_places(const std::filesystem::path& path) {
  RawFile file(path);
  Bzip2Cutter cutter(file);
  std::vector<std::uint64_t> places;
  while (const auto piece = cutter.next())
    if (piece->is_block) places.push_back(piece->place);
  return places;
}

/// Whether `text` is `whole` with a zero byte in place of some parts of it.
bool is_part_of(const std::string& text, const std::string& whole) {
  std::size_t at = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('\0', begin), text.size());
    const auto part = text.substr(begin, end - begin);
    const auto found =
        begin == 0 && !part.empty() ? (whole.starts_with(part) ? 0 : std::string::npos) : whole.find(part, at);
    if (found == std::string::npos) return false;
    at = found + part.size();
    begin = end + 1;
  }
  return text.ends_with('\0') || at == whole.size();
}

TEST(UndamagedBzip2, AWholeFileIsWholeWhateverItsBlocksAndStreams) {
  const TemporaryFolder folder;
  for (const std::size_t size : {1U, 50U, 99'000U, 100'001U, 1'000'000U}) {
    const auto text = words(size, 1);
    write_file_atomically(folder / "one.bz2", bzip2(text));
    EXPECT_EQ(undamaged(folder / "one.bz2", 1000), text);
    write_file_atomically(folder / "three.bz2", bzip2(text) + bzip2("middle") + bzip2(text));
    EXPECT_EQ(undamaged(folder / "three.bz2"), text + "middle" + text);
    EXPECT_FALSE(find_bzip2_damage(folder / "three.bz2", 0, UINT64_MAX, nullptr));
  }
  const std::string equal(30'000'000, 'x');  // a block of runs, which is much larger than its 100,000 bytes
  write_file_atomically(folder / "equal.bz2", bzip2(equal));
  EXPECT_EQ(undamaged(folder / "equal.bz2"), equal);
}

TEST(UndamagedBzip2, DamageCostsItsBlockAloneAndIsFoundThere) {
  const TemporaryFolder folder;
  const auto text = words(600'000, 2);
  const auto whole = bzip2(text) + bzip2("the next stream");
  const auto path = folder / "damaged.bz2";
  write_file_atomically(path, whole);
  const auto places = block_places(path);
  ASSERT_GE(places.size(), 7U);
  std::mt19937 random(3);
  std::size_t missed = 0;
  for (int times = 0; times < 60; ++times) {
    auto bytes = whole;
    const auto at = places.front() + 7 + random() % (whole.size() - places.front() - 7);
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
    write_file_atomically(path, bytes);
    const auto read = undamaged(path);
    EXPECT_TRUE(is_part_of(read, text + "the next stream")) << at;
    EXPECT_LE(std::count(read.begin(), read.end(), '\0'), 2) << at;
    EXPECT_GT(read.size() + 250'000, text.size()) << at;
    const auto found = find_bzip2_damage(path, 0, bytes.size(), nullptr);
    missed += found ? 0 : 1;  // the sum of a stream, and bits behind the last one
    if (found) {
      EXPECT_EQ(*found, *(std::upper_bound(places.begin(), places.end(), at) - 1)) << at;
    }
  }
  EXPECT_LE(missed, 3U);
}

TEST(UndamagedBzip2, AMissingBlockOrEndIsDamage) {
  const TemporaryFolder folder;
  const auto text = words(600'000, 4);
  const auto whole = bzip2(text);
  write_file_atomically(folder / "whole.bz2", whole);
  const auto places = block_places(folder / "whole.bz2");
  for (const std::size_t size : {places[0] + 20, places[2] + 1, places[2] + 5000, whole.size() - 1}) {
    write_file_atomically(folder / "cut.bz2", whole.substr(0, size));
    const auto read = undamaged(folder / "cut.bz2");
    EXPECT_TRUE(read.ends_with('\0')) << size;
    EXPECT_TRUE(is_part_of(read, text)) << size;
  }
  auto hole = whole;
  hole.replace(places[1] + 100, places[4] - places[1], places[4] - places[1], '\0');
  write_file_atomically(folder / "hole.bz2", hole);
  const auto read = undamaged(folder / "hole.bz2");
  EXPECT_TRUE(is_part_of(read, text));
  EXPECT_TRUE(read.ends_with(text.substr(text.size() - 50'000))) << "the stream goes on behind the hole";
}

TEST(DamagedBzip2, IsNamedByTheByteOfItsBlock) {
  const TemporaryFolder folder;
  auto bytes = bzip2(words(600'000, 5));
  write_file_atomically(folder / "d.xml.bz2", bytes);
  const auto place = block_places(folder / "d.xml.bz2")[3];
  bytes[place + 900] = static_cast<char>(bytes[place + 900] ^ 1);
  write_file_atomically(folder / "d.xml.bz2", bytes);
  for (const bool use_lbzip2 : {true, false}) {
    if (use_lbzip2 && !internal::lbzip2_is_installed()) continue;
    ByteSourceOptions options;
    options.use_lbzip2 = use_lbzip2;
    try {
      read_all(*open_byte_source(folder / "d.xml.bz2", options));
      FAIL() << "no error";
    } catch (const FormatError& error) {
      EXPECT_NE(std::string(error.what()).find("the bzip2 block at byte " + internal::grouped_digits(place)),
                std::string::npos)
          << error.what();
    }
  }
}

MultistreamIndex index_of(const std::string& lines) {
  return MultistreamIndex(std::make_unique<testing::MemorySource>(lines));
}

TEST(MultistreamIndex, NamesThePagesBetweenTwo) {
  auto index = index_of("600:1:A\n600:3:B: c\n\nno line\n900:4:D\n900:x:E\n900:8:F\n1000:9:G");
  using Texts = std::vector<std::string>;
  EXPECT_EQ(index.between(PageId{0}, PageId{4}), (Texts{"page 1 \"A\"", "page 3 \"B: c\""}));
  EXPECT_EQ(index.between(PageId{4}, PageId{8}), Texts());
  EXPECT_EQ(index.between(PageId{8}, PageId{0}), Texts{"page 9 \"G\""});
  EXPECT_EQ(index_of("").between(PageId{0}, PageId{0}), Texts());
}

TEST(MultistreamIndex, IsFoundBesideItsDump) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "w-pages-articles-multistream-index.txt.bz2", "x");
  write_file_atomically(folder / "w-pages-articles-multistream-index1.txt-p1p9.bz2", "x");
  EXPECT_EQ(MultistreamIndex::beside(folder / "w-pages-articles-multistream.xml.bz2"),
            folder / "w-pages-articles-multistream-index.txt.bz2");
  EXPECT_EQ(MultistreamIndex::beside(folder / "w-pages-articles-multistream1.xml-p1p9.bz2"),
            folder / "w-pages-articles-multistream-index1.txt-p1p9.bz2");
  EXPECT_EQ(MultistreamIndex::beside(folder / "v-pages-articles-multistream.xml.bz2"), "");
  EXPECT_EQ(MultistreamIndex::beside(folder / "w-pages-articles.xml.bz2"), "");
}

}  // namespace
}  // namespace touchstone::extractors::dump
