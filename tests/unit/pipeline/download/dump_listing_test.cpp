#include "pipeline/download/dump_listing.hpp"

#include "common/error.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace touchstone::pipeline::download {
namespace {

const std::string kSha1(40, 'a');

std::string status_of(const std::string& files) {
  return R"({"version":"0.8","jobs":{"articlesdump":{"status":"done","updated":"2026-11-03 04:05:06","files":{)" +
         files + R"(}},"pagelinkstable":{"status":"in-progress","files":{"x":{}}},"xmlstubsdump":7}})";
}

std::string file(const std::string& name, const std::string& facts) {
  return "\"" + name + "\":{" + facts + "}";
}

std::string good(const std::string& name) {
  return file(name, R"("size":12,"url":"/w/20261101/x","md5":"0","sha1":")" + kSha1 + "\"");
}

std::vector<DumpJob> read(const std::string& json, const std::vector<std::string>& jobs = {"articlesdump"}) {
  return read_dump_status(json, "status", jobs, "w-20261101-");
}

TEST(DumpStatus, AskedJobsComeWithTheirStatusAndFilesInNaturalOrder) {
  const auto jobs = read(status_of(good("w-20261101-p10.bz2") + "," + good("w-20261101-p9.bz2")),
                         {"pagelinkstable", "articlesdump", "redirecttable"});
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[0].status, "in-progress");
  EXPECT_TRUE(jobs[0].files.empty());
  EXPECT_TRUE(jobs[1].done());
  ASSERT_EQ(jobs[1].files.size(), 2U);
  EXPECT_EQ(jobs[1].files[0], (ListedFile{"w-20261101-p9.bz2", 12, kSha1}));
  EXPECT_EQ(jobs[1].files[1].name, "w-20261101-p10.bz2");
  EXPECT_EQ(jobs[2].status, "absent");
}

TEST(DumpStatus, NamesThatLeaveTheFolderAreRefused) {
  for (const std::string name : {"../w-20261101-x", "w-20261101-/x", "w-20261101-..\\u0000", "/w-20261101-x", "",
                                 ".w-20261101-x", "x-20261101-x", "w-20261101- x", "w-20261101-\\u00e9"}) {
    const auto message = testing::message_of<FormatError>([&] { read(status_of(good(name))); });
    EXPECT_NE(message.find("no name of a file of this dump"), std::string::npos) << name << ": " << message;
  }
}

TEST(DumpStatus, WhatIsMissingOrGarbledIsNamed) {
  const std::string name = "w-20261101-x";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "not JSON"},
      {status_of(good(name)).substr(0, 100), "not JSON"},
      {"[]", "has no \"jobs\""},
      {R"({"jobs":{"articlesdump":3}})", "has no status"},
      {status_of(""), "lists no files"},
      {status_of(file(name, R"("sha1":")" + kSha1 + "\"")), "size of " + name},
      {status_of(file(name, R"("size":-1,"sha1":")" + kSha1 + "\"")), "size of " + name},
      {status_of(file(name, R"("size":18446744073709551615,"sha1":")" + kSha1 + "\"")), "size of " + name},
      {status_of(file(name, R"("size":1.5,"sha1":")" + kSha1 + "\"")), "size of " + name},
      {status_of(file(name, R"("size":1)")), "SHA-1 of " + name},
      {status_of(file(name, R"("size":1,"sha1":"AB")")), "SHA-1 of " + name},
      {status_of("\"" + name + "\":[]"), "size of " + name}};
  for (const auto& [json, words] : cases) {
    const auto message = testing::message_of<FormatError>([&json = json] { read(json); });
    EXPECT_NE(message.find(words), std::string::npos) << json << ": " << message;
    EXPECT_TRUE(message.starts_with("status: ")) << message;
  }
}

TEST(DumpIndex, FoldersAndFilesOfIndexPagesAreFound) {
  // As Wikimedia, nginx and Apache write them.
  EXPECT_EQ(
      read_index("<a href=\"../\">../</a>\n<a href=\"20261020/\">20261020</a>  <a href=\"20261101/\">20261101/</a>"),
      (std::vector<std::string>{"20261020/", "20261101/"}));
  EXPECT_EQ(read_index("<th><a href=\"?C=N;O=D\">Name</a></th><a href='./b.txt'>b</a><a href=\"/dumps/\">Parent</a><a "
                       "href=\"b.txt\">b</a><a href=\"a-1_2.bz2\">"),
            (std::vector<std::string>{"a-1_2.bz2", "b.txt"}));
  EXPECT_TRUE(
      read_index("<a href=\"http://x/20261101/\"><a href=20261101/><a href=\"a/b\"><a href=\"20261101/").empty());
  EXPECT_TRUE(read_index("href=").empty());
}

TEST(DumpSums, LinesOfADigestAndANameAreRead) {
  const auto files = read_sums(kSha1 + "  a.bz2\n" + kSha1 + " *b.bz2\r\nno line\n" + kSha1 + "  ../c\n" + kSha1 +
                               " \n" + std::string(32, 'a') + "  md5\n" + kSha1 + "  d");
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0], (ListedFile{"a.bz2", std::nullopt, kSha1}));
  EXPECT_EQ(files[1].name, "b.bz2");
  EXPECT_EQ(files[2].name, "d");
}

TEST(DumpDays, OnlyDaysOfTheCalendarAreDays) {
  EXPECT_EQ(day_number("19700102"), 1);
  EXPECT_EQ(*day_number("20260301") - *day_number("20260228"), 1);
  for (const auto* text : {"", "2026110", "202611011", "20261131", "20260229", "2026-1-1", "latest", "00000000"})
    EXPECT_FALSE(day_number(text)) << text;
}

}  // namespace
}  // namespace touchstone::pipeline::download
