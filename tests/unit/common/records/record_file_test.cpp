#include "common/records/record_file.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/ids.hpp"
#include "tests/support/temporary_folder.hpp"

#include <array>
#include <bitset>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::records {
namespace {

enum class Color : std::uint8_t { kRed, kGreen };

struct Point {
  std::int32_t x = 0;
  double y = 0;

  template <class Fields>
  void fields(Fields& field) {
    field("x", x)("y", y);
  }
  friend bool operator==(const Point&, const Point&) = default;
};

struct Everything {
  PageId page;
  std::string text;
  bool truth = false;
  Color color = Color::kRed;
  std::vector<Point> points;
  std::optional<std::string> maybe;
  std::pair<std::uint32_t, std::string> pair;
  std::array<std::uint8_t, 2> bytes{};
  std::array<std::uint64_t, 2> numbers{};
  std::bitset<5> bits;
  std::map<std::string, std::uint64_t> map;

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", page)("text", text)("truth", truth)("color", color)("points", points)("maybe", maybe)(
        "pair", pair)("bytes", bytes)("numbers", numbers)("bits", bits)("map", map);
  }
  friend bool operator==(const Everything&, const Everything&) = default;
};

Everything example(std::uint32_t number) {
  Everything all{PageId{number},
                 "tab\tline\nnul" + std::string(1, '\0'),
                 true,
                 Color::kGreen,
                 {{-7, 0.25}, {1, 1e300}},
                 "there",
                 {7, "seven"},
                 {1, 255},
                 {~std::uint64_t{0}, 3},
                 std::bitset<5>(0b10110),
                 {{"a", 1}, {"b", 2}}};
  if (number % 2 == 0) all.maybe.reset();
  return all;
}

std::string read_bytes(const std::filesystem::path& path) {
  return read_file(path);
}
void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

class RecordFiles : public ::testing::Test {
 protected:
  std::filesystem::path write(std::uint32_t count) const {
    std::vector<Everything> all;
    for (std::uint32_t i = 0; i < count; ++i) all.push_back(example(i));
    RecordFile<Everything>::write(folder_ / "all.records", all);
    return folder_ / "all.records";
  }
  static std::string failure(const std::filesystem::path& path) {
    try {
      RecordFile<Everything>::read(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }

  testing::TemporaryFolder folder_;
};

enum class Size : std::uint8_t { kSmall, kLarge, kUnnamed };
constexpr std::array<std::pair<Size, std::string_view>, 2> kSizes{{{Size::kSmall, "small"}, {Size::kLarge, "large"}}};
constexpr const auto& names_of(Size /*any*/) noexcept {
  return kSizes;
}

struct Sized {
  std::vector<Size> sizes;
  std::optional<Size> maybe;

  template <class Fields>
  void fields(Fields& field) {
    field("sizes", sizes)("maybe", maybe);
  }
};

TEST(RecordLayouts, NamesOfAnEnumArePrintedAndANumberWithoutANameStaysOne) {
  Encoder encoder;
  encode(encoder, Sized{{Size::kLarge, Size::kSmall, Size::kUnnamed}, {}});
  EXPECT_EQ(layout_of<Sized>(), "{sizes:[esmall|large.],maybe:?esmall|large.}");
  EXPECT_EQ(record_json(layout_of<Sized>(), encoder.bytes()), R"({"sizes":["large","small",2],"maybe":null})");
}

TEST(RecordCoding, ANumberThatNamesNoValueOfAnEnumIsRefused) {
  const auto reread = [](const Sized& sized) {
    Encoder encoder;
    encode(encoder, sized);
    return decode_all<Sized>(encoder.bytes());
  };
  EXPECT_EQ(reread({{Size::kSmall, Size::kLarge}, {}}).sizes.back(), Size::kLarge);
  EXPECT_THROW((void)reread({{Size::kSmall, Size::kUnnamed}, {}}), FormatError);
  EXPECT_THROW((void)reread({{}, static_cast<Size>(255)}), FormatError);
}

TEST_F(RecordFiles, GiveBackWhatWasWritten) {
  for (const std::uint32_t count : {0U, 1U, 5000U}) {
    const auto all = RecordFile<Everything>::read(write(count));
    ASSERT_EQ(all.size(), count);
    for (std::uint32_t i = 0; i < count; ++i) EXPECT_EQ(all[i], example(i)) << i;
  }
}

TEST_F(RecordFiles, EqualRecordsGiveEqualBytes) {
  const auto first = read_bytes(write(3000));
  EXPECT_EQ(read_bytes(write(3000)), first);
}

TEST_F(RecordFiles, HoldRecordsLargerThanABlock) {
  Everything large = example(1);
  large.text.assign(3'000'000, 'x');
  RecordFile<Everything>::write(folder_ / "large", {example(0), large, example(2)});
  const auto all = RecordFile<Everything>::read(folder_ / "large");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[1], large);
}

TEST_F(RecordFiles, NameTheirFields) {
  EXPECT_EQ(layout_of<Everything>(),
            "{page_id:n,text:t,truth:b,color:n,points:[{x:s,y:d}],maybe:?t,pair:(nt),bytes:x2.,numbers:[n],bits:n,"
            "map:[(tn)]}");
  ByteReader reader(write(2));
  EXPECT_EQ(reader.layout(), layout_of<Everything>());
  std::string_view record;
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(record_json(reader.layout(), record),
            R"({"page_id":0,"text":"tab\tline\nnul\u0000","truth":true,"color":1,"points":[{"x":-7,"y":0.25},)"
            R"({"x":1,"y":1e+300}],"maybe":null,"pair":[7,"seven"],"bytes":"01ff",)"
            R"("numbers":[18446744073709551615,3],"bits":22,"map":[["a",1],["b",2]]})");
}

TEST_F(RecordFiles, OthersAreRefused) {
  RecordFile<Point>::write(folder_ / "points", {{1, 2}});
  EXPECT_NE(failure(folder_ / "points").find("points holds other records"), std::string::npos);
  write_bytes(folder_ / "text", "{\"page_id\":1}\n");
  EXPECT_NE(failure(folder_ / "text").find("text is no file of records"), std::string::npos);
  EXPECT_FALSE(is_record_file(folder_ / "text"));
  EXPECT_TRUE(is_record_file(folder_ / "points"));
  EXPECT_FALSE(is_record_file(folder_ / "missing"));
  EXPECT_NE(failure(folder_ / "missing").find("missing"), std::string::npos);
}

TEST_F(RecordFiles, CutAnywhereAreNotWhole) {
  const auto bytes = read_bytes(write(40));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    write_bytes(folder_ / "cut", bytes.substr(0, size));
    EXPECT_NE(failure(folder_ / "cut"), "none") << size;
  }
  write_bytes(folder_ / "cut", bytes + "x");
  EXPECT_NE(failure(folder_ / "cut"), "none") << "bytes behind the end";
}

TEST_F(RecordFiles, AnyChangedByteIsFound) {
  const auto bytes = read_bytes(write(40));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    auto changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    write_bytes(folder_ / "changed", changed);
    EXPECT_NE(failure(folder_ / "changed"), "none") << at;
  }
}

TEST_F(RecordFiles, AFileThatIsNotFinishedHasNoName) {
  {
    RecordFile<Point>::Writer writer(folder_ / "unfinished");
    writer.add({1, 2});
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "unfinished"));
}

/// A record that holds records of its own kind.
struct Tree {
  std::string name;
  std::vector<std::variant<Tree, std::string>> below;

  template <class Fields>
  void fields(Fields& field) {
    field("name", name)("below", below);
  }
  friend bool operator==(const Tree&, const Tree&) = default;
};

TEST(RecordCoding, RecordsMayHoldRecordsOfTheirKind) {
  Tree leaf{"leaf", {"text"}};
  const Tree tree{"root", {leaf, "more", Tree{"twig", {leaf}}}};
  Encoder encoder;
  encode(encoder, tree);
  EXPECT_EQ(decode_all<Tree>(encoder.bytes()), tree);
  EXPECT_EQ(layout_of<Tree>(), "{name:t,below:[<^0.t>]}");
  EXPECT_EQ(record_json(layout_of<Tree>(), encoder.bytes()),
            R"({"name":"root","below":[{"name":"leaf","below":["text"]},"more",)"
            R"({"name":"twig","below":[{"name":"leaf","below":["text"]}]}]})");
}

TEST(RecordCoding, BytesOfNoRecordAreRefused) {
  Encoder encoder;
  encode(encoder, Tree{"root", {Tree{"leaf", {"text"}}}});
  const std::string bytes(encoder.bytes());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW((void)decode_all<Tree>(bytes.substr(0, size)), FormatError) << size;
  EXPECT_THROW((void)decode_all<Tree>(bytes + "x"), FormatError);
}

TEST(RecordCoding, BytesThatNestWithoutEndAreRefused) {
  std::string deep;
  for (int i = 0; i < 1'000'000; ++i) deep += std::string("\0\1\0", 3);  // no name, one below, which is a tree
  EXPECT_THROW((void)decode_all<Tree>(deep), FormatError);
}

TEST(RecordCoding, ACountThatTheBytesDoNotHoldTakesNoMemory) {
  Encoder encoder;
  encoder.text("root");
  encoder.number(std::uint64_t{1} << 40);
  EXPECT_THROW((void)decode_all<Tree>(encoder.bytes()), FormatError);
}

TEST(RecordJson, RefusesLayoutsThatNoRecordHas) {
  Encoder encoder;
  encode(encoder, std::vector<std::uint32_t>{1, 2});
  EXPECT_EQ(record_json("[n]", encoder.bytes()), "[1,2]");
  for (const char* layout : {"",   "[", "[n", "[n]]", "n",        "{",   "{a",      "{a:", "{a:n", "?",
                             "(n", "x", "x9", "q",    "[[[[[[[[", "^0.", "{a:^1.}", "<>",  "<n",   "^"})
    EXPECT_THROW((void)record_json(layout, encoder.bytes()), FormatError) << layout;
}

}  // namespace
}  // namespace touchstone::records
