#include "extractors/dump/byte_source.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/tar_header.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/extractors/dump/compressed_files.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace touchstone::extractors::dump {
namespace {

using testing::compressed;
using testing::name_of;
using testing::read_all;

/// Text that neither compresses to nothing nor stays as large as it is.
std::string sample_text(std::size_t bytes) {
  std::mt19937 random(7);
  std::string text = "<mediawiki>";
  while (text.size() < bytes) text += "word" + std::to_string(random() % 100'000) + (random() % 9 == 0 ? "\n" : " ");
  return text;
}

/// The kind of file, and whether the lbzip2 program may be used.
struct Way {
  Compression kind;
  bool lbzip2;

  friend void PrintTo(const Way& way, std::ostream* out) {
    *out << name_of(way.kind) << (way.lbzip2 ? " by lbzip2" : "");
  }
};

class ByteSourceTest : public ::testing::TestWithParam<Way> {
 protected:
  testing::TemporaryFolder folder;
  std::string text = sample_text(300'000);
  std::string bytes = compressed(text, GetParam().kind);

  std::unique_ptr<ByteSource> open(const std::string& content) {
    write_file_atomically(folder / "dump.bin", content);
    ByteSourceOptions options;
    options.use_lbzip2 = GetParam().lbzip2;
    return open_byte_source(folder / "dump.bin", options);
  }
  std::string failure_of(const std::string& content) {
    try {
      read_all(*open(content));
    } catch (const FormatError& error) {
      return error.what();
    }
    return "";
  }
};

class StreamsTest : public ByteSourceTest {};     ///< kinds that may be concatenated: 7z may not
class CompressedTest : public ByteSourceTest {};  ///< kinds with an end mark and a checksum: plain text has neither

TEST_P(ByteSourceTest, GivesTheContentWhateverThePieces) {
  for (const std::size_t piece : {1U << 20, 4096U, 1000U, 7U}) {
    auto source = open(bytes);
    EXPECT_TRUE(read_all(*source, piece) == text) << piece;
    EXPECT_LE(source->raw_offset(), bytes.size());
    if (GetParam().kind != Compression::kSevenZip) {
      EXPECT_EQ(source->raw_offset(), bytes.size());
    }
    EXPECT_EQ(source->raw_sha256(), sha256_hex(bytes));
    EXPECT_EQ(source->name(), "dump.bin");
  }
}

TEST_P(ByteSourceTest, AfterTheEndThereIsNothing) {
  auto source = open(bytes);
  read_all(*source);
  char byte = 0;
  EXPECT_EQ(source->read(&byte, 1), 0U);
}

TEST_P(StreamsTest, ConcatenatedStreamsAreOneText) {
  const std::string second = "and more";
  EXPECT_TRUE(read_all(*open(bytes + compressed(second, GetParam().kind))) == text + second);
}

TEST_P(ByteSourceTest, TextInUtf16BecomesUtf8) {
  const std::string wide = "<mediawiki> Ōstra 日本 🚢 </mediawiki>" + std::string(100'000, 'x');
  for (const bool big_endian : {false, true}) {
    const auto content = compressed(testing::utf16(wide, big_endian), GetParam().kind);
    EXPECT_TRUE(read_all(*open(content)) == wide);
    EXPECT_TRUE(read_all(*open(content), 5) == wide);
  }
}

TEST_P(CompressedTest, ATruncatedFileIsAnErrorThatNamesIt) {
  for (const double share : {0.02, 0.3, 0.5, 0.9, 0.999}) {
    const auto message =
        failure_of(bytes.substr(0, static_cast<std::size_t>(share * static_cast<double>(bytes.size()))));
    EXPECT_TRUE(message.starts_with("dump.bin: ")) << share << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST_P(CompressedTest, AFlippedBitIsNoticedOrHarmless) {
  const auto seed = 3U;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  int noticed = 0;
  for (int round = 0; round < 40; ++round) {
    auto damaged = bytes;
    const auto at = 8 + random() % (damaged.size() - 8);
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    try {
      EXPECT_TRUE(read_all(*open(damaged)) == text) << "byte " << at << " changed the text unnoticed";
    } catch (const FormatError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("dump.bin: ")) << error.what();
      ++noticed;
    }
  }
  EXPECT_GE(noticed, 30);
}

TEST_P(ByteSourceTest, GivingUpEarlyIsFine) {
  auto source = open(bytes);
  char buffer[100];
  EXPECT_GT(source->read(buffer, sizeof buffer), 0U);
}

TEST_P(ByteSourceTest, StandardInputIsReadLikeAFile) {
  write_file_atomically(folder / "dump.bin", bytes);
  const int saved = ::dup(STDIN_FILENO);
  const int file = ::open((folder / "dump.bin").c_str(), O_RDONLY);
  ASSERT_GE(file, 0);
  ::dup2(file, STDIN_FILENO);
  ::close(file);
  ByteSourceOptions options;
  options.use_lbzip2 = GetParam().lbzip2;
  if (GetParam().kind == Compression::kSevenZip) {
    EXPECT_THROW(open_byte_source("-", options), FormatError);
  } else {
    auto source = open_byte_source("-", options);
    EXPECT_TRUE(read_all(*source) == text);
    EXPECT_EQ(source->name(), "standard input");
    EXPECT_EQ(source->raw_sha256(), sha256_hex(bytes));
  }
  if (saved >= 0) {
    ::dup2(saved, STDIN_FILENO);
    ::close(saved);
  } else {
    ::close(STDIN_FILENO);
  }
}

constexpr Way kPlain{Compression::kNone, false}, kBzip2{Compression::kBzip2, false},
    kBzip2ByProgram{Compression::kBzip2, true}, kGzip{Compression::kGzip, false}, kZstd{Compression::kZstd, false},
    kXz{Compression::kXz, false}, kSevenZip{Compression::kSevenZip, false};

std::string test_name(const ::testing::TestParamInfo<Way>& way) {
  return "As_" + name_of(way.param.kind) + (way.param.lbzip2 ? "_by_lbzip2" : "");
}

INSTANTIATE_TEST_SUITE_P(Kinds, ByteSourceTest,
                         ::testing::Values(kPlain, kBzip2, kBzip2ByProgram, kGzip, kZstd, kXz, kSevenZip), test_name);
INSTANTIATE_TEST_SUITE_P(Kinds, StreamsTest, ::testing::Values(kPlain, kBzip2, kBzip2ByProgram, kGzip, kZstd, kXz),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Kinds, CompressedTest,
                         ::testing::Values(kBzip2, kBzip2ByProgram, kGzip, kZstd, kXz, kSevenZip), test_name);

class DeclaredEncoding : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder;
  std::string read(const std::string& content) {
    write_file_atomically(folder / "dump.xml", content);
    return read_all(*open_byte_source(folder / "dump.xml"));
  }
};

TEST_F(DeclaredEncoding, BecomesUtf8) {
  const auto declared = [](const std::string& encoding, const std::string& text) {
    return "<?xml version=\"1.0\" encoding=\"" + encoding + "\"?>\n<mediawiki>" + text + "</mediawiki>";
  };
  EXPECT_EQ(read(declared("ISO-8859-1", "caf\xE9")), declared("ISO-8859-1", "caf\u00E9"));
  EXPECT_EQ(read(declared("windows-1251", "\xCC\xE8\xF0")), declared("windows-1251", "\u041C\u0438\u0440"));
  EXPECT_EQ(read("<?xml version='1.0' encoding = 'latin1' ?><a>\xE9</a>"),
            "<?xml version='1.0' encoding = 'latin1' ?><a>\u00E9</a>");
  for (const char* utf8 : {"UTF-8", "utf-8", "UTF-16", "US-ASCII"})
    EXPECT_EQ(read(declared(utf8, "caf\u00E9")), declared(utf8, "caf\u00E9")) << utf8;
  const std::string without = "<?xml version=\"1.0\"?><a>caf\u00E9 encoding=\"latin1\"</a>";
  EXPECT_EQ(read(without), without);
  const std::string large = declared("ISO-8859-1", std::string(300'000, '\xE9'));
  EXPECT_EQ(read(large).size(), large.size() + 300'000);
}

TEST_F(DeclaredEncoding, ThatIsNotKnownOrNotKeptIsAnError) {
  EXPECT_THROW(read("<?xml version=\"1.0\" encoding=\"x-no-such\"?><a/>"), FormatError);
  EXPECT_THROW(read("<?xml version=\"1.0\" encoding=\"Shift_JIS\"?><a>\xFF\xFF</a>"), FormatError);
}

TEST(ByteSourceErrors, AMissingFileAFolderAndAnEmptyFileAreTold) {
  const testing::TemporaryFolder folder;
  EXPECT_THROW(open_byte_source(folder / "none.xml"), StorageError);
  EXPECT_THROW(open_byte_source(folder.path()), StorageError);
  write_file_atomically(folder / "empty.xml", "");
  EXPECT_THROW(open_byte_source(folder / "empty.xml"), FormatError);
}

TEST(ByteSourceErrors, ArchivesAreRefusedPlainAndCompressed) {
  const testing::TemporaryFolder folder;
  const auto tar = testing::tar_header("a.xml", 11) + "<mediawiki>" + std::string(1013, '\0');
  const std::string zip = "PK\x03\x04" + std::string(100, 'x');
  for (const auto& archive : {tar, zip}) {
    for (const auto kind : {Compression::kNone, Compression::kBzip2, Compression::kGzip, Compression::kZstd,
                            Compression::kXz, Compression::kSevenZip}) {
      write_file_atomically(folder / "a.bin", compressed(archive, kind));
      const auto said = testing::message_of<FormatError>([&] { open_byte_source(folder / "a.bin"); });
      EXPECT_NE(said.find(archive == tar ? "holds a tar archive" : "holds a zip archive"), std::string::npos)
          << name_of(kind) << ": " << said;
    }
  }
}

TEST(TarMembers, FilesOfTheEndingsAreGivenOneAfterTheOther) {
  const testing::TemporaryFolder folder;
  const auto member = [](const std::string& name, const std::string& text) {
    return testing::tar_header(name, static_cast<unsigned>(text.size())) + text + std::string(512 - text.size(), '\0');
  };
  const auto tar = member("a.ndjson", "{1}") + member("b.txt", "no") + member("c.ndjson", "{2}\n");
  const auto padded = tar + std::string(200'000, '\0');
  ByteSourceOptions options;
  options.tar_members = {".ndjson"};
  for (const auto kind : {Compression::kNone, Compression::kGzip, Compression::kXz}) {
    const auto bytes = compressed(padded, kind);
    write_file_atomically(folder / "a.tar", bytes);
    const auto source = open_byte_source(folder / "a.tar", options);
    EXPECT_EQ(testing::read_all(*source, 7), "{1}\n{2}\n\n") << name_of(kind);
    EXPECT_EQ(source->raw_sha256(), sha256_file(folder / "a.tar")) << name_of(kind);
  }
  write_file_atomically(folder / "a.tar", tar.substr(0, tar.size() - 510));
  EXPECT_THROW(testing::read_all(*open_byte_source(folder / "a.tar", options)), FormatError);
}

TEST(ByteSourceErrors, AFifoWithoutAWriterObeysTheStopFlag) {
  const testing::TemporaryFolder folder;
  const auto fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  StopFlag stop;
  ByteSourceOptions options;
  options.stop = &stop;
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.request();
  });
  EXPECT_THROW(open_byte_source(fifo, options), Interrupted);
}

TEST(ByteSourceErrors, AFifoIsReadToItsEnd) {
  const testing::TemporaryFolder folder;
  const auto fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const std::string text = sample_text(300'000);
  std::jthread writer([&] {
    const int file = ::open(fifo.c_str(), O_WRONLY);
    for (std::size_t at = 0; at < text.size();) {
      const auto done = ::write(file, text.data() + at, std::min<std::size_t>(text.size() - at, 50'000));
      if (done <= 0) break;
      at += static_cast<std::size_t>(done);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ::close(file);
  });
  EXPECT_TRUE(read_all(*open_byte_source(fifo)) == text);
}

TEST(ByteSourceErrors, ZeroBytesBehindAGzipMemberAreTapePadding) {
  const testing::TemporaryFolder folder;
  write_file_atomically(folder / "a.gz", compressed("text", Compression::kGzip) + std::string(512, '\0'));
  EXPECT_EQ(read_all(*open_byte_source(folder / "a.gz")), "text");
}

TEST(ByteSourceErrors, TextWithoutAByteOrderMarkStaysAsItIs) {
  const testing::TemporaryFolder folder;
  for (const auto* text : {"a", "ab", "<m>", "\xff"}) {
    write_file_atomically(folder / "a.xml", text);
    EXPECT_EQ(read_all(*open_byte_source(folder / "a.xml")), text);
  }
}

}  // namespace
}  // namespace touchstone::extractors::dump
