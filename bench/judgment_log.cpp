#include "pipeline/judging/judgment_log.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

/// A judgment log of small replies: adding them in batches as the lexical judge does, opening it again, looking each
/// up in another order. Prints one JSON line. MB/s are of the records before compression.
namespace {

using namespace touchstone;
using pipeline::judging::JudgmentLog;
using std::chrono::steady_clock;

double resident_mb() {
  std::ifstream in("/proc/self/statm");
  std::size_t pages = 0, resident = 0;
  in >> pages >> resident;
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

template <class Work>
double seconds_of(const Work& work) {
  const auto begin = steady_clock::now();
  work();
  return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

llm_client::StoredReply reply_of(std::size_t number) {
  llm_client::StoredReply reply;
  reply.judge = "lexical/6 (baseline)";
  reply.reply =
      fmt::format(R"({{"evidence":false,"probability":0.{:06},"features":{{"head near":0.{:04},"own lead":0}}}})",
                  number % 1'000'000, number * 7919 % 10'000);
  return reply;
}

void run(const std::filesystem::path& file, std::size_t count, std::size_t batch) {
  std::vector<std::string> digests;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    digests.push_back(sha256_hex(std::to_string(i)));
    records::Encoder encoder;
    encode(encoder, llm_client::ReplyStore::Entry{digests.back(), reply_of(i)});
    bytes += encoder.bytes().size();
  }
  const bool is_new = !std::filesystem::exists(file);
  const double adding = seconds_of([&] {
    if (!is_new) return;
    JudgmentLog log(file, JudgmentLog::Access::kAppend);
    for (std::size_t begin = 0; begin < count; begin += batch) {
      std::vector<llm_client::ReplyStore::Entry> entries;
      for (std::size_t i = begin; i < std::min(count, begin + batch); ++i) entries.push_back({digests[i], reply_of(i)});
      log.add_computed(entries);
    }
  });
  const double before = resident_mb();
  std::optional<JudgmentLog> log;
  const double opening = seconds_of([&] { log.emplace(file, JudgmentLog::Access::kRead); });
  const double after = resident_mb();
  std::size_t found = 0;
  const double in_order = seconds_of([&] {
    for (const auto& digest : digests) found += log->find(digest) ? 1 : 0;
  });
  std::shuffle(digests.begin(), digests.end(), std::mt19937_64(1));
  const double in_any_order = seconds_of([&] {
    for (const auto& digest : digests) found += log->find(digest) ? 1 : 0;
  });
  const auto mb = [](auto size) { return static_cast<double>(size) / 1e6; };
  const auto each = [&](double seconds) { return seconds / static_cast<double>(count) * 1e6; };
  const auto file_bytes = std::filesystem::file_size(file);
  fmt::print(
      "{{\"bench\":\"judgment_log\",\"replies\":{},\"found\":{},\"record_mb\":{:.1f},\"file_mb\":{:.1f},\"add_us\":{:."
      "1f},"
      "\"open_seconds\":{:.2f},\"open_mb_per_second\":{:.0f},\"file_mb_per_second\":{:.0f},\"index_bytes_per_reply\":{:"
      ".0f},"
      "\"find_us\":{:.1f},\"find_shuffled_us\":{:.1f}}}\n",
      count, found / 2, mb(bytes), mb(file_bytes), each(adding), opening, mb(bytes) / opening, mb(file_bytes) / opening,
      (after - before) * (1 << 20) / static_cast<double>(count), each(in_order), each(in_any_order));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A judgment log of small replies: add, open, find.");
  std::filesystem::path file;
  std::size_t count = 1'000'000, batch = 500;
  app.add_option("file", file, "The log; one that is there is only read, which shows the memory of the index")
      ->required();
  app.add_option("--replies", count);
  app.add_option("--batch", batch, "Replies that are added at once");
  CLI11_PARSE(app, argc, argv);
  try {
    run(file, count, batch);
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
