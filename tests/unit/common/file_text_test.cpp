#include "common/file_text.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/tar_header.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace touchstone {
namespace {

class FileTextTest : public ::testing::Test {
 protected:
  std::filesystem::path write(const char* name, const std::string& text) const {
    TextWriter writer(folder_ / name);
    writer.write(text);
    writer.finish();
    return folder_ / name;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(FileTextTest, PlainAndGzipFilesHaveTheSameText) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "line " + std::to_string(i) + "\n";
  EXPECT_EQ(FileText(write("plain", text)).view(), text);
  EXPECT_EQ(FileText(write("packed.gz", text)).view(), text);
  EXPECT_EQ(FileText(write("empty", "")).view(), "");
  EXPECT_EQ(FileText(write("empty.gz", "")).view(), "");
}

TEST_F(FileTextTest, ReleasedBytesComeBack) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i) + ",";
  const FileText file(write("plain", text));
  file.release(0, text.size());
  EXPECT_EQ(file.view(), text);
  file.release(5, 6);
  file.release(10000, 5);
  EXPECT_EQ(file.view(), text);
}

TEST_F(FileTextTest, SaysWhatCannotBeRead) {
  EXPECT_THROW(FileText(folder_ / "none"), StorageError);
  EXPECT_THROW(FileText(folder_.path()), StorageError);
  const auto whole = read_file(write("packed.gz", std::string(1 << 20, 'x') + "end"));
  write_file_atomically(folder_ / "cut.gz", whole.substr(0, whole.size() / 2));
  EXPECT_THROW(FileText(folder_ / "cut.gz"), FormatError);
}

TEST_F(FileTextTest, NamesThePackerThatItDoesNotRead) {
  struct {
    const char *bytes, *name;
  } const cases[] = {{"\x28\xB5\x2F\xFDx", "zstd"}, {"BZh91AY&SYx", "bzip2"}, {"\xFD\x37zXZx", "xz"}};
  for (const auto& c : cases) {
    write_file_atomically(folder_ / "packed", c.bytes);
    try {
      FileText text(folder_ / "packed");
      ADD_FAILURE() << c.name;
    } catch (const FormatError& error) {
      EXPECT_NE(std::string(error.what()).find(std::string("compressed with ") + c.name), std::string::npos)
          << error.what();
    }
  }
  EXPECT_EQ(FileText(write("text", "BZh9 is a topic")).view(), "BZh9 is a topic");
}

TEST_F(FileTextTest, ArchivesAreRefusedByTheirKind) {
  for (const auto& [bytes, kind] :
       {std::pair{std::string("PK\x03\x04x"), "zip"}, std::pair{std::string("7z\xBC\xAF\x27\x1Cx"), "7z"},
        std::pair{testing::tar_header("run.txt", 10), "tar"}}) {
    for (const char* name : {"a", "a.gz"}) {
      const auto path = write(name, bytes);
      const auto said = testing::message_of<FormatError>([&] { FileText text(path); });
      EXPECT_NE(said.find(std::string("is a ") + kind + " archive"), std::string::npos) << said;
    }
  }
}

TEST_F(FileTextTest, ALineWithoutAnEndIsRefusedBeforeItTakesAllMemory) {
  for (const auto& path : {std::filesystem::path("/dev/zero"), write("zeros.gz", std::string(100 << 20, '\0')),
                           write("late.gz", "1 0 d 1\n" + std::string(100 << 20, 'x')),
                           write("plain", "1 0 d 1\n" + std::string(200 << 20, 'x'))}) {
    const auto said = testing::message_of<FormatError>([&] { FileText text(path); });
    EXPECT_NE(said.find(" is longer than 67108864 bytes"), std::string::npos) << path << ": " << said;
  }
}

TEST_F(FileTextTest, TextThatGrowsWithoutMeasureIsRefused) {
  std::string lines;
  for (int i = 0; i < 300 << 10; ++i) lines += std::string(1023, 'x') + "\n";
  const auto said = testing::message_of<FormatError>([&] { FileText text(write("bomb.gz", lines)); });
  EXPECT_NE(said.find("300 times its size"), std::string::npos) << said;
  EXPECT_EQ(FileText(write("plain", lines)).view().size(), lines.size());
}

TEST_F(FileTextTest, PackedTextHasALimit) {
  const auto path = write("packed.gz", std::string(1 << 20, 'x'));
  EXPECT_THROW(FileText(path, 1000), FormatError);
  EXPECT_EQ(FileText(path, 1 << 20).view().size(), std::size_t{1} << 20);
}

TEST(LineNumber, CountsFromOne) {
  EXPECT_EQ(line_number("a\nb\nc", 0), 1U);
  EXPECT_EQ(line_number("a\nb\nc", 1), 1U);
  EXPECT_EQ(line_number("a\nb\nc", 2), 2U);
  EXPECT_EQ(line_number("a\nb\nc", 99), 3U);
}

}  // namespace
}  // namespace touchstone
