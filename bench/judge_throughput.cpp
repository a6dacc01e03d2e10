#include "bench/bare_client.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "llm_client/transport/transport.hpp"
#include "pipeline/judging/judgment_log.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

/// Requests a second through the transport with every reply made durable (fsync, group commit) before it is counted,
/// as a ratio to a bare epoll client in the same run, and replay of the same requests from the log. Prompts of 1.4 KB;
/// the server decides on the answers' size. Prints one JSON line each. See scripts/bench.sh for the server's part.
namespace {

using namespace touchstone;
using pipeline::judging::JudgmentLog;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kPromptBytes = 1'400;
/// Replies are stored together that came within this time; a tenth of what a crash may lose.
constexpr milliseconds kCommitInterval{10};

double seconds_since(steady_clock::time_point begin) {
  return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

/// User and system time of this process, all threads.
double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double resident_mb() {
  std::ifstream in("/proc/self/statm");
  std::size_t pages = 0, resident = 0;
  in >> pages >> resident;
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

std::string request_body(std::size_t number) {
  auto body = fmt::format(R"({{"model":"fast","messages":[{{"role":"user","content":"{:010} )", number);
  body.append(kPromptBytes - body.size() - 4, 'x');
  return body + "\"}]}";
}

std::string digest_of(std::size_t number) {
  return sha256_hex(request_body(number));
}

/// Stores what arrives until the transport has finished; returns the number of failures.
std::size_t store_all(llm_client::transport::Transport& transport, JudgmentLog& log, std::size_t requests,
                      double& early_mb) {
  std::size_t stored = 0, failed = 0;
  auto committed = steady_clock::now();
  std::vector<llm_client::ReplyStore::Entry> entries;
  while (!transport.finished()) {
    std::this_thread::sleep_until(committed + kCommitInterval);
    committed = steady_clock::now();
    entries.clear();
    for (auto& delivery : transport.take(milliseconds(100))) {
      if (delivery.failure != llm_client::transport::FailureKind::none) {
        if (failed++ == 0) fmt::print(stderr, "{}\n", delivery.message);
        continue;
      }
      llm_client::StoredReply reply;
      reply.judge = "bench";
      reply.reply = std::move(delivery.body);
      reply.attempts = static_cast<std::uint64_t>(delivery.attempts);
      entries.push_back({digest_of(delivery.id), std::move(reply)});
    }
    log.add_new(entries);
    stored += entries.size();
    if (early_mb == 0 && stored >= requests / 5) early_mb = resident_mb();
  }
  return failed;
}

/// \param bare  requests a second of the bare client
void send_and_store(double bare, const std::string& url, std::size_t requests,
                    const llm_client::transport::TransportOptions& options, JudgmentLog& log) {
  const auto begin = steady_clock::now();
  const double cpu_before = cpu_seconds();
  double early_mb = 0;
  llm_client::transport::Transport transport({{"", url, 1, {"Authorization: Bearer sk-benchmark"}}}, options);
  std::jthread producer([&] {
    for (std::size_t i = 0; i < requests && transport.submit({i, "/chat/completions", request_body(i), 400, {}}); ++i) {
    }
    transport.close();
  });
  const auto failed = store_all(transport, log, requests, early_mb);
  const double seconds = seconds_since(begin), cpu = cpu_seconds() - cpu_before;
  const auto statistics = transport.statistics();
  const auto count = static_cast<double>(requests);
  fmt::print(
      "{{\"bench\":\"judge_throughput\",\"requests\":{},\"failed\":{},\"seconds\":{:.2f},\"requests_per_second\":{:.0f}"
      ",\"bare_requests_per_second\":{:.0f},\"ratio_to_bare\":{:.3f},"
      "\"cpu_us_per_request\":{:.1f},\"cores\":{:.2f},\"peak_in_flight\":{},\"connections\":{},"
      "\"resident_mb_at_a_fifth\":{:.0f},\"resident_mb_at_end\":{:.0f}}}\n",
      requests, failed, seconds, count / seconds, bare, count / seconds / bare, cpu / count * 1e6, cpu / seconds,
      statistics.peak_in_flight, statistics.connections, early_mb, resident_mb());
}

void replay(std::size_t requests, const JudgmentLog& log) {
  const auto begin = steady_clock::now();
  const double cpu_before = cpu_seconds();
  std::size_t found = 0;
  for (std::size_t i = 0; i < requests; ++i) found += log.find(digest_of(i)) ? 1 : 0;
  fmt::print("{{\"bench\":\"judge_replay\",\"requests\":{},\"found\":{},\"seconds\":{:.2f},\"cpu_seconds\":{:.2f}}}\n",
             requests, found, seconds_since(begin), cpu_seconds() - cpu_before);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Requests a second against a judge_server, every reply stored durably; then replay from the log.");
  std::string url;
  std::size_t requests = 250'000;
  std::filesystem::path file;
  llm_client::transport::TransportOptions options;
  options.in_flight = 1'024;
  app.add_option("url", url, "Base URL of the server, with /v1")->required();
  app.add_option("--requests", requests);
  app.add_option("--in-flight", options.in_flight);
  app.add_option("--log", file, "The judgment log, which must be new")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    {
      JudgmentLog log(file, JudgmentLog::Access::kAppend);
      const auto bare = bench::bare_requests_per_second(url, requests, options.in_flight, kPromptBytes);
      send_and_store(bare, url, requests, options, log);
    }
    replay(requests, JudgmentLog(file, JudgmentLog::Access::kRead));
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
