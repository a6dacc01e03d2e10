#pragma once

#include "llm_client/transport/reply_head.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace touchstone::llm_client::transport::internal {

/// Takes a reply of HTTP/1.0 or 1.1 apart as its bytes arrive. Boost.Beast finds where it ends; it takes no lines that
/// end with a line feed alone. Interim replies (1xx) are passed over. Not thread-safe.
/// Source: RFC 9112, sections 2 to 7.
class ReplyParser {
 public:
  enum class State : std::uint8_t {
    kMore,      ///< more bytes are needed
    kWhole,     ///< the reply has its end
    kBroken,    ///< it is no HTTP, or was cut off; `problem` says why
    kOversized  ///< its body or its heads pass their bounds
  };

  /// \param max_body_bytes  bound of the body as it arrives; kMaxHeaderBytes bounds heads, and lines between chunks
  explicit ReplyParser(std::size_t max_body_bytes);
  ~ReplyParser();
  ReplyParser(const ReplyParser&) = delete;
  ReplyParser& operator=(const ReplyParser&) = delete;

  /// Forgets everything; another reply follows.
  void begin();
  /// Takes any bytes. After a state other than kMore, only `begin` may follow. Throws std::bad_alloc.
  State take(std::string_view bytes, std::chrono::system_clock::time_point now);
  /// The connection was closed behind the bytes so far, of which there is at least one.
  State end();

  const ReplyHead& head() const noexcept { return head_; }
  int status() const noexcept { return status_; }
  /// What has come of the body; may be moved from.
  std::string& body() noexcept { return body_; }
  const char* problem() const noexcept { return problem_; }
  /// True when the connection of a whole reply may serve another request: nothing says otherwise, and no byte lies
  /// behind the reply.
  bool keeps_connection() const noexcept { return keeps_connection_; }

 private:
  class Message;
  State parse(std::string_view& bytes);
  bool next_message();

  const std::size_t max_body_bytes_;
  std::unique_ptr<Message> message_;
  ReplyHead head_;
  std::string body_, pending_;  // pending: bytes that were not taken yet
  std::chrono::system_clock::time_point now_;
  std::size_t head_bytes_ = 0;  // of interim replies
  int status_ = 0;
  const char* problem_ = "";
  bool oversized_ = false, keeps_connection_ = false;
};

}  // namespace touchstone::llm_client::transport::internal
