#pragma once

#include "common/stop.hpp"
#include "llm_client/transport/file_fetcher.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace touchstone::pipeline::download {

/// Something to fetch, in as many attempts as it takes.
class Transfer : public llm_client::transport::FileSink {
 public:
  /// What messages call it.
  virtual const std::string& name() const = 0;
  /// The next attempt.
  virtual llm_client::transport::FileRequest request() = 0;
  /// Bytes that have come so far: an attempt that raised it was not in vain.
  virtual std::uint64_t received() const = 0;
  /// Takes note of an attempt whose end is not kMayHeal. Returns false if it is to be asked for again; throws Error if
  /// the run cannot go on.
  virtual bool settle(const llm_client::transport::FetchResult& result) = 0;
};

/// How often and when a transfer is tried again.
struct Patience {
  int max_failures = 8;                         ///< attempts in a row without a byte before the run ends
  std::chrono::milliseconds first_wait{1'000};  ///< after one failure; doubled by each further one, with jitter
  std::chrono::milliseconds longest_wait{60'000};
  std::chrono::minutes longest_retry_after{15};  ///< a server that asks for more ends the run
};

/// Carries transfers out, at most two at once, as Wikimedia asks of its readers. Not thread-safe.
class Downloader {
 public:
  Downloader(Patience patience, const StopFlag& stop);

  /// Returns when all transfers are settled. Throws Error, what a transfer throws, and Interrupted on a stop request.
  void run(std::span<Transfer* const> transfers);

  /// The text at a URL; nothing if it is not there. Throws Error also if it is longer than `max_bytes`.
  std::optional<std::string> text(const std::string& url, std::size_t max_bytes);
  /// Size of the file at a URL, if the server tells. Throws Error if it is not there.
  std::optional<std::uint64_t> size_of(const std::string& url);

 private:
  const Patience patience_;
  const StopFlag& stop_;
};

/// "http://mirror/a/b: ": the beginning of a message about a URL.
[[noreturn]] void fail_at(std::string_view url, std::string_view why);

}  // namespace touchstone::pipeline::download
