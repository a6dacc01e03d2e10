#include "storage/write_ahead_log.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::storage::internal {
namespace {

std::string piece(char type, const std::string& payload) {
  const auto crc = crc32c(type + payload);
  const std::uint32_t masked = ((crc >> 15) | (crc << 17)) + 0xA282EAD8U;
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(masked >> shift));
  bytes.push_back(static_cast<char>(payload.size()));
  bytes.push_back(static_cast<char>(payload.size() >> 8));
  return bytes + type + payload;
}

/// A block of the log's size that begins with these bytes.
std::string block(std::string bytes) {
  bytes.resize(32768, '\0');
  return bytes;
}

struct Read {
  std::vector<std::string> records;
  std::uint64_t lost = 0;
};

Read read(const std::string& log) {
  Read result;
  result.lost = read_log_records(log, [&](const std::string& record) { result.records.push_back(record); });
  return result;
}

using Records = std::vector<std::string>;

TEST(WriteAheadLog, ChecksumIsCastagnolis) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);  // RFC 3720, B.4 and the catalogue of CRCs
  EXPECT_EQ(crc32c(""), 0U);
}

TEST(WriteAheadLog, ReadsWholeRecordsAndThoseInPieces) {
  const auto log =
      block(piece(1, "one") + piece(2, "be")) + block(piece(3, "gi")) + block(piece(4, "n") + piece(1, "end"));
  const auto found = read(log);
  EXPECT_EQ(found.records, (Records{"one", "begin", "end"}));
  EXPECT_EQ(found.lost, 0U);
}

TEST(WriteAheadLog, SkipsADamagedPieceUpToTheNextBlock) {
  auto log = block(piece(1, "one") + piece(1, "two") + piece(1, "three")) + block(piece(1, "four"));
  log[piece(1, "one").size() + 8] ^= 1;
  const auto found = read(log);
  EXPECT_EQ(found.records, (Records{"one", "four"}));
  EXPECT_GT(found.lost, 0U);
}

TEST(WriteAheadLog, ARecordWithoutItsEndIsLost) {
  const auto log = block(piece(1, "one") + piece(2, "begin"));
  EXPECT_EQ(read(log).records, Records{"one"});
  EXPECT_EQ(read(log).lost, 5U);
  const auto cut = (piece(1, "one") + piece(1, "two")).substr(0, 18);
  EXPECT_EQ(read(cut).records, Records{"one"});
  EXPECT_EQ(read(cut).lost, 8U);
  EXPECT_EQ(read(block(piece(4, "end") + piece(1, "one"))).records, Records{"one"});
}

TEST(WriteAheadLog, ReadsNothingOutsideOfAnyBytes) {
  std::mt19937 random(20250103);
  const auto good = block(piece(1, "one") + piece(2, "be")) + block(piece(4, "gin") + piece(1, std::string(500, 'x')));
  for (int round = 0; round < 2000; ++round) {
    auto log = good.substr(0, random() % (good.size() + 1));
    for (int change = 0; change < 8 && !log.empty(); ++change)
      log[random() % std::min<std::size_t>(log.size(), 700)] = static_cast<char>(random());
    read(log);
  }
}

}  // namespace
}  // namespace touchstone::storage::internal
