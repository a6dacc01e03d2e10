#pragma once

#include "llm_client/transport/rate_hints.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace touchstone::llm_client::transport::internal {

/// Flaws of a head by which nobody can tell where the body ends.
inline constexpr const char* kNoSingleLength = "its head gives no single length of the body";
inline constexpr const char* kLengthAndChunks = "its head gives a length although the body comes in chunks";
/// Readers differ in what a folded line means, and a field may hide in it (RFC 9112, section 5.2).
inline constexpr const char* kFoldedLine = "its head has a folded line";

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
  const RateHints& hints() const noexcept { return hints_; }

 private:
  void begin(bool interim);
  void take_field(std::string_view name, std::string_view value);

  bool interim_ = false, ended_ = false, chunked_ = false;
  std::string length_, flaw_, coding_, location_;
  RateHints hints_;
};

}  // namespace touchstone::llm_client::transport::internal
