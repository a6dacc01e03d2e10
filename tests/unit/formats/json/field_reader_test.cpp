#include "formats/json/field_reader.hpp"

#include <functional>

#include <gtest/gtest.h>

namespace touchstone::formats::json {
namespace {

/// What is wrong with the line, after `read` has taken its fields.
std::string error_of(std::string_view line, const std::function<void(FieldReader&)>& read) {
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  std::string error;
  if (!parse_object(parser, line, object, error)) return error;
  FieldReader fields(object, error);
  read(fields);
  return error;
}

TEST(FieldReader, ReadsEveryKindOfField) {
  const auto error = error_of(
      R"({"t":"x","n":3,"b":true,"i":null,"p":0.5,"l":["a","b"],"r":[[1,2],[3,4]],"o":{"t":"y"},"v":[{"n":1},{"n":2}]})",
      [](FieldReader& fields) {
        EXPECT_EQ(fields.text("t"), "x");
        EXPECT_EQ(fields.number("n"), 3U);
        EXPECT_TRUE(fields.boolean("b"));
        EXPECT_EQ(fields.integer_or_null("i", 0, 9), std::nullopt);
        EXPECT_EQ(fields.integer_or_null("n", 0, 9), 3);
        EXPECT_EQ(fields.number_or_null("p"), 0.5);
        EXPECT_EQ(fields.text_or_null("i"), "");
        EXPECT_EQ(fields.texts("l"), (std::vector<std::string>{"a", "b"}));
        EXPECT_EQ(fields.ranges("r").at(1), (std::pair<std::uint32_t, std::uint32_t>(3, 4)));
        EXPECT_EQ(fields.object("o").text("t"), "y");
        EXPECT_EQ(fields.objects("v").at(1).number("n"), 2U);
        EXPECT_FALSE(fields.has("z"));
      });
  EXPECT_EQ(error, "");
}

TEST(FieldReader, TheFirstMistakeIsKeptWithThePathOfItsField) {
  EXPECT_EQ(error_of(R"({"o":{"n":"x"}})",
                     [](FieldReader& fields) {
                       auto inner = fields.object("o");
                       EXPECT_EQ(inner.number("n"), 0U);
                       EXPECT_EQ(fields.text("missing"), "");
                     }),
            "has a field \"o.n\" that is not a whole number; correct it");
  EXPECT_EQ(error_of("{}", [](FieldReader& fields) { fields.object("o").text("t"); }), "has no field \"o\"; add it");
  EXPECT_EQ(error_of(R"({"g":9})", [](FieldReader& fields) { fields.integer_or_null("g", -1, 1); }),
            "has 9 in field \"g\", which is not from -1 to 1; correct it");
}

TEST(FieldReader, ALineThatIsNoObjectIsRefused) {
  const auto nothing = [](FieldReader&) {};
  EXPECT_EQ(error_of("[1]", nothing), "is no JSON object; repair the line \"[1]\"");
  EXPECT_NE(error_of("{", nothing).find("is no JSON ("), std::string::npos);
}

}  // namespace
}  // namespace touchstone::formats::json
