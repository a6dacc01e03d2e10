#include "linking/dictionary.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "linking/dictionary_format.hpp"
#include "tests/support/error_message.hpp"
#include "tests/unit/linking/small_dictionary.hpp"

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::linking {
namespace {

class DictionaryTest : public ::testing::Test {
 protected:
  SmallDictionary small;

  void SetUp() override {
    const auto a = small.entity("Amber Light", {1, 2, 7}, 42), b = small.entity("B\xC3\xA9", {});
    small.anchor("amber light", {{a, 5}, {b, 1}}, 6, 8);
    small.anchor("light", {{a, 2}}, 2, 20);
  }

  /// What opening says of the bytes, or reading all of them.
  std::string failure(const std::string& bytes) {
    const auto path = small.path("foreign.dictionary");
    write_file_atomically(path, bytes);
    return testing::message_of([&] { read_all(Dictionary(path)); });
  }

  static void read_all(const Dictionary& dictionary) {
    for (const char* text : {"amber light", "amber", "light", "nothing"}) {
      const auto found = dictionary.find(phrase_of(text).number);
      if (!found.anchor) continue;
      for (const auto& meaning : found.anchor->meanings) (void)dictionary.title(meaning.entity);
    }
    for (std::uint32_t i = 0; i < dictionary.entities(); ++i) {
      (void)dictionary.title(i);
      (void)dictionary.sources(i);
    }
  }

  /// The header after `change`, with the right checksum.
  template <class Change>
  static std::string with_header(std::string bytes, const Change& change) {
    internal::Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    change(header);
    std::memcpy(bytes.data(), &header, sizeof header);
    header.checksum = xxh3_64(std::string_view(bytes).substr(0, offsetof(internal::Header, checksum)));
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes;
  }
};

TEST_F(DictionaryTest, GivesBackWhatWasWritten) {
  const Dictionary dictionary(small.write());
  const auto found = dictionary.find(phrase_of("Amber Light").number);
  ASSERT_TRUE(found.anchor);
  EXPECT_FALSE(found.continues);
  EXPECT_DOUBLE_EQ(found.anchor->link_probability(), 0.75);
  ASSERT_EQ(found.anchor->meanings.size(), 2U);
  EXPECT_EQ(dictionary.title(found.anchor->meanings[0].entity), "Amber Light");
  EXPECT_EQ(dictionary.title(found.anchor->meanings[1].entity), "B\xC3\xA9");
  EXPECT_EQ(dictionary.qid(0), 42U);
  EXPECT_EQ(dictionary.qid(1), 0U);
  EXPECT_EQ(std::vector<std::uint32_t>(dictionary.sources(0).begin(), dictionary.sources(0).end()),
            (std::vector<std::uint32_t>{1, 2, 7}));
  EXPECT_TRUE(dictionary.sources(1).empty());
  EXPECT_TRUE(dictionary.find(phrase_of("amber").number).continues);
  EXPECT_FALSE(dictionary.find(phrase_of("amber").number).anchor);
  EXPECT_FALSE(dictionary.find(phrase_of("nothing").number).anchor);
  EXPECT_EQ(dictionary.fact("wiki"), "tinywiki");
  EXPECT_EQ(dictionary.fact("unknown"), "");
  EXPECT_EQ(dictionary.source_pages(), 1000U);
}

TEST_F(DictionaryTest, AnEmptyDictionaryKnowsNothing) {
  const SmallDictionary empty;
  const Dictionary dictionary(empty.write());
  EXPECT_EQ(dictionary.anchors(), 0U);
  EXPECT_EQ(dictionary.entities(), 0U);
  EXPECT_FALSE(dictionary.find(phrase_of("amber").number).anchor);
  EXPECT_THROW((void)dictionary.title(0), FormatError);
}

TEST_F(DictionaryTest, AFileThatIsNoDictionaryIsNamed) {
  EXPECT_NE(failure("").find("is not a dictionary of anchors"), std::string::npos);
  EXPECT_NE(failure("{\"title\": \"A\"}\n").find("link-entities --make"), std::string::npos);
  EXPECT_NE(testing::message_of([&] { Dictionary(small.path("missing")); }).find("No such file"), std::string::npos);
  EXPECT_NE(testing::message_of([&] { Dictionary(small.path("")); }).find("plain file"), std::string::npos);
}

TEST_F(DictionaryTest, ATruncatedFileIsRefusedAtEveryLength) {
  const auto bytes = read_file(small.write());
  for (std::size_t size = 8; size < bytes.size(); ++size)
    EXPECT_NE(failure(bytes.substr(0, size)).find("truncated"), std::string::npos) << size;
  EXPECT_NE(failure(bytes + "more").find("longer than its header says"), std::string::npos);
}

TEST_F(DictionaryTest, AnotherVersionIsRefusedWithARemedy) {
  const auto bytes = read_file(small.write());
  EXPECT_NE(failure(with_header(bytes, [](auto& h) { h.version = 9; })).find("has format 9"), std::string::npos);
  EXPECT_NE(failure(with_header(bytes, [](auto& h) { h.byte_order = 0x04030201; })).find("order of bytes"),
            std::string::npos);
}

TEST_F(DictionaryTest, LyingLengthsAreRefused) {
  const auto bytes = read_file(small.write());
  for (std::size_t i = 0; i < internal::kSections; ++i) {
    for (const std::uint64_t lie : {std::uint64_t{1} << 63, UINT64_MAX - 7, UINT64_MAX}) {
      EXPECT_NE(failure(with_header(bytes, [&](auto& h) { h.sections[i].offset = lie; })), "no error") << i;
      EXPECT_NE(failure(with_header(bytes, [&](auto& h) { h.sections[i].bytes = lie; })), "no error") << i;
    }
  }
  for (const std::uint32_t bits : {1U, 31U, 63U, 64U, UINT32_MAX})
    EXPECT_NE(failure(with_header(bytes, [&](auto& h) { h.bucket_bits = bits; })), "no error") << bits;
}

TEST_F(DictionaryTest, NoChangedByteIsReadOutsideOfTheFile) {
  const auto bytes = read_file(small.write());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const char value : {'\x00', '\x7F', '\xFF'}) {
      auto changed = bytes;
      changed[at] = value;
      const auto message = failure(changed);  // or nothing, where the byte is in a text or a number
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
  }
}

}  // namespace
}  // namespace touchstone::linking
