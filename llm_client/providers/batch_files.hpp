#pragma once

#include "common/files.hpp"
#include "common/result.hpp"
#include "llm_client/providers/chat.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::llm_client::providers {

/// A file of requests for a provider's batch API.
struct BatchFile {
  std::filesystem::path path;
  std::uint64_t requests = 0, bytes = 0;
};

/// What one file may hold. Source: OpenAI 50,000 requests and 200 MB, Anthropic 100,000 and 256 MB (read 2026-11).
struct BatchLimits {
  std::uint64_t requests = 50'000, bytes = 190'000'000;
};

/// Splits requests over files `<stem>-0001.jsonl` (OpenAI) or `.json` (Anthropic), each within the limits; a file
/// appears when it is complete. Ids are digests: at most 64 letters, digits, - and _, as Anthropic demands. Not
/// thread-safe. Throws StorageError, and ConfigError for a request that no file can hold.
class BatchFileWriter {
 public:
  BatchFileWriter(std::filesystem::path folder, std::string stem, Protocol protocol, BatchLimits limits);

  void add(std::string_view id, std::string_view body);
  /// All files, in order. To be called once, last.
  std::vector<BatchFile> finish();

 private:
  void close();

  std::filesystem::path folder_;
  std::string stem_;
  Protocol protocol_;
  BatchLimits limits_;
  std::unique_ptr<AtomicFile> open_;
  std::vector<BatchFile> files_;
};

/// Calls `take` with the id of each request of a file that a BatchFileWriter wrote. Throws StorageError.
void for_each_request_id(const std::filesystem::path& file, const std::function<void(std::string_view)>& take);

/// One line of results.
struct BatchResult {
  std::string id;
  int status = 0;    ///< as an online request would have had it; 0: none, the request expired or was cancelled
  std::string body;  ///< the reply as it is in the line
};

/// Reads a line of a results or errors file, either provider's. The reason why not, otherwise: also for a line that
/// names a field twice, or an error beside a reply, since nobody can tell which of the two counts. Thread-safe.
Result<BatchResult, std::string> parse_batch_result(Protocol protocol, std::string_view line);

/// A provider's id as one segment of a URL: whatever is not a letter, digit, '-', '_', '.' or '~' as %XX (RFC 3986).
std::string url_segment(std::string_view id);

}  // namespace touchstone::llm_client::providers
