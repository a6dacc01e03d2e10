#pragma once

#include "llm_client/transport/transport.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::llm_client::transport {

/// What the head of a reply says about the file that follows.
struct FileHead {
  std::uint64_t offset = 0;                 ///< place of the first byte of the body in the file
  std::optional<std::uint64_t> file_bytes;  ///< size of the whole file
  std::string validator;                    ///< tells this version of the file from others (ETag or Last-Modified)
};

/// Takes the bytes of a file. What the functions throw ends `FileFetcher::run`.
class FileSink {
 public:
  virtual ~FileSink() = default;
  /// Called once for each reply, before its bytes. False: they are not wanted.
  virtual bool begin(const FileHead& head) = 0;
  /// The next bytes. False: no more are wanted.
  virtual bool take(std::string_view bytes) = 0;
};

struct FileRequest {
  std::string url;
  std::uint64_t offset = 0;  ///< ask for what begins here; a server that does not know ranges sends the whole file
  std::string validator;     ///< ask for the whole file if it is another version; empty: unknown
};

enum class FetchEnd : std::uint8_t {
  kDone,      ///< the sink has all that was asked for
  kUnwanted,  ///< the sink did not want it
  kNotThere,  ///< 404 or 410
  kPastEnd,   ///< 416: the file has no byte at the offset
  kMayHeal,   ///< 429, 5xx, no connection, or a reply that broke off: try again later
  kFailed,    ///< trying again will not help
};

struct FetchResult {
  std::size_t tag = 0;
  FetchEnd end = FetchEnd::kFailed;
  std::optional<std::chrono::milliseconds> retry_after;  ///< as the server says
  std::string failure;                                   ///< why it is not done, as a clause that names the server
};

/// Fetches files over HTTP with GET, several at once, as fast as their sinks take them. Each request is one attempt.
/// Up to five redirects are followed, but none from https to http. Proxies are those of the options, else of the
/// environment, as curl reads it. Not thread-safe.
class FileFetcher {
 public:
  /// Of the options, the timeouts, `proxy`, `ca_file` and `http2` count. Throws Error.
  explicit FileFetcher(const TransportOptions& options);
  ~FileFetcher();

  /// \param tag   no other request in flight has it
  /// \param sink  must stay until the result is there
  void start(std::size_t tag, const FileRequest& request, FileSink& sink);

  /// Works until a result is there or `wait` has passed. Throws what a sink throws.
  std::vector<FetchResult> run(std::chrono::milliseconds wait);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::llm_client::transport
