#include "llm_client/providers/batch_files.hpp"

#include "common/error.hpp"
#include "common/json_tree.hpp"
#include "tests/support/temporary_folder.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::llm_client::providers {
namespace {

using Json = nlohmann::ordered_json;

std::string id_of(int number) {
  return "id-" + std::to_string(number);
}

TEST(BatchFiles, AnIdStaysOneSegmentOfAnAddress) {
  EXPECT_EQ(url_segment("batch_6a.b-c~9"), "batch_6a.b-c~9");
  EXPECT_EQ(url_segment("../x?a=b&c d"), "..%2Fx%3Fa%3Db%26c%20d");
  EXPECT_EQ(url_segment("\xC3\xA9"), "%C3%A9");
}

TEST(BatchFiles, FilesKeepToTheLimitsAndHoldEveryRequestOnce) {
  for (const auto protocol : {Protocol::kOpenAi, Protocol::kAnthropic}) {
    const testing::TemporaryFolder folder;
    BatchFileWriter writer(folder.path(), "requests", protocol, {40, 2000});
    for (int i = 0; i < 100; ++i)
      writer.add(id_of(i), "{\"n\":" + std::to_string(i) + ",\"x\":\"" +
                               std::string(static_cast<std::size_t>(i % 50), 'x') + "\"}");
    std::set<std::string> ids;
    std::uint64_t requests = 0;
    for (const auto& file : writer.finish()) {
      const auto text = read_file(file.path);
      EXPECT_EQ(text.size(), file.bytes);
      EXPECT_LE(text.size(), 2000U);
      EXPECT_LE(file.requests, 40U);
      requests += file.requests;
      if (protocol == Protocol::kAnthropic) {
        const auto file_json = parse_json(text);
        for (const auto& entry : file_json.at("requests")) {
          EXPECT_TRUE(entry.at("params").contains("n"));
          ids.insert(entry.at("custom_id"));
        }
      } else {
        for_each_line(file.path, [&](std::string_view line, std::uint64_t) {
          const auto entry = parse_json(line);
          EXPECT_EQ(entry.at("method"), "POST");
          EXPECT_EQ(entry.at("url"), "/v1/chat/completions");
          EXPECT_EQ(id_of(entry.at("body").at("n")), entry.at("custom_id"));
          ids.insert(entry.at("custom_id"));
          return true;
        });
      }
    }
    EXPECT_EQ(requests, 100U);
    EXPECT_EQ(ids.size(), 100U);
  }
}

TEST(BatchFiles, ARequestThatNoFileCanHoldIsAnError) {
  const testing::TemporaryFolder folder;
  BatchFileWriter writer(folder.path(), "requests", Protocol::kOpenAi, {10, 100});
  EXPECT_THROW(writer.add("a", std::string(200, ' ')), ConfigError);
}

TEST(BatchFiles, OpenAiResultsAreReadAndTheBodyIsKeptAsItStands) {
  const auto good = parse_batch_result(
      Protocol::kOpenAi,
      R"({"id":"x","custom_id":"abc","response":{"status_code":200,"request_id":"r","body":{ "a":1.50, "b":"ä" }},"error":null})");
  ASSERT_TRUE(good);
  EXPECT_EQ(good->id, "abc");
  EXPECT_EQ(good->status, 200);
  EXPECT_EQ(good->body, R"({ "a":1.50, "b":"ä" })");
  const auto expired = parse_batch_result(
      Protocol::kOpenAi, R"({"custom_id":"abc","response":null,"error":{"code":"batch_expired","message":"late"}})");
  ASSERT_TRUE(expired);
  EXPECT_EQ(expired->status, 0);
}

TEST(BatchFiles, AnthropicResultsAreRead) {
  const auto status = [](const std::string& result) {
    return parse_batch_result(Protocol::kAnthropic, R"({"custom_id":"abc","result":)" + result + "}")->status;
  };
  const auto good = parse_batch_result(
      Protocol::kAnthropic, R"({"custom_id":"abc","result":{"type":"succeeded","message":{"type":"message"}}})");
  ASSERT_TRUE(good);
  EXPECT_EQ(good->body, R"({"type":"message"})");
  EXPECT_EQ(status(R"({"type":"expired"})"), 0);
  EXPECT_EQ(status(R"({"type":"canceled"})"), 0);
  EXPECT_EQ(
      status(R"({"type":"errored","error":{"type":"error","error":{"type":"invalid_request_error","message":"x"}}})"),
      400);
  EXPECT_EQ(status(R"({"type":"errored","error":{"type":"error","error":{"type":"api_error","message":"x"}}})"), 500);
}

TEST(BatchFiles, WhatIsNoResultIsSaidSo) {
  for (const std::string line :
       {"", "x", "{}", "[]", R"({"custom_id":7})", R"({"custom_id":"a","response":{"body":{}}})",
        R"({"custom_id":"a","custom_id":"b","response":{"status_code":200,"body":{}}})",
        R"({"custom_id":"a","response":{"status_code":200,"body":{},"body":{"x":1}}})",
        R"({"custom_id":"a","response":{"status_code":200,"body":{}},"error":{"code":"x"}})"})
    EXPECT_FALSE(parse_batch_result(Protocol::kOpenAi, line)) << line;
  for (const std::string line : {R"({"custom_id":"a"})", R"({"custom_id":"a","result":{"type":"other"}})",
                                 R"({"custom_id":"a","result":{"type":"succeeded"}})",
                                 R"({"custom_id":"a","result":{"type":"expired","type":"canceled"}})"})
    EXPECT_FALSE(parse_batch_result(Protocol::kAnthropic, line)) << line;
}

}  // namespace
}  // namespace touchstone::llm_client::providers
