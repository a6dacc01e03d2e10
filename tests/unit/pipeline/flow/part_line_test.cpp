#include "pipeline/flow/part_line.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::flow {
namespace {

/// Expects that the fields make one line and come back from it.
void expect_same(const std::vector<std::string>& fields) {
  const std::vector<std::string_view> views(fields.begin(), fields.end());
  std::string line = part_line(views);
  ASSERT_FALSE(line.empty());
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << line;
  EXPECT_EQ(std::count(line.begin(), line.end(), '\r'), 0) << line;
  EXPECT_EQ(line.back(), '\n');
  line.pop_back();
  EXPECT_EQ(read_part_line(line), fields);
}

TEST(PartLine, IsFieldsWithTabsBetween) {
  const std::string_view fields[] = {"id", "a text"};
  EXPECT_EQ(part_line(fields), "id\ta text\n");
}

TEST(PartLine, AnyBytesComeBack) {
  expect_same({"a\tb", "c\nd\r\n", "\\n", "\\", "e\\\\t"});
  expect_same({"\xff\xfe ill-formed", std::string("\0nul", 4)});
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  expect_same({all, all});
}

TEST(PartLine, EmptyFieldsComeBack) {
  expect_same({""});
  expect_same({"", ""});
  expect_same({"", "a", ""});
}

}  // namespace
}  // namespace touchstone::pipeline::flow
