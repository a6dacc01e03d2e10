#pragma once

#include "llm_client/transport/rate_hints.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace touchstone::llm_client::transport::internal {

/// How one attempt ended, as far as HTTP goes.
enum class Arrival : std::uint8_t {
  kReply,         ///< a whole reply with a status
  kNoConnection,  ///< name not resolved, refused, TLS handshake failed: nothing was sent
  kUntrusted,     ///< the certificate is not one we trust
  kTimeout,
  kBroken,     ///< reset, cut, damaged, or not HTTP
  kOversized,  ///< body or headers beyond the bound
  kCrowded     ///< all replies together are beyond theirs
};

struct Reply {
  std::size_t tag = 0;  ///< as given to `start`
  Arrival arrival = Arrival::kReply;
  int status = 0;
  std::string body;
  std::string redirect;  ///< host that the `Location` of a 3xx names
  std::string location;  ///< the whole `Location`
  RateHints hints;
  std::chrono::steady_clock::time_point sent;
  std::chrono::microseconds latency{0};
  bool connected = false;  ///< a connection was opened for it
  bool asked = false;      ///< bytes of the request may have left
  std::string error;       ///< why, when it is no kReply
};

/// The head of a reply, read line by line: what the transport needs of it, and whether it frames the body in exactly
/// one way. Heads of interim replies (1xx) are forgotten, and so are trailers. Not thread-safe.
/// Source: RFC 9112, sections 6.1 to 6.3; RFC 9110, section 15.2.
class ReplyHead {
 public:
  /// Takes one line with its line end. Takes any bytes.
  void take(std::string_view line, std::chrono::system_clock::time_point now);

  /// True when the empty line behind the head of a final reply has come.
  bool ended() const noexcept { return ended_; }
  /// Why the body cannot be told from what surrounds it; empty when it can.
  const std::string& flaw() const noexcept { return flaw_; }
  /// Value of `Content-Encoding` in lower case; empty when there is none.
  const std::string& coding() const noexcept { return coding_; }
  /// Value of `Location`.
  const std::string& location() const noexcept { return location_; }
  /// Values of `Content-Length`, `Content-Range`, `ETag` and `Last-Modified`; empty when they are not there.
  const std::string& length() const noexcept { return length_; }
  const std::string& range() const noexcept { return range_; }
  const std::string& etag() const noexcept { return etag_; }
  const std::string& last_modified() const noexcept { return last_modified_; }
  const RateHints& hints() const noexcept { return hints_; }

 private:
  void take_field(std::string_view name, std::string_view value);

  bool interim_ = false, ended_ = false, chunked_ = false;
  std::string length_, flaw_, coding_, location_, range_, etag_, last_modified_;
  RateHints hints_;
};

/// Takes the body of a reply with status 200 or 206 as it arrives, in place of `Reply::body`. The functions may throw;
/// what they throw ends `HttpEngine::run`.
class BodySink {
 public:
  virtual ~BodySink() = default;
  /// Called once, before the body. False: the body is not wanted, and the attempt is given up.
  virtual bool begin(int status, const ReplyHead& head) = 0;
  /// False: no more is wanted.
  virtual bool take(std::string_view bytes) = 0;
};

/// Looks at a reply that arrived with its end: undoes the coding of its body (none, `identity` or `gzip`), and tells
/// what is wrong with it. A gzip stream must be whole, with nothing behind it; curl does not check this. Empty when the
/// reply is whole; else `reply.arrival` is set, too. Pure and thread-safe. Source: RFC 9110, section 8.4.1; RFC 1952.
/// \param early  it began before the server can have read the request
std::string find_damage(const ReplyHead& head, bool early, std::size_t max_body_bytes, Reply& reply);

/// Host of a `Location`; empty when it has none.
std::string host_of(const std::string& url);

}  // namespace touchstone::llm_client::transport::internal
