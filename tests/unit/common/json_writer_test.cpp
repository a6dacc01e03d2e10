#include "common/json_writer.hpp"

#include "common/json_tree.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone {
namespace {

using Json = nlohmann::ordered_json;

std::string quoted(std::string_view text, JsonEscapes escapes) {
  std::string out;
  append_json_string(out, text, escapes);
  return out;
}

TEST(JsonWriter, WritesValuesInTheOrderInWhichTheyCome) {
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges{{1, 2}, {3, 4}};
  EXPECT_EQ(JsonWriter()
                .begin_object()
                .field("z", "1")
                .field("q", nullptr)
                .key("m")
                .begin_object()
                .field("n", -3)
                .field("s", std::vector<std::string>{"a", "b"})
                .end_object()
                .field("r", ranges)
                .field("b", true)
                .field("c", std::map<std::string, int>{{"x", 1}, {"y", 2}})
                .field("o", std::optional<int>())
                .field("p", std::optional<double>(0.5))
                .key("raw")
                .raw("1.50")
                .end_object()
                .take_line(),
            "{\"z\":\"1\",\"q\":null,\"m\":{\"n\":-3,\"s\":[\"a\",\"b\"]},\"r\":[[1,2],[3,4]],\"b\":true,\"c\":{\"x\":"
            "1,\"y\":2},\"o\":null,"
            "\"p\":0.5,\"raw\":1.50}\n");
}

TEST(JsonWriter, IndentsOneValueALine) {
  EXPECT_EQ(JsonWriter({.indent = 2})
                .begin_object()
                .key("a")
                .begin_array()
                .value(1)
                .value(2)
                .end_array()
                .key("e")
                .begin_object()
                .end_object()
                .key("l")
                .begin_array()
                .end_array()
                .end_object()
                .take(),
            "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"e\": {},\n  \"l\": []\n}");
}

TEST(JsonWriter, EscapesWhatJsonWantsAndLineBreaksIfAsked) {
  using namespace std::string_view_literals;
  const auto text = "a\"b\\c\n\t\r\b\f\0\x1F\x7F\xC2\x85\xE2\x80\xA8/<\xC3\xA9\xFF"sv;
  EXPECT_EQ(quoted(text, JsonEscapes::kRequired),
            "\"a\\\"b\\\\c\\n\\t\\r\\b\\f\\u0000\\u001f\x7F\xC2\x85\xE2\x80\xA8/<\xC3\xA9\xEF\xBF\xBD\"");
  EXPECT_EQ(quoted(text, JsonEscapes::kLineBreaks),
            "\"a\\\"b\\\\c\\n\\t\\r\\u0008\\u000c\\u0000\\u001f\\u007f\\u0085\\u2028/<\xC3\xA9\xEF\xBF\xBD\"");
}

TEST(JsonWriter, EachByteIsEscapedWhereverItStands) {
  for (int byte = 0; byte < 0x80; ++byte) {
    const std::string alone = quoted(std::string(1, static_cast<char>(byte)), JsonEscapes::kLineBreaks);
    const std::string escaped = alone.substr(1, alone.size() - 2);
    for (std::size_t at = 0; at < 17; ++at) {
      std::string text = "0123456789abcdef~", expected = text;
      text[at] = static_cast<char>(byte);
      expected.replace(at, 1, escaped);
      EXPECT_EQ(quoted(text, JsonEscapes::kLineBreaks), '"' + expected + '"') << byte << " at " << at;
    }
  }
}

TEST(JsonWriterDeathTest, NamesAndValuesAlternate) {
  EXPECT_DEATH(JsonWriter().begin_object().value(1), "a value is alone");
  EXPECT_DEATH(JsonWriter().begin_array().key("a"), "a name belongs");
  EXPECT_DEATH(JsonWriter().begin_object().key("a").key("b"), "a name belongs");
  EXPECT_DEATH(JsonWriter().begin_object().end_array(), "what is closed was opened");
  EXPECT_DEATH(JsonWriter().begin_object().key("a").end_object(), "what is closed was opened");
  EXPECT_DEATH(JsonWriter().begin_array().take(), "one complete value");
  EXPECT_DEATH(JsonWriter().value(1).value(2), "a value is alone");
}

/// Random documents, with bytes of all kinds in their strings.
class Documents {
 public:
  explicit Documents(std::uint64_t seed) : random_(seed) {}

  Json value(int depth) {
    switch (below(depth > 0 ? 9 : 7)) {
      case 0:
        return nullptr;
      case 1:
        return below(2) == 0;
      case 2:
        return static_cast<std::int64_t>(random_());
      case 3:
        return random_();
      case 4:
        return number();
      case 5:
      case 6:
        return text();
      case 7: {
        Json array = Json::array();
        for (auto size = below(4); size > 0; --size) array.push_back(value(depth - 1));
        return array;
      }
      default: {
        Json object = Json::object();
        for (auto size = below(4); size > 0; --size) object[text()] = value(depth - 1);
        return object;
      }
    }
  }

  std::string text() {
    static constexpr std::string_view kPieces[] = {
        "a", "\"", "\\", "\n", "\x7F", "\xC3\xA9", "\xE8\x8C\xB6", "\xF0\x9F\x8D\xB5", "\xEF\xBF\xBD", "\xE2\x80\xA8"};
    std::string out;
    for (auto size = below(12); size > 0; --size) {
      if (below(3) == 0) {
        out += static_cast<char>(random_());
      } else {
        const auto piece = kPieces[below(std::size(kPieces))];
        out += piece.substr(0, 1 + below(piece.size()));  // sometimes cut inside a character
      }
    }
    return out;
  }

  double number() {
    switch (below(4)) {
      case 0:
        return std::bit_cast<double>(random_());
      case 1:
        return static_cast<double>(below(100'000)) / 100;
      case 2:
        return std::ldexp(static_cast<double>(random_()), static_cast<int>(below(200)) - 100);
      default:
        return std::generate_canonical<double, 53>(random_);
    }
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  std::mt19937_64 random_;
};

TEST(JsonWriter, WritesRandomDocumentsAsTheJsonLibraryDoes) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Json document = Documents(seed).value(5);
    const auto expected = [&](int indent) { return document.dump(indent, ' ', false, Json::error_handler_t::replace); };
    ASSERT_EQ(json_text(document), expected(-1)) << "seed " << seed;
    ASSERT_EQ(json_text(document, {.indent = 1}), expected(1)) << "seed " << seed;
    ASSERT_EQ(json_text(document, {.indent = 2}), expected(2)) << "seed " << seed;
  }
}

TEST(JsonWriter, ReplacesEveryIllFormedPieceAsTheJsonLibraryDoes) {
  // Every pair of bytes after a first one that starts a character, and between letters.
  for (const std::string_view head : {"", "\xC3", "\xE0", "\xE2", "\xED", "\xF0", "\xF1", "\xF4", "\xF5", "\xF1\x80"}) {
    for (int first = 0x7E; first < 0x100; ++first) {
      for (int second = 0x7E; second < 0x100; ++second) {
        const std::string text = "a" + std::string(head) + static_cast<char>(first) + static_cast<char>(second) + "z";
        for (const auto& tried : {text, text.substr(0, text.size() - 1)}) {
          ASSERT_EQ(quoted(tried, JsonEscapes::kRequired),
                    Json(tried).dump(-1, ' ', false, Json::error_handler_t::replace))
              << first << ' ' << second;
        }
      }
    }
  }
}

TEST(JsonWriter, NumbersWithoutValueAreNull) {
  EXPECT_EQ(JsonWriter().value(std::nan("")).take(), "null");
  EXPECT_EQ(JsonWriter().value(std::numeric_limits<double>::infinity()).take(), "null");
  EXPECT_EQ(JsonWriter().value(100.0).take(), "100.0");
  EXPECT_EQ(JsonWriter().value(1e-7).take(), "1e-07");
}

}  // namespace
}  // namespace touchstone
